"""Runs a process of the service: `python -m app.cli.processes …`, the commands of `process_commands.py`."""

from app.preload import load

if __name__ == "__main__":
    load("app.cli.process_commands").processes()
