#include "app/cli/compare_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>
#include <optional>

#include "app/cli/inspect_file.h"
#include "app/cli/interruption.h"
#include "app/cli/printed/choice_text.h"
#include "app/cli/printed/text_format.h"
#include "app/cli/run_pretrained.h"
#include "app/messages.h"
#include "model/analysis/head_divergence.h"
#include "model/core/effort.h"
#include "model/core/errors.h"
#include "model/io/formats/pretrained/pretrained_models.h"
#include "model/io/tensor_statistics.h"
#include "model/text/message_line.h"

namespace headlight {

namespace {

constexpr std::size_t kPrintedHeads = 12;

// What one of the two made of the text.
struct RunOfOne {
  std::vector<TokenId> ids, target, written;
  LibraryValues values;
  Json output;
  bool writes = false;
};

const Tensor* value_of(const RunOfOne& run, const std::string& name) {
  for (const NamedTensor& value : run.values)
    if (value.name == name) return &value.value;
  return nullptr;
}

// One model is in memory at a time. `other`: the run of the first, whose text the second reads.
RunOfOne run_one(const CompareCommand& command, const std::string& path, const RunOfOne* other,
                 const CancelToken& cancel) {
  const auto model = open_pretrained(path, cancel);
  for (const std::string& note : model->notes()) say("headlight: warning: " + note);
  RunOfOne run;
  run.ids = command.ids.empty() ? numbers_of_text(path, command.source, model->vocabulary())
                                : numbers_of_option(command.ids, "--ids");
  if (other && run.ids != other->ids)
    throw UsageError("--source: the two models read this text as other tokens; --ids says which both read");
  const bool reads_output = model->kind() == ModelTraits::Kind::encoder_decoder;
  run.target = numbers_of_option(command.target_ids, "--target-ids");
  if (other) run.target = other->target;
  const auto write = [&] {
    run.written = model->continued(run.ids, command.new_tokens, cancel).ids;
    run.output = output_text(path, run.written);
  };
  run.writes = command.new_tokens > 0 && model->kind() != ModelTraits::Kind::encoder_only;
  if (reads_output && run.writes) write();
  // Of an output that nobody has given, what the first writes is what both are measured on.
  if (reads_output && !other && run.target.empty() && run.writes) {
    run.target = model->beginning(run.ids);
    if (!run.written.empty()) run.target.insert(run.target.end(), run.written.begin(), run.written.end() - 1);
  }
  run.values = model->run(run.ids, {}, run.target, cancel);
  run.writes = run.writes && value_of(run, "logits");
  if (!reads_output && run.writes) write();
  std::erase_if(run.values, [](const NamedTensor& value) {
    return value.name != "logits" && value.name.find("attentions.") == value.name.npos;
  });
  return run;
}

// log p of a row of logits.
std::vector<double> log_shares(const Tensor& logits, Index row) {
  const auto numbers = logits.matrix().row(row).cast<double>().eval();
  const double most = numbers.maxCoeff(), sum = std::log((numbers.array() - most).exp().sum());
  std::vector<double> all(static_cast<std::size_t>(numbers.size()));
  for (Index i = 0; i < numbers.size(); ++i) all[static_cast<std::size_t>(i)] = numbers(i) - most - sum;
  return all;
}

struct Positions {
  std::vector<double> kl;  // Σ p ln(p / q), p of the first
  std::vector<bool> same_best;
};

Positions positions_of(const Tensor& first, const Tensor& second) {
  if (first.shape() != second.shape())
    throw UsageError("the two models have other vocabularies: their logits are " + first.shape().text() + " and " +
                     second.shape().text());
  Positions found;
  for (Index t = 0; t < first.rows(); ++t) {
    const std::vector<double> p = log_shares(first, t), q = log_shares(second, t);
    double sum = 0;
    for (std::size_t i = 0; i < p.size(); ++i)
      if (const double share = std::exp(p[i]); share != 0) sum += share * (p[i] - q[i]);
    found.kl.push_back(sum);
    found.same_best.push_back(std::ranges::max_element(p) - p.begin() == std::ranges::max_element(q) - q.begin());
  }
  return found;
}

// The most changed first, whichever attention they are of.
std::vector<HeadDivergence> heads_apart(const RunOfOne& first, const RunOfOne& second) {
  std::vector<HeadDivergence> all = head_divergences(first.values, second.values);
  std::ranges::stable_sort(all, std::greater(), &HeadDivergence::nats);
  return all;
}

// Where what both write differs for the first time.
std::optional<std::size_t> parting(const std::vector<TokenId>& a, const std::vector<TokenId>& b) {
  const auto [at, other] = std::ranges::mismatch(a, b);
  if (at == a.end() && other == b.end()) return {};
  return static_cast<std::size_t>(at - a.begin());
}

Json tensors_apart(const std::vector<TensorDifference>& rows) {
  Json all = Json::array();
  for (const TensorDifference& row : rows) {
    const bool equal = row.state == TensorDifference::State::equal;
    Json json{{"name", escaped_line(row.name)},
              {"shape", row.shape},
              {"types", {row.type, row.other_type}},
              {"same", equal && row.type == row.other_type},
              {"what", state_text(row.state)}};
    if (!row.other_name.empty()) json["name_in_second"] = escaped_line(row.other_name);
    if (row.state == TensorDifference::State::different)
      json.update({{"rms_first", row.rms},
                   {"rms_difference", row.rms_difference},
                   {"largest_difference", row.largest},
                   {"cosine", row.cosine}});
    all.push_back(std::move(json));
  }
  return all;
}

void print_tensors(const std::vector<TensorDifference>& rows) {
  std::size_t equal = 0, width = 6;
  for (const TensorDifference& row : rows) width = std::max(width, std::min<std::size_t>(60, row.name.size()));
  std::cout << "tensors: types, |a − b| relative to |a| (root mean square), largest |a − b|, cosine\n";
  for (const TensorDifference& row : rows) {
    if (row.state == TensorDifference::State::equal && row.type == row.other_type) {
      ++equal;
      continue;
    }
    std::string name = escaped_line(row.name);
    name.resize(std::max(name.size(), width), ' ');
    std::cout << "  " << name << "  " << format("%-6s %-6s", row.type.c_str(), row.other_type.c_str());
    if (row.state == TensorDifference::State::different)
      std::cout << format("  %9.3g  %9.3g  %.6f\n", row.relative, row.largest, row.cosine);
    else
      std::cout << "  " << state_text(row.state) << "\n";
  }
  std::cout << "  " << equal << " of " << rows.size() << " are the same in both\n";
}

void print_runs(const CompareCommand& command, const std::array<RunOfOne, 2>& runs, const Positions& positions,
                const std::vector<HeadDivergence>& heads) {
  const bool reads_output = !runs[0].target.empty();
  const std::vector<TokenId>& read = reads_output ? runs[0].target : runs[0].ids;
  if (!positions.kl.empty()) std::cout << "\nposition, token, KL of what comes next (nats), the same best token\n";
  for (std::size_t t = 0; t < positions.kl.size(); ++t)
    std::cout << format("  %4zu  %7lld  %10.4g  ", t, t < read.size() ? static_cast<long long>(read[t]) : -1ll,
                        positions.kl[t])
              << (positions.same_best[t] ? "yes" : "no") << "\n";
  if (!heads.empty())
    std::cout << "\nheads by divergence (Jensen-Shannon, nats: 0 alike, 0.693 nothing shared), counted from 1\n";
  for (std::size_t i = 0; i < std::min(kPrintedHeads, heads.size()); ++i)
    std::cout << "  " << heads[i].attention
              << format("  layer %lld · head %lld  ", static_cast<long long>(heads[i].layer) + 1,
                        static_cast<long long>(heads[i].head) + 1)
              << format("%.4g", heads[i].nats) << "\n";
  if (heads.size() > kPrintedHeads) std::cout << "  " << heads.size() - kPrintedHeads << " more: --json has all\n";
  if (!runs[0].writes || !runs[1].writes) return;
  for (std::size_t i = 0; i < 2; ++i) {
    std::cout << "\n" << (i == 0 ? "A " : "B ") << escaped_line(command.models[i]) << "\n  ids";
    for (const TokenId id : runs[i].written) std::cout << " " << id;
    if (runs[i].output.is_string()) std::cout << "\n  text " << escaped_line(runs[i].output.get<std::string>());
  }
  const auto part = parting(runs[0].written, runs[1].written);
  std::cout << "\nthe texts " << (part ? "part at new token " + std::to_string(*part) : std::string("do not part"))
            << "\n";
}

Json runs_json(const std::array<RunOfOne, 2>& runs, const Positions& positions,
               const std::vector<HeadDivergence>& heads) {
  Json json{{"ids", runs[0].ids}, {"heads", Json::array()}};
  if (!runs[0].target.empty()) json["target_ids"] = runs[0].target;
  if (!positions.kl.empty()) json.update({{"kl", positions.kl}, {"same_best_token", positions.same_best}});
  for (const HeadDivergence& head : heads)
    json["heads"].push_back(
        {{"attention", head.attention}, {"layer", head.layer}, {"head", head.head}, {"divergence", head.nats}});
  if (runs[0].writes && runs[1].writes) {
    json["output_ids"] = {runs[0].written, runs[1].written};
    json["output"] = {runs[0].output, runs[1].output};
    const auto part = parting(runs[0].written, runs[1].written);
    json["texts_part_at"] = part ? Json(*part) : Json();
  }
  return json;
}

}  // namespace

void print_difference(const CompareCommand& command) {
  const Interruptible interruptible;
  const Effort effort(interruptible.token());
  const auto tensors = [](const std::string& path) { return format_to_inspect(path)->contents(path).tensors; };
  const std::vector<TensorDifference> rows =
      differences_of(*tensors(command.models[0]), *tensors(command.models[1]), interruptible.token());
  std::array<RunOfOne, 2> runs;
  Positions positions;
  std::vector<HeadDivergence> heads;
  if (command.reads()) {
    runs[0] = run_one(command, command.models[0], nullptr, interruptible.token());
    runs[1] = run_one(command, command.models[1], &runs[0], interruptible.token());
    const Tensor *first = value_of(runs[0], "logits"), *second = value_of(runs[1], "logits");
    if (first && second) positions = positions_of(*first, *second);
    heads = heads_apart(runs[0], runs[1]);
  }
  if (command.json) {
    Json json{{"first", escaped_line(command.models[0])},
              {"second", escaped_line(command.models[1])},
              {"tensors", tensors_apart(rows)}};
    if (command.reads()) json.update(runs_json(runs, positions, heads));
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    return;
  }
  print_tensors(rows);
  print_runs(command, runs, positions, heads);
}

}  // namespace headlight
