// The list of what differs from the trained model on its own: settings, decoding, a forced output, edits; with ways to
// take each back.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "model/decode/run.h"

class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace headlight {

// What the document asks for.
struct Differences {
  std::shared_ptr<const ModelBundle> model;  // with its changed settings
  DecodeSettings decode;
  std::optional<QString> target;
  std::vector<Intervention> edits;
  std::shared_ptr<const Result> result;  // the newest, for the names of tokens and steps; may be null
};

class EditsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit EditsPanel(QWidget* parent = nullptr);
  void set_differences(Differences differences);
  QListWidget* list() const { return list_; }

 signals:
  void removeRequested(int index);  // an edit
  void settingRemoved(const QString& key);
  void decodingReset();
  void targetRemoved();
  void clearRequested();  // all of it
  void openRequested(const QString& site, qint64 cell);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  enum class Row { setting, decoding, target, edit };
  void refresh();
  void retranslate();
  void add(Row row, const QString& text, const QString& help, const QVariant& what = {});
  void add_settings();
  void add_edits();
  void remove(const QListWidgetItem* item);

  Differences differences_;
  QLabel* empty_;
  QListWidget* list_;
  QPushButton *remove_, *clear_;
};

// "beam search, 4 hypotheses", "drawn, temperature 0.7".
QString decoding_in_words(const DecodeSettings& decode);

}  // namespace headlight
