"""The settings of imitation: its command line, its TOML and its documentation."""

from __future__ import annotations

from dataclasses import dataclass

from spielwerk.learn.imitation.data.expansion import NONE, PAPER, SYMMETRIES
from spielwerk.learn.imitation.data.splits import CLEAN
from spielwerk.learn.imitation.data.splits import PAPER as PAPER_SPLIT
from spielwerk.learn.imitation.slots import CASCADE, HEADS, INDEPENDENT, WHOLE
from spielwerk.names import BadInput, choice, setting

KIND = "imitation"
CODE, TEXT = FORMS = ("code", "text")
RESIDUAL, PLAIN, DENSE, STOCHASTIC, RECURRENT = NETS = ("residual", "plain", "dense", "stochastic", "recurrent")
ROW, GRID, CUBE = ENCODINGS = ("row", "grid", "cube")
BY_FORM = -1  # a setting that the form decides


@dataclass(frozen=True)
class Settings:
    """The settings of imitation."""

    epochs: int = setting(300, "passes over the observed moves, at most", 1, 10**6)
    data: str = setting("", "the folder of observed moves: published files, or what `spielwerk dataset` wrote")
    order: str = setting("", "in which order the parts of a move are decided, by their first letters, such as TFR")
    form: str = choice(CODE, TEXT, help="the networks as the source's code has them, or as its text describes them")
    structure: str = choice(
        CASCADE, HEADS, INDEPENDENT, WHOLE, help="networks in a row, one with several outputs, apart, or one for all"
    )
    net: str = choice(RESIDUAL, PLAIN, DENSE, STOCHASTIC, RECURRENT, help="what the networks are made of")
    encoding: str = choice(ROW, GRID, CUBE, help="how the board lies: points in a row, on a grid, or rings on top")
    units: int = setting(BY_FORM, "residual units of each network; -1: as the form says", BY_FORM, 1000)
    width: int = setting(200, "numbers between two units", 1, 8192)
    inner: int = setting(300, "numbers within a unit", 1, 8192)
    dropout: float = setting(-1.0, "share of numbers that are dropped in training; -1: as the form says", -1, 0.95)
    l1: float = setting(0.001, "weight of the sum of all weights (L1) in the loss", 0, 1000)
    rate: float = setting(0.002, "step size of the optimiser (Adam) at the start", 1e-9, 1)
    anneal: float = setting(-1.0, "k of the rate after t epochs, rate / (1 + k t); -1: as the form says", -1, 1000)
    beta1: float = setting(0.99, "what the mean of gradients keeps in a step", 0, 0.999999)
    beta2: float = setting(0.999, "what the mean of their squares keeps in a step", 0, 0.999999)
    batch: int = setting(20_000, "moves of a step of the optimiser", 1, 10**7)
    patience: int = setting(50, "epochs without progress after which a network stops", 1, 10**6)
    expand: str = choice(SYMMETRIES, PAPER, NONE, help="turned boards: each position once, as the source did, or none")
    split: str = choice(
        PAPER_SPLIT, CLEAN, help="as the source did; or no symmetric twin of a learned move in the test"
    )
    share: float = setting(1.0, "share of the moves for training that are used", 1e-6, 1)
    negatives: float = setting(0.0, "weight of illegal moves that the networks are told not to make; 0: none", 0, 1000)
    precision: str = choice("float32", "bfloat16", help="of the network's arithmetic; bfloat16 is mixed precision")

    def __post_init__(self) -> None:
        for name in ("dropout", "anneal"):
            if -1 < getattr(self, name) < 0:
                raise BadInput(f"{KIND}: {name} cannot be {getattr(self, name):g}; write -1 for what the form says.")
        if self.net == RECURRENT and self.structure != CASCADE:
            raise BadInput(f"{KIND}: net={RECURRENT} needs structure={CASCADE}: it says one part after the other.")
        if self.net == RECURRENT and self.encoding != ROW:
            raise BadInput(f"{KIND}: net={RECURRENT} needs encoding={ROW}.")
        if self.structure == WHOLE and self.negatives:
            raise BadInput(f"{KIND}: negatives are for parts of a move, not for structure={WHOLE}.")
