"""Imports large modules quickly."""

import gc
from importlib import import_module
from types import ModuleType


def load(name: str) -> ModuleType:
    """Import a module with the garbage collector off, and exclude all objects so far from later collections.

    Modules and classes are never garbage. Searching them took a sixth of the start-up time. It also writes to their
    memory pages, so that forked processes could not share these pages any more.
    """
    gc.disable()
    try:
        return import_module(name)
    finally:
        gc.freeze()
        gc.enable()
