#!/usr/bin/env python3
"""Models of other libraries, written again in PyTorch from their papers and the names of their files: what these files
should give, for settings and heads of which the library itself wrote no folder.

  elsewhere.py check FOLDER...               compares this program with reference.npz that the library wrote
  elsewhere.py try HEADLIGHT [COUNT] [SEED]  draws models, writes them, and compares what HEADLIGHT computes from them
  elsewhere.py make OUT [FAMILY-]NUMBER...   writes single ones: those that tests/data keeps are called by their numbers

It shares no code with the program. Whatever may be drawn is drawn: sizes, heads, windows, scalings, what is tied, what
stands on top."""

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

import encoders

ACTIVATIONS = {
    "gelu": F.gelu, "gelu_python": F.gelu, "relu": F.relu, "silu": F.silu, "swish": F.silu, "tanh": torch.tanh,
    "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3))),
    "gelu_fast": lambda x: 0.5 * x * (1 + torch.tanh(x * 0.7978845608 * (1 + 0.044715 * x * x))),
}
ACTIVATIONS["gelu_pytorch_tanh"] = ACTIVATIONS["gelu_new"]


class Parameters:
    """By their names in the file; drawn when they are first asked for, or those of a file."""

    def __init__(self, given=None, seed=0, prefixes=("",)):
        self.all, self.given, self.noise = {}, given, torch.Generator().manual_seed(seed)
        self.prefixes = prefixes

    def __call__(self, name, *shape, spread=None, around=0.0):
        for prefix in self.prefixes:
            if prefix + name in self.all:
                return self.all[prefix + name]
            if self.given is not None and prefix + name in self.given:
                value = self.given[prefix + name].float()
                assert tuple(value.shape) == tuple(shape), (name, value.shape, shape)
                self.all[prefix + name] = value
                return value
        assert self.given is None, "missing: " + name
        if spread is None:
            spread = 0.15 if len(shape) == 1 else 1.2 / math.sqrt(shape[-1])
        self.all[self.prefixes[0] + name] = value = around + spread * torch.randn(shape, generator=self.noise)
        return value

    def has(self, name):
        return self.given is not None and any(prefix + name in self.given for prefix in self.prefixes)

    def under(self, name):
        """Without the prefix: what stands beside the model proper."""
        other = Parameters(self.given, 0, ("",))
        other.all, other.noise = self.all, self.noise
        return other

    def linear(self, x, name, out, bias=True, gain=1.2):
        y = x @ self(name + ".weight", out, x.shape[-1], spread=gain / math.sqrt(x.shape[-1])).T
        return y + self(name + ".bias", out) if bias else y

    def norm(self, x, name, eps, bias=True):
        weight = self(name + ".weight", x.shape[-1], spread=0.25, around=1.0)
        return F.layer_norm(x, x.shape[-1:], weight, self(name + ".bias", x.shape[-1]) if bias else None, eps)

    def rms(self, x, name, eps, one=False):
        weight = self(name + ".weight", x.shape[-1], spread=0.25, around=0.0 if one else 1.0) + (1 if one else 0)
        return weight * x / torch.sqrt(x.pow(2).mean(-1, keepdim=True) + eps)

    def table(self, name, rows, width, spread=0.4):
        return self(name + ".weight", rows, width, spread=spread)


def heads_of(x, count):
    return x.view(x.shape[0], count, -1).transpose(0, 1)  # [T x H k] -> [H x T x k]


