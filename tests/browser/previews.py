"""Small pictures made once: the same few photos stand in every order of the seeded worlds."""

import io
from dataclasses import dataclass
from typing import BinaryIO

from app.domain.ports import PreviewMaker
from engine.types.pictures import Previews, WantedPreviews

_made: dict[tuple[bytes, WantedPreviews], Previews] = {}
"""Of all worlds of this process. What a photo shows is the dear part: a network looks at it."""


@dataclass
class KeptPreviews:
    """Gives what the real maker made of the same photo before."""

    real: PreviewMaker

    def make(self, picture: BinaryIO, wanted: WantedPreviews) -> Previews:
        """See the port."""
        content = picture.read()
        key = content, wanted
        if key not in _made:
            _made[key] = self.real.make(io.BytesIO(content), wanted)
        return _made[key]
