"""The command line of the engine: `python -m engine PHOTO… --steps STEP,STEP --out DIR`."""

import signal
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from pathlib import Path
from typing import NoReturn

from engine.batch.arguments import BatchRequest, UsageError, make_parser
from engine.batch.files import find_photos
from engine.batch.listing import list_effects
from engine.batch.report import ReportLine
from engine.batch.run import run_batch
from engine.batch.verify import VerifyRequest, verify_files, write_json, write_text

INTERRUPTED_STATUS = 130
_ENDED = "A process was ended from outside, perhaps for want of memory; what is written is whole. Try fewer --jobs."


def command(words: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and end the process with the exit status that its help describes.

    Parameters
    ----------
    words : Sequence of str or None, optional
        The arguments; None for those of the process.

    Raises
    ------
    SystemExit
        Always, with the exit status; a UsageError becomes 2.
    """
    parser = make_parser()
    given = parser.parse_intermixed_args(words)
    if given.list:
        print(list_effects())
        sys.exit(0)
    try:
        if given.verify:
            _verify(VerifyRequest.of(given.photos, given.steps, given.published), as_json=given.as_json)
        if given.published or given.as_json:
            raise UsageError("--sha256 and --json go with --verify.")
        if not given.photos:
            raise UsageError("Missing argument PHOTO: a file, or a folder of them.")
        asked = BatchRequest.of(given)
        paths = find_photos(asked.photos)
        asked.check(paths)
    except UsageError as error:
        parser.error(str(error))
    _finish(_run_batch(parser, asked, paths))


def _verify(asked: VerifyRequest, *, as_json: bool) -> NoReturn:
    found = verify_files(asked)
    print(write_json(found) if as_json else write_text(found))
    sys.exit(0 if found.passed else 1)


def _run_batch(parser: ArgumentParser, asked: BatchRequest, paths: Sequence[Path]) -> list[ReportLine]:
    # SIGTERM is handled like an interrupt, so that it leaves no unfinished files either.
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return run_batch(asked, paths)
    except BrokenExecutor:
        parser.exit(1, f"Error: {_ENDED}\n")
    except OSError as error:
        parser.exit(1, f"Error: {error.filename or 'Writing'}: {error.strerror}\n")
    except KeyboardInterrupt:
        parser.exit(INTERRUPTED_STATUS, "Interrupted; what is written is whole.\n")
    finally:
        signal.signal(signal.SIGTERM, before)


def _finish(lines: Sequence[ReportLine]) -> NoReturn:
    for line in lines:
        for remark in line.remarks:
            print(remark, file=sys.stderr)
    good = sum(line.report.passed for line in lines)
    print(f"{good} of {len(lines)} photos done")
    sys.exit(0 if good == len(lines) else 1)


if __name__ == "__main__":
    command()
