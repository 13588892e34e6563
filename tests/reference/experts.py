#!/usr/bin/env python3
"""Mixtures of experts, sinks and latent attention, written again in PyTorch from their papers and the names of their files,
beside decoders.py, whose words it has:

  experts.py check FOLDER...                         compares this program with reference.npz that the library wrote
  experts.py try HEADLIGHT [COUNT] [SEED] [FAMILY]   draws models, writes them, compares what HEADLIGHT computes
  experts.py make OUT FAMILY-NUMBER...               writes single ones: those that tests/data keeps are called so

It shares no code with the program."""

import math
import sys

import torch
import torch.nn.functional as F

import decoders
from decoders import turned
from elsewhere import ACTIVATIONS, attention, causal, frequencies, heads_of, rope_of

LATENT = ("deepseek_v2", "deepseek_v3")
FAMILIES = ("mixtral", "qwen2_moe", "qwen3_moe", "olmoe", "granitemoe", "gpt_oss", "deepseek_v2", "deepseek_v3", "glm4_moe", "phimoe")


def count_of(c):
    return c.get("num_local_experts") or c.get("num_experts") or c.get("n_routed_experts")


# Routers: which experts, and by what their outputs are multiplied.

def in_groups(b, c, groups_count):
    """Those of the groups that stay; `groups_count`: what a group counts, by its numbers."""
    groups = b.view(b.shape[0], c["n_group"], -1)
    kept = groups_count(groups).topk(c["topk_group"], -1).indices
    stays = torch.zeros(groups.shape[:2]).scatter(1, kept, 1.0).bool()
    return groups, stays[:, :, None].expand_as(groups)


def two_rounds(logits, c):
    noise, left, chosen, shares = 2 * c["router_jitter_noise"], logits.clone(), [], []
    for _ in range(2):
        most, best = left.max(-1, keepdim=True)
        apart = (most - logits) / torch.maximum(logits.abs(), most)
        open_ones = left.masked_fill(apart > noise, -math.inf)
        chosen.append(best[:, 0])
        shares.append(torch.softmax(open_ones, -1).gather(1, best)[:, 0])
        left = left.scatter(1, best, -math.inf)
    return torch.stack(chosen, 1), torch.stack(shares, 1)


def route(p, at, c, logits):
    kind, k = c["model_type"], c["num_experts_per_tok"]
    if kind == "phimoe":
        return two_rounds(logits, c)
    if kind in ("granitemoe", "gpt_oss"):
        best, chosen = logits.topk(k, -1)
        return chosen, torch.softmax(best, -1)
    if kind in ("deepseek_v3", "glm4_moe"):
        s = torch.sigmoid(logits)
        b = s + p(at + "gate.e_score_correction_bias", count_of(c), spread=0.2)
        groups, stays = in_groups(b, c, lambda g: g.topk(2, -1).values.sum(-1))
        chosen = groups.masked_fill(~stays, -math.inf).flatten(1).topk(k, -1).indices
        shares = s.gather(1, chosen)
        shares = shares / (shares.sum(-1, keepdim=True) + 1e-20) if c["norm_topk_prob"] else shares
        return chosen, shares * c["routed_scaling_factor"]
    s = torch.softmax(logits, -1)
    if kind == "deepseek_v2":
        if c["topk_method"] == "group_limited_greedy":
            groups, stays = in_groups(s, c, lambda g: g.max(-1).values)
            s = groups.masked_fill(~stays, 0.0).flatten(1)
        shares, chosen = s.topk(k, -1)
        return chosen, shares * c["routed_scaling_factor"]
    shares, chosen = s.topk(k, -1)
    return chosen, shares / shares.sum(-1, keepdim=True) if kind == "mixtral" or c["norm_topk_prob"] else shares


# Networks.

def gated(p, at, x, size, act, names=("gate_proj", "up_proj", "down_proj")):
    gate, up = (p.linear(x, at + name, size, False) for name in names[:2])
    return p.linear(act(gate) * up, at + names[2], x.shape[-1], False)


