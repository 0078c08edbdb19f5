# SPDX-License-Identifier: MIT
"""PyTorch's half of the oracle: for each combination, a line of JSON on stdin, its outcome as a line on stdout.

The first line comes unasked: {"version": text}. The fields of a combination are told in combination.hpp, those of an
outcome in runs.hpp.
"""
import gc
import hashlib
import inspect
import json
import os
import sys
import warnings

import torch
from torch.utils.data import DataLoader

from torch_datasets import collate_fn_of, make_dataset
from torch_samplers import make_batch_sampler, make_sampler

MOST_ITEMS = 200  # a loader that never ends must not hang the comparison
KNOWS_IN_ORDER = "in_order" in inspect.signature(DataLoader.__init__).parameters
WARNINGS = {
    "excessive worker creation": "workers",
    "was reported to be": "length",
    "Length of split at index": "split",
}


class Streams:
    """The generators of one combination, seeded."""

    def __init__(self, c):
        torch.manual_seed(c["seed"])
        self.loader = torch.Generator().manual_seed(c["seed"] + 1) if c["generator"] else None
        self.sampler = {
            "none": None,
            "own": torch.Generator().manual_seed(c["seed"] + 2),
            "shared": self.loader,
        }[c["sampler_generator"]]
        self.split = torch.Generator().manual_seed(c["seed"] + 3)

    def states(self):
        blobs = [torch.get_rng_state()] + [g.get_state() for g in (self.loader, self.sampler) if g is not None]
        return [hashlib.sha256(bytes(blob.tolist())).hexdigest() for blob in blobs]


def throwing_init(_worker_id):
    raise ValueError("bad start")


def make_loader(c, streams):
    dataset = make_dataset(c, streams.split)
    options = {
        "batch_size": c["batch_size"],
        "shuffle": bool(c["shuffle"]),
        "sampler": make_sampler(c, streams.sampler),
        "batch_sampler": make_batch_sampler(c, streams.sampler),
        "num_workers": c["workers"],
        "collate_fn": collate_fn_of(c),
        "drop_last": bool(c["drop_last"]),
        "timeout": c["timeout"],
        "worker_init_fn": throwing_init if c["init"] == "throws" else None,
        "generator": streams.loader,
        "persistent_workers": bool(c["persistent"]),
    }
    if c["prefetch"] is not None:
        options["prefetch_factor"] = c["prefetch"]
    if KNOWS_IN_ORDER:
        options["in_order"] = bool(c["in_order"])
    return DataLoader(dataset, **options)


def told(error):
    out = {"error": {"type": type(error).__name__, "message": str(error)}}
    # The frames hold the error, and by this the iterator, in a cycle. Its workers would end only at the next
    # collection, and slowly: the queues that are to tell them are collected at the same time.
    while error is not None:
        error.__traceback__, error = None, error.__context__
    return out


def plain(value):
    """A batch as JSON. Tensors say their dtype and shape."""
    if isinstance(value, torch.Tensor):
        return {
            "dtype": str(value.dtype).split(".")[1],
            "shape": list(value.shape),
            "data": value.reshape(-1).tolist(),
        }
    if isinstance(value, dict):
        return {"map": {key: plain(part) for key, part in value.items()}}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value


def length_of(loader):
    try:
        return len(loader)
    except Exception as error:  # noqa: BLE001: the kind of the error is what is compared
        return told(error)


def take_items(iterator, most):
    items = []
    while len(items) < most:
        try:
            items.append(plain(next(iterator)))
        except StopIteration:
            return items, True
        except Exception as error:  # noqa: BLE001
            items.append(told(error))
    return items, False


def run_epoch(loader, take, streams):
    epoch = {"begin": None, "items": [], "ended": False}
    try:
        iterator = iter(loader)
    except Exception as error:  # noqa: BLE001
        epoch["begin"] = told(error)
    else:
        epoch["items"], epoch["ended"] = take_items(iterator, MOST_ITEMS if take == "all" else int(take))
    epoch["states"] = streams.states()
    return epoch


def run_loader(c):
    streams = Streams(c)
    try:
        loader = make_loader(c, streams)
    except Exception as error:  # noqa: BLE001
        return {"made": told(error)}
    outcome = {"made": None}
    if c["length"] == "first":
        outcome["length"] = length_of(loader)
    outcome["epochs"] = []
    for number, take in enumerate(c["take"].split(",")):
        if c["set_epoch"]:
            loader.sampler.set_epoch(number + 3)
        outcome["epochs"].append(run_epoch(loader, take, streams))
    if c["length"] == "last":
        outcome["length"] = length_of(loader)
    return outcome


def count_warnings(seen):
    counts = {}
    for warning in seen:
        text = str(warning.message)
        kind = next((kind for words, kind in WARNINGS.items() if words in text), text)
        counts[kind] = counts.get(kind, 0) + 1
    return counts


def answer(combination):
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        outcome = run_loader(combination)
    outcome["warnings"] = count_warnings(seen)
    gc.collect()
    return outcome


def serve():
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a library prints may look like an answer

    def write(message):
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    torch.set_num_threads(1)
    gc.disable()  # in a worker it would try to end the workers of a loader that is not its own
    write({"version": torch.__version__})
    for line in sys.stdin:
        write(answer(json.loads(line)))


if __name__ == "__main__":
    serve()
