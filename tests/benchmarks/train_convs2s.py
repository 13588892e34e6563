#!/usr/bin/python3
"""The other side of bench_training: the convolutional model in PyTorch, same sizes and batch.

usage: train_convs2s.py SIZE BATCHES
Prints the seconds that BATCHES updates took, after a warm-up. Embeddings, layers and readout have SIZE numbers; four
layers on each side, kernels of three, dropout 0.1, weight normalisation, sources and targets of 20 tokens, 2,000 words,
64 examples a batch. Ids are random: the time does not depend on them.
"""
import math
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import weight_norm

V, L, N, LAYERS, K, P, POSITIONS = 2000, 20, 64, 4, 3, 0.1, 256
HALF = math.sqrt(0.5)


def linear(inner, outer):
    return weight_norm(nn.Linear(inner, outer))


class Shrink(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor, None


class Side(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.words, self.positions = nn.Embedding(V, d), nn.Embedding(POSITIONS, d)
        self.into = linear(d, d)
        self.convs = nn.ModuleList(weight_norm(nn.Conv1d(d, 2 * d, K)) for _ in range(LAYERS))

    def embed(self, ids):                                          # [N x L]
        e = self.words(ids) + self.positions(torch.arange(L))
        e = F.dropout(e, P, self.training)
        return e, self.into(e)

    def block(self, conv, x, left, right):                         # [N x L x d]
        seen = F.pad(F.dropout(x, P, self.training).transpose(1, 2), (left, right))
        return F.glu(conv(seen), dim=1).transpose(1, 2)


class ConvS2S(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.encoder, self.decoder = Side(d), Side(d)
        self.keys = linear(d, d)
        self.queries = nn.ModuleList(linear(d, d) for _ in range(LAYERS))
        self.contexts = nn.ModuleList(linear(d, d) for _ in range(LAYERS))
        self.readout, self.output = linear(d, d), linear(d, V)

    def forward(self, source, fed):                                # [N x L]
        e, x = self.encoder.embed(source)
        for conv in self.encoder.convs:
            x = (self.encoder.block(conv, x, 1, 1) + x) * HALF
        z = Shrink.apply(self.keys(x), 1 / (2 * LAYERS))
        values, keys = (z + e) * HALF, z.transpose(1, 2)
        g, x = self.decoder.embed(fed)
        for conv, queries, contexts in zip(self.decoder.convs, self.queries, self.contexts):
            h = self.decoder.block(conv, x, K - 1, 0)
            weights = torch.bmm((queries(h) + g) * HALF, keys).softmax(2)
            c = torch.bmm(weights, values) * (L * math.sqrt(1 / L))
            x = ((contexts(c) + h) * HALF + x) * HALF
        return self.output(F.dropout(self.readout(x), P, self.training))


def main():
    d, batches = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    model = ConvS2S(d)
    model.train()
    optimiser = torch.optim.Adam(model.parameters(), 5e-4)
    source, fed, target = (torch.randint(V, (N, L)) for _ in range(3))

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(source, fed).reshape(-1, V), target.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.1)
        optimiser.step()

    for _ in range(3):
        step()
    start = time.perf_counter()
    for _ in range(batches):
        step()
    print(f"{time.perf_counter() - start:.4f}")


main()
