#!/usr/bin/env python3
"""Writes reference activations and gradients of every recurrent encoder-decoder, computed by PyTorch in float64.

    /usr/bin/python3 tests/reference/recurrent.py        (from the root of the sources; needs python3-torch)

The equations are those of the papers: Hochreiter & Schmidhuber 1997, Cho et al. 2014, Sutskever et al. 2014, Bahdanau
et al. 2015, Luong et al. 2015, Xu et al. 2015, Wu et al. 2016. One sentence is computed at a time, without padding;
wherever PyTorch has a module for a layer (LSTM, GRU, RNN, both directions, packed padding) the states have to agree
with it.

One file for each configuration, safetensors, float64; its metadata hold the configuration and the baseline:
    param/NAME                 parameters in the program's layout: [in x out], LSTM blocks f, g, i, o; GRU z, r, h~
    input/{source,decoder,target,u}      sentence A: ids as typed [S], fed [T], wanted [T], draws of hard attention [T]
    input/b/{...}              sentence B, shorter
    site/NAME                  the activation at every site for sentence A
    loss, grad/NAME            mean cross-entropy of A, and its gradient for every parameter
    padded/loss, padded/grad/NAME        of A and B together
    total/loss, total/grad/NAME          of A and B with the losses of the attention (REINFORCE, doubly stochastic)
"""

import json
import math

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from make_reference import OUT, to_torch, write_safetensors

D, H, VS, VT, N_ATT, LONGEST, MAXOUT = 3, 4, 6, 5, 5, 7, 3
S, T, S_B, T_B = 5, 3, 3, 2
BASELINE = -2.5

ENCODER = {"cell": "lstm", "layers": 1, "bidirectional": "none", "merge": "concat", "bridge": False,
           "bottleneck": "last", "pass_cell": False, "residual": False, "residual_from": 1, "reverse_source": False,
           "embedding_size": D, "hidden_size": H}
ATTENTION = {"attention.score": "dot", "attention.selection": "soft", "attention.reach": "global",
             "attention.temperature": 1.0, "attention.learn_beta": False, "attention.beta": 5.0,
             "attention.half_width": 4, "attention.sigma": 0.0, "attention.reinforce": 1.0, "attention.entropy": 0.0,
             "attention.doubly_stochastic": 0.0, "attention.bias": "none"}
AFTER = {**ENCODER, **ATTENTION, "reverse_source": True, "context_use": "to_affine", "query_layer": 0,
         "input_feeding": False, "combine": False, "attention_step": "fresh"}
FIRST = {**ENCODER, **ATTENTION, "cell": "gru", "bidirectional": "all", "attention.score": "additive",
         "readout": "maxout", "readout_state": "previous", "start": "backward", "selector": False}
