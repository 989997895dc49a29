"""What results say of themselves, as exiftool reads it, before and after they are signed."""

import io
import json
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.adapters.content_credentials import C2paCredentials
from app.adapters.signing_identity import keep_demo_identity
from app.domain.catalog import ENTRIES
from app.domain.content_credentials import CredentialKind, claim_labeled, claim_result
from engine.io.photo import decode, encode
from engine.pipeline import PipelineResult
from engine.preview import PicturePreviews
from engine.types.enhancements import Enhancement, describe_disclosure
from engine.types.media import MediaType
from engine.types.pictures import PreviewSize, WantedPreviews
from engine.types.report import Maker, QualityReport, StepOutcome
from engine.types.source_types import SourceType
from tests.fakes import FakeClock
from tests.scenes import encoded, house

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(
        shutil.which("exiftool") is None, reason="exiftool is not on this machine, see deploy/test-packages.sh"
    ),
]
DISCLOSED = [each for each in Enhancement if ENTRIES[each].disclosure]
FORMATS = ("JPEG", "PNG", "WEBP")
ONE = DISCLOSED[:1]
"""What is told of an effect stands in every format alike, so all effects are tried in one format alone."""


@pytest.fixture(scope="module")
def signer(tmp_path_factory: pytest.TempPathFactory) -> C2paCredentials:
    identity = keep_demo_identity(tmp_path_factory.mktemp("demo") / "demo.pem", FakeClock()())
    return C2paCredentials(CredentialKind.DEMO, identity, "1", None)


def report_of(enhancement: Enhancement, maker: Maker = Maker.WORKER) -> QualityReport:
    return QualityReport(steps=(StepOutcome(enhancement=enhancement, applied=True, maker=maker),))


def result_of(report: QualityReport, format_name: str) -> bytes:
    """A file as the engine encodes it for these steps."""
    photo = decode(io.BytesIO(encoded(house(), format_name)))
    done = PipelineResult(photo.pixels, report, {})
    return encode(photo.pixels, photo, done.source_type, done.description).content


def tags(folder: Path, files: Mapping[str, bytes]) -> dict[str, dict[str, Any]]:
    """What exiftool reads of each file, by group and name; its warnings too."""
    for name, content in files.items():
        (folder / name).write_bytes(content)
    command = ["exiftool", "-json", "-G1", "-a", *map(str, (folder / name for name in files))]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    return {Path(each["SourceFile"]).name: each for each in json.loads(told.stdout)}


def assert_marked(found: dict[str, Any], source_type: SourceType) -> None:
    assert found["XMP-iptcExt:DigitalSourceType"] == source_type.uri
    assert found["XMP-dc:Description"].endswith(describe_disclosure("").removeprefix(". "))
    assert "ExifTool:Warning" not in found
    assert "ExifTool:Error" not in found


@pytest.mark.parametrize("format_name", FORMATS)
def test_every_effect_that_is_told_of_is_read_from_its_file(format_name: str, tmp_path: Path) -> None:
    effects = DISCLOSED if format_name == "JPEG" else ONE
    for maker, source_type in (
        (Maker.WORKER, SourceType.SYNTHETIC_PARTS),
        (Maker.SERVER, SourceType.GENERATED_PARTS),
    ):
        found = tags(tmp_path, {each: result_of(report_of(each, maker), format_name) for each in effects})
        assert set(found) == set(effects)
        for each in found.values():
            assert_marked(each, source_type)


def test_light_alone_says_nothing(tmp_path: Path) -> None:
    plain = set(Enhancement) - set(DISCLOSED)
    found = tags(tmp_path, {each: result_of(report_of(each), "JPEG") for each in plain})
    assert set(found) == plain
    assert not [name for each in found.values() for name in each if re.search("DigitalSource|Description", name)]


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_signed_file_says_the_same_and_carries_its_manifest(
    format_name: str, tmp_path: Path, signer: C2paCredentials
) -> None:
    media_type = f"image/{format_name.lower()}"

    def signed(enhancement: Enhancement) -> bytes:
        report = report_of(enhancement)
        claim = claim_result(report, MediaType(media_type), "ab" * 32)
        return signer.sign(result_of(report, format_name), media_type, claim)

    found = tags(tmp_path, {each: signed(each) for each in ONE})
    assert set(found) == set(ONE)
    for each in found.values():
        assert_marked(each, SourceType.SYNTHETIC_PARTS)
        # Of a WebP exiftool does not look into that chunk in the release that Debian has.
        assert format_name == "WEBP" or each["JUMBF:JUMDLabel"] == "c2pa"
    assert format_name != "WEBP" or all(b"C2PA" in (tmp_path / each).read_bytes() for each in ONE)


def test_a_signed_labeled_copy_says_the_same(tmp_path: Path, signer: C2paCredentials) -> None:
    result = result_of(report_of(Enhancement.STAGING), "JPEG")
    made = PicturePreviews().make(io.BytesIO(result), WantedPreviews("Virtually staged"))
    labeled = made.pictures[PreviewSize.LABELED]
    claim = claim_labeled("Virtually staged", MediaType.JPEG, "ab" * 32, result)
    found = tags(tmp_path, {"copy": signer.sign(labeled, "image/jpeg", claim)})["copy"]
    assert_marked(found, SourceType.SYNTHETIC_PARTS)
    assert found["XMP-dc:Description"].startswith("Virtually staged. ")
    assert found["JUMBF:JUMDLabel"] == "c2pa"
