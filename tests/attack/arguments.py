"""Every option of every command, as its --help lists them, with values that nobody means."""

import json
import os
import pathlib
import re
import subprocess

import nasty
from harness import SMALL_TRAINING, TRAINING

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "tokenizers"
# What each command needs to run; a command that is not here is a failure, so that none is forgotten.
BASES = {
    "": ["date-dot", "--source", "may 5"],
    "run": ["date-dot", "--source", "may 5"],
    "render": ["date-dot", "--source", "may 5", "--view", "alignment", "--out", "out.png"],
    "train": [*TRAINING, "--epochs", "1", "--out", "out"],
    "evaluate": ["date-dot", "--limit", "3"],
    "compare": ["date-dot", "--out", "out.png"],
    "experiment": ["scaling", "--trials", "1", "--seeds", "1", "-q", "--out", "out"],
    "inspect": ["date-dot"],
    "verify": ["date-dot"],
    "lesson": ["--list"],
    "tokenize": [str(DATA / "gpt2"), "--texts", str(DATA / "texts.json")],
    "chat": [str(DATA.parent / "chat"), "--messages", str(DATA.parent / "chat" / "messages.json")],
    "choose": ["--logits", str(DATA.parent / "numpy" / "arrays.npz"), "--prefix", "1,2",
               "--settings", str(DATA.parent / "families" / "bart-forced-start" / "generation_config.json")],
    "recording": ["class-dot-1"],
    "describe": ["man"],
    "analyse": ["summary", "date-dot", "--source", "may 5"],
}
# Methods of analyse that have options of their own, beside its base above.
METHODS = {
    "neurons": ["story-gpt", "--source", "the king"],
    "number": ["story-gpt", "--source", "the king", "--number", "decoder.layer[0].ffn.act[:,7]"],
    "patterns": ["story-gpt", "--source", "the king"],
    "rank": ["story-gpt", "--source", "the king", "--pair", "1,0"],
    "flow": ["story-gpt", "--source", "the king", "--rows", "1"],
    "repeated": ["story-gpt", "--length", "4", "--repeats", "1"],
    "effect": ["story-gpt", "--source", "the king"],
    "align": ["copy-transformer", "--source", "1 2"],
}
# Sizes within the bounds of these are meant, and may take long.
LONG = {"train_size", "test_size"}
SIZES = ("16384", "65536", "1000000", "2147483647", "9223372036854775807")


def _help(world, command):
    words = [world.binary, *([command] if command else []), "--help"]
    return subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout.decode()


