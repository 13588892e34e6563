"""What surrounds the program: variables, limits of the system, folders that are gone."""

import itertools
import os

import formats
import nasty

COMMANDS = {
    "run": ["run", "date-dot", "--source", "may 5"],
    "render": ["render", "date-dot", "--source", "may 5", "--view", "window", "--out", "out.png"],
    "window": ["date-dot", "--source", "may 5"],
    "compare": ["compare", "date-dot", "--out", "out.svg"],
    "inspect": ["inspect", "date-dot", "--json"],
}
STRANGE = ("", "nonsense", "/", "/no/such/place", "\n", "\x1b[2J", "\u202ex", b"\xff\xfe", "x" * 100_000, "%n%s", "-1", "0")
NUMBERS = ("0", "-1", "5", "0.0001", "100000", "1e9", "nan", "inf", "x", "")
# Each variable with what it may hold; a screen that cannot be had is no reason to fail, as no window is asked for.
VARIABLES = {
    "QT_QPA_PLATFORM": ("xcb", "wayland", "minimal", "nonsense", "", "linuxfb", "eglfs", "vkkhrdisplay", "minimalegl", "xcb;offscreen",
                        "offscreen:configfile=/no/such", "offscreen:nonsense", ";", "x" * 5000),
    "QT_FONT_DPI": NUMBERS, "QT_SCALE_FACTOR": NUMBERS, "QT_SCREEN_SCALE_FACTORS": (*NUMBERS, "1;2;3", "a=2;b=x"),
    "QT_DEVICE_PIXEL_RATIO": NUMBERS, "QT_AUTO_SCREEN_SCALE_FACTOR": NUMBERS, "QT_ENABLE_HIGHDPI_SCALING": NUMBERS,
    "QT_USE_PHYSICAL_DPI": NUMBERS, "QT_SCALE_FACTOR_ROUNDING_POLICY": ("Round", "nonsense"),
    "QT_STYLE_OVERRIDE": ("nonsense", "windows", "fusion"), "QT_QPA_PLATFORMTHEME": ("gtk3", "nonsense"), "QT_IM_MODULE": STRANGE,
    "QT_PLUGIN_PATH": STRANGE, "QT_QPA_PLATFORM_PLUGIN_PATH": STRANGE, "QT_QPA_FONTDIR": STRANGE, "QT_LOGGING_CONF": STRANGE,
    "QT_MESSAGE_PATTERN": ("%{message}\n\n%{backtrace}", "\x1b[2J"), "QT_HASH_SEED": NUMBERS, "QT_MAX_CACHED_GLYPH_SIZE": NUMBERS,
    "DISPLAY": (*STRANGE, ":99", ":0.0", "localhost:99"), "WAYLAND_DISPLAY": (*STRANGE, "wayland-99"), "XAUTHORITY": STRANGE,
    "XDG_RUNTIME_DIR": STRANGE, "XDG_CONFIG_HOME": STRANGE, "XDG_DATA_HOME": STRANGE, "XDG_CACHE_HOME": STRANGE, "XDG_DATA_DIRS": STRANGE,
    "XDG_SESSION_TYPE": ("wayland", "x11", "tty"), "HOME": STRANGE, "TMPDIR": STRANGE, "USER": STRANGE, "PWD": STRANGE, "PATH": STRANGE,
    "LANG": ("C", "POSIX", "tr_TR.UTF-8", "de_DE.UTF-8", "zh_CN.UTF-8", "ar_EG.UTF-8", "nonsense", "", "x" * 10_000, b"\xff"),
    "LC_ALL": ("C", "tr_TR.UTF-8", "de_DE.UTF-8", "zh_CN.GB18030", "nonsense", "", b"\xff", "/etc/passwd"), "LANGUAGE": STRANGE,
    "LC_NUMERIC": ("de_DE.UTF-8", "nonsense"), "TZ": (*STRANGE, ":/dev/zero", "/etc/passwd"), "TERM": STRANGE, "COLUMNS": NUMBERS,
    "FONTCONFIG_FILE": STRANGE, "FONTCONFIG_PATH": STRANGE, "OPENBLAS_NUM_THREADS": NUMBERS, "OMP_NUM_THREADS": NUMBERS,
    "OPENBLAS_CORETYPE": ("nonsense", ""), "OPENBLAS_VERBOSE": ("0",), "DBUS_SESSION_BUS_ADDRESS": STRANGE, "SESSION_MANAGER": STRANGE,
    "MALLOC_PERTURB_": ("165",), "MALLOC_CHECK_": ("3",), "MALLOC_ARENA_MAX": ("1",)}
