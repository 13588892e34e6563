"""Trainings that are interrupted, damaged, killed, or started twice in one folder."""

import csv
import functools
import itertools
import json
import os
import random as randomness
import signal
import time

import folders
import formats
import nasty
from harness import TRAINING, wait_until

CHECKPOINT = "checkpoint.safetensors"
RESUME = ["train", *TRAINING, "--epochs", "3", "--resume", "--out", "model"]
# Long enough to be interrupted in an epoch and between epochs.
LONGER = ["train", "copy", "-a", "attn_seq2seq", "--set", "train_size=3000", "--set", "test_size=50", "--set", "hidden_size=24",
          "--epochs", "5", "--seed", "3", "-q"]


def _resumed(change, names=CHECKPOINT, expect=(0, 2)):
    """Goes on from a checkpoint that was changed; what was finished before is still there afterwards."""
    def act(place):
        model = place.model()
        change(model)
        before = {name: (model / name).read_bytes() for name in ("config.json", "model.safetensors") if (model / name).is_file()}
        outcome = place.run(*RESUME, names=names, expect=expect)
        if outcome.status == 2:
            for name, raw in before.items():
                place.check((model / name).read_bytes() == raw, "refused, but %s is another one" % name)
        else:
            place.run("verify", "model", expect=(0,))
            _log_is_whole(place, model, 3)
    return act


def _log_is_whole(place, model, epochs):
    with open(model / "training.csv", newline="", encoding="utf-8") as file:
        rows = [row["epoch"] for row in csv.DictReader(file)]
    place.check(rows == [str(n + 1) for n in range(epochs)], "the log has the epochs " + " ".join(rows[:20]))


def _in_header(change, data=lambda data: data):
    """`change` may return a text in place of the header."""
    def new(model):
        path = model / CHECKPOINT
        header, numbers = formats.split_safetensors(path.read_bytes())
        path.write_bytes(formats.joined_safetensors(change(header) or header, data(numbers)))
    return new


def _entry(key, raw):
    def change(header):
        if raw is None:
            del header["__metadata__"][key]
        else:
            header["__metadata__"][key] = raw() if callable(raw) else raw
    return _in_header(change)


def _bytes(change, file=CHECKPOINT):
    def new(model):
        path = model / file
        path.write_bytes(change(path.read_bytes()))
    return new


def _entries(world):
    """Every field of every text in the checkpoint, with every kind of value."""
    header, _ = formats.split_safetensors((world.trained() / CHECKPOINT).read_bytes())
    for key, text in header["__metadata__"].items():
        yield key + " removed", _resumed(_entry(key, None))
        for raw in nasty.JSON_VALUES:
            if "\\ud800" not in raw:
                yield "%s = %s" % (key, raw[:30]), _resumed(_entry(key, raw))
        document = json.loads(text)
        if isinstance(document, (dict, list)):
            for what, make in nasty.json_changes(document):
                yield "%s: %s" % (key, what), _resumed(_entry(key, make))
    few, rest = ({name: header[name] for name in names} for names in (list(header)[:2], list(header)[2:]))
    for what, make in nasty.json_changes(few):
        yield "the header: " + what, _resumed(functools.partial(with_rest, make, rest))
    for name in header:
        if name != "__metadata__":
            yield name + " renamed", _resumed(_in_header(lambda h, n=name: h.__setitem__("x", h.pop(n))), expect=(2,))


def with_rest(make, rest, model):
    path = model / CHECKPOINT
    path.write_bytes(folders.with_rest(make, rest, formats.split_safetensors(path.read_bytes())[1]))


def _twice(place):
    """Two trainings in one folder: one of them goes on, the other says why not."""
    first = place.start(*LONGER, "--out", "model")
    second = place.start(*LONGER, "--out", "model")
    outcomes = [first.wait(), second.wait()]
    for outcome in outcomes:
        place.judge(outcome, "model" if outcome.status == 2 else None)
    place.check(sorted(o.status for o in outcomes) == [0, 2], "expected one to go on and one to be refused, found the statuses %s" %
                [o.status for o in outcomes])
    place.run("verify", "model", expect=(0,))
    _log_is_whole(place, place.folder / "model", 5)


def _resumed_twice(place):
    place.model()
    words = ["40" if word == "3" else word for word in RESUME]
    outcomes = [running.wait() for running in [place.start(*words), place.start(*words)]]
    for outcome in outcomes:
        place.judge(outcome)
    place.check(any(o.status == 0 for o in outcomes), "none of two went on")
    place.run("verify", "model", expect=(0,))
    _log_is_whole(place, place.folder / "model", 40)


