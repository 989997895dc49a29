"""Content credentials (C2PA): signed claims about what a picture was made from and what was done to it. They name
no person, no place and no file name of a customer.
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
    """One edit of a picture. `description`: a sentence; `source_type`: the kind of content that it made, by the
    vocabulary of IPTC; None where the edit made no content.
    """

    description: str
    source_type: SourceType | None = None


@dataclass(frozen=True, slots=True)
class ParentPicture:
    """The picture that another one was made from. `sha256`: of its file, in hex.

    `content`: the file, where its own content credentials are to be included. Not for files of customers, because
    their credentials may contain the place where they were taken.
    """

    title: str
    media_type: MediaType
    sha256: str
    content: bytes | None = None


@dataclass(frozen=True, slots=True)
class PictureClaim:
    """What is claimed, and signed, about one picture."""

    title: str
    parent: ParentPicture
    edits: Sequence[ClaimedEdit]
    version: str | None = None
    """Of the software that made it; None for this service's."""


class SigningError(Exception):
    """The picture cannot be signed; the text says why."""


class ContentCredentials(Protocol):
    """Signs pictures with content credentials."""

    @property
    def kind(self) -> CredentialKind:
        """Whose certificate signs."""

    def sign(self, content: bytes, media_type: str, claim: PictureClaim) -> bytes:
        """The encoded picture (JPEG, PNG or WebP) with the signed claim in it and the same pixels. Raises
        SigningError.
        """


def claim_result(
    report: QualityReport, media_type: MediaType, sha256: str, version: str | None = None
) -> PictureClaim:
    """The claim about an enhanced photo. `media_type`, `sha256` (hex): of the photo as it was uploaded; `version`:
    of the engine that enhanced it.
    """
    edits = [
        ClaimedEdit(_sentence(ENTRIES[step.enhancement].label, step.maker), find_source_type(step))
        for step in report.steps
        if step.applied
    ]
    return PictureClaim("Enhanced photo", ParentPicture("Original photo", media_type, sha256), edits, version)


def claim_labeled(label: str, media_type: MediaType, sha256: str, content: bytes) -> PictureClaim:
    """The claim about a labeled copy; `media_type`, `sha256` (hex) and `content`: of the enhanced photo's file."""
    parent = ParentPicture("Enhanced photo", media_type, sha256, content)
    return PictureClaim("Labeled photo", parent, [ClaimedEdit(f'Label "{label}" written into the picture.')])


def _sentence(label: str, maker: Maker | None) -> str:
    return f"{label}, by a generative model." if maker is Maker.SERVER else f"{label}."
