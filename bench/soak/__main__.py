"""Runs the soak of this name: `python -m bench.soak flood --photos 10000`; bench/README.md lists them."""

import importlib
import sys

sys.exit(importlib.import_module(f"bench.soak.{sys.argv[1]}").main(sys.argv[2:]))
