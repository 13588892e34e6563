"""Lessons of strangers: each file of a folder damaged, swapped, oversized or no file at all, and HEADLIGHT_LESSONS."""

import json
import os
import random as randomness
import shutil

import folders
import nasty

LESSON, WORDS = "lesson.json", "en.md"
BASE = {
    "headlight_lesson": 1, "order": 1, "minutes": 5, "claims": [], "sources": ["A paper, 2015"],
    "steps": [
        {"id": "first", "kind": "show", "state": {"model": {"name": "tiny", "relative": "tiny"}, "source": "12"},
         "view": "alignment", "spotlight": "reads(0)", "values": {"n": "steps"},
         "expect": [{"that": "source == \"12\"", "claim": "text", "general": True}]},
        {"id": "guess", "kind": "predict", "closed": "writes(0)",
         "answer": {"kind": "tokens", "truth": "argmax(row(0))", "weights": "row(0)"}, "values": {"mine": "share(0, answer)"}},
        {"id": "hand", "kind": "chart", "chart": {
            "measure": "sliders", "sliders": [{"name": "a", "from": -1, "to": 1, "start": "0"}],
            "y": {"a": "item(softmax(list(slider(\"a\"), 0)), 0)"}}, "expect": ["y(\"a\", 0) == 0.5"]},
        {"id": "last", "kind": "card"}]}
TEXT = """# A lesson

What it is about.

## first

It reads {n} times. See [here](reads(0)).

### claim text

The text is 12.

## guess

Now.

### question

Where?

### reveal

{mine} of it.

## hand

By hand.

### chart

- title: Shares

## last

**The end.**
"""
WAYS = (["lesson", "lesson", "--check"], ["lesson", "lesson", "--worksheet", "out.pdf", "--answers", "key.pdf"],
        ["lesson", "lesson", "--slides", "slides.pdf"], ["lesson", "lesson", "--check", "--language", "zh"])


def _made(place, lesson=None, words=TEXT, to="lesson"):
    folder = place.folder / to
    place.model("tiny", os.path.join(to, "tiny"))
    for name, content in ((LESSON, json.dumps(BASE) if lesson is None else lesson), (WORDS, words)):
        raw = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        (folder / name).write_bytes(raw)
    return folder


def _played(place, random=None, names=None, expect=(0, 1, 2)):
    for way in WAYS[:1] if random is None else [random.choice(WAYS)]:
        place.run(*way, names=names, expect=expect if "--check" in way else tuple(set(expect) - {1}) or (2,))


def _with(lesson=None, words=TEXT, random=None, names=None, expect=(0, 1, 2)):
    def act(place):
        _made(place, lesson() if callable(lesson) else lesson, words() if callable(words) else words)
        _played(place, random, names, expect)
    return act


def _instead(file, make, names=None):
    def act(place):
        path = _made(place) / file
        shutil.rmtree(path) if path.is_dir() else path.unlink()
        make(place, path)
        # What a model lacks is a problem of the steps that run it.
        _played(place, names=names, expect=(2,) if file == LESSON else (0, 2) if file == WORDS else (1, 2))
    return act


def _changed(change):
    lesson = json.loads(json.dumps(BASE))
    change(lesson)
    return json.dumps(lesson)


def _model(**model):
    return lambda lesson: lesson["steps"][0]["state"].update(model=model)


def _root(make, expect=(0,)):
    """HEADLIGHT_LESSONS is a folder with courses of strangers: what is wrong in it is left out of the list."""
    def act(place):
        root = place.folder / "root"
        root.mkdir()
        make(place, root)
        environment = {"HEADLIGHT_LESSONS": str(root)}
        place.run("lesson", "--list", "--json", environment=environment, expect=expect)
        place.run("lesson", "course/lesson", "--check", environment=environment, expect=(0, 1, 2))
    return act


