"""Rows of `tejun export positions` on a device, and what networks see of them. docs/book/network.md describes a row."""

import numpy as np
import torch

from net import N_PLANES

ROW = np.dtype(
    [
        ("points", "u1", (361,)),
        ("flags", "u1"),
        ("komi", "<i2"),
        ("next", "<u2"),
        ("last", "<u2", (5,)),
        ("ko", "<u2"),
        ("number", "<u2"),
        ("game", "<u4"),
    ]
)
WHITE, DECIDED, WON, DETOUR = 1, 2, 4, 8
PASS, NONE = 361, 65535


def load(path):
    """The rows of a file, as bytes."""
    rows = np.load(path, mmap_mode="r")
    assert rows.dtype == ROW, f"{path}: not written by tejun export positions"
    return np.frombuffer(rows, np.uint8).reshape(len(rows), ROW.itemsize) if len(rows) else np.zeros((0, 384), np.uint8)


def word(rows, at):
    """An unsigned number of two bytes."""
    return rows[:, at].int() | (rows[:, at + 1].int() << 8)


class Fields:
    """What is in rows, as tensors."""

    def __init__(self, rows):
        self.points = rows[:, :361]
        self.flags = rows[:, 361].int()
        komi = word(rows, 362)
        self.komi = torch.where(komi >= 32768, komi - 65536, komi).float() / 2
        self.next = word(rows, 364)
        self.last = torch.stack([word(rows, 366 + 2 * i) for i in range(5)], dim=1)
        self.ko = word(rows, 376)
        self.number = word(rows, 378)
        self.game = word(rows, 380) | (word(rows, 382) << 16)

    def turned(self, sources, targets):
        """The same positions turned or mirrored, each by its own symmetry."""
        other = object.__new__(Fields)
        other.__dict__.update(self.__dict__)
        other.points = self.points.gather(1, sources)
        other.next = move_place(self.next, targets)
        other.last = torch.stack([move_place(self.last[:, i], targets) for i in range(5)], dim=1)
        other.ko = move_place(self.ko, targets)
        return other


def move_place(places, targets):
    """Where points go; passes and missing moves stay."""
    moved = targets.gather(1, places.clamp(max=360).long()[:, None])[:, 0].int()
    return torch.where(places < 361, moved, places)


def symmetries(device):
    """For each of the eight symmetries: from which point each point comes, and to which point each goes."""
    sources = []
    for i in range(8):
        grid = np.arange(361).reshape(19, 19)
        grid = np.rot90(grid.T if i >= 4 else grid, i % 4)
        sources.append(grid.reshape(-1))
    sources = np.stack(sources)
    targets = np.argsort(sources, axis=1)
    return torch.tensor(sources.copy(), device=device), torch.tensor(targets, device=device)


def one_hot(places, n_planes):
    """Planes with a one at each place; none for passes and missing moves."""
    wide = torch.zeros(places.shape[0], n_planes, 362, device=places.device)
    wide.scatter_(2, places.clamp(max=361).long()[:, :, None], 1.0)
    return wide[:, :, :361]


def student_planes(f, is_professional):
    """The input of the network, [`N_PLANES`, 19, 19] per position; `View::write_planes` makes the same in Rust."""
    stone = (f.points & 15)[:, None, :]
    kinds = torch.arange(1, 9, device=stone.device)[None, :, None]
    bits = torch.tensor([16, 32, 64, 128], device=stone.device)[None, :, None]
    numbers = torch.stack(
        [
            f.komi / 20,
            is_professional.float(),
            (f.last[:, 0] == NONE).float(),
            f.number.clamp(max=400).float() / 200,
            (f.last[:, 0] == PASS).float(),
        ],
        dim=1,
    )
    planes = torch.cat(
        [
            torch.ones_like(stone).float(),
            (stone == kinds).float(),
            one_hot(f.last, 5),
            one_hot(f.ko[:, None], 1),
            ((f.points[:, None, :].int() & bits) != 0).float(),
            numbers[:, :, None].expand(-1, -1, 361),
        ],
        dim=1,
    )
    return planes.view(-1, N_PLANES, 19, 19)


def earlier(rows, index, n_turns):
    """The index of the position some moves before each, in the same game; the earliest there is where it has none."""
    result = index
    game = word(rows[index], 380) | (word(rows[index], 382) << 16)
    number = word(rows[index], 378)
    for back in range(1, 6):
        before = (index - back).clamp(min=0)
        found = rows[before]
        same = (word(found, 380) | (word(found, 382) << 16)) == game
        is_detour = (found[:, 361] & DETOUR) != 0
        good = same & ~is_detour & (word(found, 378) == number - n_turns)
        result = torch.where(good, before, result)
    return result


def teacher_input(rows, index):
    """The planes and numbers of KataGo's networks (version 7 of its inputs), with Chinese rules."""
    f = Fields(rows[index])
    one = earlier(rows, index, 1)
    two = torch.where(f.number >= 2, earlier(rows, index, 2), one)
    points = f.points.int()
    stone = points & 15
    own, other = (stone >= 1) & (stone <= 4), stone >= 5
    liberties = (stone - 1) % 4 + 1
    liberties = torch.where(stone > 0, liberties, 0)
    zero = torch.zeros_like(own)
    last = one_hot(f.last, 5).transpose(0, 1)
    planes = [torch.ones_like(own), own, other, liberties == 1, liberties == 2, liberties == 3]
    planes += [one_hot(f.ko[:, None], 1)[:, 0], zero, zero, *last]
    planes += [points & 16, rows[one][:, :361] & 16, rows[two][:, :361] & 16, points & 32, points & 64, points & 128]
    planes += [zero, zero]
    planes = torch.stack([(plane != 0).float() for plane in planes], dim=1).view(-1, 22, 19, 19)
    numbers = torch.zeros(len(index), 19, device=rows.device)
    # A missing move ends what the network sees of the past.
    known = torch.ones_like(f.number).bool()
    for i in range(5):
        known = known & (f.last[:, i] != NONE)
        numbers[:, i] = (known & (f.last[:, i] == PASS)).float()
    komi = f.komi.clamp(-381, 381)
    numbers[:, 5] = komi / 20
    numbers[:, 14] = (f.last[:, 0] == PASS).float()
    delta = (komi - (torch.floor((komi - 1) / 2) * 2 + 1)).clamp(0, 2)
    numbers[:, 18] = torch.where(delta < 0.5, delta, torch.where(delta < 1.5, 1 - delta, delta - 2))
    return planes, numbers