def experts_of(p, at, c, x, act):
    """By number: what each expert gives for all tokens."""
    kind, count, width = c["model_type"], count_of(c), x.shape[-1]
    if kind == "granitemoe":
        size = c["intermediate_size"]
        into = p(at + "input_linear.weight", count, 2 * size, width)
        back = p(at + "output_linear.weight", count, width, size)
        return [(act(x @ into[e][:size].T) * (x @ into[e][size:].T)) @ back[e].T for e in range(count)]
    if kind == "gpt_oss":
        size, limit = c["intermediate_size"], c["swiglu_limit"]
        into = p(at + "experts.gate_up_proj", count, width, 2 * size, spread=1.2 / math.sqrt(width))
        into_b = p(at + "experts.gate_up_proj_bias", count, 2 * size, spread=0.3)
        back = p(at + "experts.down_proj", count, size, width)
        back_b = p(at + "experts.down_proj_bias", count, width, spread=0.3)
        given = []
        for e in range(count):
            both = x @ into[e] + into_b[e]
            g, u = both[:, 0::2].clamp(max=limit), both[:, 1::2].clamp(-limit, limit)
            given.append(((u + 1) * g * torch.sigmoid(1.702 * g)) @ back[e] + back_b[e])
        return given
    size = c.get("moe_intermediate_size") or c["intermediate_size"]
    names = ("w1", "w3", "w2") if kind in ("mixtral", "phimoe") else ("gate_proj", "up_proj", "down_proj")
    return [gated(p, at + "experts.%d." % e, x, size, act, names) for e in range(count)]


def is_dense(c, layer):
    if c["model_type"] in ("qwen2_moe", "qwen3_moe"):
        return layer in c["mlp_only_layers"] or (layer + 1) % c["decoder_sparse_step"] != 0
    return layer < c.get("first_k_dense_replace", 0)


def network(p, at, c, layer, x, out):
    kind, act = c["model_type"], ACTIVATIONS["silu" if c["model_type"] == "gpt_oss" else c["hidden_act"]]
    if is_dense(c, layer):
        return gated(p, at + "mlp.", x, c["intermediate_size"], act)
    at += "block_sparse_moe." if kind in ("mixtral", "phimoe", "granitemoe") else "mlp."
    name = {"granitemoe": "router.layer", "gpt_oss": "router"}.get(kind, "gate")
    logits = p.linear(x, at + name, count_of(c), kind == "gpt_oss", 2)
    chosen, shares = route(p, at, c, logits)
    shares, order = shares.sort(dim=-1, descending=True, stable=True)
    chosen = chosen.gather(1, order)
    out["router_logits.%d" % layer], out["expert_ids.%d" % layer], out["expert_shares.%d" % layer] = logits, chosen.float(), shares
    given = torch.stack(experts_of(p, at, c, x, act), 1)
    y = (given.gather(1, chosen[:, :, None].expand(-1, -1, x.shape[-1])) * shares[:, :, None]).sum(1)
    if kind == "qwen2_moe":
        gate = torch.sigmoid(p.linear(x, at + "shared_expert_gate", 1, False))
        out["shared_gate.%d" % layer] = gate[:, 0]
        y = y + gate * gated(p, at + "shared_expert.", x, c["shared_expert_intermediate_size"], act)
    if c.get("n_shared_experts"):
        y = y + gated(p, at + "shared_experts.", x, c["n_shared_experts"] * c["moe_intermediate_size"], act)
    return y


# Attention.

