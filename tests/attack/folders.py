"""Model folders of strangers: every file of one damaged, swapped, oversized, or no file at all."""

import functools
import itertools
import json
import os
import random as randomness
import struct

import formats
import nasty

SOURCES = {"date-dot": "may 5", "grammar-bahdanau": "the man", "toy-mt-local": "ba", "grammar-convs2s": "the man", "copy-ntm": "abc",
           "copy-transformer": "123", "masked-bert": "the king ___", "story-gpt": "the king", "glimpse-hard": "a b", "tiny": "12",
           "date-plain": "may 5", "toy-mt-luong": "ba"}
WEIGHTS, CONFIG, VOCABULARY = "model.safetensors", "config.json", "vocabulary.json"


def _opened(place, model, random=None, names=None, expect=(0, 2)):
    """Opens the folder `model` in ways that reach different code."""
    source = SOURCES.get(model, "12")
    ways = [["inspect", "model", "--json"], ["run", "model", "--source", source, "--json"], ["inspect", "model"],
            ["run", "model", "--source", source], ["verify", "model"], ["evaluate", "model", "--limit", "2", "--json"],
            ["render", "model", "--source", source, "--view", "window", "--out", "out.png"],
            ["run", "model", "--source", source, "--dump", "out.json"], ["compare", "model"]]
    chosen = ways[:2] if random is None else [random.choice(ways)]
    for way in chosen:
        # verify compares with what other files say, compare with the log, and evaluate needs a task.
        own = names if way[0] in ("inspect", "run", "render") else None
        outcome = place.run(*way, names=own, expect=(0, 2) if own is None and expect == (2,) else expect)
        for name in ("out.png", "out.json"):
            if outcome.status == 0 and (place.folder / name).exists():
                place.check(not formats.fault(place.folder / name), formats.fault(place.folder / name))


def _replaced(file, content, model="tiny", random=None, names=None, expect=(0, 2)):
    """`content` is bytes, a text, or a function of the old bytes."""
    def act(place):
        path = place.model(model) / file
        new = content(path.read_bytes()) if callable(content) else content
        path.write_bytes(new if isinstance(new, bytes) else new.encode("utf-8", "surrogatepass"))
        _opened(place, model, random, names, expect)
    return act


def _changed_header(change, model="tiny", random=None, expect=(0, 2), data=lambda data: data):
    """`change` is given the header of the weights, and may return a text in its place."""
    def new(raw):
        header, numbers = formats.split_safetensors(raw)
        return formats.joined_safetensors(change(header) or header, data(numbers))
    return _replaced(WEIGHTS, new, model, random, WEIGHTS if expect == (2,) else None, expect)


def _first(header):
    return next(name for name in header if name != "__metadata__")


def _set(key, value):
    def change(header):
        header[_first(header)][key] = value
    return change


