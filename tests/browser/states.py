"""Every page in every state it can be in. Tests and screenshots go through all of them."""

from app.domain.catalogue import Enhancement
from tests.browser.state import State, fill, follow, press, spoil, tick, unfold
from tests.browser.world import PASSWORD, Day, Who

APPLICANT = {"name": "Al", "email": "al@example.com", "password": PASSWORD}
WARNED = (Enhancement.TWILIGHT, Enhancement.GOLDEN_HOUR, Enhancement.STAGING, Enhancement.RENOVATION)
BAD, PROOF = {"password": "x", "new_password": "y"}, {"password": PASSWORD}

PUBLIC = [
    State("front", "/"),
    State("front, dusk", "/?example=dusk"),
    State("front, room", "/?example=room", Who.CUSTOMER),
    State("prices", "/prices"),
    State(
        "prices, of a warned order",
        "/prices?service=both&exterior=3&interior=8&changes=2&enhancement=" + "&enhancement=".join(WARNED),
    ),
    State("prices, wrong", "/prices?service=interior&interior=x", status=422),
    State("how it works", "/how-it-works"),
    State("for developers", "/developers"),
    State("terms", "/terms"),
    State("disclosure", "/disclosure"),
    State("disclosure, a rule", "/disclosure/crmls"),
    State("disclosure, our own rule", "/disclosure/elsewhere"),
    State("originals", "{links[originals of approved]}"),
    State("originals, one picture", "{links[originals of approved]}/2"),
    State("originals, one lost", "{links[originals of lost]}"),
    State("originals, to print", "{links[originals of approved]}/sheet"),
    State("status", "/status"),
    State("status, parts missing", "/status", day=Day.FIRST),
    State("api", "/docs", heavy=True),
    State("sign in", "/sign-in"),
    State("sign in, session over", "/sign-in?next=/orders&ended=1"),
    State("sign in, nothing entered", "/sign-in", act=press("Sign in")),
    State(
        "sign in, wrong",
        "/sign-in",
        act=fill("Sign in", email="nobody@example.com", password="wrong battery staple"),
    ),
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
    State("pack, ready", "{links[pack for mls-now]}", Who.CUSTOMER),
    State("pack, being made", "{links[pack for crmls]}", Who.CUSTOMER),
    State("pack, failed", "{links[pack for smartmls]}", Who.CUSTOMER),
    State("packs", "/orders/{jobs[approved]}/packs", Who.CUSTOMER),
    State("packs, none chosen", "/orders/{jobs[approved]}/packs", Who.CUSTOMER, act=press("Make the pack")),
    State("evidence", "/orders/{jobs[approved]}/evidence", Who.CUSTOMER),
    State("evidence, expired", "/orders/{jobs[expired]}/evidence", Who.CUSTOMER),
    State("results, staged", "/orders/{jobs[approved]}/results?photo=2", Who.CUSTOMER),
    State("results, other versions", "/orders/{jobs[approved]}/results?photo=3", Who.CUSTOMER),
    State("results, some missing", "/orders/{jobs[partial]}/results", Who.CUSTOMER),
    State("results, downloaded", "/orders/{jobs[delivered]}/results", Who.CUSTOMER),
    State("results, to say not right", "/orders/{jobs[approved]}/results", Who.CUSTOMER, act=unfold("not-right")),
    State("results, to change not right", "/orders/{jobs[partial]}/results", Who.CUSTOMER, act=unfold("not-right")),
    State(
        "results, nothing said",
        "/orders/{jobs[approved]}/results?photo=2",
        Who.CUSTOMER,
        act=unfold("not-right", "Say it is not right"),
    ),
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
    State("account, delete with a code", "/account/delete", Who.CAREFUL),
    State("account, confirm", "/account/security/confirm?next=/keys/new", Who.CUSTOMER),
    State("security", "/account/security", Who.CUSTOMER),
    State("security, set up", "/account/security", Who.NEWCOMER, act=press("Set up two-factor")),
    State("security, two-factor on", "/account/security", Who.CAREFUL),
    State("security, switch off", "/account/security/two-factor/off", Who.CAREFUL),
    State("security, new recovery codes", "/account/security/recovery-codes", Who.CAREFUL),
    State("security, no code", "/account/security/recovery-codes", Who.CAREFUL, act=fill("new", **PROOF)),
]
WIZARD = [
    State("wizard, address", "/drafts/{drafts[new]}/address", Who.CUSTOMER),
    State("wizard, no address", "/drafts/{drafts[new]}/address", Who.CUSTOMER, act=press("Continue")),
    State("wizard, address known", "/drafts/{drafts[address]}/address", Who.CUSTOMER),
    State("wizard, service", "/drafts/{drafts[address]}/service", Who.CUSTOMER),
    State("wizard, no service", "/drafts/{drafts[address]}/service", Who.CUSTOMER, act=press("Continue")),
    State("board, no photos", "/properties/{drafts[service]}", Who.CUSTOMER, modules=True),
    State(
        "board, placed without photos",
        "/properties/{drafts[service]}",
        Who.CUSTOMER,
        act=press("Place order"),
        modules=True,
    ),
    State("board, nothing chosen", "/properties/{drafts[photos]}", Who.CUSTOMER, modules=True),
    State("board", "/properties/{drafts[full]}", Who.CUSTOMER, modules=True),
    State("board, selected", "/properties/{drafts[full]}?photo={photos[full][1]}", Who.CUSTOMER, modules=True),
    State(
        "board, effects to add",
        "/properties/{drafts[full]}?photo={photos[full][1]}",
        Who.CUSTOMER,
        act=unfold("menu-add"),
        modules=True,
    ),
    State(
        "board, to furnish",
        "/properties/{drafts[full]}?photo={photos[full][1]}",
        Who.CUSTOMER,
        act=unfold("menu-furnish"),
        modules=True,
    ),
    State(
        "board, to renovate",
        "/properties/{drafts[full]}?photo={photos[full][1]}",
        Who.CUSTOMER,
        act=unfold("menu-renovate"),
        modules=True,
    ),
    State("board, more", "/properties/{drafts[full]}", Who.CUSTOMER, act=unfold("menu-more"), modules=True),
    State("board, frames of one photo", "/properties/{drafts[framed]}", Who.CUSTOMER, modules=True),
    State("board, unsaid", "/properties/{drafts[unsaid]}", Who.CUSTOMER, act=press("Place order"), modules=True),
    State("board, removed and unfinished", "/properties/{drafts[removed]}", Who.CUSTOMER, modules=True),
    State("board, several orders", "/properties/{drafts[many]}", Who.CUSTOMER, modules=True),
    State("board, barred", "/properties/{drafts[barred]}", Who.CUSTOMER, modules=True),
    State(
        "board, barred and not accepted",
        "/properties/{drafts[barred]}",
        Who.CUSTOMER,
        act=press("Place order"),
        modules=True,
    ),
    State("board, too few credits", "/properties/{drafts[poor]}", Who.NEWCOMER, modules=True),
    State("wizard, photo barred", "/drafts/{drafts[barred]}/photos/{photos[barred][1]}", Who.CUSTOMER),
    State("wizard, photo outside", "/drafts/{drafts[full]}/photos/{photos[full][0]}", Who.CUSTOMER),
    State("wizard, photo to stage", "/drafts/{drafts[full]}/photos/{photos[full][1]}", Who.CUSTOMER),
    State("wizard, photo to renovate", "/drafts/{drafts[full]}/photos/{photos[full][2]}", Who.CUSTOMER),
    State(
        "wizard, photo unsaid",
        "/drafts/{drafts[unsaid]}/photos/{photos[unsaid][1]}",
        Who.CUSTOMER,
        act=press("Save"),
    ),
    State("wizard, discard", "/drafts/{drafts[full]}/delete", Who.CUSTOMER),
]
KEYS = [
    State("keys", "/keys", Who.CUSTOMER),
    State("keys, older", "/keys", Who.CUSTOMER, act=follow("Older keys")),
    State("keys, none", "/keys", Who.CAREFUL),
    State("keys, new", "/keys/new", Who.CUSTOMER),
    State("keys, new, wrong", "/keys/new", Who.CUSTOMER, act=press("Make the key")),
    State("keys, made", "/keys/new", Who.CUSTOMER, act=fill("Make the key", name="Upload script")),
    *(
        State(f"key, {name}", f"{{links[key {name}]}}", Who.CUSTOMER)
        for name in ("active", "ending", "expired", "replaced", "revoked")
    ),
    State("key, without a name", "{links[key active]}", Who.CUSTOMER, act=fill("Save", name="")),
    State("key, to revoke", "{links[key active]}/revoke", Who.CUSTOMER),
    State("key, revoked already", "{links[key revoked]}/revoke", Who.CUSTOMER),
    State("key, to replace", "{links[key active]}/rotate", Who.CUSTOMER),
    State("key, replaced already", "{links[key replaced]}/rotate", Who.CUSTOMER),
    State("notifications", "/account/notifications", Who.CUSTOMER),
    State("notifications, wrong", "/account/notifications", Who.CUSTOMER, act=fill("Save", low_balance="few")),
    State("use of pictures", "/account/pictures", Who.CUSTOMER),
    State("use of pictures, agreed", "/account/pictures", Who.CUSTOMER, act=tick("Save", "agreed")),
    State("sign in, suspended", "/sign-in", act=fill("Sign in", email="sue@example.com", password=PASSWORD)),
]
WEBHOOKS = [
    State("webhooks", "/webhooks", Who.CUSTOMER),
    State("webhooks, none", "/webhooks", Who.CUSTOMER, Day.FIRST),
    State("webhooks, add", "/webhooks/new", Who.CUSTOMER),
    State("webhooks, bad address", "/webhooks/new", Who.CUSTOMER, act=fill("Add", url="http://x")),
    *(
        State(f"webhook, {name}", f"{{links[webhook {name}]}}", Who.CUSTOMER)
        for name in ("agency", "failing", "off", "held", "fresh")
    ),
    State("webhook, edit", "{links[webhook agency]}/edit", Who.CUSTOMER),
    State("webhook, two secrets", "{links[webhook agency]}/secret", Who.CUSTOMER),
    State("webhook, secret", "{links[webhook fresh]}/secret", Who.CUSTOMER),
    State("webhook, new secret", "{links[webhook held]}/secret", Who.CUSTOMER, act=press("Make a new secret")),
    State("webhook, delete", "{links[webhook agency]}/delete", Who.CUSTOMER),
    State("deliveries", "{links[webhook agency]}/deliveries", Who.CUSTOMER),
    State("deliveries, none", "{links[webhook fresh]}/deliveries", Who.CUSTOMER),
    State("deliveries, nothing found", "{links[webhook agency]}/deliveries?result=held", Who.CUSTOMER),
    State("deliveries, failed since", "{links[webhook agency]}/deliveries/failed", Who.CUSTOMER),
    State(
        "deliveries, failed and counted",
        "{links[webhook failing]}/deliveries/failed",
        Who.CUSTOMER,
        act=press("Count them"),
    ),
    State("deliveries, no time", "{links[webhook agency]}/deliveries/failed?since=x", Who.CUSTOMER, status=422),
    State("delivery, good", "{links[delivery good]}", Who.CUSTOMER),
    State("delivery, request", "{links[delivery good]}?show=request", Who.CUSTOMER),
    State("delivery, failed", "{links[delivery failed]}", Who.CUSTOMER),
    State("delivery, retried", "{links[delivery retried]}", Who.CUSTOMER),
    State("delivery, waiting", "{links[delivery waiting]}", Who.CUSTOMER),
    State("delivery, held", "{links[delivery held]}", Who.CUSTOMER),
]
CREDITS = [
    State("credits", "/credits", Who.CUSTOMER),
    State("credits, none", "/credits", Who.CUSTOMER, Day.FIRST),
    State("credits, for an order", "/credits?credits=3.0&draft={drafts[poor]}", Who.NEWCOMER),
    State("credits, one kind", "/credits?kind=refund", Who.CUSTOMER),
    State("credits, one order", "/credits?job={jobs[partial]}", Who.CUSTOMER),
    State("credits, nothing found", "/credits?month=2020-01", Who.CUSTOMER),
    State("credits, no such day", "/credits?from=2026-02-31&to=soon", Who.CUSTOMER, status=422),
    State("credits, older lines", "/credits?month=2026-11", Who.CUSTOMER, act=follow("Older lines")),
    State("purchases", "/credits/purchases", Who.CUSTOMER),
    State("purchases, none", "/credits/purchases", Who.CUSTOMER, Day.FIRST),
    State("receipt", "{links[receipt whole]}", Who.CUSTOMER),
    State("receipt, partly refunded", "{links[receipt refunded]}", Who.CUSTOMER),
    State("receipt, demo", "{links[receipt demo]}", Who.CUSTOMER),
]
PURCHASES = [
    *(
        State(f"purchase, {name}", f"{{links[purchase {name}]}}", Who.CAREFUL)
        for name in ("open", "awaited", "paid", "failed", "expired", "amiss", "refunded", "owed")
    ),
    State("purchase, come back", "{links[purchase open]}?returned=1", Who.CAREFUL),
    State("demo payment", "{links[purchase open]}/demo", Who.CAREFUL),
    State("demo payment, awaited", "{links[purchase awaited]}/demo", Who.CAREFUL),
    State("buy, wrong amount", "/credits?credits=7.3", Who.CAREFUL, act=fill("Buy credits", credits="7.3")),
]
STAFF = [
    State("staff, accounts", "/staff/accounts", Who.STAFF),
    State("staff, accounts by name", "/staff/accounts?in=name&q=pat", Who.STAFF),
    State("staff, flagged", "/staff/accounts?show=flagged", Who.STAFF),
    State("staff, suspended", "/staff/accounts?show=suspended", Who.STAFF),
    State("staff, no account found", "/staff/accounts?q=nobody", Who.STAFF),
    State("staff, none flagged", "/staff/accounts?show=flagged", Who.STAFF, Day.FIRST),
    *(
        State(f"staff, account{name}", f"{{links[staff account{name}]}}", Who.STAFF)
        for name in ("", " flagged", " suspended", " own")
    ),
    State("staff, balance", "{links[staff account]}/credits", Who.STAFF),
    State("staff, balance, nothing said", "{links[staff account]}/credits", Who.STAFF, act=press("Change")),
    State("staff, suspend", "{links[staff account]}/suspend", Who.STAFF),
    State("staff, suspend, no reason", "{links[staff account]}/suspend", Who.STAFF, act=press("Suspend")),
    State(
        "staff, suspended already",
        "{links[staff account suspended]}/suspend",
        Who.STAFF,
        act=fill("Suspend", reason="Again"),
    ),
    State("staff, restore", "{links[staff account suspended]}/restore", Who.STAFF),
    State("staff, flag", "{links[staff account]}/flag", Who.STAFF),
    State("staff, clear flag", "{links[staff account flagged]}/clear-flag", Who.STAFF),
    State("staff, jobs", "/staff/jobs", Who.STAFF),
    State("staff, jobs, none", "/staff/jobs", Who.STAFF, Day.FIRST),
    State("staff, jobs by address", "/staff/jobs?q=1&status=failed", Who.STAFF),
    State("staff, no job found", "/staff/jobs?q=nowhere", Who.STAFF),
    *(
        State(f"staff, job {name}", f"/staff/jobs/{{jobs[{name}]}}", Who.STAFF)
        for name in ("pending", "processing", "review begun", "partial", "failed", "expired", "lost")
    ),
    State("staff, put back", "/staff/jobs/{jobs[processing]}/requeue", Who.STAFF),
    State("staff, fail", "/staff/jobs/{jobs[processing]}/fail", Who.STAFF),
    State("staff, fail, too late", "/staff/jobs/{jobs[failed]}/fail", Who.STAFF, act=fill("Fail", reason="Broken")),
    State("staff, deliveries", "/staff/deliveries", Who.STAFF),
    State("staff, deliveries, none", "/staff/deliveries", Who.STAFF, Day.FIRST),
    State("staff, deliveries held", "/staff/deliveries?show=held", Who.STAFF),
    State("staff, deliveries late", "/staff/deliveries?show=late", Who.STAFF),
    State("staff, deliveries of a customer", "/staff/deliveries?show=late&q=pat@example.com", Who.STAFF),
    State("staff, no delivery found", "/staff/deliveries?q=nobody", Who.STAFF),
    *(
        State(f"staff, delivery {name}", f"{{links[staff delivery {name}]}}", Who.STAFF)
        for name in ("failed", "held", "good")
    ),
    State("staff, payments", "/staff/payments", Who.STAFF),
    State("staff, payments, all", "/staff/payments?show=all", Who.STAFF),
    State("staff, payments, none", "/staff/payments", Who.STAFF, Day.FIRST),
    State("staff, settle", "{links[staff purchase amiss]}/settle", Who.STAFF),
    State("staff, queue", "/staff/queue", Who.STAFF),
    State("staff, queue, nobody there", "/staff/queue", Who.STAFF, Day.FIRST),
]
ORDERING = [*PUBLIC, *ACCOUNT, *KEYS, *ORDERS, *WIZARD]
BUSINESS = [*CREDITS, *PURCHASES, *RESULTS, *WEBHOOKS, *REVIEWS, *STAFF]
"""The other half: each is a file of tests, so that two processes share the work."""
STATES = [*ORDERING, *BUSINESS]
