"""The page of a property once its photos are ordered: their progress, the results, what can be done with them."""

from app.portal.orders.property import cancelling, files, keeping, page, photo
from app.portal.orders.property.blueprint import blueprint

__all__ = ["blueprint", "cancelling", "files", "keeping", "page", "photo"]
