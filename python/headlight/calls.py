"""Calls the program and reads what it has written."""
import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings


class HeadlightError(Exception):
    """What the program found wrong: one line."""


def program():
    """Path of the program: $HEADLIGHT, the one of this package, of the sources, or of the PATH."""
    here = pathlib.Path(__file__).resolve().parent
    places = [os.environ.get("HEADLIGHT"), here / "program/bin/headlight", here.parents[1] / "build/release/headlight"]
    for place in places:
        if place and os.access(place, os.X_OK) and pathlib.Path(place).is_file():
            return pathlib.Path(place)
    found = shutil.which("headlight")
    if found is None:
        raise HeadlightError("the program headlight was not found: name it in the variable HEADLIGHT")
    return pathlib.Path(found)


def main():
    os.execv(program(), ["headlight", *sys.argv[1:]])


def _arguments(options):
    """Named arguments as options of a command line."""
    line = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            line.append(option)
        elif isinstance(value, dict):  # set={"attention.score": "cosine"}
            for key, each in value.items():
                line += [option, f"{key}={each if isinstance(each, str) else json.dumps(each)}"]
        elif isinstance(value, (list, tuple)):
            for each in value:
                line += [option, str(each)]
        else:
            line.append(f"{option}={os.fspath(value) if isinstance(value, os.PathLike) else value}")
    return line


def command(name, *arguments, **options):
    """Runs `headlight NAME ARGUMENTS --OPTIONS` and returns what it prints. Its warnings become warnings."""
    line = [str(program()), name, *map(str, arguments), *_arguments(options)]
    done = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", errors="replace", check=False)
    said = [text.removeprefix("headlight: ") for text in done.stderr.splitlines() if text.startswith("headlight: ")]
    if done.returncode != 0:
        raise HeadlightError(said[-1] if said else done.stderr.strip() or f"ended with status {done.returncode}")
    for text in said:
        warnings.warn(text.removeprefix("warning: "), stacklevel=3)
    return done.stdout


@contextlib.contextmanager
def _folder():
    with tempfile.TemporaryDirectory(prefix="headlight-") as folder:
        yield pathlib.Path(folder)


def _arrays(path):
    import numpy

    with numpy.load(path) as file:
        about = json.loads(file["about.json"]) if "about.json" in file.files else {}
        return {name: file[name] for name in file.files if name != "about.json"}, about


def _write_texts(folder, texts):
    """A list of texts as a file: those of a file as they are; texts, pairs, or dicts with text, second, label, target."""
    if isinstance(texts, (str, os.PathLike)):
        return texts
    path = folder / "texts.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for text in texts:
            print(json.dumps(list(text) if isinstance(text, tuple) else text, ensure_ascii=False), file=file)
    return path


class _Arrays:
    """Arrays by their names."""

    def __init__(self, arrays, about):
        self.arrays, self.about = arrays, about

    def __getitem__(self, name):
        return self.arrays[name]

    def __contains__(self, name):
        return name in self.arrays

    def __iter__(self):
        return iter(self.arrays)

    def __len__(self):
        return len(self.arrays)

    def keys(self):
        return self.arrays.keys()


class Run(_Arrays):
    """A run: every value by its name, `tokens`, `output`, and in `about` all else that `run --json` tells."""

    @property
    def tokens(self):
        return [token["text"] if isinstance(token, dict) else token for token in self.about.get("tokens", [])]

    @property
    def output(self):
        return self.about.get("output", "")

    def __repr__(self):
        return f"<headlight.Run of {self.about.get('model')!r}: {len(self.tokens)} tokens, {len(self)} arrays>"


class Analysis(_Arrays):
    """The result of an analysis: arrays by their names, `table` (a dict for each row), `notes`, and `about`."""

    def __init__(self, arrays, about, table):
        super().__init__(arrays, about)
        self.table = table

    @property
    def notes(self):
        return self.about.get("notes", [])

    @property
    def tokens(self):
        """Of each text its tokens."""
        return [text["tokens"] for text in self.about.get("texts", [])]

    def __repr__(self):
        return f"<headlight.Analysis {self.about.get('method')}: {', '.join(self)}; {len(self.table)} rows>"


class Picture:
    """A picture, as a cell shows it. `save` writes it."""

    def __init__(self, content, ending):
        self.content, self.ending = content, ending

    def _repr_svg_(self):
        return self.content.decode("utf-8") if self.ending == "svg" else None

    def _repr_png_(self):
        return self.content if self.ending == "png" else None

    def save(self, path):
        if pathlib.Path(path).suffix.lower() != "." + self.ending:
            raise HeadlightError(f"this picture is .{self.ending}: expected a name that ends so, found {str(path)!r}")
        pathlib.Path(path).write_bytes(self.content)

    def __repr__(self):
        return f"<headlight.Picture .{self.ending}, {len(self.content)} bytes>"


def run(model, text=None, **options):
    """Runs a model (a folder, a file, or the name of a bundled one) on a text: see `headlight run --help`.

    Of a model of another library the arrays are called as its library calls them ("attentions.0", "hidden_states.0"), or
    names="headlight", names="transformer_lens". A list of texts is `analyse`, or a loop.
    """
    with _folder() as folder:
        if text is not None:
            options["source"] = text
        printed = command("run", model, dump=folder / "values.npz", json=True, **options)
        arrays, about = _arrays(folder / "values.npz")
        about.update(json.loads(printed))
        return Run(arrays, about)


def analyse(method, model, text=None, *, texts=None, **options):
    """`headlight analyse METHOD MODEL`, of one text or of a list (a file, or a list of texts, pairs or dicts).

    For example analyse("similarity", model, first, second=second)["matrix"].
    """
    with _folder() as folder:
        if text is not None:
            options["source"] = text
        if texts is not None:
            options["texts"] = _write_texts(folder, texts)
        made = json.loads(command("analyse", method, model, json=True, quiet=True, out=folder / "values.npz", **options))
        arrays, _ = _arrays(folder / "values.npz")
        table = made.pop("table")
        made.pop("arrays")
        return Analysis(arrays, made, table)


def render(model, text=None, *, view="heads", ending="svg", **options):
    """A picture of a view, for the cell: see `headlight render --help` (layer=4, head=2, width="3.3in", theme="dark")."""
    if ending not in ("svg", "png"):
        raise HeadlightError(f"expected 'svg' or 'png', found {ending!r}; headlight.command('render', …, out='x.pdf') writes files")
    with _folder() as folder:
        out = folder / ("picture." + ending)
        if text is not None:
            options["source"] = text
        if ending == "png":
            options.setdefault("scale", 2)
        command("render", model, view=view, out=out, **options)
        return Picture(out.read_bytes(), ending)


def svg(model, text=None, **options):
    """A picture of a view as SVG: rectangles and letters."""
    return render(model, text, ending="svg", **options)


def png(model, text=None, **options):
    """A picture of a view as PNG, for notebooks that are sent on."""
    return render(model, text, ending="png", **options)
