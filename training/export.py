#!/usr/bin/env python3
"""Writes a trained network as the file that tejun reads (docs/book/network.md describes it).

    python training/export.py run/network.pt run/network.json -o network.tejun-net

Batch norms are folded into the convolutions before them, and weights are stored with 16 bits.
"""

import argparse
import json
import os
from pathlib import Path

import torch
import xxhash

import net

MAGIC = b"TEJUNNET"
VERSION = 1


def tensors_of(model):
    """Names and weights in the order of evaluation."""

    def conv(name, layer):
        weight, bias = layer.folded()
        return [(f"{name}.weight", weight), (f"{name}.bias", bias)]

    def plain(name, layer):
        return [(f"{name}.weight", layer.weight), (f"{name}.bias", layer.bias)]

    found = conv("enter", model.enter)
    for i, block in enumerate(model.blocks):
        found += conv(f"blocks.{i}.first", block.first)
        if block.spread is not None:
            found += plain(f"blocks.{i}.spread", block.spread)
        found += conv(f"blocks.{i}.second", block.second)
    found += conv("policy", model.policy)
    found += plain("policy_spread", model.policy_spread)
    found += plain("policy_points", model.policy_points)
    found += plain("policy_pass", model.policy_pass)
    found += conv("value", model.value)
    found += plain("value_hidden", model.value_hidden)
    found += plain("value_out", model.value_out)
    found += plain("ownership", model.ownership)
    return found


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("network", help="network.pt of train.py")
    p.add_argument("made", help="network.json of train.py")
    p.add_argument("--name", default="tejun", help="name of the network")
    p.add_argument("-o", "--output", required=True)
    args = p.parse_args()
    saved = torch.load(args.network, map_location="cpu")
    model = net.make(saved["shape"])
    model.load_state_dict(saved["model"])
    model.eval()
    made = json.loads(Path(args.made).read_text())
    tensors = [(name, weight.detach().half()) for name, weight in tensors_of(model)]
    assert all(weight.isfinite().all() for _, weight in tensors), "a weight is too large for 16 bits"
    header = {
        "name": args.name,
        "n_blocks": model.n_blocks,
        "channels": model.channels,
        "head": model.head,
        "hidden": model.hidden,
        "planes": net.N_PLANES,
        "lead_scale": net.LEAD_SCALE,
        "positions": made["positions"],
        "tensors": [[name, list(weight.shape)] for name, weight in tensors],
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-(16 + len(text)) % 8)
    data = MAGIC + VERSION.to_bytes(4, "little") + len(text).to_bytes(4, "little") + text
    data += b"".join(weight.contiguous().numpy().astype("<f2").tobytes() for _, weight in tensors)
    data += xxhash.xxh3_64_intdigest(data).to_bytes(8, "little")
    temporary = Path(args.output + ".new")
    temporary.write_bytes(data)
    os.replace(temporary, args.output)
    print(f"{args.output}: {len(data):,} bytes, {sum(w.numel() for _, w in tensors):,} weights")


if __name__ == "__main__":
    main()
