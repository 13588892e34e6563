"""Files and folders of other libraries: damaged, lying, and with nasty texts for their tokenizers."""

import json
import pathlib
import random as randomness
import shutil

import nasty

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
FILES = ("pytorch/views-and-types.pt", "pytorch/checkpoint.pt", "pytorch/whole-module.pt", "pytorch/numpy-list-protocol2.pkl",
         "pytorch/numpy-list-protocol5.pkl", "pytorch/views-and-types.npz", "families/gpt2/model.safetensors")
TOKENIZERS = {"bert-uncased": ("tokenizer.json", "vocab.txt"), "gpt2": ("tokenizer.json", "merges.txt", "vocab.json"),
              "llama2": ("tokenizer.json", "tokenizer.model"), "marian": ("source.spm", "vocab.json")}
IDS = ("--ids", "1,2,3")


def _inspects(file, change):
    def act(place):
        name = "x" + pathlib.Path(file).suffix
        place.write(name, change((DATA / file).read_bytes()))
        outcome = place.run("inspect", name, "--json")
        if outcome.status == 0:
            place.run("inspect", name, "--dump", "out.npz")
            place.run("inspect", name, expect=(0,))
        place.run("run", name, "--source", "x", names=name, expect=(2,))
    return act


def _copied(place, source):
    shutil.copytree(DATA / source, place.folder / "model")
    return place.folder / "model"


def _tokenizes(tokenizer, file, change):
    """`file` alone is what the tokenizer is read from, so that its damage is met."""
    def act(place):
        folder = _copied(place, "tokenizers/" + tokenizer)
        if file != "tokenizer.json":
            (folder / "tokenizer.json").unlink(missing_ok=True)
        (folder / file).write_bytes(change((folder / file).read_bytes()))
        place.write("texts.json", json.dumps(["Hello, caf\u00e9 \u6ce8!", ["a", "b"]]).encode())
        place.run("tokenize", "model", "--texts", "texts.json", "--json")
    return act


def _reads(tokenizer, texts):
    def act(place):
        _copied(place, "tokenizers/" + tokenizer)
        place.write("texts.json", texts)
        place.run("tokenize", "model", "--texts", "texts.json", "--json")
        place.run("tokenize", "model", "--texts", "texts.json", "--plain")
    return act


def _runs(family, file, change):
    def act(place):
        folder = _copied(place, "families/" + family)
        (folder / file).write_bytes(change((folder / file).read_bytes()))
        if place.run("inspect", "model", "--json").status == 0:
            place.run("run", "model", *IDS, "--json")
    return act


def _cut(raw):
    return raw[:len(raw) * 2 // 3]


def _all_texts():
    return json.dumps([raw.decode("utf-8", "surrogateescape").encode("utf-8", "replace").decode()
                       for _, raw in nasty.texts() if len(raw) < 20_000]).encode()


def telling(_):
    for file in FILES:
        yield file + ", cut off", _inspects(file, _cut)
        yield file + ", empty", _inspects(file, lambda raw: b"")
    for name, files in TOKENIZERS.items():
        for file in files:
            yield "%s of %s, cut off" % (file, name), _tokenizes(name, file, _cut)
        yield "nasty texts for " + name, _reads(name, _all_texts())
    yield "texts that are none", _reads("gpt2", b'[1, null, ["a"], {}]')
    for family in ("bert-mlm", "gpt2", "qwen2"):
        yield "weights of %s, cut off" % family, _runs(family, "model.safetensors", _cut)
        for what, change in (("huge", b'": 1000000'), ("negative", b'": -1'), ("a text", b'": "x"'), ("none", b'": null')):
            yield "numbers of %s, %s" % (family, what), _runs(
                family, "config.json", lambda raw, change=change: b"".join(
                    line.replace(line[line.index(b'": '):].rstrip(b",\n"), change)
                    if b'": ' in line and line.rstrip(b",\n")[-1:].isdigit() else line for line in raw.splitlines(True)))


def _damaging(random):
    """The damage is drawn now, not when the attack is made: several are made at once."""
    seed = random.random()
    return lambda raw: nasty.damaged(randomness.Random(seed), raw)


def drawn(_, random):
    while True:
        file = random.choice(FILES)
        yield "damaged " + file, _inspects(file, _damaging(random))
        name = random.choice(sorted(TOKENIZERS))
        file = random.choice(TOKENIZERS[name])
        yield "damaged %s of %s" % (file, name), _tokenizes(name, file, _damaging(random))
        family, file = random.choice(("bert-mlm", "gpt2", "qwen2")), random.choice(("config.json", "model.safetensors"))
        yield "damaged %s of %s" % (file, family), _runs(family, file, _damaging(random))
        text = nasty.drawn_text(random)
        raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
        yield "a text for " + name, _reads(name, json.dumps([raw.decode("utf-8", "replace")] * 3).encode())
