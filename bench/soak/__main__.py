"""Runs the soak of this name: `python -m bench.soak images --count 20000 --seed 7`; bench/README.md lists them."""

import importlib
import sys

sys.exit(importlib.import_module(f"bench.soak.{sys.argv[1]}").main(sys.argv[2:]))
