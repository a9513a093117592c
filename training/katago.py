"""KataGo's network files as PyTorch modules, to be the teacher.

Reads the `.bin.gz` files of convolutional networks with ordinary and global-pooling blocks, and of the nested
bottleneck networks with transformer blocks. Everything is for boards with 19 lines, so there are no masks.
"""

import gzip

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F


class Reader:
    """Words and numbers, one after the other."""

    def __init__(self, path):
        self.data = gzip.open(path).read()
        self.at = 0

    def word(self):
        while self.data[self.at : self.at + 1].isspace():
            self.at += 1
        start = self.at
        while not self.data[self.at : self.at + 1].isspace():
            self.at += 1
        return self.data[start : self.at].decode()

    def peek(self):
        at, word = self.at, self.word()
        self.at = at
        return word

    def ints(self, n):
        return [int(self.word()) for _ in range(n)]

    def floats(self, *shape):
        start = self.data.index(b"@BIN@", self.at)
        assert self.data[self.at : start].strip() == b"", self.data[self.at : start][:100]
        n = int(np.prod(shape))
        numbers = np.frombuffer(self.data, "<f4", n, start + 5).reshape(shape)
        self.at = start + 5 + 4 * n
        return torch.from_numpy(numbers.copy())


def conv(r):
    r.word()
    height, width, c_in, c_out, *dilation = r.ints(6)
    assert dilation == [1, 1]
    layer = nn.Conv2d(c_in, c_out, (height, width), padding=(height // 2, width // 2), bias=False)
    layer.weight.data = r.floats(height, width, c_in, c_out).permute(3, 2, 0, 1).contiguous()
    return layer


def matmul(r):
    r.word()
    c_in, c_out = r.ints(2)
    layer = nn.Linear(c_in, c_out, bias=False)
    layer.weight.data = r.floats(c_in, c_out).T.contiguous()
    return layer


def matmul_bias(r):
    layer = matmul(r)
    r.word()
    layer.bias = nn.Parameter(r.floats(r.ints(1)[0]))
    return layer


class Affine(nn.Module):
    """A batch norm whose statistics are known."""

    def __init__(self, r):
        super().__init__()
        r.word()
        channels = r.ints(1)[0]
        epsilon = float(r.word())
        has_scale, has_bias = r.ints(2)
        mean, variance = r.floats(channels), r.floats(channels)
        scale = r.floats(channels) if has_scale else torch.ones(channels)
        bias = r.floats(channels) if has_bias else torch.zeros(channels)
        factor = scale / torch.sqrt(variance + epsilon)
        self.factor = nn.Parameter(factor[:, None, None])
        self.bias = nn.Parameter((bias - mean * factor)[:, None, None])

    def forward(self, x):
        return x * self.factor + self.bias


class BoardRms(nn.Module):
    """The norm at the end of transformer trunks: by the root of the mean square over channels of each point."""

    def __init__(self, r):
        super().__init__()
        r.word()
        channels = r.ints(1)[0]
        self.epsilon = float(r.word())
        self.is_spatial = r.ints(2)[0]
        self.scale = nn.Parameter(r.floats(channels)[:, None, None])
        self.bias = nn.Parameter(r.floats(channels)[:, None, None])

    def forward(self, x):
        dims = (1, 2, 3) if self.is_spatial else 1
        norm = x.float() * torch.rsqrt(x.float().square().mean(dim=dims, keepdim=True) + self.epsilon)
        return norm.to(x.dtype) * self.scale + self.bias


class Rms(nn.Module):
    def __init__(self, r):
        super().__init__()
        r.word()
        channels = r.ints(1)[0]
        self.epsilon = float(r.word())
        self.scale = nn.Parameter(r.floats(channels))

    def forward(self, x):
        return F.rms_norm(x, (x.shape[-1],), self.scale.to(x.dtype), self.epsilon)


def activation(r, version):
    r.word()
    if version < 11:
        return F.relu
    kind = r.word()
    return {"ACTIVATION_RELU": F.relu, "ACTIVATION_SILU": F.silu, "ACTIVATION_MISH": F.mish}[kind]


def pool(x):
    """Mean, mean scaled by the size of the board, and maximum."""
    mean = x.mean(dim=(2, 3))
    return torch.cat([mean, mean * 0.5, x.amax(dim=(2, 3))], dim=1)


def value_pool(x):
    mean = x.mean(dim=(2, 3))
    return torch.cat([mean, mean * 0.5, mean * 0.15], dim=1)


class Ordinary(nn.Module):
    def __init__(self, r, version):
        super().__init__()
        r.word()
        self.norm1, self.act1, self.conv1 = Affine(r), activation(r, version), conv(r)
        self.norm2, self.act2, self.conv2 = Affine(r), activation(r, version), conv(r)

    def forward(self, x):
        y = self.conv1(self.act1(self.norm1(x)))
        return x + self.conv2(self.act2(self.norm2(y)))


class Pooling(nn.Module):
    def __init__(self, r, version):
        super().__init__()
        r.word()
        self.norm1, self.act1, self.conv1, self.gconv = Affine(r), activation(r, version), conv(r), conv(r)
        self.gnorm, self.gact, self.spread = Affine(r), activation(r, version), matmul(r)
        self.norm2, self.act2, self.conv2 = Affine(r), activation(r, version), conv(r)

    def forward(self, x):
        y = self.act1(self.norm1(x))
        board = pool(self.gact(self.gnorm(self.gconv(y))))
        y = self.conv1(y) + self.spread(board)[:, :, None, None]
        return x + self.conv2(self.act2(self.norm2(y)))


class Attention(nn.Module):
    def __init__(self, r, version):
        super().__init__()
        r.word()
        self.heads, key_heads, self.dim, _, rope, _ = r.ints(6)
        assert key_heads == self.heads and rope
        self.norm = Rms(r)
        self.q, self.k, self.v, self.out = matmul(r), matmul(r), matmul(r), matmul(r)
        r.word()
        heads, pairs, _ = r.ints(3)
        freqs = r.floats(heads, pairs, 2)
        y, x = torch.meshgrid(torch.arange(19.0), torch.arange(19.0), indexing="ij")
        places = torch.stack([x.flatten(), y.flatten()], dim=1)
        angle = torch.einsum("nd,hpd->hnp", places, freqs)
        self.register_buffer("cos", angle.cos())
        self.register_buffer("sin", angle.sin())

    def turn(self, x):
        a, b = x[..., 0::2], x[..., 1::2]
        cos, sin = self.cos.to(x.dtype), self.sin.to(x.dtype)
        return torch.stack([a * cos - b * sin, a * sin + b * cos], dim=-1).flatten(-2)

    def forward(self, x):
        n, length, _ = x.shape
        y = self.norm(x)
        q, k, v = (layer(y).view(n, length, self.heads, self.dim).transpose(1, 2) for layer in (self.q, self.k, self.v))
        y = F.scaled_dot_product_attention(self.turn(q), self.turn(k), v)
        return x + self.out(y.transpose(1, 2).reshape(n, length, -1))


class Feed(nn.Module):
    def __init__(self, r, version):
        super().__init__()
        r.word()
        _, _, gated = r.ints(3)
        self.norm = Rms(r)
        self.one = matmul(r)
        self.gate = matmul(r) if gated else None
        self.two = matmul(r)

    def forward(self, x):
        y = self.norm(x)
        y = F.silu(self.one(y)) * self.gate(y)
        return x + self.two(y)


class Nested(nn.Module):
    def __init__(self, r, version):
        super().__init__()
        r.word()
        n_inner = r.ints(1)[0]
        self.norm1, self.act1, self.conv1 = Affine(r), activation(r, version), conv(r)
        self.inner = nn.ModuleList(block(r, version) for _ in range(n_inner))
        self.norm2, self.act2, self.conv2 = Affine(r), activation(r, version), conv(r)

    def forward(self, x):
        y = self.conv1(self.act1(self.norm1(x)))
        is_sequence = False
        for inner in self.inner:
            wants_sequence = isinstance(inner, (Attention, Feed))
            if wants_sequence and not is_sequence:
                y = y.flatten(2).transpose(1, 2)
            is_sequence = wants_sequence
            y = inner(y)
        if is_sequence:
            y = y.transpose(1, 2).unflatten(2, (19, 19))
        return x + self.conv2(self.act2(self.norm2(y)))


def block(r, version):
    kinds = {
        "ordinary_block": Ordinary,
        "gpool_block": Pooling,
        "nested_bottleneck_block": Nested,
        "transformer_attention_block": Attention,
        "transformer_ffn_block": Feed,
    }
    return kinds[r.word()](r, version)


class Teacher(nn.Module):
    """Policy logits, win logits (win, loss, no result), the lead in points and ownership, for the side to move."""

    def __init__(self, path):
        super().__init__()
        r = Reader(path)
        self.name = r.word()
        self.version = version = r.ints(1)[0]
        assert r.ints(2) == [22, 19]
        if version >= 13:
            while r.peek() != "trunk":
                r.word()
        assert r.word() == "trunk"
        n_blocks = r.ints(6)[0]
        is_rms = bool(r.ints(6)[0]) if version >= 15 else False
        self.enter, self.globals = conv(r), matmul(r)
        self.blocks = nn.ModuleList(block(r, version) for _ in range(n_blocks))
        self.norm = BoardRms(r) if is_rms else Affine(r)
        self.act = activation(r, version)
        r.word()
        self.p1, self.g1 = conv(r), conv(r)
        self.gnorm, self.gact, self.gspread = Affine(r), activation(r, version), matmul(r)
        self.pnorm, self.pact, self.p2 = Affine(r), activation(r, version), conv(r)
        if version >= 15:
            self.pass1, self.pass_act, self.pass2 = matmul_bias(r), activation(r, version), matmul(r)
        else:
            self.pass1, self.pass_act, self.pass2 = matmul(r), None, None
        r.word()
        self.v1, self.vnorm, self.vact = conv(r), Affine(r), activation(r, version)
        self.v2 = matmul_bias(r)
        self.v2act = activation(r, version)
        self.v3, self.score = matmul_bias(r), matmul_bias(r)
        self.own = conv(r)

    def forward(self, planes, numbers):
        x = self.enter(planes) + self.globals(numbers)[:, :, None, None]
        for inner in self.blocks:
            x = inner(x)
        x = self.act(self.norm(x))
        board = pool(self.gact(self.gnorm(self.g1(x))))
        points = self.p2(self.pact(self.pnorm(self.p1(x) + self.gspread(board)[:, :, None, None])))
        passes = self.pass1(board)
        if self.pass2 is not None:
            passes = self.pass2(self.pass_act(passes))
        policy = torch.cat([points[:, :1].flatten(1), passes[:, :1]], dim=1)
        y = self.vact(self.vnorm(self.v1(x)))
        v = self.v2act(self.v2(value_pool(y)))
        return policy, self.v3(v), 20.0 * self.score(v)[:, 2], torch.tanh(self.own(y).flatten(1))
