#!/usr/bin/python3
"""The other side of bench_training: RNNsearch in PyTorch, same sizes and batch.

usage: train_bahdanau.py SIZE BATCHES
Prints the seconds that BATCHES updates took, after a warm-up. Embeddings, states, attention and maxout have SIZE
numbers; sources and targets of 20 tokens, 2,000 words, 64 examples a batch. The recurrent layers are PyTorch's own GRU
modules, which are faster than cells written out; they reset after the product, which costs the same. Ids are random:
the time does not depend on them.
"""
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

V, L, N = 2000, 20, 64


class Bahdanau(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.source_words, self.target_words = nn.Embedding(V, d), nn.Embedding(V, d)
        self.encoder = nn.GRU(d, d, bidirectional=True)
        self.start = nn.Linear(d, d)
        self.keys, self.queries = nn.Linear(2 * d, d, bias=False), nn.Linear(d, d, bias=False)
        self.score = nn.Linear(d, 1, bias=False)
        self.cell = nn.GRUCell(3 * d, d)
        self.from_state, self.from_word = nn.Linear(d, 2 * d), nn.Linear(d, 2 * d, bias=False)
        self.from_context = nn.Linear(2 * d, 2 * d, bias=False)
        self.output = nn.Linear(d, V)

    def forward(self, source, fed):                                # [L x N]
        states, last = self.encoder(self.source_words(source))     # [L x N x 2d], [2 x N x d]
        states = states.transpose(0, 1).contiguous()
        keys = self.keys(states)                                   # [N x L x d]
        s = torch.tanh(self.start(last[1]))
        words = self.target_words(fed)
        before, contexts = [], []
        for t in range(L):
            scores = self.score(torch.tanh(self.queries(s)[:, None] + keys))[..., 0]
            c = torch.bmm(scores.softmax(1)[:, None], states)[:, 0]
            before.append(s)
            contexts.append(c)
            s = self.cell(torch.cat([words[t], c], 1), s)
        pre = self.from_state(torch.stack(before)) + self.from_word(words) + self.from_context(torch.stack(contexts))
        return self.output(pre.view(L, N, -1, 2).max(-1).values)


def main():
    d, batches = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    model = Bahdanau(d)
    optimiser = torch.optim.Adam(model.parameters(), 5e-4)
    source, fed, target = (torch.randint(V, (L, N)) for _ in range(3))

    def step():
        optimiser.zero_grad(set_to_none=True)
        loss = F.cross_entropy(model(source, fed).reshape(-1, V), target.reshape(-1))
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