# These choose what is looked at and where the first view is put. A refusal is right.
MAY_REFUSE = {"HEADLIGHT_MODELS", "TMPDIR", "QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_QPA_PLATFORM"}


def _with(name, value, command, expect=None):
    def act(place):
        # A window that shall go to a display which cannot be had is refused.
        named = command == "window" and name in ("DISPLAY", "WAYLAND_DISPLAY")
        refusal = (0, 2) if name in MAY_REFUSE or named else (0,)
        place.run(*COMMANDS[command], environment={name: value}, expect=expect or refusal)
        for file in ("out.png", "out.svg"):
            if (place.folder / file).exists():
                place.check(not formats.fault(place.folder / file), formats.fault(place.folder / file))
    return act


def _unset(name, command):
    return lambda place: place.run(*COMMANDS[command], environment={name: None}, expect=(0,))


def _nothing(command):
    """No variables at all."""
    def act(place):
        words = [str(place.world.models / "date-dot") if word == "date-dot" else word for word in COMMANDS[command]]
        place.run(*words, keep_environment=False, expect=(0,))
    return act


def _folder(kind, name, command):
    """A variable names a folder that is a file, closed, or full of others' things."""
    def act(place):
        path = place.root / "special"
        if kind == "a file":
            path.write_bytes(b"x")
        elif kind == "a pipe":
            os.mkfifo(path)
        else:
            path.mkdir(mode=0o000 if kind == "unreadable" else 0o555)
        place.run(*COMMANDS[command], environment={name: str(path)}, expect=(0, 2) if name in MAY_REFUSE else (0,))
        path.chmod(0o700)
    return act


def _gone(command):
    """The working folder is removed before the program starts."""
    script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"'
    return lambda place: place.run(*COMMANDS[command], through=["sh", "-c", script])


def _limit(limit, command, expect=(0, 2)):
    return lambda place: place.run(*COMMANDS[command], limits=[limit], expect=expect)


LIMITS = ("--nofile=3", "--nofile=4", "--nofile=6", "--nofile=10", "--nofile=16", "--nproc=1", "--nproc=3", "--stack=262144",
          "--stack=1048576", "--data=80000000", "--data=200000000", "--memlock=0", "--sigpending=0", "--nice=0", "--locks=0",
          "--msgqueue=0", "--as=150000000", "--as=400000000")


def _all():
    for command in COMMANDS:
        for name, values in VARIABLES.items():
            for value in values:
                yield "%s with %s=%a" % (command, name, value[:30]), _with(name, value, command)
        for name in ("HOME", "TMPDIR", "PATH", "LANG", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME"):
            yield "%s without %s" % (command, name), _unset(name, command)
            for kind in ("a file", "a pipe", "unreadable", "read-only"):
                yield "%s where %s is %s" % (command, name, kind), _folder(kind, name, command)
        for value in STRANGE:
            yield "%s with HEADLIGHT_MODELS=%a" % (command, value[:30]), _with("HEADLIGHT_MODELS", value, command, (0, 2))
        for kind in ("a file", "a pipe", "unreadable", "read-only"):
            yield "%s where HEADLIGHT_MODELS is %s" % (command, kind), _folder(kind, "HEADLIGHT_MODELS", command)
        yield command + " without any variable", _nothing(command)
        yield command + " in a folder that is gone", _gone(command)
        for limit in LIMITS:
            yield "%s with the limit %s" % (command, limit), _limit(limit, command)


TELLING = ("render with QT_QPA_PLATFORM='xcb'", "window with QT_QPA_PLATFORM='xcb'", "window with QT_QPA_PLATFORM='nonsense'",
           "render with QT_FONT_DPI='5'", "window with QT_FONT_DPI='nan'", "render with QT_SCALE_FACTOR='100000'",
           "window with DISPLAY=':99'", "window with WAYLAND_DISPLAY='wayland-99'", "window with QT_SCALE_FACTOR='0'",
           "render with HOME=''", "window where HOME is a file", "run in a folder that is gone", "window in a folder that is gone",
           "inspect with LC_ALL='de_DE.UTF-8'", "render without any variable", "run with the limit --nofile=4",
           "run with HEADLIGHT_MODELS=b'\\xff\\xfe'", "render where TMPDIR is a file")


def telling(_):
    known = dict(_all())
    for what in TELLING:
        yield what, known[what]


def drawn(_, random):
    known = nasty.walked(random, _all())
    while True:
        yield from itertools.islice(known, 7)
        name, text = random.choice(list(VARIABLES)), nasty.drawn_text(random)
        yield "render with %s=%a" % (name, text[:40]), _with(name, text, "render", (0, 2))
