#!/usr/bin/python3
"""The other side of bench_transformer: an encoder in PyTorch that returns all attention weights.

usage: time_transformer.py LENGTH ROUNDS
Prints the seconds of a pass and those of the processor in it, medians of ROUNDS after a warm-up: 768 numbers, 12 heads, 3,072 inner, 12 layers,
normalised after each sublayer, GELU. The faster of two forms counts: nn.MultiheadAttention, and its products written
out with one projection for queries, keys and values.
"""
import sys
import time

import torch
import torch.nn.functional as F
from torch import nn

D, HEADS, INNER, LAYERS = 768, 12, 3072, 12


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(D, HEADS, batch_first=True)
        self.norm1, self.norm2 = nn.LayerNorm(D), nn.LayerNorm(D)
        self.up, self.down = nn.Linear(D, INNER), nn.Linear(INNER, D)

    def rest(self, x, read):
        x = self.norm1(x + read)
        return self.norm2(x + self.down(F.gelu(self.up(x))))

    def by_module(self, x):                                         # [1 x T x D]
        read, weights = self.attention(x, x, x, need_weights=True, average_attn_weights=False)
        return self.rest(x, read), weights

    def by_hand(self, x):
        a, length = self.attention, x.shape[1]
        q, k, v = F.linear(x[0], a.in_proj_weight, a.in_proj_bias).view(length, 3, HEADS, D // HEADS).permute(1, 2, 0, 3)
        weights = torch.bmm(q * (D // HEADS) ** -0.5, k.transpose(1, 2)).softmax(-1)
        read = torch.bmm(weights, v).transpose(0, 1).reshape(1, length, D)
        return self.rest(x, a.out_proj(read)), weights


def main():
    length, rounds = int(sys.argv[1]), int(sys.argv[2])
    torch.manual_seed(1)
    layers = [Layer().eval() for _ in range(LAYERS)]
    start = torch.randn(1, length, D)
    best = (float("inf"), 0)
    with torch.no_grad():
        for form in (Layer.by_module, Layer.by_hand):
            times, processor = [], []
            for _ in range(rounds + 2):
                begin, processor_begin = time.perf_counter(), time.process_time()
                x, kept = start, []
                for layer in layers:
                    x, weights = form(layer, x)
                    kept.append(weights)
                times.append(time.perf_counter() - begin)
                processor.append(time.process_time() - processor_begin)
            best = min(best, (sorted(times[2:])[rounds // 2], sorted(processor[2:])[rounds // 2]))
    print(f"{best[0]:.5f} {best[1]:.5f}")


main()
