"""Drafts: orders that are being filled in and may be incomplete, with the edit request of each photo."""

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from app.domain.address_lines import AddressLines, split
from app.domain.api_types import Line, Text
from app.domain.catalog import ServiceType
from app.domain.errors import InvalidFields
from app.domain.field_errors import shape_faults
from app.domain.file_names import slug
from app.domain.metadata import ExternalId, Metadata
from app.domain.presets import Chosen, ChosenOptions, PresetContent
from app.domain.pricing import PricedPhoto
from engine.types.edit_request import MAX_CHANGES, MAX_REFERENCE_IMAGES, EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, Style
from engine.types.options import EffectOptions


class Step(StrEnum):
    """The steps in which an order is filled in. PHOTOS and all later steps are on one page."""

    ADDRESS = "address"
    PHOTOS = "photos"
    ENHANCEMENTS = "enhancements"
    REVIEW = "review"


AddressField = Annotated[Line, StringConstraints(max_length=300)]


class Content(BaseModel):
    """The choices for the order as a whole; they may be incomplete.

    `region`: the state. The lists of enhancements apply to all photos of their type, `options` to all photos that
    get the effect, `staging_style` to all rooms that are staged. `again`: the id of the draft's photo by the id of
    the ordered photo, for photos of which only the declined steps are ordered again. `external_id`, `metadata`: of
    the order that is ordered again, by which a program knows the property. The limits here only refuse what no
    person would type; the rules of orders check the rest.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    street: AddressField = ""
    city: AddressField = ""
    region: AddressField = ""
    postcode: AddressField = ""
    service_type: ServiceType | None = Field(default=None, description="The one chosen; None: by the photos.")
    exterior_enhancements: Chosen = ()
    interior_enhancements: Chosen = ()
    options: ChosenOptions = None
    staging_style: Style | None = None
    jurisdiction: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        default=None, description="The law chosen; None: by the address."
    )
    mls: Annotated[str, StringConstraints(max_length=40)] | None = None
    public_imagery: bool = Field(default=False, description="Chosen in place of exterior photos.")
    again: Mapping[str, str] = Field(default_factory=dict)
    external_id: ExternalId | None = None
    metadata: Metadata | None = None
    orders_declined: bool = Field(default=False, description="What would be declined is ordered all the same.")

    @property
    def address(self) -> str:
        """The address on one line, as in an order."""
        return AddressLines(self.street, self.city, self.region, self.postcode).line

    def covers(self, photo_type: PhotoType) -> bool:
        """Whether the order can have photos of the type."""
        return self.service_type is None or self.service_type.covers(photo_type)

    def enhancements_for(self, photo_type: PhotoType) -> Sequence[Enhancement]:
        """The enhancements chosen for all photos of the type."""
        exterior = photo_type is PhotoType.EXTERIOR
        return self.exterior_enhancements if exterior else self.interior_enhancements

    @property
    def choices(self) -> PresetContent:
        """The choices that a preset can have."""
        return PresetContent(**{name: getattr(self, name) for name in PresetContent.model_fields})

    def with_choices(self, preset: PresetContent) -> "Content":
        """A copy in which all choices that a preset can have are those of `preset`."""
        return self.model_copy(update={name: getattr(preset, name) for name in PresetContent.model_fields})

    def for_photos(self, kinds: Set[PhotoType]) -> "Content":
        """A copy whose service type fits photos of these types; unchanged if the customer chose a service type or
        there are no photos.

        If public imagery was chosen, it counts as an exterior photo.
        """
        present = {*kinds, *([PhotoType.EXTERIOR] if self.public_imagery else [])}
        if self.service_type is not None or not present:
            return self
        service = ServiceType.BOTH if len(present) > 1 else ServiceType(present.pop().value)
        return self.model_copy(update={"service_type": service})

    def advertised(self, fields: Mapping[str, Any]) -> "Content":
        """A copy with these fields of the address and of the rules. If they describe another property, the copy
        lacks the ids by which programs recognize the first property.
        """
        moved = self.model_copy(update=dict(fields))
        if slug(moved.address) == slug(self.address):
            return moved
        return moved.model_copy(update={"external_id": None, "metadata": None})

    def with_address(self, line: str) -> "Content":
        """A copy with this address, split into its fields by address_lines.split()."""
        lines = split(line)
        return self.model_copy(
            update={
                "street": lines.street,
                "city": lines.city,
                "region": lines.region,
                "postcode": lines.postcode,
            }
        )


@dataclass(frozen=True, slots=True)
class DraftedFrame:
    """One of the frames that become one photo."""

    id: str
    file_name: str
    storage_key: str


@dataclass(frozen=True, slots=True)
class DraftedPhoto:
    """One uploaded photo of a draft, with what the rules need.

    `frames`: all files of a photo that has several; the photo has the `id`, `file_name` and `storage_key` of the
    first one, and `group_id` is the id that all of them share. Until a photo `is_sorted`, its type is not known.
    """

    id: str
    type: PhotoType
    file_name: str
    storage_key: str
    edit_request: EditRequest
    frames: tuple[DraftedFrame, ...] = ()
    group_id: str | None = None
    is_sorted: bool = True

    @property
    def storage_keys(self) -> tuple[str, ...]:
        """The storage keys of all its files."""
        return tuple(frame.storage_key for frame in self.frames) or (self.storage_key,)

    def with_storage_keys(self, keys: Mapping[str, str]) -> "DraftedPhoto":
        """A copy with other storage keys; `keys`: present key -> new key, for all its files."""
        frames = tuple(replace(frame, storage_key=keys[frame.storage_key]) for frame in self.frames)
        return replace(self, storage_key=keys[self.storage_key], frames=frames)


@dataclass(frozen=True, slots=True)
class DraftOrder:
    """A whole draft: its content, its photos in order, and its reference pictures (id -> storage key).

    `imagery`: whether a source of public imagery is configured.
    """

    session_id: str
    content: Content
    photos: Sequence[DraftedPhoto]
    references: Mapping[str, str]
    imagery: bool

    def photos_of(self, photo_type: PhotoType) -> list[DraftedPhoto]:
        """The sorted photos of the type; none if the order does not cover the type, although the draft
        keeps them.
        """
        sorted_photos = (photo for photo in self.photos if photo.is_sorted and self.content.covers(photo_type))
        return [photo for photo in sorted_photos if photo.type is photo_type]

    def photo_of_file(self, photo_type: PhotoType, place: int) -> DraftedPhoto:
        """The photo to which the file at this place in the order's list of files belongs."""
        return [photo for photo in self.photos_of(photo_type) for _ in photo.frames or (photo,)][place]

    @property
    def from_imagery(self) -> bool:
        """Whether public imagery replaces exterior photos: it was chosen and is available, and there is no exterior
        photo.
        """
        wanted = self.content.public_imagery and self.content.covers(PhotoType.EXTERIOR)
        return wanted and self.imagery and not self.photos_of(PhotoType.EXTERIOR)

    def edit_request(self, photo: DraftedPhoto) -> EditRequest:
        """The photo's whole edit request: its own choices and, where it has none, the choices for all photos."""
        own = photo.edit_request
        shared = tuple(self.content.enhancements_for(photo.type))
        chosen = replace(own, enhancements=shared if own.enhancements is None else own.enhancements)
        options = own.chosen_options.over(self.content.options).only_for(chosen.steps)
        return replace(chosen, options=options, staging=self._staging(chosen))

    def _staging(self, chosen: EditRequest) -> Staging | None:
        """The staging of the photo's room, in the style chosen for all rooms unless the photo has its own."""
        style = self.content.staging_style
        if style is None or Enhancement.STAGING not in chosen.steps:
            return chosen.staging
        own = chosen.staging or Staging()
        return Staging(style=own.style or style, room_type=own.room_type)

    def priced(self) -> list[PricedPhoto]:
        """The photos, and public imagery, with everything that the price depends on."""
        imagery = EditRequest(enhancements=self.content.exterior_enhancements)
        every = (photo for photo_type in PhotoType for photo in self.photos_of(photo_type))
        return [
            *([PricedPhoto(PhotoType.EXTERIOR, imagery)] if self.from_imagery else []),
            *(PricedPhoto(each.type, self.edit_request(each)) for each in every),
        ]

    def with_edit_request(self, photo_id: str, edit_request: EditRequest) -> "DraftOrder":
        """A copy with another edit request for one photo, to calculate its price."""
        photos = [
            replace(photo, edit_request=edit_request) if photo.id == photo_id else photo for photo in self.photos
        ]
        return replace(self, photos=photos)


