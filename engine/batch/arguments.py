"""The arguments of the command line, parsed and checked."""

import base64
import json
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import BinaryIO

from engine.io.hinted_photo import require_hinted_photo
from engine.types.edit_request import ENHANCEMENTS_BY_HINT, USUAL_ROOM, USUAL_STYLE, RenovationChange, Staging
from engine.types.enhancements import (
    ENHANCEMENTS,
    ChangeType,
    Enhancement,
    RoomType,
    Style,
    in_pipeline_order,
)
from engine.types.hint_document import HintError, read_hints
from engine.types.hint_masks import MAX_MASK_BYTES
from engine.types.hints import SceneHints
from engine.types.pictures import UnusablePhotoError

_USAGE = "python -m engine PHOTO… --steps STEP,STEP --out DIR [options]"
_ABOUT = """\
Enhance photos, files or folders of them. Those of one run are one order: they share sky, light and white.

Where steps for houses and for rooms are named together, each photo gets those for what it shows.
Photos are only read. A result that fails its checks is written as NAME.rejected.EXT. What an earlier run
wrote under the same name is replaced.

Ends with 0 when every photo came out well; 1 when one could not be read, had nothing to work on or failed its
checks; 2 for arguments that make no sense; 130 when interrupted.

With --verify ORIGINAL ALTERED nothing is enhanced: it ends with 0 when nothing but the changed regions differs
beyond the limits, with 1 when more does or the two cannot be compared.
"""


