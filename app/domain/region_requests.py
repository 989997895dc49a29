"""A question about one uploaded photo: what is seen in it, and what an order would do to it."""

from pydantic import Field

from app.domain.order_files import Files, sample_path
from app.domain.orders import OrderFields, OrderPhoto
from engine.types.enhancements import PhotoType


class RegionsRequest(OrderFields):
    """One uploaded photo with what is to happen to it, in the fields of an order."""

    interior_files: Files = Field(
        description="The photo, if it is an interior one; of frames the first is looked at.",
        examples=[[{"filePath": sample_path(PhotoType.INTERIOR, 0)}]],
    )
    exterior_files: Files = Field(description="The photo, if it is an exterior one.")

    @property
    def photo(self) -> OrderPhoto:
        """The photo; read_regions_request() has checked that there is one."""
        files = {PhotoType.INTERIOR: self.interior_files, PhotoType.EXTERIOR: self.exterior_files}
        photo_type = next(each for each, mine in files.items() if mine)
        return OrderPhoto(photo_type, 0, self.edit_request(photo_type, 0), tuple(files[photo_type]))
