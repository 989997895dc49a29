"""An order as a customer sends it, the same for JSON, multipart and the portal, and its edit requests."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    PrivateAttr,
    StrictBool,
    StrictInt,
    StringConstraints,
    model_validator,
)
from pydantic_core import PydanticCustomError

from app.domain.api_types import Line, Text
from app.domain.catalog import ServiceType
from app.domain.disclosure.listing import (
    JurisdictionId,
    Listing,
    MlsId,
    accept_barred,
    find_jurisdiction,
    find_ordered_disclosures,
)
from app.domain.events import SAMPLE_ADDRESS
from app.domain.field_errors import FaultCode
from app.domain.hint_requests import Hints, limit_hints
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA, ExternalId, Metadata
from app.domain.option_requests import OptionsRequest
from app.domain.order_files import (
    MAX_PHOTOS,
    SAMPLE_SESSION,
    FilePath,
    FileRef,
    Files,
    group_files,
    sample_path,
    whole_number,
)
from app.domain.presets import PresetContent
from app.domain.pricing import PricedPhoto
from app.domain.request_limits import MAX_FIELDS, AtMost, Request
from app.domain.webhooks import UrlText
from engine.types.edit_request import (
    MAX_CHANGES,
    MAX_REFERENCE_IMAGES,
    USUAL_ROOM,
    USUAL_STYLE,
    EditRequest,
    RenovationChange,
    Staging,
)
from engine.types.enhancements import ChangeType, Enhancement, PhotoType, RoomType, Style, in_pipeline_order
from engine.types.options import NO_OPTIONS, EffectOptions

MIN_DESCRIPTION = 10


def _check_address(address: str) -> str:
    if not (any(map(str.isalpha, address)) and any(map(str.isdigit, address))):
        raise PydanticCustomError(FaultCode.NO_PLACE, "must have at least one letter and one digit")
    return address


def _is_none(value: object) -> bool:
    return value is None


Options = Annotated[OptionsRequest, AtMost(MAX_FIELDS)]
Address = Annotated[Line, StringConstraints(min_length=5, max_length=300), AfterValidator(_check_address)]
Words = Annotated[Text, StringConstraints(min_length=1, max_length=2000)]
Description = Annotated[Text, StringConstraints(min_length=MIN_DESCRIPTION, max_length=2000)]
Name = Annotated[Line, StringConstraints(min_length=1, max_length=500)]


class StagingWish(Request):
    """How one interior photo is to be furnished; each field has its own default."""

    style: Style = USUAL_STYLE
    room_type: RoomType = USUAL_ROOM


class RenovationEntry(Request):
    """One change wished for on one interior photo, with a reference in words or in pictures."""

    change_type: ChangeType = Field(description="What to replace.")
    change_description: Description = Field(description="The new look, in your words.")
    reference_type: Literal["text", "image"] | None = Field(
        default=None, description="May be left out: it follows from the reference."
    )
    reference_text: Words | None = Field(default=None, description="A reference in words. Either this or pictures.")
    reference_images: Annotated[list[FilePath], AtMost(MAX_REFERENCE_IMAGES)] | None = Field(
        default=None,
        description="References in pictures: filePaths of the same upload session, or names of file parts.",
    )

    @model_validator(mode="after")
    def _check_reference(self) -> "RenovationEntry":
        given = {"text": bool(self.reference_text), "image": bool(self.reference_images)}
        if sum(given.values()) != 1:
            raise PydanticCustomError(FaultCode.ONE_REFERENCE, "give either words or pictures")
        if self.reference_type and not given[self.reference_type]:
            raise PydanticCustomError(
                FaultCode.OTHER_REFERENCE, "does not fit the reference", {"reference_type": self.reference_type}
            )
        return self

    @property
    def change(self) -> RenovationChange:
        """The change as a part of an edit request."""
        return RenovationChange(
            change_type=self.change_type,
            change_description=self.change_description,
            reference_text=self.reference_text,
            reference_images=tuple(self.reference_images or ()),
        )


class PhotoConfig(Request):
    """Own enhancements or options for one photo, in place of the global ones."""

    photo_type: PhotoType
    enhancements: Annotated[list[Enhancement], AtMost(len(Enhancement))] | None = Field(
        default=None,
        exclude_if=_is_none,
        description="These alone, in place of the list for all photos. Required without `options` and `hints`.",
    )
    photo_index: Annotated[StrictInt, Field(ge=0), BeforeValidator(whole_number)] | None = Field(
        default=None,
        description="Which photo of the type, from 0. Without it the n-th entry of a type is for its n-th photo.",
    )
    options: Options | None = Field(
        default=None,
        exclude_if=_is_none,
        description="For this photo, option by option in place of those for all; each for an effect that it gets.",
    )
    hints: Hints | None = Field(
        default=None,
        exclude_if=_is_none,
        description="What the photo shows, where we might not see it. What is given is believed.",
    )


class ListingRequest(Request):
    """Where the property is advertised: whose rules on altered pictures hold. GET /rules has the ids."""

    jurisdiction: JurisdictionId | None = Field(
        default=None, description="The place whose law applies; left out: the state of the address."
    )
    mls: MlsId | None = Field(default=None, description="The listing service, if there is one.")
    accepts_barred: StrictBool = Field(
        default=False, description="Order barred enhancements all the same; this is kept with the order."
    )

    def for_address(self, address: str | None) -> Listing:
        """The listing of a property with this address."""
        return Listing(jurisdiction=self.jurisdiction or find_jurisdiction(address or ""), mls=self.mls)


Enhancements = Annotated[list[Enhancement], AtMost(len(Enhancement)), Field(default_factory=list)]


Changes = Annotated[list[RenovationEntry], Field(min_length=1), AtMost(MAX_CHANGES)]


class OrderFields(Request):
    """The fields that orders and quotes have in common: all except the photos themselves."""

    service_type: ServiceType = Field(description="Which photos come with the order.", examples=[ServiceType.BOTH])
    exterior_enhancements: Enhancements = Field(
        description="For all exterior photos.", examples=[[Enhancement.SKY, Enhancement.GRASS]]
    )
    interior_enhancements: Enhancements = Field(
        description="For all interior photos.", examples=[[Enhancement.HDR]]
    )
    photo_configs: Annotated[
        list[PhotoConfig], AtMost(4 * MAX_PHOTOS), BeforeValidator(limit_hints), Field(default_factory=list)
    ] = Field(
        description="For single photos, in place of those lists.",
        examples=[[{"photoType": PhotoType.INTERIOR, "photoIndex": 0, "enhancements": [Enhancement.STAGING]}]],
    )
    renovations: Annotated[dict[str, Changes], AtMost(MAX_PHOTOS)] = Field(
        default_factory=dict,
        description="For virtual renovation: by the photo's place among the interior ones, from 0, its changes.",
    )
    virtual_staging: Annotated[dict[str, StagingWish], AtMost(MAX_PHOTOS)] = Field(
        default_factory=dict,
        description="For virtual staging: by the photo's place among the interior ones, from 0, how to furnish it.",
        examples=[{"0": {"style": Style.SCANDINAVIAN, "roomType": RoomType.LIVING_ROOM}}],
    )
    listing: ListingRequest | None = Field(
        default=None,
        description="Where the property is advertised; left out: by the law of the address's state.",
        examples=[{"jurisdiction": "california", "mls": "crmls", "acceptsBarred": True}],
    )
    options: Options | None = Field(default=None, description="Of single effects, for all photos that get them.")
    preset_id: Name | None = Field(
        default=None,
        description="A preset of yours, see GET /presets. It supplies the lists, options and staging style that "
        "this request leaves out.",
    )

    external_id: ExternalId | None = Field(
        default=None,
        description="Your own id of the order; several orders may have the same.",
        examples=[SAMPLE_EXTERNAL_ID],
    )
    metadata: Metadata | None = Field(
        default=None,
        description="Pairs of your own. Answers and events repeat them; we use them for nothing.",
        examples=[SAMPLE_METADATA],
    )

    _preset: PresetContent | None = PrivateAttr(default=None)

    @property
    def preset(self) -> PresetContent | None:
        """The content of the preset named in the order, as it was when the order was read."""
        return self._preset

    def with_preset(self, preset: PresetContent | None) -> Self:
        """A copy with this content of the preset named in the order."""
        order = self.model_copy()
        order._preset = preset
        return order

    def listing_at(self, address: str | None) -> Listing:
        """Where a property with this address is advertised."""
        return (self.listing or ListingRequest()).for_address(address)

    def enhancements_for(self, photo_type: PhotoType) -> list[Enhancement]:
        """The enhancements for all photos of the type: the order's own list, which may be empty, else the
        preset's.
        """
        if self._preset is not None and f"{photo_type}_enhancements" not in self.model_fields_set:
            return list(self._preset.enhancements_for(photo_type))
        return {
            PhotoType.EXTERIOR: self.exterior_enhancements,
            PhotoType.INTERIOR: self.interior_enhancements,
        }[photo_type]

    def count_exteriors(self, given: int) -> int:
        """The count of exterior photos to work on: `given`, or 1 from public imagery if `given` is 0."""
        return given or int(self.service_type.covers(PhotoType.EXTERIOR))

    def config_for(self, photo_type: PhotoType, index: int) -> PhotoConfig | None:
        """The entry of photoConfigs for a photo: found by photoIndex, else by the entry's place among the entries
        of the type.
        """
        return next((entry for place, entry in self.list_configs() if place == (photo_type, index)), None)

    def list_configs(self) -> Iterator[tuple[tuple[PhotoType, int], PhotoConfig]]:
        """The entries of photoConfigs in their order, each with the type and the index of its photo."""
        places = dict.fromkeys(PhotoType, 0)
        for entry in self.photo_configs:
            place = places[entry.photo_type]
            places[entry.photo_type] += 1
            yield (entry.photo_type, place if entry.photo_index is None else entry.photo_index), entry

    def edit_request(self, photo_type: PhotoType, index: int) -> EditRequest:
        """The edit request of one photo: everything in the order that concerns it."""
        config = self.config_for(photo_type, index)
        own = config.enhancements if config else None
        steps = in_pipeline_order(self.enhancements_for(photo_type) if own is None else own)
        inside, key = photo_type is PhotoType.INTERIOR, str(index)
        return EditRequest(
            enhancements=tuple(steps),
            staging=self._staging(key) if inside and Enhancement.STAGING in steps else None,
            changes=tuple(entry.change for entry in self.renovations.get(key, ())) if inside else (),
            options=self._options(config).only_for(steps),
            hints=config.hints if config else None,
        )

    def _staging(self, key: str) -> Staging:
        wish = self.virtual_staging.get(key, StagingWish())
        given = wish.model_fields_set
        preferred = self._preset.staging_style if self._preset and "style" not in given else None
        return Staging(style=preferred or wish.style, room_type=wish.room_type)

    def _options(self, config: PhotoConfig | None) -> EffectOptions:
        """The options for a photo with this entry of photoConfigs: for each option the photo's own value, else the
        order's, else the preset's.
        """
        own = config.options.effect_options if config and config.options else NO_OPTIONS
        order = self.options.effect_options if self.options else NO_OPTIONS
        return own.over(order.over(self._preset.options if self._preset else None))


@dataclass(frozen=True, slots=True)
class OrderPhoto:
    """One photo of an order. `files`: several where the photo has frames, none for public imagery."""

    type: PhotoType
    index: int
    edit_request: EditRequest
    files: tuple[FileRef, ...] = ()

    @property
    def file_name(self) -> str | None:
        """The customer's name for the photo: the name of its first file."""
        return self.files[0].file_name if self.files else None

    @property
    def priced(self) -> PricedPhoto:
        """The photo with what its price depends on."""
        return PricedPhoto(self.type, self.edit_request)


