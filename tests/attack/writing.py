"""Whatever the program writes, where it cannot be written: full disks, folders, pipes, devices, links."""

import os
import stat
import subprocess
import threading

import formats
import nasty
from harness import TRAINING

OLD = b"what was there before\n"
RENDER = ["render", "date-dot", "--source", "may 5", "--view"]
# What writes one file; its name is put behind.
WRITERS = {
    "dump.json": ["run", "date-dot", "--source", "may 5", "--dump"], "dump.csv": ["run", "date-dot", "--source", "may 5", "--dump"],
    "dump.npz": ["run", "date-dot", "--source", "may 5", "--dump"],
    "dump.safetensors": ["run", "date-dot", "--source", "may 5", "--dump"],
    "view.png": RENDER + ["alignment", "--out"], "view.svg": RENDER + ["alignment", "--out"], "view.pdf": RENDER + ["alignment", "--out"],
    "view.csv": RENDER + ["alignment", "--out"], "window.png": RENDER + ["window", "--out"], "steps.gif": RENDER + ["alignment", "--out"],
    "curves.svg": ["compare", "date-dot", "--out"], "curves.png": ["compare", "date-dot", "--out"],
    "table.csv": ["compare", "date-dot", "--csv"]}
FOLDERS = {"training": ["train", *TRAINING, "--epochs", "1", "--out"], "experiment": [
    "experiment", "scaling", "--trials", "1", "--seeds", "1", "-q", "--out"]}


def _full(name, limit):
    """No file may grow above `limit`: a full disk. The old file stays."""
    def act(place):
        path = place.write(name, OLD)
        outcome = place.run(*WRITERS[name], name, largest_file=limit, expect=(2,), names=name)
        place.check(path.read_bytes() == OLD, "the old file is lost")
        place.check(len(os.listdir(place.folder)) == 1, "left behind: " + str(os.listdir(place.folder)))
        return outcome
    return act


def _full_folder(name, limit):
    def act(place):
        place.run(*FOLDERS[name], "out", largest_file=limit, expect=(2,))
        if (place.folder / "out" / "config.json").exists():
            place.run("inspect", "out", expect=(0,))
    return act


def _mounted(name, size):
    """The same on a small disk of its own, which only this process sees."""
    def act(place):
        disk, after = place.folder / "disk", place.folder / "after"
        disk.mkdir()
        (place.folder / "old").write_bytes(OLD)
        script = ('mount -t tmpfs -o size=%s,mode=777 none disk && cp -p old "disk/$0" && cd disk || exit 99; '
                  '"$@" "$0"; status=$?; cp -a . ../after; exit $status' % size)
        user = place.world.user
        namespace = ["unshare", "-m"] if user is not None else ["unshare", "-rm"]
        if subprocess.run([*namespace, "mount", "-t", "tmpfs", "none", str(disk)], stderr=subprocess.DEVNULL).returncode:
            return place.world.cannot_try("small disks (no right to mount)")
        # Mounting takes root, so this run keeps it; it writes nowhere else.
        outcome = place.run(*WRITERS[name], judge=False, as_root=True,
                            through=[*namespace, "sh", "-c", script, name])
        place.check(outcome.status != 99, "the disk cannot be mounted: " + outcome.message)
        place.judge(outcome, name, (2,))
        left = sorted(os.listdir(after)) if after.exists() else []
        place.check(left == [name], "on the disk stays " + str(left))
        place.check(left != [name] or (after / name).read_bytes() == OLD, "the old file is lost")
        return None
    return act


def _device(name, minor, expect):
    """A device stays a device."""
    def act(place):
        path = place.device(name, minor)
        if path is None:
            return
        place.run(*WRITERS[name], name, expect=expect, names=name)
        place.check(stat.S_ISCHR(path.lstat().st_mode), "the device was replaced")
    return act


def _pipe(name, reader):
    """A pipe stays a pipe; with a reader everything arrives, without one the program does not wait for ever."""
    def act(place):
        path = place.folder / name
        os.mkfifo(path)
        got = bytearray()

        def read():
            with open(path, "rb") as file:
                got.extend(file.read())
        thread = threading.Thread(target=read, daemon=True)
        if reader:
            thread.start()
        outcome = place.run(*WRITERS[name], name, expect=(0, 2) if reader else (2,), names=name)
        place.check(stat.S_ISFIFO(path.lstat().st_mode), "the pipe was replaced")
        if reader and outcome.status == 0:
            thread.join(10)
            copy = place.write("got." + name.rsplit(".", 1)[1], bytes(got))
            place.check(not formats.fault(copy), formats.fault(copy))
        elif reader:  # nobody wrote: the reader must not wait for ever
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
    return act


def _place(name, prepare, expect, check=None):
    """`prepare` makes something strange at the path, and returns another path to give, if any."""
    def act(place):
        given = prepare(place, place.folder / name) or name
        outcome = place.run(*WRITERS[name], given, expect=expect)
        if outcome.status == 0:
            fault = formats.fault(place.folder / given, name.rsplit(".", 1)[1])
            place.check(not fault, fault)
        if check:
            check(place, place.folder / name)
    return act


def _folder(_, path):
    path.mkdir()


def _link(place, path):
    place.write("target", OLD)
    path.symlink_to("target")


