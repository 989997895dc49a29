"""The pages' third-party files: only what the pins say is ever put in place."""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[1]
FILES = {
    "htmx.org/dist/htmx.min.js": b"htmx",
    "axe-core/axe.min.js": b"axe",
    "vnu-jar/build/dist/vnu.jar": b"vnu",
    "@mediapipe/face_detection/face_detection_full_range.tflite": b"faces",
}
# Stands for npm: "downloads" what lies in the folder named by FAKE_PACKAGES, and notes how it was called.
FAKE_NPM = """#!/bin/sh
echo "$*" >> "$FAKE_CALLS"
[ "$1" = --version ] && exit 0
[ -d "$FAKE_PACKAGES" ] || { echo "npm error request to registry failed" >&2; exit 1; }
cp -r "$FAKE_PACKAGES" node_modules
"""


def integrity(contents: bytes) -> str:
    return "sha384-" + base64.b64encode(hashlib.sha384(contents).digest()).decode()


class Workplace:
    """A checkout in which npm is a stand-in and the pins fit what it delivers."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        shutil.copytree(CHECKOUT / "deploy" / "frontend", self.root / "deploy" / "frontend")
        self.client = self.root / "clients" / "typescript"
        self.client.mkdir(parents=True)
        shutil.copy(CHECKOUT / "clients" / "typescript" / "package-lock.json", self.client)
        self.packages = folder / "packages"
        for name, contents in FILES.items():
            (self.packages / name).parent.mkdir(parents=True)
            (self.packages / name).write_bytes(contents)
        self.pins = self.root / "deploy" / "frontend" / "assets.json"
        groups = json.loads(self.pins.read_text())
        for pin in groups["runtime"] + groups["dev"]:
            pin["integrity"] = integrity(FILES[pin["from"]])
        self.pins.write_text(json.dumps(groups))
        self.calls = folder / "calls"
        npm = folder / "bin" / "npm"
        npm.parent.mkdir()
        npm.write_text(FAKE_NPM)
        npm.chmod(0o755)
        self.path = f"{npm.parent}:{os.environ['PATH']}"
        self.htmx = self.root / "static" / "vendor" / "htmx.min.js"
        self.axe = self.root / "build" / "vendor" / "axe.min.js"

    def assets(self, *options: str, **environ: str) -> subprocess.CompletedProcess[str]:
        fakes = {"PATH": self.path, "FAKE_PACKAGES": str(self.packages), "FAKE_CALLS": str(self.calls), "CI": ""}
        return subprocess.run(
            [sys.executable, str(self.root / "deploy" / "frontend" / "assets.py"), *options],
            env={**os.environ, **fakes, **environ},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def workplace(tmp_path: Path) -> Workplace:
    return Workplace(tmp_path)


def test_every_pinned_file_is_put_in_place_and_a_second_time_nothing_is_downloaded(workplace):
    assert workplace.assets().returncode == 0
    assert (workplace.htmx.read_bytes(), workplace.axe.read_bytes()) == (b"htmx", b"axe")
    called = workplace.calls.read_text()
    assert workplace.assets().returncode == 0
    assert workplace.calls.read_text() == called


def test_the_service_does_without_the_files_of_the_tests(workplace):
    assert workplace.assets("--no-dev").returncode == 0
    assert workplace.htmx.exists()
    assert not workplace.axe.exists()
    assert "--omit=dev" in workplace.calls.read_text()


def test_the_packages_of_the_typescript_client_come_once_for_each_lock_and_only_for_tests(workplace):
    assert workplace.assets("--no-dev").returncode == 0
    assert not (workplace.client / "node_modules").exists()
    assert workplace.assets().returncode == 0
    assert (workplace.client / "node_modules" / "axe-core").is_dir()
    shutil.rmtree(workplace.client / "node_modules" / "axe-core")
    assert workplace.assets().returncode == 0
    assert not (workplace.client / "node_modules" / "axe-core").exists()
    (workplace.client / "package-lock.json").write_text("{}")
    shutil.rmtree(workplace.client / "node_modules")
    assert workplace.assets().returncode == 0
    assert (workplace.client / "node_modules" / "axe-core").is_dir()


def test_scripts_of_packages_do_not_run(workplace):
    workplace.assets()
    assert "ci --ignore-scripts" in workplace.calls.read_text()


def test_a_file_that_was_changed_is_replaced(workplace):
    workplace.assets()
    workplace.htmx.write_bytes(b"changed")
    assert workplace.assets("--check").returncode == 1
    assert workplace.assets().returncode == 0
    assert workplace.htmx.read_bytes() == b"htmx"


def test_a_package_with_other_contents_is_refused_even_outside_ci(workplace):
    (workplace.packages / "htmx.org/dist/htmx.min.js").write_bytes(b"evil")
    answer = workplace.assets()
    assert answer.returncode == 1
    assert "is not what deploy/frontend/assets.json pins" in answer.stderr
    assert not workplace.htmx.exists()


def test_without_a_network_the_service_starts_with_one_line_said(workplace):
    answer = workplace.assets("--no-dev", FAKE_PACKAGES="/nowhere")
    assert answer.returncode == 0
    [line] = answer.stderr.splitlines()
    assert line.startswith("assets: no download (npm error request to registry failed)")


def test_without_a_network_a_ci_run_fails(workplace):
    assert workplace.assets(CI="true", FAKE_PACKAGES="/nowhere").returncode == 1


def test_a_check_names_what_is_missing_and_changes_nothing(workplace):
    answer = workplace.assets("--check")
    assert answer.returncode == 1
    assert "static/vendor/htmx.min.js" in answer.stderr
    assert not workplace.calls.exists()


@pytest.mark.parametrize("folder", ["deploy/frontend", "clients/typescript"])
def test_the_lock_pins_contents_and_names_no_place_to_download_from(folder):
    lock = json.loads((CHECKOUT / folder / "package-lock.json").read_text())
    packages = {name: package for name, package in lock["packages"].items() if name}
    assert packages
    for package in packages.values():
        assert package["integrity"].startswith("sha512-")
        assert "resolved" not in package


def test_every_requirement_is_pinned_by_hash_and_no_index_is_named():
    for path in (CHECKOUT / "deploy" / "requirements").glob("*.txt"):
        requirements = [line for line in path.read_text().splitlines() if line and line[0] not in " #"]
        assert requirements
        assert all("==" in line and line.endswith("\\") for line in requirements), path.name
