"""Names for files that are unpacked somewhere: safe everywhere, and no two alike."""

import pytest

from app.domain.file_names import MAX_BYTES, make_unique, plain_stem, sanitize


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("front.jpg", "front.jpg"),
        ("Wohnzimmer Süd.jpg", "Wohnzimmer Süd.jpg"),
        ("居間.jpg", "居間.jpg"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("a\\b:c*d?.png", "a_b_c_d_.png"),
        ("safe\u202egpj.exe", "safegpj.exe"),
        ("zero\u200bwidth\x00\n.jpg", "zerowidth.jpg"),
        ("lone\ud800surrogate.jpg", "lonesurrogate.jpg"),
        ("nul.jpg", "_nul.jpg"),
        ("COM1.old.jpg", "_COM1.old.jpg"),
        ("com¹", "_com¹"),
        ("console.jpg", "console.jpg"),
        (" dots and spaces . ", "dots and spaces"),
        (".jpg", "file.jpg"),
        (".hidden", "hidden"),
        ("", "file"),
        ("...", "file"),
        ("\u2003.jpg", "file.jpg"),
    ],
)
def test_a_name_is_made_safe_wherever_it_is_unpacked(given: str, kept: str) -> None:
    assert sanitize(given) == kept


@pytest.mark.parametrize("letter", ["x", "ü", "居", "🏠"])
def test_a_long_name_is_cut_before_its_ending(letter: str) -> None:
    cut = sanitize(letter * 300 + ".jpeg")
    assert cut.endswith(letter + ".jpeg")
    assert MAX_BYTES - 4 < len(cut.encode()) <= MAX_BYTES


def test_no_two_names_are_alike_even_to_those_who_ignore_case_and_composition() -> None:
    given = ["front.jpg", "front.jpg", "Front.JPG", "front (2).jpg", "cafe\u0301.jpg", "caf\u00e9.jpg", "a", "a"]
    assert make_unique(given) == [
        "front.jpg",
        "front (2).jpg",
        "Front (3).JPG",
        "front (2) (2).jpg",
        "caf\u00e9.jpg",
        "caf\u00e9 (2).jpg",
        "a",
        "a (2)",
    ]


@pytest.mark.parametrize(
    ("given", "plain"),
    [
        ("C:\\Bilder\\Küche & Bad (2).JPG", "kuche-bad-2"),
        ("../../nul.jpg", "nul"),
        ("x" * 39 + " - y.jpg", "x" * 39),
        ("居間.jpg", ""),
        (".jpg", "jpg"),
    ],
)
def test_names_in_packs_are_made_of_plain_letters(given: str, plain: str) -> None:
    assert plain_stem(given, 40) == plain
