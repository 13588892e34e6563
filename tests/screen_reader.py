#!/usr/bin/python3
"""Reads the window as a screen reader does: over AT-SPI, with the keyboard alone.

    xvfb-run -a dbus-run-session -- /usr/bin/python3 tests/screen_reader.py build/release/headlight

walks a heatmap and the map cell by cell, types another text, and opens a lesson; prints all that a reader would say, and
fails where a step says nothing. Needs python3-pyatspi, at-spi2-core, dbus and xvfb.
"""
import os
import subprocess
import sys
import tempfile
import threading
import time

import dbus
import pyatspi

HEARD = []  # (what, words)


def on_event(event):
    try:
        role = event.source.getRole()
        if event.type.startswith("object:state-changed:focused") and event.detail1:
            HEARD.append(("focus", event.source.name))
        elif event.type.startswith("object:state-changed:showing") and event.detail1 and role == pyatspi.ROLE_NOTIFICATION:
            HEARD.append(("said", event.source.name))
        else:
            return
        print("  %-5s %s" % (HEARD[-1][0], HEARD[-1][1].replace("\n", " / ")), flush=True)
    except Exception as error:  # the object has gone
        print("  gone  %s" % error, flush=True)


def key(name, times=1, modifiers=()):
    for _ in range(times):
        subprocess.run(["xdotool", "key", "+".join([*modifiers, name])], check=True)
        time.sleep(0.15)


def heard_after(what, act, wait=1.0):
    before = len(HEARD)
    print(what, flush=True)
    act()
    time.sleep(wait)
    return HEARD[before:]


def fail(why):
    print("screen_reader.py: " + why)
    return 1


def walk(program, folder):
    problems = 0
    bus = dbus.SessionBus()
    status = bus.get_object("org.a11y.Bus", "/org/a11y/bus")
    properties = dbus.Interface(status, "org.freedesktop.DBus.Properties")
    for name in ("IsEnabled", "ScreenReaderEnabled"):
        properties.Set("org.a11y.Status", name, True)
    for kind in ("object:state-changed:focused", "object:state-changed:showing"):
        pyatspi.Registry.registerEventListener(on_event, kind)
    loop = threading.Thread(target=pyatspi.Registry.start, daemon=True)
    loop.start()
    environment = dict(os.environ, QT_LINUX_ACCESSIBILITY_ALWAYS_ON="1", QT_QPA_PLATFORM="xcb", HOME=folder,
                       XDG_CONFIG_HOME=folder, XDG_DATA_HOME=folder, LANG="C.UTF-8")
    window = subprocess.Popen([program, "date-attention"], env=environment)
    try:
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name", "Headlight"],
                               capture_output=True, text=True, timeout=60).stdout.split()
        time.sleep(3)
        subprocess.run(["xdotool", "windowfocus", found[-1]])
        time.sleep(1)

        def type_text():
            key("l", modifiers=["ctrl"])
            subprocess.run(["xdotool", "type", "--delay", "60", "may 5, 2001"], check=True)
        said = heard_after("another text:", type_text, 2.5)
        if not any(kind == "said" and "2001-05-05" in words for kind, words in said):
            problems += fail("the new output was not said")
        # Its name says that the keyboard is there; then each arrow key says a place.
        for number, view, begins in (("1", "alignment", "Heatmap"), ("9", "map", "Where each output")):
            def into(number=number, begins=begins):
                key(number, modifiers=["alt"])
                time.sleep(1.5)
                key("l", modifiers=["ctrl"])
                for _ in range(30):
                    key("Tab")
                    time.sleep(0.4)
                    if any(words.startswith(begins) and ("," in words or "of" in words) for _, words in HEARD[-2:]):
                        return
            heard_after("into the picture (%s):" % view, into)
            steps = heard_after("down, right ten times, and down again:", lambda: (key("Down"), key("Right", 10), key("Down", 5)), 1.5)
            places = [words for kind, words in steps if kind == "focus"]
            if len(set(places)) < 6:
                problems += fail("%s: %d places were read" % (view, len(set(places))))
    finally:
        window.terminate()
        window.wait(20)
    return problems


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        sys.exit(1 if walk(sys.argv[1], home) else 0)
