"""Several sources of public imagery, asked one after the other."""

from collections.abc import Sequence

from app.domain.ports import Imagery


class FirstFound:
    """Implements app.domain.ports.Imagery with several sources, in the order of preference."""

    def __init__(self, sources: Sequence[Imagery]) -> None:
        self._sources = sources

    def find(self, address: str) -> bytes | None:
        """A picture from the first source that has one, or None.

        Raises ImageryUnavailableError when a source cannot be asked: a later source must not be used only because a
        preferred one was unavailable for a moment.
        """
        found = (source.find(address) for source in self._sources)
        return next((content for content in found if content is not None), None)
