#!/usr/bin/python3
"""The other side of bench_training: the Transformer in PyTorch, same sizes and batch.

usage: train_transformer.py SIZE BATCHES
Prints the seconds that BATCHES updates took, after a warm-up. SIZE numbers, 8 heads, 4 SIZE inner, three layers on each
side, normalised after each sublayer, ReLU, dropout 0.1, sinusoids, logits through the target's embedding; sources and
targets of 12 to 20 tokens, 2,000 words, 64 examples a batch, padding masked. The layers are nn.Transformer's own. Ids
are random: the time does not depend on them.
"""
import math
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

V, L, N, LAYERS, HEADS, P, PAD = 2000, 20, 64, 3, 8, 0.1, 0


class Transformer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.d = d
        self.source_words, self.target_words = nn.Embedding(V, d), nn.Embedding(V, d)
        angle = torch.arange(L)[:, None] / 10000 ** (torch.arange(0, d, 2) / d)
        self.register_buffer("positions", torch.stack([angle.sin(), angle.cos()], 2).view(L, d))
        self.layers = nn.Transformer(d, HEADS, LAYERS, LAYERS, 4 * d, P, batch_first=True)
        self.layers.encoder.norm = self.layers.decoder.norm = None
        self.register_buffer("causal", torch.ones(L, L, dtype=torch.bool).triu(1))

    def embed(self, words, ids):
        return F.dropout(words(ids) * math.sqrt(self.d) + self.positions[:ids.shape[1]], P, self.training)

    def forward(self, source, fed):                                # [N x L]
        t, padding = fed.shape[1], source == PAD
        out = self.layers(self.embed(self.source_words, source), self.embed(self.target_words, fed),
                          tgt_mask=self.causal[:t, :t], src_key_padding_mask=padding, memory_key_padding_mask=padding)
        return out @ self.target_words.weight.t()


def main():
    d, batches = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    model = Transformer(d)
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), 5e-4)

    def drawn():
        ids = torch.randint(1, V, (N, L))
        ids[torch.arange(L)[None, :] >= torch.randint(12, L + 1, (N, 1))] = PAD
        return ids

    source, fed, target = drawn(), drawn(), drawn()

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(source, fed).reshape(-1, V), target.reshape(-1), ignore_index=PAD)
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
