// A lesson: what is shown step by step, what must hold, and the words in each language (docs/lessons.md).
//
// It is a folder of texts. What a step shows is a session (session_of), its conditions are Expressions over a run.
// LessonRuns makes each run once; check_lesson() plays everything without a window. A name of the language is one of
// kNames (expression_nodes.h) and a branch of expression_evaluation.cpp, a function a row of expression_functions.cpp.
// Progress, answers and votes are written at once (LessonProgress).
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/session_file.h"
#include "app/lessons/expressions/expression.h"
#include "app/lessons/rich_text.h"

namespace headlight {

inline constexpr int kLessonVersion = 1;

struct Expectation {
  Expression that;
  bool general = false;  // also asked of a text of the user's own
  std::string claim;     // whose words say it; empty: none
};

struct NamedExpression {
  std::string name;
  Expression expression;
};

struct LessonAnswer {
  enum class Kind { choice, number, text, tokens, cells, weights, curve };
  static constexpr int kLeastPoints = 2, kMostPoints = 12;
  Kind kind = Kind::choice;
  std::vector<std::string> choices;     // ids
  std::string right;                    // of a choice: the id; empty: the first of `truths` that holds
  std::vector<NamedExpression> truths;  // of a choice
  Expression truth;                     // of all others
  double from = 0, to = 100, step = 1;  // of a number
  std::string unit;
  int longest = 40;        // of a text, in characters
  bool of_output = false;  // of tokens: steps of the output
  Expression weights;      // of tokens: what they hold is told
  int most = 12;           // of cells
  Expression over;         // of weights: the tokens that get a bar
  int points = 7;          // of a curve over a training, evenly apart
};

struct ChartSeries {
  std::string name;
  std::vector<double> x, y;
  std::vector<std::string> labels = {};  // of x; empty: numbers
};

struct LessonChart {
  enum class Measure { exact_match, time, sweep, seeds, tokens, experiment, sliders, curve };
  struct Point {
    double x = 0;
    std::string label;
    SessionState state;
  };
  // What the learner moves; `start` is evaluated in the step's run.
  struct Slider {
    std::string name;
    double from = 0, to = 1, step = 0.1;
    Expression start;
  };
  // Curves over `x` among points that are given; what is below each of them is a bar.
  struct Curve {
    double from = 0, to = 1;
    int points = 101;
    std::vector<double> data_x, data_y;
    std::vector<NamedExpression> bars;
  };
  Measure measure = Measure::sweep;
  // Whether it follows sliders.
  bool slides() const { return measure == Measure::sliders || measure == Measure::curve; }
  double seconds = 20;
  std::vector<ChartSeries> recorded;
  std::string machine;  // of the recorded result
  std::vector<std::string> models;
  std::string task;
  int examples = 60, repeats = 3, runs = 50, bins = 20, trials = 0, limit = 0;
  std::vector<int> lengths;
  std::vector<Point> points;
  std::vector<NamedExpression> y;
  std::vector<Slider> sliders;
  Curve curve;
  bool of_output = false;
  std::string experiment, chart;
};

// A training that is shown as it was recorded, at a moment of it; or two beside each other.
struct LessonTraining {
  // Where the second stands: after as many examples, where it first had 95 % right, at its end.
  enum class Together { same_moment, same_score, end };
  std::vector<std::string> recordings;  // one or two: a bundled one by its name, "./NAME.training" of the folder
  std::vector<std::string> thin;        // others of the same, as thin lines of the time line
  std::string preset;                   // with which it can be trained here; empty: it cannot
  Expression to, before;                // moments; empty: the last, and nothing is shown before the answer
  int probe = 0;
  bool curves = true;  // the time line is there; its curves would tell what a later step asks
  Together together = Together::same_moment;
};

struct LessonStep {
  enum class Kind { show, predict, act, chart, card, train, scrub };
  std::string id;
  Kind kind = Kind::show;
  std::optional<SessionState> state;  // whole; none: no model is shown
  std::string view, arrangement;      // empty: as they are
  std::vector<std::string> side, below;
  Expression select, spotlight, closed;  // may be empty
  std::vector<Expectation> expect, then;
  std::vector<NamedExpression> values;
  LessonAnswer answer;                   // of what asks
  bool has_answer = false;               // of train and scrub
  Expression done;                       // of act
  std::optional<SessionState> solution;  // of act
  LessonChart chart;
  LessonTraining training;  // of train and scrub
  bool trains() const { return kind == Kind::train || kind == Kind::scrub; }
  // Something is to be answered before it is told.
  bool asks() const { return kind == Kind::predict || has_answer; }
  // Of a chart: a question comes before it, unless it has sliders, which are what is asked for.
  bool asks_first(const struct StepWords& words) const;
};

struct LessonChoice {
  std::string id;
  RichText words;
};

// The words of one step.
struct StepWords {
  RichText text, question, reveal, teacher;
  std::vector<LessonChoice> choices;
  std::vector<RichText> hints;
  std::map<std::string, RichText> claims;
  std::map<std::string, std::string> chart;  // title, x, y, and names of series
  int line = 0;                              // of the heading
};

struct LessonWords {
  std::string language;  // en, zh_CN
  std::string file;
  std::string title, summary;
  RichText teacher;
  std::vector<StepWords> steps;  // as in Lesson::steps
};

struct Lesson {
  std::filesystem::path folder;
  std::string name;  // "why-attention/looking-back", or the folder's own
  int order = 0, minutes = 0;
  std::vector<std::string> claims, corrects;
  std::map<std::string, std::vector<std::string>> sources;  // by language, or under "en" for all
  std::vector<LessonStep> steps;
  std::vector<LessonWords> words;  // of each language that there is, at least one
  // Of languages that are neither of the interface's: what cannot be read of them is left out, and told by --check.
  std::map<std::string, std::string> unread = {};

  // In this language, else in English, else in the first there is.
  const LessonWords& in(const std::string& language) const;
  const std::vector<std::string>& sources_in(const std::string& language) const;
  int step(const std::string& id) const;  // -1: there is none
};

// Of the interface: what is bundled has both.
inline constexpr std::array<const char*, 2> kLessonLanguages = {"en", "zh_CN"};
// "de", "pt_BR": a file of words is called by its language.
bool is_language(const std::string& name);
// Those of the interface first, then the others by their names.
std::vector<std::string> languages_in(const std::filesystem::path& folder);

// Reads the whole folder. Throws FileError, or FormatError "FILE:LINE: ...": for what a session refuses, for sizes
// beyond those of docs/lessons.md, for a file outside the folder, for words that lack a step.
std::shared_ptr<const Lesson> read_lesson(const std::filesystem::path& folder);
bool is_lesson(const std::filesystem::path& folder);  // it has a lesson.json
// Whose training a step shows: its own, or of a card the last one in front of it; else a step without any.
int training_step(const Lesson& lesson, int step);
// Sections "## id: Title" of a glossary file.
struct GlossaryEntry {
  std::string id, title;
  RichText text;
};
std::vector<GlossaryEntry> read_glossary(const std::filesystem::path& file);

}  // namespace headlight
