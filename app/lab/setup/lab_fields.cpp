#include "app/lab/setup/lab_fields.h"

#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <charconv>

#include "app/lab/setup/lab_choice.h"
#include "app/lab/setup/preset_list.h"
#include "app/lab/setup/setting_row.h"
#include "app/lab/setup/training_words.h"
#include "app/parts.h"
#include "model/core/json_library.h"
#include "model/models/registry.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr const char *kEpochsKey = "epochs", *kSeedKey = "seed";
constexpr const char *kSentencesData = "sentences", *kTextData = "text", *kGeneratedData = "generated";
const std::string kUsualArchitecture = "attn_seq2seq";  // the first that looks where one can follow it
constexpr const char* kPageOf = "page ";                // before one of these: where it is changed
constexpr Index kMostEpochs = 100'000;                  // as the command line has it
constexpr int kAnyVocabulary = 64;                      // bounds of the other settings do not depend on it

QString kind_key(LabData::Kind kind) {
  return QString::fromUtf8(kind == LabData::Kind::sentences ? kSentencesData : kTextData);
}

QLabel* caption_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  set_ink(label, &Tokens::ink2);
  return label;
}

const TrainingKey* key_called(const std::string& name) {
  for (const TrainingKey& key : training_keys())
    if (name == key.name) return &key;
  return nullptr;
}

// Of a setting of the model, from what stands there by itself.
SettingRow::Kind kind_of_default(const Json& value) {
  return value.is_boolean() ? SettingRow::Kind::flag : SettingRow::Kind::line;
}

// Puts own data, and what a person has set of their task stays.
void put_data(const LabData& data, TrainingSettings& settings, const std::filesystem::path& file) {
  const std::string task = settings.task;
  const std::vector<SettingValue> before = setting_values(settings);
  data.put(settings, file);
  if (settings.task != task) return;
  for (const SettingValue& each : before)
    if (!each.of_model && !each.value.empty()) settings.set(each.key + "=" + each.value);
}

// Throws Error where a model cannot be made with these settings; no memory is taken for it.
void try_model(const TrainingSettings& settings) {
  Json config = settings.model.is_object() ? settings.model : Json::object();
  config["model_type"] = find_architecture(settings.architecture).name;
  config["source_vocabulary_size"] = config["target_vocabulary_size"] = kAnyVocabulary;
  make_model(config, InitialValues{InitialValues::Kind::none});
}

}  // namespace

LabFields::LabFields(QWidget* parent)
    : QWidget(parent),
      data_(new LabChoice(this)),
      model_(new LabChoice(this)),
      task_(new LabChoice(this)),
      data_label_(caption_label(this)),
      model_label_(caption_label(this)),
      task_label_(caption_label(this)),
      presets_label_(caption_label(this)),
      first_(new QWidget(this)),
      rest_(new QWidget(this)),
      first_rows_(column_in(first_, space::kTight)),
      rest_rows_(column_in(rest_, space::kTight)),
      more_(new QPushButton(this)),
      presets_(new PresetList(this)) {
  settings_ = plain_settings(generated_, "attn_seq2seq");
  auto* column = column_in(this, space::kSmall);
  const auto choice = [&](QLabel* label, LabChoice* field, const char* name) {
    field->setObjectName(QString::fromUtf8(name));
    label->setBuddy(field);
    auto* box = new QVBoxLayout;
    box->setSpacing(space::kTight);
    box->addWidget(label);
    box->addWidget(field);
    column->addLayout(box);
  };
  choice(data_label_, data_, "lab_data");
  choice(model_label_, model_, "lab_model");
  choice(task_label_, task_, "lab_task");
  column->addWidget(first_);
  column->addWidget(more_, 0, Qt::AlignLeft);
  column->addWidget(rest_);
  column->addSpacing(space::kSmall);
  column->addWidget(presets_label_);
  column->addWidget(presets_);
  more_->setFlat(true);
  more_->setCheckable(true);
  rest_->hide();
  connect(more_, &QPushButton::toggled, rest_, &QWidget::setVisible);
  connect(data_, &LabChoice::chosen, this, &LabFields::choose_data_key);
  connect(model_, &LabChoice::chosen, this, [this](const QString& key) { choose_architecture(bytes_of(key)); });
  connect(task_, &LabChoice::chosen, this, [this](const QString& key) { choose_task(bytes_of(key)); });
  connect(presets_, &PresetList::chosen, this, &LabFields::presetChosen);
  make_rows();
  retranslates(this, [this] {
    presets_->retranslate();
    retranslate();
  });
}

