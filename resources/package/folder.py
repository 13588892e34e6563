"""Makes a folder that runs anywhere of an installed Headlight: folder.py PREFIX FOLDER

bin/headlight, lib/ (Qt and all libraries but those of the C library), plugins/ of Qt, share/ with models, lessons and fonts. Every
library is found by its place beside the program (RPATH with $ORIGIN), whatever else lies on the machine.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# What belongs to the machine: the C library, and what it loads.
OF_THE_MACHINE = re.compile(r"^(ld-linux|libc\.|libm\.|libdl\.|librt\.|libpthread\.|libresolv\.|libutil\.|libnss)")
# Of each folder of Qt's plugins, those that a program with windows, SVG and input methods loads.
PLUGINS = {
    "platforms": r"libq(xcb|offscreen|minimal|wayland-(generic|egl))\.so",
    "platforminputcontexts": r".*\.so",
    "platformthemes": r"libqxdgdesktopportal\.so",
    "imageformats": r"libq(svg|gif|jpeg)\.so",
    "iconengines": r"libqsvgicon\.so",
    "wayland-shell-integration": r".*\.so",
    "wayland-decoration-client": r".*\.so",
}
FONTS = {"Inter": r"Inter-(Regular|SemiBold|Italic)\.otf|Inter\.ttc", "DejaVuSans": r"DejaVuSans(-Bold|Mono|Mono-Bold)?\.ttf",
         "NotoSansCJK": r"NotoSansCJK-Regular\.ttc"}
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""
QT_CONF = "[Paths]\nPrefix = ..\nPlugins = plugins\nTranslations = share/qt6/translations\n"

# Of ICU's data (31 MB) Qt and the program read the normal forms, the properties, one order of sorting and the time zones. Names of
# countries and currencies in all languages, old encodings, breaks of words and rules of writing numbers stay behind: 2 MB.
ICU_UNREAD = re.compile(r".*/.*|.*\.(cnv|spp|cfu|res)|unames\.icu")
ICU_READ = re.compile(r"coll/(root\.res|ucadata\.icu|res_index\.res)|(root|res_index|pool|supplementalData|keyTypeData|likelySubtags"
                      r"|numberingSystems|zoneinfo64|metadata|timezoneTypes|windowsZones|metaZones|en|zh|zh_Hans|icuver|icustd|plurals"
                      r"|pluralRanges|dayPeriods|genderList|currencyNumericCodes|grammaticalFeatures|units|tzdbNames)\.res")
ICU_SOURCE = """.section .rodata
.globl {0}
.type {0}, @object
.balign 16
{0}: .incbin "read/{1}"
.size {0}, . - {0}
.section .note.GNU-stack, "", @progbits
"""


def shrink_icu(library):
    """Writes libicudata.so.N again with what is read."""
    version = library.name.rpartition(".")[2]
    data = f"icudt{version}l.dat"  # icupkg takes the name of the file for that of the data
    with tempfile.TemporaryDirectory() as scratch:
        def run(*command):
            return subprocess.run(command, cwd=scratch, check=True, stdout=subprocess.PIPE, text=True).stdout
        run("objcopy", "--dump-section", f".rodata={data}", os.path.abspath(library))
        names = run("icupkg", "-l", data).split()
        unread = [name for name in names if ICU_UNREAD.fullmatch(name) and not ICU_READ.fullmatch(name)]
        here = pathlib.Path(scratch)
        (here / "unread.txt").write_text("\n".join(unread) + "\n")
        (here / "read").mkdir()
        run("icupkg", "-r", "unread.txt", data, f"read/{data}")
        (here / "data.S").write_text(ICU_SOURCE.format(f"icudt{version}_dat", data))
        run("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{library.name},--build-id=none", "-o", os.path.abspath(library), "data.S")


def libraries(file):
    """Name and place of each library that a file needs, with all that these need."""
    told = subprocess.run(["ldd", file], stdout=subprocess.PIPE, check=True, text=True).stdout
    for name, place in re.findall(r"^\s+(\S+) => (\S+) \(", told, re.MULTILINE):
        if place == "not":
            raise SystemExit(f"{file} needs {name}, which is not here")
        if not OF_THE_MACHINE.match(name):
            yield name, place


def qt_path(name):
    for tool in ("qtpaths6", "/usr/lib/qt6/bin/qtpaths6", "/usr/lib/qt6/bin/qtpaths"):
        if shutil.which(tool):
            told = subprocess.run([tool, "--query", name], stdout=subprocess.PIPE, check=True, text=True)
            return pathlib.Path(told.stdout.strip())
    raise SystemExit("there is no qtpaths6: install qt6-base-dev-tools")


def main():
    prefix, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
    shutil.copytree(prefix, folder)
    shutil.rmtree(folder / "share" / "lintian", ignore_errors=True)
    library, plugins = folder / "lib", folder / "plugins"
    levels = next(library.rglob("headlight"))  # lib/headlight, or where Debian has lib/x86_64-linux-gnu
    own = sorted(levels.rglob("*.so"))  # one for each level of processors: the loader takes the best
    wanted = [folder / "bin" / "headlight", *own]
    for kind, pattern in PLUGINS.items():
        for plugin in sorted((qt_path("QT_INSTALL_PLUGINS") / kind).glob("*.so")):
            if re.fullmatch(pattern, plugin.name):
                (plugins / kind).mkdir(parents=True, exist_ok=True)
                wanted.append(pathlib.Path(shutil.copy(plugin, plugins / kind)))
    found = {}
    for file in wanted:
        found.update(libraries(file))
    for name in {file.name for file in own}:
        found.pop(name, None)
    for name, place in sorted(found.items()):
        wanted.append(pathlib.Path(shutil.copy(os.path.realpath(place), library / name)))
        if name.startswith("libicudata.so."):
            shrink_icu(wanted[-1])
    for file in wanted:
        subprocess.run(["strip", "--strip-unneeded", file], check=True)
        home = ":".join("$ORIGIN/" + os.path.relpath(place, file.parent) for place in (library, levels))
        # An RPATH goes before LD_LIBRARY_PATH, a RUNPATH behind it: another Qt must not be taken.
        subprocess.run(["patchelf", "--force-rpath", "--set-rpath", home, file], check=True)
    (folder / "bin" / "qt.conf").write_text(QT_CONF)
    translations = folder / "share" / "qt6" / "translations"
    translations.mkdir(parents=True)
    for name in ("qt_zh_CN.qm", "qtbase_zh_CN.qm"):
        if (qt_path("QT_INSTALL_TRANSLATIONS") / name).exists():
            shutil.copy(qt_path("QT_INSTALL_TRANSLATIONS") / name, translations)
    fonts = folder / "share" / "headlight" / "fonts"
    fonts.mkdir()
    (fonts / "fonts.conf").write_text(FONTS_CONF)
    for pattern in FONTS.values():
        for font in sorted(pathlib.Path("/usr/share/fonts").rglob("*")):
            if re.fullmatch(pattern, font.name):
                shutil.copy(font, fonts)
    licences = folder / "share" / "doc" / "headlight" / "libraries"
    licences.mkdir(parents=True)
    for place in sorted({os.path.realpath(place) for place in found.values()}):
        owner = subprocess.run(["dpkg-query", "-S", place], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        package = owner.split(":")[0]
        text = pathlib.Path("/usr/share/doc") / package / "copyright"
        if package and text.exists():
            shutil.copy(text, licences / package)


main()
