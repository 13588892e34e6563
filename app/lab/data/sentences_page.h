// Our sentences: what a class types, pastes, drops or has made, line by line with what is wrong, and the word bank
// beside it. It asks for trainings and runs none.
#pragma once

#include <QWidget>
#include <memory>
#include <utility>
#include <vector>

#include "model/recording/recording.h"
#include "model/training/tasks/task.h"

class QMimeData;

namespace headlight {

struct ArrivedSentences;
struct IncomingText;
class IncomingSentences;
class SentencesFile;
class SentencesModel;

class SentencesPage : public QWidget {
  Q_OBJECT
 public:
  static constexpr std::size_t kLeast = 20;  // different sentences, for a training

  // `folder`: where the list is kept while it is written; empty: in the person's data.
  explicit SentencesPage(const QString& folder = {}, QWidget* parent = nullptr);
  ~SentencesPage() override;

  // What a training gets: the same numbers as `headlight train pairs --files` with the file that *Save* writes. Links
  // are known of sentences of the word bank.
  FileOptions pairs() const;
  Probe probe() const;         // an empty source: none was chosen
  std::size_t usable() const;  // different sentences
  SentencesModel* model() const { return model_; }

  // "How many are needed?", measured by whoever was asked (neededWanted): sentences trained on, and the share that is
  // right of those that were not. While it is measured, what it is at; empty: nothing is measured.
  void set_needed(std::vector<std::pair<int, double>> needed);
  void set_measuring(const QString& progress);
  // Why no training can be started now; empty: one can.
  void set_busy(const QString& reason);
  // One that was typed elsewhere; an empty source: none.
  void set_probe(const QString& source, const QString& target);

  // As if it had been pasted or dropped.
  void add_text(const QByteArray& text, bool csv, const QString& name);
  void open_file(const QString& path);
  void open_bank(const QString& path);
  void train();  // as its button does (Ctrl+Enter)

 signals:
  void changed();
  void trainWanted(const headlight::FileOptions& pairs, const headlight::Probe& probe);
  // Trainings on the first so many sentences of these (TrainingSettings::train_size), each asked the same ones.
  void neededWanted(const headlight::FileOptions& pairs, const std::vector<int>& sizes);
  void stopMeasuringWanted();
  void forgetWanted();  // the data are gone; weights and recordings of them are the receiver's
  void failed(const QString& message);

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  struct Parts;
  QWidget* build_left();
  QWidget* build_right();
  void connect_parts();
  void connect_right();
  void retranslate();
  void show_state();
  void show_probe();
  void say(const QString& text);
  void take_bank(const QString& file, int built_in);
  void take(const ArrivedSentences& arrived);
  QString came_in(const ArrivedSentences& arrived, int first, int count) const;
  bool field_key(QObject* field, const QKeyEvent& key);
  void add_typed();
  void paste();
  bool take_mime(const QMimeData& mime);
  void keep_out(int row);
  void save();
  void save_as(const QString& path);
  void make(int count);
  void measure();
  void forget();

  SentencesModel* model_;
  std::unique_ptr<Parts> parts_;
  std::unique_ptr<SentencesFile> file_;
  QString busy_;
};

}  // namespace headlight
