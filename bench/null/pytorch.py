# SPDX-License-Identifier: MIT
"""null for the Python DataLoader. "sample": a number through default_collate; "best": __getitems__ makes the batch."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "throughput"))
import pytorch_rival  # noqa: E402: it tells why torch is missing
import torch  # noqa: E402


class Numbers(torch.utils.data.Dataset):
    def __init__(self, num_samples):
        self.num_samples = num_samples

    def __len__(self):
        return self.num_samples

    def __getitem__(self, index):
        return index


class NumbersAtOnce(Numbers):
    def __getitems__(self, indices):
        return torch.tensor(indices)


def make(num_samples):
    if sys.argv[1] == "best":
        return NumbersAtOnce(num_samples), {"collate_fn": pytorch_rival.same}
    return Numbers(num_samples), {}


if __name__ == "__main__":
    pytorch_rival.serve(make, lambda batch: (batch, batch))
