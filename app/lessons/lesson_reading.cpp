// Reading a lesson with distrust: sizes, kinds and names of everything, with the line of what is wrong.

#include <algorithm>

#include "app/lessons/json_lines.h"
#include "app/lessons/lesson.h"
#include "app/lessons/lesson_values.h"
#include "app/lessons/lesson_words.h"
#include "model/core/json_library.h"
#include "model/experiments/experiment.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/text/nearest.h"
#include "model/text/utf8.h"

namespace headlight {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxLessonBytes = 1 << 20, kMaxSteps = 60, kMaxConditions = 20, kMaxPoints = 200,
                      kMaxRecorded = 2000, kMaxSeries = 8;
constexpr JsonLimits kLimits{.depth = 32, .keys = 20'000, .values = 60'000};
constexpr std::array kStateKeys = {"model",  "source", "target", "prefix",    "chat",   "settings",
                                   "decode", "seed",   "edits",  "selection", "window", "views"};

Json whole_decode() {
  return {{"kind", "greedy"}, {"temperature", 1.0},     {"top_k", 0},  {"top_p", 1.0},
          {"beam_width", 4},  {"alpha", 0.0},           {"beta", 0.0}, {"length_norm", "wu16"},
          {"min_length", 0},  {"stop", "best_possible"}};
}

class Reader : private LessonValues {
 public:
  Reader(Lesson& lesson, std::string file) : lesson_(lesson), file_(std::move(file)) {}

  void read(const Json& json) {
    const Settings all(json, file_);
    if (!all.has("headlight_lesson")) all.fail("headlight_lesson", "missing; this is no lesson of Headlight");
    const std::int64_t version = all.integer("headlight_lesson", 1, 1'000'000);
    if (version > kLessonVersion)
      all.fail("headlight_lesson",
               "expected 1, found " + std::to_string(version) + "; this lesson was made by a newer Headlight");
    all.allow_only({"headlight_lesson", "order", "minutes", "claims", "corrects", "sources", "steps"});
    lesson_.order = static_cast<int>(all.integer("order", 1, 1000, 1));
    lesson_.minutes = static_cast<int>(all.integer("minutes", 1, 240));
    lesson_.claims = names(all, "claims");
    lesson_.corrects = names(all, "corrects");
    if (all.has("sources") && all.at("sources").is_object()) {
      const Settings inside = all.object("sources");
      lesson_.sources[kLessonLanguages[0]];
      for (const auto& [language, list] : all.at("sources").items()) {
        if (!is_language(language)) inside.fail(language.substr(0, 60), "expected a language, like 'en'");
        lesson_.sources[language] = texts(inside, language.c_str(), 300);
      }
    } else {
      lesson_.sources[kLessonLanguages[0]] = texts(all, "sources", 300);
    }
    const Json& steps = list(all, "steps", 1, kMaxSteps);
    for (std::size_t i = 0; i < steps.size(); ++i) read_step(steps[i], "steps[" + std::to_string(i) + "]");
  }

 private:
  std::vector<Expectation> expectations(const Settings& at, const char* key, const std::string& where) const {
    std::vector<Expectation> found;
    if (!at.has(key)) return found;
    const Json& all = list(at, key, 0, kMaxConditions);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::string name = std::string(key) + "[" + std::to_string(i) + "]";
      if (all[i].is_string()) {
        found.push_back({parsed(at, name, all[i].get<std::string>()), false, {}});
        continue;
      }
      const Settings each(all[i], file_, where + "." + name);
      each.allow_only({"that", "general", "claim"});
      found.push_back({parsed(each, "that", each.text("that")), flag(each, "general"), text(each, "claim", 40)});
      if (each.has("claim") && !is_name(found.back().claim))
        each.fail("claim", "expected a name of letters, digits and '-'");
    }
    return found;
  }

  // --- states

  // `change` on top of `before`.
  Json changed(Json before, const Settings& at, const char* key) const {
    const Json& change = at.at(key);
    const Settings inside = at.object(key);
    for (const auto& [name, value] : change.items())
      if (std::ranges::find(kStateKeys, name) == kStateKeys.end()) {
        const std::vector<std::string> known(kStateKeys.begin(), kStateKeys.end());
        inside.fail(name, "a state has no such key" + did_you_mean_or("keys: ", name, known));
      }
    if (change.contains("model")) {
      check_model(inside.object("model"));
      // As in the window: another model is run untouched.
      if (before.contains("model") && before["model"] != change["model"])
        for (const char* gone : {"settings", "edits", "decode", "target", "prefix", "chat", "selection", "seed"})
          before.erase(gone);
    }
    for (const auto& [name, value] : change.items()) {
      if (value.is_null())
        before.erase(name);
      else
        before[name] = value;
    }
    return before;
  }

