#!/usr/bin/env python3
"""Writes verify.safetensors of sample models: the activation at every site, computed by PyTorch from the weights.

    /usr/bin/python3 tests/reference/make_verification.py [NAME|FOLDER...]      (needs python3-torch; default: all)

Reads config.json, vocabulary.json and model.safetensors, decodes an example greedily in float64 with the models of
recurrent.py, convs2s.py, ntm.py and transformer.py, and writes the result in float32. `headlight verify MODEL` compares
the program with it. The example is the first one that makes a small file and that rounding cannot decide: the best
token well ahead of the second at every step, no draw of hard attention and no window of local attention close to a
jump. The metadata say that PyTorch computed it; what the program writes after a training does not count as a sample's
verification.

Further texts, with outputs that are forced, hold the rest of the vocabularies, each token once where possible: of them
the file has the rows of the embeddings and the logits of the last step. Vocabularies of thousands of tokens are held in
part (ROWS), with logits of one text.
"""

import json
import pathlib
import re
import struct
import sys

import numpy as np
import torch

import convs2s
import ntm
import recurrent
import transformer
from make_reference import DTYPES, write_safetensors

SAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "sample_models"
SEED, HARD_ATTENTION = 1, 5  # of a run, and its stream of random numbers
MARGIN = 1e-3                # of the best logit over the second
LARGEST = 1_500_000          # bytes
LONGEST = 24                 # tokens of a further text
ROWS = 200                   # of a vocabulary of more than LARGE tokens: half of them the first, half evenly from the rest
LARGE = 2000


def read_safetensors(path):
    data = path.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    header.pop("__metadata__", None)
    return {name: torch.from_numpy(np.frombuffer(data[8 + size + t["data_offsets"][0]:8 + size + t["data_offsets"][1]],
                                                 DTYPES[t["dtype"]]).astype("f8").reshape(t["shape"]))
            for name, t in header.items()}


# A word may hold hyphens between letters, points and commas between digits; an apostrophe between letters ends it.
WORD = re.compile(r"\w(?:\w|-(?=\w)|(?<=[0-9])[.,](?=[0-9]))*(?:['\u2019](?=\w))?|\S")


def pieces(text, kind, lower_case, merges):
    if lower_case:
        text = text.lower()
    if kind == "characters":
        return list(text)
    words = WORD.findall(text.replace("\u2019", "'"))
    if kind == "words":
        return words
    ranks, result = {merge: i for i, merge in enumerate(merges)}, []
    for word in words:  # Sennrich et al. 2016, algorithm 1: the merge learned first, the leftmost pair
        symbols = list(word[:-1]) + [word[-1] + "</w>"]
        while True:
            pairs = [ranks.get(f"{a} {b}", len(ranks)) for a, b in zip(symbols, symbols[1:])]
            if not pairs or min(pairs) == len(ranks):
                break
            i = pairs.index(min(pairs))
            symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
        result += symbols
    return result


def split(typed, text, vocabulary):
    """Tokens of a source; a hidden word is one token, however it is typed."""
    parts = [typed]
    if "[MASK]" in vocabulary["source"]:
        parts = re.split(r"(\[MASK\]|\[mask\]|<mask>|<MASK>|___+)", typed)
    found = []
    for i, part in enumerate(parts):
        found += ["[MASK]"] if i % 2 else pieces(part, text.get("source_tokenizer", "characters"),
                                                 text.get("lower_case", False), vocabulary.get("source_merges", []))
    return found


def source_ids(typed, text, vocabulary):
    known = {token: i for i, token in enumerate(vocabulary["source"])}
    found = split(typed, text, vocabulary)
    ids = [known.get(piece, known.get("<unk>")) for piece in found]
    if None in ids:
        unknown = found[ids.index(None)]
        raise SystemExit(f"{typed!r}: expected an example that the vocabulary can spell, found {unknown!r}")
    ids += [known.get(" ")] * (text["source_width"] - len(ids))
    begin = [known[text["bos"]]] if text.get("source_bos") else []
    return torch.tensor(begin + ids + ([known[text["eos"]]] if text.get("source_eos") else []))


def philox(counter, key):
    """Philox 4x32-10 (Salmon et al. 2011): four numbers of 32 bits."""
    a, b, c, d = counter
    k, l = key
    for _ in range(10):
        p, q = 0xD2511F53 * a, 0xCD9E8D57 * c
        a, b, c, d = (q >> 32) ^ b ^ k, q & 0xFFFFFFFF, (p >> 32) ^ d ^ l, p & 0xFFFFFFFF
        k, l = (k + 0x9E3779B9) & 0xFFFFFFFF, (l + 0xBB67AE85) & 0xFFFFFFFF
    return a, b, c, d


# The first and the last row of the authors' known answers (Random123 1.14, kat_vectors).
assert philox((0,) * 4, (0,) * 2) == (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)
assert philox((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0)) == \
    (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)


