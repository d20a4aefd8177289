"""The union of several graphs, for pictures in which all of them have their nodes in the same places."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spielwerk.learn.evolution.genome.genome import ACTIVATION, FROM, NUMBER, ON, TO, Genome


class Union:
    """All nodes and edges that any of the genomes has; nodes are the same where they have the same number."""

    def __init__(self, genomes: Sequence[Genome]) -> None:
        self.inputs, self.outputs = genomes[0].inputs, genomes[0].outputs
        numbers = dict.fromkeys(number for genome in genomes for number in genome.nodes[:, NUMBER].tolist())
        place = {number: node for node, number in enumerate(numbers)}
        self.own = [[place[number] for number in genome.nodes[:, NUMBER].tolist()] for genome in genomes]
        self.present = np.zeros((len(genomes), len(numbers)), bool)
        self.activations = np.zeros((len(genomes), len(numbers)), int)
        for frame, (genome, own) in enumerate(zip(genomes, self.own, strict=True)):
            self.present[frame, own] = True
            self.activations[frame, own] = genome.nodes[:, ACTIVATION]
        self._add_edges(genomes)
        self.columns = self._columns()

    def _add_edges(self, genomes: Sequence[Genome]) -> None:
        """`edges` [edges, 2], and for each frame whether it `has` each of them, `on` or off, and its `weights`."""
        joins = [
            list(zip(*(np.array(own)[genome.edges[:, end]].tolist() for end in (FROM, TO)), strict=True))
            for genome, own in zip(genomes, self.own, strict=True)
        ]
        number = {join: edge for edge, join in enumerate(dict.fromkeys(join for some in joins for join in some))}
        self.edges = np.array(list(number), int).reshape(-1, 2)
        self.has, self.on = np.zeros((2, len(genomes), len(number)), bool)
        self.weights = np.zeros((len(genomes), len(number)))
        for frame, (genome, some) in enumerate(zip(genomes, joins, strict=True)):
            edges = [number[join] for join in some]
            self.has[frame, edges] = True
            self.on[frame, edges] = genome.edges[:, ON] == 1
            self.weights[frame, edges] = genome.weights

    def _columns(self) -> np.ndarray:
        """Each hidden node right of all that lead to it; in the last graphs first, if graphs contradict each other."""
        newest = len(self.has) - 1 - np.argmax(self.has[::-1], axis=0)  # frame that has an edge
        after: list[list[int]] = [[] for _ in self.present[0]]
        for origin, target in self.edges[np.argsort(-newest, kind="stable")].tolist():
            if not _reaches(after, target, origin):  # where it would close a circle, it is drawn leading back
                after[origin].append(target)
        origins, targets = np.array([(a, b) for a, ends in enumerate(after) for b in ends], int).reshape(-1, 2).T
        columns, before = (np.arange(len(after)) >= self.inputs).astype(int), None
        while before is None or (columns != before).any():
            before = columns.copy()
            np.maximum.at(columns, targets, columns[origins] + 1)
        first = self.inputs + self.outputs
        columns[self.inputs : first] = columns[first:].max(initial=0) + 1
        return columns


def _reaches(after: Sequence[Sequence[int]], start: int, end: int) -> bool:
    """Whether a way leads from one node to another."""
    found, left = {start}, [start]
    while left and end not in found:
        new = set(after[left.pop()]) - found
        found |= new
        left.extend(new)
    return end in found