def _course(place, root, course='{"headlight_course": 1, "order": 1}', words="# A course\n\nAbout it.\n", **lesson):
    (root / "course").mkdir()
    (root / "course" / "course.json").write_text(course)
    (root / "course" / "en.md").write_text(words)
    _made(place, to="root/course/lesson", **lesson)


ROOTS = {
    "one course": _course,
    "a course that is no JSON": lambda place, root: _course(place, root, course="{"),
    "a course of another version": lambda place, root: _course(place, root, course='{"headlight_course": 9, "order": 1}'),
    "a course without words": lambda place, root: _course(place, root, words=""),
    "a lesson that is no JSON": lambda place, root: _course(place, root, lesson="[" * 100_000),
    "an empty lesson": lambda place, root: _course(place, root, lesson="{}"),
    "nothing": lambda place, root: None,
    "a loop": lambda place, root: (root / "course").symlink_to(root),
    "a link to everything": lambda place, root: (root / "course").symlink_to("/"),
    "a thousand folders": lambda place, root: [(root / ("c%d" % n)).mkdir() for n in range(1000)],
    "a name of 255 bytes": lambda place, root: (root / ("n" * 255)).mkdir(),
    "a name that is no text": lambda place, root: os.mkdir(os.fsencode(root) + b"/\xff\xfe"),
    "a glossary that is a pipe": lambda place, root: (_course(place, root), (root / "glossary").mkdir(),
                                                      os.mkfifo(root / "glossary" / "en.md")),
}

REFUSED = {
    "nothing": "", "an empty object": "{}", "a list": "[]", "deep": "[" * 100_000, "deep objects": '{"a":' * 100_000,
    "no JSON": "{'a': 1}", "cut": json.dumps(BASE)[:300], "twice a key": '{"headlight_lesson": 1, "headlight_lesson": 1}',
    "a later version": _changed(lambda lesson: lesson.update(headlight_lesson=2)),
    "no steps": _changed(lambda lesson: lesson.update(steps=[])),
    "61 steps": _changed(lambda lesson: lesson.update(steps=[dict(lesson["steps"][3], id="s%d" % n) for n in range(61)])),
    "an unknown key": _changed(lambda lesson: lesson.update(script="rm -rf /")),
    "a title of the screen": _changed(lambda lesson: lesson["steps"][0].update(id="\x1b]0;x\x07")),
    "a step that is a text": _changed(lambda lesson: lesson.update(steps=["first"])),
    "twice a step": _changed(lambda lesson: lesson["steps"][1].update(id="first")),
    "a model outside": _changed(_model(name="tiny", relative="../tiny")),
    "a model of the system": _changed(_model(name="tiny", relative="/etc")),
    "a model that is the lesson": _changed(_model(name="tiny", relative=".")),
    "a model with a folder": _changed(_model(name="tiny", folder="/etc")),
    "a model that is a path": _changed(_model(name="../../etc/passwd")),
    "an endless expression": _changed(lambda lesson: lesson["steps"][0].update(expect=["1" + "+1" * 400])),
    "a deep expression": _changed(lambda lesson: lesson["steps"][0].update(expect=["(" * 290 + "1" + ")" * 290])),
    "no expression": _changed(lambda lesson: lesson["steps"][0].update(expect=["share("])),
    "a function of nobody": _changed(lambda lesson: lesson["steps"][0].update(expect=["system(\"ls\")"])),
    "an answer of another kind": _changed(lambda lesson: lesson["steps"][1].update(answer={"kind": "essay"})),
    "a slider of nothing": _changed(lambda lesson: lesson["steps"][2]["chart"]["sliders"][0].update(to=-1)),
    "a slider of a million steps": _changed(lambda lesson: lesson["steps"][2]["chart"]["sliders"][0].update(step=1e-6)),
    "a slider of NaN": json.dumps(BASE).replace('"from": -1', '"from": NaN'),
    "twice a slider": _changed(lambda lesson: lesson["steps"][2]["chart"].update(
        sliders=lesson["steps"][2]["chart"]["sliders"] * 2)),
    "a slider that is not there": _changed(lambda lesson: lesson["steps"][2]["chart"].update(y={"a": "slider(\"b\")"})),
    "a slider in a condition": _changed(lambda lesson: lesson["steps"][0].update(expect=["slider(\"a\") == 1"])),
    "minutes without end": _changed(lambda lesson: lesson.update(minutes=10**18)),
    "2 MB": _changed(lambda lesson: lesson.update(sources=["x" * (2 << 20)])),
}
REFUSED_WORDS = {
    "nothing": "", "no title": "words\n", "no step": "# A\n\nB.\n", "other bytes": b"# A\xff\n\nB.\n", "zero bytes": b"# A\0\n\nB.\n",
    "UTF-16": TEXT.encode("utf-16"), "another order": TEXT.replace("## first", "## guess", 1), "2 MB": TEXT + "word " * 500_000,
    "a value of nobody": TEXT.replace("{n}", "{password}"), "a fence that stays open": TEXT.replace("Now.", "```\nNow."),
    "no question": TEXT.replace("### question", "### hint"), "a title of 10 kB": TEXT.replace("A lesson", "A" * 10_000),
}
# Valid words, however odd.
ODD_WORDS = {
    "HTML": "<script>alert(1)</script> <img src=http://x> &amp;", "a link to the network": "[x](http://example.org)",
    "a link to a file": "[x](file:///etc/passwd)", "a picture": "![x](/etc/passwd)", "a lesson elsewhere": "[x](lesson:../../etc)",
    "a lesson of the system": "[x](lesson:/etc)", "itself": "[x](lesson:lesson)", "marks of direction": "\u202egnp.exe",
    "colours": "\x1b[31mred", "10,000 stars": "*" * 10_000, "10,000 brackets": "[" * 10_000, "a long word": "w" * 50_000,
}


