"""Paths: which inputs of a genome reach an output."""

from spielwerk.learn.evolution.genome.genome import EDGES, FROM, NODES, ON, TO


def connected(g, edge, node, inputs, outputs, genomes, marks):
    """How many inputs reach an output by edges that are on, without `edge` and without `node` (-1 for none)."""
    sizes, _, _, edges, _ = genomes
    for place in range(sizes[g, NODES]):
        marks[place] = 1 if inputs <= place < inputs + outputs else 0
    changed = True
    while changed:
        changed = False
        for e in range(sizes[g, EDGES]):
            a = edges[g, e, FROM]
            b = edges[g, e, TO]
            open = e != edge and edges[g, e, ON] != 0 and a != node and b != node
            if open and marks[b] == 1 and marks[a] == 0:
                marks[a] = 1
                changed = True
    count = 0
    for place in range(inputs):
        count += marks[place]
    return count
