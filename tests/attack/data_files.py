"""Sentence pairs and texts of strangers: plain, packed, damaged, enormous."""

import gzip
import itertools
import zlib

import nasty

PAIRS = "".join("the man %d sees\tl'homme %d voit\n" % (n % 7, n % 7 + n % 3) for n in range(60)).encode()
SMALL = ("-a", "attn_seq2seq", "--epochs", "1", "--set", "hidden_size=8", "--set", "min_frequency=1")


def _pairs(*contents, extra=(), names=None, expect=(0, 2), ending=".tsv"):
    """Trains on files with these contents, and opens what came of it."""
    def act(place):
        files = [place.write("pairs%d%s" % (n, ending), content() if callable(content) else content)
                 for n, content in enumerate(contents)]
        words = [word for file in files for word in ("--files", file.name)]
        outcome = place.run("train", "pairs", *SMALL, *words, *extra, "--out", "out", names=names, expect=expect)
        if outcome.status == 0:
            place.run("inspect", "out", "--json", expect=(0,))
            place.run("verify", "out", expect=(0,))
            place.run("evaluate", "out", *words, *[word for word in extra if word == "--skip-bad-lines"], "--json")
            place.run("run", "out", "--source", "the man", "--json", expect=(0,))
    return act


def _text(content, tokenizer="characters", expect=(0, 2), ending=".txt"):
    """Trains a model of a text with this content, goes on with it and measures it."""
    def act(place):
        file = place.write("text" + ending, content() if callable(content) else content)
        outcome = place.run("train", "text", "-a", "recurrent_lm", "--epochs", "1", "--files", file.name, "--set", "hidden_size=8",
                            "--set", "train_size=200", "--set", "test_size=50", "--set", "context=16", "--set", "bpe_merges=50",
                            "--set", "tokenizer=" + tokenizer, "--out", "out", expect=expect)
        if outcome.status == 0:
            place.run("verify", "out", expect=(0,))
            place.run("evaluate", "out", "--files", file.name, "--limit", "50", "--json")
            place.run("run", "out", "--source", "the man", "--json", expect=(0,))
    return act


def _measured(content, extra=()):
    def act(place):
        place.write("pairs.tsv", content)
        place.run("evaluate", "grammar-bahdanau", "--task", "pairs", "--files", "pairs.tsv", "--json", *extra)
    return act


