"""The command `spielwerk`, also as `python -m spielwerk`: light, so that it hears Ctrl-C while the rest is loaded."""

from __future__ import annotations

from spielwerk.commands.shared.stopping import ending_at_once


def main() -> None:
    """The entry point."""
    with ending_at_once():
        from spielwerk import cli
    cli.main()


if __name__ == "__main__":
    main()
