"""What attacks are made of: texts, numbers, JSON values and damaged bytes that programs stumble over."""

import copy
import functools
import json
import sys
import unicodedata

MARKER = "@@here@@"


@functools.lru_cache()
def texts():
    """(name, bytes): what may stand on a command line or in a file, but for the zero byte."""
    whole = {
        "a byte order mark": "\ufeff", "a byte order mark in front": "\ufeffmay 5", "one within": "may\ufeff 5",
        "noncharacters": "\ufdd0\ufffe\uffff\U0001fffe\U0010ffff", "U+FFFE": "\ufffe1",
        "controls": "".join(map(chr, range(1, 32))), "C1 controls": "".join(map(chr, range(0x7f, 0xa0))),
        "colours": "\x1b[31mred\x1b[0m", "a cleared screen": "\x1b[2J\x1b[H", "a terminal title": "\x1b]0;title\x07",
        "marks of direction": "\u202egnp.exe\u202c\u2066a\u2069\u200f\u061c", "no width": "a\u200bb\u2060c\u00add",
        "lines": "one\ntwo\r\nthree\rfour\vfive\fsix\x85seven\u2028eight\u2029nine", "only lines": "\n\n\n",
        "tabs": "\t\ta\tb", "blanks": "   ", "other blanks": "\u00a0\u1680\u2003\u202f\u205f\u3000", "nothing": "",
        "marks on nothing": "\u0301\u0302", "many marks": "e" + "\u0301" * 5000, "a mark for each": "\u0301a" * 300,
        "joined people": "\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466" * 5,
        "flags": "\U0001f1e9\U0001f1ea\U0001f1eb", "tags": "\U0001f3f4\U000e0067\U000e0062\U000e007f",
        "variants": "\u2764\ufe0f\ufe0e", "jamo": "\u1112\u1161\u11ab" * 20, "Thai": "\u0e01\u0e34\u0e4c",
        "Arabic": "\u0645\u0631\u062d\u0628\u0627", "mixed": "abc \u05e9\u05dc\u05d5\u05dd 123",
        "digits of others": "\uff11\uff12\u0663\u0967", "capitals that grow": "\u0130\u00df\ufb03\u1e9e",
        "private": "\ue000\U000f0000", "unassigned": "\u0378\U000e0fff", "replacement": "\ufffd",
        "long": "a" * 100_000, "long words": "word " * 12_000, "long, other script": "\u4e2d" * 30_000,
        "markup": "<b>&amp;</b> <img src=x> %s %n %1 {0} $HOME `id` \\ \" '", "a formula": "=1+2|cmd", "an option": "--help",
        "a minus": "-", "two": "--", "a response file": "@/etc/passwd", "a path": "../../../../etc/passwd",
        "a long name": "n" * 300, "a glob": "*?[a", "specials": "<s> </s> <pad> <unk> _ ___ [MASK] \u2581 @@ </w>"}
    broken = {
        "a lone byte": b"\xff", "latin-1": b"caf\xe9", "cut off": b"\xe4\xb8", "overlong": b"\xc0\x80\xc1\xbf",
        "surrogates": b"\xed\xa0\x80\xed\xb0\x80", "beyond Unicode": b"\xf4\x90\x80\x80\xf8\x88\x80\x80\x80",
        "trailing bytes": b"\x80\xbf\x80", "UTF-16": "may 5".encode("utf-16-le").replace(b"\0", b"\x01"),
        "broken within": b"may \xff 5, 2001", "many broken bytes": b"\xfe" * 20_000}
    return [(name, text.encode("utf-8")) for name, text in whole.items()] + list(broken.items())


def drawn_text(random):
    """Characters of every category of Unicode, with some broken bytes."""
    raw = b""
    for _ in range(random.choice((1, 3, 12, 60))):
        code = random.choice((random.randrange(1, 0x80), random.randrange(0x80, 0x3000), random.randrange(1, 0x110000)))
        raw += chr(code).encode("utf-8", "surrogatepass")
        if random.random() < 0.05:
            raw += bytes([random.randrange(0x80, 0x100)])
    return raw


@functools.lru_cache()
def one_of_each_category():
    """One character for each category that there is, the first and the last."""
    first, last = {}, {}
    for code in range(1, sys.maxunicode + 1):
        category = unicodedata.category(chr(code))
        if category != "Cs":
            first.setdefault(category, chr(code))
            last[category] = chr(code)
    return [(category, (first[category] + last[category]).encode("utf-8")) for category in sorted(first)]


