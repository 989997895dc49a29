"""Writes the report of a run as JSON, without times or machine names, so that equal runs give equal reports."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from engine.types.appearance import SharedAppearance
from engine.types.enhancements import Enhancement
from engine.types.report import Figure, QualityReport, StepOutcome, Verdict


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One photo of the run and the files written for it; `output` is None when there is no result."""

    photo: str
    report: QualityReport
    output: Path | None
    masks: Mapping[Enhancement, Path] = field(default_factory=dict)
    hinted: bool = False

    @property
    def remarks(self) -> list[str]:
        """Lines for the person who runs the command: why there is no good result, or which steps declined."""
        if not self.report.passed:
            kept = f" (kept as {self.output})" if self.output else ""
            return [f"{self.photo}: not done{kept}: {self.report.message}"]
        return [
            f"{self.photo}: {step.enhancement} declined: {step.message}"
            for step in self.report.steps
            if not step.applied
        ]


def write_json(
    lines: Sequence[ReportLine], steps: Sequence[Enhancement], seed: str, appearance: SharedAppearance
) -> bytes:
    """Write the report of a run as a JSON document.

    Parameters
    ----------
    lines : Sequence of ReportLine
        One for each photo.
    steps : Sequence of Enhancement
        The requested steps.
    seed : str
        The seed of the order.
    appearance : SharedAppearance
        The appearance that its photos share.

    Returns
    -------
    bytes
        UTF-8 with a final line break.
    """
    document = {
        "steps": list(steps),
        "seed": seed,
        "look": asdict(appearance),
        "photos": [_convert_line(line) for line in lines],
    }
    return (json.dumps(document, indent=2, ensure_ascii=False) + "\n").encode()


def _convert_line(line: ReportLine) -> dict[str, object]:
    report = line.report
    return {
        "photo": line.photo,
        "output": None if line.output is None else str(line.output),
        "masks": {step: str(path) for step, path in line.masks.items()},
        "verdict": Verdict.APPROVED if report.passed else Verdict.REJECTED,
        "reason": report.reason,
        "message": report.message,
        "hinted": line.hinted,
        "figures": [_convert_figure(each) for each in report.figures],
        "steps": [_convert_step(each) for each in report.steps],
    }


def _convert_figure(figure: Figure) -> dict[str, object]:
    return {**asdict(figure), "passed": figure.passed}


def _convert_step(step: StepOutcome) -> dict[str, object]:
    return asdict(step)
