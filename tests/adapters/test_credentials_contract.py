"""The contract of what signs pictures, held by the real one and by the fake."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import keep_demo_identity
from app.domain.content_credentials import (
    ClaimedEdit,
    ContentCredentials,
    CredentialKind,
    ParentPicture,
    PictureClaim,
    SigningError,
)
from engine.types.media import MediaType
from tests.fakes import FakeClock, FakeCredentials
from tests.scenes import encoded, room

CLAIM = PictureClaim(
    "Enhanced photo", ParentPicture("Original photo", MediaType.JPEG, "ab" * 32), [ClaimedEdit("Blue sky.")]
)


def real(folder: Path) -> ContentCredentials:
    """One that signs with a demo's certificate."""
    identity = keep_demo_identity(folder / "demo.pem", FakeClock()())
    return C2paCredentials(CredentialKind.DEMO, identity, "1", None)


SIGNERS: dict[str, Callable[[Path], ContentCredentials]] = {"real": real, "fake": lambda _: FakeCredentials()}


@pytest.fixture(params=SIGNERS)
def signer(request: pytest.FixtureRequest, tmp_path: Path) -> ContentCredentials:
    return SIGNERS[request.param](tmp_path)


@pytest.mark.parametrize("format_name", ["JPEG", "PNG", "WEBP"])
def test_a_signed_picture_is_another_file_however_often_it_is_signed(
    signer: ContentCredentials, format_name: str
) -> None:
    content = encoded(room(), format_name)
    assert signer.kind is CredentialKind.DEMO
    for _ in range(2):
        signed = signer.sign(content, f"image/{format_name.lower()}", CLAIM)
        assert len(signed) > len(content)


def test_a_format_that_cannot_be_signed_is_refused(signer: ContentCredentials) -> None:
    with pytest.raises(SigningError):
        signer.sign(encoded(room(), "BMP"), "image/bmp", CLAIM)
