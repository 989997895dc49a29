"""`python -m engine` in the process of the tests."""

import contextlib
import io
from dataclasses import dataclass

import pytest

from engine.__main__ import command


@dataclass(frozen=True, slots=True)
class Run:
    """How a run of the command ended, and what it wrote."""

    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        """All that it wrote."""
        return self.stdout + self.stderr


def ran(*words: object) -> Run:
    """The command run with these words."""
    out, errors = io.StringIO(), io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(errors),
        pytest.raises(SystemExit) as ended,
    ):
        command([str(word) for word in words])
    return Run(int(ended.value.code or 0), out.getvalue(), errors.getvalue())
