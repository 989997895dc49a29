"""What files say of parts that no camera saw."""

import io
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from engine.io.photo import decode, encode
from engine.io.source_type import SYNTHETIC_TYPES, find_strongest, make_save_options, read_source_type
from engine.pipeline import PipelineResult
from engine.preview import PicturePreviews
from engine.types.enhancements import ENHANCEMENTS, Disclosure, Enhancement, EnhancementInfo
from engine.types.pictures import WantedPreviews
from engine.types.report import Maker, QualityReport, StepOutcome
from engine.types.source_types import SourceType

GRAY = np.full((40, 60, 3), 128, np.uint8)
FORMATS = ("JPEG", "PNG", "WEBP")


def photo_of(format_name: str, source_type: SourceType | None = None) -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(GRAY).save(buffer, format_name, **make_save_options(source_type, format_name))
    return buffer.getvalue()


def said(content: bytes) -> SourceType | None:
    with Image.open(io.BytesIO(content)) as image:
        return read_source_type(image.info)


def finished(*steps: StepOutcome) -> PipelineResult:
    return PipelineResult(GRAY, QualityReport(steps=steps), {})


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("source_type", SYNTHETIC_TYPES)
def test_a_file_says_how_its_parts_came_to_be(format_name: str, source_type: SourceType) -> None:
    picture = encode(GRAY, decode(io.BytesIO(photo_of(format_name))), source_type)
    assert said(picture.content) is source_type


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_photo_that_only_got_better_light_says_nothing(format_name: str) -> None:
    content = encode(GRAY, decode(io.BytesIO(photo_of(format_name)))).content
    assert b"DigitalSourceType" not in content


@pytest.mark.parametrize("format_name", FORMATS)
def test_what_a_photo_says_of_itself_is_not_lost(format_name: str) -> None:
    photo = decode(io.BytesIO(photo_of(format_name, SourceType.GENERATED)))
    assert said(encode(GRAY, photo).content) is SourceType.GENERATED
    assert said(encode(GRAY, photo, SourceType.SYNTHETIC_PARTS).content) is SourceType.GENERATED


def test_the_labeled_copy_says_it_too() -> None:
    content = photo_of("JPEG", SourceType.SYNTHETIC_PARTS)
    labeled = PicturePreviews().make(io.BytesIO(content), WantedPreviews("Virtually staged")).pictures["labeled"]
    assert said(labeled) is SourceType.SYNTHETIC_PARTS


def test_the_element_form_is_read_as_well() -> None:
    element = (
        b"<Iptc4xmpExt:DigitalSourceType>http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"
        b"</Iptc4xmpExt:DigitalSourceType>"
    )
    assert read_source_type({"xmp": element}) is SourceType.GENERATED


@pytest.mark.parametrize(
    "info",
    [
        {},
        {"xmp": b"\xff\x00 no xml"},
        {"xmp": b'Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/digitalCapture"'},
        {"xmp": b'Iptc4xmpExt:DigitalSourceType="http://example.com/digitalsourcetype/trainedAlgorithmicMedia"'},
        {"XML:com.adobe.xmp": 3},
    ],
)
def test_anything_else_says_nothing(info: dict[str, object]) -> None:
    assert read_source_type(info) is None


def test_the_strongest_word_stands() -> None:
    assert (
        find_strongest(None, SourceType.SYNTHETIC_PARTS, SourceType.GENERATED_PARTS) is SourceType.GENERATED_PARTS
    )
    assert find_strongest(None, None) is None


@pytest.mark.parametrize("entry", [each for each in ENHANCEMENTS.values() if each.disclosure])
def test_every_step_that_is_disclosed_marks_its_file(entry: EnhancementInfo) -> None:
    step = entry.id
    own = StepOutcome(enhancement=step, applied=True, maker=Maker.WORKER)
    asked = StepOutcome(enhancement=step, applied=True, maker=Maker.SERVER)
    assert finished(own).source_type is SourceType.SYNTHETIC_PARTS
    assert finished(own, asked).source_type is SourceType.GENERATED_PARTS
    assert finished(StepOutcome(enhancement=step, applied=False)).source_type is None


def test_light_marks_nothing() -> None:
    plain = [each for each in Enhancement if ENHANCEMENTS[each].disclosure is None]
    steps = [StepOutcome(enhancement=each, applied=True, maker=Maker.WORKER) for each in plain]
    assert finished(*steps).source_type is None
    assert set(Disclosure) == {each.disclosure for each in ENHANCEMENTS.values() if each.disclosure}


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_sentence_for_people_stands_in_the_file_as_its_description(format_name: str) -> None:
    done = finished(StepOutcome(enhancement=Enhancement.GRASS, applied=True, maker=Maker.WORKER))
    assert done.description == "Digitally altered. This picture shows the property other than it is."
    photo = decode(io.BytesIO(photo_of(format_name)))
    with Image.open(io.BytesIO(encode(GRAY, photo, done.source_type, done.description).content)) as image:
        packet = image.info.get("xmp") or image.info["XML:com.adobe.xmp"].encode()
    root = ElementTree.fromstring(packet.decode().strip("\ufeff"))
    (said_for_people,) = root.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}li")
    assert said_for_people.text == done.description
    assert finished(StepOutcome(enhancement=Enhancement.HDR, applied=True)).description is None
