#!/usr/bin/python3
"""The other side of bench_training: one attention, Peeky or plain date model in PyTorch, same sizes and batch.

usage: train_dates.py {attn_seq2seq,seq2seq_peeky,seq2seq} HIDDEN BATCHES
Prints the seconds that BATCHES updates took, after a warm-up. Ids are random: the time does not depend on them.
"""
import sys
import time

import torch
from torch import nn

V, D, S, T, N = 59, 16, 29, 10, 128


class Seq2Seq(nn.Module):
    def __init__(self, kind, hidden):
        super().__init__()
        self.kind = kind
        self.source = nn.Embedding(V, D)
        self.target = nn.Embedding(V, D)
        self.encoder = nn.LSTM(D, hidden)
        self.decoder = nn.LSTM(D + (hidden if kind == "seq2seq_peeky" else 0), hidden)
        self.affine = nn.Linear(hidden * (1 if kind == "seq2seq" else 2), V)

    def forward(self, source, inputs):                      # [S x N], [T x N]
        hs, (h, _) = self.encoder(self.source(source))      # [S x N x H]
        x = self.target(inputs)
        z = h.expand(T, -1, -1)
        if self.kind == "seq2seq_peeky":
            x = torch.cat([z, x], 2)
        out, _ = self.decoder(x, (h, torch.zeros_like(h)))  # [T x N x H]
        if self.kind == "seq2seq_peeky":
            out = torch.cat([z, out], 2)
        if self.kind == "attn_seq2seq":
            keys, query = hs.transpose(0, 1), out.transpose(0, 1)
            weights = torch.bmm(query, keys.transpose(1, 2)).softmax(2)
            out = torch.cat([torch.bmm(weights, keys), query], 2).transpose(0, 1)
        return self.affine(out)


def main():
    kind, hidden, batches = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    torch.manual_seed(1)
    model = Seq2Seq(kind, hidden)
    optimiser = torch.optim.Adam(model.parameters(), 1e-3)
    source, target = torch.randint(V, (S, N)), torch.randint(V, (T, N))

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = nn.functional.cross_entropy(model(source, target).reshape(-1, V), target.reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()

    for _ in range(3):
        step()
    start = time.perf_counter()
    for _ in range(batches):
        step()
    print(f"{time.perf_counter() - start:.4f}")


main()
