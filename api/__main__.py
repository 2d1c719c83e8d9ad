"""Serve: `python -m api` is `thirtyone serve`."""

from api.cli.serve import command

if __name__ == "__main__":
    command(prog_name="python -m api")
