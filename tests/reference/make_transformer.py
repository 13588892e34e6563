#!/usr/bin/env python3
"""Writes reference activations and gradients of Transformers, computed by PyTorch with transformer.py.

    /usr/bin/python3 tests/reference/make_transformer.py [NAME...]       (from the root of the sources; needs
                                                                          python3-torch)
Before anything is written, the layers are compared with PyTorch's own nn.MultiheadAttention,
nn.TransformerEncoderLayer and nn.TransformerDecoderLayer.

One file for each configuration, float64 for some, float32 for the others (their parameters are numbers of float32, all
is computed in float64 and rounded at the end); the metadata hold the configuration:
    param/NAME                 parameters in the program's layout, [in x out]
    input/{source,decoder,target}        sentence A: ids as typed [S], fed [T], wanted [T]
    input/b/{...}              sentence B, shorter
    site/NAME                  the activation at every site for sentence A
    loss                       mean cross-entropy of A
    padded/loss, padded/grad/NAME        of A and B together, and its gradient for every parameter
    training/loss, training/grad/NAME    the same in training without dropout, where that differs (batch norm)
    behind/keep, behind/source, behind/site/NAME     sentence A with padding behind its source (some configurations)
"""

import json
import math
import sys

import torch
import torch.nn.functional as F

from make_reference import OUT, write_safetensors
from transformer import DEFAULTS, Settings, Transformer, activated, bucket, parameter_shapes, rotated, sinusoids

D, HEADS, FF, VS, VT, S, T, S_B, T_B, PADDING = 8, 2, 6, 7, 6, 4, 3, 2, 2, 2
NOT_IN = {"transformer": ["head_transform", "prompt"], "encoder_only": ["decoder_layers", "causal", "prompt"],
          "decoder_only": ["encoder_layers", "head_transform"]}


# ---- PyTorch's own layers ------------------------------------------------------------------------------------------

def copied(place, module, p, in_weight="in_proj_weight", in_bias="in_proj_bias"):
    """nn.MultiheadAttention with our weights."""
    with torch.no_grad():
        getattr(module, in_weight).copy_(torch.cat([p[f"{place}.W_{c}"].t() for c in "qkv"]))
        getattr(module, in_bias).copy_(torch.cat([p[f"{place}.b_{c}"] for c in "qkv"]))
        module.out_proj.weight.copy_(p[place + ".W_o"].t())
        module.out_proj.bias.copy_(p[place + ".b_o"])


def copied_layer(place, module, p, parts):
    for part, attention in parts:
        copied(f"{place}.{part}", attention, p)
    with torch.no_grad():
        for i in range(1, len(parts) + 2):
            norm = getattr(module, f"norm{i}")
            norm.weight.copy_(p[f"{place}.norm{i}.gamma"])
            norm.bias.copy_(p[f"{place}.norm{i}.beta"])
        for i in (1, 2):
            linear = getattr(module, f"linear{i}")
            linear.weight.copy_(p[f"{place}.ffn.W{i}"].t())
            linear.bias.copy_(p[f"{place}.ffn.b{i}"])


