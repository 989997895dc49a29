"""Access to external systems, one module for each: implementations of the domain's ports (app/domain/ports.py)."""