def _is_link(place, path):
    place.check(path.is_symlink(), "the link was replaced")
    place.check((place.folder / "target").exists() and (place.folder / "target").read_bytes() != OLD, "not written behind the link")


def _closed(_, path):
    path.write_bytes(OLD)
    path.parent.chmod(0o555)


def _old_stays(place, path):
    place.folder.chmod(0o755)
    place.check(path.read_bytes() == OLD, "the old file is lost")


def _private(_, path):
    path.write_bytes(OLD)
    path.chmod(0o600)


def _still_private(place, path):
    place.check(stat.S_IMODE(path.stat().st_mode) == 0o600, "the file was private, now it has %o" % stat.S_IMODE(path.stat().st_mode))


def _socket(_, path):
    import socket
    # A bound name is at most 108 bytes long, so it is bound from within.
    here = os.open(path.parent, os.O_RDONLY)
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("/proc/self/fd/%d/%s" % (here, path.name))
    os.close(here)


PLACES = {
    "a folder": (_folder, (2,), None), "a link to a file": (_link, (0,), _is_link),
    "a link to nowhere": (lambda _, path: path.symlink_to("no/where"), (2,), None),
    "a loop": (lambda _, path: path.symlink_to(path.name), (2,), None), "a closed folder": (_closed, (2,), _old_stays),
    "a private file": (_private, (0,), _still_private), "a socket": (_socket, (2,), None),
    "no folder": (lambda _, path: "no/such/" + path.name, (2,), None),
    "through a file": (lambda place, path: place.write("file", OLD) and "file/" + path.name, (2,), None),
    "a long name": (lambda _, path: "n" * 251 + path.suffix, (0, 2), None), "too long a name": (lambda _, path: "n" * 300 + path.suffix, (2,), None),
    "too long a path": (lambda _, path: "./" * 3000 + path.name, (2,), None), "a folder behind": (lambda _, path: path.name + "/", (2,), None),
    "only an ending": (lambda _, path: "." + path.name.rsplit(".", 1)[1], (0, 2), None)}


def _output(redirection, words, expect):
    """Standard output or error is full, closed or gone."""
    def act(place):
        place.run(*words, through=["sh", "-c", 'exec "$0" "$@" ' + redirection], expect=expect)
    return act


def _closed_streams(name):
    """Nothing is open: the first file must not become what is printed into."""
    def act(place):
        place.run(*WRITERS[name], name, through=["sh", "-c", 'exec "$0" "$@" <&- >&- 2>&-'], judge=False)
        path = place.folder / name
        if path.exists():
            place.check(not formats.fault(path), formats.fault(path))
    return act


def _all():
    for name in WRITERS:
        for limit in (0, 1, 100, 512):
            yield "%s on a disk that is full after %d bytes" % (name, limit), _full(name, limit)
        yield name + " on a small disk", _mounted(name, "4k")
        yield name + " on a disk without room for a file", _mounted(name, "4k,nr_inodes=3")
        yield name + " into nothing", _device(name, 3, (0,))
        yield name + " into a full device", _device(name, 7, (2,))
        yield name + " into a pipe without reader", _pipe(name, False)
        yield name + " into a pipe", _pipe(name, True)
        yield name + " with no stream open", _closed_streams(name)
        for what, (prepare, expect, check) in PLACES.items():
            yield "%s where there is %s" % (name, what), _place(name, prepare, expect, check)
    for name in FOLDERS:
        for limit in (0, 100, 1000, 5000, 12_000, 40_000):
            yield "%s on a disk that is full after %d bytes" % (name, limit), _full_folder(name, limit)
    for words in (["--help"], ["--version"], ["run", "--help"], ["inspect", "date-dot"], ["inspect", "date-dot", "--json"],
                  ["run", "date-dot", "--source", "may 5"], ["verify", "date-dot"], ["evaluate", "date-dot", "--limit", "2"],
                  ["compare", "date-dot"], ["experiment", "scaling", "-q", "--trials", "1", "--seeds", "1"],
                  ["date-dot"], ["train", *TRAINING, "--epochs", "1", "--out", "out"]):
        yield " ".join(words[:2]) + " to a full device", _output(">/dev/full", words, (2,))
        yield " ".join(words[:2]) + " with output closed", _output(">&-", words, (0, 2))
        yield " ".join(words[:2]) + " with input closed", _output("<&-", words, (0,))


TELLING = ("dump.json on a disk that is full after 100 bytes", "view.png on a disk that is full after 0 bytes",
           "table.csv on a disk that is full after 1 bytes", "steps.gif on a disk that is full after 100 bytes",
           "dump.npz on a small disk", "view.svg on a small disk", "table.csv on a small disk", "table.csv into nothing",
           "view.png into a full device", "dump.csv into nothing", "dump.json into a pipe without reader", "table.csv into a pipe",
           "dump.safetensors into a pipe", "view.pdf where there is a closed folder", "table.csv where there is a link to a file",
           "dump.npz where there is a private file", "view.csv where there is a folder", "dump.csv with no stream open",
           "training on a disk that is full after 5000 bytes", "training on a disk that is full after 0 bytes",
           "inspect date-dot to a full device", "--help to a full device")


def telling(_):
    known = dict(_all())
    for what in TELLING:
        yield what, known[what]


def drawn(_, random):
    return nasty.walked(random, _all())
