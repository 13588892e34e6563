// evaluate: the figures that apply to a model and its task, as text or as JSON.

#include <cmath>
#include <iostream>
#include <optional>

#include "app/cli/commands.h"
#include "app/cli/interruption.h"
#include "app/cli/overrides.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/run_pretrained.h"
#include "app/cli/unused_options.h"
#include "app/messages.h"
#include "model/core/json_library.h"
#include "model/io/model_folder.h"
#include "model/training/test_data.h"

namespace headlight {

namespace {

struct Report {
  Evaluation figures;
  std::optional<Bleu> bleu;                   // of tasks with words
  std::optional<AlignmentQuality> alignment;  // of models with attention, where alignments are known
  std::vector<FieldAttention> fields;         // the same, where it is known which letters tell what
  struct Outside {
    std::string name;
    Index examples;
    double exact_match;
  };
  std::vector<Outside> outside;
  std::vector<GroupQuality> groups;  // when asked for
  std::optional<TextQuality> text;   // of a text, by character
};

Report measure(const ModelBundle& bundle, const TestData& data, bool by_length) {
  const Interruptible interruptible;
  const CancelToken& cancel = interruptible.token();
  const Model& model = *bundle.model;
  const bool reversed = model.traits().writes_reversed;
  const Dataset dataset(bundle.text, data.examples, reversed);
  Report report;
  report.figures = evaluate(model, dataset, cancel);
  if (!std::isfinite(report.figures.nll))
    throw FormatError(bundle.folder.string() +
                      ": with these weights the loss of the held-out examples is not a number");
  if (has_words(bundle.text) && !data.task->distinct_targets)
    report.bleu = evaluate_bleu(greedy_outputs(model, bundle.text, dataset, cancel), data.examples, bundle.text);
  const AlignmentQuality alignment = evaluate_alignment(model, bundle.text, data.examples, cancel);
  if (alignment.found > 0) report.alignment = alignment;
  report.fields = evaluate_fields(model, bundle.text, data.examples, cancel);
  for (const TestSet& set : data.outside)
    report.outside.push_back({set.name, static_cast<Index>(set.examples.size()),
                              evaluate(model, Dataset(bundle.text, set.examples, reversed), cancel).exact_match});
  report.text = text_quality(bundle, data, cancel);
  if (by_length) report.groups = quality_by_group(bundle, data, cancel);
  return report;
}

Json as_json(const Report& report, const ModelBundle& bundle, const TestData& data) {
  const Evaluation& e = report.figures;
  Json json{{"model", bundle.name},
            {"task", data.task->name},
            {"examples", e.examples},
            {"exact_match", e.exact_match},
            {"token_accuracy", e.token_accuracy},
            {"nll", e.nll},
            {"perplexity", std::exp(e.nll)},
            {"nll_free", e.nll_free},
            {"perplexity_free", std::exp(e.nll_free)}};
  if (report.text) {
    json["perplexity_of_a_character"] = report.text->perplexity;
    for (const NgramPerplexity& counted : report.text->counted)
      json["counted"].push_back({{"order", counted.order}, {"perplexity", counted.perplexity}});
  }
  if (report.bleu)
    json["bleu"] = {{"score", report.bleu->score},
                    {"precision", report.bleu->precision},
                    {"brevity_penalty", report.bleu->brevity_penalty},
                    {"length", report.bleu->length},
                    {"reference_length", report.bleu->reference_length},
                    {"smoothing", "exponential"}};
  if (report.alignment)
    json["alignment"] = {{"error_rate", report.alignment->error_rate()},
                         {"links", report.alignment->found},
                         {"sure_links", report.alignment->sure},
                         {"right", report.alignment->right_sure}};
  for (const FieldAttention& f : report.fields)
    json["attention_mass"].push_back({{"field", f.field}, {"mass", f.mass}, {"mass_not_0", f.mass_not_0}});
  for (const Report::Outside& set : report.outside)
    json["outside"].push_back({{"name", set.name}, {"examples", set.examples}, {"exact_match", set.exact_match}});
  for (const GroupQuality& g : report.groups)
    json["by_" + group_name(data)].push_back(
        {{group_name(data), g.group}, {"examples", g.examples}, {"exact_match", g.exact_match}});
  return json;
}

void print_text_quality(const TextQuality& text) {
  std::cout << format("  of a character  %.4f (as if so many characters were equally likely)\n", text.perplexity);
  std::cout << "  counted, of a character, from the first nine tenths of the same text\n";
  for (const NgramPerplexity& counted : text.counted)
    std::cout << format("    %d-grams       %.4f\n", counted.order, counted.perplexity);
}

void print(const Report& report, const ModelBundle& bundle, const TestData& data) {
  const Evaluation& e = report.figures;
  std::cout << format("%s on %lld held-out examples of '%s'\n", bundle.name.c_str(), static_cast<long long>(e.examples),
                      data.task->name.c_str());
  if (!data.task->open_ended)
    std::cout << format("  exact match     %.4f\n  token accuracy  %.4f\n", e.exact_match, e.token_accuracy);
  std::cout << format("  perplexity      %.5f (teacher-forced, %.5f nats a token)\n", std::exp(e.nll), e.nll);
  if (!data.task->open_ended)
    std::cout << format("                  %.5f (fed its own choices, %.5f nats a token)\n", std::exp(e.nll_free),
                        e.nll_free);
  if (report.text) print_text_quality(*report.text);
  if (const auto& b = report.bleu)
    std::cout << format(
        "  BLEU-4          %.2f (%.1f/%.1f/%.1f/%.1f, brevity penalty %.3f, %lld words for %lld; exponential "
        "smoothing)\n",
        b->score, 100 * b->precision[0], 100 * b->precision[1], 100 * b->precision[2], 100 * b->precision[3],
        b->brevity_penalty, static_cast<long long>(b->length), static_cast<long long>(b->reference_length));
  if (const auto& a = report.alignment)
    std::cout << format("  alignment error %.4f (%lld links, %lld of them right, %lld expected)\n", a->error_rate(),
                        static_cast<long long>(a->found), static_cast<long long>(a->right_sure),
                        static_cast<long long>(a->sure));
  if (!report.fields.empty())
    std::cout << "  attention mass of each digit on the letters of its own field (where the digit is no 0)\n";
  for (const FieldAttention& f : report.fields) {
    std::cout << format("    %-13s", f.field.c_str());
    for (std::size_t k = 0; k < f.mass.size(); ++k) std::cout << format(" %.4f (%.4f)", f.mass[k], f.mass_not_0[k]);
    std::cout << "\n";
  }
  for (const Report::Outside& set : report.outside)
    std::cout << format("  %-15s %.4f exact match on %lld examples from outside the range that was trained on\n",
                        set.name.c_str(), set.exact_match, static_cast<long long>(set.examples));
  if (!report.groups.empty()) std::cout << format("  %-8s  examples  exact match\n", group_name(data).c_str());
  for (const GroupQuality& g : report.groups)
    std::cout << format("  %8d  %8lld  %.4f\n", g.group, static_cast<long long>(g.examples), g.exact_match);
}

}  // namespace

int evaluate_command(const EvaluateCommand& command) {
  if (is_pretrained(command.model)) {
    const int status = evaluate_pretrained(command);
    tell_unused(command, true);
    return status;
  }
  const auto bundle = load_model(command.model);
  warn(*bundle);
  const TestData data =
      test_data(*bundle, {command.task, command.files, command.held_out, command.skip_bad_lines, command.limit});
  if (data.repeated > 0)
    warn_line(std::string("pairs that repeat another one") +
              (bundle->text.source.lower_case() ? " (capitals are read as small letters)" : "") +
              " count once: " + std::to_string(data.repeated));
  if (data.too_long > 0)
    warn_line(std::to_string(data.too_long) + " pairs are longer than what the model was trained on, and left out");
  const Report report = measure(*bundle, data, command.by_length);
  tell_unused(command, false);
  if (command.json) {
    std::cout << as_json(report, *bundle, data).dump(2) << "\n";
  } else {
    print(report, *bundle, data);
  }
  return 0;
}

}  // namespace headlight
