// Reading a session with distrust: sizes, types and bounds of everything.

#include <QJsonDocument>
#include <QJsonObject>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "app/document/session_file.h"
#include "app/document/session_names.h"
#include "model/core/json_library.h"
#include "model/io/file.h"
#include "model/io/json_file.h"
#include "model/text/utf8.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

using namespace session_names;

namespace {

constexpr std::size_t kMaxText = 1 << 20, kMaxName = 4096, kMaxSite = 256;
constexpr std::size_t kKeysOfEdit = 11, kOtherKeys = 1'000;
constexpr std::size_t kMaxNumbers = 1 << 20;  // of edits that replace a whole value: all weights of a long text
constexpr std::size_t kMaxKeys = kMaxEdits * kKeysOfEdit + kOtherKeys;
constexpr JsonLimits kLimits{.keys = kMaxKeys, .values = kMaxKeys + kMaxEdits + kMaxNumbers};

[[noreturn]] void expected(const Settings& settings, const char* key, const std::string& what) {
  const Json& found = settings.at(key);
  std::string text = found.is_structured() ? "a list or an object" : found.dump(-1, ' ', true);
  if (text.size() > 60) text = text.substr(0, 60) + "...";
  settings.fail(key, "expected " + what + ", found " + text);
}

QString text(const Settings& settings, const char* key, std::size_t longest) {
  const std::string value = settings.text(key);
  if (value.size() > longest)
    settings.fail(key, "expected at most " + bytes_text(longest) + ", found " + bytes_text(value.size()));
  return from_utf8(value);
}

QString text_if_any(const Settings& settings, const char* key, std::size_t longest) {
  return settings.has(key) ? text(settings, key, longest) : QString();
}

template <typename Value, std::size_t n>
Value choice(const Settings& settings, const char* key, const std::array<Named<Value>, n>& names) {
  const std::string found = settings.text(key);
  std::string known;
  for (const auto& row : names) {
    if (found == row.name) return row.value;
    known += (known.empty() ? "" : ", ") + std::string(row.name);
  }
  expected(settings, key, "one of " + known);
}

double number(const Settings& settings, const char* key, double least, double most) {
  const Json& value = settings.at(key);
  const double found = value.is_number() ? value.get<double>() : std::nan("");
  if (!(found >= least && found <= most)) {
    const auto bound = [](double x) { return Json(x).dump(); };
    expected(settings, key, "a number from " + bound(least) + " to " + bound(most));
  }
  return found;
}

std::vector<TokenId> read_type_ids(const Settings& settings) {
  const Json& list = settings.at("type_ids");
  if (!list.is_array() || list.size() > kMaxSourceTokens)
    expected(settings, "type_ids", "a list of at most " + std::to_string(kMaxSourceTokens) + " numbers");
  std::vector<TokenId> types;
  for (const Json& each : list) {
    if (!each.is_number_unsigned() || each.get<std::uint64_t>() > 1024)
      settings.fail("type_ids[" + std::to_string(types.size()) + "]", "expected a whole number from 0 to 1024");
    types.push_back(each.get<TokenId>());
  }
  return types;
}

std::uint64_t seed_of(const Settings& settings) {
  if (!settings.at("seed").is_number_unsigned()) expected(settings, "seed", "a whole number from 0 to 2^64 - 1");
  return settings.at("seed").get<std::uint64_t>();
}

std::optional<int> index_if_any(const Settings& settings, const char* key) {
  if (!settings.has(key)) return {};
  return static_cast<int>(settings.integer(key, 0, std::numeric_limits<int>::max()));
}

bool flag(const Settings& settings, const char* key) {
  if (!settings.has(key)) return false;
  if (!settings.at(key).is_boolean()) expected(settings, key, "true or false");
  return settings.at(key).get<bool>();
}

std::optional<Scalar> scalar_of(const Json& json) {
  if (json.is_number()) return to_scalar(json.get<double>());
  if (!json.is_string()) return {};
  const auto& text = json.get_ref<const std::string&>();
  if (text == "Infinity") return std::numeric_limits<Scalar>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<Scalar>::infinity();
  if (text == "NaN") return std::numeric_limits<Scalar>::quiet_NaN();
  if (!text.starts_with("NaN(") || !text.ends_with(")")) return {};
  std::uint32_t bits = 0;
  const char* end = text.data() + text.size() - 1;
  const auto [stop, error] = std::from_chars(text.data() + 4, end, bits, 16);
  const auto scalar = std::bit_cast<Scalar>(bits);
  if (error != std::errc() || stop != end || !std::isnan(scalar)) return {};
  return scalar;
}

constexpr const char* kScalar = "a float32 number, \"Infinity\", \"-Infinity\" or \"NaN\"";

Intervention read_edit(const Settings& settings) {
  Intervention edit;
  edit.site = text(settings, "site", kMaxSite).toStdString();
  if (!find_site_kind(edit.site)) settings.fail("site", "there is no site '" + edit.site.substr(0, 60) + "'");
  edit.kind = choice(settings, "kind", kEditKinds);
  edit.cell = settings.integer("cell", -1, kMaxIndex, -1);
  edit.count = settings.integer("count", 1, kMaxIndex, 1);
  edit.row = settings.integer("row", Intervention::kEveryRow, kMaxIndex, Intervention::kFlat);
  if (settings.has("outside")) {
    const Settings band = settings.object("outside");
    edit.outside = {band.integer("width", 0, kMaxIndex), flag(band, "both_sides"), flag(band, "from_end")};
  }
  const std::optional<Scalar> value = scalar_of(settings.at("value"));
  if (!value) expected(settings, "value", kScalar);
  edit.value = *value;
  if (!settings.has("values")) return edit;
  if (!settings.at("values").is_array()) expected(settings, "values", "a list of numbers");
  for (const Json& each : settings.at("values")) {
    const std::optional<Scalar> one = scalar_of(each);
    if (!one) settings.fail("values[" + std::to_string(edit.values.size()) + "]", std::string("expected ") + kScalar);
    edit.values.push_back(*one);
  }
  return edit;
}

// An edit may also be written as on the command line: "decoder.step[3].attention.weights[7]~0.5".
Intervention edit_of(const Json& json, const Settings& settings, const std::string& key, const std::string& file,
                     const std::string& where) {
  if (!json.is_string()) return read_edit(Settings(json, file, where));
  const auto& typed = json.get_ref<const std::string&>();
  if (typed.size() > kMaxName) settings.fail(key, "expected at most " + bytes_text(kMaxName));
  try {
    return parse_intervention(typed);
  } catch (const UsageError& error) {
    settings.fail(key, error.what());
  }
}

std::vector<Intervention> read_edits(const Settings& settings, const std::string& file, const std::string& above) {
  const Json& list = settings.at("edits");
  if (!list.is_array()) expected(settings, "edits", "a list of edits");
  if (list.size() > kMaxEdits)
    settings.fail("edits",
                  "expected at most " + std::to_string(kMaxEdits) + " edits, found " + std::to_string(list.size()));
  std::vector<Intervention> edits;
  edits.reserve(list.size());
  for (const Json& edit : list) {
    const std::string where = "edits[" + std::to_string(edits.size()) + "]";
    edits.push_back(edit_of(edit, settings, where, file, above + where));
    try {
      check(edits.back());
    } catch (const UsageError& error) {
      settings.fail(where, error.what());
    }
  }
  return edits;
}

DecodeSettings read_decode(const Settings& settings) {
  DecodeSettings decode;
  decode.kind = choice(settings, "kind", kDecodeKinds);
  decode.sampling.temperature = number(settings, "temperature", 0, 1e6);
  decode.sampling.top_k = settings.integer("top_k", 0, kMaxIndex);
  decode.sampling.top_p = number(settings, "top_p", std::numeric_limits<double>::min(), 1);
  decode.beam.width = settings.integer("beam_width", 1, 1024);
  decode.beam.alpha = number(settings, "alpha", 0, 1e6);
  decode.beam.beta = number(settings, "beta", 0, 1e6);
  decode.beam.length_norm = choice(settings, "length_norm", kLengthNorms);
  decode.beam.min_len = settings.integer("min_length", 0, 1'000'000);
  decode.beam.stop = choice(settings, "stop", kBeamStops);
  if (settings.has("generation")) {
    settings.object("generation");  // the run knows what stands in it
    decode.generation = settings.at("generation");
  }
  return decode;
}

QByteArray base64(const Settings& settings, const char* key) {
  if (!settings.has(key)) return {};
  const auto decoded =
      QByteArray::fromBase64Encoding(text(settings, key, kMaxText).toUtf8(), QByteArray::AbortOnBase64DecodingErrors);
  if (!decoded) expected(settings, key, "base64");
  return *decoded;
}

SessionState::Model read_model(const Settings& settings) {
  SessionState::Model model;
  model.name = text(settings, "name", kMaxName);
  model.relative = text_if_any(settings, "relative", kMaxName);
  model.folder = text(settings, "folder", kMaxName);
  const QString hash = text_if_any(settings, "sha256", kMaxName);
  model.sha256 = QByteArray::fromHex(hash.toUtf8());
  if (!hash.isEmpty() && (model.sha256.size() != 32 || hash.size() != 64))
    expected(settings, "sha256", "64 hexadecimal digits");
  return model;
}

// Older files also have a theme, a size of the type and a language here: those belong to whoever opens them.
UserSettings::Layout read_layout(const Settings& settings) {
  return {base64(settings, "geometry"), base64(settings, "layout")};
}

SessionState::Place read_place(const Settings& settings) {
  SessionState::Place place;
  place.source_token = index_if_any(settings, "source_token");
  place.step = index_if_any(settings, "step");
  place.site = text_if_any(settings, "site", kMaxName);
  if (settings.has("cell")) place.cell = settings.integer("cell", 0, kMaxIndex);
  return place;
}

void check_version(const Settings& settings) {
  if (!settings.has(kVersionKey)) settings.fail(kVersionKey, "missing; this is no session of Headlight");
  const std::int64_t version = settings.integer(kVersionKey, 1, 1'000'000);
  if (version > kSessionVersion)
    settings.fail(kVersionKey, "expected " + std::to_string(kSessionVersion) + ", found " + std::to_string(version) +
                                   "; this session was made by a newer Headlight");
}

}  // namespace