class FiledOrder(OrderFields):
    """An order that names the files of its photos."""

    interior_files: Files = Field(description="The interior photos, as in the order.")
    exterior_files: Files = Field(description="The exterior photos, as in the order.")

    def files(self, photo_type: PhotoType) -> list[FileRef]:
        """The files of one type, in order."""
        return self.exterior_files if photo_type is PhotoType.EXTERIOR else self.interior_files

    def photo_files(self, photo_type: PhotoType) -> list[tuple[FileRef, ...]]:
        """The files of each photo of one type; a photo has the place of its first file."""
        return group_files(self.files(photo_type))

    def count_unnamed(self, photo_type: PhotoType) -> int:
        """How many photos of the type have no named file: one if public imagery is used, else none."""
        return self.count_exteriors(0) if photo_type is PhotoType.EXTERIOR else 0

    def photos(self) -> list[OrderPhoto]:
        """All photos, exterior ones first."""
        files = {each: self.photo_files(each) or [()] * self.count_unnamed(each) for each in PhotoType}
        return [
            OrderPhoto(photo_type, index, self.edit_request(photo_type, index), mine)
            for photo_type in (PhotoType.EXTERIOR, PhotoType.INTERIOR)
            for index, mine in enumerate(files[photo_type])
        ]


class PlaceOrder(FiledOrder):
    """An order for uploaded photos. Public imagery replaces exterior photos where there are none."""

    address: Address = Field(
        description="Of the property: street, city, state, ZIP; at least one letter and one digit.",
        examples=[SAMPLE_ADDRESS],
    )
    upload_session_id: Name = Field(description="From step 1.", examples=[SAMPLE_SESSION])
    callback_url: UrlText | None = Field(
        default=None,
        exclude_if=_is_none,
        description="Gets the events of this order, beside your webhooks, like a webhook without `events`; signed "
        "with the account's callback secret.",
    )
    interior_files: Files = Field(
        description="The interior photos; their order is the photo index, of frames that of the first.",
        examples=[[{"filePath": sample_path(PhotoType.INTERIOR, 0), "fileName": "living.jpg"}]],
    )
    exterior_files: Files = Field(
        description="The exterior photos. None: public imagery of the address, where a source is configured.",
        examples=[[{"filePath": sample_path(PhotoType.EXTERIOR, 0), "fileName": "front.jpg"}]],
    )

    def stored_listing(self) -> Listing:
        """The listing as it is stored with the order: where the property is advertised, the disclosures that are
        required there, the versions of the rules, and the barred enhancements that the order accepts.
        """
        listing, photos = self.listing_at(self.address), self.photos()
        disclosures = find_ordered_disclosures(
            listing, ((each.type, each.index, each.edit_request.steps) for each in photos)
        )
        versions = {rule.id: rule.version for rule in listing.rules}
        listing = listing.model_copy(update={"disclosures": disclosures, "versions": versions})
        if self.listing is None or not self.listing.accepts_barred:
            return listing
        return accept_barred(listing, (each for photo in photos for each in photo.edit_request.steps))

    def digest(self) -> str:
        """A digest that is equal for orders with the same meaning, however their JSON is written."""
        return digest(self)


def digest(model: BaseModel) -> str:
    """The SHA-256, in hex, of the model's canonical JSON without fields that are None, so that new optional fields
    do not change the digests of older models.
    """
    given = {name: value for name, value in model.model_dump(mode="json").items() if value is not None}
    canonical = json.dumps(given, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()
