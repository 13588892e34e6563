"""Encoders that tell where tokens stand by their distance, for elsewhere.py: MPNet, DeBERTa-v2 and v3, NomicBERT, ESM and
EuroBERT, from their papers and the names of their files."""

import math

import torch
import torch.nn.functional as F

ACTIVATIONS = {"gelu": F.gelu, "relu": F.relu, "silu": F.silu, "tanh": torch.tanh}
PREFIXES = {"mpnet": "mpnet.", "deberta-v2": "deberta.", "nomic_bert": "nomic_bert.", "esm": "esm.", "eurobert": "model."}


def heads_of(x, count):
    return x.view(x.shape[0], count, -1).transpose(0, 1)  # [T x H k] -> [H x T x k]


def read(scores, v):
    weights = torch.softmax(scores, -1)
    v = v.repeat_interleave(scores.shape[0] // v.shape[0], 0)
    return (weights @ v).transpose(0, 1).reshape(scores.shape[1], -1), weights


def turned(x, theta, size):
    """The first `size` numbers of each head: i with i + size / 2."""
    w = theta ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
    angle = torch.cat([torch.arange(x.shape[1], dtype=torch.float64)[:, None] * w] * 2, -1)
    part, rest = x[..., :size], x[..., size:]
    half = torch.cat([-part[..., size // 2:], part[..., :size // 2]], -1)
    return torch.cat([part * angle.cos().float() + half * angle.sin().float(), rest], -1)


def behind_padding(ids, padding):
    counts = (ids != padding).long()
    return counts.cumsum(0) * counts + padding


def distances(n):
    return torch.arange(n)[:, None] - torch.arange(n)[None, :]  # query - key


def mpnet_buckets(n):
    d = -distances(n)
    a = d.abs()
    far = 8 + (torch.log(a.clamp(min=1).float() / 8) / math.log(16) * 8).long()
    return torch.where(a < 8, a, far.clamp(max=15)) + 16 * (d > 0)


def deberta_rows(n, buckets, most, span):
    d = distances(n)
    if buckets > 0:
        mid = buckets // 2
        a = torch.where((d < mid) & (d > -mid), torch.tensor(mid - 1), d.abs())
        far = torch.ceil(torch.log(a / mid) / torch.log(torch.tensor((most - 1) / mid)) * (mid - 1)) + mid
        d = torch.where(a <= mid, d.float(), far * d.sign()).long()
    return (d + span).clamp(0, 2 * span - 1)


def mpnet(p, c, ids, types, out):
    width, heads, eps, act = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"], ACTIVATIONS[c["hidden_act"]]
    x = p.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    x = x + p.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[behind_padding(ids, 1)]
    out["hidden_states.0"] = x = p.norm(x, "embeddings.LayerNorm", eps)
    table = p.table("encoder.relative_attention_bias", c["relative_attention_num_buckets"], heads)
    bias = table[mpnet_buckets(len(ids))].permute(2, 0, 1)
    for layer in range(c["num_hidden_layers"]):
        at = "encoder.layer.%d." % layer
        q, k, v = (heads_of(p.linear(x, at + "attention.attn." + n, width, gain=1.6), heads) for n in "qkv")
        y, out["attentions.%d" % layer] = read(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]) + bias, v)
        x = p.norm(x + p.linear(y, at + "attention.attn.o", width), at + "attention.LayerNorm", eps)
        y = p.linear(act(p.linear(x, at + "intermediate.dense", c["intermediate_size"])), at + "output.dense", width)
        out["hidden_states.%d" % (layer + 1)] = x = p.norm(x + y, at + "output.LayerNorm", eps)
    return x


def deberta(p, c, ids, types, out):
    width, heads, eps, n = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"], len(ids)
    kinds = c.get("pos_att_type") or []
    kinds = [k.strip() for k in kinds.lower().split("|")] if isinstance(kinds, str) else kinds
    x = p.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    if c["position_biased_input"]:
        x = x + p.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[:n]
    if c["type_vocab_size"] > 0:
        x = x + p.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[types]
    out["hidden_states.0"] = x = p.norm(x, "embeddings.LayerNorm", eps)
    relative, rows = c.get("relative_attention", False), None
    if relative:
        most = c["max_relative_positions"] if c["max_relative_positions"] > 0 else c["max_position_embeddings"]
        span = c["position_buckets"] if c["position_buckets"] > 0 else most
        rows = deberta_rows(n, c["position_buckets"], most, span)
        table = p.table("encoder.rel_embeddings", 2 * span, width)
        if "layer_norm" in (c.get("norm_rel_ebd") or "none"):
            table = p.norm(table, "encoder.LayerNorm", eps)
    for layer in range(c["num_hidden_layers"]):
        at = "encoder.layer.%d." % layer
        own = at + "attention.self."
        q, k, v = (heads_of(p.linear(x, own + kind + "_proj", width, gain=1.6), heads) for kind in ("query", "key", "value"))
        scores = q @ k.transpose(1, 2)
        if relative:
            names = ("key_proj", "query_proj") if c["share_att_key"] else ("pos_key_proj", "pos_query_proj")
            index = rows.expand(heads, n, n)
            if "c2p" in kinds:
                far = heads_of(p.linear(table, own + names[0], width), heads)
                scores = scores + torch.gather(q @ far.transpose(1, 2), 2, index)
            if "p2c" in kinds:
                far = heads_of(p.linear(table, own + names[1], width), heads)
                scores = scores + torch.gather(k @ far.transpose(1, 2), 2, index.transpose(1, 2)).transpose(1, 2)
        y, out["attentions.%d" % layer] = read(scores / math.sqrt(q.shape[-1] * (1 + len(kinds))), v)
        x = p.norm(x + p.linear(y, at + "attention.output.dense", width), at + "attention.output.LayerNorm", eps)
        y = ACTIVATIONS[c["hidden_act"]](p.linear(x, at + "intermediate.dense", c["intermediate_size"]))
        x = p.norm(x + p.linear(y, at + "output.dense", width), at + "output.LayerNorm", eps)
        if layer == 0 and c.get("conv_kernel_size", 0) > 0:
            kernel = c["conv_kernel_size"]
            weight = p("encoder.conv.conv.weight", width, width, kernel, spread=1 / math.sqrt(width * kernel))
            y = F.conv1d(out["hidden_states.0"].T[None], weight, p("encoder.conv.conv.bias", width), padding=kernel // 2)[0].T
            x = p.norm(x + ACTIVATIONS[c.get("conv_act", "tanh")](y), "encoder.conv.LayerNorm", eps)
        out["hidden_states.%d" % (layer + 1)] = x
    return x


def nomic(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    size = c.get("head_dim") or width // heads
    x = p.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    x = p.norm(x + p.table("embeddings.token_type_embeddings", c["type_vocab_size"], width)[types], "emb_ln", eps)
    out["hidden_states.0"] = x
    for layer in range(c["num_hidden_layers"]):
        at = "encoder.layers.%d." % layer
        q, k, v = (heads_of(y, heads) for y in p.linear(x, at + "attn.Wqkv", 3 * heads * size, False, 1.6).chunk(3, -1))
        q, k = (turned(y, c.get("rotary_emb_base", 1000), size) for y in (q, k))
        y, out["attentions.%d" % layer] = read(q @ k.transpose(1, 2) / math.sqrt(size), v)
        x = p.norm(x + p.linear(y, at + "attn.out_proj", width, False), at + "norm1", eps)
        y = F.silu(p.linear(x, at + "mlp.fc12", c["intermediate_size"], False)) * \
            p.linear(x, at + "mlp.fc11", c["intermediate_size"], False)
        out["hidden_states.%d" % (layer + 1)] = x = p.norm(x + p.linear(y, at + "mlp.fc2", width, False), at + "norm2", eps)
    return x


def esm(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c["layer_norm_eps"]
    x = p.table("embeddings.word_embeddings", c["vocab_size"], width)[ids]
    if c["token_dropout"]:
        masked = ids == c["mask_token_id"]
        x = x.masked_fill(masked[:, None], 0.0) * (1 - 0.15 * 0.8) / (1 - masked.float().mean())
    rotary = c["position_embedding_type"] == "rotary"
    if not rotary:
        x = x + p.table("embeddings.position_embeddings", c["max_position_embeddings"], width)[
            behind_padding(ids, c["pad_token_id"])]
    if c["emb_layer_norm_before"]:
        x = p.norm(x, "embeddings.layer_norm", eps)
    out["hidden_states.0"] = x
    for layer in range(c["num_hidden_layers"]):
        at = "encoder.layer.%d." % layer
        y = p.norm(x, at + "attention.LayerNorm", eps)
        q, k, v = (heads_of(p.linear(y, at + "attention.self." + n, width, gain=1.8), heads) for n in ("query", "key", "value"))
        if rotary:
            q, k = (turned(z, 10000.0, width // heads) for z in (q, k))
        y, out["attentions.%d" % layer] = read(q @ k.transpose(1, 2) / math.sqrt(q.shape[-1]), v)
        x = x + p.linear(y, at + "attention.output.dense", width)
        y = F.gelu(p.linear(p.norm(x, at + "LayerNorm", eps), at + "intermediate.dense", c["intermediate_size"]))
        out["hidden_states.%d" % (layer + 1)] = x = x + p.linear(y, at + "output.dense", width)
    x = p.norm(x, "encoder.emb_layer_norm_after", eps)
    out["hidden_states.%d" % c["num_hidden_layers"]] = x
    return x


def eurobert(p, c, ids, types, out):
    width, heads, eps = c["hidden_size"], c["num_attention_heads"], c.get("rms_norm_eps", 1e-5)
    groups, size = c.get("num_key_value_heads") or heads, c.get("head_dim") or width // heads
    bias, mlp = c.get("attention_bias", False), c.get("mlp_bias", False)
    out["hidden_states.0"] = x = p.table("embed_tokens", c["vocab_size"], width)[ids]
    for layer in range(c["num_hidden_layers"]):
        at = "layers.%d." % layer
        y = p.rms(x, at + "input_layernorm", eps)
        q, k, v = (heads_of(p.linear(y, at + "self_attn.%s_proj" % n, count * size, bias, 1.8), count)
                   for n, count in (("q", heads), ("k", groups), ("v", groups)))
        q, k = (turned(z, c.get("rope_theta", 250000.0), size) for z in (q, k))
        k = k.repeat_interleave(heads // groups, 0)
        y, out["attentions.%d" % layer] = read(q @ k.transpose(1, 2) / math.sqrt(size), v)
        x = x + p.linear(y, at + "self_attn.o_proj", width, bias)
        y = p.rms(x, at + "post_attention_layernorm", eps)
        y = F.silu(p.linear(y, at + "mlp.gate_proj", c["intermediate_size"], mlp)) * \
            p.linear(y, at + "mlp.up_proj", c["intermediate_size"], mlp)
        out["hidden_states.%d" % (layer + 1)] = x = x + p.linear(y, at + "mlp.down_proj", width, mlp)
    out["hidden_states.%d" % c["num_hidden_layers"]] = x = p.rms(x, "norm", eps)
    return x


BODIES = {"mpnet": mpnet, "deberta-v2": deberta, "nomic_bert": nomic, "esm": esm, "eurobert": eurobert}


def masked_words(p, o, c, x):
    family, width, vocabulary = c["model_type"], c["hidden_size"], c["vocab_size"]
    tied = c.get("tie_word_embeddings", family != "eurobert")
    name = "embed_tokens" if family == "eurobert" else "embeddings.word_embeddings"
    out = {"mpnet": "lm_head.decoder", "esm": "lm_head.decoder", "eurobert": "lm_head"}.get(family, "cls.predictions.decoder")

    def logits(x, bias=None):
        y = x @ (p.table(name, vocabulary, width) if tied else o.table(out, vocabulary, width)).T
        return y if bias is None else y + o(bias if tied or family == "esm" else out + ".bias", vocabulary)
    if family == "eurobert":
        return logits(x)
    if family in ("mpnet", "esm"):
        x = o.norm(F.gelu(o.linear(x, "lm_head.dense", width)), "lm_head.layer_norm", c["layer_norm_eps"])
        return logits(x, "lm_head.bias")
    act = ACTIVATIONS[c.get("hidden_act", "gelu")]
    norm = "LayerNorm" if family == "deberta-v2" else "layer_norm"
    x = o.norm(act(o.linear(x, "cls.predictions.transform.dense", width)), "cls.predictions.transform." + norm,
               c["layer_norm_eps"])
    return logits(x, "cls.predictions.bias")


def classes(p, o, c, x, labels):
    family, width = c["model_type"], c["hidden_size"]
    if family in ("mpnet", "esm"):
        return o.linear(torch.tanh(o.linear(x[0], "classifier.dense", width)), "classifier.out_proj", labels)
    if family == "deberta-v2":
        y = ACTIVATIONS[c.get("pooler_hidden_act", "gelu")](o.linear(x[0], "pooler.dense", width))
        return o.linear(y, "classifier", labels)
    if family == "nomic_bert":
        return o.linear(torch.tanh(p.linear(x[0], "pooler.dense", width)), "classifier", labels)
    pooling = c.get("classifier_pooling", "late")
    y = x[0] if pooling == "bos" else x.mean(0) if pooling == "mean" else x
    y = o.linear(F.gelu(o.linear(y, "dense", width)), "classifier", labels)
    return y.mean(0) if pooling == "late" else y


def head(p, o, c, kind, x, out):
    labels = len(c.get("id2label") or {0: 0, 1: 1})
    if kind.endswith("ForMaskedLM"):
        out["logits"] = masked_words(p, o, c, x)
    elif kind.endswith("ForSequenceClassification"):
        out["logits"] = classes(p, o, c, x, labels)
    elif kind.endswith("ForTokenClassification"):
        out["logits"] = o.linear(x, "classifier", labels)
    elif kind.endswith("ForQuestionAnswering"):
        y = o.linear(x, "qa_outputs", 2)
        out["start_logits"], out["end_logits"] = y[:, 0], y[:, 1]
    else:
        out["last_hidden_state"] = x
        if family_pools(p, c):
            out["pooler_output"] = torch.tanh(p.linear(x[0], "pooler.dense", c["hidden_size"]))


def family_pools(p, c):
    if c["model_type"] not in ("mpnet", "esm"):
        return False
    return p.given is None or p.has("pooler.dense.weight")


def draw(r, family):
    heads = r.choice((1, 2, 3, 4))
    size = r.choice((4, 6, 8))
    width, layers = heads * size, r.randint(1, 4)
    c = {"vocab_size": r.randint(20, 90), "hidden_size": width, "num_attention_heads": heads, "num_hidden_layers": layers,
         "intermediate_size": r.randint(5, 60), "pad_token_id": 1, "max_position_embeddings": r.randint(30, 70),
         "tie_word_embeddings": r.random() < 0.7}
    if family == "eurobert":
        groups = r.choice([g for g in (1, 2, 3, 4) if heads % g == 0])
        c.update(num_key_value_heads=groups, rms_norm_eps=r.choice((1e-5, 1e-3)), attention_bias=r.random() < 0.3,
                 mlp_bias=r.random() < 0.3, classifier_pooling=r.choice(("late", "bos", "mean")))
        c.update(r.choice(({}, {"rope_theta": 10000.0}, {"head_dim": 10})))
    else:
        c.update(layer_norm_eps=r.choice((1e-12, 1e-7, 1e-3)))
    if family == "mpnet":
        c.update(hidden_act=r.choice(("gelu", "relu", "silu")), relative_attention_num_buckets=r.choice((32, 32, 40)))
    if family == "deberta-v2":
        buckets = r.choice((-1, 0, 2, 4, 6, 8, 9, 16))
        c.update(hidden_act=r.choice(("gelu", "relu")), type_vocab_size=r.choice((0, 0, 2)), position_buckets=buckets,
                 position_biased_input=r.random() < 0.4, relative_attention=r.random() < 0.85,
                 max_relative_positions=r.choice((-1, -1, 12, 33)), share_att_key=r.random() < 0.5,
                 norm_rel_ebd=r.choice(("layer_norm", "none")), conv_kernel_size=r.choice((0, 0, 1, 3, 5)),
                 pos_att_type=r.choice(("c2p|p2c", "p2c", ["c2p"], ["p2c", "c2p"])),
                 pooler_hidden_act=r.choice(("gelu", "tanh", "relu")), pad_token_id=0)
        c.update(r.choice(({}, {"conv_act": "gelu"})))
    if family == "nomic_bert":
        c.update(type_vocab_size=r.choice((1, 2)), rotary_emb_base=r.choice((1000, 10000)), hidden_act="silu")
    if family == "esm":
        c.update(token_dropout=r.random() < 0.6, mask_token_id=r.randint(6, 12), emb_layer_norm_before=r.random() < 0.5,
                 position_embedding_type=r.choice(("rotary", "absolute")))
    names = {"mpnet": "MPNet", "deberta-v2": "DebertaV2", "nomic_bert": "NomicBert", "esm": "Esm", "eurobert": "EuroBert"}
    tops = ("Model", "ForMaskedLM", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering")
    return c, names[family] + r.choice(tops)
