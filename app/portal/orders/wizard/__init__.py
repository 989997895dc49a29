"""The order wizard: a draft is filled in page by page, and placed."""

from app.portal.orders.wizard import (
    address,
    draft,
    enhancements,
    groups,
    photo,
    photos,
    price,
    review,
    service,
    uploads,
)
from app.portal.orders.wizard.steps import blueprint

__all__ = [
    "address",
    "blueprint",
    "draft",
    "enhancements",
    "groups",
    "photo",
    "photos",
    "price",
    "review",
    "service",
    "uploads",
]
