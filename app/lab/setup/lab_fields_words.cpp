// The words of the fields, and the lists that one chooses from.

#include <QLabel>
#include <QLocale>
#include <QPushButton>

#include "app/lab/setup/lab_choice.h"
#include "app/lab/setup/lab_fields.h"
#include "app/lab/setup/setting_row.h"
#include "app/lab/setup/setting_titles.h"
#include "app/lab/setup/training_words.h"
#include "model/core/json_library.h"
#include "model/models/registry.h"
#include "widgets/base/controls.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

void LabFields::show_choices() {
  const auto own = [&](LabData::Kind kind, const char* key, const QString& title, const QString& none) {
    const auto found = offered_.find(kind);
    const bool there = found != offered_.end();
    return LabChoice::Row{there && !found->second.title.isEmpty() ? found->second.title : title,
                          there && !found->second.line.isEmpty() ? found->second.line
                          : data_kind() == kind                  ? QString()
                                                                 : none,
                          QString::fromUtf8(key)};
  };
  const QString none = tr("none yet: choose to begin");
  const std::optional<LabData::Kind> kind = data_kind();
  const QLocale numbers;
  QList<LabChoice::Row> data = {
      own(LabData::Kind::sentences, "sentences", tr("Our sentences"), none),
      own(LabData::Kind::text, "text", tr("A text of your own"), none),
      {tr("Generated examples"),
       tr("%1 pairs, %2 more kept back")
           .arg(numbers.toString(qlonglong{settings_.train_size}), numbers.toString(qlonglong{settings_.test_size})),
       QStringLiteral("generated")}};
  // What is there is chosen by its row; its page has one of its own then.
  const auto there = [&](LabData::Kind of) { return offered_.contains(of) && offered_.at(of).put; };
  if (there(LabData::Kind::sentences))
    data << LabChoice::Row{tr("Change our sentences…"), {}, QStringLiteral("page sentences")};
  if (there(LabData::Kind::text)) data << LabChoice::Row{tr("Compare two texts…"), {}, QStringLiteral("page text")};
  data_->set_rows(data, !kind                               ? QStringLiteral("generated")
                        : *kind == LabData::Kind::sentences ? QStringLiteral("sentences")
                                                            : QStringLiteral("text"));
  QList<LabChoice::Row> learned;
  if (kind)
    learned << LabChoice::Row{task_words(settings_.task), {}, from_utf8(settings_.task)};
  else
    for (const Task& task : tasks())
      learned << LabChoice::Row{task_words(task.name), task_line(task), from_utf8(task.name)};
  task_->set_rows(learned, from_utf8(settings_.task));
  QList<LabChoice::Row> models;
  for (const std::string& name : fitting_architectures(settings_.task)) {
    const Architecture& each = find_architecture(name);
    models << LabChoice::Row{architecture_words(each), architecture_line(each), from_utf8(name)};
  }
  model_->set_rows(models, from_utf8(settings_.architecture));
}

void LabFields::set_numbers(Index numbers) {
  const QString key = units_key();
  const SettingRow* units = key.isEmpty() ? nullptr : row(bytes_of(key));
  const QString count = tr("%L1 numbers").arg(qlonglong{numbers});
  model_->set_line(from_utf8(settings_.architecture), units ? tr("%1 units, %2").arg(units->value(), count) : count);
}

void LabFields::set_examples(Index examples, Index kept) {
  if (data_kind() == LabData::Kind::text) return;
  const QLocale numbers;
  data_->set_line(
      data_->key(),
      tr("%1 pairs, %2 more kept back").arg(numbers.toString(qlonglong{examples}), numbers.toString(qlonglong{kept})));
}

void LabFields::retranslate() {
  data_label_->setText(tr("Data"));
  model_label_->setText(tr("Model"));
  task_label_->setText(tr("What it learns"));
  presets_label_->setText(tr("Or begin with"));
  more_->setText(tr("More settings…"));
  describe(more_, tr("More settings…"), tr("Everything else that headlight train knows."));
  describe(data_, tr("Data"), tr("What it is trained on; the others are kept back, to see what it has learned."));
  describe(model_, tr("Model"), tr("The models that can learn this."));
  describe(task_, tr("What it learns"), {});
  const std::string units = bytes_of(units_key());
  const Json& defaults = find_architecture(settings_.architecture).defaults;
  for (SettingRow* row : rows_) {
    const std::string& key = row->key();
    if (key == "learning_rate")
      row->set_words(tr("Step size"), tr("The learning rate: how far each update moves the numbers of the model."));
    else if (key == "batch")
      row->set_words(tr("Sentences at a time"), tr("The batch: how many examples are read for each update."));
    else if (key == "epochs")
      row->set_words(tr("Times through the data"), tr("The epochs: how often each example is read."));
    else if (key == "seed")
      row->set_words(tr("Seed"), tr("Decides the numbers that it begins with and the order of the examples. The same "
                                    "seed gives the same training."));
    else if (key == units)
      row->set_words(tr("Units"), tr("How many numbers a state has."));
    else if (defaults.contains(key))
      row->set_words(setting_title(key),
                     tr("A setting of the model; %1 where nobody says otherwise. Its name in files: %2.")
                         .arg(from_utf8(defaults.at(key).dump()), from_utf8(key)));
    else
      row->set_words(setting_title(key), tr("%1. Its name in files: %2.").arg(setting_help(key), from_utf8(key)));
  }
  show_choices();
}

}  // namespace headlight
