"""The order wizard: pages for the address and for single photos. Everything else is on the board."""

from app.portal.orders.wizard import address, draft, hints, photo, price, uploads
from app.portal.orders.wizard.steps import blueprint

__all__ = ["address", "blueprint", "draft", "hints", "photo", "price", "uploads"]
