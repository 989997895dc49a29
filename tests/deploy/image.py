"""Builds and runs deploy/Dockerfile without a daemon: its steps one by one, in name spaces of the kernel, as root.

This machine's Python 3.11 and its Debian stand for the base image. What the steps write lies in a folder. Packages
are not downloaded again: those that the step would install are linked to where this machine has them, in the very
versions, and no others.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from tests.deploy.files import DEPLOY, ROOT

PLACE = Path("/srv/brightlist")
DATA = Path("/var/lib/brightlist")
PYTHON = Path("/opt/python")
PACKAGES = Path("/srv/packages")
REQUIRED = "deploy/requirements/run.txt"
SCRIPT = """#!{place}/.venv/bin/python
import sys
from {module} import {attribute}
sys.exit({attribute}())
"""


def instructions() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile in their order, each with its arguments on one line."""
    text = re.sub(r"^#.*\n", "", (DEPLOY / "Dockerfile").read_text(), flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", "", text)
    return [(name, rest) for name, rest in re.findall(r"^([A-Z]+) (.+)$", joined, re.MULTILINE)]


@dataclass
class Image:
    """What the Dockerfile makes, in a folder."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ()
    health: tuple[str, ...] = ()
    user: str = ""

    def __post_init__(self) -> None:
        for name in ("place", "etc", "lib"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "lib" / DATA.name).mkdir()
        shutil.copytree("/etc", self.folder / "etc", dirs_exist_ok=True, symlinks=True)

    @property
    def data(self) -> Path:
        """The volume."""
        return self.folder / "lib" / DATA.name

    def build(self) -> None:
        """Take every instruction. Raises CalledProcessError for a step that fails."""
        for name, rest in instructions():
            match name:
                case "RUN" if "pip install" in rest:
                    self._install(rest)
                case "RUN":
                    subprocess.run(self._entered(f"cd {PLACE} && {rest}"), check=True, env=self._outer())
                case "COPY" if not rest.startswith("--from"):
                    self._copy(*rest.split())
                case "ENV":
                    pairs = (each.partition("=") for each in shlex.split(rest.replace("$PATH", "PATH_BEFORE")))
                    self.environ |= {key: value.replace("PATH_BEFORE", self._path()) for key, _, value in pairs}
                case "USER":
                    self.user = rest.partition(":")[0]
                case "CMD":
                    self.command = tuple(json.loads(rest))
                case "HEALTHCHECK":
                    self.health = tuple(json.loads(rest[rest.index("[") :]))

    def start(self, *command: str, **environ: str) -> subprocess.Popen[bytes]:
        """Run a command as the image would: its user, nothing else to write to than the volume and /tmp."""
        drop = f"setpriv --reuid {self.user} --regid {self.user} --clear-groups --no-new-privs --bounding-set=-all"
        # Where this machine's Python was built to find its own library, nobody may look.
        environ = {"LD_LIBRARY_PATH": f"{PYTHON}/lib", **environ}
        given = " ".join(shlex.quote(f"{key}={value}") for key, value in (self.environ | environ).items())
        sealed = (
            f"mount -o remount,bind,ro {PLACE} && mount --bind {self.data} {DATA} && mount -o remount,bind,ro /etc "
            f"&& mount -t tmpfs none /tmp && mount -o remount,bind,ro / && cd {PLACE} "
            f"&& exec {drop} env -i {given} {shlex.join(command)}"
        )
        return subprocess.Popen(self._entered(sealed), env=self._outer())

    def _install(self, step: str) -> None:
        assert f"--require-hashes --requirement {REQUIRED}" in step
        made = f"cd {PLACE} && python3 -m venv --without-pip .venv"
        subprocess.run(self._entered(made), check=True, env=self._outer())
        environment = self.folder / "place" / ".venv"
        (packages,) = environment.glob("lib/python*/site-packages")
        lines = re.findall(r"^[\w.-]+==[^\\\n]+", (ROOT / REQUIRED).read_text(), re.MULTILINE)
        pins = [each for each in map(Requirement, lines) if each.marker is None or each.marker.evaluate()]
        assert len(pins) > 50
        for pin in pins:
            found = metadata.distribution(pin.name)
            assert found.version in pin.specifier, f"this machine has {found.version}, and {REQUIRED} {pin}"
            for entry in {each.parts[0] for each in found.files or ()} - {".."}:
                if not (packages / entry).is_symlink():
                    (packages / entry).symlink_to(PACKAGES / entry)
            for script in found.entry_points.select(group="console_scripts"):
                path = environment / "bin" / script.name
                path.write_text(SCRIPT.format(place=PLACE, module=script.module, attribute=script.attr))
                path.chmod(0o755)

    def _copy(self, *words: str) -> None:
        *sources, target = words
        for source in sources:
            listed = subprocess.check_output(
                ("git", "ls-files", "-z", "-co", "--exclude-standard", source), cwd=ROOT
            )
            for name in filter(None, listed.decode().split("\0")):
                below = Path(name).relative_to(source) if (ROOT / source).is_dir() else Path(name).name
                place = self.folder / "place" / target / below
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, place)

    def _entered(self, script: str) -> list[str]:
        binds = {
            PYTHON: Path(sys.base_prefix),
            PLACE: self.folder / "place",
            PACKAGES: Path(sysconfig.get_path("purelib")),
            Path("/etc"): self.folder / "etc",
            DATA.parent: self.folder / "lib",
        }
        mounts = [f"mount -t tmpfs -o mode=755 none {each}" for each in (PYTHON.parent, PLACE.parent)]
        mounts += [f"mkdir {PYTHON} {PLACE} {PACKAGES}"]
        mounts += [f"mount --bind {shlex.quote(str(source))} {target}" for target, source in binds.items()]
        return ["unshare", "--mount", "sh", "-euc", " && ".join([*mounts, script])]

    def _path(self) -> str:
        return f"{PYTHON}/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

    def _outer(self) -> dict[str, str]:
        # What leads to packages on this machine is the machine's, as in a build behind a mirror.
        kept = {
            key: value
            for key, value in os.environ.items()
            if key.startswith(("PIP_", "UV_", "NPM_", "npm_", "SSL_"))
        }
        return {**kept, "PATH": self._path(), "HOME": "/root"}
