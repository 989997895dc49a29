"""The account's balance."""

from flask import Blueprint

from app.api.v1.answers import CreditAccount, Profile
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.services.accounts import organizations
from app.services.billing import credits
from app.web.authentication import actor
from app.web.context import container

blueprint = Blueprint("credits_v1", __name__)


@serve(
    blueprint,
    Operation(
        method="GET",
        path="/user/credits",
        scope=Scope.CREDITS_READ,
        summary="Ask for the balance",
        answer=CreditAccount,
    ),
)
def show_credits() -> CreditAccount:
    """The account's balance, with name and e-mail of its owner."""
    with container().database.read_session() as session:
        # The owner of a sandbox is the one of its account, but the balance is its own.
        balance = credits.balance(session, actor().account_id)
        owner = organizations.get_owner(session, actor().account_id)
    return CreditAccount(credits=balance, profile=Profile.model_validate(owner.user))
