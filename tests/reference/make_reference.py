#!/usr/bin/env python3
"""Writes reference activations and gradients of the three encoder-decoders, computed by PyTorch in float64.

    /usr/bin/python3 tests/reference/make_reference.py        (from the root of the sources; needs python3-torch)

Nothing here knows the program: the models are built from their equations (the papers named below) with PyTorch's own
products, softmax, loss and gradients. nn.LSTM hides its gates, so they are computed step by step, and h and c have to
agree with nn.LSTM's. The files are committed; tests/model/test_parity*.cpp compare the program with them.

One file for each model, safetensors, float64:
    param/NAME              parameters in the program's layout: [in x out], LSTM blocks in the order f, g, i, o
    RUN/input/source        token ids as typed [S], RUN = forward or reversed
    RUN/input/decoder       token ids fed to the decoder [T]; RUN/input/target: what they are scored against [T]
    RUN/site/NAME           the activation at every site
    RUN/loss                mean cross-entropy;  RUN/grad/NAME: its gradient for every parameter
"""

import json
import pathlib
import struct

import numpy as np
import torch
import torch.nn.functional as F

D, H, VS, VT, S, T = 5, 6, 11, 9, 7, 4
OUT = pathlib.Path(__file__).resolve().parent.parent / "data" / "reference"
DTYPES = {"F16": "<f2", "F32": "<f4", "F64": "<f8"}
torch.set_default_dtype(torch.float64)


def write_safetensors(path, tensors, dtype="F64", metadata=None):
    """8 bytes: length of the header; the header in JSON; the numbers, row by row, little-endian."""
    header, blobs, at = {"__metadata__": metadata} if metadata else {}, [], 0
    for name, tensor in tensors.items():
        values = np.ascontiguousarray(tensor.detach().numpy(), dtype=DTYPES[dtype])
        header[name] = {"dtype": dtype, "shape": list(values.shape), "data_offsets": [at, at + values.nbytes]}
        blobs.append(values.tobytes())
        at += values.nbytes
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(blobs))


# PyTorch stacks the blocks i, f, g, o; the book (Saito, chapter 6), and the program, f, g, i, o.
def to_torch(matrix):
    f, g, i, o = matrix.chunk(4, dim=-1)
    return torch.cat([i, f, g, o], dim=-1)


def run_lstm(p, prefix, x, h0, c0, sites, place):
    """One nn.LSTM over x [L x in]; publishes the gates of every step. Returns all h [L x H]."""
    Wx, Wh, b = p[prefix + ".Wx"], p[prefix + ".Wh"], p[prefix + ".b"]
    H = Wh.shape[0]
    lstm = torch.nn.LSTM(x.shape[1], H)
    with torch.no_grad():
        lstm.weight_ih_l0.copy_(to_torch(Wx).t())
        lstm.weight_hh_l0.copy_(to_torch(Wh).t())
        lstm.bias_ih_l0.copy_(to_torch(b))
        lstm.bias_hh_l0.zero_()
        output, (_, c_last) = lstm(x[:, None], (h0[None, None], c0[None, None]))
        output = output[:, 0]

    states = []
    tolerance = 1e-12 if x.dtype == torch.float64 else 2e-6
    h, c = h0, c0  # Hochreiter & Schmidhuber 1997; Gers et al. 2000
    for t in range(x.shape[0]):
        pre = x[t] @ Wx + h @ Wh + b
        f, g = torch.sigmoid(pre[:H]), torch.tanh(pre[H:2 * H])
        i, o = torch.sigmoid(pre[2 * H:3 * H]), torch.sigmoid(pre[3 * H:])
        c = f * c + i * g
        h = o * torch.tanh(c)
        at = f"{place}.step[{t}].lstm."
        sites.update({at + "pre": pre, at + "gate.f": f, at + "cand.g": g, at + "gate.i": i, at + "gate.o": o,
                      at + "c": c, at + "h": h})
        states.append(h)
        assert torch.allclose(h, output[t], rtol=0, atol=tolerance), (place, t)
    assert torch.allclose(c, c_last[0, 0], rtol=0, atol=tolerance)
    return torch.stack(states)


