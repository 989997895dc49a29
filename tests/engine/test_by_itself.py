"""The engine by itself: what its README promises to whoever wants the pictures alone."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from engine.canvas import Canvas, Declined
from engine.effects.virtual_staging import stage_room
from engine.rendering import tracing
from engine.types.edit_request import EditRequest
from engine.types.enhancements import ENHANCEMENTS, Enhancement
from engine.types.report import Reason
from tests.engine.box_rooms import BoxRoom, KnownScene
from tests.scenes import encoded, house

ROOT = Path(__file__).parents[2]
README = (ROOT / "engine" / "README.md").read_text()
MODULES = {
    "opencv-python-headless": ("cv2",),
    "pillow": ("PIL",),
    "pillow-heif": ("pillow_heif", "_pillow_heif"),
}
"""What a package's modules are called, and those of what comes with it, where that is not its own name."""
GUARD = """
import runpy, sys
allowed = {*sys.argv[1].split(","), *sys.stdlib_module_names, "engine"}
class Guard:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in allowed and not name.startswith("_sysconfigdata_"):
            raise ModuleNotFoundError(f"{name} is not installed", name=name)
sys.meta_path.insert(0, Guard())
sys.argv = ["engine", *sys.argv[2:]]
runpy.run_module("engine", run_name="__main__", alter_sys=True)
"""


def installed() -> list[str]:
    (packages,) = re.findall(r"^pip install (.+)$", README, re.MULTILINE)
    return [module for name in packages.split() for module in MODULES.get(name, (name,))]


def test_a_photo_is_enhanced_with_the_packages_that_the_readme_names_alone(tmp_path: Path) -> None:
    (tmp_path / "house.jpg").write_bytes(encoded(house()))
    options = ["--steps", "sky_enhancement,grass_enhancement", "--out", "better", "--report", "report.json"]
    words = [sys.executable, "-P", "-c", GUARD, ",".join(installed()), "house.jpg", *options]
    done = subprocess.run(
        words, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (photo,) = json.loads((tmp_path / "report.json").read_text())["photos"]
    assert photo["verdict"] == "approved"
    assert (tmp_path / "better" / "house.jpg").stat().st_size > 0


def test_the_readme_has_every_enhancement_in_its_order() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \|$", README, re.MULTILINE)
    assert rows == [(each.id.value, each.effect) for each in ENHANCEMENTS.values()]


def test_the_program_of_the_readme_runs(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    (tmp_path / "house.jpg").write_bytes(encoded(house()))
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["reason"] is None
    assert (tmp_path / "better.jpg").stat().st_size > 0


def test_staging_declines_where_the_renderer_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "is_available", lambda: False)
    pixels, labels = BoxRoom(width=360, height=240, things=()).draw(furnished=False)
    canvas = Canvas(pixels, KnownScene(pixels, labels, None), EditRequest(enhancements=(Enhancement.STAGING,)))
    with pytest.raises(Declined) as declined:
        stage_room(canvas)
    assert declined.value.reason is Reason.NOT_AVAILABLE
