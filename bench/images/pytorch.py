# SPDX-License-Identifier: MIT
"""images for the Python DataLoader. "sample": one image at a time; "best": __getitems__ makes the batch in one call."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "throughput"))
import pytorch_rival  # noqa: E402: it tells why torch is missing
import torch  # noqa: E402

STORED = 512
IMAGE_BYTES = 3 * 224 * 224


def make_images():
    """The same bytes as images/pixels.hpp."""
    byte = torch.arange(IMAGE_BYTES)
    row = 7 * byte + byte // 256
    rows = [((31 * image + row) % 251).to(torch.uint8) for image in range(STORED)]
    return torch.stack(rows).view(STORED, 3, 224, 224)


class StoredImages(torch.utils.data.Dataset):
    def __init__(self, store, num_samples):
        self.store, self.num_samples = store, num_samples

    def __len__(self):
        return self.num_samples

    def __getitem__(self, index):
        return self.store[index % STORED], index


class StoredImagesAtOnce(StoredImages):
    def __getitems__(self, indices):
        out = pytorch_rival.output_tensor((len(indices), 3, 224, 224), torch.uint8)
        labels = torch.tensor(indices)
        torch.index_select(self.store, 0, labels % STORED, out=out)
        return out, labels


def main():
    store = make_images()

    def make(num_samples):
        if sys.argv[1] == "best":
            return StoredImagesAtOnce(store, num_samples), {"collate_fn": pytorch_rival.same}
        return StoredImages(store, num_samples), {}

    pytorch_rival.serve(make, lambda batch: (batch[0], batch[1]))


if __name__ == "__main__":
    main()
