"""The engine's version changes with everything that decides the bytes of a result, and with nothing else."""

import ast
import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from app import engine_version as versions
from app.engine_version import PACKAGES, RELEASE, RULES, engine_version, find_version, list_files

ROOT = Path(__file__).parents[1]
APP = ROOT / "app"
RELEASES = {name: version(name) for name in PACKAGES}


@pytest.fixture
def small_app(tmp_path: Path) -> Path:
    """A folder like app, with the rules and a small engine: code in two folders, weights, notes, compiled code."""
    app = tmp_path / "app"
    for name in RULES:
        (app / "domain" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(APP / "domain" / name, app / "domain" / name)
    (app / "engine/sky/__pycache__").mkdir(parents=True)
    (app / "engine/pipeline.py").write_text("STEPS = 1\n")
    (app / "engine/sky/clouds.py").write_text("CLOUDS = 2\n")
    (app / "engine/sky/net.onnx").write_bytes(b"\0" * 100)
    (app / "engine/sky/net.md").write_text("how it was made")
    (app / "engine/sky/__pycache__/clouds.pyc").write_bytes(b"compiled")
    return app


def test_the_version_is_the_release_and_a_digest() -> None:
    release, _, digest = engine_version().partition("+")
    assert release == RELEASE
    assert f"\n## {RELEASE}\n" in (ROOT / "CHANGELOG.md").read_text()
    assert len(digest) == 8
    assert set(digest) <= set("0123456789abcdef")
    assert engine_version() == find_version(APP, RELEASES)


def test_another_process_finds_the_same_version_without_loading_what_works_on_pictures() -> None:
    program = (
        "import sys; from app.engine_version import engine_version; print(engine_version());"
        "print(sorted({'numpy', 'cv2', 'PIL', 'mitsuba', 'app.engine'} & set(sys.modules)))"
    )
    told = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.split("\n")[:2] == [engine_version(), "[]"]


def test_every_file_that_decides_changes_it(small_app: Path) -> None:
    before = find_version(small_app, RELEASES)
    found = {before}
    files = list_files(small_app)
    assert [each.name for each in files if "engine" in each.parts] == ["pipeline.py", "clouds.py", "net.onnx"]
    for path in files:
        content = path.read_bytes()
        path.write_bytes(content + b"\n")
        found.add(find_version(small_app, RELEASES))
        path.write_bytes(content)
    assert len(found) == len(files) + 1
    assert find_version(small_app, RELEASES) == before


def test_a_file_that_comes_goes_or_is_renamed_changes_it(small_app: Path) -> None:
    found = [find_version(small_app, RELEASES)]
    new = small_app / "engine/sky/moon.py"
    new.write_text("MOON = 1\n")
    found.append(find_version(small_app, RELEASES))
    new.rename(small_app / "engine/moon.py")
    found.append(find_version(small_app, RELEASES))
    (small_app / "engine/pipeline.py").unlink()
    found.append(find_version(small_app, RELEASES))
    assert len(set(found)) == 4


@pytest.mark.parametrize("package", PACKAGES)
def test_another_release_of_a_package_changes_it(small_app: Path, package: str) -> None:
    assert find_version(small_app, {**RELEASES, package: "999"}) != find_version(small_app, RELEASES)


def test_another_release_of_the_service_is_seen_in_it(small_app: Path) -> None:
    assert find_version(small_app, RELEASES, "9.9.9").startswith("9.9.9+")


def test_notes_and_compiled_code_change_nothing(small_app: Path) -> None:
    before = find_version(small_app, RELEASES)
    (small_app / "engine/sky/net.md").write_text("made otherwise")
    (small_app / "engine/sky/__pycache__/clouds.pyc").write_bytes(b"compiled again")
    assert find_version(small_app, RELEASES) == before


def test_a_package_that_is_not_installed_has_a_version_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = engine_version()
    engine_version.cache_clear()
    monkeypatch.setattr(versions, "PACKAGES", ("numpy", "no-such-package"))
    try:
        assert engine_version() not in ("", before)
    finally:
        engine_version.cache_clear()


def imported(path: Path) -> set[str]:
    """The modules of app that a file imports, and the names it takes from them as if they were modules."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
        elif isinstance(node, ast.Import):
            names |= {each.name for each in node.names}
    return {name for name in names if name.startswith("app.")}


def file_of(module: str) -> Path | None:
    path = ROOT / module.replace(".", "/")
    return next((each for each in (path.with_suffix(".py"), path / "__init__.py") if each.exists()), None)


def test_every_file_of_ours_that_the_engine_reads_is_counted() -> None:
    seen: set[Path] = set()
    waiting = list((APP / "engine").rglob("*.py"))
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += filter(None, map(file_of, imported(path)))
    folders = {parent / "__init__.py" for path in seen for parent in path.parents if parent.is_relative_to(APP)}
    read = (seen | folders) - {APP / "__init__.py"}
    assert {each for each in list_files(APP) if each.suffix == ".py"} == read
