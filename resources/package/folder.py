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
    library.mkdir()
    wanted = [folder / "bin" / "headlight"]
    for kind, pattern in PLUGINS.items():
        for plugin in sorted((qt_path("QT_INSTALL_PLUGINS") / kind).glob("*.so")):
            if re.fullmatch(pattern, plugin.name):
                (plugins / kind).mkdir(parents=True, exist_ok=True)
                wanted.append(pathlib.Path(shutil.copy(plugin, plugins / kind)))
    found = {}
    for file in wanted:
        found.update(libraries(file))
    for name, place in sorted(found.items()):
        wanted.append(pathlib.Path(shutil.copy(os.path.realpath(place), library / name)))
    for file in wanted:
        subprocess.run(["strip", "--strip-unneeded", file], check=True)
        home = "$ORIGIN/" + os.path.relpath(library, file.parent)
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
