#!/usr/bin/env python3
"""The sentences of a class, English and German, a pair a line: class_sentences.py > FILE

540 of the 6,912 sentences that the words below make, drawn once (every tenth is held out by the task `pairs`). In German
the verb moves: behind "heute" in front of the subject, and with "gestern" to the end of the sentence. The sentence that
trainings are asked (PROBE) is never among them.
"""
import itertools
import random

PROBE = "yesterday anna saw the old house"
SUBJECTS = [("anna", "anna"), ("tom", "tom"), ("my brother", "mein bruder"), ("our teacher", "unsere lehrerin"),
            ("mia", "mia"), ("paul", "paul"), ("the girl", "das mädchen"), ("the child", "das kind")]
VERBS = [("sees", "saw", "sieht", "gesehen"), ("buys", "bought", "kauft", "gekauft"),
         ("paints", "painted", "malt", "gemalt"), ("finds", "found", "findet", "gefunden"),
         ("sells", "sold", "verkauft", "verkauft"), ("brings", "brought", "bringt", "gebracht")]
ADJECTIVES = [("old", "alte"), ("red", "rote"), ("small", "kleine"), ("new", "neue"), ("cold", "kalte"),
              ("green", "grüne")]
THINGS = [("house", "haus"), ("car", "auto"), ("book", "buch"), ("picture", "bild"), ("boat", "boot"),
          ("horse", "pferd"), ("bread", "brot"), ("bicycle", "fahrrad")]


def pair(subject, time, verb, adjective, thing):
    (who, wer), (now, past, jetzt, war) = subject, verb
    what, was = f"the {adjective[0]} {thing[0]}", f"das {adjective[1]} {thing[1]}"
    if time == "today":
        return f"today {who} {now} {what}", f"heute {jetzt} {wer} {was}"
    if time == "yesterday":
        return f"yesterday {who} {past} {what}", f"gestern hat {wer} {was} {war}"
    return f"{who} {now} {what}", f"{wer} {jetzt} {was}"


def sentences(count=540, seed=1):
    every = [pair(*each) for each in itertools.product(SUBJECTS, ["", "today", "yesterday"], VERBS, ADJECTIVES, THINGS)]
    every = [each for each in every if each[0] != PROBE]
    random.Random(seed).shuffle(every)
    return every[:count]


if __name__ == "__main__":
    for english, german in sentences():
        print(english, german, sep="\t")