DEFAULTS = {
    "seq2seq": ENCODER,
    "seq2seq_peeky": {**ENCODER, "reverse_source": True},
    "attn_seq2seq": AFTER,
    "luong": {**AFTER, "pass_cell": True, "input_feeding": True, "combine": True, "attention.score": "general",
              "query_layer": -1},
    "gnmt": {**AFTER, "layers": 4, "bidirectional": "first", "residual": True, "residual_from": 2, "pass_cell": True,
             "reverse_source": False, "context_use": "to_next", "attention_step": "past",
             "attention.score": "additive"},
    "bahdanau": {**FIRST, "attention.bias": "hidden"},
    "bahdanau_m30k": {**FIRST, "attention.bias": "hidden", "cell": "gru_reset_after", "readout": "linear", "readout_state": "current",
                      "start": "both"},
    "hard_attention": {**FIRST, "attention.bias": "both", "cell": "lstm", "bidirectional": "none", "readout": "deep",
                       "readout_state": "current", "start": "mean", "attention.selection": "hard_sample",
                       "attention.entropy": 0.01},
}
ATTN, NONE = {"model_type": "attn_seq2seq"}, {"attention.bias": "none"}
HARD_BIAS = {"model_type": "hard_attention", "attention.semi_sampling": 0.0}
HARD = {**HARD_BIAS, **NONE}
DEEP = {**ATTN, "layers": 3, "residual": True}
LOCAL = {**ATTN, "attention.half_width": 1}
BOTH = {**ATTN, "bidirectional": "all"}
CONFIGURATIONS = {
    "score_scaled_dot": {**ATTN, "attention.score": "scaled_dot"},
    "score_general": {**ATTN, "attention.score": "general"},
    "score_additive": {**ATTN, "attention.score": "additive"},
    "score_location": {**ATTN, "attention.score": "location"},
    "score_location_short": {**ATTN, "attention.score": "location", "attention.longest_source": 4},
    "score_cosine": {**ATTN, "attention.score": "cosine", "attention.learn_beta": True},
    "score_cosine_fixed": {**ATTN, "attention.score": "cosine", "attention.beta": 2.0},
    "score_mlp": {**ATTN, "attention.score": "mlp"},
    "score_linear_concat": {**ATTN, "attention.score": "linear_concat"},
    "local_m": {**LOCAL, "attention.reach": "local_m"},
    "local_p": {**LOCAL, "attention.reach": "local_p", "attention.score": "general"},
    "local_p_sigma": {**LOCAL, "attention.reach": "local_p", "attention.half_width": 2, "attention.sigma": 1.7},
    "temperature": {**ATTN, "attention.temperature": 0.7},
    "cell_gru": {**ATTN, "cell": "gru"},
    "cell_gru_reset_after": {**ATTN, "cell": "gru_reset_after"},
    "cell_rnn": {**ATTN, "cell": "rnn"},
    "both_concat": {**BOTH, "attention.score": "general"},
    "both_sum": {**BOTH, "merge": "sum", "cell": "gru_reset_after"},
    "both_mean": {**BOTH, "merge": "mean", "cell": "rnn", "reverse_source": False},
    "both_bridge": {**BOTH, "bridge": True},
    "both_sum_bridge": {**BOTH, "merge": "sum", "bridge": True, "bottleneck": "max", "cell": "rnn"},
    "one_way_bridge": {**ATTN, "bridge": True, "cell": "gru"},
    "context_to_next": {**ATTN, "context_use": "to_next"},
    "context_both": {**ATTN, "context_use": "both", "cell": "gru"},
    "deep_bottom": DEEP,
    "deep_top": {**DEEP, "query_layer": 2, "pass_cell": True},
    "deep_middle_both": {**DEEP, "query_layer": 1, "context_use": "both", "cell": "gru", "bidirectional": "first",
                         "attention.score": "additive"},
    "plain_mean": {"model_type": "seq2seq", "bottleneck": "mean", "pass_cell": True},
    "plain_max": {"model_type": "seq2seq", "bottleneck": "max", "cell": "gru"},
    "plain_both_mean": {"model_type": "seq2seq", "bidirectional": "all", "cell": "rnn", "bottleneck": "mean"},
    "plain_both": {"model_type": "seq2seq", "bidirectional": "all", "cell": "rnn"},
    "plain_deep": {"model_type": "seq2seq", "layers": 2, "pass_cell": True, "reverse_source": True},
    "peeky_gru": {"model_type": "seq2seq_peeky", "cell": "gru"},
    "peeky_deep": {"model_type": "seq2seq_peeky", "layers": 2},
    "luong": {"model_type": "luong", "layers": 2},  # the top layer asks (Luong et al. 2015, section 3)
    "luong_local_p": {"model_type": "luong", "attention.score": "dot", "attention.reach": "local_p",
                      "attention.half_width": 1},
    "luong_everything": {"model_type": "luong", "context_use": "both"},
    "gnmt_past": {"model_type": "gnmt"},
    "gnmt_fresh": {"model_type": "gnmt", "attention_step": "fresh"},
    "bahdanau": {"model_type": "bahdanau", **NONE},
    "bahdanau_current": {"model_type": "bahdanau", **NONE, "readout_state": "current", "reverse_source": True},
    "bahdanau_m30k": {"model_type": "bahdanau_m30k", **NONE},
    "hard_soft": {**HARD, "attention.selection": "soft", "selector": True, "attention.doubly_stochastic": 1.0},
    "hard_argmax": {**HARD, "attention.selection": "hard_argmax"},
    "hard_sample": HARD,
    "hard_sample_all": {**HARD, "selector": True, "attention.doubly_stochastic": 0.5, "attention.reinforce": 0.3,
                        "attention.entropy": 0.2, "cell": "gru", "bidirectional": "all"},
    "attn_hard_sample": {**ATTN, "attention.selection": "hard_sample", "attention.entropy": 0.1},
    "deep_both_bridge": {**ATTN, "layers": 2, "bidirectional": "all", "bridge": True, "cell": "rnn"},
    "bahdanau_m30k_deep": {"model_type": "bahdanau_m30k", **NONE, "layers": 2},
    # With the biases that the papers have and that are the default.
    "bahdanau_bias": {"model_type": "bahdanau"},
    "hard_bias": HARD_BIAS,
    "local_m_forward": {**LOCAL, "attention.reach": "local_m", "reverse_source": False},
    "bahdanau_m30k_bias": {"model_type": "bahdanau_m30k"},
}


