# SPDX-License-Identifier: MIT
"""The Python DataLoader as a process that obeys commands, one line of JSON each (see rival_process.hpp).

A workload's script calls serve() with a function that makes its dataset:
  make(num_samples) -> (dataset, options of DataLoader),  view(batch) -> (values, labels), both tensors.
"""
import json
import os
import sys
import time

try:
    import warnings

    warnings.filterwarnings("ignore", message=".*numpy.*")
    warnings.filterwarnings("ignore", message=".*suggested max number of worker.*")
    import torch
    from torch.utils.data import DataLoader
except Exception as error:  # noqa: BLE001: whatever keeps torch from being imported is the reason to be told
    print(json.dumps({"left_out": f"Python torch cannot be imported by {sys.executable}: {error}"}), flush=True)
    sys.exit(0)


class Rival:
    def __init__(self, make, view):
        self.make, self.view, self.loader = make, view, None

    def open(self, num_samples, batch_size, num_workers, prefetch_factor):
        self.loader = None  # ends the workers of the former one
        dataset, options = self.make(num_samples)
        if num_workers > 0:
            options |= {"num_workers": num_workers, "prefetch_factor": prefetch_factor, "persistent_workers": True}
        options["batch_size"] = batch_size
        self.loader = DataLoader(dataset, **options)
        return {}

    def check(self):
        labels, sums = [], []
        for batch in self.loader:
            values, targets = self.view(batch)
            kind = torch.float64 if values.is_floating_point() else torch.int64
            sums.append(float(values.sum(dtype=kind)))
            labels += targets.reshape(-1).tolist()
        return {"labels": labels, "sums": sums}

    def round(self):
        start = time.perf_counter()
        for batch in self.loader:
            self.view(batch)[0].view(-1)[0].item()
        return {"seconds": time.perf_counter() - start}


def output_tensor(shape, dtype):
    """Memory for a batch: shared memory in a worker, as default_collate takes it, so that sending it copies nothing."""
    count = 1
    for size in shape:
        count *= size
    if torch.utils.data.get_worker_info() is None:
        return torch.empty(shape, dtype=dtype)
    storage = torch.UntypedStorage._new_shared(count * torch.empty(0, dtype=dtype).element_size(), device="cpu")
    return torch.empty(0, dtype=dtype).set_(storage, 0, shape, torch.empty(shape, device="meta").stride())


def same(batch):
    """A collate_fn for datasets whose __getitems__ makes the batch."""
    return batch


def serve(make, view):
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing that a library prints may look like an answer

    def answer(message):
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    rival = Rival(make, view)
    answer({"version": torch.__version__})
    for line in sys.stdin:
        message = json.loads(line)
        command = message.pop("command")
        if command == "quit":
            break
        try:
            answer(getattr(rival, command)(**message))
        except Exception as error:  # noqa: BLE001: told to the measuring process, which decides
            answer({"error": f"{type(error).__name__}: {error}"})
    rival.loader = None
