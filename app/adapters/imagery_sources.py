"""Several sources of public imagery asked one after the other."""

from collections.abc import Sequence

from app.domain.ports import Imagery


class FirstFound:
    """The imagery port over others: what the first that has the address gives."""

    def __init__(self, sources: Sequence[Imagery]) -> None:
        self._sources = sources

    def find(self, address: str) -> bytes | None:
        """A picture from the first source that has one, or None.

        Raises ImageryUnavailableError when a source on the way cannot be asked: the later ones are second choice,
        and must not win because the first was away for a moment.
        """
        found = (source.find(address) for source in self._sources)
        return next((content for content in found if content is not None), None)
