"""The rule that every run is judged by, as a list of what is wrong with it.

A run ends with 0 or 2, never by a signal and never after a long time. After 2 there is one line on standard error that
can be shown on any terminal and that names what was attacked. After 0 the output is valid. The memory stays within the
budget.
"""

import json
import re
import signal
import unicodedata

LONGEST_MESSAGE = 1200  # kLongestLine of model/text/message_line
LONGEST_REPORT = 64 << 10  # all of standard error: a warning for each tensor
# What stays when a program ends while it writes: our own names, those of QSaveFile, core files.
UNFINISHED = re.compile(r"\.tmp$|^\.headlight-|^\.writable$|\.[A-Za-z0-9]+\.[A-Za-z0-9]{6}$|^core(\.\d+)?$")
INVISIBLE = set(range(0x80, 0xa0)) | {0x7f, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f, 0xfeff, *range(0x2028, 0x202f),
                                     *range(0x2060, 0x2070), *range(0xfdd0, 0xfdf0), *range(0xfff9, 0xfffc),
                                     *range(0xe0000, 0xe0080)}


def is_hidden(character):
    """Whether a terminal would not show it: controls, marks of direction, invisible characters, no characters."""
    code = ord(character)
    return code < 32 or code in INVISIBLE or code & 0xfffe == 0xfffe or unicodedata.category(character) == "Cs"


def strict_json(raw):
    """Parses it; raises ValueError also for what Python takes and others do not."""
    def refuse(token):
        raise ValueError("the token " + token)
    return json.loads(raw.decode("utf-8"), parse_constant=refuse)


def faults(outcome, options, names=None, expect=(0, 2), json_output=False):
    """`names` is what a refusal has to name, `expect` the exit statuses that are right."""
    if outcome.hung:
        return ["it does not end within %d seconds" % outcome.patience]
    if outcome.status == -signal.SIGXCPU:
        return ["busy for more than %d seconds" % options.seconds]
    found = []
    if outcome.peak > options.budget << 20:
        found.append("it takes %d MB of memory, expected at most %d" % (outcome.peak >> 20, options.budget))
    if outcome.status < 0:
        found.append("it is ended by %s: %s" % (signal.Signals(-outcome.status).name, outcome.message[-200:]))
    elif outcome.status not in expect:
        found.append("expected exit status %s, found %d: %s" %
                     (" or ".join(map(str, expect)), outcome.status, outcome.message[-300:]))
    else:
        found += _of_messages(outcome, options, names)
        if outcome.status == 0:
            found += _of_output(outcome, json_output)
    return found


def _of_messages(outcome, options, names):
    try:
        text = outcome.err.decode("utf-8")
    except UnicodeDecodeError:
        return ["standard error is not UTF-8: " + repr(outcome.err[:200])]
    found = []
    lines = text.split("\n")
    if lines.pop():
        found.append("the message does not end its line")
    if len(outcome.err) > LONGEST_REPORT:
        found.append("%d bytes on standard error" % len(outcome.err))
    for line in lines[:1000]:
        hidden = sorted({"U+%04X" % ord(c) for c in line if is_hidden(c)})
        if hidden:
            found.append("a message with " + " ".join(hidden[:8]) + ": " + ascii(line[:200]))
        if len(line) > LONGEST_MESSAGE:
            found.append("a message of %d characters: %s" % (len(line), ascii(line[:120])))
    said = [line for line in lines if not line.startswith("headlight: warning: ")]
    if outcome.status == 0 and said:
        found.append("it succeeds and complains: " + ascii(" / ".join(said)[:300]))
    elif outcome.status == 2 and len(said) != 1:
        found.append("expected one line, found %d: %s" % (len(said), ascii(" / ".join(said)[:300])))
    elif outcome.status == 2:
        if not said[0].startswith("headlight: "):
            found.append("the message is not ours: " + ascii(said[0][:200]))
        if "not enough memory" in said[0]:
            found.append("it asks for more memory than the limit of %d MB" % options.memory)
        if names and names not in said[0]:
            found.append("expected a message that names '%s', found: %s" % (names, ascii(said[0][:300])))
    return found


def _of_output(outcome, json_output):
    try:
        text = outcome.out.decode("utf-8")
        if json_output:
            strict_json(outcome.out)
            return []
    except ValueError as error:
        return ["standard output is no valid %s: %s" % ("JSON" if json_output else "UTF-8", error)]
    controls = sorted({"U+%04X" % ord(c) for c in text if c not in "\n\t" and (ord(c) < 32 or 0x7f <= ord(c) < 0xa0)})
    return ["standard output holds control characters: " + " ".join(controls[:8])] if controls else []
