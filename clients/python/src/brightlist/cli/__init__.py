"""The command line `brightlist`."""

from brightlist.cli.commands import main

__all__ = ["main"]