def check_layers(norm_place, activation, dtype):
    s = Settings({"model_type": "transformer", "source_vocabulary_size": VS, "target_vocabulary_size": VT,
                  "model_size": 12, "heads": 3, "ff_size": 10, "encoder_layers": 1, "decoder_layers": 1,
                  "norm_place": norm_place, "activation": activation})
    torch.manual_seed(5)
    p = {name: (0.6 * torch.randn(shape)).to(dtype) for name, shape in parameter_shapes(s).items()}
    model = Transformer(s, p)
    n, count, read = 3, 5, 6
    x, memory = torch.randn(n, count, 12).to(dtype), torch.randn(n, read, 12).to(dtype)
    near = lambda a, b, what: torch.testing.assert_close(a, b, rtol=0, atol=1e-12 if dtype == torch.float64 else 1e-5,
                                                         msg=f"{what} {norm_place} {activation} {dtype}")
    padding = torch.arange(count) < torch.tensor([5, 3, 4])[:, None]
    padding_memory = torch.arange(read) < torch.tensor([6, 2, 5])[:, None]
    causal = torch.ones(count, count).tril().bool()
    custom = torch.rand(count, count) < 0.6
    custom[:, 0] = True
    ones = torch.ones(n, count, count)
    masks = {"all": (ones, None, None), "padding": (ones * padding[:, None, :], None, ~padding),
             "causal": (ones * causal, ~causal, None), "custom": (ones * custom, ~custom, None),
             "causal and padding": (ones * causal * padding[:, None, :], ~causal, ~padding)}
    settings = {"dropout": 0.0, "batch_first": True, "norm_first": norm_place == "pre", "activation": activation,
                "layer_norm_eps": s["norm_epsilon"], "dtype": dtype}
    attention = torch.nn.MultiheadAttention(12, 3, batch_first=True, dtype=dtype)
    copied("encoder.layer[0].self_attn", attention, p)
    encoder = torch.nn.TransformerEncoderLayer(12, 3, 10, **settings)
    copied_layer("encoder.layer[0]", encoder, p, [("self_attn", encoder.self_attn)])
    decoder = torch.nn.TransformerDecoderLayer(12, 3, 10, **settings)
    copied_layer("decoder.layer[0]", decoder, p, [("self_attn", decoder.self_attn),
                                                  ("cross_attn", decoder.multihead_attn)])
    nothing = lambda *_: None
    for label, (keep, mask, pad) in masks.items():
        out, weights = model.attention("encoder.layer[0].self_attn", 0, x, x, keep, True, None, None, nothing, nothing)
        theirs, their_weights = attention(x, x, x, attn_mask=mask, key_padding_mask=pad, average_attn_weights=False)
        near(out, theirs, "attention, " + label)
        near(weights, their_weights, "weights, " + label)
        ours, _ = model.layer("encoder", 0, x, None, keep, None, None)
        near(ours, encoder(x, src_mask=mask, src_key_padding_mask=pad), "encoder layer, " + label)
        for keep_memory, pad_memory in ((torch.ones(n, count, read), None),
                                        (padding_memory[:, None, :].expand(n, count, read), ~padding_memory)):
            ours, _ = model.layer("decoder", 0, x, None, keep, None, None, memory, keep_memory)
            theirs = decoder(x, memory, tgt_mask=mask, tgt_key_padding_mask=pad, memory_key_padding_mask=pad_memory)
            near(ours, theirs, "decoder layer, " + label)


def check_against_torch():
    for dtype in (torch.float64, torch.float32):
        torch.set_default_dtype(dtype)
        for place in ("post", "pre"):
            for activation in ("relu", "gelu"):
                check_layers(place, activation, dtype)
    torch.set_default_dtype(torch.float64)
    # Numbers of other people's programs: T5's buckets, Marian's and tensor2tensor's positions.
    for distance, expected in ((-128, 15), (-20, 10), (-8, 8), (-1, 1), (0, 0), (1, 17), (8, 24), (128, 31)):
        assert bucket(distance, True, 32, 128) == expected, distance
    for distance, expected in ((-128, 31), (-64, 26), (-20, 17), (-16, 16), (-15, 15), (5, 0)):
        assert bucket(distance, False, 32, 128) == expected, distance
    marian = torch.tensor([.8415, .0998, .01, .001, .5403, .995, 1, 1])
    assert torch.allclose(sinusoids(torch.tensor([1]), 8, "sinusoid_halves")[0], marian, atol=5e-5)
    # Rotations keep lengths, and scores depend on distances only (Su et al. 2021, eq. 16).
    q, k = torch.randn(1, 1, 1, 6), torch.randn(1, 1, 1, 6)
    for pairs in ("halves", "neighbours"):
        at = lambda x, p: rotated(x, torch.tensor([[p]]), 100.0, pairs)
        assert torch.allclose((at(q, 9) * at(k, 4)).sum(), (at(q, 5) * at(k, 0)).sum())
        assert torch.allclose(at(q, 9).norm(), q.norm())
    x = torch.linspace(-4, 4, 81)
    assert (activated(x, "gelu") - activated(x, "gelu_tanh")).abs().max() < 5e-4
    norm = torch.nn.LayerNorm(5)
    one = Transformer(Settings({"model_type": "transformer"}), {"a.b.gamma": torch.ones(5), "a.b.beta": torch.zeros(5)})
    x = torch.randn(2, 3, 5)
    assert torch.allclose(one.norm("a.b", x, None), norm(x))
    batch = torch.nn.BatchNorm1d(5)
    one = Transformer(Settings({"model_type": "transformer", "norm": "batch"}), {
        "a.b.gamma": torch.ones(5), "a.b.beta": torch.zeros(5), "a.b.running_mean": torch.zeros(5),
        "a.b.running_var": torch.ones(5)}, training=True)
    assert torch.allclose(one.norm("a.b", x, torch.ones(2, 3)).flatten(0, 1), batch(x.flatten(0, 1)))
    print("PyTorch's own layers agree")


