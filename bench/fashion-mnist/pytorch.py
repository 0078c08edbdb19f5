# SPDX-License-Identifier: MIT
"""fashion-mnist for the Python DataLoader. "sample": one image at a time; "best": __getitems__ makes the batch."""
import gzip
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "throughput"))
import pytorch_rival  # noqa: E402: it tells why torch is missing
import torch  # noqa: E402

MEAN, DEVIATION = 0.2860, 0.3530
SCALE, SHIFT = 1.0 / (255.0 * DEVIATION), MEAN / DEVIATION


def read_idx(folder, name, header_bytes):
    path = os.path.join(folder, name)
    opener = open if os.path.exists(path) else gzip.open
    with opener(path if opener is open else path + ".gz", "rb") as file:
        return torch.frombuffer(bytearray(file.read()[header_bytes:]), dtype=torch.uint8)


class FashionImages(torch.utils.data.Dataset):
    def __init__(self, images, labels, num_samples):
        self.images, self.labels, self.num_samples = images, labels, num_samples

    def __len__(self):
        return self.num_samples

    def __getitem__(self, index):
        stored = index % len(self.labels)
        return self.images[stored].to(torch.float32).mul_(SCALE).sub_(SHIFT), int(self.labels[stored])


class FashionImagesAtOnce(FashionImages):
    def __getitems__(self, indices):
        stored = torch.tensor(indices).remainder_(len(self.labels))
        out = pytorch_rival.output_tensor((len(indices), 1, 28, 28), torch.float32)
        torch.mul(self.images[stored], SCALE, out=out).sub_(SHIFT)
        return out, self.labels[stored]


def main():
    variant, folder = sys.argv[1].split(":", 1)
    images = read_idx(folder, "train-images-idx3-ubyte", 16).view(-1, 1, 28, 28)
    labels = read_idx(folder, "train-labels-idx1-ubyte", 8).to(torch.int64)

    def make(num_samples):
        if variant == "best":
            return FashionImagesAtOnce(images, labels, num_samples), {"collate_fn": pytorch_rival.same}
        return FashionImages(images, labels, num_samples), {}

    pytorch_rival.serve(make, lambda batch: (batch[0], batch[1]))


if __name__ == "__main__":
    main()
