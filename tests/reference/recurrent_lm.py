#!/usr/bin/env python3
"""Writes reference activations and gradients of the recurrent language model, computed by PyTorch in float64.

    /usr/bin/python3 tests/reference/recurrent_lm.py        (from the root of the sources; needs python3-torch)

Mikolov et al. 2010 with the cells of recurrent.py: one network reads a text and goes on with it. The last token of the
source is what step 0 is fed, whatever stands first in input/decoder. The files lie with those of recurrent.py, in the
same form, and are read by the same tests (tests/model/recurrent_cases.h). Where PyTorch has the cell as a module, the
states of the whole text, read and written, have to agree with it.
"""

import json

import torch
import torch.nn.functional as F

from make_reference import OUT, write_safetensors
from recurrent import BASELINE, D, H, S, S_B, T, T_B, Settings, cell, cell_shapes, torch_module, zero_state

V = 6
CONFIGURATIONS = {
    "lm_lstm": {},
    "lm_lstm_deep": {"layers": 2, "residual": True},
    "lm_gru": {"cell": "gru"},
    "lm_gru_reset_after": {"cell": "gru_reset_after"},
    "lm_rnn_tied": {"cell": "rnn", "layers": 2, "embedding_size": H, "tie": True},
}


def settings_of(changes):
    s = Settings({"model_type": "seq2seq", **{key: value for key, value in changes.items() if key != "tie"}})
    s["model_type"] = "recurrent_lm"
    s["tie"] = changes.get("tie", False)
    return s


def layer_name(s, l):
    return f"decoder.layer[{l}]" if s.deep else "decoder"


def parameter_shapes(s):
    shapes, width = {"decoder.embed.W": (V, s["embedding_size"])}, s["embedding_size"]
    for l in range(s["layers"]):
        shapes.update(cell_shapes(s, layer_name(s, l), width))
        width = H
    if not s["tie"]:
        shapes["decoder.affine.W"] = (H, V)
    shapes["decoder.affine.b"] = (V,)
    return shapes


def through_layers(s, p, x, state, sites, at):
    """One token through all layers; the states are replaced."""
    for l in range(s["layers"]):
        below, place = x, at(l)
        state[l] = cell(s, p, layer_name(s, l), x, state[l], sites, place)
        x = state[l][0]
        if s["residual"] and l >= s["residual_from"] and x.shape == below.shape:
            x = x + below
            sites[place + ".residual.out"] = x
    return x


def run(s, p, sentence, seen=None):
    """`seen` collects what the first layer read and wrote, in all."""
    sites, E = {}, p["decoder.embed.W"]
    source, fed = sentence["source"], sentence["decoder"].clone()
    fed[0] = source[-1]
    sites["input.src.ids"] = source
    sites["input.src.display_index"] = torch.arange(len(source))
    state = [zero_state(s) for _ in range(s["layers"])]
    x = E[source[:-1]]
    sites["encoder.embed.out"] = x
    tops = []
    for j in range(len(x)):
        tops.append(through_layers(s, p, x[j], state, sites,
                                   lambda l: f"encoder.layer[{l}].step[{j}]" if s.deep else f"encoder.step[{j}]"))
        if seen is not None:
            seen.append((x[j], state[0][0]))
    sites["encoder.states"] = torch.stack(tops)
    for l, (h, c) in enumerate(state):
        sites[layer_name(s, l) + ".init.h"] = h
        if c is not None:
            sites[layer_name(s, l) + ".init.c"] = c
    logits = []
    for t, y in enumerate(fed):
        step = f"decoder.step[{t}]"
        sites.update({step + ".input.id": y.reshape(1), step + ".embed.out": E[y]})
        x = through_layers(s, p, E[y], state, sites, lambda l: f"{step}.layer[{l}]" if s.deep else step)
        if seen is not None:
            seen.append((E[y], state[0][0]))
        row = x @ (E.t() if s["tie"] else p["decoder.affine.W"]) + p["decoder.affine.b"]
        sites.update({step + ".output.logits": row, step + ".output.probs": row.softmax(0)})
        logits.append(row)
    return sites, F.cross_entropy(torch.stack(logits), sentence["target"], reduction="sum")


def compare_with_module(s, p, sentence):
    seen = []
    run(s, p, sentence, seen)
    module = torch_module(s, p, [layer_name(s, 0)], s["embedding_size"])
    if module is None:
        return
    with torch.no_grad():
        outputs, _ = module(torch.stack([x for x, _ in seen])[:, None])
    assert torch.allclose(torch.stack([h for _, h in seen]), outputs[:, 0], rtol=0, atol=1e-12)


def write(name, changes, seed):
    torch.manual_seed(seed)
    s = settings_of(changes)
    p = {key: (0.8 * torch.randn(shape)).requires_grad_() for key, shape in sorted(parameter_shapes(s).items())}
    sentences = [{"source": torch.randint(V, (source,)), "decoder": torch.randint(V, (target,)),
                  "target": torch.randint(V, (target,)), "u": torch.rand(target)}
                 for source, target in ((S, T), (S_B, T_B))]
    compare_with_module(s, p, sentences[0])
    sites, nll = run(s, p, sentences[0])
    _, nll_b = run(s, p, sentences[1])
    tensors = {"param/" + key: value for key, value in p.items()}
    for prefix, sentence in zip(("input/", "input/b/"), sentences):
        tensors.update({prefix + key: value for key, value in sentence.items()})
    tensors.update({"site/" + key: value for key, value in sites.items()})
    for prefix, loss in {"": nll / T, "padded/": (nll + nll_b) / (T + T_B)}.items():
        tensors[prefix + "loss"] = loss.reshape(1)
        for key, g in zip(p, torch.autograd.grad(loss, list(p.values()), retain_graph=True)):
            tensors[f"{prefix}grad/{key}"] = g
    config = {"model_type": "recurrent_lm", "source_vocabulary_size": V, "target_vocabulary_size": V,
              "embedding_size": D, "hidden_size": H, **changes}
    path = OUT / "recurrent" / (name + ".safetensors")
    write_safetensors(path, tensors, metadata={"config": json.dumps(config), "baseline": str(BASELINE)})
    print(f"{path.name}: loss {nll.item() / T:.4f}, {len(sites)} sites, {path.stat().st_size} bytes")


def main():
    for number, (name, changes) in enumerate(CONFIGURATIONS.items()):
        write(name, changes, 200 + number)


if __name__ == "__main__":
    main()
