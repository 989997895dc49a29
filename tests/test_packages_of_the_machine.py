"""deploy/test-packages.sh: a fresh machine gets what the tests need, or hears how."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.browser.visits import BROWSERS, found

SCRIPT = Path(__file__).parents[1] / "deploy" / "test-packages.sh"
OTHERS = ("java", "php", "ruby", "nginx", "promtool", "exiftool")
APT = """#!{bash}
echo "$DEBIAN_FRONTEND $*" >> {calls}
exit {status}
"""


class Machine:
    """A machine with nothing on its PATH but what a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.calls = folder / "bin", folder / "calls"
        self.bin.mkdir()

    def has(self, name: str, text: str = "") -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    def has_apt(self, status: int = 0) -> None:
        self.has("apt-get", APT.format(bash=shutil.which("bash"), calls=self.calls, status=status))

    def set_up(self, ci: str = "") -> subprocess.CompletedProcess[str]:
        environ = {"PATH": str(self.bin), "CI": ci}
        command = [shutil.which("bash"), str(SCRIPT)]
        return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root installs packages")


@pytest.mark.parametrize("browser", BROWSERS)
def test_where_everything_is_there_nothing_happens_and_nothing_is_said(machine: Machine, browser: str) -> None:
    for name in (browser, *OTHERS, "apt-get"):
        machine.has(name)
    done = machine.set_up(ci="true")
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_the_browser_that_only_draws_pages_is_preferred_and_either_does(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(machine.bin))
    seen = [found(*BROWSERS)]
    for name in reversed(BROWSERS):
        machine.has(name)
        seen.append(found(*BROWSERS))
    assert seen == [None, str(machine.bin / "chromium"), str(machine.bin / "chromium-headless-shell")]


@as_root
def test_on_a_fresh_debian_only_what_is_missing_is_installed(machine: Machine) -> None:
    for name in OTHERS:
        machine.has(name)
    machine.has_apt()
    assert machine.set_up(ci="true").returncode == 0
    update, install = machine.calls.read_text().splitlines()
    assert update.startswith("noninteractive update")
    assert install == "noninteractive install -qq -y --no-install-recommends chromium-headless-shell"


def test_elsewhere_one_line_says_how_to_get_it(machine: Machine) -> None:
    done = machine.set_up()
    assert done.returncode == 0
    [line] = done.stderr.splitlines()
    assert (
        "apt-get install --no-install-recommends chromium-headless-shell default-jre-headless php-cli ruby" in line
    )
    assert "prometheus" in line


def test_a_ci_run_without_them_fails(machine: Machine) -> None:
    assert machine.set_up(ci="true").returncode == 1


@as_root
def test_an_installation_that_fails_is_told_and_fails_a_ci_run(machine: Machine) -> None:
    machine.has_apt(status=100)
    assert machine.set_up().returncode == 0
    assert machine.set_up(ci="true").returncode == 1