SessionState read_session(const QByteArray& content, const QString& path) {
  const std::string file = path.toStdString(), bytes = content.toStdString();
  if (bytes.size() > kMaxSessionBytes)
    throw FormatError(file + ": expected at most " + bytes_text(kMaxSessionBytes) + ", found " +
                      bytes_text(bytes.size()));
  if (!is_utf8(bytes)) throw FormatError(file + ": expected a text in UTF-8, found other bytes");
  const Json json = parse_json(bytes, file, kLimits);
  check_version(Settings(json, file));
  return session_of(json, file);
}

SessionState session_of(const Json& json, const std::string& file, const std::string& where) {
  const Settings settings(json, file, where);
  SessionState state;
  state.program = text_if_any(settings, "program", kMaxName);
  state.model = read_model(settings.object("model"));
  state.source = text(settings, "source", kMaxText).toStdString();
  if (settings.has("second")) state.second = text(settings, "second", kMaxText).toStdString();
  if (settings.has("type_ids")) state.type_ids = read_type_ids(settings);
  if (settings.has("chat")) {
    settings.object("chat");  // the template knows what stands in it
    state.chat = settings.at("chat");
  }
  if (settings.has("target")) state.target = text(settings, "target", kMaxText).toStdString();
  state.prefix = flag(settings, "prefix");
  settings.object("settings");  // the model itself knows what stands in it
  state.settings = settings.at("settings");
  state.decode = read_decode(settings.object("decode"));
  state.seed = seed_of(settings);
  state.interventions = read_edits(settings, file, where.empty() ? "" : where + ".");
  state.selection = read_place(settings.object("selection"));
  state.layout = read_layout(settings.object("window"));
  settings.object("views");
  state.views = QJsonDocument::fromJson(QByteArray::fromStdString(settings.at("views").dump())).object().toVariantMap();
  return state;
}

}  // namespace headlight
