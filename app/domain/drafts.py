"""An order that is being filled in: what was said so far, however little, and what each photo is to become."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from app.domain.address_lines import AddressLines, split
from app.domain.catalogue import ChangeType, Enhancement, PhotoType, RoomType, ServiceType, Style, in_pipeline_order
from app.domain.errors import InvalidRequest
from app.domain.faults import shape_faults
from app.domain.orders import MAX_REFERENCE_IMAGES
from app.domain.pricing import PricedPhoto
from app.domain.wire import Line, Text

MAX_CHANGES = 20
"""Renovation entries of one photo, as in an order."""


class Step(StrEnum):
    """The pages of the wizard, in order."""

    ADDRESS = "address"
    SERVICE = "service"
    PHOTOS = "photos"
    ENHANCEMENTS = "enhancements"
    REVIEW = "review"


class _Lenient(BaseModel):
    """Whatever is missing may follow. Limits keep out what no person types; an order's rules judge the rest."""

    model_config = ConfigDict(frozen=True, extra="ignore")


AddressField = Annotated[Line, StringConstraints(max_length=300)]
Writing = Annotated[Text, StringConstraints(max_length=4000)]
Chosen = Annotated[tuple[Enhancement, ...], Field(max_length=len(Enhancement))]


class Content(_Lenient):
    """What was said of the order as a whole. `region` is the state; the lists are for all photos of their type."""

    street: AddressField = ""
    city: AddressField = ""
    region: AddressField = ""
    postcode: AddressField = ""
    service_type: ServiceType | None = None
    exterior_enhancements: Chosen = ()
    interior_enhancements: Chosen = ()
    public_imagery: bool = Field(default=False, description="Chosen in place of exterior photos.")

    @property
    def address(self) -> str:
        """On one line, as an order has it."""
        return AddressLines(self.street, self.city, self.region, self.postcode).line

    def covers(self, photo_type: PhotoType) -> bool:
        """Whether the order takes photos of the type."""
        return self.service_type is not None and self.service_type.covers(photo_type)

    def enhancements_for(self, photo_type: PhotoType) -> Sequence[Enhancement]:
        """The list meant for all photos of the type."""
        exterior = photo_type is PhotoType.EXTERIOR
        return self.exterior_enhancements if exterior else self.interior_enhancements

    def at(self, line: str) -> "Content":
        """The same with this address, put in its fields as far as they can be told."""
        lines = split(line)
        return self.model_copy(
            update={
                "street": lines.street,
                "city": lines.city,
                "region": lines.region,
                "postcode": lines.postcode,
            }
        )


class StagingChoice(_Lenient):
    """How to furnish the room; what is not said has the default of an order."""

    style: Style | None = None
    room_type: RoomType | None = None


class ChangeWish(_Lenient):
    """One renovation, as far as it was written. `reference_ids` are reference pictures of the same draft."""

    change_type: ChangeType | None = None
    description: Writing = ""
    reference_text: Writing = ""
    reference_ids: Annotated[tuple[str, ...], Field(max_length=MAX_REFERENCE_IMAGES)] = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing was written in it yet."""
        return self == ChangeWish()


class PhotoWish(_Lenient):
    """What one photo is to become. `enhancements` None: the same as all photos of its type."""

    enhancements: Chosen | None = None
    staging: StagingChoice = StagingChoice()
    changes: Annotated[tuple[ChangeWish, ...], Field(max_length=MAX_CHANGES)] = ()

    @property
    def mark(self) -> str:
        """Differs when the wish does: tells whether it changed since a page showed it."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class DraftedPhoto:
    """One uploaded photo of a draft as the rules see it."""

    id: str
    type: PhotoType
    file_name: str
    storage_key: str
    wish: PhotoWish


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole draft: what was said, its photos in their order, and its reference pictures (id -> storage key).

    `imagery`: whether there is a source of public imagery.
    """

    session_id: str
    content: Content
    photos: Sequence[DraftedPhoto]
    references: Mapping[str, str]
    imagery: bool

    def taken(self, photo_type: PhotoType) -> list[DraftedPhoto]:
        """The photos of the type that the order takes; those it does not cover stay in the draft."""
        return [photo for photo in self.photos if photo.type is photo_type and self.content.covers(photo_type)]

    @property
    def from_imagery(self) -> bool:
        """Whether public imagery stands in for exterior photos: chosen, possible, and none uploaded."""
        wanted = self.content.public_imagery and self.content.covers(PhotoType.EXTERIOR)
        return wanted and self.imagery and not self.taken(PhotoType.EXTERIOR)

    def chosen(self, photo: DraftedPhoto) -> list[Enhancement]:
        """What is to be done to the photo."""
        own = photo.wish.enhancements
        return in_pipeline_order(self.content.enhancements_for(photo.type) if own is None else own)

    def priced(self) -> list[PricedPhoto]:
        """What the price depends on, complete or not."""
        outside = [in_pipeline_order(self.content.exterior_enhancements)] * self.from_imagery
        every = (photo for photo_type in PhotoType for photo in self.taken(photo_type))
        return [
            *(PricedPhoto(PhotoType.EXTERIOR, enhancements) for enhancements in outside),
            *(PricedPhoto(each.type, self.chosen(each), len(each.wish.changes)) for each in every),
        ]

    def with_wish(self, photo_id: str, wish: PhotoWish) -> "Sheet":
        """The same with another wish for one photo, to see what it would cost."""
        photos = [replace(photo, wish=wish) if photo.id == photo_id else photo for photo in self.photos]
        return replace(self, photos=photos)


Model = TypeVar("Model", bound=BaseModel)


def read(model: type[Model], data: Mapping[str, Any]) -> Model:
    """What was typed or ticked, as far as it has a form. Raises InvalidRequest naming the fields that have none."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InvalidRequest(shape_faults(error, model)) from None


def known(model: type[StrEnum], names: Iterable[str]) -> list[str]:
    """The names that are values of the kind, each once, in the kind's own order."""
    given = set(names)
    return [each.value for each in model if each.value in given]
