"""The engine's version changes with everything that decides the bytes of a result, and with nothing else."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from engine import version as versions
from engine.version import PACKAGES, RELEASE, engine_version, find_version, list_files

ROOT = Path(__file__).parents[1]
ENGINE = ROOT / "engine"
RELEASES = {name: version(name) for name in PACKAGES}


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder like the engine's: code in two folders, weights, notes, compiled code."""
    (tmp_path / "sky/__pycache__").mkdir(parents=True)
    (tmp_path / "pipeline.py").write_text("STEPS = 1\n")
    (tmp_path / "sky/clouds.py").write_text("CLOUDS = 2\n")
    (tmp_path / "sky/net.onnx").write_bytes(b"\0" * 100)
    (tmp_path / "sky/net.md").write_text("how it was made")
    (tmp_path / "sky/__pycache__/clouds.pyc").write_bytes(b"compiled")
    return tmp_path


def test_the_version_is_the_release_and_a_digest() -> None:
    release, _, digest = engine_version().partition("+")
    assert release == RELEASE
    assert f"\n## {RELEASE}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert len(digest) == 8
    assert set(digest) <= set("0123456789abcdef")
    assert engine_version() == find_version(ENGINE, RELEASES)


def test_another_process_finds_the_same_version_without_loading_what_works_on_pictures() -> None:
    program = (
        "import sys; from engine.version import engine_version; print(engine_version());"
        "print(sorted({'numpy', 'cv2', 'PIL', 'mitsuba', 'engine.pipeline'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split("\n")[:2] == [engine_version(), "[]"]


def test_every_file_that_decides_changes_it(small: Path) -> None:
    before = find_version(small, RELEASES)
    found = {before}
    files = list_files(small)
    assert [each.name for each in files] == ["pipeline.py", "clouds.py", "net.onnx"]
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        found.add(find_version(small, RELEASES))
        path.write_bytes(content)
    assert len(found) == len(files) + 1
    assert find_version(small, RELEASES) == before


def test_a_file_that_comes_goes_or_is_renamed_changes_it(small: Path) -> None:
    found = [find_version(small, RELEASES)]
    new = small / "sky/moon.py"
    new.write_text("MOON = 1\n")
    found.append(find_version(small, RELEASES))
    new.rename(small / "moon.py")
    found.append(find_version(small, RELEASES))
    (small / "pipeline.py").unlink()
    found.append(find_version(small, RELEASES))
    assert len(set(found)) == 4


@pytest.mark.parametrize("package", PACKAGES)
def test_another_release_of_a_package_changes_it(small: Path, package: str) -> None:
    assert find_version(small, {**RELEASES, package: "999"}) != find_version(small, RELEASES)


def test_another_release_of_the_service_is_seen_in_it(small: Path) -> None:
    assert find_version(small, RELEASES, "9.9.9").startswith("9.9.9+")


def test_notes_and_compiled_code_change_nothing(small: Path) -> None:
    before = find_version(small, RELEASES)
    (small / "sky/net.md").write_text("made otherwise")
    (small / "sky/__pycache__/clouds.pyc").write_bytes(b"compiled again")
    assert find_version(small, RELEASES) == before


def test_a_package_that_is_not_installed_has_a_version_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = engine_version()
    engine_version.cache_clear()
    monkeypatch.setattr(versions, "PACKAGES", ("numpy", "no-such-package"))
    try:
        assert engine_version() not in ("", before)
    finally:
        engine_version.cache_clear()
