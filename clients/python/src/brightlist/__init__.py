"""Brightlist from Python: photos of a house go in, listing-ready pictures come out."""

from brightlist.client import Brightlist
from brightlist.errors import ApiError, BrightlistError
from brightlist.transport import Retries
from brightlist.version import __version__

__all__ = ["ApiError", "Brightlist", "BrightlistError", "Retries", "__version__"]
