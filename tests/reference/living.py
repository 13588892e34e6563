#!/usr/bin/env python3
"""Writes tests/data/reference/living/NAME.json: shares and origins of the living map (docs/living-map.md) of bundled models,
computed in float64 from the values that a run wrote and from the weights, by the definitions alone.

    /usr/bin/python3 tests/reference/living.py build/release/headlight [NAME...]      (needs python3-numpy; default: all)

A share of a part q in a state s is <q, s> / <s, s>. The flow begins with 1 at an output and is handed back at each state in
proportion to its positive shares; where a state is kept from step to step by gates, each of its units is followed by itself
to the steps that wrote it. Rows are in the order of the computation: of a source that is read backwards the last token first.
"""

import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TEXTS = {"story-gpt": "anna sees the big dog. it", "reverse-transformer": "314159", "masked-bert": "the keys to the [MASK] are old.",
         "date-attention": "3 May 2001", "date-plain": "3 May 2001", "grammar-bahdanau": "she does not like the small black dog.",
         "toy-mt-convs2s": "the girl sees the big red house", "copy-ntm": "Headlight",
         "date-additive": "3 May 2001", "date-cosine": "3 May 2001", "date-dot": "3 May 2001", "date-general": "3 May 2001",
         "date-location": "3 May 2001", "date-mlp": "3 May 2001", "date-scaled-dot": "3 May 2001", "addition-attention": "57+5",
         "date-transformer": "5/3/01", "addition-transformer": "57+5", "copy-transformer": "31415", "copy-one-head": "314",
         "copy-learned": "314", "copy-unscaled": "314", "sort-transformer": "314159", "grammar-transformer": "the cat sleeps .",
         "tatoeba-transformer": "she was ill .", "grammar-convs2s": "the cat sleeps ."}