class TooClose(Exception):
    """Rounding would decide which way this goes: no example to compare programs by."""


class Settings(dict):
    """One configuration with the defaults of its architecture."""

    def __init__(self, changes):
        super().__init__({**DEFAULTS[changes["model_type"]], **changes})
        kind, self.H = self["model_type"], self["hidden_size"]
        self.asking = range(self["layers"])[self.get("query_layer", 0)]
        self.first = kind in ("bahdanau", "bahdanau_m30k", "hard_attention")
        self.attends = kind not in ("seq2seq", "seq2seq_peeky")
        self.peeky = kind == "seq2seq_peeky"
        self.cell_name = "gru" if self["cell"].startswith("gru") else self["cell"]
        self.deep = self["layers"] > 1
        self.blocks = {"lstm": 4, "gru": 3, "rnn": 1}[self.cell_name]
        wide = self["merge"] == "concat"
        both = {"none": False, "first": not self.deep, "all": True}[self["bidirectional"]]  # of the top layer
        self.top = 2 * self.H if both and wide else self.H
        self.A = self.H if self["bridge"] else self.top
        self.has_bridge = self["bridge"] or (not self.first and self.top != self.H and not self.deep)
        if self.attends:
            self.longest = self.get("attention.longest_source", LONGEST)

    def both(self, layer):
        return self["bidirectional"] == "all" or (self["bidirectional"] == "first" and layer == 0)


def cell_shapes(s, prefix, width):
    name = prefix + "." + s.cell_name + "."
    shapes = {name + "Wx": (width, s.blocks * H), name + "b": (s.blocks * H,)}
    if s.cell_name == "gru":
        shapes.update({name + "Uzr": (H, 2 * H), name + "U": (H, H)})
        if s["cell"] == "gru_reset_after":
            shapes[name + "c"] = (H,)
    else:
        shapes[name + "Wh"] = (H, s.blocks * H)
    return shapes


def attention_shapes(s):
    name, shapes = "attention.", {}
    score = s["attention.score"]
    if score == "general":
        shapes[name + "W_a"] = (H, s.A)
    if score in ("additive", "mlp"):
        shapes.update({name + "W_a": (H, N_ATT), name + "U_a": (s.A, N_ATT), name + "v_a": (N_ATT,)})
    if score == "mlp" or s["attention.bias"] != "none":
        shapes[name + "b_a"] = (N_ATT,)
    if score == "mlp" or s["attention.bias"] == "both":
        shapes[name + "b_v"] = (1,)
    if score == "linear_concat":
        shapes.update({name + "w_q": (H, 1), name + "w_k": (s.A, 1)})
    if score == "location":
        shapes[name + "W_loc"] = (H, s.longest)
    if score == "cosine" and s["attention.learn_beta"]:
        shapes[name + "beta_raw"] = (1,)
    if s["attention.reach"] == "local_p":
        shapes.update({name + "W_p": (H, H), name + "v_p": (H, 1)})
    if s.get("selector"):
        shapes.update({name + "w_beta": (H, 1), name + "b_beta": (1,)})
    return shapes


