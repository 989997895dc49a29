"""The account's balance, and the budget of the key that asks."""

from flask import Blueprint

from app.api.v1.answers import BudgetAnswer, CreditAccount, Profile
from app.api.v1.operations import Operation, serve
from app.domain.actors import Scope
from app.services.accounts import organizations
from app.services.billing import budgets, credits
from app.services.security import api_keys
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
    """The account's balance, with name and e-mail of its owner, and the budget of this key."""
    with container().database.read_session() as session:
        # A sandbox has the owner of its live account, but its own balance.
        balance = credits.balance(session, actor().account_id)
        owner = organizations.get_owner(session, actor().account_id)
        key = api_keys.get(session, actor().account_id, actor().key_id)
        budget = budgets.read(session, key, container().clock())
    return CreditAccount(
        credits=balance,
        profile=Profile.model_validate(owner.user),
        budget=None if budget is None else BudgetAnswer.model_validate(budget),
    )
