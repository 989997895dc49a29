"""Runs the soak of this name: `python -m bench.soak flood --photos 10000`; bench/README.md lists them."""

import importlib
import signal
import sys

# Asked to end, a soak must still end what it started.
signal.signal(signal.SIGTERM, signal.default_int_handler)
sys.exit(importlib.import_module(f"bench.soak.{sys.argv[1]}").main(sys.argv[2:]))
