"""Whether a renovation's description says enough by itself to be its reference, too."""

import re

from engine.materials.color_names import COLORS, RAL
from engine.materials.named_materials import GENERIC_MATERIALS, MATERIALS

_NAMES = (*COLORS, *MATERIALS, *GENERIC_MATERIALS, *(f"ral {number}" for number in RAL))
_NAMED = re.compile(rf"\b(?:{'|'.join(map(re.escape, _NAMES))})(?:e?s)?\b|#[0-9a-f]{{6}}\b")


def names_look(description: str) -> bool:
    """Whether the description names a material or a color that the engine knows."""
    text = description.lower().replace("grey", "gray")  # codespell:ignore grey
    return bool(_NAMED.search(text.replace("-", " ")))