# ---- Configurations ------------------------------------------------------------------------------------------------

BOTH, READS, WRITES = ({"model_type": kind} for kind in ("transformer", "encoder_only", "decoder_only"))
DEEP = {"encoder_layers": 2, "decoder_layers": 2}
NO_BIAS = {"attention_bias": False, "projection_bias": False, "ffn_bias": False, "norm_bias": False}
LEARNED = {"positions": "learned", "max_positions": 9, "scale_embeddings": False}
RELATIVE = {"positions": "relative", "relative_buckets": 8, "relative_distance": 9}
T5 = {**RELATIVE, **NO_BIAS, "norm": "rms", "norm_place": "pre", "norm_epsilon": 1e-6, "scale_embeddings": False,
      "scale_scores": False, "head_size": 3}
LLAMA = {**WRITES, **NO_BIAS, "norm": "rms", "norm_place": "pre", "positions": "rotary", "activation": "silu",
         "gated": True, "heads": 4, "key_value_heads": 2, "scale_embeddings": False, "prompt": "continue"}
DOUBLE = {  # compared to 1e-10
    "post": {**BOTH, **DEEP},
    "pre": {**BOTH, **DEEP, "norm_place": "pre", "positions": "sinusoid_t2t", "activation": "gelu",
            "reverse_source": True},
    "t5": {**BOTH, **T5, "tie": "all", "output_scale": D ** -0.5},
    "batch": {**BOTH, "norm": "batch", "scale_embeddings": False},
    "rotary_cross": {**BOTH, "positions": "rotary", "rotary_pairs": "neighbours", "rotary_theta": 50.0,
                     "key_value_heads": 1, "qk_norm": True, "norm": "rms"},
    "bert": {**READS, **LEARNED, "encoder_layers": 2, "activation": "gelu", "embedding_norm": True, "token_types": 2,
             "norm_epsilon": 1e-12, "output_bias": "yes"},
    "gpt2": {**WRITES, **LEARNED, "decoder_layers": 2, "norm_place": "pre", "activation": "gelu_tanh",
             "prompt": "continue"},
    "llama": {**LLAMA, "decoder_layers": 2, "tie": "none", "output_bias": "no"},
}
SINGLE = {
    "marian": {**BOTH, "positions": "sinusoid_halves", "activation": "silu", "tie": "all", "output_bias": "yes"},
    "bart": {**BOTH, **LEARNED, "position_offset": 2, "activation": "gelu", "embedding_norm": True, "tie": "all",
             "output_bias": "yes"},
    "t5_gated": {**BOTH, **T5, "activation": "gelu_tanh", "gated": True, "tie": "none", "output_bias": "no"},
    "batch_pre": {**BOTH, "norm": "batch", "norm_place": "pre", "final_norm": "no", "positions": "none",
                  "scale_embeddings": False},
    "concat": {**BOTH, "positions": "concat", "position_size": 2, "tie": "none"},
    "bare": {**BOTH, **NO_BIAS, "positions": "none", "activation": "silu", "tie": "none", "output_bias": "no"},
    "by_layer": {**BOTH, **DEEP, "score_scale": 0.9, "score_scale_by_layer": True, "ff_size": 4},
    "wide_heads": {**BOTH, "head_size": 5, "position_scale": 0.5, "final_norm": "yes", "output_scale": 0.7},
    "identity": {**BOTH, "identity_projections": True, "scale_scores": False, "positions": "none"},
    "window": {**BOTH, "window": 2, "key_value_heads": 1},
    "not_causal": {**BOTH, "causal": False, "tie": "none"},
    "unmasked": {**BOTH, "mask_padding": False},
    "roberta": {**READS, **LEARNED, "position_offset": 2, "activation": "gelu", "embedding_norm": True,
                "token_types": 1, "output_bias": "yes"},
    "reader": {**READS, **RELATIVE, "norm_place": "pre", "head_transform": False, "tie": "none", "gated": True},
    "reader_batch": {**READS, "norm": "batch", "positions": "rotary"},
    "qwen3": {**LLAMA, "head_size": 4, "qk_norm": True, "prompt": "separate", "rotary_theta": 100.0},
    "mistral": {**LLAMA, "window": 2, "tie": "none", "output_bias": "no"},
    "writer_relative": {**WRITES, **RELATIVE},
    "writer_post": {**WRITES, "activation": "gelu_tanh", "embedding_norm": True, "scale_embeddings": False},
    "prefix": {**WRITES, "causal": False, "norm_place": "pre"},
    "olmo": {**LLAMA, "norm_place": "output", "qk_norm": True, "qk_norm_span": "whole", "clip_qkv": 0.9,
             "residual_scale": 0.6, "embedding_scale": 2.5, "tie": "none", "output_bias": "no"},
    "cohere": {**LLAMA, "norm": "layer", "rotary_pairs": "neighbours", "parallel_sublayers": True, "shared_norm": True,
               "qk_norm": True, "qk_norm_kind": "layer", "qk_norm_span": "each_head"},
    "phi": {**WRITES, "norm_place": "pre", "positions": "rotary", "parallel_sublayers": True, "shared_norm": True,
            "qk_norm": True, "qk_norm_kind": "layer", "qk_norm_bias": True, "activation": "relu2"},
    "bloom": {**WRITES, "decoder_layers": 2, "norm_place": "pre", "positions": "alibi", "alibi_scaled": True,
              "sum_of_normed": True, "embedding_norm": True, "activation": "gelu_tanh", "prompt": "continue"},
}
BEHIND = ("post", "bert", "gpt2", "qwen3", "window", "unmasked", "prefix")  # also with padding behind the source


