"""Attention that another program has computed, shown by this one."""
import atexit
import pathlib
import shutil
import subprocess
import tempfile

from .calls import HeadlightError, _folder, program, render

_KINDS = ("attentions", "encoder_attentions", "decoder_attentions", "cross_attentions")


def _array(values):
    import numpy

    for method in ("detach", "cpu", "float", "numpy"):  # of tensors
        if hasattr(values, method) and not isinstance(values, numpy.ndarray):
            values = getattr(values, method)()
    return numpy.asarray(values)


def _layers(values):
    """[layers x heads x T x T] of an array, or of one array a layer with or without a batch of one text."""
    import numpy

    if isinstance(values, (list, tuple)):
        values = [_array(each) for each in values]
        if all(each.ndim == 4 for each in values):
            if values[0].shape[0] != 1:
                raise HeadlightError(f"expected the attention of one text, found a batch of {values[0].shape[0]}")
            values = [each[0] for each in values]
        return numpy.stack(values)
    values = _array(values)
    if values.ndim in (2, 3):  # of one head, of one layer
        return values[(None,) * (4 - values.ndim)]
    if values.ndim == 5 and values.shape[0] == 1:
        return values[0]
    if values.ndim != 4:
        raise HeadlightError(f"expected attention [layers x heads x T x T], found the shape {values.shape}")
    return values


def _texts_of(tokens, ids):
    if hasattr(tokens, "convert_ids_to_tokens"):  # a tokenizer
        if ids is None:
            raise HeadlightError("expected ids= beside a tokenizer: the numbers of the tokens of the text")
        ids = _array(ids)
        return list(tokens.convert_ids_to_tokens(ids.reshape(-1).tolist()))
    return [str(each) for each in tokens]


def save(path, attentions, tokens=None, *, ids=None):
    """Writes attention as a file that `headlight FILE` opens. `attentions`: arrays, or outputs of a model of transformers."""
    import numpy

    kinds = {kind: getattr(attentions, kind) for kind in _KINDS if getattr(attentions, kind, None) is not None}
    arrays = {kind: _layers(values) for kind, values in (kinds or {"attentions": attentions}).items()}
    if isinstance(tokens, dict):  # encoder_tokens, decoder_tokens
        arrays.update({name: numpy.array(_texts_of(each, None)) for name, each in tokens.items()})
    elif tokens is not None:
        name = "encoder_tokens" if "encoder_attentions" in arrays else "tokens"
        arrays[name] = numpy.array(_texts_of(tokens, ids))
    numpy.savez(path, **arrays)


def show(attentions, tokens=None, *, ids=None, view="heads", **options):
    """Attention as a picture in the cell.

    attentions  [layers x heads x T x T], one array a layer, or the outputs of a model of transformers (output_attentions=True)
    tokens      their texts, or a tokenizer with ids=; of encoder and decoder {"encoder_tokens": …, "decoder_tokens": …}
    options     of `headlight render`: layer=4, head=2, width="3.3in", theme="dark", ending="png"
    """
    with _folder() as folder:
        path = folder / "attention.npz"
        save(path, attentions, tokens, ids=ids)
        return render(path, view=view, text_=0, **options)


def open_window(model=None, text=None, *, tokens=None, ids=None):
    """Opens the window, and goes on: with a model and a text, with a file, or with attention as show() takes it."""
    line = [str(program())]
    if model is not None and not isinstance(model, (str, pathlib.PurePath)):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)  # the window reads it as long as it is looked at
        save(folder / "attention.npz", model, tokens, ids=ids)
        model = folder / "attention.npz"
    if model is not None:
        line.append(str(model))
    if text is not None:
        line += ["--source", text]
    return subprocess.Popen(line, start_new_session=True)
