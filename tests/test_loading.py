"""How the modules of a process are loaded at its start."""

import gc
import subprocess
import sys
from pathlib import Path

import pytest

from app.loading import load

ROOT = Path(__file__).parents[1]


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a module that is found by the name `loaded_for_a_test`."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path / "loaded_for_a_test.py"


def test_the_collector_waits_while_modules_are_loaded_and_goes_on_after(module: Path) -> None:
    module.write_text("import gc; collects = gc.isenabled()")
    try:
        assert load("loaded_for_a_test").collects is False
        assert gc.isenabled()
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()
        del sys.modules["loaded_for_a_test"]


def test_the_collector_goes_on_where_a_module_cannot_be_loaded(module: Path) -> None:
    module.write_text("raise LookupError('no')")
    try:
        with pytest.raises(LookupError):
            load("loaded_for_a_test")
        assert gc.isenabled()
    finally:
        gc.unfreeze()


def test_gunicorn_loads_the_application_once_and_leaves_it_to_each_worker_to_make_it() -> None:
    program = (
        "import runpy, sys; conf = runpy.run_path('gunicorn.conf.py'); before = 'app.application' in sys.modules; "
        "conf['on_starting'](None); "
        "print(before, 'app.application' in sys.modules, 'wsgi' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "False True False\n"


@pytest.mark.parametrize("command", [["work", "--help"], ["sweeper", "--help"], ["up", "--help"]])
def test_no_process_loads_alembic_pages_or_pictures_before_it_needs_them(command: list[str]) -> None:
    program = (
        "import sys\n"
        "from app.loading import load\n"
        "processes = load('app.cli.process_commands').processes\n"
        f"processes({command}, standalone_mode=False)\n"
        "print([each for each in ('alembic', 'flask', 'cv2', 'numpy', 'boto3') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"
