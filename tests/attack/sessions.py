"""Session files of strangers, opened in a window by fuzz_session, which judges them as the program does."""

import base64
import itertools
import json
import random as randomness

import folders
import nasty

EDIT = {"site": "decoder.step[2].attention.weights", "kind": "pin", "cell": 3, "value": 0.5}


def _valid(world):
    """What a window saves, with something of everything."""
    from harness import Place
    with world.lock:
        if not world.session:
            place = Place(world, world.root / "session")
            place.run("save", "a.headlight", program=world.driver, expect=(0,))
            session = json.loads((place.folder / "a.headlight").read_bytes())
            session["model"].update(name="date-dot", folder=str(world.models / "date-dot"), relative="x", sha256="")
            session.update(source="may 5, 2001", target="2001-05", prefix=True, settings={"attention.score": "cosine"},
                           edits=[EDIT, dict(EDIT, kind="set", row=-1, count=2, outside={"width": 1}, values=[1, "NaN"])],
                           selection={"source_token": 2, "step": 1, "site": EDIT["site"], "cell": 0},
                           views=dict(session["views"], more=[1, "x", {"y": None}]))
            world.session = session
    return json.loads(json.dumps(world.session))


def _opened(content, expect=(0, 2), names=None):
    """`content` is a text, bytes, or a function that makes it of a valid session."""
    def act(place):
        if not place.world.driver:
            return place.world.cannot_try("sessions (fuzz_session is not built)")
        made = content(_valid(place.world)) if callable(content) else content
        made = json.dumps(made) if isinstance(made, dict) else made
        place.write("a.headlight", made if isinstance(made, bytes) else made.encode("utf-8", "surrogatepass"))
        outcome = place.run("open", "a.headlight", program=place.world.driver, expect=expect, names=names)
        if outcome.status == 0:  # and what it saves can be opened again
            place.run("open", "a.headlight.saved.headlight", program=place.world.driver, expect=(0,))
        return None
    return act


def _with(**changes):
    def new(session):
        session.update(changes)
        return session
    return new


def _in(part, **changes):
    def new(session):
        session[part].update(changes)
        return session
    return new


def _damaged_layout(seed, key):
    """The state of the docks is bytes of Qt's, which trust more than ours do."""
    def new(session):
        random = randomness.Random(seed)
        raw = base64.b64decode(session["window"].get(key, ""))
        for _ in range(random.randrange(1, 4)):
            raw = nasty.damaged(random, raw)
        session["window"][key] = base64.b64encode(raw).decode()
        return session
    return new


def _instead(kind, make):
    def act(place):
        if not place.world.driver:
            return place.world.cannot_try("sessions (fuzz_session is not built)")
        if make(place, place.folder / "a.headlight") is not False:
            place.run("open", "a.headlight", program=place.world.driver, names="a.headlight", expect=(2,))
        return None
    return "%s in place of a session" % kind, act


def _deep(depth):
    return lambda session: json.dumps(session)[:-1] + ', "x": ' + "[" * depth + "]" * depth + "}"


def _many(part, count, entry):
    """`part` grows by as many keys."""
    return lambda session: dict(session, **{part: dict(session[part], **{"k%d" % n: entry for n in range(count)})})


def _edits(count, edit=None):
    return _with(edits=[edit or dict(EDIT, kind="scale", value=1)] * count)


