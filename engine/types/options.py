"""The options of photos: kinds of sky and dusk, how green a lawn, how light a room, upright verticals, privacy."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from engine.types.enhancements import Enhancement


class SkyKind(StrEnum):
    """The sky that replaces an overcast one."""

    CLEAR = "clear"
    LIGHT_CLOUDS = "light_clouds"
    WARM = "warm"


class DuskKind(StrEnum):
    """How far the dusk has come."""

    EARLY = "early"
    DEEP = "deep"


class LawnLook(StrEnum):
    """How green a lawn becomes."""

    SUBTLE = "subtle"
    NATURAL = "natural"
    LUSH = "lush"


class Brightness(StrEnum):
    """How light a room becomes."""

    DARKER = "darker"
    AS_IS = "as_is"
    BRIGHTER = "brighter"


class Verticals(StrEnum):
    """Whether a picture is turned so that walls stand upright."""

    AS_SHOT = "as_shot"
    STRAIGHT = "straight"


class Privacy(StrEnum):
    """Whether faces and number plates can be recognized."""

    AS_SHOT = "as_shot"
    BLURRED = "blurred"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of an option as it is offered."""

    label: str
    effect: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option of effects.

    `name` is its field in EffectOptions, `enhancements` are the effects it is for, `usual` is its default, and
    `choices` are its values in the order in which they are offered.
    """

    name: str
    label: str
    enhancements: tuple[Enhancement, ...]
    usual: StrEnum
    choices: Mapping[StrEnum, Choice]

    @property
    def is_for_all(self) -> bool:
        """Whether the option is for every enhancement."""
        return set(self.enhancements) == set(Enhancement)

    def is_for(self, steps: Iterable[Enhancement]) -> bool:
        """Whether the option is for one of these enhancements.

        Parameters
        ----------
        steps : iterable of Enhancement
            The enhancements of one photo.

        Returns
        -------
        bool
            False where there are none.
        """
        return any(each in self.enhancements for each in steps)


OPTIONS: tuple[Option, ...] = (
    Option(
        "lawn",
        "Lawn",
        (Enhancement.GRASS,),
        LawnLook.NATURAL,
        {
            LawnLook.SUBTLE: Choice("Subtle", "Dry patches go half-way to green."),
            LawnLook.NATURAL: Choice("Natural", "Green as after good rain."),
            LawnLook.LUSH: Choice("Lush", "The full green of a well kept lawn."),
        },
    ),
    Option(
        "sky",
        "Sky",
        (Enhancement.SKY,),
        SkyKind.LIGHT_CLOUDS,
        {
            SkyKind.CLEAR: Choice("Clear", "Blue, with thin veils of cloud at most."),
            SkyKind.LIGHT_CLOUDS: Choice("Light clouds", "Blue with a few fair-weather clouds."),
            SkyKind.WARM: Choice("Warm", "The softer blue of an afternoon, warm towards the horizon."),
        },
    ),
    Option(
        "dusk",
        "Dusk",
        (Enhancement.TWILIGHT,),
        DuskKind.EARLY,
        {
            DuskKind.EARLY: Choice("Early", "Just after sunset: a lighter sky, the house still well seen."),
            DuskKind.DEEP: Choice("Deep", "The blue hour: a deep blue sky, windows stand out."),
        },
    ),
    Option(
        "brightness",
        "Brightness",
        (Enhancement.HDR, Enhancement.FLAMBIENT),
        Brightness.AS_IS,
        {
            Brightness.DARKER: Choice("Darker", "Moodier: the room keeps more of its shade."),
            Brightness.AS_IS: Choice("As we do it", "As light as the room's white walls ask for."),
            Brightness.BRIGHTER: Choice("Brighter", "Airier: walls nearly white."),
        },
    ),
    Option(
        "verticals",
        "Verticals",
        tuple(Enhancement),
        Verticals.AS_SHOT,
        {
            Verticals.AS_SHOT: Choice("As shot", "The camera's view stays."),
            Verticals.STRAIGHT: Choice(
                "Straight", "Walls stand upright and lines are straight; a little is cropped at the edges."
            ),
        },
    ),
    Option(
        "privacy",
        "Faces and number plates",
        tuple(Enhancement),
        Privacy.AS_SHOT,
        {
            Privacy.AS_SHOT: Choice("As shot", "People and cars stay as they are."),
            Privacy.BLURRED: Choice(
                "Blurred",
                "Faces that we find are blurred for good, portraits on walls too. Many number plates are missed: "
                "look at cars, and show us what else to blur.",
            ),
        },
    ),
)
"""Every option, in the order of the pipeline. Exteriors have no brightness option: no effect sets their exposure,
and golden hour and twilight choose their own exposure.
"""


@dataclass(frozen=True, slots=True)
class EffectOptions:
    """The options that were chosen; absent ones keep the usual look."""

    __pydantic_config__: ClassVar[Mapping[str, object]] = {
        "title": "OptionsAnswer",
        "use_attribute_docstrings": True,
    }

    sky: SkyKind | None = None
    """For sky_enhancement."""
    dusk: DuskKind | None = None
    """For twilight_conversion."""
    lawn: LawnLook | None = None
    """For grass_enhancement."""
    brightness: Brightness | None = None
    """For hdr_enhancement and flambient_enhancement."""
    verticals: Verticals | None = None
    """For every enhancement."""
    privacy: Privacy | None = None
    """For every enhancement."""

    @property
    def chosen(self) -> Mapping[str, StrEnum]:
        """The chosen values by the option's name."""
        return {each.name: value for each in OPTIONS if (value := getattr(self, each.name)) is not None}

    @classmethod
    def of(cls, chosen: Mapping[str, str]) -> "EffectOptions":
        """Make the options from values by their names.

        Parameters
        ----------
        chosen : Mapping of str to str
            Values by the option's name; other names are ignored.

        Returns
        -------
        EffectOptions
            The options; those without a value are None.

        Raises
        ------
        ValueError
            For a value that its option does not have.
        """
        kinds: Mapping[str, Any] = {each.name: type(each.usual) for each in OPTIONS if each.name in chosen}
        return cls(**{name: kind(chosen[name]) for name, kind in kinds.items()})

    def over(self, others: "EffectOptions | None") -> "EffectOptions":
        """Fill the options that were not chosen from others.

        Parameters
        ----------
        others : EffectOptions or None
            Options that count only where these have no value, such as an order's for a photo.

        Returns
        -------
        EffectOptions
            For each option, the value of these options, else that of the others, else None.
        """
        return EffectOptions.of({**(others.chosen if others else {}), **self.chosen})

    def only_for(self, steps: Iterable[Enhancement]) -> "EffectOptions | None":
        """Reduce the options to those for these effects.

        Parameters
        ----------
        steps : iterable of Enhancement
            The effects.

        Returns
        -------
        EffectOptions or None
            None where no option was chosen for them.
        """
        wanted = list(steps)
        mine = {
            each.name: self.chosen[each.name]
            for each in OPTIONS
            if each.name in self.chosen and each.is_for(wanted)
        }
        return EffectOptions.of(mine) if mine else None


NO_OPTIONS = EffectOptions()


def drop_empty(options: EffectOptions | None) -> EffectOptions | None:
    """Replace options by None where none of them was chosen.

    Parameters
    ----------
    options : EffectOptions or None
        None: no options.

    Returns
    -------
    EffectOptions or None
        The same options, or None.
    """
    return options if options and options.chosen else None
