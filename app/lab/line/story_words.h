// What a moment of a training says, in words: each sentence follows from its numbers.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "app/lab/lab_shown.h"

namespace headlight {

QString grouped_number(double count);                   // "4,320"
QString read_words(const Recording& run, double read);  // "4,320 sentences read", "… characters read"
QString seconds_words(double seconds);                  // "1.1 s", "3 min 20 s"
QString share_words(double share);                      // "46 %"; not measured: "–"
// What the blue curve is: "looks at the right word", or where no links are known, "how concentrated it looks".
QString looking_words(bool links_known);
// "1": the seed of a run, or what else tells two that are beside each other apart.
QString side_name(const LabShown& shown, int side);
// "4,320 sentences read, right on unseen 46 %, mark: anna"; of two runs the side stands first. -1: where its handle is.
QString moment_sentence(const LabShown& shown, int side, int moment = -1);
// The words of the marks at a moment.
QStringList mark_words(const Recording& run, int probe, int moment);
// "mark 6 of 7", "after mark 2 of 7", "no marks yet".
QString mark_place(const Recording& run, int probe, int moment);

struct StoryWord {
  QString text;
  bool changed = false, right = true;
};
// What a person reads of the outputs at a moment and at the one before.
struct Story {
  std::vector<StoryWord> before, now;
  bool first = false;       // there is nothing before
  bool characters = false;  // written without spaces
  QString sentence;         // about the word that changed
};
Story story_at(const Recording& run, int probe, int map, int moment);
QString story_text(const std::vector<StoryWord>& words, bool characters);

// "It does not learn yet.", "From update 412 on there are no numbers …"; empty: all is well.
QString problem_sentence(const Recording& run);
// ✗ "from here on no numbers (step 412, loss was 9.3)"
QString failure_words(const Recording::Failure& failure);
QString layer_words(const std::string& layer);  // "encoder", "output layer"

}  // namespace headlight
