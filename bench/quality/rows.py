"""A line of the table of figures, and the table as text, Markdown and JSON."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

REACHED, MISSED = "reached", "missed"


@dataclass(frozen=True, slots=True)
class Row:
    """One figure: what was measured on what, its value, its aim; `reached` is None where there is no aim.

    `worst` names the photos that spoil it, for whoever mends the engine; it is not published.
    """

    what: str
    value: str
    aim: str = ""
    reached: bool | None = None
    on: str = ""
    worst: Sequence[str] = field(default_factory=tuple)

    @property
    def mark(self) -> str:
        """One word on the aim."""
        return "" if self.reached is None else (REACHED if self.reached else MISSED)


def skipped(what: str, why: str) -> Row:
    """A figure that could not be measured here."""
    return Row(what, f"skipped ({why})")


def as_text(rows: Sequence[Row]) -> str:
    """The table for a terminal, the worst photos below their line."""
    head = ("figure", "value", "aim", "", "measured on")
    cells = [head, *((row.what, row.value, row.aim, row.mark, row.on) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(head))]
    texts = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in cells
    ]
    lines = [texts[0]]
    for row, text in zip(rows, texts[1:], strict=True):
        lines.append(text)
        lines += [f"      {name}" for name in row.worst]
    return "\n".join(lines)


def as_markdown(rows: Sequence[Row]) -> str:
    """The table for the documentation, without the photos' names."""
    lines = ["| Figure | Measured on | Value | Aim | |", "|---|---|---|---|---|"]
    lines += [f"| {row.what} | {row.on} | {row.value} | {row.aim} | {row.mark} |" for row in rows]
    return "\n".join(lines)


def as_json(sections: Mapping[str, Sequence[Row]]) -> str:
    """The rows of each part as JSON; `from_json` reads it again."""
    data = {name: [asdict(row) for row in rows] for name, rows in sections.items()}
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def from_json(text: str) -> dict[str, list[Row]]:
    """What `write_json` wrote."""
    return {name: [Row(**row) for row in rows] for name, rows in json.loads(text).items()}


def written_between(text: str, mark: str, table: str) -> str:
    """The text with the table between `<!-- mark -->` and `<!-- end of mark -->`; ValueError without these."""
    start, end = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    before, found, rest = text.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"the text has no place for {mark}")
    return f"{before}{start}{table}\n{end}{after}"
