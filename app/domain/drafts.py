"""An order that is being filled in: what was said so far, however little, and the edit request of each photo."""

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
from app.domain.presets import Chosen, ChosenOptions, PresetContent
from app.domain.pricing import PricedPhoto
from engine.types.edit_request import MAX_CHANGES, MAX_REFERENCE_IMAGES, EditRequest, RenovationChange, Staging
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, Style
from engine.types.options import EffectOptions


class Step(StrEnum):
    """What an order is filled in with, in order; from the photos on it is all on one page."""

    ADDRESS = "address"
    SERVICE = "service"
    PHOTOS = "photos"
    ENHANCEMENTS = "enhancements"
    REVIEW = "review"


AddressField = Annotated[Line, StringConstraints(max_length=300)]


class Content(BaseModel):
    """What was said of the order as a whole. `region` is the state; the lists are for all photos of their type, the
    options for all that get the effect, the style for all rooms that are staged.

    Whatever is missing may follow. Limits keep out what no person types; an order's rules judge the rest.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    street: AddressField = ""
    city: AddressField = ""
    region: AddressField = ""
    postcode: AddressField = ""
    service_type: ServiceType | None = None
    exterior_enhancements: Chosen = ()
    interior_enhancements: Chosen = ()
    options: ChosenOptions = None
    staging_style: Style | None = None
    jurisdiction: Annotated[str, StringConstraints(max_length=40)] | None = Field(
        default=None, description="The law chosen; None: by the address."
    )
    mls: Annotated[str, StringConstraints(max_length=40)] | None = None
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

    @property
    def choices(self) -> PresetContent:
        """What of it a preset can hold."""
        return PresetContent(**{name: getattr(self, name) for name in PresetContent.model_fields})

    def with_choices(self, preset: PresetContent) -> "Content":
        """The same with the choices of a preset, all of them, in place of its own."""
        return self.model_copy(update={name: getattr(preset, name) for name in PresetContent.model_fields})

    def for_photos(self, kinds: Set[PhotoType]) -> "Content":
        """The same for an order of photos of these types: what is there decides, and where nothing is, the choice.

        Public imagery counts as a photo of the outside where it was chosen for an order that covers that.
        """
        outside = self.public_imagery and self.covers(PhotoType.EXTERIOR)
        there = {*kinds, *([PhotoType.EXTERIOR] if outside else [])}
        if self.service_type is None or not kinds:
            return self
        service = ServiceType.BOTH if len(there) > 1 else ServiceType(there.pop().value)
        return self.model_copy(update={"service_type": service})

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


@dataclass(frozen=True, slots=True)
class DraftedFrame:
    """One of the files that become one photo."""

    id: str
    file_name: str
    storage_key: str


@dataclass(frozen=True, slots=True)
class DraftedPhoto:
    """One uploaded photo of a draft as the rules see it. `frames`: its files, the first one among them, where they
    are more than one, and `group_id` is then what they have in common.
    """

    id: str
    type: PhotoType
    file_name: str
    storage_key: str
    edit_request: EditRequest
    frames: tuple[DraftedFrame, ...] = ()
    group_id: str | None = None

    @property
    def storage_keys(self) -> tuple[str, ...]:
        """Where its files lie."""
        return tuple(frame.storage_key for frame in self.frames) or (self.storage_key,)

    def at(self, keys: Mapping[str, str]) -> "DraftedPhoto":
        """The same with its files elsewhere; `keys`: where each lies now -> where it lies then."""
        frames = tuple(replace(frame, storage_key=keys[frame.storage_key]) for frame in self.frames)
        return replace(self, storage_key=keys[self.storage_key], frames=frames)


@dataclass(frozen=True, slots=True)
class DraftOrder:
    """A whole draft: what was said, its photos in their order, and its reference pictures (id -> storage key).

    `imagery`: whether there is a source of public imagery.
    """

    session_id: str
    content: Content
    photos: Sequence[DraftedPhoto]
    references: Mapping[str, str]
    imagery: bool

    def photos_of(self, photo_type: PhotoType) -> list[DraftedPhoto]:
        """The photos of the type that the order takes; those it does not cover stay in the draft."""
        return [photo for photo in self.photos if photo.type is photo_type and self.content.covers(photo_type)]

    def photo_of_file(self, photo_type: PhotoType, place: int) -> DraftedPhoto:
        """The photo that the file at this place of the order's list is of."""
        return [photo for photo in self.photos_of(photo_type) for _ in photo.frames or (photo,)][place]

    @property
    def from_imagery(self) -> bool:
        """Whether public imagery stands in for exterior photos: chosen, possible, and none uploaded."""
        wanted = self.content.public_imagery and self.content.covers(PhotoType.EXTERIOR)
        return wanted and self.imagery and not self.photos_of(PhotoType.EXTERIOR)

    def edit_request(self, photo: DraftedPhoto) -> EditRequest:
        """What is to happen to the photo, with what was said for all where it has nothing of its own."""
        own = photo.edit_request
        shared = tuple(self.content.enhancements_for(photo.type))
        chosen = replace(own, enhancements=shared if own.enhancements is None else own.enhancements)
        options = own.chosen_options.over(self.content.options).only_for(chosen.steps)
        return replace(chosen, options=options, staging=self._staging(chosen))

    def _staging(self, chosen: EditRequest) -> Staging | None:
        """How the photo's room is furnished: in the style for all, unless it has its own."""
        style = self.content.staging_style
        if style is None or Enhancement.STAGING not in chosen.steps:
            return chosen.staging
        own = chosen.staging or Staging()
        return Staging(style=own.style or style, room_type=own.room_type)

    def priced(self) -> list[PricedPhoto]:
        """What the price depends on, complete or not."""
        outside = [EditRequest(enhancements=self.content.exterior_enhancements)] * self.from_imagery
        every = (photo for photo_type in PhotoType for photo in self.photos_of(photo_type))
        return [
            *(PricedPhoto(PhotoType.EXTERIOR, edit_request) for edit_request in outside),
            *(PricedPhoto(each.type, self.edit_request(each)) for each in every),
        ]

    def with_edit_request(self, photo_id: str, edit_request: EditRequest) -> "DraftOrder":
        """The same with another edit request for one photo, to see what it would cost."""
        photos = [
            replace(photo, edit_request=edit_request) if photo.id == photo_id else photo for photo in self.photos
        ]
        return replace(self, photos=photos)