def _types(dtype, size):
    """Every tensor as numbers of another type, in the right size."""
    def change(header):
        at = 0
        for name in header:
            if name != "__metadata__":
                begin, end = header[name]["data_offsets"]
                header[name]["data_offsets"] = [at, at + (end - begin) // 4 * size]
                header[name]["dtype"] = dtype
                at = header[name]["data_offsets"][1]
    return change, lambda data: (data * 2)[:len(data) // 4 * size]


def _numbers(pattern):
    return lambda raw: formats.joined_safetensors(
        *(lambda header, data: (header, pattern * (len(data) // 4)))(*formats.split_safetensors(raw)))


def _instead(file, make, expect=(2,), names=None):
    """Something else than a file."""
    def act(place):
        path = place.model() / file
        path.unlink()
        if make(place, path) is not False:
            _opened(place, "tiny", None, names or file, expect)
    return act


def _device(place, path):
    device = place.device("node", 5)
    return False if device is None else os.symlink(device, path)


def _loop(_, path):
    path.symlink_to(path.name)


def _large(size):
    def make(_, path):
        with open(path, "wb") as file:
            file.truncate(size)
    return make


INSTEAD = {"a folder": lambda _, path: path.mkdir(), "a pipe": lambda _, path: os.mkfifo(path), "a loop": _loop,
           "nothing": lambda _, path: None, "a broken link": lambda _, path: path.symlink_to("nowhere"),
           "endless zeros": _device, "a hole of 5 GB": _large(5 << 30), "a hole of 90 MB": _large(90 << 20),
           "a file of the kernel": lambda _, path: path.symlink_to("/proc/self/maps"),
           "its own memory": lambda _, path: path.symlink_to("/proc/self/mem"),
           "its own input": lambda _, path: path.symlink_to("/proc/self/fd/0")}


def _unreadable(file):
    def act(place):
        if place.world.user is None and os.geteuid() == 0:
            return place.world.cannot_try("unreadable files (as root)")
        (place.model() / file).chmod(0)
        return _opened(place, "tiny", None, file, (2,))
    return act


def _vocabulary_of(tokens_of):
    """Other tokens, as many as before: nothing else has to change."""
    def new(raw):
        vocabulary = json.loads(raw)
        for side in ("source", "target"):
            vocabulary[side] = tokens_of(vocabulary[side])
        return json.dumps(vocabulary, ensure_ascii=False)
    return new


def _nasty_tokens(tokens):
    # Those that the texts of models need stay.
    names = [text.decode("utf-8") for _, text in nasty.texts() if 0 < len(text) < 200 and _is_text(text)]
    names = [name for name in names if name not in tokens]
    return [token if token in ("_", " ", "<s>", "</s>", "<pad>", "<unk>", "<bos>", "<eos>") or not names else names.pop()
            for token in tokens]


def _is_text(raw):
    try:
        return bool(raw.decode("utf-8"))
    except UnicodeDecodeError:
        return False


def _empty_tensors(count):
    def new(_):
        entries = ",".join('"%x":{"dtype":"F32","shape":[0],"data_offsets":[0,0]}' % n for n in range(count))
        return formats.joined_safetensors("{" + entries + "}", b"")
    return new


def _log(text):
    def act(place):
        (place.model("date-dot") / "training.csv").write_bytes(text)
        place.run("compare", "model", "--csv", "out.csv", "--out", "out.svg")
        for name in ("out.csv", "out.svg"):
            if (place.folder / name).exists():
                place.check(not formats.fault(place.folder / name), formats.fault(place.folder / name))
    return act


LOGS = {"nothing": b"", "only a head": b"epoch,exact_match\n", "numbers that are none": b"epoch,exact_match\n1,nan\n2,inf\n3,-inf\n",
        "huge epochs": b"epoch,exact_match\n1e300,0.5\n-1e300,1\n2147483648,0\nnan,0\n", "huge values": b"epoch,exact_match\n1,1e308\n2,-1e308\n",
        "many columns": b"epoch" + b",exact_match" * 100_000 + b"\n1" + b",1" * 100_000 + b"\n", "zero bytes": b"epoch,exact_match\n\0,\0\n",
        "another encoding": b"epoch,exact_match,\xff\xfe\n1,\xff,2\n", "commas": b",,,\n,,,\n", "one long line": b"epoch," + b"x" * 1_000_000,
        "escapes": b"epoch,\x1b[2J\x1b]0;x\x07\n1,2\n", "many epochs": b"epoch,exact_match\n" + b"".join(b"%d,1\n" % n for n in range(60_000)),
        "the same epoch": b"epoch,exact_match\n" + b"1,0.5\n" * 100, "a mark": b"\xef\xbb\xbfepoch,exact_match\r\n1,0.5\r\n",
        "apart": b"epoch,exact_match\n-2147483648,0\n2147483647,1\n"}


def _reference(metadata):
    """verify.safetensors says how it was made."""
    def new(raw):
        header, data = formats.split_safetensors(raw)
        header["__metadata__"] = dict(header.get("__metadata__", {}), **metadata)
        return formats.joined_safetensors(header, data)

    def act(place):
        path = place.model("date-dot") / "verify.safetensors"
        path.write_bytes(new(path.read_bytes()))
        place.run("verify", "model")
    return act


def _bomb(place):
    """An npz whose entries unpack to far more than they are."""
    import io
    import zipfile
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        head = b"\x93NUMPY\x01\x00" + struct.pack("<H", 118) + \
            b"{'descr': '<f4', 'fortran_order': False, 'shape': (100000000,), }".ljust(117) + b"\n"
        with archive.open("input.src.ids.npy", "w", force_zip64=True) as entry:
            entry.write(head)
            for _ in range(400):
                entry.write(bytes(1_000_000))
    place.write("bomb.npz", packed.getvalue())
    place.run("verify", place.model("date-dot"), "bomb.npz", expect=(2,), names="bomb.npz")


def _damaged_reference(seed):
    """A reference as numpy writes it."""
    def act(place):
        own = randomness.Random(seed)
        place.run("run", "date-dot", "--source", "may 5", "--dump", "reference.npz", expect=(0,))
        path = place.folder / "reference.npz"
        path.write_bytes(nasty.damaged(own, path.read_bytes()[:own.choice((400, 4000, 1 << 30))]))
        place.run("verify", "date-dot", "reference.npz")
    return act


def _every_change(world):
    """(model, file, what, make): make() is the new content."""
    for model in SOURCES:
        folder = world.trained() if model == "tiny" else world.models / model
        for file in (CONFIG, VOCABULARY):
            for what, make in nasty.json_changes(json.loads((folder / file).read_bytes())):
                yield model, file, what, make
        header, data = formats.split_safetensors((folder / WEIGHTS).read_bytes())
        few, rest = ({name: header[name] for name in names} for names in (list(header)[:3], list(header)[3:]))
        for what, make in nasty.json_changes(few):
            yield model, WEIGHTS, what, functools.partial(with_rest, make, rest, data)


def with_rest(make, rest, data):
    """A header whose first tensors are changed."""
    text = make()
    return formats.joined_safetensors(text[:-1] + ", " + json.dumps(rest)[1:] if text.endswith("}") else text, data)


def telling(world):
    config = json.loads((world.trained() / CONFIG).read_bytes())
    for path, raw in (((("title",), "5")), (("title",), '"\\u001b[2J\\nx"'), (("title",), '"\\ud800"'), (("order",), '"x"'),
                      (("model", "hidden_size"), '"x"'), (("model", "hidden_size"), "1e999"), (("model", "hidden_size"), "16384"),
                      (("model", "hidden_size"), "null"), (("model", "reverse_source"), "[]"), (("text", "target_length"), "-1"),
                      (("text", "source_width"), "4096"), (("examples",), "{}"), (("examples", 0), '"\\ufeff"'),
                      (("model_type",), '"' + "x" * 70_000 + '"'), (("format",), "[" * 100_000 + "]" * 100_000)):
        yield "config.json: %s = %s" % (path, raw[:40]), _replaced(CONFIG, nasty.with_value(config, path, raw))
    for what, make in INSTEAD.items():
        yield what + " in place of the weights", _instead(WEIGHTS, make)
    yield "a pipe in place of the configuration", _instead(CONFIG, INSTEAD["a pipe"], names="model")
    yield "a loop in place of the vocabulary", _instead(VOCABULARY, INSTEAD["a loop"])
    yield "unreadable weights", _unreadable(WEIGHTS)
    raw = (world.trained() / WEIGHTS).read_bytes()
    for length in nasty.cuts(raw, 8 + struct.unpack("<Q", raw[:8])[0]):
        yield "weights cut off after %d bytes" % length, \
            _replaced(WEIGHTS, lambda old, n=length: old[:n], names=WEIGHTS, expect=(2,))
    for dtype, size in (("I32", 4), ("U8", 1), ("I64", 8), ("BOOL", 1)):
        change, data = _types(dtype, size)
        yield "weights of the type " + dtype, _changed_header(change, expect=(2,), data=data)
    for what, pattern in (("NaN", b"\0\0\xc0\x7f"), ("infinite", b"\0\0\x80\x7f"), ("huge", b"\xff\xff\x7f\x7f")):
        for model in ("date-dot", "copy-ntm", "story-gpt"):
            yield "%s: weights that are all %s" % (model, what), _replaced(WEIGHTS, _numbers(pattern), model, expect=(0,))
    yield "a shape that overflows", _changed_header(_set("shape", [1 << 62, 8]), expect=(2,))
    yield "a header that is longer than the file", _replaced(WEIGHTS, b"\xff" * 8 + b"{}", names=WEIGHTS, expect=(2,))
    yield "150,000 empty tensors", _replaced(WEIGHTS, _empty_tensors(150_000), expect=(2,), names=WEIGHTS)
    yield "a vocabulary of nasty tokens", _replaced(VOCABULARY, _vocabulary_of(_nasty_tokens), "date-dot")
    for what in ("numbers that are none", "huge epochs", "apart", "another encoding", "escapes"):
        yield "a log with " + what, _log(LOGS[what])
    for metadata in ({"tolerance": "nan"}, {"source": "\ufeff\x1b[2J\n"}, {"target": "\udcff"},
                     {"texts": '[{"source": "\x1b[2J"}]'}, {"texts": '[{"source": 1}]'}):
        yield "a reference with %a" % metadata, _reference(metadata)
    yield "a reference with deep further texts", _reference({"texts": "[" * 100_000})
    yield "a bomb as reference", _bomb


def _drawn_fixed():
    for file in (WEIGHTS, VOCABULARY, CONFIG):
        for what, make in INSTEAD.items():
            yield "%s in place of %s" % (what, file), _instead(file, make, names="model")
        yield "an unreadable " + file, _unreadable(file)
    for dtype, size in (("F64", 8), ("F16", 2), ("BF16", 2), ("I8", 1), ("I16", 2), ("U16", 2), ("U32", 4), ("U64", 8),
                        ("F8_E4M3", 1), ("F4", 1), ("C64", 8), ("", 4), ("F32\0", 4), ("\x1b[2J", 4)):
        change, data = _types(dtype, size)
        yield "weights of the type %a" % dtype, _changed_header(change, data=data)
    for what, log in LOGS.items():
        yield "a log with " + what, _log(log)
    for what, text in nasty.texts():
        if _is_text(text):
            yield "a reference whose source is " + what, _reference({"source": text.decode("utf-8")})
            yield "a reference whose target is " + what, _reference({"target": text.decode("utf-8")})
            yield "a reference with a further text of " + what, _reference({"texts": json.dumps([{"source": text.decode("utf-8")}])})
    yield "a reference with 1001 further texts", _reference({"texts": json.dumps([{"source": "may 5"}] * 1001)})
    for tolerance in nasty.NUMBERS:
        yield "a reference with the tolerance %a" % tolerance, _reference({"tolerance": tolerance})
    yield "1.5 million empty tensors", _replaced(WEIGHTS, _empty_tensors(1_500_000), expect=(2,), names=WEIGHTS)
    yield "a vocabulary of 60 MB", _replaced(VOCABULARY, lambda _: '{"source": ["' + '","'.join(
        "t%07d" % n for n in range(5_400_000)) + '"], "target": ["a"]}', expect=(2,))
    yield "one token of 60 MB", _replaced(VOCABULARY, lambda _: '{"source": ["' + "x" * 60_000_000 + '"], "target": ["a"]}',
                                          expect=(2,))
    for change in (lambda tokens: [tokens[0]] * len(tokens), lambda tokens: [""] * len(tokens), lambda tokens: tokens + ["x"],
                   lambda tokens: [token * 5000 for token in tokens], lambda tokens: [token + "\0" for token in tokens]):
        yield "other tokens", _replaced(VOCABULARY, _vocabulary_of(change), "date-dot")


def drawn(world, random):
    fixed = nasty.walked(random, _drawn_fixed())
    changes = nasty.walked(random, _every_change(world))
    files = (CONFIG, VOCABULARY, WEIGHTS, "verify.safetensors", "training.csv")
    while True:
        for model, file, what, make in itertools.islice(changes, 2):
            yield "%s: %s: %s" % (model, file, what), \
                _replaced(file, lambda _, m=make: m(), model, randomness.Random(random.random()))
        yield next(fixed)
        yield "a damaged reference", _damaged_reference(random.random())
        seed, file, model = random.random(), random.choice(files), random.choice(list(SOURCES))

        def act(place, seed=seed, file=file, model=model):
            own = randomness.Random(seed)
            path = place.model(model) / file
            path.write_bytes(nasty.damaged(own, path.read_bytes()))
            _opened(place, model, own)
        yield "%s: damaged bytes in %s" % (model, file), act
        pattern = struct.pack("<I", random.getrandbits(32)) if random.random() < 0.7 else b"\0\0\xc0\x7f"
        yield "%s: weights that are all %s" % (model, pattern.hex()), \
            _replaced(WEIGHTS, _numbers(pattern), model, randomness.Random(seed))
