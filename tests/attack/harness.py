"""One attack: a folder of its own, runs of the program in it, and what is complained about."""

import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
import unicodedata

import rules

KEPT_OUTPUT = 64 << 20
MODELS = ("date-dot", "date-plain", "glimpse-hard", "grammar-bahdanau", "toy-mt-luong", "toy-mt-local",
          "grammar-convs2s", "copy-ntm", "copy-transformer", "masked-bert", "story-gpt")
_started = threading.Lock()


def shell_word(word):
    """As it is typed in bash, also where it is no text."""
    raw = os.fsencode(word)
    if len(raw) > 400:
        return shell_word(raw[:40]) + "...(%d bytes)" % len(raw)
    if re.fullmatch(rb"[A-Za-z0-9_@%+=:,./-]+", raw):
        return raw.decode()
    try:
        text = raw.decode()
        if not any(rules.is_hidden(c) or unicodedata.combining(c) for c in text):
            return "'" + text.replace("'", "'\\''") + "'"
    except UnicodeDecodeError:
        pass
    return "$'" + "".join(chr(b) if 32 <= b < 127 and b not in b"'\\" else "\\x%02x" % b for b in raw) + "'"


class World:
    """What all attacks share: the program, models, limits, and what cannot be tried on this machine."""

    def __init__(self, binary, driver, options):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="headlight-attack-"))
        self.options, self.not_tried = options, set()
        self.shown = {}  # each copy of a program with the path of the program itself
        self.user = None
        if os.geteuid() == 0:  # so that no attack can hurt the machine, and permissions mean something
            self.root.chmod(0o755)
            self.user = 65534
        # A copy: it is not rebuilt while it is attacked, and what it writes beside itself is thrown away.
        self.binary = self._copied(binary)
        self.driver = self._copied(driver) if driver else None
        self.cache = self.root / "cache"
        self.cache.mkdir(mode=0o777)
        self.cache.chmod(0o777)
        self.models = self.root / "models"
        samples = pathlib.Path(__file__).resolve().parents[2] / "sample_models"
        for name in MODELS:
            shutil.copytree(samples / name, self.models / name)
        self.prlimit = shutil.which("prlimit")
        if not self.prlimit:
            raise SystemExit("attack.py: expected the command prlimit (package util-linux), found none")
        self.lock = threading.RLock()  # of what is made once, for all attacks
        self._trained = self.reference = self.session = None

    def _copied(self, program):
        folder = self.root / "bin"
        folder.mkdir(exist_ok=True)
        copied = shutil.copy(program, folder)
        self.shown[copied] = os.path.abspath(program)
        return copied

    def trained(self):
        """A small model that was trained for two epochs by this program, with its checkpoint."""
        with self.lock:
            if not self._trained:
                place = Place(self, self.root / "trained")
                place.run("train", *TRAINING, "--epochs", "2", "--out", "tiny", expect=(0,))
                if place.complaints:
                    raise SystemExit("attack.py: a plain training fails: " + "; ".join(place.complaints))
                self._trained = place.folder / "tiny"
        return self._trained

    def cannot_try(self, what):
        self.not_tried.add(what)

    def clean(self, place):
        _make_removable(place.root)
        shutil.rmtree(place.root, ignore_errors=True)

    def remove(self):
        _make_removable(self.root)
        shutil.rmtree(self.root, ignore_errors=True)


def _make_removable(root):
    for folder, names, _ in os.walk(root):
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o700)


# So small that it takes milliseconds.
SMALL_TRAINING = ("--set", "train_size=40", "--set", "test_size=8", "--set", "batch=10")
TRAINING = ("copy", "-a", "attn_seq2seq", *SMALL_TRAINING, "--set", "hidden_size=8")


class Outcome:
    """How a run ended."""

    def __init__(self, status, out, err, peak, hung, patience):
        self.status, self.out, self.err, self.peak, self.hung, self.patience = status, out, err, peak, hung, patience

    @property
    def message(self):
        return self.err.decode("utf-8", "replace").strip()


class Running:
    """A process of the program that may be looked at, signalled or killed before it is waited for."""

    def __init__(self, folder, seconds, words, environment, stdin, stdout, user):
        # A process begins with the memory of the one that starts it.
        self.inherited = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        with _started:
            self.process = subprocess.Popen(
                words, cwd=folder, env=environment, stdin=stdin, stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True, restore_signals=False, user=user, group=user,
                extra_groups=[] if user is not None else None)
        self.pid, self.hung, self.done, self.patience = self.process.pid, False, False, 6 * seconds
        self.sinks = []
        for stream in (self.process.stdout, self.process.stderr):
            sink = bytearray()
            thread = threading.Thread(target=self._drain, args=(stream, sink), daemon=True)
            thread.start()
            self.sinks.append((thread, sink))
        self.timer = threading.Timer(self.patience, self._too_long)
        self.timer.daemon = True
        self.timer.start()

    @staticmethod
    def _drain(stream, sink):
        while stream:
            piece = stream.read1(1 << 16)
            if not piece:
                stream.close()
                return
            if len(sink) < KEPT_OUTPUT:
                sink += piece

    def _too_long(self):
        self.hung = True
        self.signal(signal.SIGKILL)

    def signal(self, number):
        if not self.done:
            try:
                os.killpg(self.pid, number)
            except ProcessLookupError:
                pass

    def alive(self):
        """Without reaping it: its use of memory is asked for later."""
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None

    def wait(self):
        _, status, usage = os.wait4(self.pid, 0)
        self.done = True
        self.timer.cancel()
        self.process.returncode = os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)
        for thread, _ in self.sinks:
            thread.join(10)
        out, err = (bytes(sink) for _, sink in self.sinks)
        peak = usage.ru_maxrss if usage.ru_maxrss > self.inherited + 4096 else 0
        return Outcome(self.process.returncode, out, err, peak << 10, self.hung, self.patience)


