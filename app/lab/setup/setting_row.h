// A setting of a training as a field with its name: a wrong value stays as it was typed, and a sentence below says what
// would fit.
#pragma once

#include <QWidget>
#include <functional>
#include <string>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;

namespace headlight {

class SettingRow : public QWidget {
  Q_OBJECT
 public:
  enum class Kind { line, words, flag };
  // `put` takes the text where it fits and returns an empty sentence; else says what would.
  using Put = std::function<QString(const std::string& value)>;
  SettingRow(std::string key, Kind kind, const QStringList& words, Put put, QWidget* parent = nullptr);

  const std::string& key() const { return key_; }
  void set_words(const QString& label, const QString& help);
  void set_value(const QString& value);  // does not emit; no more wrong
  QString value() const;
  bool wrong() const;
  QString sentence() const;
  QWidget* field() const;

 signals:
  void changed();  // a right value was put

 private:
  void typed();
  void tell(const QString& sentence);

  std::string key_;
  Put put_;
  QLabel *label_, *sentence_;
  QLineEdit* line_ = nullptr;
  QComboBox* list_ = nullptr;
  QCheckBox* flag_ = nullptr;
};

}  // namespace headlight
