#!/usr/bin/env python3
"""Two small texts for models of the task `text`, by grammars of our own: texts.py NAME > FILE

harbour   a harbour's log: a line for each watch, of weather, ships and people
kitchen   recipes: a line for each, of what is taken and what is done with it
The same NAME gives the same text: sample_models/texts.py harbour > resources/texts/harbour.txt
Licence of the texts: GPL-3.0-or-later, like the program.
"""

import random
import sys

LENGTH = 30_000  # characters, up to the end of a line
SEEDS = {"harbour": 11, "kitchen": 12}

WINDS = ["north wind", "south wind", "west wind", "fog", "rain", "tide"]
SHIPS = ["heron", "old maid", "white star", "grey goose", "lady of may"]
CARGO = ["salt", "timber", "barley", "wool", "tar"]
PEOPLE = ["the pilot", "the captain", "the keeper", "the cook", "a boy"]
WATCHES = ["at dawn", "at noon", "at dusk", "by night"]

STAPLES = ["flour", "butter", "sugar", "milk", "salt", "honey", "rice", "barley"]
FRUITS = ["apples", "pears", "plums", "onions", "carrots"]
VESSELS = ["a pan", "a bowl", "a deep pot"]
NUMBERS = ["two", "three", "four", "five"]
TIMES = ["for an hour", "until it is golden", "over a low fire", "while it is warm"]


def weather(draw):
    wind = draw.choice(WINDS)
    return draw.choice([f"the {wind} came in {draw.choice(['slowly', 'early', 'with the tide'])}.",
                        f"the {wind} held until {draw.choice(['noon', 'dusk', 'the bell'])}.",
                        f"no wind, and the water is {draw.choice(['grey', 'still', 'high', 'low'])}."])


def traffic(draw):
    ship, cargo = draw.choice(SHIPS), draw.choice(CARGO)
    return draw.choice([f"the {ship} came in with {cargo} and {draw.choice(CARGO)}.",
                        f"the {ship} waits for the tide with {cargo} below.",
                        f"the {ship} left for the {draw.choice(['islands', 'north', 'river'])} without her {cargo}.",
                        "no ship left, no ship came in."])


def people(draw):
    who = draw.choice(PEOPLE)
    return draw.choice([f"{who} lit the lamp and rang the bell.",
                        f"{who} saw the {draw.choice(SHIPS)} far out and said nothing.",
                        f"{who} mended the {draw.choice(['net', 'sail', 'rope', 'door'])} of the {draw.choice(SHIPS)}.",
                        f"{who} slept."])


def harbour(draw):
    parts = [draw.choice([weather, traffic, people])(draw) for _ in range(draw.randint(1, 3))]
    return f"{draw.choice(WATCHES)} " + " ".join(parts)


def kitchen(draw):
    fruit, staple, other = draw.choice(FRUITS), *draw.sample(STAPLES, 2)
    begin = draw.choice([f"take {draw.choice(NUMBERS)} {fruit} and a cup of {staple}.",
                         f"peel {draw.choice(NUMBERS)} {fruit} and cut them small.",
                         f"warm {draw.choice(VESSELS)} and melt the butter in it."])
    middle = [draw.choice([f"stir the {staple} into the {other}.",
                           f"add a spoon of {other} and cook it {draw.choice(TIMES)}.",
                           f"put the {fruit} into {draw.choice(VESSELS)} and leave it {draw.choice(TIMES)}.",
                           f"do not let the {other} burn.",
                           f"bake it {draw.choice(TIMES)}."]) for _ in range(draw.randint(1, 3))]
    end = draw.choice([f"serve it warm with {draw.choice(STAPLES)}.", "let it cool, and serve it in slices.",
                       f"eat it {draw.choice(['at once', 'the next day', 'with a spoon'])}."])
    return " ".join([begin, *middle, end])


def text(name):
    draw, line, made = random.Random(SEEDS[name]), {"harbour": harbour, "kitchen": kitchen}[name], ""
    while len(made) < LENGTH:
        made += line(draw) + "\n"
    return made


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in SEEDS:
        sys.exit(__doc__)
    sys.stdout.write(text(sys.argv[1]))
