"""Receives an order with its photos in one multipart request; files are streamed to the store as they arrive."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Annotated, Any

from flask import request
from pydantic import ConfigDict, Field

from app.api.v1.presets import find_preset
from app.domain import limits
from app.domain.api_types import WireModel
from app.domain.catalog import ServiceType
from app.domain.errors import InvalidFields, TooLarge, UnsupportedMedia
from app.domain.field_errors import Fault, FaultCode, Faults, Location, suggest
from app.domain.fields import Address
from app.domain.metadata import SAMPLE_EXTERNAL_ID, SAMPLE_METADATA
from app.domain.order_files import MAX_FILES, MAX_PHOTOS
from app.domain.order_rules import read_order
from app.domain.orders import PlaceOrder
from app.services.uploads import uploads
from app.services.uploads.quotas import Reservation
from app.web.bodies import parse
from app.web.context import container
from app.web.form_parts import FilePart, FormPart, parts
from engine.types.enhancements import Enhancement, PhotoType

PHOTO_NAME = re.compile(r"(exterior|interior)Photo(0|[1-9][0-9]{0,2})")
PLAIN_FIELDS = ("address", "serviceType", "presetId", "externalId", "callbackUrl")
JSON_FIELDS = (
    "exteriorEnhancements",
    "interiorEnhancements",
    "photoConfigs",
    "renovations",
    "virtualStaging",
    "listing",
    "options",
    "metadata",
)
GROUP_FIELDS = {f"{photo_type}Groups": photo_type for photo_type in PhotoType}
TEXT_FIELDS = (*PLAIN_FIELDS, *JSON_FIELDS, *GROUP_FIELDS)
MAX_ORDER_BYTES = (2 * MAX_FILES + limits.MAX_REFERENCE_PARTS) * limits.MAX_FILE_BYTES
GroupsText = Annotated[
    str, Field(description="JSON text: lists of the numbers of photo fields that are frames of one photo.")
]
FileContent = Annotated[str, Field(json_schema_extra={"format": "binary"})]


def _describe_json(field: str) -> str:
    return f"JSON text: what `{field}` is in POST /orders/from-uploads."


class MultipartOrder(WireModel):
    """The fields of a form. Photos are files named `exteriorPhoto0`, `exteriorPhoto1` and so on, and
    `interiorPhoto0`, `interiorPhoto1` and so on; a file with another name is one that `referenceImages` names.
    """

    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, FileContent]

    address: Address = Field(description="Of the property.")
    service_type: ServiceType = Field(
        description="Which photos come with the order.", examples=[ServiceType.EXTERIOR]
    )
    exterior_enhancements: str = Field(
        default="", description=_describe_json("exteriorEnhancements"), examples=[f'["{Enhancement.SKY}"]']
    )
    interior_enhancements: str = Field(default="", description=_describe_json("interiorEnhancements"))
    photo_configs: str = Field(default="", description=_describe_json("photoConfigs"))
    renovations: str = Field(default="", description=_describe_json("renovations"))
    virtual_staging: str = Field(default="", description=_describe_json("virtualStaging"))
    listing: str = Field(default="", description=_describe_json("listing"))
    exterior_groups: GroupsText = ""
    interior_groups: GroupsText = ""
    options: str = Field(default="", description=_describe_json("options"))
    preset_id: str = Field(default="", description="A preset of yours, see GET /presets.")
    external_id: str = Field(default="", description="Your own id of the order.", examples=[SAMPLE_EXTERNAL_ID])
    callback_url: str = Field(default="", description="Where this order's events are sent.")
    metadata: str = Field(
        default="", description=_describe_json("metadata"), examples=[json.dumps(SAMPLE_METADATA)]
    )
    exterior_photo0: FileContent = Field(
        default="", alias="exteriorPhoto0", description="The first exterior photo; the next is `exteriorPhoto1`."
    )
    interior_photo0: FileContent = Field(
        default="", alias="interiorPhoto0", description="The first interior photo; the next is `interiorPhoto1`."
    )


@contextmanager
def receive_order(account_id: str) -> Iterator[tuple[PlaceOrder, "MultipartForm"]]:
    """Receive the request and store its files. Yields the order and the form.

    If an exception is raised, here or in the caller's `with` block, the files are deleted.

    Raises InvalidFields with the form's own field names, TooLarge and UnsupportedMedia with the part's name,
    OpenSessionsExceeded, and UploadQuotaExceeded (before the files arrive, if the length of the body is known).
    """
    here = container()
    with here.database.unit_of_work() as session:
        # The session is committed before the first byte is stored, so that the sweep finds the files after a crash.
        upload_session = uploads.open_session(session, account_id, here.upload_quota, here.clock())
        reservation = Reservation(here.database, upload_session.id, here.upload_quota)
        reservation.reserve(session, request.content_length or 0)
    try:
        form = MultipartForm(upload_session.id, reservation)
        for part in parts(request):
            form.take(part)
        with here.database.unit_of_work() as session:
            uploads.set_counts(session, upload_session.id, *(len(form.photos[each]) for each in form.counted))
            reservation.keep(session)
        with _rename_fault_fields():
            yield form.order(), form
    except BaseException:
        with here.database.unit_of_work() as session:
            if uploads.forget(session, upload_session.id):
                here.storage.delete_prefix(uploads.prefix(upload_session.id))
        raise


class MultipartForm:
    """Collects the fields and files of the form as they arrive, part by part.

    `content` is the same for equal forms even if their multipart boundaries differ. `digests`: the SHA-256 of each
    stored file, by storage key.
    """

    counted = (PhotoType.INTERIOR, PhotoType.EXTERIOR)

    def __init__(self, session_id: str, reservation: Reservation) -> None:
        self.session_id, self.reservation = session_id, reservation
        self.fields: dict[str, Any] = {}
        self.photos: dict[PhotoType, dict[int, dict[str, str]]] = {each: {} for each in PhotoType}
        self.references: dict[str, str] = {}
        self.faults = Faults()
        self.content: dict[str, Any] = {}
        self.digests: dict[str, str] = {}

    def take(self, part: FormPart | FilePart) -> None:
        """Take one part: keep the text of a field, or store a file at once."""
        if isinstance(part, FormPart):
            self.content[part.name] = part.text
        if isinstance(part, FilePart):
            self._take_file(part)
        elif part.name in self.fields:
            self._add_fault(part.name, FaultCode.GIVEN_TWICE)
        elif part.name in PLAIN_FIELDS:
            self.fields[part.name] = part.text
        elif part.name in (*JSON_FIELDS, *GROUP_FIELDS):
            self._take_json(part)
        elif PHOTO_NAME.fullmatch(part.name):
            self._add_fault(part.name, FaultCode.MUST_BE_FILE)
        else:
            self._add_fault(part.name, FaultCode.UNKNOWN_FIELD, meant=suggest(part.name, TEXT_FIELDS))

    def _add_fault(self, name: str, code: FaultCode, **params: Any) -> None:
        where: Location = (name[:100],)
        self.faults[where] = Fault(where, code, params)

    def order(self) -> PlaceOrder:
        """The order. Call it after all parts were taken. Raises InvalidFields with all faults of the form."""
        fields = {name: value for name, value in self.fields.items() if name not in GROUP_FIELDS}
        data: dict[str, Any] = {**fields, "uploadSessionId": self.session_id}
        for photo_type, photos in self.photos.items():
            groups = self._read_groups(photo_type)
            if f"{photo_type}Groups" not in self.fields:
                self._drop_beyond(photo_type, photos)
            missing = set(range(len(photos))) - photos.keys()
            for index in missing:
                self.faults.add(Fault((f"{photo_type}Photo{index}",), FaultCode.MISSING_PART))
            data[f"{photo_type}Files"] = [photos[index] | groups.get(index, {}) for index in sorted(photos)]
        self._resolve_references(data.get("renovations"))
        return self._read(data)

    def _drop_beyond(self, photo_type: PhotoType, photos: dict[int, dict[str, str]]) -> None:
        """Drop photos beyond MAX_PHOTOS, with a fault for each. Without groups, each file is a photo."""
        for index in [each for each in photos if each >= MAX_PHOTOS]:
            self._add_too_many(photo_type, index)
            del photos[index]

    def _add_too_many(self, photo_type: PhotoType, index: int) -> None:
        name = f"{photo_type}Photo{index}"
        self._add_fault(name, FaultCode.TOO_MANY_PHOTOS, limit=MAX_PHOTOS, photo_type=photo_type)

    def _read_groups(self, photo_type: PhotoType) -> dict[int, dict[str, str]]:
        """Number of a file's photo field -> its group, for files that are grouped."""
        name, found = f"{photo_type}Groups", dict[int, dict[str, str]]()
        groups = self.fields.get(name, [])
        if not isinstance(groups, list):
            self._add_fault(name, FaultCode.NOT_LIST)
            return found
        for number, group in enumerate(groups[:MAX_FILES]):
            if not isinstance(group, list):
                self.faults.add(Fault((name, number), FaultCode.NOT_LIST))
                continue
            for place, index in enumerate(group[:MAX_FILES]):
                fault = self._check_index(photo_type, index, found)
                if fault is not None:
                    self.faults.add(Fault((name, number, place), fault, {"photo_type": photo_type, "index": index}))
                else:
                    found[index] = {"group": str(number)}
        return found

    def _check_index(self, photo_type: PhotoType, index: Any, found: Mapping[int, Any]) -> FaultCode | None:
        if not isinstance(index, int) or isinstance(index, bool):
            return FaultCode.NOT_WHOLE
        if index not in self.photos[photo_type]:
            return FaultCode.NO_SUCH_PHOTO
        return FaultCode.REPEATED if index in found else None

    def _read(self, data: dict[str, Any]) -> PlaceOrder:
        try:
            readable = {k: v for k, v in data.items() if (k,) not in self.faults}
            preset = find_preset(readable, self.content)
            order = read_order(readable, container().imagery is not None, preset)
        except InvalidFields as refusal:
            raise InvalidFields([*refusal.faults, *self.faults.values()]) from None
        if self.faults:
            raise InvalidFields(self.faults.values())
        return order

    def _take_json(self, part: FormPart) -> None:
        try:
            self.fields[part.name] = parse(part.text, part.name)
        except InvalidFields as refusal:
            self.faults.update({fault.where: fault for fault in refusal.faults})

    def _take_file(self, part: FilePart) -> None:
        name = PHOTO_NAME.fullmatch(part.name)
        if name is None:
            self._take_reference(part)
            return
        photo_type, index = PhotoType(name[1]), int(name[2])
        if index >= MAX_FILES:
            self._add_too_many(photo_type, index)
        elif index in self.photos[photo_type]:
            self._add_fault(part.name, FaultCode.GIVEN_TWICE)
        else:
            key = f"{uploads.prefix(self.session_id)}{photo_type}-{index}"
            self._store(part, key)
            file = {"filePath": key, "fileName": part.file_name[-500:]}
            self.photos[photo_type][index] = {k: v for k, v in file.items() if v}

    def _take_reference(self, part: FilePart) -> None:
        if part.name in TEXT_FIELDS:
            self._add_fault(part.name, FaultCode.MUST_BE_TEXT)
            return
        if part.name in self.references:
            self._add_fault(part.name, FaultCode.GIVEN_TWICE)
            return
        if len(self.references) >= limits.MAX_REFERENCE_PARTS:
            raise TooLarge(f"An order takes at most {limits.MAX_REFERENCE_PARTS} reference images.")
        key = f"{uploads.prefix(self.session_id)}reference-{len(self.references)}"
        self._store(part, key)
        self.references[part.name] = key

    def _store(self, part: FilePart, key: str) -> None:
        digest = sha256()
        try:
            with uploads.PhotoUpload(container().storage, key, self.reservation, partial=True) as reception:
                for chunk in part.chunks:
                    reception.take(chunk)
                    digest.update(chunk)
                reception.end()
            self.content[part.name] = [part.file_name, digest.hexdigest()]
            self.digests[key] = digest.hexdigest()
        except (TooLarge, UnsupportedMedia) as refusal:
            refusal.details = refusal.details or {part.name: refusal.message}
            raise

    def _resolve_references(self, renovations: Any) -> None:
        """Replace part names of reference images by storage keys; other texts are checked with the order."""
        used: set[str] = set()
        for entry in _list_entries(renovations):
            images = entry.get("referenceImages")
            if isinstance(images, list):
                used.update(image for image in images if isinstance(image, str))
                entry["referenceImages"] = [
                    self.references.get(image, image) if isinstance(image, str) else image for image in images
                ]
        for name in self.references.keys() - used:
            known = [f"{photo_type}Photo0" for photo_type in PhotoType]
            self._add_fault(name, FaultCode.UNKNOWN_FIELD, meant=suggest(name, known))


