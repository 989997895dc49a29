"""The list of the furniture that was added to pictures, as a text file that is delivered with them."""

from collections.abc import Iterable, Iterator

from app.domain.lengths import write_centimeters_of, write_feet_of
from app.models import Result

FILE_NAME = "furniture.txt"
_HEAD = (
    "Furniture that was added, with sizes: width by depth by height, with what stands on a piece.\n"
    "The furniture is drawn: no shop sells these pieces.\n"
)


def write(results: Iterable[tuple[Result, str]]) -> bytes:
    """The list for these results, each with its photo's name; empty if no furniture was added."""
    lists = [_write_list(result, name) for result, name in results]
    return "\n".join([_HEAD, *filter(None, lists)]).encode() if any(lists) else b""


def _write_list(result: Result, name: str) -> str:
    pieces = "".join(f"- {line}\n" for line in _list_pieces(result))
    return f"{name}\n{pieces}" if pieces else ""


def _list_pieces(result: Result) -> Iterator[str]:
    for step in result.report.steps:
        for each in step.furniture:
            yield f"{each.count} x {each.label}: {write_feet_of(each)} ({write_centimeters_of(each)})"
