# SPDX-License-Identifier: MIT
"""The samplers of the oracle, as in samplers.cpp: same names, same indices."""
from torch.utils.data import BatchSampler, RandomSampler, SequentialSampler, SubsetRandomSampler, WeightedRandomSampler
from torch.utils.data.distributed import DistributedSampler


class WithoutLength:
    """Any iterable will do."""

    def __init__(self, indices):
        self.indices = indices

    def __iter__(self):
        return iter(self.indices)


class Throwing:
    def __init__(self, size):
        self.size = size

    def __len__(self):
        return self.size

    def __iter__(self):
        for index in range(self.size):
            if index == 5:
                raise ValueError("bad sampler")
            yield index


def weights_of(c):
    zero = 0 if c["replacement"] else 0.5
    weights = [index * 7 % 5 + zero for index in range(c["size"])]
    if c["weights"] == "zero":
        return [0.0] * len(weights)
    if weights and c["weights"] != "good":
        weights[-1] = float({"negative": "-1", "infinite": "inf", "nan": "nan"}[c["weights"]])
    return weights


def make_sampler(c, generator):
    size = c["size"]
    made = {
        "": lambda: None,
        "sequential": lambda: SequentialSampler(range(size)),
        "random": lambda: RandomSampler(range(size), bool(c["replacement"]), c["samples"], generator),
        "subset": lambda: SubsetRandomSampler(range(1, size, 2), generator),
        "weighted": lambda: WeightedRandomSampler(weights_of(c), c["samples"], bool(c["replacement"]), generator),
        "distributed": lambda: DistributedSampler(
            range(size), c["ranks"], c["rank"], bool(c["rank_shuffle"]), c["seed"], bool(c["rank_drop"])
        ),
        "list": lambda: [index * 3 % size for index in range(size // 2)],
        "without_length": lambda: WithoutLength([index * 3 % size for index in range(size)]),
        "throws": lambda: Throwing(size),
    }
    return made[c["sampler"]]()


def make_batch_sampler(c, generator):
    size = c["size"]
    lists = [list(range(first, min(first + first % 4 + 1, size))) for first in range(0, size, 3)]
    made = {
        "": lambda: None,
        "lists": lambda: lists,
        "without_length": lambda: WithoutLength(lists),
        "empty_list": lambda: lists[:2] + [[]] + lists[2:],
        "random": lambda: BatchSampler(RandomSampler(range(size), bool(c["replacement"]), c["samples"], generator), 3, False),
        "dropping": lambda: BatchSampler(SequentialSampler(range(size)), 4, True),
    }
    return made[c["batch_sampler"]]()
