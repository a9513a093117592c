#!/usr/bin/env python3
"""Trains the network: the moves of human games, and the values, leads, ownership and moves of a teacher.

    python training/train.py --rows pro.npy amateur.npy --professional 1 0 --teacher g170e-b15c192.bin.gz --work run

Runs on one GPU, or on a CPU for small networks (`--shape tiny`). Stopped and started again with the same command, it
resumes. README.md describes the steps before and after.
"""

import argparse
import hashlib
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

import data
import net
from katago import Teacher


def parse_args():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--rows", nargs="+", required=True, help="files of `tejun export positions`")
    p.add_argument("--professional", nargs="+", type=int, required=True, help="1 or 0 for each file")
    p.add_argument("--label", nargs="+", type=float, help="share of the positions of each file that the teacher labels")
    p.add_argument("--weights", nargs="+", type=float, help="share of each file in a batch (default: by its size)")
    p.add_argument("--final-weights", nargs="+", type=float, help="the same in the last part of the training")
    p.add_argument("--final-part", type=float, default=0.3, help="how large that part is")
    p.add_argument("--held-out", type=int, default=200, help="hold out one game in N of the first file")
    p.add_argument("--teacher", help="KataGo's network file (.bin.gz)")
    p.add_argument("--work", required=True, help="folder for labels, checkpoints, curves and the result")
    p.add_argument("--shape", default="b10c128", choices=net.SHAPES)
    p.add_argument("--samples", type=float, default=60e6, help="positions to train on, repeated ones counted")
    p.add_argument("--batch", type=int, default=2048)
    p.add_argument("--optimizer", choices=["muon", "adamw"], default="muon")
    p.add_argument("--lr", type=float, default=0.02, help="of the convolutions with muon")
    p.add_argument("--adam-lr", type=float, default=2e-3)
    p.add_argument("--warmup", type=float, default=0.01)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--budget", type=float, help="train for this many seconds; replaces --samples")
    p.add_argument("--label-seconds", type=float, help="end the labelling after this time, with fewer labels")
    p.add_argument("--seconds", type=float, help="stop after this time and keep a checkpoint")
    p.add_argument("--checkpoint-every", type=float, default=120)
    p.add_argument("--no-compile", action="store_true")
    return p.parse_args()


class Muon(torch.optim.Optimizer):
    """Momentum whose updates are made orthogonal (Jordan 2024), for the filters of convolutions.

    Filters of the same shape are handled together. Batch norms follow all of them, so their length does not matter,
    and it is kept constant.
    """

    def __init__(self, params, lr, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))
        self.lengths = {}

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            shapes = {}
            for p in group["params"]:
                shapes.setdefault(p.shape, []).append(p)
            for params in shapes.values():
                updates = []
                for p in params:
                    state = self.state[p]
                    if not state:
                        state["momentum"] = torch.zeros_like(p)
                        state["length"] = p.norm()
                    state["momentum"].lerp_(p.grad, 1 - group["momentum"])
                    updates.append(p.grad.lerp(state["momentum"], group["momentum"]).flatten(1))
                updates = orthogonal(torch.stack(updates))
                for p, update in zip(params, updates):
                    # The orthogonal update has the length of the root of its rank; lr is relative to the filter's.
                    length = self.state[p]["length"]
                    p.add_(update.view_as(p) * (length / update.norm().clamp(min=1e-3) * -group["lr"]))
                    p.mul_(length / p.norm())


def orthogonal(g, steps=5):
    """The nearest matrices whose singular values are about 1, by Newton and Schulz's iteration."""
    a, b, c = 3.4445, -4.7750, 2.0315
    x = g.bfloat16()
    is_tall = x.shape[1] > x.shape[2]
    if is_tall:
        x = x.mT
    x = x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)
    for _ in range(steps):
        y = x @ x.mT
        x = a * x + (b * y + c * (y @ y)) @ x
    return (x.mT if is_tall else x).float()


