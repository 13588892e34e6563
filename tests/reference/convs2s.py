#!/usr/bin/env python3
"""Writes reference activations and gradients of the convolutional encoder-decoder, computed by PyTorch in float64.

    /usr/bin/python3 tests/reference/convs2s.py        (from the root of the sources; needs python3-torch)

Nothing here knows the program: the model is built from the equations of Gehring et al. 2017 with PyTorch's own
convolutions, gated linear units, weight normalisation, attention products and gradients. The format is that of
make_reference.py. Three runs:
    forward    one source without padding
    reversed   the same, read from its end to its start
    padded     the same source with padding behind it and a mask (input/keep)
The parameters are drawn larger than a new model's, so that gates leave their middle and attention prefers some tokens.
"""

import math
import pathlib
import sys

import torch
import torch.nn.functional as F

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from make_reference import OUT, write_safetensors  # noqa: E402

f, d, f_out, k, VS, VT, P, S, T, PADDING = 5, 6, 7, 3, 11, 9, 12, 7, 4, 3
ENCODER_LAYERS, DECODER_LAYERS = 2, 3
ATTENDING = (0, 2)  # decoder layers with an attention
HALF = math.sqrt(0.5)
torch.set_default_dtype(torch.float64)


def shapes():
    """Names and shapes in the order of the program; a linear map has v [in x out], g [out] and b [out]."""
    rows = {}

    def linear(name, inner, outer):
        rows.update({name + ".v": (inner, outer), name + ".g": (outer,), name + ".b": (outer,)})

    for side, vocabulary, layers in (("encoder", VS, ENCODER_LAYERS), ("decoder", VT, DECODER_LAYERS)):
        rows.update({side + ".embed.W": (vocabulary, f), side + ".pos.W": (P, f)})
        linear(side + ".in_proj", f, d)
        for l in range(layers):
            linear(f"{side}.layer[{l}].conv", k * d, 2 * d)
            if side == "decoder" and l in ATTENDING:
                linear(f"{side}.layer[{l}].attn.in_proj", d, f)
                linear(f"{side}.layer[{l}].attn.out_proj", f, d)
        linear(side + ".out_proj", d, f if side == "encoder" else f_out)
    linear("decoder.output", f_out, VT)
    return rows


class Shrink(torch.autograd.Function):
    """The same numbers, a smaller gradient (section 3.5)."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return gradient * ctx.factor, None


class Map:
    """Linear and convolutional layers of PyTorch under weight normalisation (Salimans & Kingma 2016)."""

    def __init__(self, p):
        self.p = p

    def normalised(self, name):
        # torch._weight_norm is what nn.utils.weight_norm computes a layer's weights by.
        return torch._weight_norm(self.p[name + ".v"].t().contiguous(), self.p[name + ".g"][:, None], 0)

    def linear(self, name, x):
        return F.linear(x, self.normalised(name), self.p[name + ".b"])

    def convolution(self, name, x, left, right):
        """x [L x d] -> [L x 2d]; the program's weights are [(k d) x 2d], oldest tap first."""
        weight = self.normalised(name)  # [2d x (k d)]
        weight = weight.reshape(weight.shape[0], left + right + 1, -1).transpose(1, 2)  # [2d x d x k]
        y = F.conv1d(F.pad(x.t()[None], (left, right)), weight, self.p[name + ".b"])
        return y[0].t()


def check_weight_norm(p):
    """The functional form above is the one of the module."""
    layer = torch.nn.utils.weight_norm(torch.nn.Linear(d, f_out), dim=0)
    with torch.no_grad():
        layer.weight_v.copy_(p["decoder.out_proj.v"].t())
        layer.weight_g.copy_(p["decoder.out_proj.g"][:, None])
        layer.bias.copy_(p["decoder.out_proj.b"])
        x = torch.randn(2, d)
        assert torch.allclose(layer(x), Map(p).linear("decoder.out_proj", x), rtol=0, atol=1e-12)


def block(maps, name, x, seen, left, right, at, sites):
    pre = maps.convolution(name + ".conv", seen, left, right)
    a, b = pre.chunk(2, dim=1)
    out = F.glu(pre, dim=1)
    for l, value in (("conv.pre", pre), ("glu.a", a), ("glu.b", b), ("glu.gate", torch.sigmoid(b)), ("glu.out", out)):
        at(l, value)
    return out


