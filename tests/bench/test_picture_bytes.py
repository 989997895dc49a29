"""The comparison of picture digests names what differs, and nothing else."""

from bench.picture_bytes import Entry, compare

BEFORE: dict[str, Entry] = {
    "one: golden_hour": {"pixels": "a", "figures": [[1.0, True]]},
    "two: declutter": {"pixels": None, "figures": []},
}


def test_equal_files_differ_in_nothing() -> None:
    assert compare(BEFORE, dict(BEFORE)) == []


def test_what_differs_is_named_by_result_and_kind() -> None:
    after: dict[str, Entry] = {**BEFORE, "one: golden_hour": {"pixels": "b", "figures": [[1.0, True]]}}
    assert compare(BEFORE, after) == ["one: golden_hour: pixels"]


def test_results_that_only_one_file_has_are_named() -> None:
    assert compare(BEFORE, {"two: declutter": BEFORE["two: declutter"]}) == ["only in one file: one: golden_hour"]
