"""Makes a wheel of the folder that runs anywhere: wheel.py FOLDER VERSION OUT

The wheel holds the folder as it is inside the package 'headlight' (python/headlight of the sources), and a command 'headlight'
that starts the program in it.
"""
import base64
import hashlib
import os
import pathlib
import sys
import time
import zipfile

SOURCES = pathlib.Path(__file__).resolve().parents[2] / "python/headlight"
PLATFORM = "manylinux_2_36_x86_64"
METADATA = """Metadata-Version: 2.1
Name: headlight
Version: {version}
Summary: See attention models work, step by step, with every number
License: GPL-3.0-or-later
Requires-Python: >=3.9
Provides-Extra: notebook
Requires-Dist: numpy; extra == "notebook"
Classifier: Environment :: X11 Applications :: Qt
Classifier: Intended Audience :: Education
Classifier: Intended Audience :: Science/Research
Classifier: License :: OSI Approved :: GNU General Public License v3 or later (GPLv3+)
Classifier: Operating System :: POSIX :: Linux
Classifier: Topic :: Scientific/Engineering :: Artificial Intelligence
Description-Content-Type: text/plain

Headlight runs attention models on an ordinary computer and shows every number of them while one types. 'headlight' opens the
window; 'headlight --help' lists the commands; 'import headlight' calls them from a notebook (with NumPy).
"""
WHEEL = f"Wheel-Version: 1.0\nGenerator: headlight\nRoot-Is-Purelib: false\nTag: py3-none-{PLATFORM}\n"
ENTRY_POINTS = "[console_scripts]\nheadlight = headlight:main\n"


def main():
    folder, version, out = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    when = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", "315532800")), 315532800))[:6]
    info = f"headlight-{version}.dist-info"
    files = {"headlight/version.py": (f'VERSION = "{version}"\n'.encode(), 0o644)}
    for path in sorted(SOURCES.glob("*.py")):
        files["headlight/" + path.name] = (path.read_bytes(), 0o644)
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = "headlight/program/" + path.relative_to(folder).as_posix()
            files[name] = (path.read_bytes(), 0o755 if os.access(path, os.X_OK) else 0o644)
    files[f"{info}/METADATA"] = (METADATA.format(version=version).encode(), 0o644)
    files[f"{info}/WHEEL"] = (WHEEL.encode(), 0o644)
    files[f"{info}/entry_points.txt"] = (ENTRY_POINTS.encode(), 0o644)
    record = ""
    for name, (content, _) in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = ((record + f"{info}/RECORD,,\n").encode(), 0o644)
    made = out / f"headlight-{version}-py3-none-{PLATFORM}.whl"
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, when)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            archive.writestr(entry, content)


main()
