"""Forecasts: what workers found that each ordered step, or each change of a renovation, would do to a photo."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.domain.left_out import Unlikely
from engine.types.enhancements import Enhancement
from engine.types.outlook import HintPart, Prospect


@dataclass(frozen=True, slots=True)
class Forecast:
    """The forecast of one effect on a photo. `message`: why it would be declined; `hint`: the part of hints that
    would help. `change`: the index of the one change of a renovation that the forecast is about, if its other
    changes can be done. `unsure`: the effect can be done, but the engine may have misread what `message` describes.
    """

    enhancement: Enhancement
    prospect: Prospect
    message: str
    hint: HintPart | None = None
    change: int | None = None
    unsure: bool = False


def read(steps: Iterable[Mapping[str, Any]]) -> Sequence[Forecast]:
    """The forecasts in the `steps` of an outlook, as stored."""
    return [each for step in steps for each in _read_step(step)]


def list_doubtful(forecasts: Iterable[Forecast]) -> Sequence[Forecast]:
    """The forecasts of what would be declined with the hints given so far."""
    return [each for each in forecasts if each.prospect is not Prospect.LIKELY]


def find_unlikely(forecasts: Iterable[Forecast]) -> Unlikely:
    """What would be declined of the photo with these forecasts."""
    doubtful = list_doubtful(forecasts)
    return Unlikely(
        steps=frozenset(each.enhancement for each in doubtful if each.change is None),
        changes=frozenset(each.change for each in doubtful if each.change is not None),
    )


def _read_step(step: Mapping[str, Any]) -> Iterator[Forecast]:
    """The forecast of the step and, for a renovation that can be done in part, the forecasts of its doubtful
    changes.
    """
    effect = Enhancement(step["enhancement"])
    yield (whole := _read_forecast(effect, step))
    for change in step.get("changes") or () if whole.prospect is Prospect.LIKELY else ():
        found = _read_forecast(effect, change)
        if found.prospect is not Prospect.LIKELY:
            message = f"{change['type'].capitalize()}: {found.message}"
            yield replace(found, message=message, change=change["index"])


def _read_forecast(effect: Enhancement, found: Mapping[str, Any]) -> Forecast:
    hint = HintPart(found["hint"]) if found.get("hint") else None
    unsure = bool(found.get("unsure"))
    return Forecast(effect, Prospect(found["prospect"]), found.get("message") or "", hint, unsure=unsure)