FIXED = {
    "16,000 edits": _edits(16_000), "100,001 edits": _edits(100_001), "2,000 different edits": _with(edits=[
        {"site": EDIT["site"], "kind": "scale", "cell": n % 29, "row": -1, "value": 1 + n * 1e-6} for n in range(2000)]),
    "300,000 keys": _many("views", 300_000, 1), "300,000 settings": _many("settings", 300_000, 1), "a long source": _with(source="a" * 1_000_000),
    "a source of marks": _with(source="e" + "\u0301" * 400_000), "a source of lines": _with(source="a\n" * 400_000),
    "a long target": _with(target="2" * 1_000_000), "a beam of 1024": _in("decode", kind="beam", beam_width=1024),
    "a beam of 1024 on a long text": lambda s: dict(_in("decode", kind="beam", beam_width=1024)(s), source="a b" * 100_000),
    "no end of digits": lambda s: json.dumps(s)[:-1] + ', "x": ' + "9" * 1_000_000 + "}", "deep": _deep(100_000), "a little deep": _deep(400),
    "views that are deep": _with(views={"a": json.loads("[" * 500 + "]" * 500)}), "17 MB": lambda s: b" " * (17 << 20) + json.dumps(s).encode(),
    "a mark in front": lambda s: "\ufeff" + json.dumps(s), "UTF-16": lambda s: json.dumps(s).encode("utf-16"), "nothing": b"", "zero bytes": bytes(5000),
    "the same keys": lambda s: json.dumps(s)[:-1] + ', "source": "x"}', "a newer one": _with(headlight_session=2),
    "a model name of escapes": _in("model", name="\x1b[2J\n\u202e" * 20, folder="/no", relative="no"),
    "a long model name": _in("model", name="n" * 4000, folder="/" + "f" * 4000, relative="r" * 4000),
    "a model elsewhere": _in("model", folder="/proc/self", relative="../../../proc"), "a wrong sum": _in("model", sha256="00" * 32),
    "settings that do not fit": _with(settings={"hidden_size": 16384}), "unknown settings": _with(settings={"\u202ex\n" * 100: 1}),
    "every edit outside": _edits(5, dict(EDIT, cell=1 << 53, count=1 << 53, row=1 << 53)), "values without end": _edits(1, dict(
        EDIT, kind="replace", values=[1] * 2_000_000)), "NaN everywhere": _edits(1, {"site": "encoder.step[*].output", "kind": "set", "value": "NaN"}),
    "ids that are none": _edits(1, {"site": "input.src.ids", "kind": "add", "value": 1e30}), "the largest letters": _in("window", font_scale=2.5),
    "no minimum length": _in("decode", kind="beam", min_length=1_000_000), "no temperature": _in("decode", kind="sample", temperature=1e-300),
    "a far selection": _with(selection={"source_token": 2147483647, "step": 2147483647, "site": EDIT["site"], "cell": 1 << 53}),
    "another language": _in("window", language="zh_CN", theme="dark")}


def telling(_):
    for what in ("16,000 edits", "300,000 keys", "a source of marks", "deep", "nothing", "a model name of escapes", "ids that are none",
                 "a far selection", "settings that do not fit"):
        yield "a session with " + what, _opened(FIXED[what])
    yield "a valid session", _opened(lambda session: session, expect=(0,))
    yield _instead("a pipe", folders.INSTEAD["a pipe"])
    yield "a damaged layout", _opened(_damaged_layout(1, "layout"))


def drawn(world, random):
    if not world.driver:
        world.cannot_try("sessions (fuzz_session is not built)")
        return
    changes = nasty.walked(random, nasty.json_changes(_valid(world)))
    while True:
        for what, make in itertools.islice(changes, 4):
            yield "a session: " + what, _opened(lambda _, m=make: m())
        for key in ("layout", "geometry"):
            yield "a damaged " + key, _opened(_damaged_layout(random.random(), key))
        what = random.choice(list(FIXED))
        yield "a session with " + what, _opened(FIXED[what])
        what, text = random.choice(nasty.texts())
        yield "a session of " + what, _opened(lambda s, t=text: json.dumps(dict(s, source="@@")).encode().replace(
                b'"@@"', json.dumps(t.decode("utf-8", "replace"), ensure_ascii=False).encode()))
        seed = random.random()
        yield "a session with damaged bytes", _opened(
            lambda s, q=seed: nasty.damaged(randomness.Random(q), json.dumps(s).encode()))
        yield _instead(*random.choice(list(folders.INSTEAD.items())))
