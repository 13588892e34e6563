// The lecture list as a window of its own: which lessons and own steps, in which order, how long each, and when.
#pragma once

#include <QDialog>
#include <QPointer>
#include <functional>

#include "app/lectures/lecture_table.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QMenu;
class QMessageBox;
class QPushButton;
class QTableView;
class QTimeEdit;
class QVBoxLayout;

namespace headlight {

class LectureDialog : public QDialog {
  Q_OBJECT
 public:
  // What the window shows now, as a step of one's own (its title is asked for here); none: nothing is shown.
  using Shown = std::function<std::optional<LectureEntry>()>;
  LectureDialog(LectureTable* table, Shown shown, QWidget* parent);

  void open_file(const QString& path);  // asks before changes are lost
  // Asks for the place where there is none yet; `then` follows when it was written.
  void save(const std::function<void()>& then = {});
  // Whether no change would be lost; else it asks, and `go_on` follows when they are saved or given up.
  bool may_leave(const std::function<void()>& go_on);
  // Where the class is: the entry that it sees, for how long, and how far from the plan; negative: ahead of it.
  struct Standing {
    int entry = 0, used = 0, late = 0;  // minutes
  };
  void set_standing(const std::optional<Standing>& standing);
  QTableView* cells() const { return cells_; }

 signals:
  void present(int entry);  // from there on
  void openEntry(int entry);
  void failed(const QString& message);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void build_head(QVBoxLayout* rows);
  void build_cells();
  void build_foot(QVBoxLayout* rows);
  void show_texts();
  void show_lecture();
  void fill_lessons(QMenu* menu);
  void add(LectureEntry entry);
  void add_shown();
  void add_words();
  void ask_for_words(const LectureEntry& entry, const std::function<void(const LectureEntry&)>& take);
  void take_words(LectureEntry entry, const std::function<void(const LectureEntry&)>& take);
  void write_own(int key, const LectureEntry& entry);
  bool save_to(const QString& path);  // false: it could not be written
  void edit_own(int row);
  void move_row(int by);
  void remove_row();
  bool take_key(const QKeyEvent& key);  // of the cells
  void select(int row);
  int row() const;

  LectureTable* table_;
  Shown shown_;
  QLineEdit* title_;
  QLabel *file_, *about_, *hint_, *sum_, *standing_;
  QCheckBox* has_begin_;
  QTimeEdit* begins_;
  QTableView* cells_;
  QPushButton *lesson_, *step_, *edit_, *remove_, *up_, *down_, *new_, *open_, *save_, *present_;
  QPointer<QMessageBox> asked_;  // whether to leave
  int kept_row_ = -1;            // while the rows are made anew
  bool filling_ = false;
};

}  // namespace headlight