class UsageError(Exception):
    """Arguments that do not fit together; the text says why."""


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """The arguments. Without `seed`, one is derived from the photos; without `out`, only surfaces are written."""

    photos: Sequence[Path]
    steps: Sequence[Enhancement]
    out: Path | None
    masks: Path | None
    surfaces: Path | None
    report: Path | None
    jobs: int
    brackets: bool
    seed: str | None
    staging: Staging = field(default_factory=Staging)
    changes: tuple[RenovationChange, ...] = ()
    hints: SceneHints | None = None

    @classmethod
    def of(cls, given: Namespace) -> "BatchRequest":
        """The request in the arguments.

        Parameters
        ----------
        given : Namespace
            From the parser of `make_parser`.

        Returns
        -------
        BatchRequest
            Not yet checked.
        """
        names = ("photos", "steps", "out", "masks", "surfaces", "report", "jobs", "brackets", "seed")
        staging = Staging(style=Style(given.style), room_type=RoomType(given.room))
        rest = {"staging": staging, "changes": tuple(given.changes), "hints": given.hints}
        return cls(**{name: getattr(given, name) for name in names}, **rest)

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse arguments that would do nothing or would overwrite the photos.

        Parameters
        ----------
        paths : Sequence of Path
            The photos that were found.

        Raises
        ------
        UsageError
            With a message that names the first argument at fault.
        """
        if not self.steps and not self.brackets and self.surfaces is None:
            raise UsageError("Missing option '--steps': which steps? --list shows them.")
        if self.out is None and self.with_results:
            raise UsageError("Missing option '--out': where do results go?")
        if (Enhancement.RENOVATION in self.steps) != bool(self.changes):
            raise UsageError("virtual_renovation and --change TYPE=WORDS go together.")
        if self.brackets and len(paths) < 2:
            raise UsageError("--brackets needs two or more files, the frames of one photo.")
        if self.hints is not None and len(paths) > 1 and not self.brackets:
            raise UsageError("--hints says what one photo shows; name that photo alone.")
        self._check_hints_are_used()
        try:
            # A photo that cannot be read is reported by the run.
            with suppress(OSError):
                require_hinted_photo(self.hints, [partial(_open, path) for path in paths])
        except UnusablePhotoError as error:
            raise UsageError(f"--hints: {error.message}") from error
        folders = {path.resolve().parent for path in paths}
        for option, folder in (("--out", self.out), ("--masks", self.masks), ("--surfaces", self.surfaces)):
            if folder is not None and folder.resolve() in folders:
                raise UsageError(f"{option}: the photos themselves are in {folder}; name another folder.")
        if self.report is not None and self.report.resolve() in {path.resolve() for path in paths}:
            raise UsageError(f"--report: {self.report} is one of the photos; name another file.")

    def _check_hints_are_used(self) -> None:
        for name, users in ENHANCEMENTS_BY_HINT.items():
            if self.steps and getattr(self.hints, name, ()) and users.isdisjoint(self.steps):
                raise UsageError(
                    f"--hints: {name} are for {' or '.join(in_pipeline_order(users))}; leave them out."
                )
        groups = {ENHANCEMENTS[each].group for each in self.steps}
        for surface in self.hints.surfaces if self.hints and self.steps else ():
            if not any(surface.is_shown_by(each) for each in groups):
                raise UsageError(
                    f"--hints: {surface} is not for {' or '.join(sorted(groups))} photos; leave it out."
                )

    @property
    def with_results(self) -> bool:
        """Whether photos are written; False if only surfaces were asked for."""
        return bool(self.steps) or self.brackets


def make_parser() -> ArgumentParser:
    """The parser of the command line.

    Returns
    -------
    ArgumentParser
        It ends the process with status 2 for invalid arguments.
    """
    parser = ArgumentParser(
        "python -m engine", usage=_USAGE, description=_ABOUT, formatter_class=RawDescriptionHelpFormatter
    )
    parser.add_argument("photos", metavar="PHOTO", nargs="*", type=_existing, help="Files, or folders of them.")
    _add_batch_options(parser)
    _add_hint_option(parser)
    _add_effect_options(parser)
    _add_verify_options(parser)
    parser.add_argument("--list", action="store_true", help="Show the steps and end.")
    return parser


def _add_batch_options(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("--steps", metavar="STEP,STEP", default=(), type=parse_steps, help="What photos become; see --list.")
    add("--out", metavar="DIR", type=_folder, help="Where results go, as NAME.jpg, .png or .webp.")
    add("--masks", metavar="DIR", type=_folder, help="Where masks go, as NAME.STEP.png: 255 is worked on fully.")
    surfaces = "Where goes what is seen, as NAME.outlook.json and NAME.labels.png; needs no --steps."
    add("--surfaces", metavar="DIR", type=_folder, help=surfaces)
    add("--report", metavar="FILE.json", type=_file, help="What was measured on each photo, as JSON.")
    add("--jobs", metavar="N", type=_count, default=1, help="Photos worked at a time (default: 1).")
    brackets = "The files are frames of one photo: exposures, or with and without flash."
    add("--brackets", action="store_true", help=brackets)
    seed = "The order's chance: another text, other clouds. Made of the photos if left out."
    add("--seed", metavar="TEXT", help=seed)


def _add_hint_option(parser: ArgumentParser) -> None:
    hints = "What the photo shows, said by people or programs; see docs/hints.md."
    parser.add_argument("--hints", metavar="FILE.json", type=_read_hints, help=hints)


def _add_effect_options(parser: ArgumentParser) -> None:
    for option, kind, usual in (("--style", Style, USUAL_STYLE), ("--room", RoomType, USUAL_ROOM)):
        values = [each.value for each in kind]
        words = f"For virtual_staging: {', '.join(values)}."
        parser.add_argument(option, metavar="NAME", choices=values, default=usual.value, help=words)
    changes = "For virtual_renovation, as often as needed: 'floor=light oak herringbone'."
    parser.add_argument(
        "--change",
        metavar="TYPE=WORDS",
        dest="changes",
        action="append",
        type=parse_change,
        default=[],
        help=changes,
    )


def _add_verify_options(parser: ArgumentParser) -> None:
    verify = "Compare two files, an original and its altered picture; with --steps: what is said to be altered."
    parser.add_argument("--verify", action="store_true", help=verify)
    digests = "With --verify: the digests as published, to say whether these are those files."
    names = ("ORIGINAL", "ALTERED")
    parser.add_argument("--sha256", dest="published", nargs=2, metavar=names, help=digests)
    as_json = "With --verify: the finding as JSON."
    parser.add_argument("--json", dest="as_json", action="store_true", help=as_json)


def _open(path: Path) -> BinaryIO:
    return path.open("rb")


def _read_hints(text: str) -> SceneHints:
    try:
        path = Path(text)
        return read_hints(_insert_mask_files(json.loads(path.read_bytes()), path.parent))
    except OSError as error:
        raise ArgumentTypeError(f"{error.filename}: {error.strerror}.") from error
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is not JSON: {error}.") from error
    except HintError as error:
        raise ArgumentTypeError(f"{text}: {error}") from error


def _insert_mask_files(document: object, folder: Path) -> object:
    """The document with the content of mask files, in base64, in place of their names."""
    surfaces = document.get("surfaces") if isinstance(document, dict) else None
    for hint in surfaces.values() if isinstance(surfaces, dict) else ():
        name = hint.get("mask") if isinstance(hint, dict) else None
        if isinstance(name, str) and name.lower().endswith(".png"):
            with (folder / name).open("rb") as file:
                hint["mask"] = base64.b64encode(file.read(MAX_MASK_BYTES + 1)).decode()
    return document


def _existing(text: str) -> Path:
    if not Path(text).exists():
        raise ArgumentTypeError(f"'{text}' does not exist.")
    return Path(text)


def _folder(text: str) -> Path:
    if Path(text).is_file():
        raise ArgumentTypeError(f"'{text}' is a file.")
    return Path(text)


def _file(text: str) -> Path:
    if Path(text).is_dir():
        raise ArgumentTypeError(f"'{text}' is a directory.")
    return Path(text)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text} is not a whole number of 1 or more.")
    return int(text)


def parse_steps(text: str) -> list[Enhancement]:
    """The steps in a list with commas.

    Parameters
    ----------
    text : str
        Their names; spaces around them are ignored.

    Returns
    -------
    list of Enhancement
        In the order of the pipeline.

    Raises
    ------
    ArgumentTypeError
        Where no step or an unknown step is named.
    """
    names = [name for name in (each.strip() for each in text.split(",")) if name]
    unknown = [name for name in names if name not in set(Enhancement)]
    if unknown or not names:
        wrong = f"there is no step {', '.join(unknown)}" if unknown else "no step is named"
        raise ArgumentTypeError(f"{wrong}; there are {', '.join(ENHANCEMENTS)}.")
    return in_pipeline_order(Enhancement(name) for name in names)


def parse_change(text: str) -> RenovationChange:
    """The change of a renovation in one argument.

    Parameters
    ----------
    text : str
        TYPE=WORDS.

    Returns
    -------
    RenovationChange
        With its type and description.

    Raises
    ------
    ArgumentTypeError
        For an unknown type, or no words.
    """
    kind, _, words = (each.strip() for each in text.partition("="))
    if kind not in set(ChangeType) or not words:
        raise ArgumentTypeError(f"'{text}' is not TYPE=WORDS; the types are {', '.join(ChangeType)}.")
    return RenovationChange(change_type=ChangeType(kind), change_description=words)