  void check_model(const Settings& model) const {
    model.allow_only({"name", "relative", "folder", "sha256"});
    const std::string name = text(model, "name", 200), relative = text(model, "relative", 200);
    model.at("name");
    if (!text(model, "folder", 4096).empty())
      model.fail("folder", "a lesson names a bundled model, or one in its own folder (relative)");
    if (name.empty() || name.find('/') != std::string::npos)
      model.fail("name", "expected the name of a bundled model, found '" + name.substr(0, 60) + "'");
    if (!relative.empty()) check_folder(model, "relative", relative);
  }
  void check_folder(const Settings& at, const char* key, const std::string& relative) const {
    try {
      folder_in(lesson_.folder, relative);
    } catch (const FileError& error) {
      at.fail(key, error.what());
    }
  }

  SessionState state(Json json, const std::string& where) const {
    json["model"]["folder"] = "";
    if (!json.contains("source")) throw FormatError(file_ + ": " + where + ".source: missing");
    Json decode = whole_decode();
    if (json.contains("decode") && json["decode"].is_object())
      for (const auto& [key, value] : json["decode"].items()) decode[key] = value;
    if (!json.contains("decode") || json["decode"].is_object()) json["decode"] = decode;
    for (const char* key : {"settings", "selection", "window", "views"})
      if (!json.contains(key)) json[key] = Json::object();
    if (!json.contains("edits")) json["edits"] = Json::array();
    if (!json.contains("seed")) json["seed"] = 1u;
    return session_of(json, file_, where);
  }

  // --- a step

  void read_step(const Json& json, const std::string& where) {
    const Settings at(json, file_, where);
    LessonStep step;
    step.id = text(at, "id", 40);
    if (!is_name(step.id))
      at.fail("id", "expected a name of letters, digits and '-', found '" + step.id.substr(0, 60) + "'");
    if (lesson_.step(step.id) >= 0) at.fail("id", "the step '" + step.id + "' is there twice");
    static const std::vector<std::string> kinds = {"show", "predict", "do", "chart", "card", "train", "scrub"};
    step.kind = static_cast<LessonStep::Kind>(std::ranges::find(kinds, word(at, "kind", kinds, "?")) - kinds.begin());
    check_keys(at, step.kind);
    Json json_state = before_;
    if (at.has("from")) {
      const std::string from = at.text("from");
      if (!states_.contains(from)) at.fail("from", "there is no earlier step '" + from.substr(0, 60) + "'");
      json_state = states_[from];
    }
    if (at.has("state")) json_state = changed(std::move(json_state), at, "state");
    if (!json_state.empty()) {
      if (!json_state.contains("model")) at.fail("state", "expected 'model' in the first state of a lesson");
      step.state = state(json_state, where + ".state");
    }
    before_ = json_state;
    states_[step.id] = json_state;
    step.view = text(at, "view", 40);
    step.arrangement = word(at, "arrangement", {"look", "explain", "change", "compare"});
    step.side = names(at, "side");
    step.below = names(at, "below");
    step.select = expression(at, "select");
    step.spotlight = expression(at, "spotlight");
    step.closed = expression(at, "closed");
    step.expect = expectations(at, "expect", where);
    step.then = expectations(at, "then", where);
    step.values = named(at, "values");
    step.has_answer = step.kind == LessonStep::Kind::train || (step.trains() && at.has("answer"));
    if (step.asks()) read_answer(at.object("answer"), step.answer);
    if (step.trains()) read_training(at, step.training);
    if (step.kind == LessonStep::Kind::act) {
      step.done = parsed(at, "done", at.text("done"));
      at.object("solution");
      step.solution = state(changed(json_state, at, "solution"), where + ".solution");
    }
    if (step.kind == LessonStep::Kind::chart) read_chart(at.object("chart"), json_state, where + ".chart", step.chart);
    const bool of_numbers = step.kind == LessonStep::Kind::chart && step.chart.slides();
    if (!step.state && ((!step.expect.empty() && !of_numbers && !step.trains()) || step.kind == LessonStep::Kind::act))
      at.fail("state", "a step with conditions needs a model and a source");
    check_names(at, step);
    lesson_.steps.push_back(std::move(step));
  }

