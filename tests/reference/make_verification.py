#!/usr/bin/env python3
"""Writes verify.safetensors of sample models: the activation at every site, computed by PyTorch from the weights.

    /usr/bin/python3 tests/reference/make_verification.py [NAME|FOLDER...]      (needs python3-torch; default: all)

Reads config.json, vocabulary.json and model.safetensors, decodes an example greedily in float64 with the models of
recurrent.py, convs2s.py, ntm.py and transformer.py, and writes the result in float32. `headlight verify MODEL` compares
the program with it. The example is the first one that makes a small file and that rounding cannot decide: the best
token well ahead of the second at every step, no draw of hard attention and no window of local attention close to a
jump. The metadata say that PyTorch computed it; what the program writes after a training does not count as a sample's
verification.
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
        s = recurrent.Settings({**settings, "model_type": kind})

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


def verification(folder):
    config = json.loads((folder / "config.json").read_text())
    vocabulary = json.loads((folder / "vocabulary.json").read_text())
    run, text = reference(config, read_safetensors(folder / "model.safetensors")), config["text"]
    for typed in config["examples"]:
        try:
            sites, written = decoded(run, source_ids(typed, text, vocabulary), text, vocabulary)
            size = 4 * sum(site.numel() for site in sites.values())
            if size > LARGEST:
                raise NoExample(f"{size} bytes")
            break
        except (NoExample, recurrent.TooClose) as reason:
            print(f"{folder.name}: {typed!r} is left out: {reason}")
    else:
        print(f"{folder.name}: expected an example that can be used, found none")
        return False
    path = folder / "verify.safetensors"
    write_safetensors(path, sites, "F32", {"source": typed, "tolerance": "1e-4", "computed_by": "PyTorch"})
    between = "" if text.get("target_tokenizer", "characters") == "characters" else " "
    if config["model"].get("reverse_target"):
        written.reverse()
    output = between.join(vocabulary["target"][i] for i in written)
    print(f"{folder.name}: {typed!r} -> {output!r}, {len(sites)} sites, {path.stat().st_size} bytes")
    return True


def main():
    names = sys.argv[1:] or sorted(p.parent.name for p in SAMPLES.glob("*/config.json"))
    folders = [SAMPLES / name if (SAMPLES / name / "config.json").exists() else pathlib.Path(name) for name in names]
    sys.exit(not all([verification(folder) for folder in folders]))


if __name__ == "__main__":
    main()