def parameter_shapes(s):
    shapes, width = {"encoder.embed.W": (VS, D), "decoder.embed.W": (VT, D)}, D
    for l in range(s["layers"]):
        prefix = f"encoder.layer[{l}]" if s.deep else "encoder"
        for way in ([".fwd", ".bwd"] if s.both(l) else [""]):
            shapes.update(cell_shapes(s, prefix + way, width))
        width = 2 * H if s.both(l) and s["merge"] == "concat" else H
    if s.has_bridge:
        shapes["encoder.bridge.W"] = (s.top, H)
    if s.attends:
        shapes.update(attention_shapes(s))
    if s.first:
        shapes.update(cell_shapes(s, "decoder", D))
        shapes["decoder.context.C"] = (s.A, s.blocks * H)
        start = {"backward": H, "both": 2 * H, "mean": s.A}[s["start"]]
        for name in ["s"] + (["c"] if s["cell"] == "lstm" else []):
            shapes.update({"decoder.init.W_" + name: (start, H), "decoder.init.b_" + name: (H,)})
        inner = {"maxout": 2 * MAXOUT, "deep": D, "linear": 0}[s["readout"]]
        if inner:
            shapes.update({"decoder.readout.U_o": (H, inner), "decoder.readout.C_o": (s.A, inner),
                           "decoder.readout.b_o": (inner,)})
        if s["readout"] == "maxout":
            shapes["decoder.readout.V_o"] = (D, inner)
        last = {"maxout": MAXOUT, "deep": D, "linear": H + s.A + D}[s["readout"]]
        shapes.update({"decoder.output.W_o": (last, VT), "decoder.output.b": (VT,)})
        return shapes
    Z = H if s.has_bridge or s.deep else s.top
    for l in range(s["layers"]):
        width = H
        if l == 0:
            width = D + (Z if s.peeky else 0)
            if s.attends:
                width += (s.A if s["context_use"] != "to_affine" else 0) + (H if s["input_feeding"] else 0)
        elif s.attends and l > s.asking:
            width += s.A
        shapes.update(cell_shapes(s, f"decoder.layer[{l}]" if s.deep else "decoder", width))
    readout = H + (Z if s.peeky else 0)
    if s.attends:
        if s["combine"]:
            shapes["decoder.combine.W"] = (s.A + H, H)
        elif s["context_use"] != "to_next":
            readout += s.A
    shapes.update({"decoder.affine.W": (readout, VT), "decoder.affine.b": (VT,)})
    return shapes


def cell(s, p, prefix, x, state, sites, at, context=None):
    """One step. `context` is what the context adds to x W: it enters every gate like the input does."""
    name = prefix + "." + s.cell_name + "."
    h = state[0]
    xW = x @ p[name + "Wx"] + p[name + "b"]
    if context is not None:
        xW = xW + context
    at += "." + s.cell_name + "."
    if s["cell"] == "lstm":
        pre = xW + h @ p[name + "Wh"]
        f, g, i, o = pre.split(s.H)
        f, g, i, o = torch.sigmoid(f), torch.tanh(g), torch.sigmoid(i), torch.sigmoid(o)
        c = f * state[1] + i * g
        h = o * torch.tanh(c)
        sites.update({at + "pre": pre, at + "gate.f": f, at + "cand.g": g, at + "gate.i": i, at + "gate.o": o,
                      at + "c": c, at + "h": h})
        return h, c
    if s["cell"] == "rnn":
        pre = xW + h @ p[name + "Wh"]
        h = torch.tanh(pre)
        sites.update({at + "pre": pre, at + "h": h})
        return h, None
    xz, xr, xn = xW.split(s.H)
    Uz, Ur = p[name + "Uzr"].split(s.H, dim=1)
    z, r = torch.sigmoid(xz + h @ Uz), torch.sigmoid(xr + h @ Ur)
    if s["cell"] == "gru":  # Cho et al. 2014
        reset = r * h
        candidate = torch.tanh(xn + reset @ p[name + "U"])
        h = (1 - z) * h + z * candidate
    else:  # nn.GRU
        recurrent = h @ p[name + "U"] + p[name + "c"]
        sites[at + "recurrent"] = recurrent
        reset = r * recurrent
        candidate = torch.tanh(xn + reset)
        h = (1 - z) * candidate + z * h
    sites.update({at + "gate.z": z, at + "gate.r": r, at + "reset": reset, at + "cand": candidate, at + "h": h})
    return h, None


def zero_state(s):
    return torch.zeros(s.H, dtype=torch.get_default_dtype()), torch.zeros(s.H) if s["cell"] == "lstm" else None


def torch_module(s, p, prefixes, width):
    """The nn.Module of one layer in one or two directions, or None where PyTorch has none."""
    if s["cell"] == "gru":
        return None
    kind = {"lstm": torch.nn.LSTM, "gru_reset_after": torch.nn.GRU, "rnn": torch.nn.RNN}[s["cell"]]
    module = kind(width, s.H, bidirectional=len(prefixes) == 2)
    for prefix, suffix in zip(prefixes, ["_l0", "_l0_reverse"]):
        name = prefix + "." + s.cell_name + "."
        Wx, b = p[name + "Wx"].detach(), p[name + "b"].detach()
        bh = torch.zeros_like(b)
        if s["cell"] == "lstm":
            Wx, b, Wh = to_torch(Wx), to_torch(b), to_torch(p[name + "Wh"].detach())
        elif s["cell"] == "rnn":
            Wh = p[name + "Wh"].detach()
        else:  # PyTorch stacks r, z, n
            def swap(m):
                z, r, n = m.split(s.H, dim=-1)
                return torch.cat([r, z, n], dim=-1)
            Wx, b = swap(Wx), swap(b)
            Wh = swap(torch.cat([p[name + "Uzr"], p[name + "U"]], dim=1).detach())
            bh[2 * s.H:] = p[name + "c"].detach()
        with torch.no_grad():
            for field, value in (("weight_ih", Wx.t()), ("weight_hh", Wh.t()), ("bias_ih", b), ("bias_hh", bh)):
                getattr(module, field + suffix).copy_(value)
    return module


