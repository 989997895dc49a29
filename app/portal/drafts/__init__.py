"""The order wizard: a draft is filled in page by page, and placed."""

from app.portal.drafts import address, each, enhancements, entrance, photo, photos, price, review, service, uploads
from app.portal.drafts.wizard import blueprint

__all__ = [
    "address",
    "blueprint",
    "each",
    "enhancements",
    "entrance",
    "photo",
    "photos",
    "price",
    "review",
    "service",
    "uploads",
]
