#include "app/lab/line/story_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <optional>

#include "app/language.h"
#include "model/recording/story.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/number_words.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

struct StoryTexts {
  Q_DECLARE_TR_FUNCTIONS(StoryTexts)
};

constexpr double kSureFrom = 0.5;  // ProbeToken: what is written in bold
constexpr double kLooksFrom = 0.5;

const ProbeRun* probe_run(const Recording& run, int probe, int moment) {
  if (moment < 0 || moment >= run.count()) return nullptr;
  const auto& runs = run.at(moment).probes;
  return probe >= 0 && probe < static_cast<int>(runs.size()) ? &runs[static_cast<std::size_t>(probe)] : nullptr;
}

// A share of attention as the squares of the picture write it: ".70", "1".
QString square_number(double share) {
  const QString text = plain_number(share, 2);
  return text == QLatin1String("1.00") ? QStringLiteral("1") : text.startsWith('0') ? text.mid(1) : text;
}

bool single_characters(const std::vector<std::string>& tokens) {
  return !tokens.empty() &&
         std::ranges::all_of(tokens, [](const std::string& token) { return from_utf8(token).toUcs4().size() == 1; });
}

std::vector<StoryWord> words_of(const ProbeRun* run, const ProbeRun* other) {
  std::vector<StoryWord> words;
  if (!run) return words;
  for (std::size_t i = 0; i < run->output.size(); ++i) {
    const ProbeToken& token = run->output[i];
    const bool same = other && i < other->output.size() && other->output[i].text == token.text;
    words.push_back({token_text(token.text).text, other && !same, token.right});
  }
  return words;
}

// The word that the sentence is about: that of the mark, else the first that changed.
std::optional<std::size_t> told_word(const Recording& run, int probe, int moment, const std::vector<StoryWord>& now) {
  for (const Mark& mark : marks(run, probe))
    if (mark.moment == moment && mark.token >= 0 && mark.token < static_cast<int>(now.size()))
      return static_cast<std::size_t>(mark.token);
  const auto changed = std::ranges::find_if(now, &StoryWord::changed);
  if (changed == now.end()) return std::nullopt;
  return static_cast<std::size_t>(changed - now.begin());
}

struct Look {
  QString at;
  double share = 0;
};
// Where a word of the output looks most; nothing where the rows of the map are not the words that were written.
std::optional<Look> look_of(const Probe& probe, const ProbeRun& run, int map, std::size_t word) {
  if (map < 0 || map >= static_cast<int>(run.attention.size())) return std::nullopt;
  const Tensor& weights = run.attention[static_cast<std::size_t>(map)];
  if (weights.rank() != 2 || weights.dim(0) != static_cast<Index>(run.output.size()) ||
      weights.dim(1) != static_cast<Index>(probe.source_tokens.size()) || probe.source_tokens.empty())
    return std::nullopt;
  std::size_t most = 0;
  const auto at = [&](std::size_t column) {
    return static_cast<double>(weights[static_cast<Index>(word) * weights.dim(1) + static_cast<Index>(column)]);
  };
  for (std::size_t column = 1; column < probe.source_tokens.size(); ++column)
    if (at(column) > at(most)) most = column;
  return Look{token_text(probe.source_tokens[most]).text, at(most)};
}

QString sure_sentence(const QString& word, double probability, const std::optional<Look>& look) {
  const bool sure = probability >= kSureFrom;
  const QString chance = share_percent(probability);
  if (!look)
    return (sure ? StoryTexts::tr("%1 is sure: %2.") : StoryTexts::tr("%1 is still unsure: %2."))
        .arg(in_quotes(word), chance);
  const bool looks = look->share >= kLooksFrom;
  const QString text = looks  ? sure ? StoryTexts::tr("%1 looks at %2 %3 and is sure: %4.")
                                     : StoryTexts::tr("%1 looks at %2 %3 and is still unsure: %4.")
                        : sure ? StoryTexts::tr("%1 looks at several words, most at %2 %3, and is sure: %4.")
                              : StoryTexts::tr("%1 looks at several words, most at %2 %3, and is still unsure: %4.");
  return text.arg(in_quotes(word), in_quotes(look->at), square_number(look->share), chance);
}

QString told(const Recording& run, int probe, int map, int moment, const Story& story) {
  const ProbeRun* now = probe_run(run, probe, moment);
  if (!now) return {};
  if (story.first) return StoryTexts::tr("Untrained: what it writes is chance.");
  const auto word = told_word(run, probe, moment, story.now);
  if (!word)
    return story.before.size() == story.now.size() ? StoryTexts::tr("Its words are the same as a moment before.")
                                                   : StoryTexts::tr("It writes fewer words than a moment before.");
  const ProbeToken& token = now->output[*word];
  const QString text = token_text(token.text).text;
  const QString sure =
      sure_sentence(text, token.probability, look_of(run.probes[static_cast<std::size_t>(probe)], *now, map, *word));
  return token.right ? sure : StoryTexts::tr("%1 %2 is not right.").arg(sure, in_quotes(text));
}

}  // namespace

QString grouped_number(double count) {
  return QLocale(current_language()).toString(static_cast<qlonglong>(std::llround(count)));
}

QString read_words(const Recording& run, double read) {
  const bool characters = run.settings.task == "text";
  return (characters ? StoryTexts::tr("%1 characters read") : StoryTexts::tr("%1 sentences read"))
      .arg(grouped_number(read));
}

