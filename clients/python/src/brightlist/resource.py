"""What all resources of the API share: one call, and lists that are read page by page."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from brightlist.errors import UnexpectedAnswer
from brightlist.transport import Transport
from brightlist.wire import Model, read

Answer = TypeVar("Answer", bound=Model)
Entry = TypeVar("Entry")


class Resource:
    """The base class of resources."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class Listing(Generic[Entry]):
    """A list of the API. Iterated over, it gives every entry, and asks for a page when it is needed."""

    def __init__(
        self, transport: Transport, path: Sequence[str], query: Mapping[str, Any], field: str, kind: type[Entry]
    ) -> None:
        self._transport, self._path, self._query = transport, path, query
        self._field, self._kind = field, kind

    def __iter__(self) -> Iterator[Entry]:
        for page in self.pages():
            yield from page

    def pages(self) -> Iterator[list[Entry]]:
        """The pages, each as the list of its entries; one may be empty before the last."""
        cursor: str | None = None
        while True:
            answer = self._transport.ask("GET", self._path, {**self._query, "cursor": cursor})
            if self._field not in answer:
                raise UnexpectedAnswer(f"The answer has no {self._field}.")
            yield [read(self._kind, each) for each in answer[self._field]]
            cursor = answer.get("nextCursor")
            if cursor is None:
                return