def drawn(name, shape):
    """Larger than a new model's, so that attention prefers some tokens."""
    if name.endswith((".gamma", "running_var")):
        return 0.6 + 0.8 * torch.rand(shape)
    return (0.7 if name.endswith("W") else 0.5) * torch.randn(shape)


def error(got, expected):
    """The largest, in shares of the largest number (1 at least)."""
    expected = expected.double()
    scale = max(1, expected[expected.isfinite()].abs().max().item())
    return (got.double() - expected).nan_to_num(0, math.inf, math.inf).abs().max().item() / scale


def padded(sentences, key):
    return torch.nn.utils.rnn.pad_sequence([sentence[key] for sentence in sentences], batch_first=True)


def mean_loss(model, sentences):
    """Of a batch, the shorter ones padded with token 0."""
    lengths = torch.tensor([len(sentence["source"]) for sentence in sentences])
    source, fed, target = (padded(sentences, key) for key in ("source", "decoder", "target"))
    keep = (torch.arange(source.shape[1]) < lengths[:, None]).double()
    wanted = torch.arange(fed.shape[1]) < torch.tensor([len(sentence["target"]) for sentence in sentences])[:, None]
    logits = model(source, keep, fed, at_once=True)
    return F.cross_entropy(logits[wanted], target[wanted])


def gradients(loss, p):
    found = torch.autograd.grad(loss, list(p.values()), allow_unused=True)
    return {name: torch.zeros_like(p[name]) if g is None else g for name, g in zip(p, found)}


def draw_sentences(s):
    sentences = []
    for source, target in ((S, T), (S_B, T_B if s["causal"] and s["norm"] != "batch" else T)):
        if s.kind == "encoder_only":
            target = source
        sentences.append({"source": torch.randint(s["source_vocabulary_size"], (source,)),
                          "decoder": torch.randint(s["target_vocabulary_size"], (target,)),
                          "target": torch.randint(s["target_vocabulary_size"], (target,))})
    return sentences


