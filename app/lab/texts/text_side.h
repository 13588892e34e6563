// One side of the page "What does it learn from which text?": a file, what the model that learned from it writes, and
// counting beside it. Any text file can be dropped here; what cannot be read is said here, and nothing else changes.
#pragma once

#include <QTimer>
#include <QWidget>
#include <map>

#include "app/jobs/latest.h"
#include "app/lab/lab_shown.h"
#include "app/lab/texts/text_reading.h"
#include "app/lab/texts/text_writer.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;

namespace headlight {

class TablePane;
class TextPicture;

class TextSide : public QWidget {
  Q_OBJECT
 public:
  explicit TextSide(int side, QWidget* parent = nullptr);

  // Read off this thread; opened() or failed() follows.
  void open(const QString& path);
  void set_options(const FileOptions& options);  // how it is cut into tokens; counted again where that matters
  const ReadText& text() const { return text_; }
  bool has_text() const { return !text_.path.isEmpty(); }
  bool is_reading() const { return reading_.busy(); }
  const QString& problem() const { return problem_; }

  // What was trained on it, or a recording; null: nothing. `live`: it is being trained now.
  void set_run(LabShown::Run run, int moment, bool live);
  const LabShown::Run& run() const { return run_; }
  int moment() const { return moment_; }
  // With which words it begins and how the dice fall: what was recorded otherwise is written anew.
  void set_written(const Written& asked);
  void set_state(const QString& state);  // "trains: 3 s left"; empty: nothing is said
  void set_table_shown(bool shown);

  TextPicture* picture() const { return picture_; }
  QString title() const;
  QString sample() const;            // the longer text of the moment at the handle
  QString counted_sentence() const;  // how counting compares with the model; empty: nothing is known

 signals:
  void opened();
  void failed();
  void chosen(int moment);
  void tableClosed();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  using Key = std::pair<Index, Index>;  // update, tokens
  struct Wrote {
    Key key;
    std::string text;
  };
  void make_layout();
  QWidget* make_head();
  void fill_menu();
  void take(const ReadText& read);
  void show_problem(const QString& problem);
  void refresh();
  void show_sample();
  void ask_next();
  void forget_written();
  void read_text_of_run(const Recording* run);
  QString written(int moment) const;
  void retranslate();

  const int side_;
  ReadText text_;
  FileOptions options_;
  QString problem_, state_;
  LabShown::Run run_;
  int moment_ = 0;
  bool live_ = false;
  Written asked_;
  std::map<Key, std::string> wrote_;  // of asked_, by the run that is shown
  QLabel *title_, *file_, *problem_label_, *state_label_, *sample_title_;
  QPushButton* open_;
  TextPicture* picture_;
  QPlainTextEdit* sample_;
  TablePane* pane_;
  QTimer rests_;
  Latest<ReadText> reading_;
  Latest<Wrote> writing_;
};

}  // namespace headlight
