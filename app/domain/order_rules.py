"""The rules between the fields of an order, and the functions that read orders and report all faults at once."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from typing import Any, TypeVar

from pydantic import ValidationError, create_model

from app.domain.catalog import ENTRIES
from app.domain.disclosure.listing import find_barred
from app.domain.errors import InvalidFields
from app.domain.field_errors import MAX_FAULTS, Fault, FaultCode, Faults, Location, shape_faults
from app.domain.hint_requests import find_unsuitable
from app.domain.order_files import MAX_FILES, MAX_PHOTOS, UploadRequest
from app.domain.orders import FiledOrder, OrderFields, PhotoConfig, PlaceOrder
from app.domain.presets import PresetContent
from app.domain.quote_requests import QuoteRequest
from app.domain.region_requests import RegionsRequest
from engine.types.enhancements import Enhancement, PhotoType
from engine.types.options import OPTIONS
from engine.types.photo_limits import MAX_FRAMES

Found = Iterator[Fault]
Model = TypeVar("Model", bound=OrderFields)


@dataclass(frozen=True, slots=True)
class Reading:
    """An order while it is checked: the `order` as far as it could be read, the `counts` of its photos, and the
    top-level fields that could not be read (`unread`).
    """

    order: OrderFields
    counts: Mapping[PhotoType, int]
    unread: frozenset[str]

    def has_read(self, *fields: str) -> bool:
        """Whether all these fields could be read, so that rules about them can be checked."""
        return self.unread.isdisjoint(fields)


def read_order(data: Mapping[str, Any], imagery: bool, preset: PresetContent | None = None) -> PlaceOrder:
    """The order in the data.

    `imagery`: whether public imagery replaces exterior photos that are not given. `preset`: the content of the
    preset named in the data, None if none is named or it does not exist. Raises InvalidFields with all faults,
    located in the fields of the request.
    """
    counts = {each: _count_photos(data.get(f"{each}Files")) for each in PhotoType}
    return _read(PlaceOrder, data, _Context(counts, imagery, "Files", preset))


def read_quote(data: Mapping[str, Any], imagery: bool, preset: PresetContent | None = None) -> QuoteRequest:
    """The order to be priced, in the data. Raises InvalidFields like read_order()."""
    named = {each: _count_photos(data.get(f"{each}Files")) for each in PhotoType}
    counts = {each: named[each] or _read_count(data.get(f"{each}Count")) for each in PhotoType}
    suffix = "Files" if any(named.values()) else "Count"
    return _read(QuoteRequest, data, _Context(counts, imagery, suffix, preset))


def read_regions_request(data: Mapping[str, Any], preset: PresetContent | None = None) -> RegionsRequest:
    """The one photo in the data, with what is to happen to it. Raises InvalidFields like read_order(), also where
    there are several photos.
    """
    counts = {each: _count_photos(data.get(f"{each}Files")) for each in PhotoType}
    wanted = _read(RegionsRequest, data, _Context(counts, False, "Files", preset))
    if sum(counts.values()) > 1:
        crowded = next(each for each in PhotoType if counts[each])
        params = {"limit": 1, "photo_type": crowded}
        raise InvalidFields([Fault((f"{crowded}Files",), FaultCode.TOO_MANY_PHOTOS, params)])
    return wanted


def read_upload_request(data: Mapping[str, Any]) -> UploadRequest:
    """The request for upload URLs in the data. Raises InvalidFields, also when it asks for no URL at all, or for
    more photos of one type than an order may have.
    """
    try:
        request = UploadRequest.model_validate(data)
    except ValidationError as error:
        raise InvalidFields(shape_faults(error, UploadRequest).values()) from None
    counts = {PhotoType.INTERIOR: request.interior_count, PhotoType.EXTERIOR: request.exterior_count}
    for place, file in enumerate(request.files):
        counts[file.type] += 1
        if counts[file.type] > MAX_PHOTOS:
            params = {"limit": MAX_PHOTOS, "photo_type": file.type}
            raise InvalidFields([Fault(("files", place), FaultCode.TOO_MANY_PHOTOS, params)])
    if not any(counts.values()):
        raise InvalidFields([Fault(("interiorCount",), FaultCode.NO_COUNT)])
    return request


def _count_photos(files: Any) -> int:
    """The number of photos in a list of files, where the files of one group are one photo. The files may have
    faults.
    """
    if not isinstance(files, list):
        return 0
    if len(files) > MAX_FILES:
        return MAX_PHOTOS
    group_names = (file.get("group") if isinstance(file, dict) else None for file in files)
    lines = (" ".join(each.split()) for each in group_names if isinstance(each, str))
    groups = [line for line in lines if line]
    return len(files) - len(groups) + len(set(groups))


def _read_count(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and 0 <= value <= MAX_PHOTOS else 0


@dataclass(frozen=True, slots=True)
class _Context:
    """What is needed to read an order: the number of photos of each type, whether public imagery is available, the
    ending of the fields about photos (`field_suffix`: "Files" or "Count"), and the preset.
    """

    counts: Mapping[PhotoType, int]
    imagery: bool
    field_suffix: str
    preset: PresetContent | None


def _read(model: type[Model], data: Mapping[str, Any], context: _Context) -> Model:
    given = {key: value for key, value in data.items() if value is not None}
    try:
        order, faults = model.model_validate(given), Faults()
        unread = frozenset[str]()
    except ValidationError as error:
        faults = shape_faults(error, model)
        unread = frozenset(str(fault["loc"][0]) for fault in error.errors() if fault["loc"])
        order = _lenient(model).model_validate({k: v for k, v in given.items() if k not in unread})
    if order.preset_id is not None and context.preset is None:
        faults.add(Fault(("presetId",), FaultCode.NO_PRESET))
        unread |= {"presetId"}
    if "presetId" in unread:
        # Lists that are left out might be in the preset that was not found, so they are not reported as missing.
        unread |= {field for each in PhotoType if (field := f"{each}Enhancements") not in given}
    order = order.with_preset(context.preset)
    reading = Reading(order, context.counts, unread)
    if context.imagery and reading.has_read("serviceType"):
        exteriors = order.count_exteriors(context.counts[PhotoType.EXTERIOR])
        reading = replace(reading, counts={**context.counts, PhotoType.EXTERIOR: exteriors})
    for rule in (*_RULES, _make_service_rule(context.field_suffix)):
        for fault in islice(rule(reading), MAX_FAULTS):
            faults.add(fault)
    if faults:
        raise InvalidFields(faults.values())
    return order


@cache
def _lenient(model: type[Model]) -> type[Model]:
    """Make a copy of the model in which no field is required, to check the readable fields of a faulty order."""
    required = {name: field for name, field in model.model_fields.items() if field.is_required()}
    fields: dict[str, Any] = {name: (field.annotation | None, None) for name, field in required.items()}  # type: ignore[operator]
    return create_model(f"Lenient{model.__name__}", __base__=model, **fields)


def _check_global_lists(reading: Reading) -> Found:
    for group in PhotoType:
        yield from find_list_faults((f"{group}Enhancements",), reading.order.enhancements_for(group), group)


def find_list_faults(where: Location, enhancements: Sequence[Enhancement], group: PhotoType) -> Found:
    """The faults of a list of enhancements at location `where`, for photos of type `group`."""
    for place, each in enumerate(enhancements):
        if ENTRIES[each].group is not group:
            yield Fault((*where, place), FaultCode.OTHER_GROUP, {"enhancement": each, "photo_type": group})
        elif each in enhancements[:place]:
            yield Fault((*where, place), FaultCode.LISTED_TWICE, {"name": each})


def _check_photo_configs(reading: Reading) -> Found:
    seen: set[tuple[PhotoType, int]] = set()
    for number, ((group, index), entry) in enumerate(reading.order.list_configs()):
        where: Location = ("photoConfigs", number)
        where_index = where if entry.photo_index is None else (*where, "photoIndex")
        photo = {"photo_type": group, "index": index}
        if index >= reading.counts[group]:
            yield Fault(where_index, FaultCode.NO_SUCH_PHOTO, photo)
        if (group, index) in seen:
            yield Fault(where_index, FaultCode.CONFIGURED_TWICE, photo)
        seen.add((group, index))
        yield from _check_own_list(where, entry)
        if index < reading.counts[group] and reading.has_read(f"{group}Enhancements"):
            steps = reading.order.edit_request(group, index).steps
            yield from _check_own_options(where, entry, steps, index)
            if entry.hints is not None:
                yield from find_unsuitable(entry.hints, steps, group, index, (*where, "hints"))


def _check_own_list(where: Location, entry: PhotoConfig) -> Found:
    if entry.enhancements is None:
        if not (entry.options and entry.options.effect_options.chosen) and entry.hints is None:
            yield Fault((*where, "enhancements"), FaultCode.REQUIRED)
        return
    if not entry.enhancements:
        yield Fault((*where, "enhancements"), FaultCode.NOTHING_CHOSEN)
    yield from find_list_faults((*where, "enhancements"), entry.enhancements, entry.photo_type)


def _check_own_options(where: Location, entry: PhotoConfig, steps: Sequence[Enhancement], index: int) -> Found:
    """Find faults in a photo's own options: options for effects that the photo does not get. Options for all photos
    may be unused.
    """
    for option in OPTIONS:
        if entry.options and option.name in entry.options.effect_options.chosen and not option.is_for(steps):
            params = {"index": index, "enhancement": " or ".join(option.enhancements)}
            yield Fault((*where, "options", option.name), FaultCode.NOT_INCLUDED, params)


def _check_all_enhanced(reading: Reading) -> Found:
    for group in PhotoType:
        field = f"{group}Enhancements"
        if not reading.has_read(field, "photoConfigs"):
            continue
        for index in range(reading.counts[group]):
            config = reading.order.config_for(group, index)
            shared = config is None or config.enhancements is None
            if shared and not reading.order.enhancements_for(group):
                yield Fault((field,), FaultCode.NO_ENHANCEMENT, {"photo_type": group, "index": index})
                break


def _check_keys(reading: Reading, field: str, keys: list[str], enhancement: Enhancement) -> Found:
    indexes = {str(index): index for index in range(reading.counts[PhotoType.INTERIOR])}
    for key in keys:
        index = indexes.get(key)
        if index is None:
            yield Fault((field, key[:50]), FaultCode.NO_INTERIOR_INDEX)
        elif (
            reading.has_read("interiorEnhancements", "photoConfigs")
            and enhancement not in reading.order.edit_request(PhotoType.INTERIOR, index).steps
        ):
            yield Fault((field, key), FaultCode.NOT_INCLUDED, {"index": index, "enhancement": enhancement})


def _check_staging(reading: Reading) -> Found:
    yield from _check_keys(reading, "virtualStaging", [*reading.order.virtual_staging], Enhancement.STAGING)


def _check_renovations(reading: Reading) -> Found:
    order = reading.order
    yield from _check_keys(reading, "renovations", [*order.renovations], Enhancement.RENOVATION)
    if not reading.has_read("interiorEnhancements", "photoConfigs", "renovations"):
        return
    for index in range(reading.counts[PhotoType.INTERIOR]):
        edit_request = order.edit_request(PhotoType.INTERIOR, index)
        if Enhancement.RENOVATION in edit_request.steps and not edit_request.changes:
            params = {"enhancement": Enhancement.RENOVATION}
            yield Fault(("renovations", str(index)), FaultCode.NO_CHANGES, params)


def _check_files_differ(reading: Reading) -> Found:
    if not isinstance(reading.order, FiledOrder):
        return
    seen: dict[str, Location] = {}
    for group in PhotoType:
        for place, file in enumerate(reading.order.files(group)):
            where = (f"{group}Files", place, "filePath")
            if file.file_path in seen:
                yield Fault(where, FaultCode.SAME_FILE, {"other": seen[file.file_path]})
            seen.setdefault(file.file_path, where)


def _check_frames(reading: Reading) -> Found:
    if not isinstance(reading.order, FiledOrder):
        return
    for photo_type in PhotoType:
        field, photos = f"{photo_type}Files", reading.order.photo_files(photo_type)
        if len(photos) > MAX_PHOTOS:
            params = {"limit": MAX_PHOTOS, "photo_type": photo_type}
            yield Fault((field,), FaultCode.TOO_MANY_PHOTOS, params)
        beyond = {file.file_path for photo in photos for file in photo[MAX_FRAMES:]}
        for place, file in enumerate(reading.order.files(photo_type)):
            if file.file_path in beyond:
                yield Fault((field, place, "group"), FaultCode.TOO_MANY_FRAMES, {"limit": MAX_FRAMES})


def _check_named_or_counted(reading: Reading) -> Found:
    """Find faults of a quote that names files without their upload session, or that also counts photos."""
    order = reading.order
    if not isinstance(order, QuoteRequest) or not order.has_files:
        return
    if order.upload_session_id is None and reading.has_read("uploadSessionId"):
        yield Fault(("uploadSessionId",), FaultCode.REQUIRED)
    for group in PhotoType:
        if order.files(group) and order.count(group):
            yield Fault((f"{group}Count",), FaultCode.ALSO_NAMED, {"field": f"{group}Files"})


def _check_barred(reading: Reading) -> Found:
    """Find the fault of an order that has enhancements which its jurisdiction or listing service bars, and does not
    accept that.
    """
    order = reading.order
    if not isinstance(order, PlaceOrder) or order.listing is None or order.listing.accepts_barred:
        return
    if reading.has_read("address", "listing", "photoConfigs", *(f"{group}Enhancements" for group in PhotoType)):
        steps = [
            each
            for group, count in reading.counts.items()
            for index in range(count)
            for each in order.edit_request(group, index).steps
        ]
        if found := find_barred(order.listing_at(order.address), steps):
            rules = list(dict.fromkeys(rule.name for rule, _ in found))
            enhancements = list(dict.fromkeys(each for _, each in found))
            params = {"rule": " and ".join(rules), "enhancements": enhancements}
            yield Fault(("listing", "acceptsBarred"), FaultCode.BARRED, params)


def _make_service_rule(field_suffix: str) -> Callable[[Reading], Found]:
    def rule(reading: Reading) -> Found:
        fields = {group: f"{group}{field_suffix}" for group in PhotoType}
        if not reading.has_read("serviceType"):
            return
        service = reading.order.service_type
        for group, field in fields.items():
            count = reading.counts[group]
            params = {"service_type": service, "photo_type": group}
            if count and not service.covers(group):
                yield Fault((field,), FaultCode.NOT_COVERED, params)
            if not count and service.covers(group) and reading.has_read(field):
                inside = group is PhotoType.INTERIOR
                yield Fault((field,), FaultCode.NO_PHOTOS if inside else FaultCode.NO_IMAGERY, params)

    return rule


_RULES: tuple[Callable[[Reading], Found], ...] = (
    _check_global_lists,
    _check_photo_configs,
    _check_all_enhanced,
    _check_staging,
    _check_renovations,
    _check_files_differ,
    _check_frames,
    _check_named_or_counted,
    _check_barred,
)
