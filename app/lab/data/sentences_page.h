// Our sentences: what a class types, pastes, drops or has made, line by line with what is wrong, and the word bank
// beside it. It asks for trainings and runs none.
#pragma once

#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

#include "model/recording/recording.h"
#include "model/training/tasks/word_bank.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace headlight {

class SentencesFile;
class SentencesModel;
class SentencesTable;
class WordBankPanel;

class SentencesPage : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t kLeast = 20;  // pairs, for a training

  // `folder`: where the list is kept while it is written; empty: in the person's data.
  explicit SentencesPage(const QString& folder = {}, QWidget* parent = nullptr);
  ~SentencesPage() override;

  // What a training gets: the same numbers as `headlight train pairs --files` with the file that *Save* writes. Links
  // are known of sentences of the word bank.
  PairsOptions pairs() const;
  Probe probe() const;  // an empty source: none was chosen
  std::size_t usable() const;

  // "How many are needed?", measured by whoever was asked (neededWanted): sentences trained on, and the share that is
  // right of those that were not. While it is measured, what it is at; empty: nothing is measured.
  void set_needed(std::vector<std::pair<int, double>> needed);
  void set_measuring(const QString& progress);
  // Why no training can be started now; empty: one can.
  void set_busy(const QString& reason);

  SentencesModel* model() const { return model_; }
  // As if it had been dropped or pasted.
  void add_text(const QByteArray& text, bool csv, const QString& name);
  void open_file(const QString& path);
  void open_bank(const QString& path);

 signals:
  void changed();
  void trainWanted(const headlight::PairsOptions& pairs, const headlight::Probe& probe);
  // Trainings on the first so many sentences of these (TrainingSettings::train_size), each asked the same ones.
  void neededWanted(const headlight::PairsOptions& pairs, const std::vector<int>& sizes);
  void stopMeasuringWanted();
  void forgetWanted();  // the data are gone; weights and recordings of them are the receiver's
  void failed(const QString& message);

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Parts;
  void build();
  void connect_parts();
  void retranslate();
  void show_state();
  void add_typed();
  void paste();
  void ask_for_file();
  void save();
  void make(int count);
  void measure();
  void ask_to_forget(bool asked);
  void forget();

  std::unique_ptr<Parts> parts_;
  SentencesModel* model_;
  std::unique_ptr<SentencesFile> file_;
  QString busy_;
};

}  // namespace headlight
