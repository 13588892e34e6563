"""The window itself, on a screen that only the attack sees (Qt's own VNC): killed, started
again, with damaged settings. Where the mouse goes is for fuzz_window: the tool tips of that screen end it."""

import json
import os
import pathlib
import signal
import socket
import struct
import time

import nasty
from harness import wait_until

QUIT = (0xffe3, ord("q"))  # Ctrl+Q


class Screen:
    """The other end of the window's screen: presses keys. RFB 3.3, without passwords."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        version = self._read(12)
        self.socket.sendall(b"RFB 003.003\n")
        assert version.startswith(b"RFB ") and struct.unpack(">I", self._read(4))[0] == 1
        self.socket.sendall(b"\1")
        width, height = struct.unpack(">HH", self._read(4))
        self._read(16)
        self._read(struct.unpack(">I", self._read(4))[0])
        self.size = width, height

    def _read(self, count):
        raw = b""
        while len(raw) < count:
            piece = self.socket.recv(count - len(raw))
            if not piece:
                raise OSError("the screen is gone")
            raw += piece
        return raw

    def press(self, *keys):
        """Together, as Ctrl+Q."""
        for down, order in ((1, keys), (0, keys[::-1])):
            for key in order:
                self.socket.sendall(struct.pack(">BBHI", 4, down, 0, key))


class Window:
    """A running window."""

    def __init__(self, place, *arguments, environment=None, **how):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        # The screen of the platform xcb would be the user's.
        platform = "vnc:port=%d:addr=127.0.0.1:size=1280x800" % self.port
        self.place = place
        self.running = place.start(*arguments, environment=dict(environment or {}, QT_QPA_PLATFORM=platform), **how)

    def screen(self):
        """Once it answers; None if it ended."""
        made = []

        def connected():
            if not self.running.alive():
                return True
            try:
                made.append(Screen(self.port))
            except OSError:
                return False
            return True
        wait_until(connected)
        return made[0] if made else None

    def shows(self, text):
        """Whether what it keeps for a restart holds this text, within some seconds."""
        return wait_until(lambda: text in "".join(kept_texts(self.place)) or not self.running.alive(), 25) and \
            text in "".join(kept_texts(self.place))

    def kill(self):
        self.running.signal(signal.SIGKILL)
        self.running.wait()

    def quit(self):
        """As a user does, and it ends well."""
        screen = self.screen()
        try:
            while screen and self.running.alive():  # a window after the other, and what may stand in front of it
                time.sleep(0.5)
                screen.press(0xff1b)
                screen.press(*QUIT)
        except OSError:  # the screen went with the last window
            pass
        outcome = self.running.wait()
        # The platform says that it is there.
        outcome.err = b"".join(line for line in outcome.err.splitlines(True) if b"QVncServer created" not in line)
        self.place.judge(outcome, expect=(0,))
        return outcome


def kept(place):
    """The files that windows keep for a restart."""
    return sorted(pathlib.Path(place.home).glob(".local/share/**/*.headlight"))


def kept_texts(place, paths=None):
    texts = []
    for path in kept(place) if paths is None else paths:
        try:
            texts.append(json.loads(path.read_bytes())["source"])
        except (OSError, ValueError, KeyError):
            pass
    return texts


def _possible(place):
    plugins = list(pathlib.Path("/usr/lib").glob("**/qt6/plugins/platforms/libqvnc.so"))
    if not plugins:
        place.world.cannot_try("the window (no platform vnc)")
    return bool(plugins)


def _state(place):
    return {path: path.stat().st_mtime_ns for path in kept(place)}


def _last_closed(place):
    """The text of the window that was closed last: it is offered again."""
    path = place.home / ".config/Headlight/Headlight.conf"
    text = path.read_text("utf-8", "replace") if path.exists() else ""
    return text.split("\nsource=", 1)[1].split("\n")[0].strip('"') if "\nsource=" in text else ""


def _killed_together(place, texts):
    windows = [Window(place, "date-dot", "--source", text) for text in texts]
    for text, window in zip(texts, windows):
        place.check(window.shows(text), "'%s' is not kept while the window is open" % text)
    for window in windows:
        window.kill()


def _come_back(texts):
    """Several windows are killed at once: the next starts show every text again, until all were closed well."""
    def act(place):
        if not _possible(place):
            return
        _killed_together(place, texts)
        shown = set()
        for _ in texts:
            if not kept(place):
                break
            before = _state(place)
            window = Window(place)
            wait_until(lambda: any(before.get(path) != time for path, time in _state(place).items()), 10)
            time.sleep(1)
            after = _state(place)
            shown |= set(kept_texts(place, [path for path in after if before.get(path) != after[path]]))
            window.quit()
            shown.add(_last_closed(place))
        place.check(shown >= set(texts), "only %s came back of %s" % (sorted(shown), sorted(texts)))
        place.check(not kept(place), "closed well, but kept: " + " ".join(path.name for path in kept(place)))
    return act


def _killed_while_starting(texts, delays):
    """Killed again while they come back: nothing is lost."""
    def act(place):
        if not _possible(place):
            return
        _killed_together(place, texts)
        for delay in delays:
            window = Window(place)
            time.sleep(delay)
            window.kill()
        lost = set(texts) - set(kept_texts(place))
        place.check(not lost, "killed within %s seconds of the next starts, lost: %s" % (delays, ", ".join(sorted(lost))))
        place.check(len(kept(place)) <= len(texts), "kept files pile up: " + " ".join(path.name for path in kept(place)))
    return act


def _starts(prepare, *arguments, environment=None, **how):
    """Starts with something wrong around it, and ends when asked to."""
    def act(place):
        if _possible(place):
            given = prepare(place) or ()
            Window(place, *arguments, *given, environment=environment, **how).quit()
    return act


def _settings(text):
    def prepare(place):
        path = place.home / ".config/Headlight/Headlight.conf"
        path.parent.mkdir(parents=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return prepare


def _left_behind(content, name="999999.headlight"):
    def prepare(place):
        path = place.home / ".local/share/Headlight/Headlight/autosave" / name
        path.parent.mkdir(parents=True)
        if content is None:
            os.mkfifo(path)
        else:
            path.write_bytes(content)
    return prepare


def _session(content):
    def prepare(place):
        place.write("a.headlight", content)
        return ["a.headlight"]
    return prepare


def _no_room(place):
    """The folder of what is kept cannot be made."""
    path = place.home / ".local"
    path.write_bytes(b"")


SETTINGS = {
    "nothing": b"", "bytes": bytes(range(256)) * 40, "no sections": b"a=b\nlast/model=/proc\n", "a broken layout":
        b"[layout]\nversion=2\ngeometry=@ByteArray(\\x1\\xd9\\xd0\\xcb\\0\\x3)\nstate=@ByteArray(\\0\\0\\0\\xff\\xff\\xff\\xff)\n",
    "a huge layout": b"[layout]\nversion=2\nstate=@ByteArray(" + b"\\xff" * 100_000 + b")\n",
    "many that were open": b"[recent]\nsize=2147483647\n1\\path=/proc/self/fd\n1\\kind=session\n",
    "letters without size": b"[General]\nfont_scale=nan\ntheme=\\x1b\nlanguage=../../x\n", "a model that is none": b"[last]\nmodel=/proc\nsource=x\n",
    "variants": b"[General]\nfont_scale=@Variant(\\0\\0\\0\\x7f\\xff\\xff\\xff\\xff)\nrecent=@Invalid()\n", "a long text":
        b"[last]\nmodel=/\nsource=" + b"x" * 1_000_000 + b"\n"}


def telling(_):
    yield "two windows are killed", _come_back(["may 5", "june 6"])
    yield "a session that is none", _starts(_session(b"{}"))
    yield "a broken layout in the settings", _starts(_settings(SETTINGS["a broken layout"]))


def drawn(_, random):
    while True:
        count = random.randrange(1, 4)
        names = ["%s %d" % (month, random.randrange(1, 28)) for month in random.sample(("may", "june", "july", "august"), count)]
        yield "%d windows are killed" % count, _come_back(names)
        yield "%d windows are killed, and again while they start" % count, \
            _killed_while_starting(names, [round(random.random() * 2, 2) for _ in range(count)])
        what = random.choice(list(SETTINGS))
        yield "settings: " + what, _starts(_settings(SETTINGS[what]), "date-dot")
        what, text = random.choice(nasty.texts())
        yield "a window about " + what, _starts(lambda place: None, "date-dot", "--source", text)
        yield "a session of " + what, _starts(_session(text))
        yield "left behind: " + what, _starts(_left_behind(text))
        yield "left behind: a pipe", _starts(_left_behind(None))
        yield "no room to keep anything", _starts(_no_room, "date-dot")
        yield "no file above %d bytes" % count, _starts(lambda place: None, "date-dot", largest_file=count * 100)
