"""The tests; `tests/architecture` guards the shape of the code, `tests/conformance` the interface."""
