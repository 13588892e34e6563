#include "model/experiments/experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "model/experiments/ablation.h"
#include "model/experiments/complexity.h"
#include "model/experiments/rotations.h"
#include "model/experiments/scaling.h"
#include "model/experiments/share_and_cause.h"
#include "model/experiments/trainings.h"
#include "model/text/csv.h"
#include "model/text/nearest.h"

namespace headlight {

namespace {

std::string number_text(double value, const char* pattern) {
  if (std::isnan(value)) return "";
  char text[40];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string cell_text(const TableCell& cell, const char* pattern) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return number_text(std::get<double>(cell), pattern);
}

}  // namespace

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> rows = {
      scaling_experiment(), complexity_experiment(),      ablation_experiment(), causal_mask_experiment(),
      lengths_experiment(), share_and_cause_experiment(), rotations_experiment()};
  return rows;
}

const Experiment& find_experiment(const std::string& name) { return row_named(experiments(), name, "experiment"); }

std::string csv_text(const ExperimentTable& table) {
  std::string text;
  const auto line = [&](const auto& cells, const auto& shown) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (c > 0) text += ',';
      text += csv_cell(shown(cells[c]));
    }
    text += "\n";
  };
  line(table.columns, [](const std::string& name) { return name; });
  for (const auto& row : table.rows) line(row, [](const TableCell& cell) { return cell_text(cell, "%.9g"); });
  return text;
}

std::string plain_text(const ExperimentTable& table) {
  std::vector<std::vector<std::string>> lines = {table.columns};
  for (const auto& row : table.rows) {
    std::vector<std::string>& line = lines.emplace_back();
    for (const TableCell& cell : row) line.push_back(cell_text(cell, "%.4g"));
  }
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (const auto& line : lines)
    for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], line[c].size());
  std::string text;
  for (const auto& line : lines) {
    for (std::size_t c = 0; c < line.size(); ++c)
      text += (c > 0 ? "  " : "") + std::string(widths[c] - line[c].size(), ' ') + line[c];
    text += "\n";
  }
  return text;
}

double kl_divergence(const Tensor& p, const Tensor& q) {
  double sum = 0;
  for (Index i = 0; i < p.size(); ++i)
    if (const double share = p[i]; share > 0)
      sum += share * std::log(share / std::max(1e-38, static_cast<double>(q[i])));
  return std::max(0.0, sum);
}

}  // namespace headlight