LimitedText = Annotated[Text, StringConstraints(max_length=4000)]


class TypedChange(BaseModel):
    """One change to a room as it was typed: as long as a person may type."""

    change_type: ChangeType | None = None
    change_description: LimitedText = ""
    reference_text: LimitedText | None = None
    reference_images: Annotated[tuple[str, ...], Field(max_length=MAX_REFERENCE_IMAGES)] = ()

    @property
    def change(self) -> RenovationChange:
        """The same as a part of an edit request."""
        return RenovationChange(**dict(self))


class TypedEditRequest(BaseModel):
    """What was said of one photo, however little."""

    enhancements: Chosen | None = None
    staging: Staging | None = None
    changes: Annotated[tuple[TypedChange, ...], Field(max_length=MAX_CHANGES)] = ()
    options: EffectOptions | None = None

    @property
    def edit_request(self) -> EditRequest:
        """The same as it is kept."""
        changes = tuple(each.change for each in self.changes)
        return EditRequest(self.enhancements, self.staging, changes, self.options)


Model = TypeVar("Model", bound=BaseModel)


def read(model: type[Model], data: Mapping[str, Any]) -> Model:
    """What was typed or ticked, as far as it has a form. Raises InvalidFields naming the fields that have none."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, model).values()) from None


def keep_known(model: type[StrEnum], names: Iterable[str]) -> list[str]:
    """The names that are values of the kind, each once, in the kind's own order."""
    given = set(names)
    return [each.value for each in model if each.value in given]