def encode(s, p, source, sites, inputs=None):
    """Returns states [S x A], the last (h, c) of every layer and both last h of the top layer. `inputs` collects what
    each layer read and wrote, to be compared with PyTorch's modules."""
    ids = torch.flip(source, [0]) if s["reverse_source"] else source
    sites["input.src.ids"] = ids
    places = torch.arange(len(ids))
    sites["input.src.display_index"] = torch.flip(places, [0]) if s["reverse_source"] else places
    x = p["encoder.embed.W"][ids]
    sites["encoder.embed.out"] = x
    last, ends = [], None
    for l in range(s["layers"]):
        place = f"encoder.layer[{l}]" if s.deep else "encoder"
        ways = [".fwd", ".bwd"] if s.both(l) else [""]
        outputs, ends = [], []
        for way in ways:
            state, hs = zero_state(s), [None] * len(ids)
            order = range(len(ids) - 1, -1, -1) if way == ".bwd" else range(len(ids))
            for j in order:
                state = cell(s, p, place + way, x[j], state, sites, f"{place}{way}.step[{j}]")
                hs[j] = state[0]
            outputs.append(torch.stack(hs))
            ends.append(state)
        last.append(ends[-1])
        if inputs is not None:
            inputs.append(([place + way for way in ways], x, torch.cat(outputs, dim=1)))
        out = outputs[0]
        if len(ways) == 2:
            out = torch.cat(outputs, dim=1) if s["merge"] == "concat" else sum(outputs)
            if s["merge"] == "mean":
                out = out / 2
            for j in range(len(ids)):
                sites[f"{place}.step[{j}].merged"] = out[j]
        if s["residual"] and l >= s["residual_from"] and out.shape == x.shape:
            out = out + x
            for j in range(len(ids)):
                sites[f"{place}.step[{j}].residual.out"] = out[j]
        x = out
    if s["bridge"]:
        x = torch.tanh(x @ p["encoder.bridge.W"])
    sites["encoder.states"] = x
    return x, last, [h for h, _ in ends]


def bottleneck(s, p, states, last, ends, sites):
    """The vector that starts a decoder of one layer. States that have passed the bridge do not pass it again."""
    if s.deep:
        return last[-1][0]
    if s["bottleneck"] == "mean":
        z = states.mean(dim=0)
    elif s["bottleneck"] == "max":
        z = states.max(dim=0).values
    elif len(ends) == 2:
        z = torch.cat(ends) if s["merge"] == "concat" else sum(ends) / (2 if s["merge"] == "mean" else 1)
    else:
        z = last[-1][0]
    if not s.has_bridge or (s["bridge"] and s["bottleneck"] != "last"):
        return z
    sites["encoder.bottleneck.pre"] = z
    return torch.tanh(z @ p["encoder.bridge.W"])