LimitedText = Annotated[Text, StringConstraints(max_length=4000)]


class TypedChange(BaseModel):
    """One change to a room as it was typed, within generous limits of length."""

    change_type: ChangeType | None = None
    change_description: LimitedText = ""
    reference_text: LimitedText | None = None
    reference_images: Annotated[tuple[str, ...], Field(max_length=MAX_REFERENCE_IMAGES)] = ()

    @property
    def change(self) -> RenovationChange:
        """The change as a part of an edit request."""
        return RenovationChange(**dict(self))


class TypedEditRequest(BaseModel):
    """The choices for one photo as they were typed; they may be incomplete."""

    enhancements: Chosen | None = None
    staging: Staging | None = None
    changes: Annotated[tuple[TypedChange, ...], Field(max_length=MAX_CHANGES)] = ()
    options: EffectOptions | None = None

    @property
    def edit_request(self) -> EditRequest:
        """The choices as an edit request, as it is stored."""
        changes = tuple(each.change for each in self.changes)
        return EditRequest(self.enhancements, self.staging, changes, self.options)


Model = TypeVar("Model", bound=BaseModel)


def read(model: type[Model], data: Mapping[str, Any]) -> Model:
    """The data of a form as an instance of the model. Raises InvalidFields with a fault for each field of a wrong
    type or length.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, model).values()) from None


def keep_known(model: type[StrEnum], names: Iterable[str]) -> list[str]:
    """The names that are values of the enum, each once, in the order of the enum."""
    given = set(names)
    return [each.value for each in model if each.value in given]
