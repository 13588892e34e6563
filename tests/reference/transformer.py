"""Transformers in PyTorch: what make_transformer.py and make_verification.py compute references with.

Nothing here knows the program. The equations are those of Vaswani et al. 2017 (layers, sinusoids), Ba et al. 2016,
Zhang & Sennrich 2019 and Ioffe & Szegedy 2015 (norms), Hendrycks & Gimpel 2016 and Shazeer 2020 (activations), Su et
al. 2021 (rotary), Raffel et al. 2020 (relative positions), Ainslie et al. 2023 (grouped queries). A whole batch is
computed at once, all rows of a decoder together; its steps are rows of that. make_transformer.py compares the layers
with PyTorch's own.
"""

import math

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)

DEFAULTS = {
    "model_size": 64, "heads": 4, "key_value_heads": 0, "head_size": 0, "ff_size": 128, "encoder_layers": 2,
    "decoder_layers": 2, "norm": "layer", "norm_place": "post", "final_norm": "auto", "embedding_norm": False,
    "norm_bias": True, "norm_epsilon": 1e-5, "activation": "relu", "gated": False, "attention_bias": True,
    "projection_bias": True, "ffn_bias": True, "output_bias": "auto", "positions": "sinusoid", "max_positions": 512,
    "position_offset": 0, "position_size": 0, "position_scale": 1.0, "rotary_theta": 10000.0,
    "rotary_pairs": "halves", "relative_buckets": 32, "relative_distance": 128, "tie": "decoder",
    "scale_embeddings": True, "output_scale": 1.0, "scale_scores": True, "score_scale": 0.0,
    "score_scale_by_layer": False, "qk_norm": False, "window": 0, "causal": True, "mask_padding": True,
    "identity_projections": False, "token_types": 0, "head_transform": True, "prompt": "separate",
    "reverse_source": False,
}


class Settings(dict):
    """One configuration with its defaults."""

    def __init__(self, changes):
        super().__init__({**DEFAULTS, **changes})
        self.kind = self["model_type"]
        self.d, self.H = self["model_size"], self["heads"]
        self.G = self["key_value_heads"] or self.H
        self.k = self["head_size"] or self.d // self.H
        self.concat = self["positions"] == "concat"
        self.token_size = self.d - self["position_size"] if self.concat else self.d
        self.place = self["norm_place"]
        self.pre, self.behind = self.place == "pre", self.place == "output"
        self.has_final = {"auto": self.place != "post", "yes": True, "no": False}[self["final_norm"]]
        self.tied = self["tie"] != "none"
        self.has_output_bias = {"auto": not self.tied, "yes": True, "no": False}[self["output_bias"]]
        self.sides = [side for side, without in (("encoder", "decoder_only"), ("decoder", "encoder_only"))
                      if self.kind != without]

    def table(self, side):
        one = self["tie"] == "all" or (self.tied and self.kind != "transformer")
        return "embed.W" if one else side + ".embed.W"

    def layers(self, side):
        return self[side + "_layers"]