def telling(world):
    yield "as it is", _with(expect=(0,))
    for what, lesson in REFUSED.items():
        yield "lesson.json: " + what, _with(lesson, names=LESSON, expect=(2,))
    for what, words in REFUSED_WORDS.items():
        yield "en.md: " + what, _with(words=words, names=WORDS, expect=(2,))
    for what, words in ODD_WORDS.items():
        yield "words with " + what, _with(words=TEXT.replace("Now.", words))
    for what, make in folders.INSTEAD.items():
        yield what + " in place of lesson.json", _instead(LESSON, make)
        yield what + " in place of the words", _instead(WORDS, make)
    yield "a pipe in place of the model's configuration", _instead("tiny/config.json", folders.INSTEAD["a pipe"])
    yield "a link out of the folder in place of the model", _instead(
        "tiny", lambda place, path: path.symlink_to("/etc"))
    raw = json.dumps(BASE).encode()
    for length in range(1, len(raw), len(raw) // 12):
        yield "lesson.json cut off after %d bytes" % length, _with(raw[:length], names=LESSON, expect=(2,))
    for what, make in ROOTS.items():
        yield "HEADLIGHT_LESSONS with " + what, _root(make)
    for name in ("../../etc", "/etc/passwd", "", ".", "x" * 5000, b"\xff", "why-attention/../../..", "-", "\n"):
        yield "the lesson %a" % name, lambda place, name=name: place.run("lesson", name, "--check", expect=(2,))


def drawn(world, random):
    changes = nasty.walked(random, nasty.json_changes(BASE))
    while True:
        what, make = next(changes)
        yield "lesson.json: " + what, _with(make, random=randomness.Random(random.random()))
        seed = random.random()

        def act(place, seed=seed):
            own = randomness.Random(seed)
            path = _made(place) / own.choice((LESSON, WORDS))
            path.write_bytes(nasty.damaged(own, path.read_bytes()))
            _played(place, own)
        yield "damaged bytes", act
        text = nasty.drawn_text(random)
        yield "drawn words", _with(words=TEXT.encode().replace(b"Now.", text.replace(b"\0", b"")))