def weights(folder):
    data = (folder / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    kinds = {"F16": np.float16, "F32": np.float32}
    return {k: np.frombuffer(data[8 + size:][slice(*v["data_offsets"])], kinds[v["dtype"]]).reshape(v["shape"]).astype(float)
            for k, v in json.loads(data[8:8 + size]).items() if k != "__metadata__"}


def share(q, s):
    return (q * s).sum(-1) / (s * s).sum(-1)


def positive(x):
    return np.maximum(x, 0)


class Run:
    def __init__(self, program, name, text):
        self.name, self.text, self.shares, self.origins = name, text, [], []
        folder = ROOT / "sample_models" / name
        self.w, self.settings = weights(folder), json.loads((folder / "config.json").read_text())["model"]
        with tempfile.TemporaryDirectory() as out:
            subprocess.run([program, "run", name, "--source", text, "--dump", out + "/run.npz"], check=True, stdout=subprocess.DEVNULL)
            with np.load(out + "/run.npz") as z:
                self.z = {k: z[k].astype(float) for k in z.files}
        self.S = len(self.z["input.src.ids"])
        self.U = sum(1 for k in self.z if k.startswith("decoder.step[") and k.endswith("output.logits"))
        self.wrote = [int(self.z[f"decoder.step[{t}].output.logits"].argmax()) for t in range(self.U)]

    def steps(self, site, place="decoder", count=None):
        return np.stack([self.z[f"{place}.step[{t}].{site}"] for t in range(count or self.U)])

    def note(self, side, kind, layer, part, values, offset=0):
        self.shares.append(dict(side=side, kind=kind, layer=layer, part=part, offset=offset, values=np.round(values, 7).tolist()))

    def came(self, step, source, target, rest=0.0):
        assert abs(np.sum(source) + np.sum(target) + rest - 1) < 1e-9, (step, np.sum(source), np.sum(target), rest)
        self.origins.append(dict(step=step, source=np.round(source, 7).tolist(), target=np.round(target, 7).tolist(), rest=rest))


# --- Transformers

def offered(run, place, v):
    """u[h, j] = v[h, j] W_O of that head."""
    W = run.w[place + ".W_o"]
    return np.einsum("hjk,hkd->hjd", v, W.reshape(v.shape[0], -1, W.shape[1]))


def handed(f, kept, part):
    """A row's flow to itself and to the columns of `part`."""
    total = positive(kept) + positive(part).sum(1)
    return f * positive(kept) / total, f[:, None] * positive(part) / total[:, None]


def transformer(run):
    decoder_only, encoder_only = run.settings.get("decoder_layers") and not run.settings.get("encoder_layers"), not run.settings.get("decoder_layers")
    gaps = []  # (side, kind, kept, brought)

    def junction(side, kind, layer, place, x, alpha, v, s):
        brought = np.einsum("htj,hjd,td->tj", alpha, offered(run, place, v), s) / (s * s).sum(1)[:, None]
        run.note(side, kind, layer, "carried", share(x, s))
        run.note(side, kind, layer, "attention", brought)
        if place + ".b_o" in run.w:
            run.note(side, kind, layer, "bias", share(run.w[place + ".b_o"], s))
        gaps.append((side, kind, share(x, s), brought))

    def mlp(side, layer, x, given, s):
        run.note(side, "mlp", layer, "carried", share(x, s))
        run.note(side, "mlp", layer, "written", share(given, s))

    if not decoder_only:
        x = run.z["encoder.embed.out"]
        for l in range(run.settings["encoder_layers"]):
            p = f"encoder.layer[{l}]."
            mid, end = run.z[p + "residual1"], run.z[p + "residual2"]
            junction("source", "attention", l, p + "self_attn", x, run.z[p + "self_attn.head.weights"], run.z[p + "self_attn.head.v"], mid)
            mlp("source", l, mid, run.z[p + "ffn.out"], end)
            x = end
    prompt = run.S - 1 if decoder_only else 0
    rows = prompt + run.U
    if not encoder_only:
        def lanes(site):
            first = [run.z["decoder." + site]] if prompt else []
            return np.concatenate(first + [run.steps(site)])

        def heads(site, width):
            parts = [run.z["decoder." + site]] if prompt else []
            parts += [run.z[f"decoder.step[{t}].{site}"][:, None] for t in range(run.U)]
            return np.concatenate([np.pad(q, ((0, 0), (0, 0), (0, width - q.shape[2]))) for q in parts], 1)

        x = lanes("embed.out")
        for l in range(run.settings["decoder_layers"]):
            p, wide = f"layer[{l}].", run.z["decoder.step[0].layer[0].self_attn.head.v"].shape[-1]
            mid = lanes(p + "residual1")
            junction("target", "attention", l, "decoder." + p + "self_attn", x, heads(p + "self_attn.head.weights", rows),
                     heads(p + "self_attn.head.v", wide), mid)
            last = "residual2"
            if not decoder_only:
                x, mid, last = mid, lanes(p + "residual2"), "residual3"
                junction("target", "cross", l, "decoder." + p + "cross_attn", x, heads(p + "cross_attn.head.weights", run.S),
                         run.z["decoder." + p + "cross_attn.head.v"], mid)
            end = lanes(p + last)
            mlp("target", l, mid, lanes(p + "ffn.out"), end)
            x = end
    for step in range(run.U):
        source, target = np.zeros(0 if decoder_only else run.S), np.zeros(0 if encoder_only else rows)
        (source if encoder_only else target)[prompt + step] = 1
        for side, kind, kept, brought in reversed(gaps):
            if side == "source":
                kept_on, moved = handed(source, kept, brought)
                source = kept_on + moved.sum(0)
                continue
            kept_on, moved = handed(target, kept, brought)
            if kind == "cross":
                source, target = source + moved.sum(0), kept_on
            else:
                target = kept_on + moved.sum(0)
        run.came(step, source, target)


# --- Recurrent models

def ratio(a, b):
    return a / np.where(np.abs(b) < 1e-12, 1e-12, b)


def followed(keep, written, start, R, j):
    """s[j] = sum over k of keep[j] ... keep[k + 1] written[k], and what is left of the start: parts of R s[j] and their R."""
    parts, left = [], R
    for k in range(j, -1, -1):
        parts.append((k, (left * written[k]).sum(), left))
        left = left * keep[k]
    parts.append((-1, (left * start).sum(), left))
    return parts


def split(amount, parts):
    """In proportion to what is positive: (key, amount, R that brings it)."""
    whole = sum(positive(value) for _, value, _ in parts)
    return [(key, amount * value / whole, R * (amount * value / whole / value)) for key, value, R in parts if value > 0]


class Lstm:
    def __init__(self, run, place, count, x, h0, c0):
        z = lambda site: run.steps("lstm." + site, place, count)
        self.keep, self.i, self.g, self.o, self.c, self.h = (z(s) for s in ("gate.f", "gate.i", "cand.g", "gate.o", "c", "h"))
        n = self.c.shape[1]
        self.written, self.state, self.start = self.i * self.g, self.c, c0
        before = np.vstack([h0, self.h[:-1]])
        W, self.U, b = run.w[place + ".lstm.Wx"][:, n:2 * n], run.w[place + ".lstm.Wh"][:, n:2 * n], run.w[place + ".lstm.b"][n:2 * n]
        pre = x @ W + before @ self.U + b
        assert np.abs(np.tanh(pre) - self.g).max() < 2e-3
        self.parts, self.slope = dict(token=x @ W, recurrent=before @ self.U, bias=b + 0 * pre), ratio(self.written, pre)
        self.before, self.pre, self.back = before, pre, lambda k, R: self.U @ R
        self.out = ratio(self.h, self.c)


class Gru:
    def __init__(self, run, place, count, x, h0, context=None):
        z = lambda site: run.steps("gru." + site, place, count)
        gate, reset, new, self.h = z("gate.z"), z("gate.r"), z("cand"), z("h")
        n = self.h.shape[1]
        self.keep, self.written, self.state, self.start, self.out = 1 - gate, gate * new, self.h, h0, np.ones_like(self.h)
        before = np.vstack([h0, self.h[:-1]])
        W, self.U, b = run.w[place + ".gru.Wx"][:, 2 * n:], run.w[place + ".gru.U"], run.w[place + ".gru.b"][2 * n:]
        self.parts = dict(token=x @ W, recurrent=(reset * before) @ self.U, bias=b + 0 * new)
        if context is not None:
            self.C = run.w["decoder.context.C"][:, 2 * n:]
            self.parts["context"] = context @ self.C
        pre = sum(self.parts.values())
        assert np.abs(np.tanh(pre) - new).max() < 2e-3
        self.before, self.pre, self.slope = before, pre, ratio(self.written, pre)
        self.back = lambda k, R: reset[k] * (self.U @ R)


def note_cell(run, side, cell, candidate):
    before = np.vstack([cell.start, cell.state[:-1]])
    kept = share(cell.keep * before, cell.state)
    first = kept[0]
    kept[0] = 0
    run.note(side, "cell", -1, "carried", kept)
    run.note(side, "cell", -1, "written", share(cell.written, cell.state))
    if np.abs(cell.start).max() > 0:
        run.note(side, "cell", -1, "start", np.r_[first, kept[1:] * 0])
    for part in candidate:
        run.note(side, "candidate", -1, part, share(cell.parts[part], cell.pre))


def through_encoder(encoder, entries, letters):
    """entries: position -> (amount, R of the hidden state there). What is written stays with the token that was read."""
    for j, (amount, R) in entries.items():
        for k, part, _ in split(amount, followed(encoder.keep, encoder.written, encoder.start, R * encoder.out[j], j)):
            letters[k] += part


def add(entries, j, amount, R):
    old = entries.get(j, (0, 0))
    entries[j] = (old[0] + amount, old[1] + R)


def recurrent(run):
    w, S, U = run.w, run.S, run.U
    bahdanau, attends = "decoder.context.C" in w, "decoder.step[0].attention.weights" in run.z
    x, y = run.z["encoder.embed.out"], run.steps("embed.out")
    cell = Gru if bahdanau else Lstm
    n = run.settings["hidden_size"]
    encoder = cell(run, "encoder", S, x, np.zeros(n), *([] if bahdanau else [np.zeros(n)]))
    states, alpha = run.z["encoder.states"], run.steps("attention.weights") if attends else None
    h0 = run.z["decoder.init.h"]
    context = run.steps("attention.context") if attends else None
    decoder = Gru(run, "decoder", U, y, h0, context) if bahdanau else Lstm(run, "decoder", U, y, h0, np.zeros(n))
    note_cell(run, "source", encoder, ("token", "recurrent", "bias"))
    note_cell(run, "target", decoder, tuple(decoder.parts))

    # The score of the written token above the mean: (weights of the context, of the state, of the token, what is left)
    def readout(t, token):
        if not bahdanau:
            W, b = w["decoder.affine.W"], w["decoder.affine.b"]
            R, rest = W[:, token] - W.mean(1), b[token] - b.mean()
            return (R[:-n] if attends else None), R[-n:], None, rest
        W, b = w["decoder.output.W_o"], w["decoder.output.b"]
        up, pre = W[:, token] - W.mean(1), run.z[f"decoder.step[{t}].readout.pre"]
        R = np.zeros(len(pre))
        for l in range(len(pre) // 2):
            R[2 * l + int(pre[2 * l + 1] > pre[2 * l])] = up[l]
        return (w["decoder.readout.C_o"] @ R, w["decoder.readout.U_o"] @ R, w["decoder.readout.V_o"] @ R,
                b[token] - b.mean() + w["decoder.readout.b_o"] @ R)

    read_state = decoder.before if bahdanau else decoder.h
    bars = dict(attention=np.zeros((U, S)), state=np.zeros(U), token=np.zeros(U), bias=np.zeros(U))
    for t in range(U):
        Rc, Rh, Re, rest = readout(t, run.wrote[t])
        bars["bias"][t], bars["state"][t] = rest, read_state[t] @ Rh
        if attends:
            bars["attention"][t] = alpha[t] * (states @ Rc)
        if Re is not None:
            bars["token"][t] = y[t] @ Re
        score = sum(q[t].sum() for q in bars.values())
        z = run.z[f"decoder.step[{t}].output.logits"]
        assert abs(score - (z[run.wrote[t]] - z.mean())) < 1e-3 * (1 + abs(score))
        for q in bars.values():
            q[t] /= score
    for part, q in bars.items():
        if np.abs(q).max() > 0:
            run.note("target", "readout", -1, part, q)

    for step in range(U):
        Rc, Rh, Re, _ = readout(step, run.wrote[step])
        source, target, entries, down, begin = np.zeros(S), np.zeros(U), {}, {}, []
        parts = [(("state",), read_state[step] @ Rh, Rh)]
        if attends:
            parts += [(("source", j), alpha[step, j] * (states[j] @ Rc), alpha[step, j] * Rc) for j in range(S)]
        if Re is not None:
            parts.append((("token",), y[step] @ Re, Re))
        for key, amount, R in split(1.0, parts):
            if key[0] == "source":
                add(entries, key[1], amount, R)
            elif key[0] == "token":
                target[step] += amount
            elif bahdanau and step == 0:
                begin.append((amount, R))
            else:
                at = step - 1 if bahdanau else step
                add(down, at, amount, R * decoder.out[at])
        writes = {}
        for t in range(U - 1, -1, -1):
            if t in down:
                amount, R = down.pop(t)
                for k, part, left in split(amount, followed(decoder.keep, decoder.written, decoder.start, R, t)):
                    if k >= 0:
                        add(writes, k, part, left)
                    else:
                        begin.append((part, left))
            if t not in writes:
                continue
            amount, R = writes.pop(t)
            R = R * decoder.slope[t]
            parts = [((k,), (R * decoder.parts[k][t]).sum(), R) for k in ("token", "recurrent", "context") if k in decoder.parts]
            for key, part, R in split(amount, parts):
                if key[0] == "token":
                    target[t] += part
                elif key[0] == "context":
                    looked = decoder.C @ R
                    for j, some, Rj in split(part, [(j, alpha[t, j] * (states[j] @ looked), alpha[t, j] * looked) for j in range(S)]):
                        add(entries, j, some, Rj)
                elif t > 0:
                    add(down, t - 1, part, decoder.back(t, R) * decoder.out[t - 1])
                else:
                    begin.append((part, decoder.back(t, R)))
        if begin:
            amount, R = sum(a for a, _ in begin), sum(r for _, r in begin)
            if bahdanau:  # h0 = tanh(mean of the states W_s + b_s)
                pre = states.mean(0) @ w["decoder.init.W_s"] + w["decoder.init.b_s"]
                back = w["decoder.init.W_s"] @ (R * ratio(h0, pre)) / S
                for j, part, Rj in split(amount, [(j, states[j] @ back, back) for j in range(S)]):
                    add(entries, j, part, Rj)
            else:  # the last state of the encoder
                add(entries, S - 1, amount, R)
        through_encoder(encoder, entries, source)
        run.came(step, source, target)


# --- Convolutions

def convolutional(run):
    w, k, half = run.w, run.settings["kernel_size"], np.sqrt(.5)
    S, U = run.S, run.U
    normal = lambda p: w[p + ".v"] * (w[p + ".g"] / np.linalg.norm(w[p + ".v"], axis=0)) if p + ".v" in w else w[p + ".W"]
    gaps = []

    def layer(side, l, x, gate, s, left, alpha=None):
        p = f"{'encoder' if side == 'source' else 'decoder'}.layer[{l}]"
        d, W, b, scale = x.shape[1], normal(p + ".conv"), w[p + ".conv.b"], half if alpha is None else half * half
        taps = []
        for i in range(k):
            moved = np.zeros_like(x)
            for t in range(len(x)):
                if 0 <= t + i - left < len(x):
                    moved[t] = x[t + i - left]
            taps.append(share(scale * gate * (moved @ W[i * d:(i + 1) * d, :d]), s))
            run.note(side, "convolution", l, "tap", taps[-1], i - left)
        run.note(side, "convolution", l, "carried", share(half * x, s))
        bias, brought = scale * gate * b[:d], None
        if alpha is not None:
            m = S * np.sqrt(1 / S) if run.settings.get("scale_context", True) else 1
            u = run.z["encoder.values"] @ normal(p + ".attn.out_proj")
            brought = scale * m * alpha * (s @ u.T) / (s * s).sum(1)[:, None]
            bias = bias + scale * w[p + ".attn.out_proj.b"]
            run.note(side, "convolution", l, "attention", brought)
        run.note(side, "convolution", l, "bias", share(bias, s))
        gaps.append((side, share(half * x, s), taps, left, brought))

    x = run.z["encoder.in_proj.out"]
    for l in range(run.settings["encoder_layers"]):
        s = run.z[f"encoder.layer[{l}].out"]
        layer("source", l, x, run.z[f"encoder.layer[{l}].glu.gate"], s, (k - 1) // 2)
        x = s
    x = run.steps("in_proj.out")
    for l in range(run.settings["decoder_layers"]):
        s = run.steps(f"layer[{l}].out")
        layer("target", l, x, run.steps(f"layer[{l}].glu.gate"), s, k - 1, run.steps(f"layer[{l}].attn.weights"))
        x = s
    for step in range(U):
        flow = dict(source=np.zeros(S), target=np.zeros(U))
        flow["target"][step] = 1
        for side, kept, taps, left, brought in reversed(gaps):
            f, after = flow[side], np.zeros_like(flow[side])
            total = positive(kept) + sum(positive(q) for q in taps) + (positive(brought).sum(1) if brought is not None else 0)
            for t in np.nonzero(f)[0]:
                after[t] += f[t] * positive(kept[t]) / total[t]
                for i, q in enumerate(taps):
                    if q[t] > 0:
                        after[t + i - left] += f[t] * q[t] / total[t]
                if brought is not None:
                    flow["source"] = flow["source"] + f[t] * positive(brought[t]) / total[t]
            flow[side] = after
        run.came(step, flow["source"], flow["target"])


# --- A Neural Turing Machine with one pair of heads and an LSTM

def machine(run):
    w, S, U = run.w, run.S, run.U
    places = [f"encoder.step[{t}]." for t in range(S + 1)] + [f"decoder.step[{t}]." for t in range(U)]
    get = lambda site: np.stack([run.z[p + site] for p in places])
    keep, i, g, o, c, h = (get("lstm." + k) for k in ("gate.f", "gate.i", "cand.g", "gate.o", "c", "h"))
    written, n = i * g, h.shape[1]
    head = "memory.head[0]."
    M, wr, ww, erase, a, vector = (get(head + k) for k in ("write.M", "read.w", "write.w", "write.erase", "write.add", "read.vector"))
    width, first = a.shape[1], w["memory.init"]
    assert np.abs(M[1:] - M[:-1] * (1 - ww[1:, :, None] * erase[1:, None]) - ww[1:, :, None] * a[1:, None]).max() < 1e-3
    assert np.abs(np.einsum("tn,tnd->td", wr[1:], M[:-1]) - vector[1:]).max() < 1e-3
    before = lambda t: M[t - 1] if t else first
    W, Wh, pre = w["controller.lstm.Wx"][:, n:2 * n], w["controller.lstm.Wh"][:, n:2 * n], get("lstm.pre")[:, n:2 * n]
    bits, Wo, bo = len(w["output.b"]), w["output.W"], w["output.b"]
    bars = dict(state=np.zeros(U), context=np.zeros(U), bias=np.zeros(U))

    def token_bits(token):
        return np.array([(token >> (bits - 1 - k) & 1) - .5 for k in range(bits)])

    for t in range(U):
        R, now = Wo @ token_bits(run.wrote[t]), S + 1 + t
        parts = [R[:n] @ h[now], R[n:] @ vector[now], bo @ token_bits(run.wrote[t])]
        z = run.z[f"decoder.step[{t}].output.logits"]
        assert abs(sum(parts) - (z[run.wrote[t]] - z.mean())) < 1e-3 * (1 + abs(sum(parts)))
        bars["state"][t], bars["context"][t], bars["bias"][t] = np.array(parts) / sum(parts)
    for part, q in bars.items():
        run.note("target", "readout", -1, part, q)

    for step in range(U):
        now, R = S + 1 + step, Wo @ token_bits(run.wrote[step])
        source, rest, hidden, reads, adds, writes = np.zeros(S + 1), 0.0, {}, {}, {}, {}
        for key, amount, part in split(1.0, [("h", R[:n] @ h[now], R[:n]), ("r", R[n:] @ vector[now], R[n:])]):
            add(hidden if key == "h" else reads, now, amount, part)
        for t in range(now, -1, -1):
            if t in adds:  # a = h W + b
                amount, Ra = adds.pop(t)
                column = 2 * width + 6
                back = Ra * ratio(a[t], run.z[places[t] + head + "write.pre"][column:column + width])
                back = w[head + "write.W"][:, column:column + width] @ back
                add(hidden, t, amount, back * (amount / (back @ h[t])))
            if t in reads:
                amount, Rr = reads.pop(t)
                for slot, part, Rs in split(amount, [(s, wr[t, s] * (Rr @ before(t)[s]), wr[t, s] * Rr) for s in range(len(first))]):
                    parts, left = [], Rs
                    for k in range(t - 1, -1, -1):
                        parts.append((k, ww[k, slot] * (left @ a[k]), ww[k, slot] * left))
                        left = left * (1 - ww[k, slot] * erase[k])
                    parts.append((-1, left @ first[slot], left))
                    for k, some, Rk in split(part, parts):
                        if k < 0:
                            rest += some
                        else:
                            add(adds, k, some, Rk)
            if t in hidden:
                amount, Rh = hidden.pop(t)
                for k, part, left in split(amount, followed(keep, written, w["controller.init.c"], Rh * ratio(h[t], c[t]), t)):
                    if k < 0:
                        rest += part
                    else:
                        add(writes, k, part, left)
            if t in writes:
                amount, Rw = writes.pop(t)
                if t <= S:  # it belongs to what was read there
                    source[t] += amount
                    continue
                Rw = Rw * ratio(written[t], pre[t])
                x = run.z[places[t] + "controller.input"]
                channels = len(x) - width
                parts = [("r", (W[channels:] @ Rw) @ x[channels:], W[channels:] @ Rw), ("h", (Wh @ Rw) @ h[t - 1], Wh @ Rw)]
                for key, part, Rp in split(amount, parts):
                    add(reads if key == "r" else hidden, t - 1, part, Rp)
        run.came(step, source, np.zeros(U), rest)


def main():
    program = str(pathlib.Path(sys.argv[1]).resolve())
    for name in sys.argv[2:] or TEXTS:
        run = Run(program, name, TEXTS[name])
        kind = json.loads((ROOT / "sample_models" / name / "config.json").read_text())["model_type"]
        dict(convs2s=convolutional, ntm=machine, transformer=transformer, encoder_only=transformer, decoder_only=transformer).get(kind, recurrent)(run)
        out = ROOT / "tests" / "data" / "reference" / "living" / (name + ".json")
        out.write_text(json.dumps(dict(model=name, source=run.text, shares=run.shares, origins=run.origins), separators=(",", ":")) + "\n")
        print(name, len(run.shares), "tables of shares,", len(run.origins), "outputs,", out.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