class Place:
    """The folder of one attack, and what was complained about in it."""

    def __init__(self, world, root):
        self.world, self.root = world, pathlib.Path(root)
        self.folder, self.home, self.temporary = self.root / "here", self.root / "home", self.root / "tmp"
        self.runtime = self.root / "runtime"
        for folder in (self.folder, self.home, self.temporary, self.runtime):
            folder.mkdir(parents=True, exist_ok=True)
        self.runtime.chmod(0o700)  # or Qt makes one of its own
        self.complaints, self.commands = [], []

    # What the attack prepares.

    def write(self, name, content):
        path = self.folder / os.fsdecode(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    def model(self, name="tiny", to="model"):
        """A copy of a bundled model, or of the small trained one."""
        source = self.world.trained() if name == "tiny" else self.world.models / name
        return pathlib.Path(shutil.copytree(source, self.folder / to))

    def device(self, name, minor):
        """A character device like /dev/null (3), /dev/zero (5) or /dev/full (7); None where that is not allowed."""
        path = self.folder / name
        try:
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
            path.chmod(0o666)
            with open(path, "r+b"):
                return path
        except OSError:
            self.world.cannot_try("device nodes (no right to make them)")
            return None

    # What the program does there.

    def start(self, *arguments, environment=None, stdin=None, stdout=None, largest_file=None, limits=(), through=(),
              program=None, memory=True, keep_environment=True, as_root=False):
        options = self.world.options
        variables = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(self.home), "TMPDIR": str(self.temporary),
                     "XDG_RUNTIME_DIR": str(self.runtime), "XDG_CACHE_HOME": str(self.world.cache),
                     "HEADLIGHT_MODELS": str(self.world.models)} if keep_environment else {}
        variables.update((key, value) for key, value in os.environ.items() if key.endswith("SAN_OPTIONS"))
        for key, value in (environment or {}).items():
            variables.pop(key, None)
            if value is not None:
                variables[key] = value
        bounds = ["--core=0", "--cpu=%d:%d" % (options.seconds, options.seconds + 5)]
        # The sanitizers open pipes of their own, and take an object for none when they cannot.
        bounds += [limit for limit in limits if options.memory or not limit.startswith("--nofile=")]
        if options.memory and memory:
            bounds.append("--as=%d" % (options.memory << 20))
        bounds.append("--fsize=%d" % (4 << 30 if largest_file is None else largest_file))
        words = [self.world.prlimit, *bounds, *through, program or self.world.binary, *arguments]
        self._give_away()
        shown = [*through, self.world.shown[program or self.world.binary], *arguments]
        self.commands.append(" ".join(
            [shell_word(k) + "=" + shell_word(v) for k, v in (environment or {}).items() if v is not None] +
            [shell_word(word) for word in shown]) + ("" if largest_file is None else
                                                     "   # no file above %d bytes" % largest_file))
        return Running(self.folder, options.seconds, words, variables, stdin if stdin is not None else subprocess.DEVNULL, stdout,
                       None if as_root else self.world.user)

    def run(self, *arguments, names=None, expect=(0, 2), judge=True, **how):
        """Runs the program to its end and judges it."""
        outcome = self.start(*arguments, **how).wait()
        if judge:
            self.judge(outcome, names, expect, "--json" in arguments)
        return outcome

    def _give_away(self):
        """The program runs as nobody where the attack runs as root: what is here becomes nobody's."""
        if self.world.user is None:
            return
        for folder, names, files in os.walk(self.root):
            for name in [".", *names, *files]:
                os.chown(os.path.join(folder, name), self.world.user, self.world.user, follow_symlinks=False)

    # What is wrong.

    def complain(self, text):
        self.complaints.append(text)

    def check(self, right, text):
        if not right:
            self.complain(text)

    def judge(self, outcome, names=None, expect=(0, 2), json_output=False):
        self.complaints += rules.faults(outcome, self.world.options, names, expect, json_output)

    def look_for_leftovers(self):
        for folder, _, files in os.walk(self.folder):
            for name in files:
                if rules.UNFINISHED.search(name):
                    self.complain("left behind: " + os.path.relpath(os.path.join(folder, name), self.folder))
        left = [name for name in os.listdir(self.temporary) if not name.startswith("runtime-")]
        self.check(not left, "left behind in TMPDIR: " + " ".join(left[:3]))


def wait_until(ready, seconds=30):
    """Whether it became true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ready():
            return True
        time.sleep(0.01)
    return False
