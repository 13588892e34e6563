"""Texts of every kind, wherever the program takes one: to read, to write, as a title, as a name of a file."""

import os

import formats
import nasty
from harness import TRAINING
from rules import strict_json

MODELS = ("date-dot", "grammar-bahdanau", "copy-transformer", "masked-bert", "story-gpt", "copy-ntm", "glimpse-hard")


def _reads(model, text, option="--source"):
    """The program says in JSON what it read."""
    def act(place):
        words = ["run", model, "--json", option, text]
        if option != "--source":
            words += ["--source", "may 5"]
        outcome = place.run(*words)
        if outcome.status != 0 or option != "--source":
            return
        shown = strict_json(outcome.out)
        try:
            place.check(shown["source"] == text.decode("utf-8"), "its JSON has another source: " + ascii(shown["source"][:80]))
        except UnicodeDecodeError:
            pass
        ends = [0] + [token[side] for token in shown["tokens"] for side in ("begin", "end") if not token["padding"]]
        place.check(ends == sorted(ends) and ends[-1] <= len(shown["source"].encode("utf-8")), "tokens outside of the text")
    return act


def _draws(text, view, ending, model="date-dot"):
    def act(place):
        outcome = place.run("render", model, "--view", view, "--out", "out." + ending, "--source", text)
        if outcome.status == 0:
            fault = formats.fault(place.folder / ("out." + ending))
            place.check(not fault, fault)
    return act


def _dumps(text, ending, model="date-dot"):
    def act(place):
        outcome = place.run("run", model, "--dump", "out." + ending, "--source", text)
        if outcome.status == 0:
            fault = formats.fault(place.folder / ("out." + ending))
            place.check(not fault, fault)
    return act


def _prints(text, model="date-dot"):
    return lambda place: place.run("run", model, "--source", text)


def _titles(option, text):
    """What is put into a model can be read again."""
    def act(place):
        outcome = place.run("train", *TRAINING, "--epochs", "1", "--out", "out", option, text)
        place.check(outcome.status == 0 or not (place.folder / "out" / "config.json").exists(),
                    "refused, but a model was written")
        if outcome.status == 0:
            place.run("inspect", "out", "--json", expect=(0,))
            place.run("inspect", "out", expect=(0,))
            place.run("verify", "out", expect=(0,))
    return act


def _picture_title(text, ending):
    def act(place):
        model = place.model("date-dot")
        outcome = place.run("compare", model, "--title", text, "--out", "out." + ending)
        if outcome.status == 0:
            fault = formats.fault(place.folder / ("out." + ending))
            place.check(not fault, fault)
    return act


def _named(text):
    """A folder of this name is a model like any other, a file of this name is written where it was asked for."""
    def act(place):
        name = text.replace(b"/", b"_")[:200]
        if name in (b"", b".", b".."):
            return
        path = os.path.join(os.fsencode(place.folder), name)
        os.rename(place.model(), path)
        given = b"./" + name
        place.run("inspect", given, "--json", expect=(0,))
        place.run("run", given, "--source", "12")
        place.run("compare", given, "--csv", "out.csv", "--out", "out.svg")
        for ending in ("csv", "svg"):
            written = place.folder / ("out." + ending)
            if written.exists():
                place.check(not formats.fault(written), formats.fault(written))
        place.run("verify", given, expect=(0,))
        for command, file in ((["render", "date-dot", "--view", "alignment", "--source", "x", "--out"], name + b".png"),
                              (["run", "date-dot", "--source", "x", "--dump"], name + b".npz")):
            if place.run(*command, b"./" + file).status == 0:
                fault = formats.fault(os.path.join(os.fsdecode(place.folder), os.fsdecode(file)), os.fsdecode(file)[-3:])
                place.check(not fault, fault)
        place.run("train", *TRAINING, "--epochs", "1", "--out", b"./" + name + b".trained")
    return act


def _all(world):
    for what, text in nasty.texts() + nasty.one_of_each_category():
        for model in MODELS:
            yield "%s reads %s" % (model, what), _reads(model, text)
            yield "%s prints %s" % (model, what), _prints(text, model)
        yield "a target: " + what, _reads("date-dot", text, "--target")
        yield "a beginning: " + what, _reads("story-gpt", text, "--target")
        for view in ("alignment", "outputs", "inspector", "steps", "values", "window", "history", "map"):
            for ending in ("svg", "png", "csv", "gif", "pdf"):
                yield "%s in the view %s as %s" % (what, view, ending), _draws(text, view, ending)
        for ending in ("json", "csv", "npz", "safetensors"):
            yield "a dump about " + what, _dumps(text, ending)
        for option in ("--title", "--licence", "--data-note"):
            yield "train %s with %s" % (option, what), _titles(option, text)
        for ending in ("svg", "pdf", "png"):
            yield "a picture called " + what, _picture_title(text, ending)
        yield "folders and files called " + what, _named(text)


def telling(world):
    for what, text in nasty.texts():
        if what in ("a byte order mark", "noncharacters", "many marks", "broken within", "surrogates", "nothing", "C1 controls",
                    "a cleared screen", "lines"):
            yield "date-dot reads " + what, _reads("date-dot", text)
            yield "date-dot prints " + what, _prints(text)
        if what in ("one within", "controls", "broken within", "a terminal title"):
            yield "an alignment of " + what, _draws(text, "alignment", "svg")
            yield "a dump about " + what, _dumps(text, "safetensors")
            yield "a title: " + what, _titles("--title", text)
            yield "a picture called " + what, _picture_title(text, "svg")
        if what in ("latin-1", "lines"):
            yield "folders and files called " + what, _named(text)
    yield "words with a byte order mark", _reads("grammar-bahdanau", "the \ufeffman".encode("utf-8"))


def drawn(world, random):
    known = nasty.walked(random, _all(world))
    while True:
        yield next(known)
        yield next(known)
        text = nasty.drawn_text(random)
        model = random.choice(MODELS)
        yield random.choice((("%s reads %a" % (model, text[:40]), _reads(model, text)),
                             ("%s prints %a" % (model, text[:40]), _prints(text, model)),
                             ("a picture of %a" % text[:40], _draws(text, "alignment", random.choice(("svg", "csv")), model)),
                             ("a title %a" % text[:40], _titles("--title", text)),
                             ("names of %a" % text[:40], _named(text))))
