"""The command `spielwerk`, also as `python -m spielwerk`: light, so that it hears Ctrl-C while the rest is loaded."""

from __future__ import annotations

import os

from spielwerk.commands.shared.stopping import ending_at_once

# How often a thread of torch looks for its next work before it gives up its core. By default it is ten times as often:
# no faster on idle cores, and half as fast beside other programs, whose cores are spent on looking.
SPINS = ("GOMP_SPINCOUNT", "30000")


def main() -> None:
    """The entry point."""
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault(*SPINS)
    with ending_at_once():
        from spielwerk import cli
    cli.main()


if __name__ == "__main__":
    main()