// ---- what is chosen

void LabFields::set_settings(const TrainingSettings& settings) {
  settings_ = settings;
  own_ = false;
  if (!is_of_people(settings)) generated_ = settings.task;
  show_choices();
  make_rows();
  emit changed();
}

void LabFields::set_seed(std::uint64_t seed) {
  settings_.seed = seed;
  show_values();
  emit changed();
}

std::optional<LabData::Kind> LabFields::data_kind() const {
  if (settings_.task == "pairs") return LabData::Kind::sentences;
  if (settings_.task == "text") return LabData::Kind::text;
  return {};
}

void LabFields::offer(const LabData& data) {
  offered_[data.kind] = data;
  if (own_ && data_kind() == data.kind && data.put) put_data(data, settings_, {});
  show_choices();
  if (data_kind() == data.kind) emit changed();
}

void LabFields::choose_data(LabData::Kind kind) { choose_data_key(kind_key(kind)); }

void LabFields::choose_data_key(const QString& key) {
  if (key == QString::fromUtf8(kGeneratedData)) return choose_task(generated_);
  const bool page = key.startsWith(QString::fromUtf8(kPageOf));
  const LabData::Kind kind =
      key.endsWith(QString::fromUtf8(kTextData)) ? LabData::Kind::text : LabData::Kind::sentences;
  const auto found = offered_.find(kind);
  if (page || found == offered_.end() || !found->second.put) {
    show_choices();  // as it was
    emit dataWanted(kind);
    return;
  }
  put_data(found->second, settings_, {});
  own_ = true;
  choose_task(settings_.task);
}

void LabFields::put_own_data(TrainingSettings& settings, const std::filesystem::path& file) const {
  const auto found = own_ && data_kind() ? offered_.find(*data_kind()) : offered_.end();
  if (found != offered_.end() && found->second.put) put_data(found->second, settings, file);
}

std::string LabFields::own_text() const {
  const auto found = own_ && data_kind() ? offered_.find(*data_kind()) : offered_.end();
  return found == offered_.end() ? std::string() : found->second.text;
}

void LabFields::choose_task(const std::string& task) {
  settings_.task = task;
  own_ = own_ && is_of_people(settings_);
  if (!is_of_people(settings_)) generated_ = task;
  const std::vector<std::string> fitting = fitting_architectures(task);
  if (!fitting.empty() && std::find(fitting.begin(), fitting.end(), settings_.architecture) == fitting.end())
    return choose_architecture(std::ranges::count(fitting, kUsualArchitecture) > 0 ? kUsualArchitecture
                                                                                   : fitting.front());
  show_choices();
  make_rows();
  emit changed();
}

// What was set of a model comes back with it.
void LabFields::choose_architecture(const std::string& name) {
  if (name != settings_.architecture) {
    remembered_[settings_.architecture] = settings_.model;
    settings_.architecture = name;
    const auto before = remembered_.find(name);
    settings_.model = before == remembered_.end() ? Json::object() : before->second;
  }
  show_choices();
  make_rows();
  emit changed();
}

// ---- what is written

QString LabFields::units_key() const {
  const Json& defaults = find_architecture(settings_.architecture).defaults;
  for (const char* key : {"hidden_size", "model_size"})
    if (defaults.contains(key)) return QString::fromUtf8(key);
  return {};
}

void LabFields::make_rows() {
  const bool again = rows_.size() == setting_values(settings_).size() + 2 &&
                     std::all_of(rows_.begin(), rows_.end(), [&](const SettingRow* row) {
                       const auto values = setting_values(settings_);
                       return row->key() == kEpochsKey || row->key() == kSeedKey ||
                              std::any_of(values.begin(), values.end(),
                                          [&](const SettingValue& each) { return each.key == row->key(); });
                     });
  if (again) return show_values();
  qDeleteAll(rows_);
  rows_.clear();
  std::vector<std::string> first = {"learning_rate", "batch", kEpochsKey, kSeedKey};
  if (!units_key().isEmpty()) first.push_back(bytes_of(units_key()));
  for (const std::string& key : first) first_rows_->addWidget(add_row(key, first_));
  for (const SettingValue& each : setting_values(settings_))
    if (std::find(first.begin(), first.end(), each.key) == first.end()) rest_rows_->addWidget(add_row(each.key, rest_));
  show_values();
  retranslate();
}