def _uninterrupted(world):
    """The same training without any interruption: made once."""
    from harness import Place
    with world.lock:
        if not world.reference:
            place = Place(world, world.root / "uninterrupted")
            place.run(*LONGER, "--out", "model", expect=(0,))
            world.reference = _figures(place.folder / "model")
    return world.reference


def _figures(model):
    """All that a training leaves but for how long it took."""
    with open(model / "training.csv", newline="", encoding="utf-8") as file:
        rows = [{k: v for k, v in row.items() if k not in ("seconds", "examples_per_second")} for row in csv.DictReader(file)]
    files = {name: (model / name).read_bytes() for name in ("model.safetensors", "vocabulary.json", "verify.safetensors", "config.json")}
    return rows, files


def _killed(seed, number):
    """Killed again and again, it ends as if nothing had happened."""
    def act(place):
        random = randomness.Random(seed)
        reference = _uninterrupted(place.world)
        model = place.folder / "model"
        for _ in range(6):
            resume = ["--resume"] if (model / CHECKPOINT).exists() else []
            running = place.start(*LONGER, "--out", "model", *resume)
            if random.random() < 0.5:  # while it writes
                wait_until(lambda: not running.alive() or _is_writing(model), 20)
            else:
                time.sleep(random.random() * 1.5)
            running.signal(number)
            outcome = running.wait()
            if outcome.status != -number:  # also of an interruption before or after the training itself
                place.judge(outcome, expect=(0, 2, 130))
            _opens(place, model)
        begun = any((model / name).exists() for name in ("config.json", "model.safetensors"))
        if begun and not (model / CHECKPOINT).exists():
            # Killed while the first model was written, or before its checkpoint: the program must say how to go on.
            place.run(*LONGER, "--out", "model", names="model")
            return
        place.run(*LONGER, "--out", "model", *(["--resume"] if (model / CHECKPOINT).exists() else []), expect=(0,))
        rows, files = _figures(model)
        place.check(rows == reference[0], "other figures than without interruption")
        for name in files:
            place.check(files[name] == reference[1][name], "%s differs from that without interruption" % name)
    return act


def _is_writing(model):
    try:
        return any(name.endswith(".tmp") for name in os.listdir(model))
    except OSError:
        return False


def _opens(place, model):
    """A folder that looks like a model is one, at every moment."""
    if (model / "config.json").exists():
        place.run("inspect", "model", "--json", expect=(0,))
    for file in ("checkpoint.safetensors", "model.safetensors"):
        if (model / file).exists():
            place.check(not formats.fault(model / file), formats.fault(model / file))


def _nan(data):
    return b"\0\0\xc0\x7f" * (len(data) // 4)


def telling(world):
    for key, raw in (("settings", "{}"), ("settings", "[" * 100_000 + "]" * 100_000), ("history", '{"a": "b"}'), ("history", "[[1]]"),
                     ("history", "null"), ("updates", "1e300"), ("updates", "-1"), ("last_rate", "NaN"), ("last_rate", '"x"'),
                     ("baseline", "1e999"), ("settings", "\ufeff\x1b[2J\n")):
        yield "a checkpoint with %s = %a" % (key, raw[:30]), _resumed(_entry(key, raw))
    yield "a checkpoint of NaN", _resumed(_in_header(lambda header: None, _nan))
    for length in (0, 7, 9, 500, 20_000):
        yield "a checkpoint cut off after %d bytes" % length, _resumed(_bytes(lambda raw, n=length: raw[:n]), expect=(2,))
    yield "two trainings in one folder", _twice
    yield "a training killed at any moment", _killed(1, signal.SIGKILL)
    yield "a training interrupted at any moment", _killed(2, signal.SIGINT)


def drawn(world, random):
    entries = nasty.walked(random, _entries(world))
    while True:
        yield from itertools.islice(entries, 5)
        seed = random.random()
        for file in (CHECKPOINT, "training.csv", "config.json", "vocabulary.json", "model.safetensors"):
            yield "damaged bytes in " + file, \
                _resumed(_bytes(lambda raw, s=seed: nasty.damaged(randomness.Random(s), raw), file), names=None)
        dtype = random.choice(("I32", "F16", "BF16", "F64", "U32"))
        yield "a checkpoint of " + dtype, _resumed(_in_header(
            lambda header, d=dtype: [e.update(dtype=d) for n, e in header.items() if n != "__metadata__"] and None))
        yield "a training killed at any moment", _killed(seed, signal.SIGKILL)
        yield "a training interrupted at any moment", _killed(seed, signal.SIGINT)
        yield "two that go on in one folder", _resumed_twice
