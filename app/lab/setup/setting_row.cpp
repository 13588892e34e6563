#include "app/lab/setup/setting_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <utility>

#include "app/messages.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {
int field_width() { return 4 * space::kMargin * control_height() / 28; }
}  // namespace

SettingRow::SettingRow(std::string key, Kind kind, const QStringList& words, Put put, QWidget* parent)
    : QWidget(parent),
      key_(std::move(key)),
      put_(std::move(put)),
      label_(new QLabel(this)),
      sentence_(text_label(this)) {
  setObjectName(QStringLiteral("setting_") + from_utf8(key_));
  if (kind == Kind::flag) {
    flag_ = new QCheckBox(this);
    connect(flag_, &QCheckBox::toggled, this, &SettingRow::typed);
  } else if (kind == Kind::words) {
    list_ = new QComboBox(this);
    list_->addItems(words);
    connect(list_, &QComboBox::activated, this, &SettingRow::typed);
  } else {
    line_ = new QLineEdit(this);
    connect(line_, &QLineEdit::textEdited, this, &SettingRow::typed);
  }
  QWidget* field = this->field();
  if (!flag_) field->setFixedWidth(field_width());
  label_->setBuddy(field);
  label_->setWordWrap(true);
  sentence_->hide();
  set_ink(sentence_, &Tokens::bad);
  auto* row = new QHBoxLayout;
  row->setSpacing(space::kSmall);
  row->addWidget(label_, 1);
  row->addWidget(field);
  auto* column = column_in(this, space::kTight);
  column->addLayout(row);
  column->addWidget(sentence_);
}

QWidget* SettingRow::field() const {
  if (line_) return line_;
  if (list_) return list_;
  return flag_;
}

void SettingRow::set_words(const QString& label, const QString& help) {
  label_->setText(label);
  label_->setToolTip(wrapped_tooltip(help));
  describe(field(), label, help);
}

void SettingRow::set_value(const QString& value) {
  const QSignalBlocker quiet(field());
  if (line_) line_->setText(value);
  if (list_) list_->setCurrentIndex(list_->findText(value));
  if (flag_) flag_->setChecked(value == QStringLiteral("true"));
  tell({});
}

QString SettingRow::value() const {
  if (line_) return line_->text();
  if (list_) return list_->currentText();
  return flag_->isChecked() ? QStringLiteral("true") : QStringLiteral("false");
}

bool SettingRow::wrong() const { return !sentence_->text().isEmpty(); }
QString SettingRow::sentence() const { return sentence_->text(); }

void SettingRow::typed() {
  tell(put_(bytes_of(value().trimmed())));
  if (!wrong()) emit changed();
}

// With a sign beside the colour: the sentence itself.
void SettingRow::tell(const QString& sentence) {
  sentence_->setText(message_text(sentence));
  sentence_->setVisible(!sentence.isEmpty());
  field()->setAccessibleDescription(sentence.isEmpty() ? field()->toolTip() : sentence);
}

}  // namespace headlight