  static void check_keys(const Settings& at, LessonStep::Kind kind) {
    // One list of all keys would let a step have what it never uses.
    switch (kind) {
      case LessonStep::Kind::predict:
        return at.allow_only({"id", "kind", "state", "from", "view", "arrangement", "side", "below", "select",
                              "spotlight", "expect", "values", "answer", "closed"});
      case LessonStep::Kind::act:
        return at.allow_only({"id", "kind", "state", "from", "view", "arrangement", "side", "below", "select",
                              "spotlight", "expect", "values", "done", "solution", "then"});
      case LessonStep::Kind::chart:
        return at.allow_only({"id", "kind", "state", "from", "view", "arrangement", "side", "below", "select",
                              "spotlight", "expect", "values", "chart"});
      case LessonStep::Kind::train:
      case LessonStep::Kind::scrub:
        return at.allow_only({"id", "kind", "state", "from", "expect", "values", "answer", "recording", "thin",
                              "preset", "to", "before", "probe", "curves", "together"});
      default:
        return at.allow_only({"id", "kind", "state", "from", "view", "arrangement", "side", "below", "select",
                              "spotlight", "expect", "values"});
    }
  }

  // A bundled model, or "./FOLDER" in the lesson's own.
  void check_model_name(const Settings& at, const char* key, const std::string& name) const {
    if (name.starts_with("./")) return check_folder(at, key, name.substr(2));
    if (name.find('/') != std::string::npos)
      at.fail(key, "expected the name of a bundled model, or \"./FOLDER\" in the lesson's own, found '" +
                       name.substr(0, 60) + "'");
  }

  // at("id") names a step that is there already; done_at one that is done.
  void check_names(const Settings& at, const LessonStep& step) const {
    const auto check = [&](const Expression& expression) {
      for (const char* function : {"exact_match", "error_rate"})
        for (const std::string& model : expression.named_in(function)) check_model_name(at, "id", model);
      for (const char* function : {"at", "done_at"})
        for (const std::string& id : expression.named_in(function)) {
          if (id == step.id && (function == std::string("at") ? step.state.has_value() : step.solution.has_value()))
            continue;
          const int other = lesson_.step(id);
          std::vector<std::string> known;
          for (const LessonStep& each : lesson_.steps) known.push_back(each.id);
          if (other < 0)
            at.fail("id", "no step before '" + step.id + "' is called '" + id + "'" + did_you_mean(id, known));
          if (function == std::string("done_at") && !lesson_.steps[static_cast<std::size_t>(other)].solution)
            at.fail("id", "the step '" + id + "' has nothing to do");
        }
      for (const std::string& name : expression.named_in("trained")) check_recording(at, "id", name);
      if (!step.asks() && expression.uses("answer")) at.fail("id", "the step '" + step.id + "' asks for no answer");
      if (step.kind != LessonStep::Kind::chart && !expression.named_in("y").empty())
        at.fail("id", "the step '" + step.id + "' has no chart");
    };
    const auto check_outside = [&](const Expression& expression) {
      check(expression);
      check_sliders(at, "id", expression, step.chart);
      if (!expression.named_in("slider").empty()) at.fail("id", "only the y of a chart can name its sliders");
    };
    for (const Expression* each : {&step.select, &step.spotlight, &step.closed, &step.done, &step.answer.truth,
                                   &step.answer.weights, &step.answer.over, &step.training.to, &step.training.before})
      check_outside(*each);
    for (const NamedExpression& each : step.answer.truths) check_outside(each.expression);
    const auto check_measured = [&](const Expression& expression) {
      check(expression);
      if (!expression.named_in("y").empty()) at.fail("chart", "a chart cannot ask for its own values by y()");
    };
    for (const auto* some : {&step.chart.y, &step.chart.curve.bars})
      for (const NamedExpression& each : *some) check_measured(each.expression);
    for (const LessonChart::Slider& each : step.chart.sliders) check_measured(each.start);
    for (const auto* each : {&step.expect, &step.then})
      for (const Expectation& expectation : *each) {
        check_outside(expectation.that);
        if (expectation.that.uses("answer")) at.fail("expect", "a condition must hold whatever the learner answers");
      }
    for (const NamedExpression& each : step.values) check_outside(each.expression);
  }

