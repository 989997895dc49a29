"""Requests to price an order, with its uploaded photos or with counts of photos."""

from pydantic import Field

from app.domain.order_files import Count
from app.domain.orders import Address, FiledOrder, Name
from engine.types.enhancements import PhotoType


class QuoteRequest(FiledOrder):
    """An order to be priced; counts stand in for photos that are not uploaded."""

    address: Address | None = Field(default=None, description="Changes no price.")
    upload_session_id: Name | None = Field(default=None, description="From step 1; required with files.")
    interior_count: Count = Field(default=0, description="How many interior photos; in place of their files.")
    exterior_count: Count = Field(default=0, description="How many exterior photos; in place of their files.")

    @property
    def has_files(self) -> bool:
        """Whether it names uploaded photos."""
        return bool(self.interior_files or self.exterior_files)

    def count(self, photo_type: PhotoType) -> int:
        """The count that was given for the type."""
        return self.exterior_count if photo_type is PhotoType.EXTERIOR else self.interior_count

    def count_unnamed(self, photo_type: PhotoType) -> int:
        """The count of photos of the type where no file is named."""
        count = self.count(photo_type)
        return self.count_exteriors(count) if photo_type is PhotoType.EXTERIOR else count