class Attention:
    def __init__(self, s, p, states, sites):
        self.s, self.p, self.hs = s, p, states
        self.weights, self.choices = [], []
        if s["attention.score"] in ("additive", "mlp", "linear_concat"):
            U = "attention.w_k" if s["attention.score"] == "linear_concat" else "attention.U_a"
            self.keys = states @ p[U]
            sites["decoder.attention.keys_proj"] = self.keys

    def scores(self, q, sites, at):
        kind, p, hs = self.s["attention.score"], self.p, self.hs
        if kind == "dot":
            return hs @ q
        if kind == "scaled_dot":
            sites[at + "products"] = hs @ q
            return hs @ q / math.sqrt(self.s.H)
        if kind == "cosine":
            raw = p.get("attention.beta_raw")
            beta = F.softplus(raw) if raw is not None else self.s["attention.beta"]
            if raw is not None:
                sites[at + "beta"] = beta
            return beta * (hs @ q) / (hs.norm(dim=1) * q.norm() + 1e-8)
        if kind == "location":
            every = q @ p["attention.W_loc"]
            return torch.cat([every, torch.full((max(0, len(hs) - len(every)),), -math.inf)])[:len(hs)]
        if kind == "linear_concat":
            asked = q @ p["attention.w_q"]
            sites[at + "query_proj"] = asked
            return (asked + self.keys)[:, 0]
        asked = q @ p["attention.W_a"]
        if "attention.b_a" in p:
            asked = asked + p["attention.b_a"]
        sites[at + "query_proj"] = asked
        if kind == "general":
            return hs @ asked
        if kind == "mlp":
            return torch.relu(asked + self.keys) @ p["attention.v_a"] + p["attention.b_v"]
        return torch.tanh(asked + self.keys) @ p["attention.v_a"] + p.get("attention.b_v", 0)

    def distribution(self, scores, q, t, sites, at):
        s, n = self.s, len(self.hs)
        allowed = torch.ones(n, dtype=torch.bool)
        if s["attention.score"] == "location":
            allowed[s.longest:] = False
        reach, half = s["attention.reach"], s["attention.half_width"]
        if reach == "global":
            return torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=0)
        if reach == "local_m":
            token = min(t, n - 1)  # of the text, whichever way it is read
            place = torch.tensor([float(n - 1 - token if s["reverse_source"] else token)])
        else:  # positions from 0
            hidden = torch.tanh(q @ self.p["attention.W_p"])
            share = torch.sigmoid(hidden @ self.p["attention.v_p"])
            sites.update({at + "position.hidden": hidden, at + "position.share": share})
            place = (n - 1) * share
            if (place - place.round()).abs().item() < 1e-3:
                raise TooClose("a window is about to jump")
        j = torch.arange(n)
        inside = allowed & (j >= place.detach().floor() - half) & (j <= place.detach().floor() + half)
        align = torch.softmax(scores.masked_fill(~inside, -math.inf), dim=0)
        sites.update({at + "position": place, at + "keep": inside, at + "align": align})
        if reach == "local_m":
            return align
        sigma = s["attention.sigma"] or max(0.5, half / 2)
        gauss = torch.exp(-(j - place) ** 2 / (2 * sigma ** 2))
        sites[at + "gauss"] = gauss
        return align * gauss

    def read(self, q, t, u, sites):
        at = f"decoder.step[{t}].attention."
        sites[at + "query"] = q
        scores = self.scores(q, sites, at)
        sites[at + "scores"] = scores
        if self.s["attention.temperature"] != 1:
            scores = scores / self.s["attention.temperature"]
            sites[at + "scaled"] = scores
        a = self.distribution(scores, q, t, sites, at)
        sites[at + "weights"] = a
        self.weights.append(a)
        share, kind = a, self.s["attention.selection"]
        if kind != "soft":
            reached = a.detach().cumsum(0)
            if kind == "hard_sample":
                chosen = int((reached > u).nonzero()[0])
                if (reached - u).abs().min() < 1e-3:
                    raise TooClose("a draw lies between two positions")
                sites[at + "sample.u"] = u.reshape(1)
            else:
                chosen = int(a.argmax())
            self.choices.append(chosen)
            share = F.one_hot(torch.tensor(chosen), len(a)).to(a.dtype)
            sites.update({at + "sample.index": torch.tensor([chosen]), at + "sample.onehot": share})
        sites[at + "weighted"] = share[:, None] * self.hs
        context = share @ self.hs
        sites[at + "context"] = context
        return context


