"""The network: a small residual tower with global pooling and five heads, and its input planes.

The planes are made on the GPU from the rows that `tejun export positions` writes; `crates/knowledge/src/network/view.rs`
makes the same ones, and docs/book/network.md describes them.
"""

import torch
from torch import nn
from torch.nn import functional as F

N_PLANES = 24
N_POINTS = 361
# Score leads are predicted in units of this many points.
LEAD_SCALE = 20.0


def global_pool(x):
    """The mean and the maximum of each channel over the board.

    Not `amax`, whose gradient looks for points equal to the maximum: where a compiler computes them again in another
    precision there may be none, and it divides by their number.
    """
    return torch.cat([x.mean(dim=(2, 3)), x.flatten(2).max(dim=2).values], dim=1)


class ConvNorm(nn.Module):
    """A convolution and its batch norm, which become one convolution when the network is exported."""

    def __init__(self, c_in, c_out, size=3):
        super().__init__()
        self.conv = nn.Conv2d(c_in, c_out, size, padding=size // 2, bias=False)
        self.norm = nn.BatchNorm2d(c_out, eps=1e-4)

    def forward(self, x):
        return self.norm(self.conv(x))

    def folded(self):
        """The weights and the bias of the convolution that does the work of both."""
        factor = self.norm.weight / torch.sqrt(self.norm.running_var + self.norm.eps)
        bias = self.norm.bias - self.norm.running_mean * factor
        return self.conv.weight * factor[:, None, None, None], bias


class Block(nn.Module):
    """Two convolutions around a sum; with `pooled` channels, they tell the others what the whole board looks like."""

    def __init__(self, channels, pooled):
        super().__init__()
        self.pooled = pooled
        self.first = ConvNorm(channels, channels)
        self.second = ConvNorm(channels - pooled, channels)
        nn.init.zeros_(self.second.norm.weight)
        self.spread = nn.Linear(2 * pooled, channels - pooled) if pooled else None

    def forward(self, x):
        y = self.first(x)
        if self.pooled:
            # The pooled channels come last; the others get a bias made from them.
            local, board = y[:, : -self.pooled], y[:, -self.pooled :]
            y = local + self.spread(global_pool(F.relu(board)))[:, :, None, None]
        return F.relu(x + self.second(F.relu(y)))


class Network(nn.Module):
    """Answers, all for the side to move: logits of 361 points and the pass for human games and for the teacher, the
    logit of the win rate, the lead in points, and for each point who will own it (-1 to 1)."""

    def __init__(self, n_blocks=10, channels=128, head=32, hidden=96):
        super().__init__()
        self.n_blocks, self.channels, self.head, self.hidden = n_blocks, channels, head, hidden
        self.enter = ConvNorm(N_PLANES, channels)
        self.blocks = nn.ModuleList(Block(channels, channels // 4 if i % 3 == 2 else 0) for i in range(n_blocks))
        self.policy = ConvNorm(channels, 2 * head, 1)
        self.policy_spread = nn.Linear(2 * head, head)
        self.policy_points = nn.Conv2d(head, 2, 1)
        self.policy_pass = nn.Linear(2 * head, 2)
        self.value = ConvNorm(channels, head, 1)
        self.value_hidden = nn.Linear(2 * head, hidden)
        # Win rate of the teacher, result of the game, lead.
        self.value_out = nn.Linear(hidden, 3)
        self.ownership = nn.Conv2d(head, 1, 1)

    def forward(self, planes):
        x = F.relu(self.enter(planes))
        for block in self.blocks:
            x = block(x)
        y = self.policy(x)
        pooled = global_pool(F.relu(y[:, self.head :]))
        y = F.relu(y[:, : self.head] + self.policy_spread(pooled)[:, :, None, None])
        policy = torch.cat([self.policy_points(y).flatten(2), self.policy_pass(pooled)[:, :, None]], dim=2)
        v = F.relu(self.value(x))
        out = self.value_out(F.relu(self.value_hidden(global_pool(v))))
        return policy, out, self.ownership(v).flatten(1)


SHAPES = {"tiny": (4, 32), "b6c96": (6, 96), "b10c128": (10, 128), "b12c128": (12, 128)}


def make(name):
    n_blocks, channels = SHAPES[name]
    return Network(n_blocks, channels)
