#!/usr/bin/env python3
"""Decoders that are near GPT-J or Llama, written again in PyTorch from their papers and the names of their files, beside
elsewhere.py, whose words it has:

  decoders.py check FOLDER...                         compares this program with reference.npz that the library wrote
  decoders.py try HEADLIGHT [COUNT] [SEED] [FAMILY]   draws models, writes them, compares what HEADLIGHT computes
  decoders.py make OUT FAMILY-NUMBER...               writes single ones: those that tests/data keeps are called so

It shares no code with the program."""

import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy as np
import torch
import torch.nn.functional as F

import elsewhere
from elsewhere import ACTIVATIONS, Parameters, attention, causal, frequencies, heads_of, rope_of

ACTIVATIONS["relu2"] = lambda x: F.relu(x) ** 2


def turned(x, size, rope, c, pairs):
    """[H x T x k], the first `size` of k turned: 2i with 2i + 1, or i with i + size / 2."""
    turns, scale = frequencies(size, rope, c, x.shape[1])
    angle = torch.arange(x.shape[1], dtype=torch.float64)[:, None] * turns[None, :]
    cos, sin = (f(angle).mul(scale).float() for f in (torch.cos, torch.sin))
    y = x.clone()
    a, b = (slice(0, size, 2), slice(1, size, 2)) if pairs else (slice(0, size // 2), slice(size // 2, size))
    y[..., a] = x[..., a] * cos - x[..., b] * sin
    y[..., b] = x[..., b] * cos + x[..., a] * sin
    return y


def slopes(heads):
    power = 2 ** int(math.log2(heads))
    first = [2.0 ** (-8 * (h + 1) / power) for h in range(power)]
    return torch.tensor(first + [2.0 ** (-8 * (h + 1) / (2 * power)) for h in range(2 * power)][0::2][:heads - power])


def layer_norm(x, weight=None, bias=None, eps=1e-5):
    return F.layer_norm(x, x.shape[-1:], weight, bias, eps)


# Families whose network has no gate.

def bloom(p, c, ids, out):
    width = c.get("n_embed") or c["hidden_size"]
    heads, eps = c.get("n_head") or c["num_attention_heads"], c["layer_norm_epsilon"]
    x = p.norm(p.table("word_embeddings", c["vocab_size"], width)[ids], "word_embeddings_layernorm", eps)
    out["hidden_states.0"] = x
    bias = slopes(heads)[:, None, None] * torch.arange(len(ids))[None, None, :]
    late = c.get("apply_residual_connection_post_layernorm")
    layers = c.get("n_layer") or c["num_hidden_layers"]
    for layer in range(layers):
        at = "h.%d." % layer
        read = p.norm(x, at + "input_layernorm", eps)
        parts = p.linear(read, at + "self_attention.query_key_value", 3 * width, gain=2).view(len(ids), heads, 3, -1)
        q, k, v = (parts[:, :, i].transpose(0, 1) for i in range(3))
        got, out["attentions.%d" % layer] = attention(q, k, v, q.shape[-1] ** -0.5, causal(len(ids)), bias=bias)
        x = (read if late else x) + p.linear(got, at + "self_attention.dense", width)
        read = p.norm(x, at + "post_attention_layernorm", eps)
        inner = ACTIVATIONS["gelu_new"](p.linear(read, at + "mlp.dense_h_to_4h", 4 * width))
        x = (read if late else x) + p.linear(inner, at + "mlp.dense_4h_to_h", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % layers] = p.norm(x, "ln_f", eps)
    return x


def gptj(p, c, ids, out):
    width, heads, eps = c["n_embd"], c["n_head"], c["layer_norm_epsilon"]
    x = out["hidden_states.0"] = p.table("wte", c["vocab_size"], width)[ids]
    for layer in range(c["n_layer"]):
        at = "h.%d." % layer
        read = p.norm(x, at + "ln_1", eps)
        if c["model_type"] == "codegen":
            blocks = p.linear(read, at + "attn.qkv_proj", 3 * width, False, 2).view(len(ids), 4, 3, width // 4)
            q, v, k = (blocks[:, :, i].reshape(len(ids), width) for i in range(3))
        else:
            q, k, v = (p.linear(read, at + "attn.%s_proj" % n, width, False, 2) for n in "qkv")
        q, k, v = (heads_of(y, heads) for y in (q, k, v))
        q, k = (turned(y, c["rotary_dim"], {"rope_theta": 10000.0}, c, True) for y in (q, k))
        got, out["attentions.%d" % layer] = attention(q, k, v, q.shape[-1] ** -0.5, causal(len(ids)))
        inner = ACTIVATIONS[c["activation_function"]](p.linear(read, at + "mlp.fc_in", c.get("n_inner") or 4 * width))
        x = x + p.linear(got, at + "attn.out_proj", width, False) + p.linear(inner, at + "mlp.fc_out", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % c["n_layer"]] = p.norm(x, "ln_f", eps)
    return x


def falcon(p, c, ids, out):
    width, heads, eps, bias = c["hidden_size"], c["num_attention_heads"], c["layer_norm_epsilon"], c["bias"]
    groups, parallel = c.get("new_decoder_architecture"), c.get("parallel_attn", True)
    keys = (c.get("num_kv_heads") or heads) if groups else 1 if c.get("multi_query", True) else heads
    size = width // heads
    two = groups and c.get("num_ln_in_parallel_attn") in (None, 2)
    x = out["hidden_states.0"] = p.table("word_embeddings", c["vocab_size"], width)[ids]
    slope = (slopes(heads).bfloat16()[:, None, None] * torch.arange(len(ids))[None, None, :]).float()
    for layer in range(c["num_hidden_layers"]):
        at = "h.%d." % layer
        read = beside = p.norm(x, at + ("ln_attn" if two else "input_layernorm"), eps)
        if two:
            beside = p.norm(x, at + "ln_mlp", eps)
        fused = p.linear(read, at + "self_attention.query_key_value", (heads + 2 * keys) * size, bias, 2)
        parts = fused.view(len(ids), keys, heads // keys + 2, size).transpose(0, 1)
        q = parts[:, :, :-2].permute(0, 2, 1, 3).reshape(heads, len(ids), size)
        k, v = parts[:, :, -2], parts[:, :, -1]
        if not c.get("alibi"):
            q, k = (turned(y, size, rope_of(c), c, False) for y in (q, k))
        got, out["attentions.%d" % layer] = attention(q, k, v, size ** -0.5, causal(len(ids)),
                                                      bias=slope * size ** -0.5 if c.get("alibi") else None)
        got = p.linear(got, at + "self_attention.dense", width, bias)
        if not parallel:
            x, got = x + got, 0
            beside = p.norm(x, at + "post_attention_layernorm", eps)
        inner = ACTIVATIONS[c.get("activation", "gelu")](
            p.linear(beside, at + "mlp.dense_h_to_4h", c.get("ffn_hidden_size") or 4 * width, bias))
        x = x + got + p.linear(inner, at + "mlp.dense_4h_to_h", width, bias)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % c["num_hidden_layers"]] = p.norm(x, "ln_f", eps)
    return x


def phi(p, c, ids, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    size, keys = width // heads, c.get("num_key_value_heads") or heads
    x = out["hidden_states.0"] = p.table("embed_tokens", c["vocab_size"], width)[ids]
    rope = rope_of(c)
    part = int(size * rope.get("partial_rotary_factor", c.get("partial_rotary_factor", 0.5)))
    for layer in range(c["num_hidden_layers"]):
        at = "layers.%d." % layer
        read = p.norm(x, at + "input_layernorm", eps)
        q, k, v = (heads_of(p.linear(read, at + "self_attn.%s_proj" % n, m * size, gain=2), m)
                   for n, m in (("q", heads), ("k", keys), ("v", keys)))
        if c.get("qk_layernorm"):
            q, k = (p.norm(y, at + "self_attn.%s_layernorm" % n, eps) for y, n in ((q, "q"), (k, "k")))
        q, k = (turned(y, part, rope, c, False) for y in (q, k))
        got, out["attentions.%d" % layer] = attention(q, k, v, size ** -0.5, causal(len(ids)))
        inner = ACTIVATIONS[c["hidden_act"]](p.linear(read, at + "mlp.fc1", c["intermediate_size"]))
        x = x + p.linear(got, at + "self_attn.dense", width) + p.linear(inner, at + "mlp.fc2", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % c["num_hidden_layers"]] = p.norm(x, "final_layernorm", eps)
    return x


def modernbert_decoder(p, c, ids, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["norm_eps"]
    bias, shift, more = c["attention_bias"], c["norm_bias"], c["mlp_bias"]
    x = p.norm(p.table("embeddings.tok_embeddings", c["vocab_size"], width)[ids], "embeddings.norm", eps, shift)
    out["hidden_states.0"] = x
    for layer in range(c["num_hidden_layers"]):
        at, local = "layers.%d." % layer, layer % c["global_attn_every_n_layers"] != 0
        rope = {"rope_theta": c["local_rope_theta" if local else "global_rope_theta"]}
        read = p.norm(x, at + "attn_norm", eps, shift) if layer else x
        q, k, v = (heads_of(p.linear(read, at + "attn.%s_proj" % n, width, bias, 2), heads) for n in "qkv")
        q, k = (turned(y, width // heads, rope, c, False) for y in (q, k))
        got, out["attentions.%d" % layer] = attention(q, k, v, (width // heads) ** -0.5,
                                                      causal(len(ids), c["local_attention"] // 2 if local else None))
        x = x + p.linear(got, at + "attn.Wo", width, bias)
        first, gate = p.linear(p.norm(x, at + "mlp_norm", eps, shift), at + "mlp.Wi", 2 * c["intermediate_size"], more).chunk(2, -1)
        x = x + p.linear(ACTIVATIONS[c["hidden_activation"]](first) * gate, at + "mlp.Wo", width, more)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % c["num_hidden_layers"]] = p.norm(x, "final_norm", eps, shift)
    return x


# Families near Llama: what each has of its own.

TYPES = {"olmo": {"eps": 1e-5}, "olmo2": {}, "olmo3": {"theta": 500000.0}, "stablelm": {"part": 0.25}, "smollm3": {"theta": 2e6},
         "starcoder2": {}, "cohere": {"pairs": True}, "cohere2": {"pairs": True}, "granite": {},
         "nemotron": {"part": 0.5}, "glm": {"part": 0.5, "pairs": True}, "glm4": {"part": 0.5, "pairs": True},
         "ernie4_5": {"pairs": True, "theta": 5e5}, "helium": {"pairs": True, "theta": 1e5}}


def near_llama(p, c, ids, out):
    kind = c["model_type"]
    own = TYPES[kind]
    width, heads, n = c["hidden_size"], c["num_attention_heads"], len(ids)
    keys, size = c.get("num_key_value_heads") or heads, c.get("head_dim") or c["hidden_size"] // heads
    eps = own.get("eps") or next(c[k] for k in ("rms_norm_eps", "layer_norm_eps", "norm_epsilon", "norm_eps") if k in c)
    behind, cohere = kind in ("olmo2", "olmo3"), kind in ("cohere", "cohere2")

    def norm(y, name):
        if kind == "olmo":
            return layer_norm(y, eps=eps)
        if kind == "nemotron":
            return layer_norm(y, p(name + ".weight", width, spread=0.25) + 1, p(name + ".bias", width), eps)
        if kind in ("stablelm", "starcoder2") or cohere:
            return p.norm(y, name, eps, not cohere)
        return p.rms(y, name, eps)

    def project(y, name, many, biased, gain=1.2):
        return p.linear(y, name, many, biased, gain)
    every = c.get("use_bias", kind == "starcoder2")
    q_bias = {"stablelm": c.get("use_qkv_bias")}.get(kind, every or c.get("attention_bias", False))
    o_bias = every if kind in ("starcoder2", "ernie4_5") else c.get("attention_bias", False) and kind not in ("glm", "glm4", "helium")
    f_bias = every or (c.get("mlp_bias", False) and kind in ("smollm3", "granite", "nemotron", "helium"))
    layers = c["num_hidden_layers"]
    window = c.get("sliding_window")
    windows, turns = [None] * layers, [True] * layers
    if kind in ("olmo3", "cohere2"):
        every_nth = c.get("sliding_window_pattern", 4)
        local = [t == "sliding_attention" for t in c["layer_types"]] if c.get("layer_types") else [(l + 1) % every_nth != 0 for l in range(layers)]
        windows = [window if here else None for here in local]
        turns = local if kind == "cohere2" else turns
    if kind == "smollm3":
        turns = c.get("no_rope_layers") or [(l + 1) % c.get("no_rope_layer_interval", 4) != 0 for l in range(layers)]
        if c.get("use_sliding_window") and window:
            windows = [None if here else window for here in turns]
    if kind == "starcoder2":
        windows = [window] * layers
    x = p.table("embed_tokens", c["vocab_size"], width)[ids] * c.get("embedding_multiplier", 1.0)
    out["hidden_states.0"] = x
    factor = c.get("residual_multiplier", 1.0)
    scale = c["attention_multiplier"] if kind == "granite" else size ** -0.5
    for layer in range(layers):
        at = "layers.%d." % layer
        read = x if behind else norm(x, at + "input_layernorm")
        q, k, v = (project(read, at + "self_attn.%s_proj" % name, m * size, q_bias, 2) for name, m in (("q", heads), ("k", keys), ("v", keys)))
        if behind:
            q, k = (p.rms(y, at + "self_attn.%s_norm" % name, eps) for y, name in ((q, "q"), (k, "k")))
        if c.get("clip_qkv"):
            q, k, v = (y.clamp(-c["clip_qkv"], c["clip_qkv"]) for y in (q, k, v))
        q, k, v = heads_of(q, heads), heads_of(k, keys), heads_of(v, keys)
        if kind == "cohere" and c.get("use_qk_norm"):
            q, k = (layer_norm(y, eps=eps) * p(at + "self_attn.%s_norm.weight" % name, y.shape[0], size, spread=0.25, around=1.0)[:, None, :]
                    for y, name in ((q, "q"), (k, "k")))
        if c.get("qk_layernorm"):
            q, k = (torch.stack([p.norm(head, at + "self_attn.%s_layernorm.norms.%d" % (name, h), eps, False) for h, head in enumerate(y)])
                    for y, name in ((q, "q"), (k, "k")))
        if turns[layer]:
            rope = rope_of(c, own.get("theta", 10000.0))
            if kind == "olmo3" and windows[layer]:
                rope = {"rope_theta": (c.get("rope_parameters") or {}).get("sliding_attention", {}).get("rope_theta", 500000.0)}
            part = int(size * rope.get("partial_rotary_factor", c.get("partial_rotary_factor", own.get("part", 1.0))))
            q, k = (turned(y, part, rope, c, own.get("pairs", False)) for y in (q, k))
        got, out["attentions.%d" % layer] = attention(q, k, v, scale, causal(n, windows[layer]))
        got = project(got, at + "self_attn.o_proj", width, o_bias)

        def network(y):
            act = ACTIVATIONS[c["hidden_act"]]
            if kind == "starcoder2":
                return project(act(project(y, at + "mlp.c_fc", c["intermediate_size"], f_bias)), at + "mlp.c_proj", width, f_bias)
            if kind == "nemotron":
                return project(act(project(y, at + "mlp.up_proj", c["intermediate_size"], f_bias)), at + "mlp.down_proj", width, f_bias)
            if kind in ("glm", "glm4"):
                gate, up = project(y, at + "mlp.gate_up_proj", 2 * c["intermediate_size"], False).chunk(2, -1)
            else:
                gate, up = (project(y, at + "mlp.%s_proj" % name, c["intermediate_size"], f_bias) for name in ("gate", "up"))
            return project(act(gate) * up, at + "mlp.down_proj", width, f_bias)
        if cohere or (kind == "stablelm" and c.get("use_parallel_residual")):
            x = x + got + network(read)
        elif behind:
            x = x + norm(got, at + "post_attention_layernorm")
            x = x + norm(network(x), at + "post_feedforward_layernorm")
        else:
            x = x + factor * (norm(got, at + "post_self_attn_layernorm") if kind == "glm4" else got)
            given = network(norm(x, at + "post_attention_layernorm"))
            x = x + factor * (norm(given, at + "post_mlp_layernorm") if kind == "glm4" else given)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % layers] = norm(x, "norm")
    return x


COMPUTE = {"bloom": bloom, "gptj": gptj, "codegen": gptj, "falcon": falcon, "phi": phi, "modernbert-decoder": modernbert_decoder,
           **{name: near_llama for name in TYPES}}
FIRST = {"bloom": "transformer.", "gptj": "transformer.", "codegen": "transformer.", "falcon": "transformer."}
TABLES = {"bloom": "word_embeddings", "falcon": "word_embeddings", "gptj": "wte", "codegen": "wte",
          "modernbert-decoder": "embeddings.tok_embeddings"}
TIED = ("bloom", "falcon", "smollm3", "starcoder2", "cohere", "cohere2", "ernie4_5", "modernbert-decoder")


def computed(p, o, c, ids):
    out = {}
    kind = c["model_type"]
    x = COMPUTE[kind](p, c, torch.as_tensor(ids, dtype=torch.long), out)
    table = p.table(TABLES.get(kind, "embed_tokens"), c["vocab_size"], x.shape[-1])
    out["last_hidden_state"] = x
    if c["architectures"][0].endswith("ForCausalLM"):
        untied, y = not c.get("tie_word_embeddings", kind in TIED), x
        if kind == "modernbert-decoder":
            y = ACTIVATIONS[c["classifier_activation"]](o.linear(x, "lm_head.dense", x.shape[-1], c["classifier_bias"]))
            y = o.norm(y, "lm_head.norm", c["norm_eps"], c["norm_bias"])
        head = "decoder" if kind == "modernbert-decoder" else "lm_head"
        matrix = o(head + ".weight", c["vocab_size"], x.shape[-1], spread=0.3) if untied else table
        logits = y @ matrix.T
        if kind in ("gptj", "codegen", "phi") or (kind == "modernbert-decoder" and c["decoder_bias"]) or c.get("lm_head_bias"):
            logits = logits + o(head + ".bias", c["vocab_size"])
        if kind in ("granite", "granitemoe"):
            logits = logits / c["logits_scaling"]
        out["logits"] = logits * c["logit_scale"] if kind in ("cohere", "cohere2") else logits
    return {name: value.detach().numpy().astype(np.float32) for name, value in out.items()}


def check(folder):
    config = json.loads((folder / "config.json").read_text())
    given = {}
    for path in sorted(folder.glob("*.safetensors")):
        given.update(elsewhere.read_safetensors(path))
    p = Parameters(given, 0, (FIRST.get(config["model_type"], "model."), ""))
    with np.load(folder / "reference.npz") as file:
        arrays = {name: file[name] for name in file.files}
    compared, worst = 0, 0.0
    for case in sorted({name.split(".")[0] for name in arrays}):
        mine = {name[len(case) + 1:]: value for name, value in arrays.items() if name.startswith(case + ".")}
        found = computed(p, Parameters(given), config, mine["input_ids"])
        for name, value in mine.items():
            if name.endswith("_ids") or name.startswith("generated"):
                continue
            if name not in found or found[name].shape != value.shape:
                return "%s.%s is not computed" % (case, name)
            differs = np.abs(found[name] - value).max() / np.abs(value).max()
            worst, compared = max(worst, differs), compared + 1
            if differs > 1e-4:
                return "%s.%s differs by %g of the largest" % (case, name, differs)
    print("%s: %d arrays, within %.1e" % (folder.name, compared, worst))
    return None


def draw(r, kind):
    heads = r.choice((4, 8)) if kind == "codegen" else r.choice((2, 3, 4, 6))
    size, layers = r.choice((4, 8, 12)), r.randint(1, 5)
    width, inner, vocabulary, act = heads * size, r.randint(8, 50), r.randint(30, 90), r.choice(("gelu_new", "gelu", "relu", "silu"))
    eps, tie = r.choice((1e-5, 1e-3)), r.random() < 0.5

    def maybe():
        return r.random() < 0.5
    if kind in ("bloom", "gptj", "codegen"):
        c = {"vocab_size": vocabulary, "n_head": heads, "n_layer": layers, "layer_norm_epsilon": eps, "tie_word_embeddings": tie}
        if kind == "bloom":
            c[r.choice(("n_embed", "hidden_size"))] = width
            return {**c, "apply_residual_connection_post_layernorm": maybe()}
        return {**c, "n_embd": width, "n_inner": r.choice((None, inner)), "n_positions": 64, "activation_function": act,
                "rotary_dim": r.choice((2, 4, size))}
    c = {"vocab_size": vocabulary, "hidden_size": width, "num_attention_heads": heads, "num_hidden_layers": layers,
         "max_position_embeddings": 64, "tie_word_embeddings": tie}
    rope = r.choice(({}, {"rope_theta": 500.0}, {"rope_theta": 1000.0, "rope_scaling": {"rope_type": "linear", "factor": 3.0}},
                     {"rope_parameters": {"rope_type": "default", "rope_theta": 333.0}}))
    groups = r.choice([g for g in range(1, heads + 1) if heads % g == 0])
    if kind == "falcon":
        new = maybe()
        c.update(layer_norm_epsilon=eps, bias=maybe(), alibi=maybe(), new_decoder_architecture=new, activation=r.choice(("gelu", "gelu_new")),
                 multi_query=maybe(), parallel_attn=new or maybe(), ffn_hidden_size=r.choice((None, inner)))
        if new:
            c.update(num_kv_heads=r.choice((None, groups)), num_ln_in_parallel_attn=r.choice((None, 1, 2)))
        return {**c, **rope}
    if kind == "modernbert-decoder":
        return {**c, "intermediate_size": inner, "norm_eps": eps, "norm_bias": maybe(), "attention_bias": maybe(), "mlp_bias": maybe(),
                "classifier_bias": maybe(), "decoder_bias": maybe(), "classifier_activation": act, "hidden_activation": act,
                "local_attention": r.choice((2, 4, 8)), "global_attn_every_n_layers": r.choice((1, 2, 3)),
                "global_rope_theta": 5000.0, "local_rope_theta": 300.0}
    c.update(intermediate_size=inner, num_key_value_heads=groups, hidden_act=act, **rope)
    if kind in ("cohere2", "nemotron", "glm", "glm4", "ernie4_5", "granite", "smollm3", "starcoder2"):
        c["head_dim"] = size = r.choice((4, 8, 12))
    if kind in ("helium", "ernie4_5", "glm", "glm4"):
        c["head_dim"] = size
    c[{"phi": "layer_norm_eps", "stablelm": "layer_norm_eps", "cohere": "layer_norm_eps", "cohere2": "layer_norm_eps",
       "starcoder2": "norm_epsilon", "nemotron": "norm_eps"}.get(kind, "rms_norm_eps")] = eps
    if kind == "phi":
        c.update(qk_layernorm=maybe(), partial_rotary_factor=r.choice((0.5, 1.0)))
    if kind in ("stablelm", "nemotron", "glm", "glm4") and maybe():
        c["partial_rotary_factor"] = r.choice((0.5, 1.0))
    elif kind == "stablelm" and size != 8:
        c["partial_rotary_factor"] = 0.5
    if kind not in ("phi", "stablelm", "starcoder2", "ernie4_5"):
        c["attention_bias"] = maybe()
    if kind in ("smollm3", "granite", "nemotron", "helium"):
        c["mlp_bias"] = maybe()
    if kind in ("starcoder2", "ernie4_5"):
        c["use_bias"] = maybe()
    more = {"olmo": {"clip_qkv": r.choice((None, 0.8, 2.0))},
            "stablelm": {"use_qkv_bias": maybe(), "use_parallel_residual": maybe(), "qk_layernorm": maybe()},
            "smollm3": {"use_sliding_window": maybe(), "sliding_window": r.choice((None, 3)), "no_rope_layer_interval": r.choice((2, 3, 4))},
            "starcoder2": {"sliding_window": r.choice((None, 3, 6))},
            "cohere": {"logit_scale": r.choice((0.0625, 1.5)), "use_qk_norm": maybe()},
            "cohere2": {"logit_scale": 0.3, "sliding_window": r.choice((3, 5)), "sliding_window_pattern": r.choice((2, 3, 4))},
            "olmo3": {"sliding_window": r.choice((3, 5))},
            "granite": {"embedding_multiplier": 3.0, "attention_multiplier": r.choice((0.2, 0.5)), "residual_multiplier": r.choice((0.4, 1.0)),
                        "logits_scaling": r.choice((0.5, 4.0))},
            "nemotron": {"hidden_act": r.choice(("relu2", "relu2", "silu"))}}
    c.update(more.get(kind, {}))
    if kind == "smollm3" and maybe():
        c["no_rope_layers"] = [r.randint(0, 1) for _ in range(layers)]
    if kind in ("olmo3", "cohere2") and maybe():
        c["layer_types"] = [r.choice(("sliding_attention", "full_attention")) for _ in range(layers)]
    return c


def drawn(number, kind):
    r = random.Random(number)
    c = {"model_type": kind, "architectures": ["Drawn" + r.choice(("ForCausalLM", "ForCausalLM", "Model"))], **draw(r, kind)}
    prefix = FIRST.get(kind, "model.") if c["architectures"][0].endswith("LM") else ""
    p = Parameters(None, number, (prefix,))
    cases = {}
    for case in range(2):
        ids = [r.randrange(c["vocab_size"]) for _ in range(r.randint(1, 20))]
        cases["case%d" % case] = {"input_ids": ids, **computed(p, p.under(""), c, ids)}
    return c, p.all, cases


def attempt(program, count, seed, only=None):
    names = [only] if only else list(COMPUTE)
    wrong = 0
    for number in range(seed, seed + count):
        kind = names[number % len(names)]
        c, parameters, cases = drawn(number, kind)
        with tempfile.TemporaryDirectory(prefix="headlight-drawn-") as folder:
            folder = pathlib.Path(folder) / "model"
            elsewhere.write(folder, c, parameters, cases)
            done = subprocess.run([program, "verify", folder], capture_output=True, text=True)
            if done.returncode:
                wrong += 1
                print("%d %s: %s\n   %s" % (number, kind, (done.stderr or done.stdout).strip()[:400], json.dumps(c)), flush=True)
    print("%d models, %d differ" % (count, wrong))
    return wrong


def main():
    torch.set_num_threads(1)
    command, words = sys.argv[1], sys.argv[2:]
    if command == "check":
        said = [(folder, check(pathlib.Path(folder))) for folder in words]
        for folder, what in said:
            if what:
                print("%s: %s" % (folder, what))
        return any(what for _, what in said)
    if command == "make":
        for word in words[1:]:
            kind, number = word.rsplit("-", 1)
            elsewhere.write(pathlib.Path(words[0]) / word, *drawn(int(number), kind))
        return 0
    return attempt(os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else 5 * len(COMPUTE),
                   int(words[2]) if len(words) > 2 else 0, words[3] if len(words) > 3 else None) > 0


if __name__ == "__main__":
    sys.exit(main())
