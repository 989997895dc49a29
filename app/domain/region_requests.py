"""Requests for the regions of one uploaded photo: what it shows, and what an order would do to it."""

from pydantic import Field

from app.domain.order_files import Files, sample_path
from app.domain.orders import FiledOrder, OrderPhoto
from engine.types.enhancements import PhotoType


class RegionsRequest(FiledOrder):
    """One uploaded photo with what is to happen to it, in the fields of an order."""

    interior_files: Files = Field(
        description="The photo, if it is an interior one; of frames the first is looked at.",
        examples=[[{"filePath": sample_path(PhotoType.INTERIOR, 0)}]],
    )
    exterior_files: Files = Field(description="The photo, if it is an exterior one.")

    @property
    def photo(self) -> OrderPhoto:
        """The photo; read_regions_request() has checked that there is one."""
        return next(photo for photo in self.photos() if photo.files)
