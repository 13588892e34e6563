# Sentences of a very small English with their French, one "English TAB French" a line: what the models of this lesson were trained on.
#   python3 sentences.py 80 5 > sentences.tsv    # how many, seed; a larger number begins with the same sentences
import random
import sys

WHO = {'cat': ('chat', 0), 'dog': ('chien', 0), 'boy': ('garçon', 0), 'horse': ('cheval', 0), 'girl': ('fille', 1),
       'woman': ('femme', 1), 'mouse': ('souris', 1), 'farmer': ('fermier', 0)}
WHAT = {'book': ('livre', 0), 'garden': ('jardin', 0), 'cheese': ('fromage', 0), 'house': ('maison', 1), 'pear': ('poire', 1),
        'car': ('voiture', 1), 'table': ('table', 1), 'hat': ('chapeau', 0)}
BEFORE = {'small': ('petit', 'petite'), 'pretty': ('joli', 'jolie'), 'big': ('grand', 'grande')}
BEHIND = {'red': ('rouge', 'rouge'), 'black': ('noir', 'noire'), 'white': ('blanc', 'blanche'), 'green': ('vert', 'verte')}
VERBS = {'sees': 'voit', 'wants': 'veut', 'finds': 'trouve', 'sells': 'vend', 'hides': 'cache', 'draws': 'dessine'}


def phrase(nouns, coloured):
    noun = random.choice(list(nouns))
    french, gender = nouns[noun]
    article, articles = random.choice([('the', ('le', 'la')), ('a', ('un', 'une'))])
    read, written, kind = [article], [articles[gender]], random.random()
    if kind < .4:
        adjective = random.choice(list(BEFORE))
        return read + [adjective, noun], written + [BEFORE[adjective][gender], french]
    if kind < .8 and coloured:
        adjective = random.choice(list(BEHIND))
        return read + [adjective, noun], written + [french, BEHIND[adjective][gender]]
    return read + [noun], written + [french]


random.seed(int(sys.argv[2]))
sentences = {}
while len(sentences) < int(sys.argv[1]):
    subject, sujet = phrase(WHO, False)
    thing, objet = phrase(WHAT if random.random() < .7 else WHO, True)
    verb = random.choice(list(VERBS))
    if sujet[-1] != objet[1 if len(objet) < 3 else -1]:
        sentences[' '.join(subject + [verb] + thing)] = ' '.join(sujet + [VERBS[verb]] + objet)
for read, written in sentences.items():
    print(read + '\t' + written)