def cell_after(s, p, source, fed, u, sites):
    """The decoder runs, then looks (Sutskever et al.; Cho et al.; Luong et al.; Wu et al.)."""
    states, last, ends = encode(s, p, source, sites)
    z = bottleneck(s, p, states, last, ends, sites)
    layer = (lambda l: f"decoder.layer[{l}]") if s.deep else (lambda l: "decoder")
    state = []
    for l in range(s["layers"]):
        h, c = (last[l][0] if s.deep else z), zero_state(s)[1]
        if s["pass_cell"] and c is not None:
            c = last[l][1]
        sites[layer(l) + ".init.h"] = h
        if c is not None:
            sites[layer(l) + ".init.c"] = c
        state.append((h, c))
    attention = Attention(s, p, states, sites) if s.attends else None
    if not s.attends:
        sites["encoder.bottleneck"] = z
    past, attentional, logits = torch.zeros(s.A), torch.zeros(s.H), []
    for t, y in enumerate(fed):
        step = f"decoder.step[{t}]"
        x = p["decoder.embed.W"][y]
        sites.update({step + ".input.id": y.reshape(1), step + ".embed.out": x})
        beside = [z] if s.peeky else []
        after = []
        if s.attends and s["context_use"] != "to_affine":
            after.append(past)
        if s.attends and s["input_feeding"]:
            after.append(attentional)
        x = torch.cat(beside + [x] + after)
        context = shown = None
        for l in range(s["layers"]):
            at = f"{step}.layer[{l}]" if s.deep else step
            below = x
            if shown is not None:
                x = torch.cat([x, shown])
            if shown is not None or (l == 0 and beside + after):
                sites[at + f".{s.cell_name}.input"] = x
            state[l] = cell(s, p, layer(l), x, state[l], sites, at)
            x = state[l][0]
            if s["residual"] and l >= max(1, s["residual_from"]):
                x = x + below
                sites[at + ".residual.out"] = x
            if s.attends and l == s.asking:
                context = attention.read(x, t, u[t], sites)
                shown = context if s["attention_step"] == "fresh" else past
        readout = x
        if s.peeky:
            readout = torch.cat([z, x])
        elif s.attends and (s["combine"] or s["context_use"] != "to_next"):
            readout = torch.cat([context, x])
        if readout is not x:
            sites[step + ".readout"] = readout
        if s.attends and s["combine"]:
            attentional = readout = torch.tanh(readout @ p["decoder.combine.W"])
            sites[step + ".attentional"] = attentional
        past = context
        logits.append(readout @ p["decoder.affine.W"] + p["decoder.affine.b"])
    return torch.stack(logits), attention


def attention_first(s, p, source, fed, u, sites):
    """The decoder looks, then runs (Bahdanau et al. 2015, appendix A; Xu et al. 2015, section 3.1.2)."""
    states, last, ends = encode(s, p, source, sites)
    attention = Attention(s, p, states, sites)
    start = {"backward": ends[-1], "both": torch.cat(ends), "mean": states.mean(dim=0)}[s["start"]]
    if s["start"] == "mean":
        sites["decoder.init.mean"] = start
    h = torch.tanh(start @ p["decoder.init.W_s"] + p["decoder.init.b_s"])
    c = torch.tanh(start @ p["decoder.init.W_c"] + p["decoder.init.b_c"]) if s["cell"] == "lstm" else None
    sites["decoder.init.h"] = h
    if c is not None:
        sites["decoder.init.c"] = c
    logits = []
    for t, y in enumerate(fed):
        step = f"decoder.step[{t}]"
        x = p["decoder.embed.W"][y]
        sites.update({step + ".input.id": y.reshape(1), step + ".embed.out": x})
        context = attention.read(h, t, u[t], sites)
        if s["selector"]:
            gate = torch.sigmoid(h @ p["attention.w_beta"] + p["attention.b_beta"])
            context = gate * context
            sites.update({step + ".attention.gate": gate, step + ".attention.gated": context})
        previous = h
        h, c = cell(s, p, "decoder", x, (h, c), sites, step, context @ p["decoder.context.C"])
        seen = previous if s["readout_state"] == "previous" else h
        if s["readout"] == "linear":
            readout = torch.cat([seen, context, x])
            sites[step + ".readout"] = readout
        else:
            words = x @ p["decoder.readout.V_o"] if s["readout"] == "maxout" else x
            pre = seen @ p["decoder.readout.U_o"] + words + context @ p["decoder.readout.C_o"] + p["decoder.readout.b_o"]
            sites[step + ".readout.pre"] = pre
            readout = pre.reshape(-1, 2).max(dim=1).values if s["readout"] == "maxout" else torch.tanh(pre)
            sites[step + (".readout.maxout" if s["readout"] == "maxout" else ".readout")] = readout
        logits.append(readout @ p["decoder.output.W_o"] + p["decoder.output.b"])
    return torch.stack(logits), attention


def run(s, p, sentence):
    sites = {}
    logits, attention = (attention_first if s.first else cell_after)(s, p, sentence["source"], sentence["decoder"],
                                                                     sentence["u"], sites)
    for t, row in enumerate(logits):
        sites.update({f"decoder.step[{t}].output.logits": row, f"decoder.step[{t}].output.probs": row.softmax(0)})
    return sites, F.cross_entropy(logits, sentence["target"], reduction="sum"), attention


