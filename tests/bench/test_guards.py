"""The guards that `bench.guards` breaks are where it looks for them, and the tests that should notice exist."""

import pytest

from bench.guards import GUARDS, ROOT, Guard


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: guard.name)
def test_each_guard_is_found_once_and_has_tests(guard: Guard) -> None:
    assert (ROOT / guard.file).read_text(encoding="utf-8").count(guard.text) == 1
    assert guard.text != guard.broken
    assert all((ROOT / test).exists() for test in guard.tests)