  // --- charts

  ChartSeries recorded_series(const Json& json, const std::string& where) const {
    const Settings at(json, file_, where);
    at.allow_only({"name", "x", "y", "labels"});
    ChartSeries series;
    series.name = text(at, "name", 80);
    for (const char* key : {"x", "y"}) {
      const Json& numbers = list(at, key, 1, kMaxRecorded);
      for (const Json& each : numbers) {
        if (!each.is_number()) at.fail(key, "expected a list of numbers");
        (key[0] == 'x' ? series.x : series.y).push_back(each.get<double>());
      }
    }
    if (series.x.size() != series.y.size()) at.fail("y", "expected as many numbers as x has");
    series.labels = texts_of(at, "labels", series.x.size());
    return series;
  }
  std::vector<std::string> texts_of(const Settings& at, const char* key, std::size_t count) const {
    if (!at.has(key)) return {};
    if (list(at, key, 0, kMaxRecorded).size() != count) at.fail(key, "expected one for each x");
    return at.texts(key);
  }

  LessonChart::Slider slider(const Json& json, const std::string& where) const {
    const Settings at(json, file_, where);
    at.allow_only({"name", "from", "to", "step", "start"});
    LessonChart::Slider made;
    made.name = text(at, "name", 40);
    if (!is_name(made.name)) at.fail("name", "expected a name of letters, digits and '-'");
    read_range(at, made);
    check_range(at, made);
    made.start = parsed(at, "start", at.text("start"));
    return made;
  }

  static void check_sliders(const Settings& at, const char* key, const Expression& expression,
                            const LessonChart& chart) {
    for (const char* function : {"slider", "slid"})
      for (const std::string& name : expression.named_in(function))
        if (std::ranges::find(chart.sliders, name, &LessonChart::Slider::name) == chart.sliders.end())
          at.fail(key, "there is no slider '" + name.substr(0, 60) + "'");
  }

  void read_sliders(const Settings& at, const std::string& where, LessonChart& chart) const {
    const Json& all = list(at, "sliders", 1, kMaxSeries);
    for (std::size_t i = 0; i < all.size(); ++i)
      chart.sliders.push_back(slider(all[i], where + ".sliders[" + std::to_string(i) + "]"));
    for (const LessonChart::Slider& each : chart.sliders)
      if (std::ranges::count(chart.sliders, each.name, &LessonChart::Slider::name) > 1)
        at.fail("sliders", "the slider '" + each.name + "' is there twice");
  }

