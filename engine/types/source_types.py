"""How a picture or a part of it came to be, in the words of the IPTC's vocabulary "Digital Source Type"."""

from enum import StrEnum

from engine.types.enhancements import ENHANCEMENTS
from engine.types.report import Maker, StepOutcome

VOCABULARY = "http://cv.iptc.org/newscodes/digitalsourcetype/"


class SourceType(StrEnum):
    """The words of the vocabulary for pictures that a machine worked on; later ones say more."""

    ENHANCED = "algorithmicallyEnhanced"
    SYNTHETIC_PARTS = "compositeSynthetic"
    GENERATED_PARTS = "compositeWithTrainedAlgorithmicMedia"
    COMPUTED = "algorithmicMedia"
    GENERATED = "trainedAlgorithmicMedia"

    @property
    def uri(self) -> str:
        """The word as files carry it."""
        return f"{VOCABULARY}{self.value}"


def find_source_type(step: StepOutcome) -> SourceType:
    """The source type of a picture after one step.

    Parameters
    ----------
    step : StepOutcome
        Of a step that was applied.

    Returns
    -------
    SourceType
        ENHANCED for a step of light and color alone; for all others, which add what no camera saw, GENERATED_PARTS
        where the generative server made it, else SYNTHETIC_PARTS.
    """
    if ENHANCEMENTS[step.enhancement].disclosure is None:
        return SourceType.ENHANCED
    return SourceType.GENERATED_PARTS if step.maker is Maker.SERVER else SourceType.SYNTHETIC_PARTS
