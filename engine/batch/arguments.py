"""The arguments of the command line, parsed and checked."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click

from engine.types.edit_request import RenovationChange, Staging
from engine.types.enhancements import ENHANCEMENTS, ChangeType, Enhancement, in_pipeline_order


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """The arguments. Without `seed` one is made of the photos, without `out` only surfaces are written."""

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

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse, as click.UsageError, what would do nothing or would touch the photos at these paths."""
        if not self.steps and not self.brackets and self.surfaces is None:
            raise click.UsageError("Missing option '--steps': which steps? --list shows them.")
        if self.out is None and self.with_results:
            raise click.UsageError("Missing option '--out': where do results go?")
        if (Enhancement.RENOVATION in self.steps) != bool(self.changes):
            raise click.UsageError("virtual_renovation and --change TYPE=WORDS go together.")
        if self.brackets and len(paths) < 2:
            raise click.UsageError("--brackets needs two or more files, the frames of one photo.")
        folders = {path.resolve().parent for path in paths}
        for option, folder in (("--out", self.out), ("--masks", self.masks), ("--surfaces", self.surfaces)):
            if folder is not None and folder.resolve() in folders:
                raise click.UsageError(f"{option}: the photos themselves are in {folder}; name another folder.")
        if self.report is not None and self.report.resolve() in {path.resolve() for path in paths}:
            raise click.UsageError(f"--report: {self.report} is one of the photos; name another file.")

    @property
    def with_results(self) -> bool:
        """Whether photos come out; not when only what is seen in them was asked for."""
        return bool(self.steps) or self.brackets


def parse_steps(text: str) -> list[Enhancement]:
    """The steps in a list with commas, in working order; raises click.BadParameter for what cannot be done here."""
    names = [name for name in (each.strip() for each in text.split(",")) if name]
    unknown = [name for name in names if name not in set(Enhancement)]
    if unknown or not names:
        wrong = f"there is no step {', '.join(unknown)}" if unknown else "no step is named"
        raise click.BadParameter(f"{wrong}; there are {', '.join(ENHANCEMENTS)}.")
    return in_pipeline_order(Enhancement(name) for name in names)


def parse_change(text: str) -> RenovationChange:
    """The change in TYPE=WORDS; raises click.BadParameter where it is none."""
    kind, _, words = (each.strip() for each in text.partition("="))
    if kind not in set(ChangeType) or not words:
        raise click.BadParameter(f"'{text}' is not TYPE=WORDS; the types are {', '.join(ChangeType)}.")
    return RenovationChange(change_type=ChangeType(kind), change_description=words)
