"""The walk-through of docs/api.md works as it stands there."""

import re
import subprocess
from pathlib import Path

from tests import scenes
from tests.journeys.service import ROOT, Service
from tests.waiting import ORDER_SECONDS


def walk_through() -> str:
    section = (ROOT / "docs" / "api.md").read_text().split("## Walk-through for programs")[1].split("\n## ")[0]
    return "\n".join(re.findall(r"```sh\n(.*?)```", section, re.DOTALL))


def test_the_walk_through_gives_enhanced_photos(service: Service, tmp_path: Path) -> None:
    (tmp_path / "front.jpg").write_bytes(scenes.encoded(scenes.house(320, 214)))
    (tmp_path / "room.jpg").write_bytes(scenes.encoded(scenes.room(320, 214)))
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "wsgi.py").symlink_to(ROOT / "wsgi.py")
    commands = walk_through().replace("http://localhost:8000", service.url)
    assert service.url in commands
    environ = {**service.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=tmp_path,
        env=environ,
        capture_output=True,
        text=True,
        timeout=ORDER_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert '"status":"approved"' in done.stdout
    for name, original in (("front-better.jpg", "front.jpg"), ("room-better.jpg", "room.jpg")):
        better = (tmp_path / name).read_bytes()
        assert better.startswith(b"\xff\xd8\xff")
        assert better != (tmp_path / original).read_bytes()
    assert service.flask("check").returncode == 0