SettingRow* LabFields::add_row(const std::string& key, QWidget* parent) {
  SettingRow::Kind kind = SettingRow::Kind::line;
  QStringList words;
  const Json& defaults = find_architecture(settings_.architecture).defaults;
  if (const TrainingKey* row = key_called(key)) {
    for (const std::string& word : row->words) words << from_utf8(word);
    if (!words.isEmpty()) kind = SettingRow::Kind::words;
    if (std::holds_alternative<std::optional<bool>*>(row->field(settings_))) kind = SettingRow::Kind::flag;
  } else if (defaults.contains(key)) {
    kind = kind_of_default(defaults.at(key));
  }
  auto* made = new SettingRow(
      key, kind, words, [this, key](const std::string& value) { return put(key, value); }, parent);
  connect(made, &SettingRow::changed, this, [this] {
    show_choices();
    emit changed();
  });
  rows_.push_back(made);
  return made;
}

QString LabFields::put_whole(const std::string& key, const std::string& value) {
  std::uint64_t number = 0;
  const char* end = value.data() + value.size();
  const auto [at, error] = std::from_chars(value.data(), end, number);
  const bool seed = key == kSeedKey;
  if (value.empty() || error != std::errc() || at != end || (!seed && (number < 1 || number > kMostEpochs)))
    return seed ? tr("A whole number from 0 on is needed.")
                : tr("A whole number from 1 to %L1 is needed.").arg(kMostEpochs);
  if (seed)
    settings_.seed = number;
  else
    settings_.epochs = static_cast<int>(number);
  return {};
}

// Takes what fits; else says what would, and the settings stay as they were.
QString LabFields::put(const std::string& key, const std::string& value) {
  if (key == kEpochsKey || key == kSeedKey) return put_whole(key, value);
  TrainingSettings tried = settings_;
  const TrainingKey* row = key_called(key);
  try {
    if (row && value.empty()) {
      const TrainingKey::Field field = row->field(tried);
      if (const auto* open = std::get_if<std::optional<double>*>(&field))
        **open = std::nullopt;
      else
        return tr("A value is needed.");
    } else {
      tried.set(key + "=" + value);
    }
    if (!row) try_model(tried);
    tried.to_json();
  } catch (const Error& error) {
    if (!row || !row->words.empty()) return from_utf8(error.what());
    const TrainingKey::Field field = row->field(tried);
    const QString low = QLocale().toString(row->low, 'g', 12), high = QLocale().toString(row->high, 'g', 12);
    return std::holds_alternative<Index*>(field) ? tr("A whole number from %1 to %2 is needed.").arg(low, high)
                                                 : tr("A number from %1 to %2 is needed.").arg(low, high);
  }
  settings_ = tried;
  return {};
}

SettingRow* LabFields::row(const std::string& key) const {
  const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const SettingRow* row) { return row->key() == key; });
  return found == rows_.end() ? nullptr : *found;
}

bool LabFields::is_valid() const {
  return std::none_of(rows_.begin(), rows_.end(), [](const SettingRow* row) { return row->wrong(); });
}

QString LabFields::show_first_wrong() {
  for (SettingRow* row : rows_) {
    if (!row->wrong()) continue;
    if (row->parentWidget() == rest_) more_->setChecked(true);
    row->field()->setFocus(Qt::OtherFocusReason);
    return row->sentence();
  }
  return {};
}

void LabFields::show_values() {
  for (const SettingValue& each : setting_values(settings_))
    if (SettingRow* found = row(each.key)) found->set_value(from_utf8(each.value));
  if (SettingRow* found = row(kEpochsKey)) found->set_value(QString::number(settings_.epochs));
  if (SettingRow* found = row(kSeedKey)) found->set_value(QString::number(settings_.seed));
}

}  // namespace headlight
