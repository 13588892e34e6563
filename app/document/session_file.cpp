// The text form of a session, and its selection.

#include "app/document/session_file.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/document/session_names.h"
#include "app/version.h"
#include "model/core/json_library.h"
#include "model/core/numbers.h"

namespace headlight {

using namespace session_names;

namespace {

// The shortest decimal number that gives back the same float32; what is no number becomes a text.
Json scalar_json(Scalar value) {
  if (std::isnan(value)) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (bits == std::bit_cast<std::uint32_t>(std::numeric_limits<Scalar>::quiet_NaN())) return "NaN";
    std::array<char, 8> digits;
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), bits, 16).ptr;
    return "NaN(" + std::string(digits.data(), static_cast<std::size_t>(end - digits.data())) + ")";
  }
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  std::array<char, 32> text;
  const char* end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  double shortest = 0;
  parse_number(text.data(), end, shortest);
  return static_cast<Scalar>(shortest) == value ? shortest : static_cast<double>(value);
}

Json edit_json(const Intervention& edit) {
  Json json;
  json["site"] = edit.site;
  json["kind"] = name_of(kEditKinds, edit.kind);
  if (edit.cell >= 0) json["cell"] = edit.cell;
  if (edit.count != 1) json["count"] = edit.count;
  if (edit.row != Intervention::kFlat) json["row"] = edit.row;
  if (edit.outside) {
    const Intervention::Band& band = *edit.outside;
    json["outside"] = {{"width", band.width}, {"both_sides", band.both_sides}, {"from_end", band.from_end}};
  }
  json["value"] = scalar_json(edit.value);
  for (const Scalar value : edit.values) json["values"].push_back(scalar_json(value));
  return json;
}

Json decode_json(const DecodeSettings& decode) {
  Json json;
  json["kind"] = name_of(kDecodeKinds, decode.kind);
  json["temperature"] = decode.sampling.temperature;
  json["top_k"] = decode.sampling.top_k;
  json["top_p"] = decode.sampling.top_p;
  json["beam_width"] = decode.beam.width;
  json["alpha"] = decode.beam.alpha;
  json["beta"] = decode.beam.beta;
  json["length_norm"] = name_of(kLengthNorms, decode.beam.length_norm);
  json["min_length"] = decode.beam.min_len;
  json["stop"] = name_of(kBeamStops, decode.beam.stop);
  if (decode.generation) json["generation"] = **decode.generation;
  return json;
}

Json window_json(const SessionState& state) {
  Json json = Json::object();
  if (!state.layout.geometry.isEmpty()) json["geometry"] = state.layout.geometry.toBase64().toStdString();
  if (!state.layout.state.isEmpty()) json["layout"] = state.layout.state.toBase64().toStdString();
  return json;
}

Json place_json(const SessionState::Place& place) {
  Json json = Json::object();
  if (place.source_token) json["source_token"] = *place.source_token;
  if (place.step) json["step"] = *place.step;
  if (!place.site.isEmpty()) json["site"] = place.site.toStdString();
  if (place.cell) json["cell"] = *place.cell;
  return json;
}

Json model_json(const SessionState::Model& model, const QString& path) {
  const QString folder = QDir::cleanPath(QDir(model.folder).absolutePath());
  Json json;
  json["name"] = model.name.toStdString();
  json["relative"] = QFileInfo(path).absoluteDir().relativeFilePath(folder).toStdString();
  json["folder"] = folder.toStdString();
  json["sha256"] = model.sha256.toHex().toStdString();
  return json;
}

// What stands at the top and one level below has lines of its own; an edit is one line.
std::string lines(const Json& json, int depth = 0) {
  if (depth == 2 || !json.is_structured() || json.empty())
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string indent(2 * static_cast<std::size_t>(depth + 1), ' ');
  std::string text;
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "\n" : ",\n") + indent;
    if (json.is_object()) text += Json(key).dump(-1, ' ', false, Json::error_handler_t::replace) + ": ";
    text += lines(value, depth + 1);
  }
  text += "\n" + indent.substr(2);
  return json.is_object() ? "{" + text + "}" : "[" + text + "]";
}

}  // namespace

QByteArray write_session(const SessionState& state, const QString& path) {
  Json json;
  json[kVersionKey] = kSessionVersion;
  json["program"] = kVersion;
  json["model"] = model_json(state.model, path);
  json["source"] = state.source;
  if (!state.second.empty()) json["second"] = state.second;
  if (!state.type_ids.empty()) json["type_ids"] = state.type_ids;
  if (state.chat) json["chat"] = **state.chat;
  if (state.target) json["target"] = *state.target;
  if (state.prefix) json["prefix"] = true;
  json["settings"] = *state.settings;
  json["decode"] = decode_json(state.decode);
  json["seed"] = state.seed;
  json["edits"] = Json::array();
  for (const Intervention& edit : state.interventions) json["edits"].push_back(edit_json(edit));
  json["selection"] = place_json(state.selection);
  json["window"] = window_json(state);
  json["views"] = Json::parse(QJsonDocument(QJsonObject::fromVariantMap(state.views)).toJson().toStdString());
  return QByteArray::fromStdString(lines(json) + "\n");
}

SessionState::Place named_selection(const SelectionState& selection, const Result& result) {
  SessionState::Place place{selection.source_token, selection.step, {}, {}};
  if (!result.trace || !selection.entry || *selection.entry < 0 || *selection.entry >= result.trace->size())
    return place;
  place.site = QString::fromStdString((*result.trace)[*selection.entry].site.text);
  place.cell = selection.cell;
  return place;
}

SelectionState selection_in(const SessionState::Place& place, const Result& result) {
  SelectionState selection;
  if (place.source_token && *place.source_token < static_cast<int>(result.tokens.size()))
    selection.source_token = place.source_token;
  if (place.step && *place.step < static_cast<int>(result.steps.size())) selection.step = place.step;
  const int entry = result.trace && !place.site.isEmpty() ? result.trace->find(place.site.toStdString()) : -1;
  if (entry < 0) return selection;
  selection.entry = entry;
  if (place.cell && *place.cell < (*result.trace)[entry].value.size()) selection.cell = place.cell;
  return selection;
}

}  // namespace headlight
