"""Other releases of the engine: an interpreter as an operator adds it, and programs that are none."""

import shutil
import sys
from pathlib import Path
from textwrap import dedent

from engine import version as here
from engine.version import RELEASE

HERE = Path(here.__file__).parent


def make_python(folder: Path, modules: Path) -> str:
    """An interpreter like that of a Python environment with these modules."""
    return write(folder / "python", f'PYTHONPATH="{modules}" exec "{sys.executable}" "$@"')


def make_release(folder: Path, release: str) -> str:
    """The interpreter of a release that is like this one but for its name, and can be changed in `folder`."""
    copy = folder / "engine"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    version = copy / "version.py"
    version.write_text(version.read_text().replace(f'"{RELEASE}"', f'"{release}"'))
    return make_python(folder, folder)


def write(path: Path, script: str) -> str:
    """A program of the shell."""
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def write_child(folder: Path, program: str) -> str:
    """An interpreter that runs this program of Python, whatever it is asked to run. It can say hello and done."""
    module = folder / "child.py"
    module.write_text(
        "import os, sys, time\n"
        "from engine.messages import *\n"
        "from engine.version import engine_version\n"
        "from engine.types.enhancements import Enhancement\n"
        "from engine.types.options import OPTIONS\n"
        "def say(kind, *files, **head): write_message(sys.stdout.buffer, Message(kind, head, files))\n"
        "def hear(): return read_message(sys.stdin.buffer, 1 << 30)\n"
        "def done(*files, **facts): say(MessageKind.DONE, *files, report={}, picture=facts)\n"
        "def hello(**other):\n"
        "    about = {'protocol': PROTOCOL, 'version': engine_version(), 'enhancements': list(Enhancement)}\n"
        "    about['options'] = {each.name: list(each.choices) for each in OPTIONS}\n"
        "    say(MessageKind.HELLO, **{**about, **other})\n" + dedent(program)
    )
    return write(folder / "python", f'PYTHONPATH="{HERE.parent}" exec "{sys.executable}" "{module}"')