def run(p, source, keep, fed, target, reverse):
    maps, sites = Map(p), {}
    layers = {side: sum(f"{side}.layer[{l}].conv.b" in p for l in range(len(p))) for side in ("encoder", "decoder")}
    attending = [l for l in range(layers["decoder"]) if f"decoder.layer[{l}].attn.in_proj.b" in p]
    width, outputs = p["encoder.layer[0].conv.v"].shape
    k = 2 * width // outputs
    mask = keep[:, None]
    tokens = int(keep.sum())
    order = torch.arange(len(source))
    if reverse:
        order = torch.flip(order, [0])
    ids = source[order]
    sites["input.src.ids"], sites["input.src.display_index"] = ids, order

    # Encoder: sections 3.1 and 3.2.
    e = F.embedding(ids, p["encoder.embed.W"]) + p["encoder.pos.W"][:len(ids)]
    sites["encoder.embed.out"] = e
    x = maps.linear("encoder.in_proj", e)
    sites["encoder.in_proj.out"] = x
    for l in range(layers["encoder"]):
        name = f"encoder.layer[{l}]"
        out = block(maps, name, x, x * mask, (k - 1) // 2, (k - 1) // 2,
                    lambda leaf, value, name=name: sites.update({f"{name}.{leaf}": value}), sites)
        x = (out + x) * HALF
        sites[name + ".out"] = x
    z = Shrink.apply(maps.linear("encoder.out_proj", x) * mask, 1 / (2 * len(attending)))
    values = (z + e) * HALF
    sites["encoder.keys"], sites["encoder.values"] = z, values

    # Decoder: sections 3.2 and 3.3, all positions at once.
    def each(leaf, rows):
        for t in range(len(fed)):
            sites[f"decoder.step[{t}].{leaf}"] = rows[t]

    g = F.embedding(fed, p["decoder.embed.W"]) + p["decoder.pos.W"][:len(fed)]
    each("input.id", fed[:, None])
    each("embed.out", g)
    x = maps.linear("decoder.in_proj", g)
    each("in_proj.out", x)
    attended = []
    for l in range(layers["decoder"]):
        name = f"decoder.layer[{l}]"
        h = block(maps, name, x, x, k - 1, 0, lambda leaf, value, l=l: each(f"layer[{l}].{leaf}", value), sites)
        if l in attending:
            query = (maps.linear(name + ".attn.in_proj", h) + g) * HALF
            scores = query @ z.t()
            weights = torch.softmax(scores.masked_fill(keep[None] == 0, -math.inf), dim=1)
            context = (weights @ values) * (tokens * math.sqrt(1 / tokens))
            h = (maps.linear(name + ".attn.out_proj", context) + h) * HALF
            attended.append(weights)
            for leaf, value in (("query", query), ("scores", scores), ("weights", weights), ("context", context),
                                ("out", h)):
                each(f"layer[{l}].attn.{leaf}", value)
        x = (h + x) * HALF
        each(f"layer[{l}].out", x)
    each("attn_mean", torch.stack(attended).mean(dim=0))
    last = maps.linear("decoder.out_proj", x)
    each("out_proj.out", last)
    logits = maps.linear("decoder.output", last)
    each("output.logits", logits)
    each("output.probs", torch.softmax(logits, dim=1))
    return sites, F.cross_entropy(logits, target)


def main():
    OUT.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(40)
    p = {}
    for name, shape in shapes().items():
        if name.endswith(".g"):
            value = 0.8 + 0.5 * torch.rand(shape)
        else:
            value = 0.6 * torch.randn(shape)
        p[name] = value.requires_grad_()
    check_weight_norm(p)
    source, fed, target = torch.randint(VS, (S,)), torch.randint(VT, (T,)), torch.randint(VT, (T,))
    tensors = {"param/" + name: value for name, value in p.items()}
    padded = torch.cat([source, torch.randint(VS, (PADDING,))])
    runs = {"forward": (source, torch.ones(S), False), "reversed": (source, torch.ones(S), True),
            "padded": (padded, torch.cat([torch.ones(S), torch.zeros(PADDING)]), False)}
    losses = {}
    for label, (ids, keep, reverse) in runs.items():
        sites, loss = run(p, ids, keep, fed, target, reverse)
        # The same in single precision: how far rounding alone may lead away.
        single = {name: value.detach().float().requires_grad_() for name, value in p.items()}
        torch.set_default_dtype(torch.float32)
        single_sites, _ = run(single, ids, keep.float(), fed, target, reverse)
        torch.set_default_dtype(torch.float64)
        worst = max((a.double() - single_sites[name].double()).abs().max().item() for name, a in sites.items())
        assert worst < 5e-6, worst
        gradients = torch.autograd.grad(loss, list(p.values()))
        inputs = {"source": ids, "keep": keep, "decoder": fed, "target": target}
        tensors.update({f"{label}/input/{name}": value for name, value in inputs.items()})
        tensors.update({f"{label}/site/{name}": value for name, value in sites.items()})
        tensors[f"{label}/loss"] = loss.reshape(1)
        tensors.update({f"{label}/grad/{name}": g for name, g in zip(p, gradients)})
        losses[label] = loss.item()
        print(f"convs2s {label}: loss {loss.item():.6f}, {len(sites)} sites, float32 within {worst:.1e}")
    # Padding changes nothing (section 3: padded positions are zeroed in front of every convolution).
    assert abs(losses["padded"] - losses["forward"]) < 1e-12
    path = OUT / "convs2s.safetensors"
    write_safetensors(path, tensors)
    print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