def parameter_shapes(s):
    """Names and shapes of the program."""
    rows, d, k = {}, s.d, s.k

    def norm(name, size=d):
        rows[name + ".gamma"] = (size,)
        if s["norm_bias"] and s["norm"] != "rms":
            rows[name + ".beta"] = (size,)
        if s["norm"] == "batch":
            rows.update({name + ".running_mean": (size,), name + ".running_var": (size,)})

    def linear(place, letter, inner, outer, bias):
        rows[f"{place}.W{letter}"] = (inner, outer)
        if bias:
            rows[f"{place}.b{letter}"] = (outer,)

    def attention(place):
        if not s["identity_projections"]:
            for letter, heads in (("_q", s.H), ("_k", s.G), ("_v", s.G)):
                linear(place, letter, d, heads * k, s["attention_bias"])
        linear(place, "_o", s.H * k, d, s["projection_bias"])
        for letter, heads in (("q", s.H), ("k", s.G)) if s["qk_norm"] else ():
            shape = {"head": (k,), "each_head": (heads, k), "whole": (heads * k,)}[s.get("qk_norm_span", "head")]
            rows[f"{place}.{letter}_norm.gamma"] = shape
            if s.get("qk_norm_bias"):
                rows[f"{place}.{letter}_norm.beta"] = shape

    for side in s.sides:
        # A model of one side reads and writes one vocabulary.
        vocabulary = s["source_vocabulary_size" if side == "encoder" else "target_vocabulary_size"]
        rows[s.table(side)] = (vocabulary, s.token_size)
        if s["positions"] == "learned":
            rows[side + ".pos.W"] = (s["max_positions"], d)
        if s["positions"] == "relative":
            rows[side + ".relative.W"] = (s["relative_buckets"], s.H)
        if s["token_types"] and side == "encoder":
            rows["encoder.type.W"] = (s["token_types"], d)
        if s["embedding_norm"]:
            norm(side + ".embed.norm")
        for l in range(s.layers(side)):
            place = f"{side}.layer[{l}]"
            parts = ["self_attn"] + (["cross_attn"] if s.kind == "transformer" and side == "decoder" else [])
            for part in parts:
                attention(f"{place}.{part}")
            for i in range(len(parts) + 1):
                if i == 0 or not s.get("shared_norm"):
                    norm(f"{place}.{'post_' if s.behind else ''}norm{i + 1}")
            linear(place + ".ffn", "1", d, s["ff_size"], s["ffn_bias"])
            linear(place + ".ffn", "2", s["ff_size"], d, s["ffn_bias"])
            if s["gated"]:
                linear(place + ".ffn", "_gate", d, s["ff_size"], s["ffn_bias"])
        if s.has_final:
            norm(side + ".final_norm")
    if s.kind == "encoder_only" and s["head_transform"]:
        rows.update({"head.W": (d, d), "head.b": (d,)})
        norm("head.norm")
    if not s.tied:
        rows["output.W"] = (d, s["target_vocabulary_size"])
    if s.has_output_bias:
        rows["output.b"] = (s["target_vocabulary_size"],)
    return rows


