"""Loads the modules of a process at its start."""

import gc
from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import a module with all that it imports.

    Python's collector waits meanwhile, and leaves alone for good what has come: modules and classes stay, to look
    for garbage among them took a sixth of a start, and would copy the pages that forked processes share.
    """
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()