def attention(q, k, v, scale, allowed=None, cap=None, bias=None):
    """[H x T x k], [G x S x k]: values [T x H k] and weights [H x T x S]; `allowed` [T x S]."""
    k, v = (x.repeat_interleave(q.shape[0] // x.shape[0], 0) for x in (k, v))
    scores = q @ k.transpose(1, 2) * scale
    if cap:
        scores = cap * torch.tanh(scores / cap)
    if bias is not None:
        scores = scores + bias
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.softmax(scores, -1)
    return (weights @ v).transpose(0, 1).reshape(q.shape[1], -1), weights


def causal(n, window=None):
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]
    return (j <= i) & (i - j < window) if window else j <= i


# Rotary positions.

def frequencies(size, rope, config, length):
    """(angle of each pair for a place, what the result is scaled by)"""
    theta, kind = rope["rope_theta"], rope.get("rope_type", rope.get("type", "default"))
    base = theta ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    original = config.get("original_max_position_embeddings") or rope.get("original_max_position_embeddings") or \
        config.get("max_position_embeddings")
    if kind == "linear":
        return base / rope["factor"], 1.0
    if kind == "dynamic":
        usual, factor = config["max_position_embeddings"], rope["factor"]
        grown = theta * (factor * max(length, usual) / usual - (factor - 1)) ** (size / (size - 2))
        return grown ** (-torch.arange(0, size, 2, dtype=torch.float64) / size), 1.0
    if kind == "llama3":
        low, high = original / rope["low_freq_factor"], original / rope["high_freq_factor"]
        wave = 2 * math.pi / base
        smooth = (original / wave - rope["low_freq_factor"]) / (rope["high_freq_factor"] - rope["low_freq_factor"])
        between = (1 - smooth) * base / rope["factor"] + smooth * base
        return torch.where(wave > low, base / rope["factor"], torch.where(wave < high, base, between)), 1.0
    if kind == "yarn":
        factor = rope["factor"]

        def where(turns):
            return size * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(theta))
        first, last = where(rope.get("beta_fast") or 32), where(rope.get("beta_slow") or 1)
        if rope.get("truncate", True):
            first, last = math.floor(first), math.ceil(last)
        first, last = max(first, 0), min(last, size - 1)
        ramp = ((torch.arange(size // 2, dtype=torch.float64) - first) / ((last - first) or 0.001)).clamp(0, 1)
        mix = base / factor * ramp + base * (1 - ramp)

        def sharper(m):
            return 1.0 if factor <= 1 else 0.1 * m * math.log(factor) + 1
        m, every = rope.get("mscale"), rope.get("mscale_all_dim")
        attention_factor = rope.get("attention_factor")
        if attention_factor is None:
            attention_factor = sharper(m) / sharper(every) if m and every else sharper(1)
        return mix, attention_factor
    if kind == "longrope":
        factors = rope["long_factor" if length > original else "short_factor"]
        ratio = config["max_position_embeddings"] / original
        factor = rope.get("factor") or ratio
        scale = rope.get("attention_factor")
        if scale is None:
            scale = 1.0 if factor <= 1 else math.sqrt(1 + math.log(factor) / math.log(original))
        return base / torch.tensor(factors, dtype=torch.float64), scale
    assert kind == "default", kind
    return base, 1.0


def rotated(x, size, rope, config):
    """[H x T x k], the first `size` of k turned: i with i + size / 2."""
    turns, scale = frequencies(size, rope, config, x.shape[1])
    angle = torch.arange(x.shape[1], dtype=torch.float64)[:, None] * turns[None, :]
    cos, sin = (torch.cat([f(angle)] * 2, -1).mul(scale).float() for f in (torch.cos, torch.sin))
    part, rest = x[..., :size], x[..., size:]
    half = torch.cat([-part[..., size // 2:], part[..., :size // 2]], -1)
    return torch.cat([part * cos + half * sin, rest], -1)


def rope_of(config, theta=10000.0, kind="full_attention"):
    rope = {"rope_theta": config.get("rope_theta", theta)}
    for key in ("rope_scaling", "rope_parameters"):
        given = config.get(key)
        if given and kind in given:
            given = given[kind]
        rope.update(given or {})
    return rope


# Encoders.

def bert_like(p, c, ids, types, out):
    kind = c["model_type"]
    width, eps = c["hidden_size"], c.get("layer_norm_eps", 1e-12)
    narrow = c.get("embedding_size", width)
    places = torch.arange(len(ids))
    if kind in ("roberta", "xlm-roberta", "camembert"):  # padding is not counted, wherever it stands
        counts = (torch.as_tensor(ids) != c["pad_token_id"]).long()
        places = counts.cumsum(0) * counts + c["pad_token_id"]
    x = p.table("embeddings.word_embeddings", c["vocab_size"], narrow)[ids]
    x = x + p.table("embeddings.position_embeddings", c["max_position_embeddings"], narrow)[places]
    x = x + p.table("embeddings.token_type_embeddings", c["type_vocab_size"], narrow)[types]
    x = p.norm(x, "embeddings.LayerNorm", eps)
    if kind == "electra" and narrow != width:
        x = p.linear(x, "embeddings_project", width)
    if kind == "albert":
        x = p.linear(x, "encoder.embedding_hidden_mapping_in", width)
    out["hidden_states.0"] = x
    act, heads, done = ACTIVATIONS[c["hidden_act"]], c["num_attention_heads"], 0
    for layer in range(c["num_hidden_layers"]):
        if kind == "albert":
            group = int(layer / (c["num_hidden_layers"] / c["num_hidden_groups"]))
            places = ["encoder.albert_layer_groups.%d.albert_layers.%d." % (group, i) for i in range(c["inner_group_num"])]
            names = ("attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm", "ffn",
                     "ffn_output", "full_layer_layer_norm")
        else:
            places = ["encoder.layer.%d." % layer]
            names = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                     "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")
        for at in places:
            q, k, v = (heads_of(p.linear(x, at + name, width, gain=2 if i < 2 else 1.2), heads)
                       for i, name in enumerate(names[:3]))
            read, out["attentions.%d" % done] = attention(q, k, v, q.shape[-1] ** -0.5,
                                                          causal(len(ids)) if c.get("is_decoder") else None)
            x = p.norm(x + p.linear(read, at + names[3], width), at + names[4], eps)
            inner = act(p.linear(x, at + names[5], c["intermediate_size"]))
            x = p.norm(x + p.linear(inner, at + names[6], width), at + names[7], eps)
            done += 1
            out["hidden_states.%d" % done] = x
    return x


def distilbert(p, c, ids, types, out):
    width = c["dim"]
    x = p.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    x = x + p.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[:len(ids)]
    x = p.norm(x, "embeddings.LayerNorm", 1e-12)
    out["hidden_states.0"] = x
    for layer in range(c["n_layers"]):
        at = "transformer.layer.%d." % layer
        q, k, v = (heads_of(p.linear(x, at + "attention.%s_lin" % n, width, gain=2), c["n_heads"]) for n in "qkv")
        read, out["attentions.%d" % layer] = attention(q, k, v, q.shape[-1] ** -0.5)
        x = p.norm(x + p.linear(read, at + "attention.out_lin", width), at + "sa_layer_norm", 1e-12)
        inner = ACTIVATIONS[c["activation"]](p.linear(x, at + "ffn.lin1", c["hidden_dim"]))
        x = p.norm(x + p.linear(inner, at + "ffn.lin2", width), at + "output_layer_norm", 1e-12)
        out["hidden_states.%d" % (layer + 1)] = x
    return x


def modernbert(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["norm_eps"]
    bias, norm_bias, mlp_bias = c["attention_bias"], c["norm_bias"], c["mlp_bias"]
    x = p.norm(p.table("embeddings.tok_embeddings", c["vocab_size"], width)[ids], "embeddings.norm", eps, norm_bias)
    out["hidden_states.0"] = x
    n, size = len(ids), width // heads
    kinds = c.get("layer_types") or ["sliding_attention" if l % c["global_attn_every_n_layers"] else "full_attention"
                                     for l in range(c["num_hidden_layers"])]
    i = torch.arange(n)
    near = (i[:, None] - i[None, :]).abs() <= c["local_attention"] // 2
    for layer, kind in enumerate(kinds):
        at, local = "layers.%d." % layer, kind != "full_attention"
        rope = rope_of({k: v for k, v in c.items() if k.startswith("rope")},
                       c.get("local_rope_theta" if local else "global_rope_theta", 10000.0 if local else 160000.0), kind)
        read = p.norm(x, at + "attn_norm", eps, norm_bias) if layer else x
        q, k, v = (heads_of(y, heads) for y in p.linear(read, at + "attn.Wqkv", 3 * width, bias, 2).chunk(3, -1))
        q, k = (rotated(y, size, rope, c) for y in (q, k))
        read, out["attentions.%d" % layer] = attention(q, k, v, size ** -0.5, near if local else None)
        x = x + p.linear(read, at + "attn.Wo", width, bias)
        first, gate = p.linear(p.norm(x, at + "mlp_norm", eps, norm_bias), at + "mlp.Wi", 2 * c["intermediate_size"],
                               mlp_bias).chunk(2, -1)
        x = x + p.linear(ACTIVATIONS[c["hidden_activation"]](first) * gate, at + "mlp.Wo", width, mlp_bias)
        out["hidden_states.%d" % (layer + 1)] = x
    x = p.norm(x, "final_norm", eps, norm_bias)
    out["hidden_states.%d" % len(kinds)] = x
    return x


# Decoders.

def gpt2(p, c, ids, types, out):
    width, heads = c["n_embd"], c["n_head"]
    x = p.table("wte", c["vocab_size"], width)[ids] + p.table("wpe", c["n_positions"], width)[:len(ids)]
    out["hidden_states.0"] = x

    def conv(x, name, many, gain=1.2):
        return x @ p(name + ".weight", x.shape[-1], many, spread=gain / math.sqrt(x.shape[-1])) + p(name + ".bias", many)
    for layer in range(c["n_layer"]):
        at = "h.%d." % layer
        q, k, v = (heads_of(y, heads) for y in
                   conv(p.norm(x, at + "ln_1", c["layer_norm_epsilon"]), at + "attn.c_attn", 3 * width, 2).chunk(3, -1))
        scale = (q.shape[-1] ** -0.5 if c["scale_attn_weights"] else 1.0)
        if c["scale_attn_by_inverse_layer_idx"]:
            scale /= layer + 1
        read, out["attentions.%d" % layer] = attention(q, k, v, scale, causal(len(ids)))
        x = x + conv(read, at + "attn.c_proj", width)
        inner = ACTIVATIONS[c["activation_function"]](
            conv(p.norm(x, at + "ln_2", c["layer_norm_epsilon"]), at + "mlp.c_fc", c["n_inner"] or 4 * width))
        x = x + conv(inner, at + "mlp.c_proj", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = p.norm(x, "ln_f", c["layer_norm_epsilon"])
    out["hidden_states.%d" % c["n_layer"]] = x
    return x


def gpt_neo(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_heads"], c["layer_norm_epsilon"]
    x = p.table("wte", c["vocab_size"], width)[ids] + p.table("wpe", c["max_position_embeddings"], width)[:len(ids)]
    out["hidden_states.0"] = x
    kinds = [kind for group, times in c["attention_types"] for _ in range(times) for kind in group]
    for layer, kind in enumerate(kinds):
        at = "h.%d." % layer
        read = p.norm(x, at + "ln_1", eps)
        q, k, v = (heads_of(p.linear(read, at + "attn.attention.%s_proj" % n, width, False, gain), heads)
                   for n, gain in (("q", 0.7), ("k", 0.7), ("v", 1.2)))  # scores are not divided
        read, out["attentions.%d" % layer] = attention(q, k, v, 1.0, causal(len(ids), c["window_size"] if kind == "local" else None))
        x = x + p.linear(read, at + "attn.attention.out_proj", width)
        inner = ACTIVATIONS[c["activation_function"]](
            p.linear(p.norm(x, at + "ln_2", eps), at + "mlp.c_fc", c["intermediate_size"] or 4 * width))
        x = x + p.linear(inner, at + "mlp.c_proj", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = p.norm(x, "ln_f", eps)
    out["hidden_states.%d" % len(kinds)] = x
    return x


def opt(p, c, ids, types, out):
    width, narrow, before = c["hidden_size"], c["word_embed_proj_dim"], c["do_layer_norm_before"]
    bias = c.get("enable_bias", True)

    def norm(x, name):
        return p.norm(x, name, 1e-5) if c.get("layer_norm_elementwise_affine", True) else F.layer_norm(x, x.shape[-1:], eps=1e-5)
    x = p.table("embed_tokens", c["vocab_size"], narrow)[ids]
    if narrow != width:
        x = p.linear(x, "project_in", width, False)
    x = x + p.table("embed_positions", c["max_position_embeddings"] + 2, width)[2:2 + len(ids)]
    out["hidden_states.0"] = x
    for layer in range(c["num_hidden_layers"]):
        at = "layers.%d." % layer
        read = norm(x, at + "self_attn_layer_norm") if before else x
        q, k, v = (heads_of(p.linear(read, at + "self_attn.%s_proj" % n, width, bias, 2), c["num_attention_heads"])
                   for n in "qkv")
        read, out["attentions.%d" % layer] = attention(q, k, v, q.shape[-1] ** -0.5, causal(len(ids)))
        x = x + p.linear(read, at + "self_attn.out_proj", width, bias)
        if not before:
            x = norm(x, at + "self_attn_layer_norm")
        read = norm(x, at + "final_layer_norm") if before else x
        inner = ACTIVATIONS[c["activation_function"]](p.linear(read, at + "fc1", c["ffn_dim"], bias))
        x = x + p.linear(inner, at + "fc2", width, bias)
        if not before:
            x = norm(x, at + "final_layer_norm")
        out["hidden_states.%d" % (layer + 1)] = x
    if before and not c.get("_remove_final_layer_norm"):
        x = norm(x, "final_layer_norm")
    if narrow != width:
        x = p.linear(x, "project_out", narrow, False)
    out["hidden_states.%d" % c["num_hidden_layers"]] = x
    return x


def neox(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    size, bias = width // heads, c.get("attention_bias", True)
    rope = rope_of(c, c.get("rotary_emb_base", 10000.0))
    turned = int(size * rope.get("partial_rotary_factor", c.get("rotary_pct", 0.25)))
    x = p.table("embed_in", c["vocab_size"], width)[ids]
    out["hidden_states.0"] = x
    for layer in range(c["num_hidden_layers"]):
        at = "layers.%d." % layer
        y = p.linear(p.norm(x, at + "input_layernorm", eps), at + "attention.query_key_value", 3 * width, bias, 2)
        q, k, v = y.view(len(ids), heads, 3 * size).transpose(0, 1).chunk(3, -1)
        q, k = (rotated(y, turned, rope, c) for y in (q, k))
        read, out["attentions.%d" % layer] = attention(q, k, v, size ** -0.5, causal(len(ids)))
        read = p.linear(read, at + "attention.dense", width, bias)
        side = x if c["use_parallel_residual"] else x + read
        inner = ACTIVATIONS[c["hidden_act"]](
            p.linear(p.norm(side, at + "post_attention_layernorm", eps), at + "mlp.dense_h_to_4h", c["intermediate_size"]))
        x = x + read + p.linear(inner, at + "mlp.dense_4h_to_h", width)
        out["hidden_states.%d" % (layer + 1)] = x
    x = p.norm(x, "final_layer_norm", eps)
    out["hidden_states.%d" % c["num_hidden_layers"]] = x
    return x


def llama_like(p, c, ids, types, out):
    kind, width, heads = c["model_type"], c["hidden_size"], c["num_attention_heads"]
    groups = c.get("num_key_value_heads") or heads
    size, eps, layers = c.get("head_dim") or width // heads, c["rms_norm_eps"], c["num_hidden_layers"]
    gemma, n = kind.startswith("gemma"), len(ids)
    four = gemma and kind != "gemma"  # norms in a layer
    bias = c.get("attention_bias", False)
    of_qkv, of_o = (True, False) if kind == "qwen2" else (bias, bias)
    mlp_bias = c.get("mlp_bias", False) if kind == "llama" else False
    act = ACTIVATIONS[c["hidden_activation" if gemma else "hidden_act"]]
    x = p.table("embed_tokens", c["vocab_size"], width, 0.12 if gemma else 0.4)[ids]
    if gemma:
        x = x * math.sqrt(width)
    out["hidden_states.0"] = x
    local = [False] * layers
    if c.get("layer_types"):
        local = [t == "sliding_attention" for t in c["layer_types"]]
    elif kind in ("mistral", "phi3"):
        local = [c.get("sliding_window") is not None] * layers
    elif kind.startswith("qwen"):
        local = [bool(c.get("use_sliding_window")) and l >= c["max_window_layers"] for l in range(layers)]
    elif kind == "gemma2":
        local = [l % 2 == 0 for l in range(layers)]
    elif kind == "gemma3_text":
        local = [(l + 1) % c["sliding_window_pattern"] != 0 for l in range(layers)]
    scale = (c["query_pre_attn_scalar"] if four else size) ** -0.5
    for layer in range(layers):
        at = "layers.%d." % layer
        if kind == "gemma3_text":
            rope = rope_of(c, 1e6) if not local[layer] else {"rope_theta": c.get("rope_local_base_freq", 10000.0)}
            if local[layer] and c.get("rope_parameters"):
                rope.update(c["rope_parameters"]["sliding_attention"])
        else:
            rope = rope_of(c)
        turned = int(size * rope.get("partial_rotary_factor", c.get("partial_rotary_factor", 1.0)))
        read = p.rms(x, at + "input_layernorm", eps, gemma)
        if kind == "phi3":
            q, k, v = p.linear(read, at + "self_attn.qkv_proj", (heads + 2 * groups) * size, False, 2).split(
                [heads * size, groups * size, groups * size], -1)
        else:
            q, k, v = (p.linear(read, at + "self_attn.%s_proj" % name, many * size, of_qkv, 2)
                       for name, many in (("q", heads), ("k", groups), ("v", groups)))
        q, k, v = heads_of(q, heads), heads_of(k, groups), heads_of(v, groups)
        if kind in ("qwen3", "gemma3_text"):
            q, k = p.rms(q, at + "self_attn.q_norm", eps, gemma), p.rms(k, at + "self_attn.k_norm", eps, gemma)
        q, k = (rotated(y, turned, rope, c) for y in (q, k))
        read, out["attentions.%d" % layer] = attention(q, k, v, scale, causal(n, c["sliding_window"] if local[layer] else None),
                                                       c.get("attn_logit_softcapping"))
        read = p.linear(read, at + "self_attn.o_proj", width, of_o)
        after = p.rms(read if four else x + read, at + "post_attention_layernorm", eps, gemma)
        x = x + (after if four else read)
        entering = p.rms(x, at + "pre_feedforward_layernorm", eps, True) if four else after
        many = c["intermediate_size"]
        if kind == "phi3":
            gate, up = p.linear(entering, at + "mlp.gate_up_proj", 2 * many, False).chunk(2, -1)
        else:
            gate, up = (p.linear(entering, at + "mlp.%s_proj" % name, many, mlp_bias) for name in ("gate", "up"))
        inner = p.linear(act(gate) * up, at + "mlp.down_proj", width, mlp_bias)
        x = x + (p.rms(inner, at + "post_feedforward_layernorm", eps, True) if four else inner)
        out["hidden_states.%d" % (layer + 1)] = x
    x = p.rms(x, "norm", eps, gemma)
    out["hidden_states.%d" % layers] = x
    return x


# Encoders with decoders.

def t5_buckets(queries, keys, both, buckets, far):
    relative = torch.arange(keys)[None, :] - torch.arange(queries)[:, None]
    found = torch.zeros_like(relative)
    if both:
        buckets //= 2
        found += (relative > 0).long() * buckets
        relative = relative.abs()
    else:
        relative = -torch.minimum(relative, torch.zeros_like(relative))
    exact = buckets // 2
    large = exact + (torch.log(relative.float().clamp(min=1) / exact) / math.log(far / exact) * (buckets - exact)).long()
    return found + torch.where(relative < exact, relative, large.clamp(max=buckets - 1))


def t5_side(p, c, side, x, read_states, out, prefix):
    decoder, size, heads = side == "decoder", c["d_kv"], c["num_heads"]
    eps, n = c["layer_norm_epsilon"], len(x)
    layers = c.get("num_decoder_layers", c["num_layers"]) if decoder else c["num_layers"]
    units = c["feed_forward_proj"]
    gated = units.startswith("gated-")
    act = ACTIVATIONS["gelu_new" if units == "gated-gelu" else units.replace("gated-", "")]
    table = p.table(side + ".block.0.layer.0.SelfAttention.relative_attention_bias", c["relative_attention_num_buckets"],
                    heads, 1.0)
    bias = table[t5_buckets(n, n, not decoder, c["relative_attention_num_buckets"], c["relative_attention_max_distance"])]
    bias = bias.permute(2, 0, 1)
    out[prefix + "hidden_states.0"] = x

    def attend(at, read, from_states, bias, allowed):
        q, k, v = (heads_of(p.linear(y, at + "." + name, heads * size, False, 2 * (size ** -0.5 if name == "q" else 0.6)), heads)
                   for name, y in (("q", read), ("k", from_states), ("v", from_states)))
        y, weights = attention(q, k, v, 1.0, allowed, None, bias)
        return p.linear(y, at + ".o", x.shape[-1], False), weights
    for layer in range(layers):
        at = "%s.block.%d.layer." % (side, layer)
        read = p.rms(x, at + "0.layer_norm", eps)
        y, out["%sattentions.%d" % (prefix, layer)] = attend(at + "0.SelfAttention", read, read, bias,
                                                             causal(n) if decoder else None)
        x = x + y
        if decoder:
            y, out["cross_attentions.%d" % layer] = attend(at + "1.EncDecAttention", p.rms(x, at + "1.layer_norm", eps),
                                                           read_states, None, None)
            x = x + y
        at += "2" if decoder else "1"
        read = p.rms(x, at + ".layer_norm", eps)
        at += ".DenseReluDense."
        if gated:
            inner = act(p.linear(read, at + "wi_0", c["d_ff"], False)) * p.linear(read, at + "wi_1", c["d_ff"], False)
        else:
            inner = act(p.linear(read, at + "wi", c["d_ff"], False))
        x = x + p.linear(inner, at + "wo", x.shape[-1], False)
        out["%shidden_states.%d" % (prefix, layer + 1)] = x
    x = p.rms(x, side + ".final_layer_norm", eps)
    out["%shidden_states.%d" % (prefix, layers)] = x
    return x


def bart_side(p, c, side, ids, read_states, out, prefix):
    kind, width, n = c["model_type"], c["d_model"], len(ids)
    decoder, marian, small = side == "decoder", kind in ("marian", "pegasus"), kind == "blenderbot-small"
    front = kind in ("mbart", "pegasus", "m2m_100")  # norms stand in front of what reads
    heads, act = c[side + "_attention_heads"], ACTIVATIONS[c["activation_function"]]
    if marian and not c.get("share_encoder_decoder_embeddings", True):
        table = p.table(side + ".embed_tokens", (c.get("decoder_vocab_size") or c["vocab_size"]) if decoder else c["vocab_size"],
                        width, 0.12)
    else:
        table = p.table("shared", c["vocab_size"], width, 0.12)
    x = table[ids] * (math.sqrt(width) if c["scale_embedding"] else 1.0)
    if kind == "m2m_100":  # padding is not counted, and has no position
        place, at = c["pad_token_id"], torch.zeros(n, width, dtype=torch.float64)
        speeds = torch.exp(torch.arange(width // 2, dtype=torch.float64) * -math.log(10000) / (width // 2 - 1))
        for t, token in enumerate(ids):
            if token != c["pad_token_id"]:
                place += 1
                at[t] = torch.cat([torch.sin(place * speeds), torch.cos(place * speeds)])
        x = x + at.float()
    elif small:
        positions = p.table(side + ".embed_positions", c["max_position_embeddings"], width)[:n]
        x = (p.norm(table[ids], side + ".layernorm_embedding", 1e-5) + positions if decoder else
             p.norm(x + positions, side + ".layernorm_embedding", 1e-5))
    elif marian:
        angle = torch.arange(n, dtype=torch.float64)[:, None] / 10000 ** (torch.arange(0, width, 2, dtype=torch.float64) / width)
        x = x + torch.cat([torch.sin(angle), torch.cos(angle)], -1).float()
    else:
        x = x + p.table(side + ".embed_positions", c["max_position_embeddings"] + 2, width)[2:2 + n]
        x = p.norm(x, side + ".layernorm_embedding", 1e-5)
    out[prefix + "hidden_states.0"] = x

    def attend(at, read, from_states, allowed):
        q, k, v = (heads_of(p.linear(y, "%s.%s_proj" % (at, name), width, True, 2), heads)
                   for name, y in (("q", read), ("k", from_states), ("v", from_states)))
        y, weights = attention(q, k, v, q.shape[-1] ** -0.5, allowed)
        return p.linear(y, at + ".out_proj", width), weights
    def around(x, norm, sublayer):
        return x + sublayer(p.norm(x, norm, 1e-5)) if front else p.norm(x + sublayer(x), norm, 1e-5)
    for layer in range(c[side + "_layers"]):
        at = "%s.layers.%d." % (side, layer)

        def own(x):
            y, out["%sattentions.%d" % (prefix, layer)] = attend(at + "self_attn", x, x, causal(n) if decoder else None)
            return y

        def cross(x):
            y, out["cross_attentions.%d" % layer] = attend(at + "encoder_attn", x, read_states, None)
            return y
        x = around(x, at + "self_attn_layer_norm", own)
        if decoder:
            x = around(x, at + "encoder_attn_layer_norm", cross)
        x = around(x, at + "final_layer_norm",
                   lambda x: p.linear(act(p.linear(x, at + "fc1", c[side + "_ffn_dim"])), at + "fc2", width))
        out["%shidden_states.%d" % (prefix, layer + 1)] = x
    if front:
        x = out["%shidden_states.%d" % (prefix, c[side + "_layers"])] = p.norm(x, side + ".layer_norm", 1e-5)
    return x


def gemma_side(p, c, side, ids, read_states, out, prefix):
    """T5Gemma: a Gemma 2 on each side; the second has an attention to the first in between."""
    own, decoder, n = c[side], side == "decoder", len(ids)
    width, heads, groups, size = own["hidden_size"], own["num_attention_heads"], own["num_key_value_heads"], own["head_dim"]
    eps, many, act = own["rms_norm_eps"], own["intermediate_size"], ACTIVATIONS[own["hidden_activation"]]
    x = p.table(side + ".embed_tokens", own["vocab_size"], width, 0.12)[ids] * math.sqrt(width)
    out[prefix + "hidden_states.0"] = x
    i, j = torch.arange(n)[:, None], torch.arange(n)[None, :]

    def attend(at, read, from_states, allowed, turns):
        q, k, v = (heads_of(p.linear(y, "%s.%s_proj" % (at, name), count * size, own["attention_bias"], 2), count)
                   for name, count, y in (("q", heads, read), ("k", groups, from_states), ("v", groups, from_states)))
        if turns:
            q, k = (rotated(y, size, rope_of(own), own) for y in (q, k))
        y, weights = attention(q, k, v, own["query_pre_attn_scalar"] ** -0.5, allowed, own["attn_logit_softcapping"])
        return p.linear(y, at + ".o_proj", width, own["attention_bias"]), weights
    for layer in range(own["num_hidden_layers"]):
        at = "%s.layers.%d." % (side, layer)
        local = own["layer_types"][layer] == "sliding_attention"
        allowed = causal(n, own["sliding_window"] if local else None) if decoder else \
            (i - j).abs() <= own["sliding_window"] if local else None

        def sublayer(x, name, f):
            return x + p.rms(f(p.rms(x, at + "pre_%s_layernorm" % name, eps, True)), at + "post_%s_layernorm" % name, eps, True)

        def itself(x):
            y, out["%sattentions.%d" % (prefix, layer)] = attend(at + "self_attn", x, x, allowed, True)
            return y

        def cross(x):
            y, out["cross_attentions.%d" % layer] = attend(at + "cross_attn", x, read_states, None, False)
            return y
        x = sublayer(x, "self_attn", itself)
        if decoder:
            x = sublayer(x, "cross_attn", cross)
        x = sublayer(x, "feedforward", lambda x: p.linear(
            act(p.linear(x, at + "mlp.gate_proj", many, False)) * p.linear(x, at + "mlp.up_proj", many, False),
            at + "mlp.down_proj", width, False))
        out["%shidden_states.%d" % (prefix, layer + 1)] = x
    x = out["%shidden_states.%d" % (prefix, own["num_hidden_layers"])] = p.rms(x, side + ".norm", eps, True)
    return x


def sides(p, c, ids, target, out):
    """States of the decoder, or of an encoder alone."""
    if c["model_type"] in ("t5", "mt5"):
        kind = c["architectures"][0]
        alone = kind.endswith(("EncoderModel", "ForTokenClassification"))
        table = p.table("shared", c["vocab_size"], c["d_model"], 0.4)
        read = t5_side(p, c, "encoder", table[ids], None, out, "" if alone else "encoder_")
        return read if alone else t5_side(p, c, "decoder", table[target], read, out, "decoder_")
    of_side = gemma_side if c["model_type"] == "t5gemma" else bart_side
    read = of_side(p, c, "encoder", ids, None, out, "encoder_")
    return of_side(p, c, "decoder", target, read, out, "decoder_")


BODIES = {"bert": bert_like, "roberta": bert_like, "xlm-roberta": bert_like, "camembert": bert_like, "gpt_neo": gpt_neo, "electra": bert_like, "albert": bert_like,
          "distilbert": distilbert, "modernbert": modernbert, "gpt2": gpt2, "opt": opt, "gpt_neox": neox}
PREFIXES = {"bert": "bert.", "roberta": "roberta.", "xlm-roberta": "roberta.", "camembert": "roberta.", "gpt_neo": "transformer.", "electra": "electra.", "albert": "albert.",
            "distilbert": "distilbert.", "modernbert": "model.", "gpt2": "transformer.", "opt": "model.decoder.",
            "gpt_neox": "gpt_neox.", "bart": "model.", "marian": "model.", "t5gemma": "model."}
BODIES.update(encoders.BODIES)
PREFIXES.update(encoders.PREFIXES)
PAIRS = ("t5", "mt5", "bart", "marian", "mbart", "pegasus", "m2m_100", "blenderbot-small", "t5gemma")
EMBEDDING = {"distilbert": "embeddings.word_embeddings", "modernbert": "embeddings.tok_embeddings", "gpt2": "wte", "gpt_neo": "wte",
             "opt": "embed_tokens", "gpt_neox": "embed_in"}


def width_of(c):
    return c.get("hidden_size") or c.get("dim") or c.get("n_embd") or c.get("d_model")


def head(p, o, c, kind, ids, x, out):
    """What stands on top: `p` has the prefix of the model, `o` none."""
    family, width = c["model_type"], width_of(c)
    labels = len(c.get("id2label") or {0: 0, 1: 1})
    tied = c.get("tie_word_embeddings", family not in ("gpt_neox", "llama", "mistral", "qwen2", "qwen3", "phi3"))

    def vocabulary(x, untied, bias=None, table=None):
        """Through the embeddings, or a table of its own."""
        name = EMBEDDING.get(family, "embeddings.word_embeddings" if family in BODIES else "embed_tokens")
        y = x @ (p.table(name, c["vocab_size"], x.shape[-1]) if tied else o.table(untied, c["vocab_size"], x.shape[-1])).T
        if bias:
            y = y + o(bias if tied or family in ("electra", "distilbert") or bias.startswith("decoder.") else untied + ".bias",
                      c["vocab_size"])
        return y
    if family in encoders.BODIES:
        return encoders.head(p, o, c, kind, x, out)
    pooled = None
    if family in ("bert", "roberta", "xlm-roberta", "camembert", "albert"):
        name = "pooler" if family == "albert" else "pooler.dense"
        wants = kind.endswith("Model") or (family in ("bert", "albert") and kind.endswith(
            ("ForSequenceClassification", "ForPreTraining", "ForNextSentencePrediction", "ForMultipleChoice")))
        if wants and not (p.given is not None and not p.has(name + ".weight")):
            pooled = torch.tanh(p.linear(x[0], name, width))
    if kind.endswith("Model") and "LMHead" not in kind and family not in PAIRS or kind.endswith("EncoderModel"):
        out["last_hidden_state"] = x
        if pooled is not None:
            out["pooler_output"] = pooled
        return
    encodes = family in ("bert", "roberta", "xlm-roberta", "camembert", "electra")
    if (kind.endswith(("ForMaskedLM", "ForPreTraining")) or encodes and kind.endswith(("CausalLM", "LMHeadModel"))) and \
            not (family == "electra" and "PreTraining" in kind):
        if family == "bert":
            y = o.norm(ACTIVATIONS[c["hidden_act"]](o.linear(x, "cls.predictions.transform.dense", width)),
                       "cls.predictions.transform.LayerNorm", c["layer_norm_eps"])
            y = vocabulary(y, "cls.predictions.decoder", "cls.predictions.bias")
        elif family in ("roberta", "xlm-roberta", "camembert"):
            y = o.norm(F.gelu(o.linear(x, "lm_head.dense", width)), "lm_head.layer_norm", c["layer_norm_eps"])
            y = vocabulary(y, "lm_head.decoder", "lm_head.bias")
        elif family == "electra":
            y = o.norm(F.gelu(o.linear(x, "generator_predictions.dense", c["embedding_size"])), "generator_predictions.LayerNorm",
                       c["layer_norm_eps"])
            y = vocabulary(y, "generator_lm_head", "generator_lm_head.bias")
        elif family == "albert":
            y = o.norm(ACTIVATIONS[c["hidden_act"]](o.linear(x, "predictions.dense", c["embedding_size"])), "predictions.LayerNorm",
                       c["layer_norm_eps"])
            y = vocabulary(y, "predictions.decoder", "predictions.bias")
        elif family == "distilbert":
            y = o.norm(ACTIVATIONS[c["activation"]](o.linear(x, "vocab_transform", width)), "vocab_layer_norm", 1e-12)
            y = vocabulary(y, "vocab_projector", "vocab_projector.bias")
        else:
            y = o.norm(ACTIVATIONS[c["classifier_activation"]](o.linear(x, "head.dense", width, c["classifier_bias"])), "head.norm",
                       c["norm_eps"], c["norm_bias"])
            y = vocabulary(y, "decoder", "decoder.bias" if c["decoder_bias"] else None)
        if kind.endswith("ForPreTraining"):
            out["prediction_logits"] = y
            if family == "bert":
                out["seq_relationship_logits"] = o.linear(pooled, "cls.seq_relationship", 2)
            else:
                out["sop_logits"] = o.linear(pooled, "sop_classifier.classifier", 2)
        else:
            out["logits"] = y
        return
    if kind.endswith("ForPreTraining"):
        inner = ACTIVATIONS[c["hidden_act"]](o.linear(x, "discriminator_predictions.dense", width))
        out["logits"] = o.linear(inner, "discriminator_predictions.dense_prediction", 1)[:, 0]
    elif kind.endswith("ForNextSentencePrediction"):
        out["logits"] = o.linear(pooled, "cls.seq_relationship", 2)
    elif kind.endswith("ForQuestionAnswering"):
        if family == "modernbert":
            x = o.norm(ACTIVATIONS[c["classifier_activation"]](o.linear(x, "head.dense", width, c["classifier_bias"])), "head.norm",
                       c["norm_eps"], c["norm_bias"])
        y = o.linear(x, "classifier" if family == "modernbert" else "qa_outputs", 2)
        out["start_logits"], out["end_logits"] = y[:, 0], y[:, 1]
    elif kind.endswith("ForTokenClassification"):
        if family == "modernbert":
            x = o.norm(ACTIVATIONS[c["classifier_activation"]](o.linear(x, "head.dense", width, c["classifier_bias"])), "head.norm",
                       c["norm_eps"], c["norm_bias"])
        rotary = family not in BODIES and family not in PAIRS
        out["logits"] = o.linear(x, "score" if rotary else "classifier", labels)
    elif kind.endswith("ForSequenceClassification"):
        if family in ("bert", "albert"):
            y = o.linear(pooled, "classifier", labels)
        elif family in ("roberta", "xlm-roberta", "camembert"):
            y = o.linear(torch.tanh(o.linear(x[0], "classifier.dense", width)), "classifier.out_proj", labels)
        elif family == "electra":
            y = o.linear(F.gelu(o.linear(x[0], "classifier.dense", width)), "classifier.out_proj", labels)
        elif family == "distilbert":
            y = o.linear(F.relu(o.linear(x[0], "pre_classifier", width)), "classifier", labels)
        elif family == "modernbert":
            y = x[0] if c["classifier_pooling"] == "cls" else x.mean(0)
            y = o.norm(ACTIVATIONS[c["classifier_activation"]](o.linear(y, "head.dense", width, c["classifier_bias"])), "head.norm",
                       c["norm_eps"], c["norm_bias"])
            y = o.linear(y, "classifier", labels)
        elif family in PAIRS:
            y = x[max(i for i, id in enumerate(ids) if id == c["eos_token_id"])]
            y = o.linear(torch.tanh(o.linear(y, "classification_head.dense", width)), "classification_head.out_proj", labels)
        else:
            y = o.linear(x[-1], "score", labels, False)
        out["logits"] = y
    elif family in PAIRS:
        if family in ("t5", "mt5"):
            own = not tied or o.has("lm_head.weight")
            scale = c["d_model"] ** -0.5 if family == "t5" and c.get("scale_decoder_outputs", True) and not own else 1.0
            out["logits"] = x * scale @ (o.table("lm_head", c["vocab_size"], width) if own else
                                         p.table("shared", c["vocab_size"], width)).T
        elif family == "t5gemma":
            width, rows = c["decoder"]["hidden_size"], c["decoder"]["vocab_size"]
            y = x @ (p.table("decoder.embed_tokens", rows, width) if tied else o.table("lm_head.out_proj", rows, width)).T
            cap = c["decoder"]["final_logit_softcapping"]
            out["logits"] = cap * torch.tanh(y / cap) if cap else y
        else:
            own = family == "marian" and not c.get("share_encoder_decoder_embeddings", True)
            rows = (c.get("decoder_vocab_size") or c["vocab_size"]) if own else c["vocab_size"]
            table = o.table("lm_head", rows, width) if not tied else p.table("decoder.embed_tokens" if own else "shared", rows, width)
            out["logits"] = x @ table.T + (o("final_logits_bias", 1, rows)[0] if family != "m2m_100" else 0)
    else:
        y = vocabulary(x, "embed_out" if family == "gpt_neox" else "lm_head")
        if c.get("final_logit_softcapping"):
            y = c["final_logit_softcapping"] * torch.tanh(y / c["final_logit_softcapping"])
        out["logits"] = y


@torch.no_grad()
def computed(p, o, c, ids, types=None, target=None):
    kind, out = c["architectures"][0], {}
    ids = [int(i) for i in ids]
    if c["model_type"] in PAIRS:
        if target is None:
            target = [ids[-1] if c["model_type"] == "mbart" else c["decoder_start_token_id"]] + ids[:-1]
        x = sides(p, c, ids, [int(i) for i in target], out)
    else:
        types = torch.zeros(len(ids), dtype=torch.long) if types is None else torch.tensor(types)
        x = BODIES.get(c["model_type"], llama_like)(p, c, torch.tensor(ids), types, out)
    if c["model_type"] in PAIRS and kind in ("T5Model", "MT5Model", "BartModel", "MBartModel", "MarianModel"):
        out["last_hidden_state"] = x
    else:
        head(p, o, c, kind, ids, x, out)
    return {name: value.float().numpy() for name, value in out.items()}


# Files.

def read_safetensors(path):
    raw = path.read_bytes()
    n = int.from_bytes(raw[:8], "little")
    kinds = {"F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64, "F64": torch.float64,
             "U8": torch.uint8, "BOOL": torch.bool}
    all_of = {}
    for name, entry in json.loads(raw[8:8 + n]).items():
        if name != "__metadata__":
            a, b = entry["data_offsets"]
            data = bytearray(raw[8 + n + a:8 + n + b])
            all_of[name] = torch.frombuffer(data, dtype=kinds[entry["dtype"]]).reshape(entry["shape"])
    return all_of


def write_safetensors(path, tensors):
    header, data, at = {}, [], 0
    for name, value in tensors.items():
        raw = value.contiguous().numpy().astype("<f4").tobytes()
        header[name] = {"dtype": "F32", "shape": list(value.shape), "data_offsets": [at, at + len(raw)]}
        data.append(raw)
        at += len(raw)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(data))


def check(folder):
    """None, or the first array of the library that is another one here."""
    config = json.loads((folder / "config.json").read_text())
    given = {}
    for path in sorted(folder.glob("*.safetensors")):
        given.update(read_safetensors(path))
    if not given:
        for path in sorted(folder.glob("*.bin")):
            given.update(torch.load(path))
    given = {n.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias"): v for n, v in given.items()}
    prefix = PREFIXES.get(config["model_type"], "model.")
    p, o = Parameters(given, 0, (prefix, "decoder.", "transformer.", "")), Parameters(given, 0, ("",))
    with np.load(folder / "reference.npz") as file:
        arrays = {name: file[name] for name in file.files}
    compared = 0
    for case in sorted({name.split(".")[0] for name in arrays}):
        mine = {name[len(case) + 1:]: value for name, value in arrays.items() if name.startswith(case + ".")}
        found = computed(p, o, config, mine["input_ids"], mine.get("token_type_ids"), mine.get("decoder_input_ids"))
        for name, value in mine.items():
            if name.endswith("_ids") or name.startswith("generated"):
                continue
            if name not in found:
                return "%s.%s is not computed" % (case, name)
            if found[name].shape != value.shape or not np.abs(found[name] - value).max() <= 1e-4 * np.abs(value).max():
                return "%s.%s: %s %g, expected %s %g" % (case, name, found[name].shape, np.abs(found[name]).max(), value.shape,
                                                         np.abs(value).max())
            compared += 1
    print("%s: %d arrays" % (folder.name, compared))
    return None
# Drawn models.

def draw_encoder(r, family):
    heads = r.choice((1, 2, 3, 4, 6))
    width = heads * r.choice((4, 6, 8, 10))
    layers = r.randint(1, 4)
    c = {"vocab_size": r.randint(20, 90), "pad_token_id": 0, "tie_word_embeddings": r.random() < 0.75}
    if family == "distilbert":
        c.update(dim=width, n_heads=heads, n_layers=layers, hidden_dim=r.randint(5, 70), activation=r.choice(("gelu", "relu")),
                 max_position_embeddings=r.randint(24, 60), sinusoidal_pos_embds=False)
    elif family == "modernbert":
        size = r.choice((4, 6, 8))
        c.update(hidden_size=heads * size, num_attention_heads=heads, num_hidden_layers=layers + 1,
                 intermediate_size=r.randint(5, 50), norm_eps=r.choice((1e-5, 1e-3)), norm_bias=r.random() < 0.3,
                 attention_bias=r.random() < 0.3, mlp_bias=r.random() < 0.3, decoder_bias=r.random() < 0.7,
                 classifier_bias=r.random() < 0.3, classifier_pooling=r.choice(("cls", "mean")),
                 classifier_activation=r.choice(("gelu", "relu", "silu")), hidden_activation=r.choice(("gelu", "silu")),
                 global_attn_every_n_layers=r.choice((1, 2, 3)), local_attention=r.choice((2, 4, 8)), max_position_embeddings=64)
        if r.random() < 0.5:
            c.update(global_rope_theta=r.choice((160000.0, 20000.0)), local_rope_theta=r.choice((10000.0, 500.0)))
        else:
            c["rope_parameters"] = {"full_attention": {"rope_type": "default", "rope_theta": 80000.0},
                                    "sliding_attention": {"rope_type": "default", "rope_theta": 5000.0}}
            c["layer_types"] = [r.choice(("full_attention", "sliding_attention")) for _ in range(layers + 1)]
    else:
        c.update(hidden_size=width, num_attention_heads=heads, num_hidden_layers=layers, intermediate_size=r.randint(5, 70),
                 hidden_act=r.choice(("gelu", "relu", "gelu_new", "silu")), layer_norm_eps=r.choice((1e-12, 1e-5, 1e-3)),
                 max_position_embeddings=r.randint(30, 60), type_vocab_size=r.choice((1, 2, 4)))
        if family in ("roberta", "xlm-roberta", "camembert"):
            c["pad_token_id"] = r.choice((0, 1, 3))
        if family in ("electra", "albert"):
            c["embedding_size"] = r.choice((width, 6, 2 * width))
        if family == "albert":
            groups = r.randint(1, layers)
            c.update(num_hidden_groups=groups, inner_group_num=r.choice((1, 1, 2)))
    name = {"bert": "Bert", "roberta": "Roberta", "xlm-roberta": "XLMRoberta", "camembert": "Camembert", "electra": "Electra", "albert": "Albert",
            "distilbert": "DistilBert", "modernbert": "ModernBert"}[family]
    tops = ["Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering"]
    tops += {"bert": ["ForPreTraining", "ForNextSentencePrediction"], "electra": ["ForPreTraining"], "albert": ["ForPreTraining"]}.get(
        family, [])
    return c, name + r.choice(tops)


def draw_rope(r, c, size):
    """A scaling under its old or its new keys."""
    kinds = ("default", "default", "linear", "llama3", "yarn", "longrope")
    kind = r.choice(kinds if c["family"] != "phi3" else ("default", "longrope"))  # to Phi-3 yarn is another word for longrope
    original = r.choice((8, 16, 64))
    scaling = {"linear": {"factor": r.choice((2.0, 5.5))},
               "llama3": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": r.choice((2.0, 4.0)),
                          "original_max_position_embeddings": original},
               "yarn": {"factor": r.choice((2.0, 4.0)), "original_max_position_embeddings": original},
               "longrope": {"short_factor": [round(r.uniform(1, 2), 3) for _ in range(size // 2)],
                            "long_factor": [round(r.uniform(2, 9), 3) for _ in range(size // 2)]}}.get(kind, {})
    if kind == "yarn":
        scaling.update(r.choice(({}, {"beta_fast": 16.0, "beta_slow": 2.0}, {"truncate": False}, {"attention_factor": 1.3},
                                 {"mscale": 1.0, "mscale_all_dim": 0.7})))
    if kind == "longrope":
        c["original_max_position_embeddings"] = original
    theta = r.choice((10000.0, 1e6, 250.0))
    if r.random() < 0.5:
        c["rope_parameters"] = {"rope_type": kind, "rope_theta": theta, **scaling}
        if kind == "longrope":
            c["rope_parameters"]["original_max_position_embeddings"] = original
    else:
        c["rope_theta"] = theta
        c["rope_scaling"] = {r.choice(("type", "rope_type")): kind, **scaling} if kind != "default" else None


def draw_decoder(r, family):
    heads, layers = r.choice((1, 2, 4, 6)), r.randint(1, 4)
    size = r.choice((4, 8, 16))
    vocabulary = r.randint(20, 90)
    tops = ["ForCausalLM", "ForCausalLM", "Model", "ForSequenceClassification"]
    if family == "gpt2":
        return {"vocab_size": vocabulary, "n_embd": heads * size, "n_head": heads, "n_layer": layers, "n_inner": r.choice((None, 11, 64)),
                "n_positions": r.randint(24, 60), "layer_norm_epsilon": r.choice((1e-5, 1e-3)), "scale_attn_weights": r.random() < 0.7,
                "scale_attn_by_inverse_layer_idx": r.random() < 0.5, "tie_word_embeddings": r.random() < 0.7,
                "activation_function": r.choice(("gelu_new", "relu", "gelu", "silu"))}, "GPT2" + r.choice(
                    ("LMHeadModel", "Model", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering"))
    if family == "gpt_neo":
        return {"vocab_size": vocabulary, "hidden_size": heads * size, "num_heads": heads, "num_layers": 2 * layers,
                "attention_types": [[["global", "local"], layers]], "window_size": r.randint(2, 8),
                "intermediate_size": r.choice((None, 11, 64)), "max_position_embeddings": r.randint(24, 60),
                "layer_norm_epsilon": r.choice((1e-5, 1e-3)), "activation_function": r.choice(("gelu_new", "relu"))}, "GPTNeo" + r.choice(
                    tops + ["ForTokenClassification", "ForQuestionAnswering"])
    if family == "opt":
        width = heads * size
        before = r.random() < 0.6
        return {"vocab_size": vocabulary, "hidden_size": width, "num_attention_heads": heads, "num_hidden_layers": layers,
                "ffn_dim": r.randint(5, 60), "word_embed_proj_dim": r.choice((width, width, 6, 2 * width)), "do_layer_norm_before": before,
                "_remove_final_layer_norm": before and r.random() < 0.3, "max_position_embeddings": r.randint(24, 60),
                "enable_bias": r.random() < 0.8, "tie_word_embeddings": r.random() < 0.7,
                "activation_function": r.choice(("relu", "gelu"))}, "OPT" + r.choice(tops + ["ForQuestionAnswering"])
    if family == "gpt_neox":
        c = {"vocab_size": vocabulary, "hidden_size": heads * size, "num_attention_heads": heads, "num_hidden_layers": layers,
             "intermediate_size": r.randint(5, 60), "layer_norm_eps": 1e-5, "hidden_act": r.choice(("gelu", "gelu_fast", "relu")),
             "use_parallel_residual": r.random() < 0.5, "attention_bias": r.random() < 0.7, "max_position_embeddings": 64,
             "rotary_pct": r.choice((0.5, 1.0) if size == 4 else (0.25, 0.5, 1.0)), "rotary_emb_base": r.choice((10000, 500)),
             "tie_word_embeddings": r.random() < 0.3}
        return c, "GPTNeoX" + r.choice(tops + ["ForTokenClassification", "ForQuestionAnswering"])
    groups = r.choice([g for g in range(1, heads + 1) if heads % g == 0])
    c = {"vocab_size": vocabulary, "hidden_size": heads * size, "num_attention_heads": heads, "num_key_value_heads": groups,
         "num_hidden_layers": layers, "intermediate_size": r.randint(5, 60), "rms_norm_eps": r.choice((1e-6, 1e-5)),
         "max_position_embeddings": 64, "tie_word_embeddings": r.random() < 0.5}
    gemma = family.startswith("gemma")
    if family not in ("phi3", "qwen2") and (gemma or family == "qwen3" or r.random() < 0.4):
        c["head_dim"] = size = r.choice((4, 8, 12))
        if not gemma:
            c["hidden_size"] = r.choice((heads * 6, 32))
    if family != "gemma3_text":
        c["family"] = family
        draw_rope(r, c, size)
        del c["family"]
    if family == "gemma":
        c["hidden_activation"] = "gelu_pytorch_tanh"
    elif gemma:
        c.update(hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=r.choice((4, 16, 20)), sliding_window=r.randint(2, 9),
                 attn_logit_softcapping=r.choice((None, 2.0, 50.0)), final_logit_softcapping=r.choice((None, 3.0, 30.0)),
                 attention_bias=r.random() < 0.3)
        if family == "gemma3_text":
            c["sliding_window_pattern"] = r.choice((1, 2, 3, 6))
            c.update(rope_theta=r.choice((1e6, 3e4)), rope_local_base_freq=r.choice((10000.0, 300.0)))
            if r.random() < 0.5:
                c["rope_scaling"] = {"rope_type": "linear", "factor": 8.0}
    else:
        c["hidden_act"] = r.choice(("silu", "silu", "gelu", "relu"))
    if family in ("llama", "qwen3"):
        c["attention_bias"] = r.random() < 0.4
    if family == "llama":
        c["mlp_bias"] = r.random() < 0.4
    if family in ("mistral", "phi3"):
        c["sliding_window"] = r.choice((None, 3, 7))
    if family == "phi3" and size >= 8 and c.get("rope_scaling") is None and "rope_parameters" not in c:
        c["partial_rotary_factor"] = r.choice((1.0, 0.5, 0.75))
    if family.startswith("qwen"):
        c.update(use_sliding_window=r.random() < 0.6, sliding_window=r.randint(2, 9), max_window_layers=r.randint(0, layers))
    if ((gemma and family != "gemma") or family.startswith("qwen")) and r.random() < 0.3:
        c["layer_types"] = [r.choice(("full_attention", "sliding_attention")) for _ in range(layers)]
        if not gemma:
            c["use_sliding_window"] = True
    name = {"llama": "Llama", "mistral": "Mistral", "qwen2": "Qwen2", "qwen3": "Qwen3", "phi3": "Phi3", "gemma": "Gemma", "gemma2": "Gemma2",
            "gemma3_text": "Gemma3Text"}[family]
    return c, name + r.choice(tops + ["ForTokenClassification"])


def draw_pair(r, family):
    heads = r.choice((1, 2, 4))
    c = {"vocab_size": r.randint(20, 90), "eos_token_id": 1, "pad_token_id": 0, "decoder_start_token_id": r.choice((0, 2, 5)),
         "is_encoder_decoder": True}
    if family in ("t5", "mt5"):
        c.update(d_model=r.choice((16, 24)), d_kv=r.choice((4, 6, 12)), d_ff=r.randint(5, 60), num_heads=heads,
                 num_layers=r.randint(1, 3), num_decoder_layers=r.randint(1, 3), relative_attention_num_buckets=r.choice((4, 8, 32)),
                 relative_attention_max_distance=r.choice((20, 128)), layer_norm_epsilon=1e-6,
                 feed_forward_proj=r.choice(("relu", "gated-gelu", "gated-silu")), tie_word_embeddings=r.random() < 0.5)
        kind = {"t5": "T5", "mt5": "MT5"}[family] + r.choice(("ForConditionalGeneration", "ForConditionalGeneration", "Model", "EncoderModel",
                                                             "ForSequenceClassification", "ForTokenClassification",
                                                             "ForQuestionAnswering"))
        if kind.endswith("EncoderModel"):
            c["is_encoder_decoder"] = False
        return c, kind
    if family == "t5gemma":
        for side in ("encoder", "decoder"):
            heads, layers = r.choice((2, 4)), r.randint(1, 3)
            c[side] = {"vocab_size": c["vocab_size"], "hidden_size": r.choice((12, 16, 24)), "num_attention_heads": heads,
                       "num_key_value_heads": r.choice((1, 2)), "head_dim": r.choice((4, 6, 8)), "num_hidden_layers": layers,
                       "intermediate_size": r.randint(5, 40), "rms_norm_eps": r.choice((1e-6, 1e-5)), "sliding_window": r.randint(2, 6),
                       "hidden_activation": r.choice(("gelu_pytorch_tanh", "silu")), "attention_bias": r.random() < 0.5,
                       "query_pre_attn_scalar": r.choice((4, 8, 20)), "attn_logit_softcapping": r.choice((None, 5.0, 50.0)),
                       "final_logit_softcapping": r.choice((None, 3.0)), "rope_theta": r.choice((100.0, 10000.0)),
                       "layer_types": [r.choice(("sliding_attention", "full_attention")) for _ in range(layers)]}
        c["tie_word_embeddings"] = r.random() < 0.5
        return c, "T5GemmaForConditionalGeneration"
    width = heads * 8
    dec = r.choice((1, 2, 4, 8)) if width % 8 == 0 else heads
    c.update(d_model=width, encoder_attention_heads=heads, decoder_attention_heads=dec, encoder_layers=r.randint(1, 3),
             decoder_layers=r.randint(1, 3), encoder_ffn_dim=r.randint(5, 50), decoder_ffn_dim=r.randint(5, 50),
             activation_function=r.choice(("gelu", "swish", "relu")), scale_embedding=r.random() < 0.5,
             max_position_embeddings=r.randint(30, 60), tie_word_embeddings=True)
    if family == "marian":
        if r.random() < 0.4:
            c.update(share_encoder_decoder_embeddings=False, decoder_vocab_size=r.randint(20, 90))
        return c, "Marian" + r.choice(("MTModel", "MTModel", "Model"))
    if family != "bart":
        c["pad_token_id"] = r.choice((0, 1, 3)) if family == "m2m_100" else 0
        named = {"mbart": "MBart", "pegasus": "Pegasus", "m2m_100": "M2M100", "blenderbot-small": "BlenderbotSmall"}[family]
        return c, named + ("ForConditionalGeneration" if family != "mbart" else r.choice(
            ("ForConditionalGeneration", "Model", "ForSequenceClassification", "ForQuestionAnswering")))
    return c, "Bart" + r.choice(("ForConditionalGeneration", "Model", "ForSequenceClassification", "ForQuestionAnswering"))


FAMILIES = {draw_encoder: ("bert", "roberta", "xlm-roberta", "distilbert", "electra", "albert", "modernbert"),
            draw_decoder: ("gpt2", "opt", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "phi3", "gemma2", "gemma3_text"),
            draw_pair: ("t5", "mt5", "bart", "marian")}
FAMILY_NAMES = [name for names in FAMILIES.values() for name in names]  # by the number of a model: new ones come behind
for draw, names in ((draw_encoder, ("camembert",)), (draw_decoder, ("gpt_neo", "gemma")),
                    (draw_pair, ("mbart", "pegasus", "m2m_100", "blenderbot-small", "t5gemma"))):
    FAMILIES[draw] += names
FAMILIES[encoders.draw] = tuple(encoders.BODIES)


def drawn(seed, family=None):
    """(config, parameters, {case: arrays}) of the model of this number."""
    r = random.Random(seed)
    if family is None:
        family = FAMILY_NAMES[seed % len(FAMILY_NAMES)]
    draw = next(d for d, names in FAMILIES.items() if family in names)
    c, kind = draw(r, family)
    c = {"model_type": family, "architectures": [kind], **c}
    if kind.endswith(("ForSequenceClassification", "ForTokenClassification")):
        c["id2label"] = {str(i): "class %d" % i for i in range(r.choice((1, 2, 5)))}
        if kind.endswith("ForTokenClassification") and len(c["id2label"]) == 1:
            c["id2label"]["1"] = "another"
    prefix = PREFIXES.get(family, "model.")
    if family in ("t5", "mt5"):
        prefix = "transformer." if kind.endswith(("ForSequenceClassification", "ForTokenClassification")) else ""
    elif kind.endswith("Model") and "LMHead" not in kind and "MTModel" not in kind:
        prefix = "decoder." if family == "opt" else ""  # the library leaves its prefix out there
    elif kind == "LlamaForQuestionAnswering":
        prefix = "transformer."
    p = Parameters(None, seed, (prefix,))
    o = p.under("")
    cases = {}
    for case in range(3):
        most = c.get("max_position_embeddings") or c.get("n_positions") or 40
        ids = [r.randrange(6, c["vocab_size"]) for _ in range(r.randint(1, min(22, most - 4)))]
        if family == "m2m_100" and r.random() < 0.5:
            ids[r.randrange(len(ids))] = c["pad_token_id"]
        arrays = {"input_ids": ids}
        target, types = None, None
        if family in PAIRS:
            if "ForSequence" in kind or "ForQuestion" in kind:
                ids[-1] = c["eos_token_id"]
            elif not kind.endswith(("EncoderModel", "ForTokenClassification")):
                rows = c.get("decoder_vocab_size") if not c.get("share_encoder_decoder_embeddings", True) else c["vocab_size"]
                arrays["decoder_input_ids"] = target = [c["decoder_start_token_id"]] + [r.randrange(6, rows)
                                                                                        for _ in range(r.randint(0, 9))]
        elif c.get("type_vocab_size", 1) > 1:
            arrays["token_type_ids"] = types = [r.randrange(c["type_vocab_size"]) for _ in ids]
        arrays.update(computed(p, o, c, ids, types, target))
        cases["case%d" % case] = arrays
    return c, p.all, cases


def write(folder, config, parameters, cases):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    write_safetensors(folder / "model.safetensors", parameters)
    np.savez_compressed(folder / "reference.npz", **{case + "." + name: np.array(value) if isinstance(value, list) else value
                                                     for case, arrays in cases.items() for name, value in arrays.items()})


def attempt(program, count, seed, only=None):
    """Draws so many models; says which the program computes otherwise."""
    wrong = 0
    for number in range(seed, seed + count):
        config, parameters, cases = drawn(number, only)
        with tempfile.TemporaryDirectory(prefix="headlight-drawn-") as folder:
            folder = pathlib.Path(folder) / "model"
            write(folder, config, parameters, cases)
            done = subprocess.run([program, "verify", folder], capture_output=True, text=True)
            if done.returncode:
                wrong += 1
                print("%d %s: %s\n   %s" % (number, config["architectures"][0], (done.stderr or done.stdout).strip()[:400],
                                            json.dumps(config)), flush=True)
    print("%d models, %d differ" % (count, wrong))
    return wrong


def main():
    torch.set_num_threads(1)
    command, words = sys.argv[1], sys.argv[2:]
    if command == "check":
        said = {folder: check(pathlib.Path(folder)) for folder in words}
        for folder, what in said.items():
            if what:
                print("%s: %s" % (folder, what))
        return any(said.values())
    if command == "try":
        return attempt(os.path.abspath(words[0]), int(words[1]) if len(words) > 1 else len(FAMILY_NAMES) * 5,
                       int(words[2]) if len(words) > 2 else 0, words[3] if len(words) > 3 else None) > 0
    for word in words[1:]:  # make: a number, or a family and a number ("esm:7", "mbart-3")
        family, _, number = word.replace(":", "-").rpartition("-")
        config, parameters, cases = drawn(int(number), family or None)
        write(pathlib.Path(words[0]) / (config["architectures"][0] + "-" + number), config, parameters, cases)
    return False


if __name__ == "__main__":
    sys.exit(main())