def sinusoids(positions, d, kind):
    """[.. x d] of positions [..]."""
    frequencies = {"sinusoid": [10000 ** (-2 * i / d) for i in range(d // 2)],
                   "sinusoid_halves": [10000 ** (-2 * i / d) for i in range(d // 2)],
                   "sinusoid_t2t": [10000 ** (-i / (d / 2 - 1)) if d > 2 else 1.0 for i in range(d // 2)]}[kind]
    angle = positions[..., None] * torch.tensor(frequencies)
    if kind == "sinusoid":
        return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(-2)
    return torch.cat([angle.sin(), angle.cos()], dim=-1)


def rotated(x, positions, theta, pairs):
    """x [N x H x T x k], positions [N x T]: each pair is a complex number that is turned."""
    half = x.shape[-1] // 2
    angle = positions[:, None, :, None] * theta ** (-torch.arange(half) / half)
    if pairs == "neighbours":
        a, b = x.unflatten(-1, (half, 2)).unbind(-1)
    else:
        a, b = x[..., :half], x[..., half:]
    turned = torch.complex(a, b) * torch.complex(angle.cos(), angle.sin()).to(torch.complex(a, b).dtype)
    if pairs == "neighbours":
        return torch.stack([turned.real, turned.imag], dim=-1).flatten(-2)
    return torch.cat([turned.real, turned.imag], dim=-1)


def bucket(distance, both_directions, buckets, longest):
    """Of one distance key - query (Raffel et al. 2020, section 2.1)."""
    first = 0
    if both_directions:
        buckets //= 2
        first = buckets if distance > 0 else 0
        distance = abs(distance)
    else:
        distance = max(-distance, 0)
    exact = buckets // 2
    if distance < exact:
        return first + distance
    far = exact + int(math.log(distance / exact) / math.log(longest / exact) * (buckets - exact))
    return first + min(far, buckets - 1)


def activated(x, name):
    if name == "gelu_tanh":
        return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))
    if name == "relu2":
        return torch.relu(x).square()
    return {"relu": torch.relu, "silu": F.silu, "gelu": F.gelu}[name](x)


class Block:
    """Rows that are computed together: all of a side, or one step of a decoder. What is published of [.. rows ..]."""

    def __init__(self, prefix, start, stop, keys, step=False):
        self.prefix, self.rows, self.keys, self.step = prefix, slice(start, stop), keys, step


class Publisher:
    """Takes values of a batch of one sentence apart into sites."""

    def __init__(self, sites, blocks):
        self.sites, self.blocks = sites, blocks

    def __call__(self, name, value, row_axis, key_axis=None, keys=None):
        """value [1 x ..]; the axes without the batch. keys: how many key columns, if not those that the block sees."""
        if self.sites is None:
            return
        value = value[0]
        for block in self.blocks:
            part = value
            if key_axis is not None:
                part = part.narrow(key_axis, 0, keys or block.keys)
            part = part[(slice(None),) * row_axis + (block.rows,)]
            if block.step and part.dim() > 1:
                part = part.squeeze(row_axis)
            self.sites[f"{block.prefix}.{name}"] = part


class Transformer:
    def __init__(self, settings, parameters, training=False):
        self.s, self.p, self.training = settings, parameters, training

    def linear(self, place, letter, x):
        y = x @ self.p[f"{place}.W{letter}"]
        return y + self.p[f"{place}.b{letter}"] if f"{place}.b{letter}" in self.p else y

    def norm(self, place, x, keep, put=lambda *_: None, leaf="norm"):
        """x [N x L x d], keep [N x L]: the rows that count. Publishes leaf.mean, leaf.rstd, leaf.out."""
        s, p, epsilon = self.s, self.p, self.s["norm_epsilon"]
        gamma, beta = p[place + ".gamma"], p.get(place + ".beta", torch.zeros(()))
        if s["norm"] == "batch":
            mean, variance = p[place + ".running_mean"].detach(), p[place + ".running_var"].detach()
            if self.training:
                kept = x[keep.bool()]
                mean, variance = kept.mean(0), kept.var(0, unbiased=False)
            y = (x - mean) / torch.sqrt(variance + epsilon) * gamma + beta
        else:
            mean = x.mean(-1, keepdim=True) if s["norm"] == "layer" else torch.zeros(())
            rstd = ((x - mean).square().mean(-1, keepdim=True) + epsilon).rsqrt()
            if s["norm"] == "layer":
                put(leaf + ".mean", mean[..., 0], 0)
            put(leaf + ".rstd", rstd[..., 0], 0)
            y = (x - mean) * rstd * gamma + beta
        put(leaf + ".out", y, 0)
        return y

    def heads(self, x, count):
        return x.unflatten(-1, (count, -1)).transpose(1, 2)  # [N x H x T x k]

    def attention(self, place, layer, x, memory, keep, own, positions, bias, put, put_keys):
        """x [N x T x d], memory [N x S x d], keep [N x T x S]; own: self-attention, positions [N x T] of its rows."""
        s, leaf = self.s, place.split(".")[-1]

        def projected(letter, source, count):
            return self.heads(source if s["identity_projections"] else self.linear(place, letter, source), count)

        def clipped(letter, y, put):
            if not s.get("clip_qkv"):
                return y
            y = y.clamp(-s["clip_qkv"], s["clip_qkv"])
            put(f"{leaf}.head.{letter}_clipped", y, 1)
            return y

        def prepared(letter, y, put):
            put(f"{leaf}.head.{letter}", y, 1)
            if s["qk_norm"]:
                whole = s.get("qk_norm_span") == "whole"
                many = y.shape[1]
                y = y.transpose(1, 2).flatten(-2) if whole else y.transpose(1, 2)
                if s.get("qk_norm_kind") == "layer":
                    y = y - y.mean(-1, keepdim=True)
                y = y * (y.square().mean(-1, keepdim=True) + s["norm_epsilon"]).rsqrt()
                y = y * self.p[f"{place}.{letter}_norm.gamma"] + self.p.get(f"{place}.{letter}_norm.beta", torch.zeros(()))
                y = self.heads(y, many) if whole else y.transpose(1, 2)
                put(f"{leaf}.head.{letter}_normed", y, 1)
            y = clipped(letter, y, put)
            if own and s["positions"] == "rotary":
                y = rotated(y, positions, s["rotary_theta"], s["rotary_pairs"])
                put(f"{leaf}.head.{letter}_rotated", y, 1)
            return y

        q = prepared("q", projected("_q", x, s.H), put)
        k = prepared("k", projected("_k", memory, s.G), put_keys)
        v = projected("_v", memory, s.G)
        put_keys(f"{leaf}.head.v", v, 1)
        v = clipped("v", v, put_keys)
        serving = torch.arange(s.H) // (s.H // s.G)  # head h reads keys of group h / (H / G)
        keys = None if own else memory.shape[1]
        raw = torch.einsum("nhtk,nhsk->nhts", q, k[:, serving])
        put(f"{leaf}.head.scores_raw", raw, 1, 2, keys)
        factor = (s["score_scale"] or 1 / math.sqrt(s.k)) if s["scale_scores"] else 1.0
        scores = raw * (factor / (layer + 1) if s["score_scale_by_layer"] else factor)
        if bias is not None:
            put(f"{leaf}.head.bias", bias, 1, 2, keys)
            scores = scores + bias
        put(f"{leaf}.head.scores", scores, 1, 2, keys)
        put(f"{leaf}.keep", keep, 0, 1, keys)
        kept = keep[:, None].bool().expand(scores.shape)
        put(f"{leaf}.head.scores_masked", scores.masked_fill(~kept, -math.inf), 1, 2, keys)
        # A row without anything to look at gets zeros (and no gradient that is not a number).
        some = kept.any(-1, keepdim=True)
        weights = torch.softmax(scores.masked_fill(~kept & some, -math.inf), -1) * some
        put(f"{leaf}.head.weights", weights, 1, 2, keys)
        out = torch.einsum("nhts,nhsk->nhtk", weights, v[:, serving])
        put(f"{leaf}.head.out", out, 1)
        joined = out.transpose(1, 2).flatten(-2)
        put(f"{leaf}.concat", joined, 0)
        out = self.linear(place, "_o", joined)
        put(f"{leaf}.out", out, 0)
        return out, weights

    def feed_forward(self, place, x, put):
        s = self.s
        pre = self.linear(place + ".ffn", "1", x)
        if s["gated"]:
            gate = self.linear(place + ".ffn", "_gate", x)
            put("ffn.gate", gate, 0)
            act = activated(gate, s["activation"]) * pre
        else:
            act = activated(pre, s["activation"])
        put("ffn.pre", pre, 0)
        put("ffn.act", act, 0)
        out = self.linear(place + ".ffn", "2", act)
        put("ffn.out", out, 0)
        return out

    def layer(self, side, l, x, keep_rows, keep, positions, bias, memory=None, keep_memory=None, put=None, once=None):
        """One layer; the weights of its last attention are handed out, too."""
        s, place = self.s, f"{side}.layer[{l}]"
        nothing = lambda *_: None
        publish = nothing
        if put is not None:
            publish = lambda name, *rest: put(f"layer[{l}].{name}", *rest)
        shown = []

        def attended(part, y):
            if part == "self_attn":
                out, weights = self.attention(f"{place}.{part}", l, y, y, keep, True, positions, bias, publish, publish)
            else:
                cross = (lambda name, value, axis: once(f"{place}.{name}", value)) if once else nothing
                out, weights = self.attention(f"{place}.{part}", l, y, memory, keep_memory, False, None, None, publish,
                                              cross)
            shown.append(weights)
            return out

        sublayers = [lambda y: attended("self_attn", y)]
        if memory is not None:
            sublayers.append(lambda y: attended("cross_attn", y))
        sublayers.append(lambda y: self.feed_forward(place, y, publish))
        beside, read = x, None
        for i, sublayer in enumerate(sublayers, 1):
            name = f"{'post_' if s.behind else ''}norm{i}"
            norm = lambda y, name=name: self.norm(f"{place}.{name}", y, keep_rows, publish, name)
            source = beside if s.get("parallel_sublayers") else x
            if i == 1 or not s.get("shared_norm"):
                read = norm(source) if s.pre else source
            given = sublayer(read)
            if s.behind:
                given = norm(given)
            y = (read if s.get("sum_of_normed") else x) + s.get("residual_scale", 1.0) * given
            publish(f"residual{i}", y, 0)
            x = norm(y) if s.place == "post" else y
        return x, shown[-1]

    def embed(self, side, ids, positions, keep_rows, put):
        """ids and positions [N x L]."""
        s, p = self.s, self.p
        token = F.embedding(ids, p[s.table(side)])
        if s.get("embedding_scale"):
            token = token * s["embedding_scale"]
        elif s["scale_embeddings"]:
            token = token * math.sqrt(s.d)
        put("embed.token", token, 0)
        x = token
        at, kind, code = positions + s["position_offset"], s["positions"], None
        if kind == "learned":
            code = F.embedding(at, p[side + ".pos.W"])
        elif kind not in ("rotary", "relative", "alibi", "none"):
            size, layout = (s["position_size"], "sinusoid") if s.concat else (s.d, kind)
            code = s["position_scale"] * sinusoids(at, size, layout)
        if code is not None:
            put("embed.position", code, 0)
            x = torch.cat([token, code], dim=-1) if s.concat else x + code
        if s["token_types"] and side == "encoder":
            segment = p["encoder.type.W"][0].expand_as(x)
            put("embed.type", segment, 0)
            x = x + segment
        if s["embedding_norm"]:
            return self.norm(side + ".embed.norm", x, keep_rows, put, "embed")
        put("embed.out", x, 0)
        return x

    def bias(self, side, positions):
        """[N x H x L x L] of relative positions, or None."""
        s = self.s
        if s["positions"] == "alibi":  # Press et al. 2022; for heads that are a power of two
            slopes = 2.0 ** (-8.0 * torch.arange(1, s.H + 1, dtype=torch.float64) / s.H)
            bias = slopes[None, :, None, None] * positions[:, None, None, :]
            bias = bias.expand(-1, -1, positions.shape[1], -1).to(torch.get_default_dtype())
            return bias / math.sqrt(s.k) if s.get("alibi_scaled") else bias
        if s["positions"] != "relative":
            return None
        distance = positions[:, None, :] - positions[:, :, None]  # key - query
        places = [[[bucket(int(j), side == "encoder", s["relative_buckets"], s["relative_distance"]) for j in row]
                   for row in sentence] for sentence in distance]
        return self.p[side + ".relative.W"][torch.tensor(places)].permute(0, 3, 1, 2)

    def near(self, positions):
        window = self.s["window"]
        distance = (positions[:, :, None] - positions[:, None, :]).abs()
        return distance < window if window else torch.ones_like(distance, dtype=torch.bool)

    def stack(self, side, ids, positions, keep_rows, keep, memory=None, keep_memory=None, put=None, once=None):
        """All layers of a side over rows [N x L] at once -> rows, and the weights to show."""
        nothing = lambda *_: None
        x, weights = self.embed(side, ids, positions, keep_rows, put or nothing), None
        bias = self.bias(side, positions)
        for l in range(self.s.layers(side)):
            x, weights = self.layer(side, l, x, keep_rows, keep, positions, bias, memory, keep_memory, put, once)
        if self.s.has_final:
            x = self.norm(side + ".final_norm", x, keep_rows, put or nothing, "final_norm")
        return x, weights

    def logits(self, x, side):
        s, p = self.s, self.p
        x = x * s["output_scale"]
        y = x @ p[s.table(side)].t() if s.tied else x @ p["output.W"]
        return y + p["output.b"] if s.has_output_bias else y

    def encode(self, ids, keep, sites):
        """ids [N x S] in the order of reading, keep [N x S]."""
        s, n, count = self.s, *ids.shape
        positions = torch.arange(count).expand(n, count)
        seen = keep if s["mask_padding"] else torch.ones_like(keep)
        may = seen[:, None, :] * self.near(positions)
        put = Publisher(sites, [Block("encoder", 0, count, count)])
        return self.stack("encoder", ids, positions, keep, may, put=put if sites is not None else None) + (seen,)

    def __call__(self, source, keep, fed, sites=None, at_once=False):
        """source [N x S] as typed, keep [N x S], fed [N x T] -> logits [N x T x V]. `at_once`: rows of a decoder that
        is not causal see each other; otherwise each step sees what stands before it."""
        s = self.s
        lengths = keep.sum(1).long()
        ids = source.clone()
        if s["reverse_source"]:
            for row, length in zip(ids, lengths):
                row[:length] = row[:length].flip(0)
        if sites is not None:
            sites["input.src.ids"] = ids[0]
            order = torch.arange(ids.shape[1])
            sites["input.src.display_index"] = order.flip(0) if s["reverse_source"] else order
        logits, shown = getattr(self, s.kind)(ids, keep, lengths, fed, sites, at_once)
        if sites is not None:
            for t in range(fed.shape[1]):
                step = f"decoder.step[{t}]"
                looks = ids.shape[1] if s.kind != "decoder_only" else shown.shape[2] - fed.shape[1] + t + 1
                sites[step + ".attn_mean"] = shown[0, t, :looks]  # a decoder alone: the prompt and what stands
                sites[step + ".output.logits"] = logits[0, t]
                sites[step + ".output.probs"] = torch.softmax(logits[0, t], -1)
        return logits

    def steps_keep(self, first, count, at_once):
        """[L x L] for `first` rows computed together and `count` steps behind them."""
        total = first + count
        if self.s["causal"]:
            return torch.ones(total, total).tril()
        end = torch.tensor([first] * first + [total if at_once else first + t + 1 for t in range(count)])
        return (torch.arange(total) < end[:, None]).double()

    def transformer(self, ids, keep, lengths, fed, sites, at_once):
        memory, _, seen = self.encode(ids, keep, sites)
        n, count = fed.shape
        put = once = None
        if sites is not None:
            put = Publisher(sites, [Block(f"decoder.step[{t}]", t, t + 1, t + 1, True) for t in range(count)])
            once = lambda name, value: sites.update({name: value[0]})
            put("input.id", fed, 0)
        positions = torch.arange(count).expand(n, count)
        may = self.steps_keep(0, count, at_once)[None] * self.near(positions)
        x, weights = self.stack("decoder", fed, positions, torch.ones(n, count), may, memory,
                                seen[:, None, :].expand(n, count, -1), put, once)
        return self.logits(x, "decoder"), weights.mean(1)

    def decoder_only(self, ids, keep, lengths, fed, sites, at_once):
        s, (n, count) = self.s, fed.shape
        first = ids.shape[1]
        if s["prompt"] == "continue":  # the last source token is the first one that is fed
            fed = fed.clone()
            fed[:, 0] = ids[torch.arange(n), lengths - 1]
            first, lengths = first - 1, lengths - 1
        prompt = torch.arange(first) < lengths[:, None]
        rows = torch.cat([ids[:, :first], fed], dim=1)
        keep_rows = torch.cat([prompt.double(), torch.ones(n, count)], dim=1)
        positions = torch.cat([torch.arange(first).expand(n, first), lengths[:, None] + torch.arange(count)], dim=1)
        seen = keep_rows if s["mask_padding"] else torch.ones_like(keep_rows)
        may = self.steps_keep(first, count, at_once)[None] * seen[:, None, :] * self.near(positions)
        put = None
        if sites is not None:
            blocks = [Block("decoder", 0, first, first)] if first else []
            blocks += [Block(f"decoder.step[{t}]", first + t, first + t + 1, first + t + 1, True) for t in range(count)]
            put = Publisher(sites, blocks)
            Publisher(sites, blocks[-count:])("input.id", rows, 0)
        x, weights = self.stack("decoder", rows, positions, keep_rows, may, put=put)
        return self.logits(x[:, first:], "decoder"), weights[:, :, first:].mean(1)

    def encoder_only(self, ids, keep, lengths, fed, sites, at_once):
        s = self.s
        x, weights, _ = self.encode(ids, keep, sites)
        if s["head_transform"]:
            put = Publisher(sites, [Block("encoder.head", 0, ids.shape[1], None)])
            pre = x @ self.p["head.W"] + self.p["head.b"]
            act = activated(pre, s["activation"])
            put("pre", pre, 0)
            put("act", act, 0)
            x = self.norm("head.norm", act, keep, put)
        return self.logits(x[:, :fed.shape[1]], "encoder"), weights[:, :, :fed.shape[1]].mean(1)
