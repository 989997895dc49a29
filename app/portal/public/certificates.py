"""The certificate of a published picture: plain sentences, each about figures of its quality report."""

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.models import PublicPicture
from app.portal.figures import format_number, format_percent
from app.services.photos import public_pages
from engine.types.figures import FigureCode
from engine.types.report import Figure

COLOR = (FigureCode.OUTSIDE_DIFFERENCE, FigureCode.OUTSIDE_DIFFERENCE_P99)
SHAPES = (FigureCode.EDGE_DISPLACEMENT, FigureCode.WORST_SHAPE_LOSS, FigureCode.WORST_SHAPE_CHANGE)
ROOM = (FigureCode.ROOM_EDGE_DISPLACEMENT, FigureCode.ROOM_EDGE_LOSS)


@dataclass(frozen=True, slots=True)
class Certificate:
    """The measurements outside the altered parts of one picture, and a command by which anybody can verify them.

    `sentences`: about checks that passed; `doubts`: about those that failed, although a person approved the
    picture. `command` is empty until there is a public copy of the original.
    """

    sentences: tuple[str, ...]
    doubts: tuple[str, ...]
    command: str


def certify(picture: PublicPicture) -> Certificate:
    """The certificate of a published picture."""
    found = {FigureCode(each.code): each for each in picture.report.figures if each.code in list(FigureCode)}
    sentences = list(_sentences(found))
    return Certificate(
        tuple(words for words, holds in sentences if holds),
        tuple(words for words, holds in sentences if not holds),
        _write_command(picture),
    )


def file_name(picture: PublicPicture, which: str) -> str:
    """The file name under which the full-size `original` or `altered` picture is saved."""
    key = public_pages.original_key(picture) if which == "original" else picture.altered_key
    return f"picture-{picture.number}-{which}.{key.rpartition('.')[2] if '.' in key else 'jpg'}"


def _write_command(picture: PublicPicture) -> str:
    digests = picture.copy_sha256, picture.altered_sha256
    if digests[0] is None or digests[1] is None:
        return ""
    files = file_name(picture, "original"), file_name(picture, "altered")
    steps = ",".join(picture.enhancements)
    words = ("python", "-m", "engine", "--verify", *files, "--steps", steps, "--sha256", *map(str, digests))
    return shlex.join(words)


def _sentences(found: Mapping[FigureCode, Figure]) -> Iterator[tuple[str, bool]]:
    """A sentence for each property that was measured, and whether it passed."""
    yield from _describe_colors(found)
    yield from _describe_shapes(found)
    yield from _describe_openings(found)


def _passed(found: Mapping[FigureCode, Figure], codes: tuple[FigureCode, ...]) -> bool | None:
    """Whether all measured figures with one of these codes passed; None if none was measured."""
    measured = [found[code] for code in codes if code in found]
    return all(each.passed for each in measured) if measured else None


def _describe_colors(found: Mapping[FigureCode, Figure]) -> Iterator[tuple[str, bool]]:
    mean, most = (found.get(code) for code in COLOR)
    if mean is None or mean.maximum is None:
        if SHAPES[0] in found:
            yield "The light of the whole picture changed: shapes were compared, colors were not.", True
        return
    holds = mean.passed and (most is None or most.passed)
    worst = f", and by {format_number(most.value)} in the worst hundredth" if most is not None else ""
    differ = f"Outside the altered areas, colors differ by {format_number(mean.value)} on average{worst}"
    yield f"{differ} (CIEDE2000; 1 is just noticeable).", holds


def _describe_shapes(found: Mapping[FigureCode, Figure]) -> Iterator[tuple[str, bool]]:
    holds = _passed(found, (*SHAPES, *ROOM))
    if holds is None or SHAPES[0] not in found:
        return
    share = format_percent(max(0.0, min(1.0, found[SHAPES[0]].value)))
    if holds:
        yield f"Walls and the edges of the building or room are where they were (agreement {share}).", True
    else:
        yield f"Edges of the building or room are not all where they were (agreement {share}).", False


def _describe_openings(found: Mapping[FigureCode, Figure]) -> Iterator[tuple[str, bool]]:
    added, moved = found.get(FigureCode.NEW_OPENINGS), found.get(FigureCode.OPENING_DISPLACEMENT)
    if added is None or moved is None:
        return
    if added.passed and moved.passed:
        yield (
            f"No door or window was added, and none moved (by {format_percent(moved.value)} of the width at most).",
            True,
        )
    else:
        yield "A door or window was added or moved.", False
