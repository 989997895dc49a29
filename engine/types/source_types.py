"""The way in which a picture was made, as a term of the IPTC's vocabulary "Digital Source Type"."""

from enum import StrEnum

from engine.types.enhancements import ENHANCEMENTS
from engine.types.report import Maker, StepOutcome

VOCABULARY = "http://cv.iptc.org/newscodes/digitalsourcetype/"


class SourceType(StrEnum):
    """The terms of the vocabulary for pictures that a machine altered; later terms state stronger alterations."""

    ENHANCED = "algorithmicallyEnhanced"
    SYNTHETIC_PARTS = "compositeSynthetic"
    GENERATED_PARTS = "compositeWithTrainedAlgorithmicMedia"
    COMPUTED = "algorithmicMedia"
    GENERATED = "trainedAlgorithmicMedia"

    @property
    def uri(self) -> str:
        """The term's address, which files contain."""
        return f"{VOCABULARY}{self.value}"


def find_source_type(step: StepOutcome) -> SourceType:
    """The source type of a picture after one step.

    Parameters
    ----------
    step : StepOutcome
        The outcome of a step that was applied.

    Returns
    -------
    SourceType
        ENHANCED for a step that changes only light and color. Other steps add content that no camera saw: they give
        GENERATED_PARTS if the generative server made them, else SYNTHETIC_PARTS.
    """
    if ENHANCEMENTS[step.enhancement].disclosure is None:
        return SourceType.ENHANCED
    return SourceType.GENERATED_PARTS if step.maker is Maker.SERVER else SourceType.SYNTHETIC_PARTS
