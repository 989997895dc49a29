"""The release before serves on while the tables move on under it, and the new one takes over without a loss."""

import subprocess

import pytest

from bench.soak import upgrades
from tests import databases
from tests.journeys.service import ROOT
from tests.journeys.whole import FEW_PROGRAMS

SHALLOW = subprocess.run(
    ("git", "rev-parse", "--is-shallow-repository"), cwd=ROOT, capture_output=True, text=True, check=False
).stdout


@pytest.mark.long
@pytest.mark.skipif(SHALLOW.strip() != "false", reason="the release before is not in this checkout's history")
def test_the_release_before_serves_while_the_tables_move_on(capfd) -> None:
    status = upgrades.run(2, 3, databases.GIVEN or None, **FEW_PROGRAMS)
    told = capfd.readouterr().out
    assert status == 0, told
    assert "5xx 0, wrong 0, rows lost 0" in told