def run(kind, p, source, fed, target, reverse):
    S, T, H = len(source), len(fed), p["encoder.lstm.Wh"].shape[0]
    sites = {}
    ids = torch.flip(source, [0]) if reverse else source
    sites["input.src.ids"] = ids
    sites["input.src.display_index"] = torch.arange(S - 1, -1, -1) if reverse else torch.arange(S)
    x = F.embedding(ids, p["encoder.embed.W"])
    sites["encoder.embed.out"] = x
    hs = run_lstm(p, "encoder.lstm", x, torch.zeros(H), torch.zeros(H), sites, "encoder")
    sites["encoder.states"] = hs
    z = hs[-1]
    if kind != "attn_seq2seq":
        sites["encoder.bottleneck"] = z
    sites["decoder.init.h"], sites["decoder.init.c"] = z, torch.zeros(H)

    y = F.embedding(fed, p["decoder.embed.W"])
    inputs = torch.cat([z.expand(T, H), y], dim=1) if kind == "seq2seq_peeky" else y  # Cho et al. 2014
    h = run_lstm(p, "decoder.lstm", inputs, z, torch.zeros(H), sites, "decoder")

    readout = h
    if kind == "seq2seq_peeky":
        readout = torch.cat([z.expand(T, H), h], dim=1)
    if kind == "attn_seq2seq":  # Luong et al. 2015, eq. 7 and 8 (dot); Bahdanau et al. 2015, eq. 5
        scores = torch.bmm(h[None], hs[None].transpose(1, 2))[0]
        weights = torch.softmax(scores, dim=1)
        context = torch.bmm(weights[None], hs[None])[0]
        readout = torch.cat([context, h], dim=1)
    logits = torch.addmm(p["decoder.affine.b"], readout, p["decoder.affine.W"])
    for t in range(T):
        at = f"decoder.step[{t}]."
        sites[at + "input.id"], sites[at + "embed.out"] = fed[t:t + 1], y[t]
        sites[at + "output.logits"], sites[at + "output.probs"] = logits[t], torch.softmax(logits[t], dim=0)
        if kind == "seq2seq_peeky":
            sites[at + "lstm.input"] = inputs[t]
        if kind != "seq2seq":
            sites[at + "readout"] = readout[t]
        if kind == "attn_seq2seq":
            sites.update({at + "attention.query": h[t], at + "attention.scores": scores[t],
                          at + "attention.weights": weights[t], at + "attention.weighted": weights[t][:, None] * hs,
                          at + "attention.context": context[t]})
    return sites, F.cross_entropy(logits, target)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    for number, kind in enumerate(["seq2seq", "seq2seq_peeky", "attn_seq2seq"]):
        torch.manual_seed(20 + number)
        shapes = {
            "encoder.embed.W": (VS, D), "encoder.lstm.Wx": (D, 4 * H), "encoder.lstm.Wh": (H, 4 * H),
            "encoder.lstm.b": (4 * H,), "decoder.embed.W": (VT, D),
            "decoder.lstm.Wx": (D + (H if kind == "seq2seq_peeky" else 0), 4 * H), "decoder.lstm.Wh": (H, 4 * H),
            "decoder.lstm.b": (4 * H,), "decoder.affine.W": (H if kind == "seq2seq" else 2 * H, VT),
            "decoder.affine.b": (VT,),
        }
        # Large enough that gates leave their middle and attention prefers some tokens.
        p = {name: (0.8 * torch.randn(shape)).requires_grad_() for name, shape in shapes.items()}
        source, fed, target = torch.randint(VS, (S,)), torch.randint(VT, (T,)), torch.randint(VT, (T,))
        tensors = {"param/" + name: value for name, value in p.items()}
        for label, reverse in (("forward", False), ("reversed", True)):
            sites, loss = run(kind, p, source, fed, target, reverse)
            # The same in single precision: how far rounding alone may lead away.
            single = {name: value.detach().float().requires_grad_() for name, value in p.items()}
            torch.set_default_dtype(torch.float32)
            single_sites, _ = run(kind, single, source, fed, target, reverse)
            torch.set_default_dtype(torch.float64)
            worst = max((a.double() - single_sites[name].double()).abs().max().item() for name, a in sites.items())
            assert worst < 5e-6, worst
            gradients = torch.autograd.grad(loss, list(p.values()))
            inputs = {"source": source, "decoder": fed, "target": target}
            tensors.update({f"{label}/input/{name}": value for name, value in inputs.items()})
            tensors.update({f"{label}/site/{name}": value for name, value in sites.items()})
            tensors[f"{label}/loss"] = loss.reshape(1)
            tensors.update({f"{label}/grad/{name}": g for name, g in zip(p, gradients)})
            print(f"{kind} {label}: loss {loss.item():.6f}, {len(sites)} sites, float32 within {worst:.1e}")
        path = OUT / (kind + ".safetensors")
        write_safetensors(path, tensors)
        print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