QString seconds_words(double seconds) {
  if (seconds < 60) return StoryTexts::tr("%1 s").arg(plain_number(seconds, seconds < 10 ? 1 : 0));
  const qlonglong whole = std::llround(seconds);
  return StoryTexts::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}

QString share_words(double share) { return std::isnan(share) ? QStringLiteral("–") : share_percent(share); }

QString looking_words(bool links_known) {
  return links_known ? StoryTexts::tr("looks at the right word") : StoryTexts::tr("how concentrated it looks");
}

QString side_name(const LabShown& shown, int side) {
  const auto& runs = shown.runs();
  const Recording& run = *runs[static_cast<std::size_t>(side)];
  if (runs.size() < 2) return StoryTexts::tr("seed %1").arg(run.settings.seed);
  const Recording& other = *runs[static_cast<std::size_t>(1 - side)];
  if (runs[0] == runs[1]) return side == 0 ? StoryTexts::tr("then") : StoryTexts::tr("now");
  if (run.title != other.title) return from_utf8(run.title);
  if (run.settings.seed != other.settings.seed) return StoryTexts::tr("seed %1").arg(run.settings.seed);
  return side == 0 ? StoryTexts::tr("left") : StoryTexts::tr("right");
}

QString moment_sentence(const LabShown& shown, int side, int moment) {
  const Recording& run = *shown.runs()[static_cast<std::size_t>(side)];
  const int at = moment < 0 ? shown.moment(side) : moment;
  const Moment& now = run.at(at);
  QStringList parts;
  if (shown.runs().size() > 1) parts << side_name(shown, side);
  parts << read_words(run, static_cast<double>(now.read));
  if (is_measured(now.right_unseen))
    parts << StoryTexts::tr("right on unseen %1").arg(share_words(now.right_unseen));
  else if (is_measured(now.perplexity))
    parts << StoryTexts::tr("perplexity %1").arg(short_number(now.perplexity, 3));
  const QStringList words = mark_words(run, shown.probe(), at);
  if (!words.isEmpty()) parts << StoryTexts::tr("mark: %1").arg(words.join(StoryTexts::tr(", ")));
  return parts.join(StoryTexts::tr(", "));
}

QStringList mark_words(const Recording& run, int probe, int moment) {
  QStringList words;
  if (probe < 0 || probe >= static_cast<int>(run.probes.size())) return words;
  for (const Mark& mark : marks(run, probe))
    if (mark.moment == moment) words << token_text(mark.word).text;
  return words;
}

QString mark_place(const Recording& run, int probe, int moment) {
  if (probe < 0 || probe >= static_cast<int>(run.probes.size())) return {};
  const std::vector<Mark> all = marks(run, probe);
  if (all.empty()) return StoryTexts::tr("no marks yet");
  const auto before = std::ranges::count_if(all, [&](const Mark& mark) { return mark.moment < moment; });
  const auto here = std::ranges::count_if(all, [&](const Mark& mark) { return mark.moment == moment; });
  const QString of = QString::number(all.size());
  if (here == 1) return StoryTexts::tr("mark %1 of %2").arg(QString::number(before + 1), of);
  if (here > 1)
    return StoryTexts::tr("marks %1 to %2 of %3").arg(QString::number(before + 1), QString::number(before + here), of);
  return before == 0 ? StoryTexts::tr("before mark 1 of %1").arg(of)
                     : StoryTexts::tr("after mark %1 of %2").arg(QString::number(before), of);
}

Story story_at(const Recording& run, int probe, int map, int moment) {
  Story story;
  const ProbeRun *now = probe_run(run, probe, moment), *before = probe_run(run, probe, moment - 1);
  if (!now) return story;
  story.first = !before;
  story.now = words_of(now, before);
  story.before = words_of(before, now);
  const Probe& asked = run.probes[static_cast<std::size_t>(probe)];
  story.characters = single_characters(asked.target_tokens.empty() ? asked.source_tokens : asked.target_tokens);
  story.sentence = told(run, probe, map, moment, story);
  return story;
}

QString story_text(const std::vector<StoryWord>& words, bool characters) {
  QStringList all;
  for (const StoryWord& word : words) all << word.text;
  return all.join(characters ? QString() : QStringLiteral(" "));
}

QString problem_sentence(const Recording& run) {
  if (run.failure)
    return StoryTexts::tr(
               "From update %1 on there are no numbers any more; the loss was %2 before. A smaller learning "
               "rate often helps.")
        .arg(grouped_number(static_cast<double>(run.failure->update)), short_number(run.failure->loss_before, 2));
  return does_not_learn(run) ? StoryTexts::tr("It does not learn yet.") : QString();
}

QString failure_words(const Recording::Failure& failure) {
  return StoryTexts::tr("from here on no numbers (step %1, loss was %2)")
      .arg(grouped_number(static_cast<double>(failure.update)), short_number(failure.loss_before, 2));
}

QString layer_words(const std::string& layer) {
  if (layer == "encoder") return StoryTexts::tr("encoder");
  if (layer == "decoder") return StoryTexts::tr("decoder");
  if (layer == "attention") return StoryTexts::tr("attention");
  if (layer == "output") return StoryTexts::tr("output");
  return from_utf8(layer);
}

}  // namespace headlight