# No number in the bounds of any option is large: what was asked for may take long.
NUMBERS = ("-1", "0", "-0", "+1", "1.5", "", " 1", "1 ", "0x1", "1'000", "1_0", "nan", "-nan", "inf", "-inf", "1e400",
           "1e-400", "-1e400", "2147483648", "-2147483649", "4294967297", "9223372036854775807", "9223372036854775808",
           "-9223372036854775809", "18446744073709551615", "18446744073709551616", "9" * 400, "\uff11", "1,5", "true", "one")

# Raw texts, so that also what no writer of JSON would write can be put anywhere.
JSON_VALUES = ("null", "true", "-1", "0", "1", "0.5", "-0.0", "1e308", "1e999", "-1e999", "NaN", "Infinity", "16384", "1000000",
               "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1" + "0" * 400,
               '""', '"x"', '"' + "x" * 70_000 + '"', '"\\u0000"', '"\\ud800"', '"\\u001b[2J\\n\\r\\u0007"',
               '"\\u202e\\u2066\\u200b\\ufeff"', "[]", "{}", "[null]", '[""]', '{"a": 1}', "[[[[[[]]]]]]",
               "[" * 100_000 + "]" * 100_000, "[" * 50_000 + "]" * 50_000, '{"a":' * 5_000 + "1" + "}" * 5_000,
               "[" + "0," * 50_000 + "0]", '{"' + "k" * 50_000 + '": 1}', "x", "'x'", "0x10", "01", "")


def paths(document, here=()):
    """Every place of a JSON document, but for the later elements of long lists."""
    found = [here] if here else []
    if isinstance(document, dict):
        for key in document:
            found += paths(document[key], here + (key,))
    elif isinstance(document, list):
        for i in range(min(len(document), 2)):
            found += paths(document[i], here + (i,))
    return found


def walked(random, cases):
    """All of them in an order that is drawn, then again."""
    cases = list(cases)
    while True:
        random.shuffle(cases)
        yield from cases


def _parent(document, path):
    for step in path[:-1]:
        document = document[step]
    return document


def with_value(document, path, raw):
    """The text of the document with `raw` at a place."""
    changed = copy.deepcopy(document)
    _parent(changed, path)[path[-1]] = MARKER
    return json.dumps(changed, ensure_ascii=False).replace('"' + MARKER + '"', raw, 1)


def without(document, path):
    changed = copy.deepcopy(document)
    del _parent(changed, path)[path[-1]]
    return json.dumps(changed, ensure_ascii=False)


def with_twice(document, path):
    """The key of a place stands there twice; of a list, the element."""
    value = json.dumps(_parent(document, path)[path[-1]])
    key = "" if isinstance(path[-1], int) else json.dumps(path[-1]) + ": "
    return with_value(document, path, value + ", " + key + value)


def with_new_key(document, path, key):
    """A key that nobody knows, beside a place."""
    changed = copy.deepcopy(document)
    parent = _parent(changed, path)
    if isinstance(parent, dict):
        parent[key] = 1
    else:
        parent.append(key)
    return json.dumps(changed, ensure_ascii=False)


def json_changes(document):
    """(what, make): every place removed, doubled, and of every kind of value; make() is the text."""
    for path in paths(document):
        name = ".".join(map(str, path))
        yield name + " removed", functools.partial(without, document, path)
        yield name + " twice", functools.partial(with_twice, document, path)
        yield "a key beside " + name, functools.partial(with_new_key, document, path, "\u202e" + "k" * 1000)
        for raw in JSON_VALUES:
            yield name + " = " + (raw if len(raw) < 40 else raw[:30] + "... (%d bytes)" % len(raw)), \
                functools.partial(with_value, document, path, raw)


def damaged(random, raw):
    """Some bytes changed, cut out, doubled, put in, or all cut off behind."""
    raw = bytearray(raw)
    for _ in range(random.randrange(1, 5)):
        if not raw:
            break
        at = random.randrange(len(raw))
        what = random.randrange(6)
        if what == 0:
            raw[at] = random.randrange(256)
        elif what == 1:
            del raw[at:at + random.randrange(1, 20)]
        elif what == 2:
            raw[at:at] = raw[at:at + random.randrange(1, 60)]
        elif what == 3:
            raw[at:at] = random.choice((b"\0", b"\xff", b"[", b"]", b"{", b"}", b'"', b",", b":", b"-", b"1e9", b"null", b"\n"))
        elif what == 4:
            raw[at] ^= 1 << random.randrange(8)
        else:
            del raw[at:]
    return bytes(raw)


def cuts(raw, header=0):
    """Lengths at which a file may break off: at the ends, around a header, in the middle."""
    return sorted({n for n in (0, 1, 7, 8, 9, header - 1, header, header + 1, len(raw) // 2, len(raw) - 1)
                   if 0 <= n < len(raw)})