def _inspected(world, model):
    shown = subprocess.run([world.binary, "inspect", str(world.models / model), "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(shown.stdout)


def commands(world):
    listed = _help(world, "").split("Subcommands:")[1].split("\n\n")[0]
    return [""] + re.findall(r"^  (\S+)", listed, re.M)


def options(world, command):
    """(name, kind): kind is empty for a flag."""
    text = _help(world, command).split("Options:")[1].split("\n\n")[0]
    for names, kind in re.findall(r"^  (-\S+)(?: (TEXT|INT|UINT|FLOAT))?", text, re.M):
        yield names.split(",")[-1], kind


def _line(command, extra, names=None, expect=(0, 2), base=None):
    def act(place):
        words = [*([command] if command else []), *(BASES[command] if base is None else base), *extra]
        place.run(*words, names=names, expect=expect)
    return act


def _known(world):
    def act(place):
        unknown = sorted(set(commands(world)) - set(BASES))
        place.check(not unknown, "no attack knows the command " + ", ".join(unknown))
    return act


def _values(kind):
    return [os.fsencode(number) for number in nasty.NUMBERS] if kind in ("INT", "UINT", "FLOAT") else \
        [text for _, text in nasty.texts()]


def _option_cases(world):
    """(command, option, value, written as one word); without an option the value takes the place of the first word."""
    for command in commands(world):
        if command not in BASES:
            continue
        for name, kind in options(world, command):
            if kind:
                yield from ((command, name, value, glued) for value in _values(kind) for glued in (False, True))
                yield command, name, None, False
            else:
                yield command, name, b"x", True
            if command == "analyse" and kind:
                yield from ((method, name, value, True) for method in METHODS for value in _values(kind))
        yield from ((command, None, text, False) for _, text in nasty.texts())


def _option(case):
    command, name, value, glued = case
    if command in METHODS:
        words = [command, *METHODS[command], os.fsencode(name) + b"=" + value]
        return "headlight analyse %s: %s %a" % (command, name, value[:30]), _line("analyse", [], base=words)
    if name is None:
        what, words = "in place of " + BASES[command][0], [value, *BASES[command][1:]]
    else:
        what = name
        words = [*BASES[command], *([os.fsencode(name) + b"=" + value] if glued else [name] if value is None else [name, value])]
    return "headlight %s: %s %a" % (command, what, value and value[:30]), _line(command, [], base=words)


# Settings: what a model or a training has, each with every kind of value.

SETTINGS = {
    "date-dot": ("hidden_size", "embedding_size", "attention.score", "attention.temperature", "reverse_source", "cell",
                 "attention.selection", "attention.reach", "attention.window", "input_feeding", "model_type", "layers",
                 "source_vocabulary_size"),
    "copy-ntm": ("memory_slots", "memory_width", "shift", "heads", "controller", "controller_size", "hidden_size"),
    "copy-transformer": ("layers", "heads", "d_model", "positions", "norm", "activation", "max_length", "score_scale",
                         "d_ff", "dropout", "tie_embeddings", "key_value_heads"),
    "grammar-convs2s": ("layers", "kernel", "hidden_size", "positions", "max_positions"),
    "toy-mt-local": ("attention.reach", "attention.window", "attention.sigma", "layers", "pass_cell", "bridge"),
}


def own_settings(world, model):
    """The keys that the program itself lists for a model, and some that it may have."""
    return sorted(set(_inspected(world, model)["config"]) | set(SETTINGS[model]))


ARCHITECTURES = {"date-dot": "attn_seq2seq", "copy-transformer": "transformer", "copy-ntm": "ntm", "grammar-convs2s": "convs2s",
                 "toy-mt-local": "luong"}


def _setting_cases(world):
    """(command, words before, key, value)."""
    values = [value for value in (*nasty.JSON_VALUES, *SIZES) if len(value) < 120_000]
    for model, architecture in ARCHITECTURES.items():
        for key in own_settings(world, model):
            for value in values:
                yield "run", (model, "--source", "may 5"), key, value
                yield "train", ("copy", "-a", architecture, *SMALL_TRAINING, "--epochs", "1", "--out", "out"), key, value
    for key in re.findall(r"^  (\w+) {2,}\S", _help(world, "train").split("with their defaults:")[1], re.M):
        for value in values:
            if key not in LONG or not value.isdigit():
                yield "train", BASES["train"], key, value


def _setting(case):
    command, base, key, value = case
    return "%s %s --set %s=%s" % (command, base[0], key, value[:30]), _line(command, ["--set", key + "=" + value], base=base)


# Edits: what lies outside of everything, and values that overflow.

CELLS = ("", "[0]", "[-1]", "[99]", "[9223372036854775807]", "[9223372036854775808]", "[0:9223372036854775807]", "[1:0]",
         "[9223372036854775806:9223372036854775807]", "[:]", "[,]", "[:,:]", "[:,0]", "[0,9223372036854775807]",
         "[9223372036854775807,0]", "[j-i>0]", "[j-i>9223372036854775807]", "[|~j-i|>9223372036854775807]", "[|j-i|>2]",
         "[*]", "[[0]]", "[", "]", "[0][0]", "[0", "[nan]", "[1e3]", "[ 0]")
CHANGES = ("=1", "=0", "~1", "~-5", "*0", "*1e38", "+1e38", "=nan", "=inf", "~nan", "*-inf", "=1e400", "=-1e40", "=1e-50", "=",
           "~", "=0x1", "=1,5", "==1")


def _edits(world, random):
    sites = {model: [entry["site"] for entry in _inspected(world, model)["sites"]] for model in
             ("date-dot", "copy-transformer", "story-gpt", "copy-ntm", "glimpse-hard", "grammar-convs2s", "masked-bert")}
    while True:
        model = random.choice(list(sites))
        site = random.choice(sites[model])
        site = re.sub(r"\[\d+\]", random.choice(("[*]", "[9223372036854775807]", "[0]", "[1]", "[2]")), site)
        edit = site + random.choice(CELLS) + random.choice(CHANGES)
        yield "run %s --edit %s" % (model, edit), \
            _line("run", ["--edit", edit, "--json"], base=[model, "--source", "may 5"])


def telling(world):
    yield "every command is attacked", _known(world)
    for command in commands(world):
        if command in BASES:
            yield "a plain headlight " + command, _line(command, [], expect=(0,))
            yield "an unknown option of " + command, _line(command, ["--\u202e\x1b[31m"], expect=(2,))
            if command:
                yield "nothing behind " + command, _line(command, [], base=[], expect=(2,))
    for method, words in METHODS.items():
        yield "a plain headlight analyse " + method, _line("analyse", [], base=[method, *words], expect=(0,))
    yield "a model two hundred times", _line("compare", ["date-dot"] * 200)
    yield "20,000 arguments", _line("run", ["x" * 60] * 20_000, expect=(2,))
    yield "2,000 edits", _line("run", ["--edit", "encoder.step[*].output*1"] * 2_000)
    for option in (["--seed", "-1"], ["--beam", "0"], ["--top-p", "nan"], ["--temperature", "1e999"]):
        yield "run " + " ".join(option), _line("run", option, expect=(2,), names=option[0])
    for setting in ("pass_cell=1", "hidden_size=16384", "attention.temperature=NaN", "attention.score=[]", "=", "x", "cell=\x1b[2J"):
        yield "run --set " + ascii(setting), _line("run", ["--set", setting], expect=(2,), names="--set")
    yield "run toy-mt-local --set pass_cell=1", \
        _line("run", ["--set", "pass_cell=1"], base=["toy-mt-local", "--source", "may"], expect=(2,), names="pass_cell")
    for edit in ("input.src.ids[0]=1e30", "decoder.step[9223372036854775807].output*2",
                 "encoder.step[0].output[9223372036854775807]=1", "encoder.step[0].output[0:9223372036854775807]=1",
                 "encoder.step[0].output[9223372036854775808]=1", "decoder.step[*].attention.weights[*]=nan"):
        yield "run --edit " + edit, _line("run", ["--edit", edit, "--json"])
    yield "a large size to train", _line("train", ["--set", "hidden_size=16384"])
    yield "a large batch to train", _line("train", ["--set", "batch=10000000", "--set", "parts=4096"])
    yield "a beam of 256 on 600 characters", \
        _line("run", ["--decode", "beam", "--beam", "256", "--json"], base=["story-gpt", "--source", "the king has a box . " * 28])
    yield "the largest picture", _line("render", ["--size", "10000x5000", "--scale", "4"])


def drawn(world, random):
    settings, choices = nasty.walked(random, _setting_cases(world)), nasty.walked(random, _option_cases(world))
    edits = _edits(world, random)
    while True:
        yield _option(next(choices))
        yield _setting(next(settings))
        yield _option(next(choices))
        yield next(edits)
