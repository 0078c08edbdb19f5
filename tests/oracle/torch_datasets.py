# SPDX-License-Identifier: MIT
"""The datasets of the oracle, as in the files run_*.cpp: same names, same samples."""
import torch
from torch.utils import data


def fails(c):
    return {int(index) for index in c["fail"].split(",") if index}


def check(value, failing):
    if value in failing:
        raise ValueError(f"bad sample {value}")
    return value


class Numbers(data.Dataset):
    """Sample i is make(i)."""

    def __init__(self, size, make=lambda index: index):
        self.size, self.make = size, make

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        if index >= self.size:
            raise IndexError(f"index {index} is out of range")
        return self.make(index)


class Bulk(Numbers):
    def __getitems__(self, indices):
        return [self.make(index) for index in indices]


def uneven_row(index):
    return torch.arange(index % 3 + 1)


def mixed(index):
    return torch.tensor(float(index)) if index % 4 == 3 else torch.tensor(index)


def missing_key(index):
    return {"value": index} if index % 5 == 4 else {"value": index, "twice": 2 * index}


def drawn(_index):
    """What tells the workers and their seeds apart."""
    worker = data.get_worker_info()
    if worker is None:
        return torch.tensor([-1, -1, -1])
    return torch.tensor([worker.id, worker.seed, torch.randint(0, 1000, ()).item()])


SAMPLES = {
    "narrow": lambda index: index,
    "doubles": lambda index: index / 3,
    "floats": lambda index: torch.tensor(index / 3),
    "bools": lambda index: index % 3 == 0,
    "strings": lambda index: f"sample {index}",
    "rows": lambda index: torch.tensor([[index, 1, 2], [3, 4, index]]) / 2,
    "lists": lambda index: torch.tensor([index / 4, index / 8], dtype=torch.float64),
    "pairs": lambda index: (index, index / 7),
    "records": lambda index: (index, f"name {index}", (index / 2, index % 2 == 1)),
    "words": lambda index: [f"a{index}", f"b{index}"],
    "maps": lambda index: {"value": index, "twice": 2 * index},
    "missing": missing_key,
    "ragged": uneven_row,
    "mixed": mixed,
    "drawn": drawn,
    "collated": lambda index: index,
}


def compositions(c, generator):
    size = c["size"]
    third = size // 3
    row = torch.arange(size, dtype=torch.float32)
    return {
        "tensors": lambda: data.TensorDataset(torch.stack([row, -row], 1), torch.arange(size)),
        "bad_tensors": lambda: data.TensorDataset(torch.arange(size), torch.arange(size + 1)),
        "stack": lambda: data.StackDataset(Numbers(size), Bulk(size, lambda index: index + 100)),
        "bad_stack": lambda: data.StackDataset(Numbers(size), Numbers(size + 1)),
        "concat": lambda: data.ConcatDataset([Numbers(third), Numbers(size - third, lambda index: index + 100)]),
        "no_concat": lambda: data.ConcatDataset([]),
        "subset": lambda: data.Subset(Numbers(size), range(size - 1, -1, -2)),
        "bulk_subset": lambda: data.Subset(Bulk(size), range(0, size, 3)),
        "bad_subset": lambda: data.Subset(Numbers(size), [0, size]),
        "split": lambda: data.random_split(Numbers(size), [0.7, 0.3], generator)[0],
        "split_lengths": lambda: data.random_split(Numbers(size), [third, size - third], generator)[1],
        "bad_split": lambda: data.random_split(Numbers(size), [third, size + 2], generator)[1],
        "bad_fractions": lambda: data.random_split(Numbers(size), [1.5, -0.5], generator)[1],
    }


class Stream(data.IterableDataset):
    """Gives values(worker, workers) in each worker; goes on behind an error."""

    def __init__(self, values, failing=()):
        self.values, self.failing = values, failing

    def __iter__(self):
        worker = data.get_worker_info()
        return Cursor(self.values(*((0, 1) if worker is None else (worker.id, worker.num_workers))), self.failing)


class Cursor:
    def __init__(self, values, failing):
        self.values, self.failing = iter(values), failing

    def __iter__(self):
        return self

    def __next__(self):
        return check(next(self.values), self.failing)


class Generated(Stream):
    """Over after an error, as a Python generator is."""

    def __iter__(self):
        yield from super().__iter__()


class NoStart(Stream):
    def __iter__(self):
        raise ValueError("bad start")


def claiming(kind, claims):
    """The class with a length, if one is claimed."""
    return kind if claims is None else type(kind.__name__, (kind,), {"__len__": lambda self: claims})


def streams(c):
    size, failing, claims = c["size"], fails(c), c["claims"]
    kind = claiming(Stream, claims)
    second = claiming(Stream, None if claims is None else claims // 2)

    def sharded(worker, workers):
        return range(worker, size, workers)

    return {
        "stream": lambda: kind(lambda worker, workers: range(size), failing),
        "sharded": lambda: kind(sharded, failing),
        "uneven": lambda: kind(lambda worker, workers: range(100 * worker, 100 * worker + size // (worker + 1)), failing),
        "range": lambda: claiming(Generated, claims)(sharded, failing),
        "no_start": lambda: claiming(NoStart, claims)(sharded),
        "chain": lambda: data.ChainDataset(
            [kind(sharded, failing), second(lambda worker, workers: range(200 + worker, 200 + size // 2, workers))]
        ),
    }


def make_dataset(c, generator):
    name = c["dataset"]
    if name in ("plain", "bulk"):
        failing = fails(c)
        return (Bulk if name == "bulk" else Numbers)(c["size"], lambda index: check(index, failing))
    if name in SAMPLES:
        return Numbers(c["size"], SAMPLES[name])
    made = compositions(c, generator).get(name) or streams(c)[name]
    return made()


def collate_fn_of(c):
    if c["dataset"] == "collated":
        return lambda samples: (torch.tensor(sum(samples)), [f"{len(samples)} samples"])
    return None
