"""What a picture's content credentials claim, and who signs them: C2PA's words for where it comes from and what was
done to it. Nothing in them names a person, a place or a customer's file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from app.domain.catalog import ENTRIES
from engine.types.media import MediaType
from engine.types.report import Maker, QualityReport
from engine.types.source_types import SourceType, find_source_type


class CredentialKind(StrEnum):
    """Whether files carry content credentials, and by whose certificate: the demo's own, which nobody trusts, or
    the operator's.
    """

    NONE = "none"
    DEMO = "demo"
    CERTIFICATE = "certificate"


@dataclass(frozen=True, slots=True)
class ClaimedEdit:
    """One thing that was done to a picture, in a sentence; what it made of it, in the vocabulary's word."""

    description: str
    source_type: SourceType | None = None


@dataclass(frozen=True, slots=True)
class ParentPicture:
    """What a picture was made of, named by the SHA-256 of its file (hex).

    `content` is the file where the credentials that it carries are to be handed on. Not of what customers sent:
    its own may tell where it was taken.
    """

    title: str
    media_type: MediaType
    sha256: str
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class PictureClaim:
    """What is signed of one picture."""

    title: str
    parent: ParentPicture
    edits: Sequence[ClaimedEdit]


class SigningError(Exception):
    """The picture cannot be signed, now or ever."""


class ContentCredentials(Protocol):
    """Signs pictures with content credentials."""

    @property
    def kind(self) -> CredentialKind:
        """By whose certificate."""

    def sign(self, content: bytes, media_type: str, claim: PictureClaim) -> bytes:
        """The encoded picture (JPEG, PNG or WebP) with the claim in it; its pixels stay. Raises SigningError."""


def claim_result(report: QualityReport, media_type: MediaType, sha256: str) -> PictureClaim:
    """What is claimed of an enhanced photo; the SHA-256 (hex) is that of the photo as it was uploaded."""
    edits = [
        ClaimedEdit(_sentence(ENTRIES[step.enhancement].label, step.maker), find_source_type(step))
        for step in report.steps
        if step.applied
    ]
    return PictureClaim("Enhanced photo", ParentPicture("Original photo", media_type, sha256), edits)


def claim_labeled(label: str, media_type: MediaType, sha256: str, content: bytes) -> PictureClaim:
    """What is claimed of a copy of an enhanced photo that bears a label; `content` is that photo's file."""
    parent = ParentPicture("Enhanced photo", media_type, sha256, content)
    return PictureClaim("Labeled photo", parent, [ClaimedEdit(f'Label "{label}" written into the picture.')])


def _sentence(label: str, maker: Maker | None) -> str:
    return f"{label}, by a generative model." if maker is Maker.SERVER else f"{label}."
