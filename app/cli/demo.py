"""The accounts that a first `make run` makes, so that everything can be tried at once."""

from decimal import Decimal

from app.container import Container
from app.domain.passwords import generate
from app.services.accounts import accounts
from app.services.billing import credits
from app.services.security import api_keys

CUSTOMER, REVIEWER = "demo@brightlist.local", "reviewer@brightlist.local"
CREDITS = Decimal(100)


def create_accounts(here: Container) -> list[str]:
    """Make a customer with credits and a key, and a reviewer; what to print of them, nothing on later starts."""
    now = here.clock()
    customers, reviewers = generate(), generate()
    with here.database.unit_of_work() as session:
        if accounts.count(session):
            return []
        customer = accounts.create(session, CUSTOMER, now, name="Demo", password=customers)
        credits.grant(session, customer.organization_id, CREDITS, "Welcome", now)
        _, secret = api_keys.create(session, customer.organization_id, now, name="First key")
        accounts.create(session, REVIEWER, now, name="Reviewer", password=reviewers, staff=True)
    return [
        f"Sign in at {here.settings.base_url}/sign-in",
        "",
        f"Customer  {CUSTOMER}      password {customers}   ({CREDITS} credits)",
        f"Reviewer  {REVIEWER}  password {reviewers}",
        f"API key   {secret}",
        "",
        "Shown only now. `flask --app wsgi accounts password EMAIL` makes another password,",
        "`flask --app wsgi keys create EMAIL` another key.",
        "",
    ]
