"""Pictures signed as C2PA has it, as the C2PA project's own reader sees them."""

import io
import json
import re
from pathlib import Path
from typing import Any

import c2pa
import pytest
from PIL import Image

from app import metrics
from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import keep_demo_identity
from app.domain.catalog import ENTRIES
from app.domain.content_credentials import CredentialKind, PictureClaim, SigningError, claim_labeled, claim_result
from engine.io.photo import decode
from engine.types.enhancements import Enhancement
from engine.types.media import MediaType
from engine.types.report import Maker, QualityReport, StepOutcome
from tests.fakes import FakeClock
from tests.manifests import words_of
from tests.scenes import decoded, encoded, house

NOW = FakeClock()()
FORMATS = ("JPEG", "PNG", "WEBP")
DIGEST = "0123456789abcdef" * 4
UNTRUSTED = ["signingCredential.untrusted"]
MOST_BYTES = 60_000


@pytest.fixture
def signer(tmp_path: Path) -> C2paCredentials:
    return C2paCredentials(CredentialKind.DEMO, keep_demo_identity(tmp_path / "demo.pem", NOW), "0.1.0+abc", None)


def done(*steps: tuple[Enhancement, Maker]) -> QualityReport:
    made = [StepOutcome(enhancement=each, applied=True, maker=maker) for each, maker in steps]
    declined = StepOutcome(enhancement=Enhancement.GRASS, applied=False)
    return QualityReport(steps=(declined, *made))


def claim(*steps: tuple[Enhancement, Maker]) -> PictureClaim:
    return claim_result(done(*(steps or [(Enhancement.SKY, Maker.WORKER)])), MediaType.JPEG, DIGEST)


def read(content: bytes, media_type: str = "image/jpeg") -> tuple[str | None, list[str], dict[str, Any]]:
    """The state that the reader finds, its failures, and all manifests."""
    with c2pa.Reader(media_type, io.BytesIO(content)) as reader:
        told = json.loads(reader.json())
        failures = told["validation_results"]["activeManifest"]["failure"]
        return reader.get_validation_state(), [each["code"] for each in failures], told


def active(told: dict[str, Any]) -> dict[str, Any]:
    manifest: dict[str, Any] = told["manifests"][told["active_manifest"]]
    return manifest


