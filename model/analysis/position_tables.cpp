#include "model/analysis/position_tables.h"

#include <algorithm>
#include <cmath>

#include "model/core/json_library.h"
#include "model/ops/positions.h"

namespace headlight {

namespace {

PositionTable sinusoids(Index positions, Index size, const std::string& name) {
  PositionTable table;
  table.t2t = name == "sinusoid_t2t";
  table.halves = table.t2t || name == "sinusoid_halves";
  const Sinusoid kind = table.t2t ? Sinusoid::t2t : table.halves ? Sinusoid::halves : Sinusoid::pairs;
  table.values = sinusoid_table(positions, size, kind);
  return table;
}

}  // namespace

double PositionTable::turn(Index pair) const {
  const double share = t2t ? static_cast<double>(pair) / std::max<double>(1, static_cast<double>(pairs() - 1))
                           : 2.0 * static_cast<double>(pair) / static_cast<double>(size());
  return std::pow(10000.0, -share);
}

std::vector<PositionTable> position_tables(const Result& result, Index limit) {
  std::vector<PositionTable> tables;
  if (!result.trace || !result.model || !result.model->model) return tables;
  // Rows in front of the first place, which no token has.
  const Index unread = result.model->model->config().value("position_offset", Index(0));
  for (const NamedTensor& parameter : result.trace->parameters()) {
    if (!parameter.name.ends_with(".pos.W") && parameter.name != "pos.W") continue;
    const Tensor& all = parameter.value;
    if (all.rank() != 2 || all.dim(0) <= unread || all.dim(1) < 2) continue;
    PositionTable table;
    table.parameter = parameter.name;
    table.values = all.view(unread * all.dim(1), {std::min(limit, all.dim(0) - unread), all.dim(1)});
    tables.push_back(table);
  }
  const ModelTraits& model = result.model->model->traits();
  const std::string& kind = model.positions;
  const bool computed = kind.starts_with("sinusoid") || kind == "concat";
  if (!computed && tables.empty()) return tables;
  Index size = computed ? model.position_size : tables.front().size();
  size -= size % 2;
  if (size < 2) return tables;
  const Index positions = tables.empty() ? std::min<Index>(limit, 128) : tables.front().positions();
  PositionTable formula = sinusoids(positions, size, kind);
  formula.used = computed;
  tables.insert(tables.begin(), formula);
  return tables;
}

std::vector<std::string> tokens_at_places(const Result& result, const PositionTable& table) {
  std::vector<std::string> texts;
  const bool alone =
      result.model && result.model->model && result.model->model->traits().kind == ModelTraits::Kind::decoder_only;
  const bool of_decoder = alone || table.parameter.starts_with("decoder");
  const auto read = static_cast<std::size_t>(of_decoder ? result.prompt : result.token_of_position.size());
  for (std::size_t at = 0; at < std::min(read, result.token_of_position.size()); ++at)
    texts.push_back(result.tokens[static_cast<std::size_t>(result.token_of_position[at])].text);
  if (of_decoder) texts.insert(texts.end(), result.fed.begin(), result.fed.end());
  return texts;
}

std::vector<double> position_products(const PositionTable& table, Index places) {
  const Eigen::MatrixXd rows = table.values.matrix().topRows(places).cast<double>();
  const Eigen::MatrixXd products = rows * rows.transpose();
  return {products.data(), products.data() + products.size()};
}

}  // namespace headlight
