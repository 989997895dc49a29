"""The demo accounts that the first `make run` creates, so that everything can be tried at once."""

from decimal import Decimal

from app.container import Container
from app.domain.passwords import generate
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys

CUSTOMER, REVIEWER = "demo@brightlist.local", "reviewer@brightlist.local"
CREDITS = Decimal(100)


def create_accounts(here: Container) -> list[str]:
    """Create a customer with credits and an API key, and a reviewer. Returns the lines to print, with their
    passwords; where there is any account already, creates nothing and returns none.
    """
    now = here.clock()
    customer_password, reviewer_password = generate(), generate()
    with here.database.unit_of_work() as session:
        if accounts.count(session):
            return []
        customer = accounts.create(session, CUSTOMER, now, name="Demo", password=customer_password)
        credits.adjust(session, customer.organization_id, CREDITS, "Welcome", now)
        _, secret = api_keys.create(session, customer.organization_id, now, name="First key")
        accounts.create(session, REVIEWER, now, name="Reviewer", password=reviewer_password, staff=True)
    return [
        f"Sign in at {here.settings.base_url}/sign-in",
        "",
        f"Customer  {CUSTOMER}      password {customer_password}   ({CREDITS} credits)",
        f"Reviewer  {REVIEWER}  password {reviewer_password}",
        f"API key   {secret}",
        "",
        "Shown only now. `flask --app wsgi accounts password EMAIL` makes another password,",
        "`flask --app wsgi keys create EMAIL` another key.",
        "",
    ]
