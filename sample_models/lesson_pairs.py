#!/usr/bin/env python3
"""Pairs of texts for the models of lessons, one "source TAB target" a line: lesson_pairs.py KIND COUNT > FILE.tsv

repeats   a list of different words; the target walks along it: a word, the one behind it, ..., and now and then a leap
parity    letters; the target says whether the number of a's among them is odd or even
pattern   letters; the target says whether "a b c" stands in them in this order, without anything between
The same KIND and COUNT give the same lines.
"""

import random
import sys

WORDS = ["ant", "bed", "cup", "dog", "ear", "fox", "gem", "hat", "ice", "jar", "key", "leaf", "map", "nut", "oil", "pen",
         "queen", "ring", "sun", "tree"]
SHORTEST_LIST, LONGEST_LIST, STEPS, LEAP = 5, 9, 10, 0.2
LETTERS, SHORTEST_TEXT, LONGEST_TEXT = "abcdef", 6, 14
LONGEST_COUNT = 10


def repeats(draw: random.Random) -> tuple[list[str], str]:
    # `train pairs` orders a vocabulary by frequency. A decoder alone has one table for what it reads and writes, so
    # the words must have one order on both sides: each is a little rarer than the one before it.
    length = draw.randint(SHORTEST_LIST, LONGEST_LIST)
    words: list[str] = []
    while len(words) < length:
        word = draw.choices(WORDS, [0.95**i for i in range(len(WORDS))])[0]
        if word not in words:
            words.append(word)
    at, walk = draw.randrange(length), []
    for _ in range(STEPS):
        walk.append(words[at])
        at = at + 1 if at + 1 < length and draw.random() >= LEAP else draw.randrange(length)
    return words, " ".join(walk)


def parity(draw: random.Random) -> tuple[list[str], str]:
    letters = ["a" if draw.random() < 0.4 else draw.choice(LETTERS[1:]) for _ in range(draw.randint(1, LONGEST_COUNT))]
    return letters, "odd" if letters.count("a") % 2 else "even"


def pattern(draw: random.Random) -> tuple[list[str], str]:
    letters = [draw.choice(LETTERS) for _ in range(draw.randint(SHORTEST_TEXT, LONGEST_TEXT))]
    wanted = draw.random() < 0.5
    if wanted:
        at = draw.randrange(len(letters) - 2)
        letters[at:at + 3] = "abc"
    else:  # the same letters, elsewhere: which letters there are does not give it away
        for letter, at in zip("abc", draw.sample(range(len(letters)), 3)):
            letters[at] = letter
    return letters, "yes" if "abc" in "".join(letters) else "no"


def check_order(lines: list[tuple[str, str]]) -> None:
    """As `train pairs` counts: every tenth source is held out."""
    kept = [line for number, line in enumerate(lines, 1) if number % 10]
    for side in zip(*kept):
        counts = {word: 0 for word in WORDS}
        for text in side:
            for word in text.split():
                counts[word] += 1
        assert sorted(WORDS, key=lambda word: -counts[word]) == WORDS, "the words have another order: draw more lines"


def main() -> None:
    kind, count = sys.argv[1], int(sys.argv[2])
    draw = random.Random(1)
    lines: dict[str, str] = {}
    while len(lines) < count:
        source, target = globals()[kind](draw)
        lines.setdefault(" ".join(source), target)
    if kind == "repeats":
        check_order(list(lines.items()))
    for source, target in lines.items():
        print(source, target, sep="\t")


if __name__ == "__main__":
    main()
