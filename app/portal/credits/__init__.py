"""Credits: the balance with ledger and usage, buying more, purchases and their receipts."""

from app.portal.credits import balance, demo_checkout, purchases, receipts

BLUEPRINTS = (
    balance.blueprint,
    demo_checkout.blueprint,
    purchases.blueprint,
    receipts.blueprint,
)