def losses_of_attention(s, attention, nll):
    """Xu et al. 2015, eq. 11, 12 and 14, for one sentence; to be minimised."""
    total = torch.zeros(())
    if s["attention.selection"] == "hard_sample":
        reward = (-nll - BASELINE).detach()
        for a, chosen in zip(attention.weights, attention.choices):
            total = total - s["attention.reinforce"] * reward * a[chosen].log()
            total = total + s["attention.entropy"] * (a * a.log()).sum()
    if s["attention.doubly_stochastic"]:
        total = total + s["attention.doubly_stochastic"] * ((1 - sum(attention.weights)) ** 2).sum()
    return total


def compare_with_modules(s, p, sentences):
    """The encoder's states against nn.LSTM, nn.GRU and nn.RNN over the padded batch of both sentences."""
    layers = []
    for sentence in sentences:
        layers.append([])
        encode(s, p, sentence["source"], {}, layers[-1])
    lengths = [len(sentence["source"]) for sentence in sentences]
    for rows in zip(*layers):
        prefixes, x, _ = rows[0]
        module = torch_module(s, p, prefixes, x.shape[1])
        if module is None:
            return
        batch = torch.nn.utils.rnn.pad_sequence([row[1].detach() for row in rows])
        with torch.no_grad():
            outputs, _ = pad_packed_sequence(module(pack_padded_sequence(batch, lengths))[0])
        for n, row in enumerate(rows):
            assert torch.allclose(row[2], outputs[:lengths[n], n], rtol=0, atol=1e-12), prefixes


def write(name, changes, seed):
    torch.manual_seed(seed)
    s = Settings(changes)
    # Large enough that gates leave their middle and attention prefers some tokens.
    p = {key: (0.8 * torch.randn(shape)).requires_grad_() for key, shape in sorted(parameter_shapes(s).items())}
    sentences = [{"source": torch.randint(VS, (source,)), "decoder": torch.randint(VT, (target,)),
                  "target": torch.randint(VT, (target,)), "u": torch.rand(target)}
                 for source, target in ((S, T), (S_B, T_B))]
    compare_with_modules(s, p, sentences)
    sites, nll, attention = run(s, p, sentences[0])
    _, nll_b, attention_b = run(s, p, sentences[1])
    single = {key: value.detach().float() for key, value in p.items()}
    torch.set_default_dtype(torch.float32)
    rounded, _, _ = run(s, single, {**sentences[0], "u": sentences[0]["u"].float()})
    torch.set_default_dtype(torch.float64)
    worst = max((a.double() - rounded[key].double()).abs().max().item() for key, a in sites.items())
    assert worst < 5e-6, worst

    tensors = {"param/" + key: value for key, value in p.items()}
    for prefix, sentence in zip(("input/", "input/b/"), sentences):
        tensors.update({prefix + key: value for key, value in sentence.items()})
    tensors.update({"site/" + key: value for key, value in sites.items()})
    padded = (nll + nll_b) / (T + T_B)
    losses = {"": nll / T, "padded/": padded}
    if s.attends and (s["attention.selection"] == "hard_sample" or s["attention.doubly_stochastic"]):
        extra = losses_of_attention(s, attention, nll) + losses_of_attention(s, attention_b, nll_b)
        losses["total/"] = padded + extra / (T + T_B)
    for prefix, loss in losses.items():
        tensors[prefix + "loss"] = loss.reshape(1)
        gradients = torch.autograd.grad(loss, list(p.values()), retain_graph=True, allow_unused=True)
        for key, g in zip(p, gradients):
            tensors[f"{prefix}grad/{key}"] = torch.zeros_like(p[key]) if g is None else g
    config = {"source_vocabulary_size": VS, "target_vocabulary_size": VT, "embedding_size": D, "hidden_size": H,
              **changes}
    if s.attends:
        config = {"attention.hidden_size": N_ATT, "attention.longest_source": LONGEST, **config}
    if s.first:
        config["maxout_size"] = MAXOUT
    path = OUT / "recurrent" / (name + ".safetensors")
    write_safetensors(path, tensors, metadata={"config": json.dumps(config), "baseline": str(BASELINE)})
    print(f"{path.name}: loss {losses[''].item():.4f}, {len(sites)} sites, float32 within {worst:.1e}, "
          f"{path.stat().st_size} bytes")


def main():
    (OUT / "recurrent").mkdir(parents=True, exist_ok=True)
    for number, (name, changes) in enumerate(CONFIGURATIONS.items()):
        write(name, changes, 100 + number)


if __name__ == "__main__":
    main()