def _bomb(megabytes, line=b"a\tb\n"):
    """Many packed files one after the other, each of a megabyte."""
    packed = gzip.compress(line * ((1 << 20) // len(line)), 9, mtime=0)
    return packed * megabytes


def _instead(kind, make):
    def act(place):
        make(place, place.folder / "pairs.tsv")
        place.run("train", "pairs", *SMALL, "--files", "pairs.tsv", "--out", "out", names="pairs.tsv", expect=(2,))
    return "%s in place of the pairs" % kind, act


CONTENTS = {
    "nothing": b"", "one line": b"a\tb\n", "two lines": b"a\tb\nc\td", "no end of the line": PAIRS[:-1],
    "blank lines": b"\n\n \t \n\t\n", "only a tab": b"\t", "no tabs": PAIRS.replace(b"\t", b" "),
    "many tabs": PAIRS.replace(b"\t", b"\t\t\t"), "ends of Windows": PAIRS.replace(b"\n", b"\r\n"),
    "ends of old Macs": PAIRS.replace(b"\n", b"\r"), "a mark in front": b"\xef\xbb\xbf" + PAIRS,
    "a mark in every line": PAIRS.replace(b"\n", b"\n\xef\xbb\xbf"), "UTF-16": PAIRS.decode().encode("utf-16"),
    "zero bytes": PAIRS.replace(b"m", b"\0"), "latin-1": PAIRS.replace(b"a", b"\xe9"), "controls": PAIRS.replace(b"n", b"\x1b[2J\x07"),
    "a long line": b"x" * 16_300 + b"\ty\n" + PAIRS, "too long a line": b"x" * 20_000 + b"\ty\n" + PAIRS,
    "a line of 40 MB": b"x" * 40_000_000 + b"\ty\n" + PAIRS, "long words": b"word " * 3_000 + b"\tmot\n" + PAIRS,
    "the same line": b"a b c\td e f\n" * 200, "special words": PAIRS.replace(b"man", b"<unk>").replace(b"sees", b"</s> <pad> <s> _"),
    "marks": ("e" + "\u0301" * 400 + "\te\u0301\n").encode() * 30 + PAIRS,
    "every word once": "".join("w%d x%d\ty%d z%d\n" % (n, n, n, n) for n in range(20_000)).encode(),
    "every character": "".join("%s\t%s\n" % (chr(n), chr(n)) for n in range(0x4e00, 0x9e00)).encode(),
    "packed twice": gzip.compress(gzip.compress(PAIRS)), "packed, cut off": gzip.compress(PAIRS)[:-9],
    "packed, with a tail": gzip.compress(PAIRS) + b"tail", "packed, damaged": gzip.compress(PAIRS)[:60] + b"\0\xff" * 40,
    "packed, only a head": b"\x1f\x8b\x08", "packed nothing": gzip.compress(b""), "packed by others": zlib.compress(PAIRS),
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "a web page": b"<!doctype html>\n<html>\n" * 40}


def telling(_):
    for what in ("nothing", "one line", "zero bytes", "latin-1", "controls", "packed, cut off", "packed twice", "too long a line",
                 "a mark in every line", "special words"):
        yield "pairs: " + what, _pairs(CONTENTS[what])
    yield "pairs: a bomb of 3 GB", _pairs(lambda: _bomb(3072), ending=".gz", expect=(2,), names="pairs0.gz")
    for what in ("nothing", "zero bytes", "latin-1", "controls", "ends of old Macs", "packed twice", "UTF-16"):
        yield "text: " + what, _text(CONTENTS[what])
    yield "text: a bomb of 3 GB", _text(lambda: _bomb(3072), ending=".gz", expect=(2,))
    yield "two files of other lengths", _pairs(b"a\nb\n", b"c\n", expect=(2,))
    yield "controls, bad lines left out", _pairs(CONTENTS["latin-1"] + PAIRS, extra=["--skip-bad-lines"])


def _fixed():
    for what, content in CONTENTS.items():
        yield "pairs: " + what, _pairs(content)
        yield "pairs, bad lines left out: " + what, _pairs(content, extra=["--skip-bad-lines"])
        yield "measured on " + what, _measured(content)
        yield "two files: " + what, _pairs(content, PAIRS)
        for tokenizer in ("characters", "bpe"):
            yield "%s as %s" % (what, tokenizer), _pairs(content, extra=["--set", "tokenizer=" + tokenizer, "--set", "bpe_merges=50"])
        for tokenizer in ("characters", "words", "bpe"):
            yield "text: %s as %s" % (what, tokenizer), _text(content, tokenizer)
    for size in (100, 500, 4096):
        yield "a bomb of %d MB" % size, _pairs(lambda size=size: _bomb(size), ending=".gz")
        yield "a bomb of %d MB without lines" % size, _pairs(lambda size=size: _bomb(size, b"x"), ending=".gz")
    for what, text in nasty.texts():
        if b"\t" not in text and b"\n" not in text:
            yield "%s on both sides" % what, _pairs((text + b"\t" + text + b"\n") * 5 + PAIRS)
            yield "%s, by characters" % what, _pairs((text[:4000] + b"\t" + text[:4000] + b"\n") * 5 + PAIRS, extra=[
                "--set", "tokenizer=characters", "--set", "max_tokens=1000"])
    import folders
    for kind, make in folders.INSTEAD.items():
        if kind != "a hole of 90 MB":
            yield _instead(kind, make)


def drawn(_, random):
    fixed = nasty.walked(random, _fixed())
    while True:
        yield from itertools.islice(fixed, 3)
        text = random.choice(list(CONTENTS.values())[:30]) if random.random() < 0.5 else PAIRS
        text = nasty.damaged(random, text[:20_000])
        if random.random() < 0.5:
            yield "damaged pairs", _pairs(text, extra=random.choice(([], ["--skip-bad-lines"], ["--set", "tokenizer=bpe"])))
        else:
            packed = nasty.damaged(random, gzip.compress(text, mtime=0))
            yield "damaged packed pairs", _pairs(packed, ending=".gz")