def latent_attention(p, at, c, layer, x, out):
    heads, rope, nope, size = (c[k] for k in ("num_attention_heads", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"))
    n, biased, rank = len(x), c["attention_bias"], c["kv_lora_rank"]
    if c["q_lora_rank"]:
        q = p.rms(p.linear(x, at + "q_a_proj", c["q_lora_rank"], biased), at + "q_a_layernorm", 1e-6)
        q = p.linear(q, at + "q_b_proj", heads * (nope + rope), False, 2)
    else:
        q = p.linear(x, at + "q_proj", heads * (nope + rope), False, 2)
    q = heads_of(q, heads)
    kept = p.linear(x, at + "kv_a_proj_with_mqa", rank + rope, biased, 2)
    latent, key = p.rms(kept[:, :rank], at + "kv_a_layernorm", 1e-6), kept[None, :, rank:]
    given = heads_of(p.linear(latent, at + "kv_b_proj", heads * (nope + size), False), heads)
    scaling = rope_of(c)
    apart = c["model_type"] == "deepseek_v3" and c.get("rope_interleave", True)
    pairs = c["model_type"] == "deepseek_v2" or apart
    key, far = turned(key, rope, scaling, c, pairs), turned(q[..., nope:], rope, scaling, c, pairs)
    if apart:
        key = torch.cat([key[..., 0::2], key[..., 1::2]], -1)
        far = torch.cat([far[..., 0::2], far[..., 1::2]], -1)
    out["kv_latent.%d" % layer], out["kv_rope.%d" % layer] = latent, key[0]
    q = torch.cat([q[..., :nope], far], -1)
    k = torch.cat([given[..., :nope], key.expand(heads, -1, -1)], -1)
    every = scaling.get("mscale_all_dim", 0)
    sharper = 0.1 * every * math.log(scaling["factor"]) + 1 if every and scaling.get("factor", 1) > 1 else 1.0
    got, out["attentions.%d" % layer] = attention(q, k, given[..., nope:], sharper ** 2 * (nope + rope) ** -0.5, causal(n))
    return p.linear(got, at + "o_proj", x.shape[-1], biased)


def window_of(c, layer):
    if c["model_type"] == "gpt_oss":
        types = c.get("layer_types")
        here = types[layer] == "sliding_attention" if types else layer % 2 == 0
        return c["sliding_window"] if here else None
    return c.get("sliding_window") if c["model_type"] in ("mixtral", "phimoe") else None


def with_sinks(p, at, q, k, v, scale, allowed, layer, out):
    sinks = p(at + "sinks", q.shape[0], spread=1.0)
    k, v = (x.repeat_interleave(q.shape[0] // x.shape[0], 0) for x in (k, v))
    scores = (q @ k.transpose(1, 2) * scale).masked_fill(~allowed, -math.inf)
    all_of = torch.softmax(torch.cat([scores, sinks[:, None, None].expand(-1, q.shape[1], 1)], -1), -1)
    weights, out["sink.%d" % layer] = all_of[..., :-1], all_of[..., -1]
    return (weights @ v).transpose(0, 1).reshape(q.shape[1], -1), weights


def self_attention(p, at, c, layer, x, out):
    kind, heads, n = c["model_type"], c["num_attention_heads"], len(x)
    keys, size = c["num_key_value_heads"], c.get("head_dim") or c["hidden_size"] // heads
    biased = {"qwen2_moe": c.get("qkv_bias", True), "mixtral": False}.get(kind, c.get("attention_bias"))
    q, k, v = (p.linear(x, at + name + "_proj", m * size, biased, 2) for name, m in (("q", heads), ("k", keys), ("v", keys)))
    eps = c["rms_norm_eps"]
    if kind == "olmoe":
        q, k = p.rms(q, at + "q_norm", eps), p.rms(k, at + "k_norm", eps)
        if c["clip_qkv"]:
            q, k, v = (y.clamp(-c["clip_qkv"], c["clip_qkv"]) for y in (q, k, v))
    q, k, v = heads_of(q, heads), heads_of(k, keys), heads_of(v, keys)
    if kind == "qwen3_moe" or c.get("use_qk_norm"):
        q, k = p.rms(q, at + "q_norm", eps), p.rms(k, at + "k_norm", eps)
    scaling = rope_of(c, 1e6 if kind in ("mixtral", "phimoe") else 10000.0)
    part = int(size * scaling.get("partial_rotary_factor", c.get("partial_rotary_factor", 0.5 if kind == "glm4_moe" else 1)))
    if "short_mscale" in scaling:
        scaling["attention_factor"] = scaling["short_mscale"]
    q, k = (turned(y, part, scaling, c, False) for y in (q, k))
    scale = c["attention_multiplier"] if kind == "granitemoe" else size ** -0.5
    allowed = causal(n, window_of(c, layer))
    got, out["attentions.%d" % layer] = (with_sinks(p, at, q, k, v, scale, allowed, layer, out) if kind == "gpt_oss" else
                                         attention(q, k, v, scale, allowed))
    return p.linear(got, at + "o_proj", x.shape[-1], biased and kind not in ("qwen2_moe", "glm4_moe"))


def with_experts(p, c, ids, out):
    kind, width, eps = c["model_type"], c["hidden_size"], c["rms_norm_eps"]

    def norm(y, name):
        return p.norm(y, name, eps) if kind == "phimoe" else p.rms(y, name, eps)
    x = p.table("embed_tokens", c["vocab_size"], width)[ids] * c.get("embedding_multiplier", 1.0)
    out["hidden_states.0"], factor = x, c.get("residual_multiplier", 1.0)
    for layer in range(c["num_hidden_layers"]):
        at = "layers.%d." % layer
        attend = latent_attention if kind in LATENT else self_attention
        x = x + factor * attend(p, at + "self_attn.", c, layer, norm(x, at + "input_layernorm"), out)
        x = x + factor * network(p, at, c, layer, norm(x, at + "post_attention_layernorm"), out)
        out["hidden_states.%d" % (layer + 1)] = x
    x = out["hidden_states.%d" % c["num_hidden_layers"]] = norm(x, "norm")
    return x


def draw(r, kind):
    def maybe():
        return r.random() < 0.5
    heads, layers, size = r.choice((2, 3, 4)), r.randint(1, 4), r.choice((4, 8, 12))
    groups = r.choice([g for g in range(1, heads + 1) if heads % g == 0])
    rope = r.choice(({}, {"rope_theta": 500.0}, {"rope_theta": 1000.0, "rope_scaling": {"rope_type": "linear", "factor": 3.0}},
                     {"rope_parameters": {"rope_type": "default", "rope_theta": 333.0}},
                     {"rope_theta": 1000.0, "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 16}}))
    count = r.choice((4, 6, 8))
    c = {"vocab_size": r.randint(30, 90), "hidden_size": heads * size, "num_attention_heads": heads, "num_hidden_layers": layers,
         "max_position_embeddings": 64, "tie_word_embeddings": maybe(), "num_key_value_heads": groups, "hidden_act": r.choice(("silu", "gelu")),
         "rms_norm_eps": r.choice((1e-5, 1e-3)), "intermediate_size": r.randint(4, 30), "num_experts_per_tok": r.randint(1, 3), **rope}
    c["num_experts" if kind in ("qwen2_moe", "qwen3_moe", "olmoe") else "n_routed_experts" if kind in LATENT + ("glm4_moe",) else
      "num_local_experts"] = count
    if kind in ("qwen3_moe", "gpt_oss", "glm4_moe") or (kind == "mixtral" and maybe()):
        c["head_dim"] = r.choice((4, 8, 12))
    if kind not in ("mixtral", "qwen2_moe", "phimoe"):
        c["attention_bias"] = maybe()
    if kind in ("qwen2_moe", "qwen3_moe"):
        c.update(decoder_sparse_step=r.choice((1, 1, 2)), mlp_only_layers=r.choice(([], [0], [1, 2])), norm_topk_prob=maybe(),
                 moe_intermediate_size=r.randint(4, 20))
    if kind in LATENT + ("glm4_moe",):
        parts = r.choice((1, 1, 2))
        c.update(n_group=parts, topk_group=r.randint(1, parts), first_k_dense_replace=r.randint(0, layers), norm_topk_prob=maybe(),
                 n_shared_experts=r.choice((None, 0, 1, 2)) if kind != "glm4_moe" else 1, moe_intermediate_size=r.randint(4, 20),
                 routed_scaling_factor=r.choice((1.0, 2.5)), num_experts_per_tok=r.randint(1, 2))
    if kind in LATENT:
        c.update(q_lora_rank=r.choice((None, 9)), kv_lora_rank=r.randint(3, 12), qk_rope_head_dim=r.choice((2, 4, 8)),
                 qk_nope_head_dim=r.randint(1, 8), v_head_dim=r.randint(2, 9), num_key_value_heads=heads)
        if "rope_scaling" in c and maybe():
            c["rope_scaling"].update({"type": "yarn", "original_max_position_embeddings": 16, "mscale": 0.7, "mscale_all_dim": r.choice((0.7, 1.0))})
            c["rope_scaling"].pop("rope_type", None)
    more = {"qwen2_moe": {"shared_expert_intermediate_size": r.randint(4, 20)},
            "mixtral": {"sliding_window": r.choice((None, 4))},
            "olmoe": {"clip_qkv": r.choice((None, 0.8)), "norm_topk_prob": maybe()},
            "granitemoe": {"embedding_multiplier": 3.0, "attention_multiplier": 0.3, "residual_multiplier": 0.4, "logits_scaling": 2.0},
            "gpt_oss": {"sliding_window": r.choice((3, 128)), "swiglu_limit": r.choice((0.5, 7.0)), **rope_given(rope)},
            "deepseek_v3": {"rope_interleave": maybe()},
            "deepseek_v2": {"topk_method": "group_limited_greedy" if c.get("n_group", 1) > 1 else "greedy"},
            "glm4_moe": {"use_qk_norm": maybe(), "partial_rotary_factor": r.choice((0.5, 1.0))},
            "phimoe": {"attention_bias": maybe(), "lm_head_bias": maybe(), "num_experts_per_tok": 2, "sliding_window": r.choice((None, 5)),
                       "router_jitter_noise": r.choice((0.01, 0.2, 0.5))}}
    c.update(more.get(kind, {}))
    if kind == "phimoe" and maybe():
        half = size // 2
        c.update(rope_theta=100.0, original_max_position_embeddings=32)
        c.pop("rope_parameters", None)
        c["rope_scaling"] = {"type": "longrope", "short_factor": [1.0 + 0.2 * i for i in range(half)], "long_factor": [2.0] * half,
                             "short_mscale": 1.2, "long_mscale": 1.3, "original_max_position_embeddings": 32}
    if kind == "gpt_oss" and maybe():
        c["layer_types"] = [r.choice(("sliding_attention", "full_attention")) for _ in range(layers)]
    return c


def rope_given(rope):
    """gpt_oss has a scaling of its own where nothing is said."""
    return {} if "rope_scaling" in rope or "rope_parameters" in rope else {"rope_parameters": {"rope_type": "default", "rope_theta": 777.0}}


decoders.COMPUTE = {name: with_experts for name in FAMILIES}
decoders.draw = draw

if __name__ == "__main__":
    sys.exit(decoders.main())
