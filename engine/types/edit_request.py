"""The edit request of one photo, in the form that drafts, orders, prices, the database and the engine share."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from engine.types.enhancements import (
    ChangeType,
    Enhancement,
    RoomType,
    Style,
    WorkSize,
    in_pipeline_order,
    work_size_of,
)
from engine.types.hints import SceneHints
from engine.types.options import (
    NO_OPTIONS,
    OPTIONS,
    Brightness,
    DuskKind,
    EffectOptions,
    LawnLook,
    Privacy,
    SkyKind,
    Verticals,
    drop_empty,
)

MAX_CHANGES = 20
"""Renovation changes of one photo."""
MAX_REFERENCE_IMAGES = 4
"""Reference pictures of one change."""
ENHANCEMENTS_BY_HINT: Mapping[str, frozenset[Enhancement]] = {
    "things": frozenset({Enhancement.DECLUTTER, Enhancement.FURNITURE_REMOVAL}),
    "placements": frozenset({Enhancement.STAGING}),
    "clear": frozenset({Enhancement.STAGING}),
}
"""The enhancements that use a part of hints; parts that are not listed are for all enhancements."""
USUAL_STYLE, USUAL_ROOM = Style.MODERN, RoomType.OTHER
"""The style and room that are used where nothing else was chosen."""


@dataclass(frozen=True, slots=True)
class Staging:
    """The choices for furnishing the room; EditRequest has the values for choices that were not made."""

    style: Style | None = None
    room_type: RoomType | None = None


@dataclass(frozen=True, slots=True)
class RenovationChange:
    """One change to a room, with a reference in words or in pictures.

    `reference_images` are keys of stored files; in a draft, the ids of its reference pictures.
    """

    change_type: ChangeType | None = None
    change_description: str = ""
    reference_text: str | None = None
    reference_images: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "reference_text", self.reference_text or None)

    @property
    def type(self) -> ChangeType:
        """The part of the room to change; OTHER where nothing is chosen yet, which is possible only in a draft."""
        return self.change_type or ChangeType.OTHER

    @property
    def reference_image_count(self) -> int:
        """The number of pictures that the change refers to."""
        return len(self.reference_images)


@dataclass(frozen=True, slots=True)
class EditRequest:
    """The work to do on one photo. Parts may be missing: the rules of an order decide whether they are needed.

    `enhancements` are None only in a draft: then the photo has the list that is chosen for all photos of its type.
    `staging`, `options` and `hints` are None where there are none.
    """

    enhancements: tuple[Enhancement, ...] | None = None
    staging: Staging | None = None
    changes: tuple[RenovationChange, ...] = ()
    options: EffectOptions | None = None
    hints: SceneHints | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "staging", None if self.staging == Staging() else self.staging)
        object.__setattr__(self, "options", drop_empty(self.options))
        object.__setattr__(self, "hints", None if self.hints is None or self.hints.is_empty else self.hints)

    @property
    def steps(self) -> list[Enhancement]:
        """The enhancements in the order in which they are applied."""
        return in_pipeline_order(self.enhancements or ())

    def keep(self, steps: Sequence[Enhancement]) -> "EditRequest":
        """Reduce the request to these steps and the choices for them.

        Parameters
        ----------
        steps : Sequence of Enhancement
            The enhancements of the new request.

        Returns
        -------
        EditRequest
            The request without staging, changes and options of other enhancements.
        """
        return EditRequest(
            enhancements=tuple(steps),
            staging=self.staging if Enhancement.STAGING in steps else None,
            changes=self.changes if Enhancement.RENOVATION in steps else (),
            options=self.chosen_options.only_for(steps),
            hints=self.hints,
        )

    @property
    def work_size(self) -> WorkSize:
        """Whether the work on the photo takes seconds or most of a minute."""
        return work_size_of(self.enhancements or ())

    @property
    def style(self) -> Style:
        """The style to furnish in."""
        return (self.staging and self.staging.style) or USUAL_STYLE

    @property
    def room_type(self) -> RoomType:
        """The room to furnish as."""
        return (self.staging and self.staging.room_type) or USUAL_ROOM

    @property
    def chosen_options(self) -> EffectOptions:
        """The chosen options; all None where none was chosen."""
        return self.options or NO_OPTIONS

    def options_of(self, step: Enhancement) -> EffectOptions | None:
        """Return the options of one step; options for every enhancement belong to the last step alone.

        Parameters
        ----------
        step : Enhancement
            One of the request's steps.

        Returns
        -------
        EffectOptions or None
            None where nothing was chosen.
        """
        found = self.chosen_options.only_for([step])
        if found is None or step is self.steps[-1]:
            return found
        shared = {each.name for each in OPTIONS if each.is_for_all}
        own = {name: value for name, value in found.chosen.items() if name not in shared}
        return drop_empty(EffectOptions.of(own))

    @property
    def sky(self) -> SkyKind:
        """The sky that replaces an overcast one."""
        return self.chosen_options.sky or SkyKind.LIGHT_CLOUDS

    @property
    def dusk(self) -> DuskKind:
        """How far the dusk has come."""
        return self.chosen_options.dusk or DuskKind.EARLY

    @property
    def lawn(self) -> LawnLook:
        """How green a lawn becomes."""
        return self.chosen_options.lawn or LawnLook.NATURAL

    @property
    def brightness(self) -> Brightness:
        """How light a room becomes."""
        return self.chosen_options.brightness or Brightness.AS_IS

    @property
    def verticals(self) -> Verticals:
        """Whether the picture is turned so that walls stand upright."""
        return self.chosen_options.verticals or Verticals.AS_SHOT

    @property
    def privacy(self) -> Privacy:
        """Whether faces and number plates are blurred."""
        return self.chosen_options.privacy or Privacy.AS_SHOT

    @property
    def mark(self) -> str:
        """A fingerprint of the request (16 hexadecimal digits), by which a page detects a change."""
        text = json.dumps(asdict(self), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
