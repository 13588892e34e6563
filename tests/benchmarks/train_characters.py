#!/usr/bin/python3
"""The other side of bench_training: a language model of characters in PyTorch, same sizes and batch.

usage: train_characters.py SIZE BATCHES
Prints the seconds that BATCHES updates took, after a warm-up. SIZE numbers, 4 heads, 4 SIZE inner, 4 layers, normalised
in front of each sublayer, ReLU, sinusoids, logits through the embedding; windows of 64 characters, 32 in a batch, 68
tokens. SIZE = 144 makes a million numbers. The layers are nn.TransformerEncoder's own. Ids are random: the time does not
depend on them.
"""
import math
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

V, L, N, LAYERS, HEADS = 68, 64, 32, 4, 4


class Characters(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d, self.tokens = d, nn.Embedding(V, d)
        angle = torch.arange(L)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
        self.register_buffer("places", torch.stack([angle.sin(), angle.cos()], 2).view(L, d))
        layer = nn.TransformerEncoderLayer(d, HEADS, 4 * d, 0.0, batch_first=True, norm_first=True)
        self.layers = nn.TransformerEncoder(layer, LAYERS, nn.LayerNorm(d), enable_nested_tensor=False)
        self.register_buffer("causal", torch.ones(L, L, dtype=torch.bool).triu(1))

    def forward(self, ids):                                        # [N x L]
        states = self.layers(self.tokens(ids) * math.sqrt(self.d) + self.places, mask=self.causal)
        return states @ self.tokens.weight.t()


def main():
    d, batches = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    model = Characters(d)
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    ids, target = torch.randint(V, (N, L)), torch.randint(V, (N, L))

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(ids).reshape(-1, V), target.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()

    for _ in range(3):
        step()
    start = time.perf_counter()
    for _ in range(batches):
        step()
    print(f"{time.perf_counter() - start:.4f}")


main()
