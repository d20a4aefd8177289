"""Row kernels that begin a search in each tree of a forest: Gumbel noise and the plan, or Dirichlet noise."""

from spielwerk.games.rules import mover
from spielwerk.search.trees.gumbel import plan_root
from spielwerk.search.trees.tree import COUNT, FIRST, one_of
from spielwerk.search.trees.variates import gamma_variate


def plan_rows(i, work, actions, weights, results, arrays):
    """Begins a search by Gumbel selection in each tree."""
    plot, simulations, considered, noisy = arrays  # simulations: [trees]
    plan_root(simulations[i], considered, noisy, plot.rngs[i], one_of(plot.trees, i))


def noise_rows(i, work, actions, weights, results, arrays):
    """Mixes the priors at the root of each tree with Dirichlet noise."""
    plot, alpha, share = arrays
    if mover(plot.roots[i]) >= 0:
        mix_noise(alpha, share, plot.rngs[i], one_of(plot.trees, i))


def mix_noise(alpha, share, rng, tree):
    """As `noise_rows`; the numbers are drawn twice, since there is no room to keep them until their sum is known."""
    first, last = tree.links[0, FIRST], tree.links[0, FIRST] + tree.links[0, COUNT]
    begun = rng[0]
    whole = 0.0
    for _ in range(first, last):
        whole += gamma_variate(alpha, rng)
    if whole > 0.0:  # all of them may be too small for a number
        rng[0] = begun
        for child in range(first, last):
            tree.priors[child] = (1.0 - share) * tree.priors[child] + share * gamma_variate(alpha, rng) / whole