def _list_entries(renovations: Any) -> Iterator[dict[str, Any]]:
    if isinstance(renovations, dict):
        for entries in renovations.values():
            if isinstance(entries, list):
                yield from (entry for entry in entries if isinstance(entry, dict))


@contextmanager
def _rename_fault_fields() -> Iterator[None]:
    """Rename the fields in faults to the form's own names: `interiorFiles[2].filePath` becomes `interiorPhoto2`."""
    try:
        yield
    except InvalidFields as refusal:
        raise InvalidFields(replace(fault, where=_form_field_name(fault)) for fault in refusal.faults) from None


def _form_field_name(fault: Fault) -> Location:
    match fault.where:
        case ("exteriorFiles" | "interiorFiles" as field,) if fault.code is FaultCode.TOO_MANY_PHOTOS:
            return (f"{field.removesuffix('Files')}Photo{MAX_PHOTOS}",)
        case ("exteriorFiles" | "interiorFiles" as field, int(), "group"):
            return (f"{field.removesuffix('Files')}Groups",)
        case ("exteriorFiles" | "interiorFiles" as field,):
            return (f"{field.removesuffix('Files')}Photo0",)
        case ("exteriorFiles" | "interiorFiles" as field, int(index)) | (
            "exteriorFiles" | "interiorFiles" as field,
            int(index),
            str(),
        ):
            return (f"{field.removesuffix('Files')}Photo{index}",)
    return fault.where
