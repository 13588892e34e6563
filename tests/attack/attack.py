#!/usr/bin/env python3
"""Attacks the finished program from outside: what it is given, finds or runs into may not break it.

    tests/attack/attack.py build/release/headlight [SURFACE...] [--rounds N] [--seed N] [--jobs N]

Each surface first makes its most telling attacks and then, for each round, 40 that are drawn from the seed: the same
seed gives the same attacks. Every run is judged by the same rule (rules.py). A failing attack is printed with the
commands that it ran; --keep keeps its folder, --only SURFACE/NUMBER makes it alone. --quick leaves out what is drawn:
this is what the tests run. A sanitised build needs --memory 0 and a larger --budget.

As root the program runs as nobody, so that no attack can hurt the machine, and permissions mean something.
Needs Python 3.9 or newer, nothing else. What cannot be tried on a machine is said at the end.
"""

import argparse
import concurrent.futures
import itertools
import os
import random
import sys

sys.dont_write_bytecode = True
import arguments  # noqa: E402
import checkpoints  # noqa: E402
import data_files  # noqa: E402
import elsewhere  # noqa: E402
import environment  # noqa: E402
import every_byte  # noqa: E402
import folders  # noqa: E402
import foreign  # noqa: E402
import harness  # noqa: E402
import lessons  # noqa: E402
import sessions  # noqa: E402
import texts  # noqa: E402
import windows  # noqa: E402
import writing  # noqa: E402

SURFACES = {"arguments": arguments, "texts": texts, "folders": folders, "data": data_files, "sessions": sessions,
            "windows": windows, "checkpoints": checkpoints, "writing": writing, "environment": environment,
             "elsewhere": elsewhere, "foreign": foreign, "every_byte": every_byte, "lessons": lessons}
DRAWN_IN_A_ROUND = 40


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary", help="the program, for example build/release/headlight")
    parser.add_argument("surfaces", nargs="*", metavar="SURFACE", help="some of " + ", ".join(SURFACES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="each is %d attacks of every surface" % DRAWN_IN_A_ROUND)
    parser.add_argument("--quick", action="store_true", help="only the most telling attacks")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", metavar="SURFACE/NUMBER", help="one attack of a run with the same seed")
    parser.add_argument("--keep", action="store_true", help="keep the folders of failing attacks")
    parser.add_argument("--verbose", action="store_true", help="name every attack")
    parser.add_argument("--driver", help="the program that opens sessions; default: fuzz_session beside the binary")
    parser.add_argument("--memory", type=int, default=3072, help="MB of addresses that a run may have; 0: any")
    parser.add_argument("--budget", type=int, default=1024, help="MB of memory that a run may use")
    parser.add_argument("--seconds", type=int, default=20, help="of the processor, for a run; six times as many by the clock")
    options = parser.parse_args()
    unknown = [name for name in options.surfaces if name not in SURFACES]
    if unknown:
        parser.error("there is no surface '%s'; there are %s" % (unknown[0], ", ".join(SURFACES)))
    if options.only:
        options.surfaces = [options.only.split("/")[0]]
    return options


def attacks_of(world, name):
    """(id, what, act) of one surface, in the order that the seed gives."""
    options, surface = world.options, SURFACES[name]
    drawn = [] if options.quick else itertools.islice(
        surface.drawn(world, random.Random("%s/%d" % (name, options.seed))), DRAWN_IN_A_ROUND * options.rounds)
    for number, (what, act) in enumerate(itertools.chain(surface.telling(world), drawn)):
        yield "%s/%d" % (name, number), what, act


def perform(world, name, what, act):
    place = harness.Place(world, world.root / name)
    try:
        act(place)
    except Exception as error:  # an attack that breaks says nothing about the program, but must be seen
        place.complain("the attack itself fails: %s: %s" % (type(error).__name__, error))
    place.look_for_leftovers()
    if world.options.verbose:
        print("%s: %s" % (name, what), flush=True)
    return name, what, place


def report(world, name, what, place):
    """The failing attack, and how to make it again."""
    print("%s: %s" % (name, what))
    for complaint in place.complaints[:6]:
        print("    " + complaint)
    for command in place.commands[-6:]:
        print("    $ " + (command if len(command) < 1000 else command[:900] + " ..."))
    print("    again: tests/attack/attack.py %s --seed %d --only %s --keep%s" %
          (harness.shell_word(world.shown[world.binary]), world.options.seed, name,
           "   # in " + str(place.folder) if world.options.keep else ""), flush=True)


def main():
    options = read_options()
    driver = options.driver or os.path.join(os.path.dirname(os.path.abspath(options.binary)), "fuzz_session")
    world = harness.World(options.binary, driver if os.access(driver, os.X_OK) else None, options)
    total, failed = 0, 0
    try:
        for surface in options.surfaces or SURFACES:
            chosen = [a for a in attacks_of(world, surface) if options.only in (None, a[0])]
            failures = 0
            with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
                for name, what, place in pool.map(lambda a: perform(world, *a), chosen):
                    if place.complaints:
                        failures += 1
                        report(world, name, what, place)
                    if not (place.complaints and options.keep):
                        world.clean(place)
            print("%-12s %5d attacks, %d failures" % (surface, len(chosen), failures), flush=True)
            total, failed = total + len(chosen), failed + failures
    finally:
        if not (options.keep and failed):
            world.remove()
    for what in sorted(world.not_tried):
        print("not tried here: " + what)
    print("%d attacks, %d failures" % (total, failed))
    return 1 if failed or not total else 0


if __name__ == "__main__":
    sys.exit(main())
