"""The engine for a folder of photos: `python -m engine PHOTO… --steps STEP,STEP --out DIR`."""

import signal
import sys
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import Any, NoReturn

import click

from engine.batch.arguments import BatchRequest, parse_change, parse_steps
from engine.batch.files import NothingFound, find_photos
from engine.batch.listing import list_effects
from engine.batch.report import ReportLine
from engine.batch.run import run_batch
from engine.batch.verify import VerifyRequest, verify_files, write_json, write_text
from engine.types.edit_request import USUAL_ROOM, USUAL_STYLE, RenovationChange, Staging
from engine.types.enhancements import Enhancement, RoomType, Style

INTERRUPTED = 130
_ENDED = "A process was ended from outside, perhaps for want of memory; what is written is whole. Try fewer --jobs."

_FOLDER = click.Path(file_okay=False, path_type=Path)


def _list(context: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(list_effects())
        context.exit()


def _steps(_context: click.Context, _option: click.Parameter, text: str | None) -> Sequence[Enhancement]:
    return [] if text is None else parse_steps(text)


def _changes(
    _context: click.Context, _option: click.Parameter, texts: Sequence[str]
) -> tuple[RenovationChange, ...]:
    return tuple(parse_change(text) for text in texts)


def _one_of(choices: type[Style | RoomType]) -> click.Choice[str]:
    # Given an enumeration, click takes the names, in capitals; documented and listed are the values.
    return click.Choice([each.value for each in choices])


@click.command(name="python -m engine")
@click.argument("photos", metavar="PHOTO…", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--steps", metavar="STEP,STEP", callback=_steps, help="What the photos are to become; see --list.")
@click.option(
    "--out", metavar="DIR", type=_FOLDER, help="Where results go, as NAME.jpg, .png or .webp; needed with --steps."
)
@click.option(
    "--masks", metavar="DIR", type=_FOLDER, help="Where masks go, as NAME.STEP.png: 255 where a step works fully."
)
@click.option(
    "--surfaces",
    metavar="DIR",
    type=_FOLDER,
    help="Where a room's surfaces go, as NAME.SURFACE.png, with its NAME.camera.json; needs no --steps.",
)
@click.option(
    "--report",
    metavar="FILE.json",
    type=click.Path(dir_okay=False, path_type=Path),
    help="What was measured on each photo, as JSON.",
)
@click.option(
    "--jobs", metavar="N", type=click.IntRange(1), default=1, show_default=True, help="Photos worked at a time."
)
@click.option(
    "--brackets", is_flag=True, help="The files are frames of one photo: exposures, or with and without flash."
)
@click.option(
    "--seed", metavar="TEXT", help="The order's chance: another text, other clouds. Made of the photos if left out."
)
@click.option("--style", type=_one_of(Style), default=USUAL_STYLE.value, help="For virtual_staging.")
@click.option("--room", type=_one_of(RoomType), default=USUAL_ROOM.value, help="For virtual_staging.")
@click.option(
    "--change",
    "changes",
    metavar="TYPE=WORDS",
    multiple=True,
    callback=_changes,
    help="For virtual_renovation, as often as needed: 'floor=light oak herringbone'.",
)
@click.option(
    "--verify",
    is_flag=True,
    help="Compare two files, an original and its altered picture; with --steps: what is said to be altered.",
)
@click.option(
    "--sha256",
    "published",
    nargs=2,
    metavar="ORIGINAL ALTERED",
    help="With --verify: the digests as published, to say whether these are those files.",
)
@click.option("--json", "as_json", is_flag=True, help="With --verify: the finding as JSON.")
@click.option(
    "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="Show the steps and end."
)
def command(
    style: Style, room: RoomType, verify: bool, published: tuple[str, str] | None, as_json: bool, **given: Any
) -> None:
    """Enhance photos, files or folders of them. Those of one run are one order: they share sky, light and white.

    Where steps for houses and for rooms are named together, each photo gets those for what it shows.
    Photos are only read. A result that fails its checks is written as NAME.rejected.EXT. What an earlier run
    wrote under the same name is replaced.

    Ends with 0 when every photo came out well; 1 when one could not be read, had nothing to work on or failed its
    checks; 2 for arguments that make no sense; 130 when interrupted.

    With --verify ORIGINAL ALTERED nothing is enhanced: it ends with 0 when nothing but the changed regions differs
    beyond the limits, with 1 when more does or the two cannot be compared.
    """
    if verify:
        _verify(VerifyRequest.of(given["photos"], given["steps"], published), as_json)
    if published or as_json:
        raise click.UsageError("--sha256 and --json go with --verify.")
    asked = BatchRequest(staging=Staging(style=Style(style), room_type=RoomType(room)), **given)
    paths = _found(asked.photos)
    asked.check(paths)
    _finish(_lines(asked, paths))


def _verify(asked: VerifyRequest, as_json: bool) -> NoReturn:
    found = verify_files(asked)
    click.echo(write_json(found) if as_json else write_text(found))
    sys.exit(0 if found.passed else 1)


def _found(places: Sequence[Path]) -> list[Path]:
    try:
        return find_photos(places)
    except NothingFound as error:
        raise click.UsageError(f"{error}.") from error


def _lines(asked: BatchRequest, paths: Sequence[Path]) -> list[ReportLine]:
    # Being ended politely is to leave as little behind as an interrupt.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run_batch(asked, paths)
    except BrokenExecutor as error:
        raise click.ClickException(_ENDED) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or 'Writing'}: {error.strerror}") from error
    except KeyboardInterrupt:
        click.echo("Interrupted; what is written is whole.", err=True)
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGTERM, before)


def _finish(lines: Sequence[ReportLine]) -> None:
    for line in lines:
        for remark in line.remarks:
            click.echo(remark, err=True)
    good = sum(line.report.passed for line in lines)
    click.echo(f"{good} of {len(lines)} photos done")
    sys.exit(0 if good == len(lines) else 1)


if __name__ == "__main__":
    command()