def actions(told: dict[str, Any]) -> list[dict[str, Any]]:
    (assertion,) = [each for each in active(told)["assertions"] if each["label"].startswith("c2pa.actions")]
    found: list[dict[str, Any]] = assertion["data"]["actions"]
    return found


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_reader_finds_a_signed_picture_valid_and_only_its_signer_untrusted(
    signer: C2paCredentials, format_name: str
) -> None:
    content, media_type = encoded(house(), format_name), f"image/{format_name.lower()}"
    signed = signer.sign(content, media_type, claim())
    state, failures, _ = read(signed, media_type)
    assert (state, failures) == ("Valid", UNTRUSTED)
    assert 0 < len(signed) - len(content) < MOST_BYTES
    assert (decoded(signed) == decoded(content)).all()
    assert decode(io.BytesIO(signed)).pixels.shape == house().shape


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_changed_byte_makes_it_invalid(signer: C2paCredentials, format_name: str) -> None:
    media_type = f"image/{format_name.lower()}"
    changed = bytearray(signer.sign(encoded(house(), format_name), media_type, claim()))
    changed[-len(changed) // 4] ^= 1
    state, failures, _ = read(bytes(changed), media_type)
    assert state == "Invalid"
    assert "assertion.dataHash.mismatch" in failures


def test_it_tells_the_original_by_its_digest_and_every_step_with_its_source_type(signer: C2paCredentials) -> None:
    steps = (Enhancement.SKY, Maker.WORKER), (Enhancement.DECLUTTER, Maker.SERVER), (Enhancement.HDR, Maker.WORKER)
    _, _, told = read(signer.sign(encoded(house()), "image/jpeg", claim(*steps)))
    (original,) = active(told)["ingredients"]
    assert original["relationship"] == "parentOf"
    assert (original["instance_id"], original["format"]) == (f"sha256:{DIGEST}", "image/jpeg")
    opened, *edits = actions(told)
    assert opened["action"] == "c2pa.opened"
    assert opened["parameters"]["ingredients"][0]["url"].endswith(original["label"])
    assert {each["action"] for each in edits} == {"c2pa.edited"}
    assert [each["digitalSourceType"].rpartition("/")[2] for each in edits] == [
        "compositeSynthetic",
        "compositeWithTrainedAlgorithmicMedia",
        "algorithmicallyEnhanced",
    ]
    for edit, (enhancement, _) in zip(edits, steps, strict=True):
        assert edit["description"].startswith(ENTRIES[enhancement].label)
        assert edit["softwareAgent"] == {"name": "Brightlist", "version": "0.1.0+abc"}
    assert "generative" in edits[1]["description"]


def test_no_small_picture_is_in_it(signer: C2paCredentials) -> None:
    signed = signer.sign(encoded(house()), "image/jpeg", claim())
    labeled = signer.sign(
        encoded(house()), "image/jpeg", claim_labeled("Digitally altered", MediaType.JPEG, DIGEST, signed)
    )
    for content in (signed, labeled):
        _, _, told = read(content)
        assert "thumbnail" not in json.dumps(told)
        assert b"c2pa.thumbnail" not in content


def test_nothing_of_where_the_photo_was_taken_or_what_its_file_was_called_is_in_it(signer: C2paCredentials) -> None:
    exif = Image.Exif()
    exif[0x010E] = "12 Garden Lane"
    exif.get_ifd(0x8825).update({1: "N", 2: (39.0, 47.0, 58.5), 3: "W", 4: (89.0, 39.0, 1.0)})
    original = encoded(house(), exif=exif)
    assert b"12 Garden Lane" in original
    made = encoded(house())
    signed = signer.sign(made, "image/jpeg", claim())
    whole = words_of(read(signed)[2])
    assert b"Garden Lane" not in signed
    assert "Original photo" in whole
    assert not re.search(r"gps|exif|garden|\.jpe?g", whole, re.IGNORECASE)


def test_a_labeled_copy_hands_the_credentials_of_its_picture_on(signer: C2paCredentials) -> None:
    signed = signer.sign(encoded(house()), "image/jpeg", claim())
    about = claim_labeled("Digitally altered", MediaType.JPEG, DIGEST, signed)
    labeled = signer.sign(encoded(house()), "image/jpeg", about)
    state, failures, told = read(labeled)
    assert (state, failures) == ("Valid", UNTRUSTED)
    (parent,) = active(told)["ingredients"]
    assert parent["active_manifest"] == read(signed)[2]["active_manifest"]
    assert '"Digitally altered"' in actions(told)[-1]["description"]
    assert len(told["manifests"]) == 2
    assert len(labeled) - len(encoded(house())) < MOST_BYTES


def test_a_labeled_copy_of_an_unsigned_picture_names_it_by_its_digest(signer: C2paCredentials) -> None:
    about = claim_labeled("Digitally altered", MediaType.JPEG, DIGEST, encoded(house()))
    state, _, told = read(signer.sign(encoded(house()), "image/jpeg", about))
    assert state == "Valid"
    assert active(told)["ingredients"][0]["instance_id"] == f"sha256:{DIGEST}"


def test_what_is_no_picture_is_refused_and_counted(signer: C2paCredentials) -> None:
    before = metrics.REGISTRY.get_sample_value("brightlist_content_credentials_total", {"outcome": "failed"}) or 0
    with pytest.raises(SigningError):
        signer.sign(b"no picture", "image/jpeg", claim())
    after = metrics.REGISTRY.get_sample_value("brightlist_content_credentials_total", {"outcome": "failed"})
    assert after == before + 1
