#include "model/training/tasks/grammar_words.h"

namespace headlight::grammar {

const std::vector<Noun>& nouns() {
  constexpr unsigned kHouse = kPlace | kBuilding | kOpening;
  static const std::vector<Noun> rows = {
      {"minister", "ministers", "ministre", "ministres", 'm', kPerson},
      {"woman", "women", "femme", "femmes", 'f', kPerson},
      {"man", "men", "homme", "hommes", 'm', kPerson},
      {"girl", "girls", "fille", "filles", 'f', kPerson},
      {"boy", "boys", "garçon", "garçons", 'm', kPerson},
      {"teacher", "teachers", "professeur", "professeurs", 'm', kPerson | kOwned},
      {"doctor", "doctors", "médecin", "médecins", 'm', kPerson | kOwned},
      {"student", "students", "étudiant", "étudiants", 'm', kPerson | kOwned},
      {"friend", "friends", "ami", "amis", 'm', kPerson | kOwned},
      {"queen", "queens", "reine", "reines", 'f', kPerson},
      {"king", "kings", "roi", "rois", 'm', kPerson},
      {"farmer", "farmers", "fermier", "fermiers", 'm', kPerson},
      {"actress", "actresses", "actrice", "actrices", 'f', kPerson},
      {"judge", "judges", "juge", "juges", 'm', kPerson},
      {"dog", "dogs", "chien", "chiens", 'm', kAnimal | kOwned},
      {"cat", "cats", "chat", "chats", 'm', kAnimal | kOwned},
      {"bird", "birds", "oiseau", "oiseaux", 'm', kAnimal | kOwned},
      {"horse", "horses", "cheval", "chevaux", 'm', kAnimal | kOwned},
      {"agreement", "agreements", "accord", "accords", 'm', kText},
      {"treaty", "treaties", "traité", "traités", 'm', kText},
      {"law", "laws", "loi", "lois", 'f', kText},
      {"report", "reports", "rapport", "rapports", 'm', kText | kOwned},
      {"book", "books", "livre", "livres", 'm', kText | kThing | kOpening | kOwned},
      {"letter", "letters", "lettre", "lettres", 'f', kText | kOpening | kOwned},
      {"area", "areas", "zone", "zones", 'f', kPlace | kAbstract},
      {"market", "markets", "marché", "marchés", 'm', kPlace | kAbstract},
      {"policy", "policies", "politique", "politiques", 'f', kAbstract},
      {"company", "companies", "entreprise", "entreprises", 'f', kAbstract | kOwned},
      {"bank", "banks", "banque", "banques", 'f', kHouse | kAbstract},
      {"city", "cities", "ville", "villes", 'f', kPlace | kOwned},
      {"house", "houses", "maison", "maisons", 'f', kHouse | kThing | kOwned},
      {"school", "schools", "école", "écoles", 'f', kHouse | kOwned},
      {"church", "churches", "église", "églises", 'f', kHouse},
      {"museum", "museums", "musée", "musées", 'm', kHouse},
      {"garden", "gardens", "jardin", "jardins", 'm', kPlace | kOwned},
      {"island", "islands", "île", "îles", 'f', kPlace},
      {"river", "rivers", "rivière", "rivières", 'f', kPlace},
      {"bridge", "bridges", "pont", "ponts", 'm', kBuilding},
      {"road", "roads", "route", "routes", 'f', kBuilding},
      {"car", "cars", "voiture", "voitures", 'f', kThing | kOwned},
      {"table", "tables", "table", "tables", 'f', kThing | kOwned},
      {"picture", "pictures", "image", "images", 'f', kThing | kOwned},
      {"dress", "dresses", "robe", "robes", 'f', kThing | kOwned},
      {"hat", "hats", "chapeau", "chapeaux", 'm', kThing | kOwned},
      {"apple", "apples", "pomme", "pommes", 'f', kThing | kOwned},
      {"flower", "flowers", "fleur", "fleurs", 'f', kThing},
      {"tree", "trees", "arbre", "arbres", 'm', kThing},
      {"door", "doors", "porte", "portes", 'f', kThing | kOpening},
      {"window", "windows", "fenêtre", "fenêtres", 'f', kThing | kOpening},
  };
  return rows;
}

const std::vector<Adjective>& adjectives() {
  constexpr unsigned kConcrete = kAnimal | kPlace | kThing | kBuilding | kOpening, kPublic = kText | kAbstract;
  constexpr unsigned kColour = kAnimal | kThing;
  static const std::vector<Adjective> rows = {
      {"good", "bon", "bonne", "bons", "bonnes", true, -3, kPerson | kAnimal | kText | kThing | kAbstract},
      {"bad", "mauvais", "mauvaise", "mauvais", "mauvaises", true, -3, kPerson | kText | kAbstract},
      {"big", "grand", "grande", "grands", "grandes", true, -2, kConcrete | kAbstract},
      {"small", "petit", "petite", "petits", "petites", true, -2, kPerson | kConcrete},
      {"pretty", "joli", "jolie", "jolis", "jolies", true, -2, kConcrete},
      {"young", "jeune", "jeune", "jeunes", "jeunes", true, -1, kPerson | kAnimal},
      {"modern", "moderne", "moderne", "modernes", "modernes", false, 0, kPlace | kBuilding | kAbstract},
      {"famous", "célèbre", "célèbre", "célèbres", "célèbres", false, 0, kPerson | kText | kPlace | kBuilding},
      {"dangerous", "dangereux", "dangereuse", "dangereux", "dangereuses", false, 0, kAnimal | kPlace | kAbstract},
      {"expensive", "cher", "chère", "chers", "chères", false, 0, kThing},
      {"red", "rouge", "rouge", "rouges", "rouges", false, 1, kThing},
      {"blue", "bleu", "bleue", "bleus", "bleues", false, 1, kThing},
      {"green", "vert", "verte", "verts", "vertes", false, 1, kThing},
      {"yellow", "jaune", "jaune", "jaunes", "jaunes", false, 1, kThing},
      {"white", "blanc", "blanche", "blancs", "blanches", false, 1, kColour},
      {"black", "noir", "noire", "noirs", "noires", false, 1, kColour},
      {"european", "européen", "européenne", "européens", "européennes", false, 2, kPerson | kPlace | kPublic},
      {"french", "français", "française", "français", "françaises", false, 2, kPerson | kPlace | kThing | kPublic},
      {"german", "allemand", "allemande", "allemands", "allemandes", false, 2, kPerson | kPlace | kThing | kPublic},
      {"american", "américain", "américaine", "américains", "américaines", false, 2,
       kPerson | kPlace | kThing | kPublic},
      {"economic", "économique", "économique", "économiques", "économiques", false, 3, kPublic},
      {"public", "public", "publique", "publics", "publiques", false, 3, kPlace | kAbstract},
  };
  return rows;
}

const std::vector<Verb>& verbs() {
  constexpr unsigned kAll = ~0u & ~static_cast<unsigned>(kOwned), kVisible = kAll & ~static_cast<unsigned>(kAbstract);
  static const std::vector<Verb> rows = {
      {"sees", "see", "saw", "seen", "voit", "voient", "vu", kVisible},
      {"likes", "like", "liked", "liked", "aime", "aiment", "aimé", kVisible},
      {"finds", "find", "found", "found", "trouve", "trouvent", "trouvé", kVisible},
      {"draws", "draw", "drew", "drawn", "dessine", "dessinent", "dessiné", kPerson | kAnimal | kPlace | kThing},
      {"paints", "paint", "painted", "painted", "peint", "peignent", "peint", kPerson | kAnimal | kPlace | kThing},
      {"buys", "buy", "bought", "bought", "achète", "achètent", "acheté", kThing | kAnimal},
      {"sells", "sell", "sold", "sold", "vend", "vendent", "vendu", kThing | kAnimal},
      {"wants", "want", "wanted", "wanted", "veut", "veulent", "voulu", kThing | kAnimal},
      {"loses", "lose", "lost", "lost", "perd", "perdent", "perdu", kThing | kAnimal},
      {"shows", "show", "showed", "shown", "montre", "montrent", "montré", kThing | kText | kPlace},
      {"reads", "read", "read", "read", "lit", "lisent", "lu", kText},
      {"signs", "sign", "signed", "signed", "signe", "signent", "signé", kText},
      {"visits", "visit", "visited", "visited", "visite", "visitent", "visité", kPlace},
      {"builds", "build", "built", "built", "construit", "construisent", "construit", kBuilding},
      {"opens", "open", "opened", "opened", "ouvre", "ouvrent", "ouvert", kOpening},
      {"closes", "close", "closed", "closed", "ferme", "ferment", "fermé", kOpening},
  };
  return rows;
}

const std::vector<Month>& months() {
  static const std::vector<Month> rows = {{"january", "janvier"}, {"february", "février"},  {"march", "mars"},
                                          {"april", "avril"},     {"may", "mai"},           {"june", "juin"},
                                          {"july", "juillet"},    {"august", "août"},       {"september", "septembre"},
                                          {"october", "octobre"}, {"november", "novembre"}, {"december", "décembre"}};
  return rows;
}

}  // namespace headlight::grammar