def write(name, changes, seed):
    torch.manual_seed(seed)
    dtype = torch.float64 if name in DOUBLE else torch.float32
    one_vocabulary = changes["model_type"] != "transformer" or changes.get("tie") == "all"
    config = {**DEFAULTS, "source_vocabulary_size": VS, "target_vocabulary_size": VS if one_vocabulary else VT,
              "model_size": D, "heads": HEADS, "ff_size": FF, "encoder_layers": 1, "decoder_layers": 1, **changes}
    for key in NOT_IN[changes["model_type"]]:
        del config[key]
    s = Settings(config)
    p = {key: drawn(key, shape).to(dtype).double().requires_grad_() for key, shape in parameter_shapes(s).items()}
    sentences = draw_sentences(s)
    a, model, sites = sentences[0], Transformer(s, p), {}
    args = (a["source"][None], torch.ones(1, len(a["source"])), a["decoder"][None])
    logits = model(*args, sites=sites)
    # The same in single precision: how far rounding alone may lead away.
    torch.set_default_dtype(torch.float32)
    rounded = {}
    single = {key: value.detach().float() for key, value in p.items()}
    Transformer(s, single)(args[0], args[1].float(), args[2], rounded)
    torch.set_default_dtype(torch.float64)
    worst = max(error(rounded[key], x) for key, x in sites.items())
    assert worst < 4e-6, worst

    tensors = {"param/" + key: value for key, value in p.items()}
    for prefix, sentence in zip(("input/", "input/b/"), sentences):
        tensors.update({prefix + key: value for key, value in sentence.items()})
    tensors.update({"site/" + key: value for key, value in sites.items()})
    loss = mean_loss(model, sentences[:1])
    tensors["loss"] = loss.reshape(1)
    both = mean_loss(model, sentences)
    tensors["padded/loss"] = both.reshape(1)
    tensors.update({"padded/grad/" + key: value for key, value in gradients(both, p).items()})
    if s["causal"]:
        assert torch.allclose(loss, F.cross_entropy(logits[0], a["target"]))
    if s["mask_padding"]:  # padding changes nothing
        alone = [mean_loss(model, [sentence]) * len(sentence["target"]) for sentence in sentences]
        assert torch.allclose(both, sum(alone) / sum(len(sentence["target"]) for sentence in sentences), atol=1e-12)
    if s["norm"] == "batch":
        training = mean_loss(Transformer(s, p, training=True), sentences)
        tensors["training/loss"] = training.reshape(1)
        tensors.update({"training/grad/" + key: value for key, value in gradients(training, p).items()})
    if name in BEHIND:
        source = torch.cat([a["source"], torch.randint(s["source_vocabulary_size"], (PADDING,))])
        keep, found = torch.cat([torch.ones(S), torch.zeros(PADDING)]), {}
        model(source[None], keep[None], a["decoder"][None], sites=found)
        tensors.update({"behind/source": source, "behind/keep": keep})
        # What is not shown elsewhere: the masks, what they leave, and the results. Where the padding of a prompt stands
        # is the program's own affair.
        shown = ("output.logits",)
        if s.kind != "decoder_only":
            shown += (".keep", "head.weights", "residual2", "attn_mean")
        tensors.update({"behind/site/" + key: value for key, value in found.items() if key.endswith(shown)})
    path = OUT / "transformer" / (name + ".safetensors")
    write_safetensors(path, tensors, "F64" if name in DOUBLE else "F32", {"config": json.dumps(config)})
    print(f"{path.name}: loss {loss.item():.4f}, {len(sites)} sites, float32 within {worst:.1e}, "
          f"{path.stat().st_size} bytes")


def main():
    check_against_torch()
    (OUT / "transformer").mkdir(parents=True, exist_ok=True)
    for number, (name, changes) in enumerate({**DOUBLE, **SINGLE}.items()):
        if not sys.argv[1:] or name in sys.argv[1:]:
            write(name, changes, 300 + number)


if __name__ == "__main__":
    main()