def labels_of(rows, index, teacher, device, seconds=None, batch=1024):
    """The teacher's answers: win rate, lead, ownership and moves, packed into small numbers; and how many there are.

    After `seconds`, the rest of the index is left without answers.
    """
    n = len(index)
    win = torch.empty(n, dtype=torch.half, device=device)
    lead = torch.empty(n, dtype=torch.half, device=device)
    own = torch.empty(n, 361, dtype=torch.int8, device=device)
    # Sixteenths of the negative logarithm of the probability.
    policy = torch.empty(n, 362, dtype=torch.uint8, device=device)

    look = data.teacher_input
    if device == "cuda":
        look = torch.compile(look)
        # The blocks are alike, so that one compilation serves all of them.
        for block in teacher.blocks:
            block.compile()

    def ask(at):
        planes, numbers = look(rows, at)
        planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            moves, value, points, owner = teacher(planes, numbers)
        value = value.float()
        chance = torch.softmax(value, 1)
        return (
            (chance[:, 0] + 0.5 * chance[:, 2]).half(),
            points.float().clamp(-400, 400).half(),
            (owner.float() * 127).round().to(torch.int8),
            (torch.log_softmax(moves.float(), 1) * -16).round().clamp(max=255).to(torch.uint8),
        )

    start = time.time()
    with torch.no_grad():
        for i in range(0, n, batch):
            at = index[i : i + batch]
            short = batch - len(at)
            if short:
                at = torch.cat([at, at.new_zeros(short)])
            for out, answer in zip((win, lead, own, policy), ask(at)):
                out[i : i + batch] = answer[: batch - short]
            if i // batch % 200 == 50:
                # Reading a number waits for the GPU, so that the clock means something.
                assert math.isfinite(float(lead[i])), "the teacher's answers are not finite"
                spent = time.time() - start
                print(f"labelled {i:,} of {n:,}: {i / spent:,.0f} per second", flush=True)
                if seconds and spent > seconds:
                    n = min(n, i + batch)
                    break
    return (win[:n], lead[:n], own[:n], policy[:n]), n


class Collection:
    """All rows on the device, their labels, and batches of them."""

    def __init__(self, args, device):
        self.device = device
        parts = [data.load(path) for path in args.rows]
        sizes = [len(part) for part in parts]
        self.rows = torch.empty(sum(sizes), 384, dtype=torch.uint8, device=device)
        at = 0
        for part in parts:
            for i in range(0, len(part), 1 << 20):
                piece = torch.from_numpy(part[i : i + (1 << 20)].copy())
                self.rows[at : at + len(piece)] = piece.to(device)
                at += len(piece)
        self.ends = np.cumsum(sizes)
        self.starts = self.ends - sizes
        self.professional = torch.zeros(len(self.rows), dtype=torch.bool, device=device)
        for start, end, flag in zip(self.starts, self.ends, args.professional):
            self.professional[start:end] = bool(flag)
        # Held-out games come from the first file; a game is held out by its number.
        first = self.rows[: sizes[0]]
        game = data.word(first, 380) | (data.word(first, 382) << 16)
        is_held_out = game % args.held_out == 0
        is_detour = (first[:, 361] & data.DETOUR) != 0
        self.held_out = torch.nonzero(is_held_out & ~is_detour)[:, 0]
        self.pools = [torch.nonzero(~is_held_out)[:, 0]]
        for start, end in zip(self.starts[1:], self.ends[1:]):
            self.pools.append(torch.arange(start, end, device=device))
        self.sources, self.targets = data.symmetries(device)
        self.slot = torch.full((len(self.rows),), -1, dtype=torch.int32, device=device)
        self.labels = None

    def label(self, teacher, shares, generator, seconds):
        chosen = []
        for pool, share in zip(self.pools, shares):
            keep = torch.rand(len(pool), device=self.device, generator=generator) < share
            chosen.append(pool[keep])
        chosen = torch.cat(chosen)
        # In random order, so that an early end leaves no game out.
        mixed = torch.randperm(len(chosen), device=self.device, generator=generator)
        index = torch.cat([self.held_out, chosen[mixed]])
        self.labels, n = labels_of(self.rows, index, teacher, self.device, seconds)
        self.slot[index[:n]] = torch.arange(n, dtype=torch.int32, device=self.device)

    def draw(self, counts, generator):
        picked = []
        for pool, count in zip(self.pools, counts):
            places = torch.randint(len(pool), (count,), device=self.device, generator=generator)
            picked.append(pool[places])
        index = torch.cat(picked)
        turn = torch.randint(8, (len(index),), device=self.device, generator=generator)
        return index, turn

    def batch(self, index, turn):
        """Planes and targets; the masks say which targets there are."""
        sources, targets = self.sources[turn], self.targets[turn]
        f = data.Fields(self.rows[index]).turned(sources, targets)
        planes = data.student_planes(f, self.professional[index])
        has_move = f.next <= data.PASS
        decided = ((f.flags & data.DECIDED) != 0) & ((f.flags & data.DETOUR) == 0)
        won = ((f.flags & data.WON) != 0).float()
        slot = self.slot[index].long()
        has_label = slot >= 0
        slot = slot.clamp(min=0)
        win, lead, own, policy = (label[slot] for label in self.labels)
        own = own.gather(1, sources).float() / 127
        points = policy[:, :361].gather(1, sources)
        policy = torch.cat([points, policy[:, 361:]], dim=1)
        policy = torch.softmax(policy.float() / -16, dim=1)
        return planes, (has_move, f.next.clamp(max=361).long(), decided, won, has_label, win.float(), lead.float(), own, policy)


