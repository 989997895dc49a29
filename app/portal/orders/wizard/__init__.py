"""The order wizard: where a property is, what the order is for, single photos; the rest is the board."""

from app.portal.orders.wizard import address, draft, photo, price, service, uploads
from app.portal.orders.wizard.steps import blueprint

__all__ = ["address", "blueprint", "draft", "moved", "photo", "price", "service", "uploads"]
