"""Whether a file that the program wrote is whole, by the ending of its name; and safetensors, taken apart."""

import csv
import io
import json
import struct
import xml.etree.ElementTree as ElementTree
import zipfile
import zlib

from rules import strict_json


def split_safetensors(raw):
    """(header, data): the header as a dict."""
    size = struct.unpack("<Q", raw[:8])[0]
    return json.loads(raw[8:8 + size]), raw[8 + size:]


def joined_safetensors(header, data):
    """`header` is a dict or a text."""
    text = header if isinstance(header, bytes) else \
        (header if isinstance(header, str) else json.dumps(header)).encode("utf-8", "surrogatepass")
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def _png(raw):
    if raw[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("no signature")
    at, kind = 8, b""
    while kind != b"IEND":
        size, kind = struct.unpack(">I4s", raw[at:at + 8])
        if zlib.crc32(raw[at + 4:at + 8 + size]) != struct.unpack(">I", raw[at + 8 + size:at + 12 + size])[0]:
            raise ValueError("a wrong sum of " + repr(kind))
        at += 12 + size


def _pdf(raw):
    if not raw.startswith(b"%PDF-") or not raw.rstrip().endswith(b"%%EOF"):
        raise ValueError("no beginning or no end")


def _gif(raw):
    if raw[:6] not in (b"GIF89a", b"GIF87a") or raw[-1:] != b";":
        raise ValueError("no beginning or no end")


def _csv(raw):
    rows = list(csv.reader(io.StringIO(raw.decode("utf-8"), newline=""), strict=True))
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("rows of %s fields" % sorted({len(row) for row in rows})[:5])


def _npz(raw):
    with zipfile.ZipFile(io.BytesIO(raw)) as archive:
        if archive.testzip() or not archive.namelist():
            raise ValueError("no entries, or a wrong sum")
        for name in archive.namelist():
            if name == "about.json":  # tokens, and where the numbers come from
                json.loads(archive.read(name))
            elif archive.read(name)[:6] != b"\x93NUMPY":
                raise ValueError(name + " is no array")


def _safetensors(raw):
    size = struct.unpack("<Q", raw[:8])[0]
    header = strict_json(raw[8:8 + size])
    ends = [entry["data_offsets"][1] for name, entry in header.items() if name != "__metadata__"]
    if max(ends, default=0) != len(raw) - 8 - size:
        raise ValueError("the data end elsewhere")


def _svg(raw):
    if ElementTree.fromstring(raw).tag != "{http://www.w3.org/2000/svg}svg":
        raise ValueError("no picture")


KINDS = {"png": _png, "svg": _svg, "pdf": _pdf, "gif": _gif, "csv": _csv, "json": strict_json, "npz": _npz,
         "safetensors": _safetensors, "headlight": strict_json}


def fault(path, kind=None):
    """What is wrong with a file; empty: nothing."""
    try:
        with open(path, "rb") as file:
            KINDS[kind or str(path).rsplit(".", 1)[-1]](file.read())
    except (OSError, ValueError, KeyError, IndexError, struct.error, csv.Error, zipfile.BadZipFile,
            ElementTree.ParseError) as error:
        return "%s is not whole: %s" % (path, error)
    return ""