def draws(count):
    """One uniform number for each step of a decoder with hard attention."""
    return torch.tensor([philox((t // 4, 0, HARD_ATTENTION, 0), (SEED, 0))[t % 4] / 2 ** 32 for t in range(count)])


def reference(config, parameters):
    """The model as a function: source ids [S], ids fed to the decoder [T] -> every site."""
    kind, settings = config["model_type"], config["model"]
    if kind == "convs2s":
        def run(source, fed):
            keep = torch.ones(len(source))
            return convs2s.run(parameters, source, keep, fed, torch.zeros_like(fed), settings["reverse_source"])[0]
    elif kind == "ntm":
        machine = (settings["controller"], settings["memory.heads"], settings["memory.tanh"],
                   settings["memory.learned_start"], None)

        def run(source, fed):
            return ntm.run(parameters, machine, source, fed, torch.zeros_like(fed))[0]
    elif kind in ("transformer", "encoder_only", "decoder_only"):
        model = transformer.Transformer(transformer.Settings({**settings, "model_type": kind}), parameters)

        def run(source, fed):
            sites = {}
            model(source[None], torch.ones(1, len(source)), fed[None], sites)
            return sites
    else:
        # Folders from before the setting have the biases that their weights have.
        bias = "both" if "attention.b_v" in parameters else "hidden" if "attention.b_a" in parameters else "none"
        s = recurrent.Settings({"attention.bias": bias, **settings, "model_type": kind})

        def run(source, fed):
            sentence = {"source": source, "decoder": fed, "target": torch.zeros_like(fed), "u": draws(len(fed))}
            return recurrent.run(s, parameters, sentence)[0]
    return run


class NoExample(Exception):
    """Why an example is of no use."""


def decoded(run, source, text, vocabulary):
    """Greedy decoding: the sites and the tokens that were written."""
    ids = {token: i for i, token in enumerate(vocabulary["target"])}
    count = len(source) - bool(text.get("source_eos")) - bool(text.get("source_bos"))
    limit = text["target_length"] or (2 * count + 10 if text["eos"] else count)
    never = [ids[text["pad"]], ids[text["bos"]]] if text.get("pad") else []
    never += [ids[text["mask"]]] if text.get("mask") else []
    fed = [ids[text["bos"]]]
    while True:  # a step more each time: slow, and independent of any decoder state
        sites = run(source, torch.tensor(fed))
        logits = sites[f"decoder.step[{len(fed) - 1}].output.logits"].clone()
        logits[never] = -torch.inf
        best = logits.topk(2)
        if best.values[0] - best.values[1] < MARGIN:
            raise NoExample("two tokens are equally good")
        chosen = int(best.indices[0])
        if text["eos"] and chosen == ids[text["eos"]]:
            return sites, fed[1:]
        if len(fed) == limit + bool(text["eos"]):
            return sites, fed[1:] + [chosen]
        fed.append(chosen)


def wanted_rows(tokens, never):
    ids = [i for i in range(len(tokens)) if i not in never]
    if len(tokens) > LARGE:
        half, rest = ids[:ROWS // 2], ids[ROWS // 2:]
        ids = half + [rest[(k + 1) * len(rest) // (ROWS // 2) - 1] for k in range(ROWS // 2)]
    return ids


def typed_text(tokens, kind, lower_case, merges):
    """The text that is these tokens, or None. An apostrophe belongs to the word behind it."""
    text = ""
    for token in tokens:
        text += token + ("" if kind == "characters" or (len(token) > 1 and token.endswith("'")) else " ")
    text = text if kind == "characters" else text.strip()
    return text if pieces(text, kind, lower_case, merges) == tokens else None


def in_texts(tokens, length, spell):
    """Texts of at most `length` tokens that hold every token; what cannot be spelled by itself is put before a word."""
    texts, glued, word = [], [t for t in tokens if spell([t]) is None], next(t for t in tokens if t[-1:].isalnum())
    units = [[t] for t in tokens if t not in glued] + [[t, word] for t in glued]
    for unit in units:
        if spell(unit) is None:
            raise SystemExit(f"expected tokens that can be typed, found {unit}")
        if not texts or len(texts[-1]) + len(unit) > length or spell(texts[-1] + unit) is None:
            texts.append([])
        texts[-1] += unit
    return texts


def further_texts(config, vocabulary, run, first, written):
    """Yields source, target (None: the model's own) and sites, so that every row that can be read is read."""
    kind, text = config["model_type"], config["text"]
    special = {"<pad>", "<bos>", "<eos>", "<unk>", "[MASK]"}  # that nobody can type, or not as a token to force
    sides = {}
    for side in ("source", "target"):
        names = vocabulary[side]
        never = {i for i, token in enumerate(names) if token in special}
        rows = set(wanted_rows(names, never))
        rows -= {int(i) for i in first} if side == "source" else {*written, names.index(text["bos"])}
        tokenizer = text.get(f"{side}_tokenizer", "characters")
        sides[side] = [names[i] for i in sorted(rows)], lambda t, k=tokenizer, m=vocabulary.get(f"{side}_merges", []): \
            typed_text(t, k, text.get("lower_case", False), m)
    own = kind in ("encoder_only", "decoder_only")  # one table, for what is read
    width = text["source_width"] or LONGEST
    sources = in_texts(sides["source"][0], min(width, LONGEST), sides["source"][1]) if sides["source"][0] else []
    if "<unk>" in vocabulary["source"]:
        sources[-1:] = [sources[-1][:], ["\u2603"]] if len(sources[-1]) >= LONGEST else [sources[-1] + ["\u2603"]]
    if "[MASK]" in vocabulary["source"]:
        sources.append(["[MASK]"] + sources[0][:3])
    limit = text["target_length"] or LONGEST
    fed = limit if text["eos"] else limit - 1  # the last token without an end sign is never fed
    if kind == "ntm":
        fed = 0
    targets = in_texts(sides["target"][0], fed, sides["target"][1]) if sides["target"][0] and fed > 0 and not own else []
    known = {token: i for i, token in enumerate(vocabulary["target"])}
    for k in range(max(len(sources), len(targets))):
        source = sources[k] if k < len(sources) else sources[0]
        target = targets[k] if k < len(targets) else [next(t for t in vocabulary["target"] if sides["target"][1]([t]))]
        between = "" if text.get("source_tokenizer", "characters") == "characters" else " "
        typed = sides["source"][1](source) or between.join(source)
        ids = source_ids(typed, text, vocabulary)
        if kind == "encoder_only":
            steps, said = torch.full((len(ids),), known[text["bos"]]), None
        else:
            if not text["eos"] and k < len(targets):
                target = target + target[-1:]
            said = sides["target"][1](target)
            order = target[::-1] if config["model"].get("reverse_target") else target
            steps = [known[text["bos"]]] + [known[t] for t in order]
            steps = torch.tensor(steps if text["eos"] else steps[:-1])
        sites = run(ids, steps)
        last = f"decoder.step[{len(steps) - 1}].output.logits"
        table = re.compile(r"(encoder|decoder|decoder\.step\[\d+\])\.embed\.(token|out)")
        tokens = any(name.endswith("embed.token") for name in sites)  # the others add the positions
        new = {"encoder": k < len(sources), "decoder": k < len(targets) or own}
        if len(vocabulary["target"]) > LARGE and k > 0:
            last = None
        yield typed, said, {name: value for name, value in sites.items()
                            if name == last or (table.fullmatch(name) and not (tokens and name.endswith(".out"))
                                                and new[name[:7]])}


def verification(folder):
    config = json.loads((folder / "config.json").read_text())
    vocabulary = json.loads((folder / "vocabulary.json").read_text())
    run, text = reference(config, read_safetensors(folder / "model.safetensors")), config["text"]
    for typed in config["examples"]:
        try:
            first = source_ids(typed, text, vocabulary)
            sites, written = decoded(run, first, text, vocabulary)
            size = 4 * sum(site.numel() for site in sites.values())
            if size > LARGEST:
                raise NoExample(f"{size} bytes")
            break
        except (NoExample, recurrent.TooClose) as reason:
            print(f"{folder.name}: {typed!r} is left out: {reason}")
    else:
        print(f"{folder.name}: expected an example that can be used, found none")
        return False
    texts, count = [], len(sites)
    for k, (source, target, selected) in enumerate(further_texts(config, vocabulary, run, first, written[:-1]), 1):
        texts.append({"source": source} | ({"target": target} if target is not None else {}))
        sites |= {f"text[{k}].{name}": value for name, value in selected.items()}
    path = folder / "verify.safetensors"
    write_safetensors(path, sites, "F32", {"source": typed, "tolerance": "1e-4", "computed_by": "PyTorch",
                                           "texts": json.dumps(texts, ensure_ascii=False)})
    between = "" if text.get("target_tokenizer", "characters") == "characters" else " "
    if config["model"].get("reverse_target"):
        written.reverse()
    output = between.join(vocabulary["target"][i] for i in written)
    print(f"{folder.name}: {typed!r} -> {output!r}, {count} sites, {len(texts)} further texts, "
          f"{path.stat().st_size} bytes")
    return True


def main():
    names = sys.argv[1:] or sorted(p.parent.name for p in SAMPLES.glob("*/config.json"))
    folders = [SAMPLES / name if (SAMPLES / name / "config.json").exists() else pathlib.Path(name) for name in names]
    sys.exit(not all([verification(folder) for folder in folders]))


if __name__ == "__main__":
    main()