  void read_chart(const Settings& at, const Json& before, const std::string& where, LessonChart& chart) const {
    using Measure = LessonChart::Measure;
    static const std::vector<std::string> measures = {"exact_match", "time",       "sweep",   "seeds",
                                                      "tokens",      "experiment", "sliders", "curve"};
    chart.measure =
        static_cast<Measure>(std::ranges::find(measures, word(at, "measure", measures, "?")) - measures.begin());
    chart.seconds = number(at, "seconds", 0.1, 120, 20);
    if (at.has("recorded")) {
      const Settings recorded = at.object("recorded");
      recorded.allow_only({"series", "machine"});
      const Json& all = list(recorded, "series", 1, kMaxSeries);
      for (std::size_t i = 0; i < all.size(); ++i)
        chart.recorded.push_back(recorded_series(all[i], where + ".recorded.series[" + std::to_string(i) + "]"));
      chart.machine = text(recorded, "machine", 120);
    }
    switch (chart.measure) {
      case Measure::exact_match:
      case Measure::time:
        at.allow_only({"measure", "seconds", "recorded", "models", "examples", "task", "lengths", "repeats"});
        list(at, "models", 1, 6);
        chart.models = texts(at, "models", 200);
        for (const std::string& model : chart.models) check_model_name(at, "models", model);
        chart.examples = static_cast<int>(at.integer("examples", 1, 2000, 60));
        chart.task = text(at, "task", 40);
        chart.repeats = static_cast<int>(at.integer("repeats", 1, 20, 3));
        if (chart.measure == Measure::time) {
          for (const Json& each : list(at, "lengths", 2, 40)) {
            if (!each.is_number_integer() || each.get<int>() < 1 || each.get<int>() > 512)
              at.fail("lengths", "expected whole numbers from 1 to 512");
            chart.lengths.push_back(each.get<int>());
          }
        }
        break;
      case Measure::sweep: {
        at.allow_only({"measure", "seconds", "recorded", "points", "y"});
        const Json& points = list(at, "points", 2, kMaxPoints);
        for (std::size_t i = 0; i < points.size(); ++i) {
          const std::string name = where + ".points[" + std::to_string(i) + "]";
          const Settings point(points[i], file_, name);
          point.allow_only({"x", "label", "state"});
          LessonChart::Point made;
          made.x = number(point, "x", -1e9, 1e9, static_cast<double>(i));
          made.label = text(point, "label", 60);
          made.state = state(changed(before, point, "state"), name + ".state");
          chart.points.push_back(std::move(made));
        }
        break;
      }
      case Measure::seeds:
        at.allow_only({"measure", "seconds", "recorded", "runs", "bins", "y"});
        chart.runs = static_cast<int>(at.integer("runs", 2, 500, 50));
        chart.bins = static_cast<int>(at.integer("bins", 2, 100, 20));
        break;
      case Measure::tokens:
        at.allow_only({"measure", "seconds", "recorded", "of", "y"});
        chart.of_output = word(at, "of", {"source", "output"}, "source") == "output";
        break;
      case Measure::experiment: {
        at.allow_only({"measure", "seconds", "recorded", "name", "chart", "trials", "limit"});
        std::vector<std::string> known;
        for (const Experiment& row : experiments())
          if (!row.on_model) known.emplace_back(row.name);
        chart.experiment = word(at, "name", known, "?");
        chart.chart = text(at, "chart", 80);
        chart.trials = static_cast<int>(at.integer("trials", 1, 100'000, 100));
        chart.limit = static_cast<int>(at.integer("limit", 1, 4096, 64));
        break;
      }
      case Measure::sliders:
        at.allow_only({"measure", "sliders", "y"});
        read_sliders(at, where, chart);
        break;
      case Measure::curve:
        at.allow_only({"measure", "sliders", "y", "x", "data", "bars"});
        read_sliders(at, where, chart);
        read_curve(at, chart.curve);
        break;
    }
    const bool evaluates = chart.measure == Measure::sweep || chart.measure == Measure::seeds ||
                           chart.measure == Measure::tokens || chart.slides();
    if (evaluates) {
      chart.y = named(at, "y", kMaxSeries);
      if (chart.y.empty()) at.fail("y", "expected what is measured: name and expression");
      for (const auto* some : {&chart.y, &chart.curve.bars})
        for (const NamedExpression& each : *some) check_sliders(at, "y", each.expression, chart);
      // What sliders move may be numbers alone.
      if (before.empty() && !chart.slides())
        at.fail("measure", "expected a model and a source in the state of the step");
    }
    if (chart.measure == Measure::time && before.empty())
      at.fail("measure", "expected a model and a source in the state of the step");
  }

  Lesson& lesson_;
  std::string file_;
  Json before_ = Json::object();
  std::map<std::string, Json> states_;
};

// A translation that somebody is still at takes nothing from those who read the lesson in another language.
void read_languages(const fs::path& folder, Lesson& lesson) {
  for (const std::string& language : languages_in(folder)) {
    try {
      lesson.words.push_back(read_words(folder, language, lesson));
    } catch (const Error& error) {
      if (std::ranges::find(kLessonLanguages, language) != kLessonLanguages.end()) throw;
      lesson.unread[language] = error.what();
    }
  }
  if (!lesson.words.empty()) return;
  if (!lesson.unread.empty()) throw FormatError(lesson.unread.begin()->second);
  throw FileError(folder.string() + ": expected the words of the lesson in en.md or zh_CN.md");
}

}  // namespace

std::shared_ptr<const Lesson> read_lesson(const fs::path& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw FileError("there is no folder " + folder.string());
  auto lesson = std::make_shared<Lesson>();
  lesson->folder = folder;
  lesson->name = last_part(folder);
  const std::string file = (folder / "lesson.json").string(),
                    text = read_text_in(folder, "lesson.json", kMaxLessonBytes);
  try {
    Reader(*lesson, file).read(parse_json(text, file, kLimits));
  } catch (const FormatError& found) {
    throw FormatError(with_line(found.what(), file, text));
  }
  read_languages(folder, *lesson);
  return lesson;
}

}  // namespace headlight
