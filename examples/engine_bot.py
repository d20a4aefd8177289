"""A program that plays any game of Spielwerk over a pipe, and knows the rules of none: it draws from the legal moves.

    spielwerk match othello engine:"python examples/engine_bot.py" random -n 100

It needs nothing but Python; docs/engines.md describes the lines that it reads and writes.
"""

import random
import sys


def say(line):
    print(line, flush=True)  # a line that waits in a buffer is a line that nobody hears


def main():
    moves, rng = [], random.Random(1)
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "spielwerk":
            say("name Any move will do")
            say("ready")
        elif word == "game":
            say("ready")  # or "error I play only chess"
        elif word == "moves":
            moves = rest.split(" | ")
        elif word == "seed":
            rng.seed(int(rest))  # the same seed, the same move: so the match can be played again
        elif word == "go":
            say(f"bestmove {rng.choice(moves)}")
        elif word == "quit":
            break
        elif word not in ("", "new", "position"):  # this bot needs neither
            say(f"error I do not know {word}")


if __name__ == "__main__":
    main()