def masked(loss, mask):
    return (loss * mask).sum() / mask.sum().clamp(min=1)


def losses(out, targets):
    has_move, move, decided, won, has_label, win, lead, own, policy = targets
    moves, value, owner = (x.float() for x in out)
    human = torch.log_softmax(moves[:, 0], 1)
    taught = torch.log_softmax(moves[:, 1], 1)
    binary = F.binary_cross_entropy_with_logits
    return {
        "move": masked(F.nll_loss(human, move, reduction="none"), has_move),
        "teacher move": masked(-(policy * taught).sum(1), has_label),
        "win rate": masked(binary(value[:, 0], win, reduction="none"), has_label),
        "result": masked(binary(value[:, 1], won, reduction="none"), decided),
        "lead": masked(F.smooth_l1_loss(value[:, 2], lead / net.LEAD_SCALE, reduction="none"), has_label),
        "ownership": masked((torch.tanh(owner) - own).square().mean(1), has_label),
    }


WEIGHTS = {"move": 1.0, "teacher move": 0.5, "win rate": 1.5, "result": 0.25, "lead": 0.6, "ownership": 1.0}


def evaluate(model, collection, n=65536):
    """Losses and accuracy on games that were held out."""
    model.eval()
    sums, count = {}, 0
    step = max(1, len(collection.held_out) // n)
    index = collection.held_out[::step]
    with torch.no_grad():
        for i in range(0, len(index) - 2047, 2048):
            at = index[i : i + 2048]
            planes, targets = collection.batch(at, torch.zeros_like(at))
            with torch.autocast(collection.device, torch.bfloat16, enabled=collection.device == "cuda"):
                out = model(planes.contiguous(memory_format=torch.channels_last))
            found = {name: float(value) for name, value in losses(out, targets).items()}
            found["bits"] = found["move"] / math.log(2)
            rank = out[0][:, 0].float().argsort(1, descending=True)
            place = (rank == targets[1][:, None]).float().argmax(1)
            for k in (1, 5, 10, 20):
                found[f"top {k}"] = float((place < k).float().mean())
            found["win rate error"] = float((torch.sigmoid(out[1][:, 0].float()) - targets[5]).abs().mean())
            found["lead error"] = float((out[1][:, 2].float() * net.LEAD_SCALE - targets[6]).abs().mean())
            for name, value in found.items():
                sums[name] = sums.get(name, 0.0) + value
            count += 1
    model.train()
    return {name: round(value / max(count, 1), 4) for name, value in sums.items()}


def main():
    args = parse_args()
    work = Path(args.work)
    work.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(args.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    began = time.time()
    generator = torch.Generator(device=device).manual_seed(args.seed)
    collection = Collection(args, device)
    print(f"{len(collection.rows):,} positions, {len(collection.held_out):,} of them held out", flush=True)
    kept = work / "labels.pt"
    if kept.exists():
        collection.slot, collection.labels = torch.load(kept, map_location=device)
    elif args.teacher:
        teacher = Teacher(args.teacher).to(device).eval().to(memory_format=torch.channels_last)
        collection.label(teacher, args.label or [1.0] * len(args.rows), generator, args.label_seconds)
        del teacher
        torch.save((collection.slot, collection.labels), kept)
    else:
        collection.labels = [torch.zeros(1, *shape, device=device) for shape in ((), (), (361,), (362,))]
    print(f"ready after {time.time() - began:.0f} s", flush=True)

    model = net.make(args.shape).to(device).to(memory_format=torch.channels_last)
    filters = [p for name, p in model.named_parameters() if p.ndim == 4 and name.endswith("conv.weight")]
    is_filter = {id(p) for p in filters}
    others = [p for p in model.parameters() if id(p) not in is_filter]
    if args.optimizer == "muon":
        optimizers = [Muon(filters, args.lr), torch.optim.AdamW(others, args.adam_lr, weight_decay=1e-4)]
    else:
        optimizers = [torch.optim.AdamW(model.parameters(), args.adam_lr, weight_decay=1e-2)]
    base = [[g["lr"] for g in o.param_groups] for o in optimizers]
    n_steps = int(args.samples // args.batch)

    def shares(part):
        sizes = [len(pool) for pool in collection.pools]
        weights = args.weights or sizes
        if args.final_weights and part > 1 - args.final_part:
            weights = args.final_weights
        counts = [round(args.batch * w / sum(weights)) for w in weights]
        counts[0] += args.batch - sum(counts)
        return counts

    def forward(index, turn):
        planes, targets = collection.batch(index, turn)
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            out = model(planes.contiguous(memory_format=torch.channels_last))
        found = losses(out, targets)
        return sum(WEIGHTS[name] * value for name, value in found.items()), found

    run = forward if args.no_compile or device == "cpu" else torch.compile(forward)
    step, spent, curve = 0, 0.0, []
    timed_from = None
    checkpoint = work / "checkpoint.pt"
    if checkpoint.exists():
        state = torch.load(checkpoint, map_location=device)
        assert state["args"] == comparable(args), f"{checkpoint} was made with other settings"
        model.load_state_dict(state["model"])
        for optimizer, saved in zip(optimizers, state["optimizers"]):
            optimizer.load_state_dict(saved)
        step, spent, curve, n_steps = state["step"], state["spent"], state["curve"], state["n_steps"]
        generator.set_state(state["generator"].cpu())
        print(f"resumed at step {step:,}", flush=True)

    def save():
        state = {"args": comparable(args), "model": model.state_dict(), "step": step, "spent": spent, "curve": curve}
        state["n_steps"] = n_steps
        state["optimizers"] = [optimizer.state_dict() for optimizer in optimizers]
        state["generator"] = generator.get_state()
        torch.save(state, checkpoint.with_suffix(".new"))
        os.replace(checkpoint.with_suffix(".new"), checkpoint)

    start = last_save = last_print = time.time()
    last_step, running = step, None
    while step < n_steps:
        part = step / n_steps
        rate = min(1.0, part / args.warmup + 0.01) * (0.5 * (1 + math.cos(math.pi * part)) * 0.98 + 0.02 * (1 - part))
        for optimizer, rates in zip(optimizers, base):
            for group, lr in zip(optimizer.param_groups, rates):
                group["lr"] = lr * rate
        loss, found = run(*collection.draw(shares(part), generator))
        for optimizer in optimizers:
            optimizer.zero_grad(set_to_none=True)
        loss.backward()
        for optimizer in optimizers:
            optimizer.step()
        step += 1
        if args.budget and step in (100, 300):
            # The first steps compile; the speed of the next ones says how many fit into the time.
            loss.item()
            if step == 100:
                timed_from = time.time()
            elif timed_from:
                per_step = (time.time() - timed_from) / 200
                left = args.budget - (time.time() - start)
                n_steps = step + max(0, int(left / per_step))
                print(f"{args.batch / per_step:,.0f} positions per second, {n_steps:,} steps", flush=True)
        if step % 20 == 0:
            values = torch.stack([value.detach() for value in found.values()])
            running = values if running is None else running.lerp(values, 0.1)
        if step % 100 == 0 and time.time() - last_print > 10:
            speed = (step - last_step) * args.batch / (time.time() - last_print)
            names = dict(zip(found, [round(float(v), 4) for v in running]))
            print(f"{step * args.batch:,} positions, {speed:,.0f} per second, {names}", flush=True)
            curve.append({"positions": step * args.batch, "speed": round(speed), **names})
            last_print, last_step = time.time(), step
        if time.time() - last_save > args.checkpoint_every:
            last_save = time.time()
            spent += last_save - start
            start = last_save
            curve.append({"positions": step * args.batch, "held out": evaluate(model, collection)})
            print(f"{step * args.batch:,} positions: held out {curve[-1]['held out']}", flush=True)
            save()
        if args.seconds and time.time() - began > args.seconds:
            break
    spent += time.time() - start
    found = evaluate(model, collection)
    curve.append({"positions": step * args.batch, "held out": found})
    print(f"after {step * args.batch:,} positions and {spent:.0f} s: held out {found}", flush=True)
    save()
    if step >= n_steps:
        finish(args, work, model, curve, spent, collection)


def comparable(args):
    """The settings that must not change when a run is resumed."""
    return {k: v for k, v in vars(args).items() if k not in ("seconds", "checkpoint_every", "no_compile", "work")}


def hash_of(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 24):
            digest.update(block)
    return digest.hexdigest()


def finish(args, work, model, curve, spent, collection):
    torch.save({"shape": args.shape, "model": model.state_dict()}, work / "network.pt")
    made = {
        "settings": comparable(args),
        "loss weights": WEIGHTS,
        "positions": len(collection.rows),
        "labelled": len(collection.labels[0]),
        "device": torch.cuda.get_device_name() if torch.cuda.is_available() else "CPU",
        "torch": torch.__version__,
        "seconds": round(spent),
        "data": {os.path.basename(path): hash_of(path) for path in args.rows + ([args.teacher] if args.teacher else [])},
        "code": {name.name: hash_of(name) for name in sorted(Path(__file__).parent.glob("*.py"))},
        "curve": curve,
    }
    (work / "network.json").write_text(json.dumps(made, indent=1) + "\n")


if __name__ == "__main__":
    main()
