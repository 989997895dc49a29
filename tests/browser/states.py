"""Every page in every state it can be in. Tests and screenshots go through all of them."""

from tests.browser.state import State, fill, press, spoil
from tests.browser.world import PASSWORD, Day, Who

APPLICANT = {"name": "Al", "email": "al@example.com", "password": PASSWORD}
BAD, PROOF = {"password": "x", "new_password": "y"}, {"password": PASSWORD}

PUBLIC = [
    State("front", "/"),
    State("api", "/docs", heavy=True),
    State("sign in", "/sign-in"),
    State("sign in, session over", "/sign-in?next=/orders&ended=1"),
    State("sign in, nothing entered", "/sign-in", act=press("Sign in")),
    State("sign in, wrong", "/sign-in", act=fill("Sign in", email=Who.CUSTOMER, password="wrong battery staple")),
    State("sign in, code", "/sign-in", act=fill("Sign in", email=Who.CAREFUL, password=PASSWORD)),
    State("sign up", "/sign-up"),
    State("sign up, wrong", "/sign-up", act=fill("Open an account", name="", email="nobody", password="short")),
    State(
        "sign up, sent",
        "/sign-up",
        act=fill("Open an account", **APPLICANT),
    ),
    State("sign up, to confirm", "{links[sign up]}"),
    State("sign up, dead link", "{links[nowhere]}", status=410),
    State("reset", "/reset"),
    State("reset, wrong", "/reset", act=fill("Send", email="nobody")),
    State("reset, sent", "/reset", act=fill("Send", email="nobody@example.com")),
    State("reset, new password", "{links[reset]}"),
    State("reset, bad password", "{links[reset]}", act=fill("Change", password="short")),
    State("new address, to confirm", "{links[new address]}"),
    State("not found", "/nowhere", status=404),
    State("stale form", "/sign-in", act=spoil("Sign in")),
    State("broken", "/broken", status=500),
]
ORDERS = [
    State("orders", "/orders", Who.CUSTOMER),
    State("orders, none", "/orders", Who.CUSTOMER, Day.FIRST),
    State("orders, nothing found", "/orders?q=nowhere", Who.CUSTOMER),
    State("orders, one status", "/orders?status=delivered", Who.CUSTOMER),
    *(
        State(f"order, {name}", f"/orders/{{jobs[{name}]}}", Who.CUSTOMER)
        for name in (
            "pending",
            "processing",
            "review",
            "approved",
            "partial",
            "delivered",
            "undeliverable",
            "failed",
        )
    ),
    State("order, expired", "/orders/{jobs[expired]}", Who.CUSTOMER),
    State("order of somebody else", "/orders/{jobs[approved]}", Who.NEWCOMER, status=404),
]
RESULTS = [
    State("results", "/orders/{jobs[approved]}/results", Who.CUSTOMER),
    State("results, staged", "/orders/{jobs[approved]}/results?photo=2", Who.CUSTOMER),
    State("results, some missing", "/orders/{jobs[partial]}/results", Who.CUSTOMER),
    State("results, downloaded", "/orders/{jobs[delivered]}/results", Who.CUSTOMER),
]
REVIEWS = [
    State("reviews", "/reviews", Who.STAFF),
    State("reviews, none", "/reviews", Who.STAFF, Day.FIRST),
    State("reviews, settled", "/reviews/settled", Who.STAFF),
    State("reviews, none settled", "/reviews/settled", Who.STAFF, Day.FIRST),
    State("review, free", "/reviews/{jobs[review]}", Who.STAFF),
    State("review, a colleague's", "/reviews/{jobs[review by a colleague]}", Who.STAFF),
    State("review, begun", "/reviews/{jobs[review begun]}?photo=2", Who.STAFF),
    State("review, undecided", "/reviews/{jobs[review begun]}", Who.STAFF, act=press("Save and go on")),
    State("review, decided", "/reviews/{jobs[review decided]}?photo=2", Who.STAFF),
    State("review, settled", "/reviews/{jobs[partial]}", Who.STAFF),
    State("review, to finish", "/reviews/{jobs[review decided]}/finish", Who.STAFF),
    State("review, to finish with nothing", "/reviews/{jobs[review of nothing good]}/finish", Who.STAFF),
    State("log", "/reviews/log", Who.STAFF),
    State("log, none", "/reviews/log", Who.STAFF, Day.FIRST),
]
ACCOUNT = [
    State("account", "/account", Who.CUSTOMER),
    State("account, name", "/account/name", Who.CUSTOMER),
    State("account, e-mail", "/account/email", Who.CUSTOMER),
    State("account, password", "/account/password", Who.CUSTOMER),
    State(
        "account, bad password",
        "/account/password",
        Who.CUSTOMER,
        act=fill("Change", **BAD),
    ),
    State("account, delete", "/account/delete", Who.CUSTOMER),
    State("security", "/account/security", Who.CUSTOMER),
    State("security, set up", "/account/security", Who.NEWCOMER, act=press("Set up two-factor")),
    State("security, two-factor on", "/account/security", Who.CAREFUL),
    State("security, switch off", "/account/security/two-factor/off", Who.CAREFUL),
    State(
        "security, recovery codes",
        "/account/security/recovery-codes",
        Who.CAREFUL,
        act=fill("new", **PROOF),
    ),
]
WIZARD = [
    State("wizard, address", "/drafts/{drafts[new]}/address", Who.CUSTOMER),
    State("wizard, no address", "/drafts/{drafts[new]}/address", Who.CUSTOMER, act=press("Continue")),
    State("wizard, address known", "/drafts/{drafts[address]}/address", Who.CUSTOMER),
    State("wizard, service", "/drafts/{drafts[address]}/service", Who.CUSTOMER),
    State("wizard, no service", "/drafts/{drafts[address]}/service", Who.CUSTOMER, act=press("Continue")),
    State("wizard, photos", "/drafts/{drafts[service]}/photos", Who.CUSTOMER),
    State("wizard, no photos", "/drafts/{drafts[service]}/photos", Who.CUSTOMER, act=press("Continue")),
    State("wizard, photos added", "/drafts/{drafts[photos]}/photos", Who.CUSTOMER),
    State("wizard, enhancements", "/drafts/{drafts[photos]}/enhancements", Who.CUSTOMER),
    State("wizard, enhancements chosen", "/drafts/{drafts[full]}/enhancements", Who.CUSTOMER),
    State("wizard, each photo", "/drafts/{drafts[full]}/enhancements/each", Who.CUSTOMER),
    State(
        "wizard, photos unsaid", "/drafts/{drafts[unsaid]}/enhancements/each", Who.CUSTOMER, act=press("Continue")
    ),
    State("wizard, photo outside", "/drafts/{drafts[full]}/photos/{photos[full][0]}", Who.CUSTOMER),
    State("wizard, photo to stage", "/drafts/{drafts[full]}/photos/{photos[full][1]}", Who.CUSTOMER),
    State("wizard, photo to renovate", "/drafts/{drafts[full]}/photos/{photos[full][2]}", Who.CUSTOMER),
    State(
        "wizard, photo unsaid",
        "/drafts/{drafts[unsaid]}/photos/{photos[unsaid][1]}",
        Who.CUSTOMER,
        act=press("Save"),
    ),
    State("wizard, review", "/drafts/{drafts[full]}/review", Who.CUSTOMER),
    State("wizard, too few credits", "/drafts/{drafts[poor]}/review", Who.NEWCOMER, act=press("Place order")),
    State("wizard, discard", "/drafts/{drafts[full]}/delete", Who.CUSTOMER),
]
STATES = [*PUBLIC, *ACCOUNT, *ORDERS, *WIZARD, *RESULTS, *REVIEWS]
