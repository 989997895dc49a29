"""Hints in orders: the engine's reader checks them and locates each fault; keep_suitable() fits them to a photo."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from app.domain.field_errors import HINT_FAULTS, Fault, FaultCode, Location
from engine.types.edit_request import ENHANCEMENTS_BY_HINT
from engine.types.enhancements import Enhancement, PhotoType, in_pipeline_order
from engine.types.hint_document import (
    DIGEST_PATTERN,
    MAX_CLEAR_AREAS,
    MAX_CORNERS,
    MAX_LINES,
    MAX_PLACEMENTS,
    MAX_POINTS,
    MAX_POLYGONS,
    MAX_PRIVATE_PARTS,
    MAX_THINGS,
    METERS_RANGE,
    HintError,
    HintFault,
    HintFaultCode,
    read_hints,
)
from engine.types.hint_masks import MAX_MASK_BYTES, MAX_MASK_SIDE, MIN_MASK_SIDE, has_shape, read_size
from engine.types.hints import Direction, HintedSurface, Piece, SceneHints, ThingKind

Schema = dict[str, Any]


MAX_ORDER_POINTS, POINTS_OF_MASK = 30_000, 150
"""The maximum number of points in the hints of one order, and the number of points that a mask counts as, because
checking a mask takes as long as checking this many points.
"""


def _object(description: str, required: Iterable[str] = (), **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def _list(items: Schema, max_items: int, description: str, min_items: int = 0) -> Schema:
    return {
        "type": "array",
        "items": items,
        "minItems": min_items,
        "maxItems": max_items,
        "description": description,
    }


_UNIT = {"type": "number", "minimum": 0, "maximum": 1}
_POINT = _list(_UNIT, 2, "x and y, 0 to 1 of the upright picture, from its upper left corner.", 2)
_POLYGON = _list(_POINT, MAX_POINTS, "An outline.", 3)
_ENDS = {"start": _POINT, "end": _POINT}
_METERS = {"type": "number", "minimum": METERS_RANGE[0], "maximum": METERS_RANGE[1]}
_LINE = _object(
    "A straight edge of the room.",
    ("direction", "start", "end"),
    direction={"type": "string", "enum": list(Direction)},
    **_ENDS,
)
_LENGTH = _object("A length that is known.", ("meters", "start", "end"), meters=_METERS, **_ENDS)
_THING = _object(
    "A thing that is to be removed, with its shadow.",
    ("kind", "polygon"),
    kind={"type": "string", "enum": list(ThingKind)},
    polygon=_POLYGON,
)
_PLACEMENT = _object(
    "Where a main piece of furniture is to stand.",
    ("piece", "at"),
    piece={"type": "string", "enum": list(Piece)},
    at={**_POINT, "description": "The middle of its foot on the floor."},
    faces={**_POINT, "description": "A point that it faces."},
)
_DIGEST = {"type": "string", "pattern": f"^{DIGEST_PATTERN}$", "description": "The SHA-256 of its file, in hex."}
_MASK = _object(
    "A mask, in the photo's shape.",
    ("mask",),
    mask={
        "type": "string",
        "contentEncoding": "base64",
        "contentMediaType": "image/png",
        "description": f"A PNG file of at most {MAX_MASK_BYTES // 1024} KB, {MIN_MASK_SIDE}-{MAX_MASK_SIDE} pixels "
        "a side, gray or with a palette, 1 or 8 bits, not interlaced: all but black is the surface.",
    },
)
_SURFACES = {
    "type": "object",
    "description": "By surface all that is visible of it; no outline says that the photo shows none.",
    "propertyNames": {"enum": list(HintedSurface)},
    "maxProperties": len(HintedSurface),
    "additionalProperties": {"anyOf": [_list(_POLYGON, MAX_POLYGONS, "Outlines."), _MASK]},
}
SCHEMA = _object(
    "What a photo shows. Every part may be left out; what is given is believed.",
    photo=_object("The photo that they are for; with any other they are refused.", ("sha256",), sha256=_DIGEST),
    room=_object(
        "Its camera and walls.",
        lines=_list(_LINE, MAX_LINES, "Edges in two directions or more."),
        length=_LENGTH,
        corners=_list(
            _POINT,
            MAX_CORNERS,
            "Corners of the floor from left to right: where walls meet, and the two ends of their visible foot. "
            "None, or two and more; three and more need no lines.",
        ),
    ),
    surfaces=_SURFACES,
    things=_list(_THING, MAX_THINGS, "All that is to be removed."),
    placements=_list(_PLACEMENT, MAX_PLACEMENTS, "Main pieces for virtual_staging."),
    clear=_list(_POLYGON, MAX_CLEAR_AREAS, "Parts of the floor that stay free."),
    private=_list(_POLYGON, MAX_PRIVATE_PARTS, "Parts that are blurred for good."),
)
"""The JSON schema of hints, for the OpenAPI document."""


def read_document(document: object) -> SceneHints:
    """The hints in JSON values. Raises HintError with the first faults, also if a whole number has more digits than
    can be computed with.
    """
    try:
        return read_hints(document)
    except OverflowError:
        too_long = "A number has too many digits; x and y are 0 to 1."
        raise HintError([HintFault((), HintFaultCode.OUTSIDE, too_long)]) from None


def _read(value: Any) -> SceneHints:
    if isinstance(value, SceneHints):
        return value
    try:
        return read_document(value)
    except HintError as error:
        raise PydanticCustomError(HINT_FAULTS, "cannot be used", {"faults": error.faults}) from None


def limit_hints(configs: Any) -> Any:
    """The photoConfigs of an order, unchanged; a fault if their hints together are so long that checking them would
    take seconds.
    """
    hinted = (each.get("hints") for each in configs if isinstance(each, dict)) if isinstance(configs, list) else ()
    if sum(map(_count_points, hinted)) > MAX_ORDER_POINTS:
        raise PydanticCustomError(FaultCode.TOO_MANY_HINTS, "are too long", {"limit": MAX_ORDER_POINTS})
    return configs


def _count_points(hints: Any) -> int:
    """The number of points in a part of hints; a mask counts as POINTS_OF_MASK."""
    if isinstance(hints, dict):
        return sum(map(_count_points, hints.values())) + POINTS_OF_MASK * ("mask" in hints)
    if isinstance(hints, list):
        return max(1, sum(map(_count_points, hints)))
    return 0


Hints = Annotated[SceneHints, BeforeValidator(_read), WithJsonSchema(SCHEMA)]


def find_unsuitable(
    hints: SceneHints, steps: Collection[Enhancement], photo_type: PhotoType, index: int, where: Location
) -> Iterator[Fault]:
    """Find faults of a photo's hints: hints for effects that are not among the photo's steps, and surfaces that
    photos of its type cannot show. `index`: the photo's place among those of its type; `where`: the location of the
    hints.
    """
    for name, enhancements in ENHANCEMENTS_BY_HINT.items():
        if getattr(hints, name) and enhancements.isdisjoint(steps):
            params = {"index": index, "enhancement": " or ".join(in_pipeline_order(enhancements))}
            yield Fault((*where, name), FaultCode.NOT_INCLUDED, params)
    for surface in hints.surfaces:
        if not surface.is_shown_by(photo_type):
            params = {"enhancement": surface, "photo_type": photo_type}
            yield Fault((*where, "surfaces", surface), FaultCode.OTHER_GROUP, params)


@dataclass(frozen=True, slots=True)
class HintedPhoto:
    """What is known about the photo that hints are for: the `digests` of its file or its frames, and its `size`."""

    digests: Sequence[str | None]
    size: tuple[int, int] | None = None


def find_misfits(hints: SceneHints, photo: HintedPhoto, where: Location) -> Iterator[Fault]:
    """Find faults of hints that are for another photo, or have masks of another shape. `where`: the location of the
    hints. Facts about the photo that are unknown cause no fault.
    """
    known = [each for each in photo.digests if each is not None]
    if len(known) == len(photo.digests) and not hints.is_for(known):
        yield Fault((*where, "photo", "sha256"), FaultCode.OTHER_PHOTO, {"sha256": " or ".join(known)})
    for surface, hint in hints.masks.items():
        size = read_size(hint.mask)
        if photo.size is not None and not has_shape(size, photo.size):
            params = {"mask": "{} x {}".format(*size), "photo": "{} x {}".format(*photo.size)}
            yield Fault((*where, "surfaces", surface, "mask"), FaultCode.OTHER_SHAPE, params)


def keep_suitable(hints: SceneHints, steps: Iterable[Enhancement], photo_type: PhotoType) -> SceneHints | None:
    """The hints without parts that no step of the photo uses, and without surfaces that photos of its type cannot
    show; None if nothing is left.
    """
    unused: dict[str, Any] = {name: () for name, each in ENHANCEMENTS_BY_HINT.items() if each.isdisjoint(steps)}
    surfaces = {name: each for name, each in hints.surfaces.items() if name.is_shown_by(photo_type)}
    suitable = replace(hints, surfaces=surfaces, **unused)
    return None if suitable.is_empty else suitable
