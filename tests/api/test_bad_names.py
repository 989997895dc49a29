"""File names chosen to do harm come out harmless, in the answer and in the header of the download."""

from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import product

import pytest
from werkzeug.http import parse_options_header

from engine.types.media import MediaType, fit_file_name
from tests.conformance.shapes import ADDRESS, stored_files
from tests.conftest import PHOTO, Api, work

NAMES = {
    "../../x.jpg": "x.jpg",
    "../../../etc/passwd": "passwd",
    "/etc/shadow.jpg": "shadow.jpg",
    "C:\\x\\y.jpg": "y.jpg",
    "C:y.jpg": "C_y.jpg",
    "..": "interior-{number}",
    ".....": "interior-{number}",
    ". . .": "interior-{number}",
    "/": "interior-{number}",
    "\\": "interior-{number}",
    " ": "interior-{number}",
    "": "interior-{number}",
    ".htaccess": "htaccess",
    "a\r\nSet-Cookie: x=1\r\n\r\n.jpg": "a Set-Cookie_ x=1 .jpg",
    "a\tb.jpg": "a b.jpg",
    'a"; filename="b.exe': "a_; filename=_b.exe",
    "<script>.jpg": "_script_.jpg",
    "a|b?c*.jpg": "a_b_c_.jpg",
    "\u202egpj.exe": "gpj.exe",
    "\u2066a\u2069\u200f.jpg": "a.jpg",
    "\U0001f3e1 home.jpg": "\U0001f3e1 home.jpg",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467.jpg": "\U0001f468\u200d\U0001f469\u200d\U0001f467.jpg",
    "K\u00fcche \u2013 Bad.jpg": "K\u00fcche \u2013 Bad.jpg",
    "%2e%2e%2fx.jpg": "%2e%2e%2fx.jpg",
    "{0.__class__}.jpg": "{0.__class__}.jpg",
    "b.jpg.": "b.jpg",
}


def ordered(api: Api, container, names: Iterable[str]) -> Iterator[tuple[str, str, dict]]:
    """Of every photo of one order: its name, the name that is answered, and its image once it can be downloaded."""
    files = api.upload(interior=[PHOTO for _ in names])
    for file, name in zip(files["interiorFiles"], names, strict=True):
        file["fileName"] = name
    order = api.order(**{"interior": [PHOTO], **files})
    work(container)
    answered = [asset["fileName"] for asset in order["assets"]]
    return zip(names, answered, api.get(f"/downloads/{order['jobId']}").json["images"], strict=True)


def downloaded_name(api: Api, url: str) -> str:
    """The name in the header, which must be plain ASCII on one line."""
    header = api.client.get(url).headers["Content-Disposition"]
    assert header.isascii()
    assert header.isprintable()
    kind, options = parse_options_header(header)
    assert kind == "attachment"
    assert options.keys() == {"filename"}
    return options["filename"]


def test_a_strange_name_comes_out_safe(api: Api, container, subtests: pytest.Subtests) -> None:
    for number, (name, answered, image) in enumerate(ordered(api, container, NAMES), 1):
        with subtests.test(name=name):
            safe = NAMES[name].replace("{number}", str(number))
            assert answered == safe
            assert downloaded_name(api, image["originalUrl"]) == fit_file_name(safe, MediaType.JPEG)
            assert downloaded_name(api, image["url"]) == image["fileName"]
            assert image["fileName"].endswith(".jpg")
    assert all(path.startswith(("uploads/ups_", "results/job_")) for path in stored_files(container))


def test_a_long_name_is_shortened_and_keeps_its_ending(api: Api, container, subtests: pytest.Subtests) -> None:
    endings = list(product("x\u00fc\U0001f3e1", (".jpg", ".jpeg", "")))
    photos = ordered(
        api, container, [f"{place}{letter * 300}{ending}" for place, (letter, ending) in enumerate(endings)]
    )
    for (letter, ending), (_, answered, image) in zip(endings, photos, strict=True):
        with subtests.test(letter=letter, ending=ending):
            assert 189 - len(letter.encode()) < len(answered.encode()) <= 189
            assert len(image["fileName"].encode()) <= 200
            assert answered.endswith(letter + ending)
            assert downloaded_name(api, image["url"]).endswith(".jpg")


def test_no_two_pictures_of_an_order_have_one_name(api: Api, container) -> None:
    photos = list(ordered(api, container, ["IMG_1.JPEG", "IMG_1.jpg", "img_1.png", "IMG_1", "IMG_2.jpg"]))
    assert [answered for _, answered, _ in photos] == [
        "IMG_1.JPEG",
        "IMG_1 (2).jpg",
        "img_1 (3).png",
        "IMG_1 (4)",
        "IMG_2.jpg",
    ]
    names = [image["fileName"].lower() for _, _, image in photos]
    assert len({*names}) == len(names)


def test_of_long_names_that_are_alike_none_is_longer_than_200_bytes(api: Api, container) -> None:
    photos = list(ordered(api, container, ["\u00e9" * 200] * 3))
    names = [image["fileName"] for _, _, image in photos]
    assert len({*names}) == 3
    assert max(len(name.encode()) for name in names) <= 200


@pytest.mark.parametrize("name", ["a\x00.jpg", "a\x1b[2J.jpg", "a\x7f.jpg", "x" * 501])
def test_a_name_with_control_characters_or_beyond_500_is_refused_by_path(api: Api, name: str) -> None:
    files = api.upload(interior=[PHOTO])
    files["interiorFiles"][0]["fileName"] = name
    body = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": ["declutter"], **files}
    answer = api.post("/orders/from-uploads", json=body)
    assert (answer.status_code, list(answer.json["details"])) == (400, ["interiorFiles[0].fileName"])


MULTIPART_NAMES = [
    "../../x.jpg",
    "C:\\x\\y.jpg",
    "..",
    "\U0001f3e1.jpg",
    "\u202egpj.exe",
    "x" * 300 + ".jpg",
    "..." * 200,
]


def test_a_strange_name_in_a_form_comes_out_safe(api: Api, container, subtests: pytest.Subtests) -> None:
    for name in MULTIPART_NAMES:
        with subtests.test(name=name):
            form = {"address": ADDRESS, "serviceType": "interior", "interiorEnhancements": '["declutter"]'}
            order = api.post("/orders", data={**form, "interiorPhoto0": (BytesIO(PHOTO), name)})
            assert order.status_code == 200, order.text
            safe = order.json["assets"][0]["fileName"]
            assert 0 < len(safe) <= 200
            assert not set(safe) & set('/\\:"<>|?*\r\n\u202e')
            work(container)
            image = api.get(f"/downloads/{order.json['jobId']}").json["images"][0]
            assert downloaded_name(api, image["originalUrl"]) == fit_file_name(safe, MediaType.JPEG)
