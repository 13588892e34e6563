// What Ctrl+K opens: a field, below it what has that name, and beside it what that is. A part of the window, not a
// window of its own, so that input methods write into its field as into any other.
#pragma once

#include <QPointer>
#include <QWidget>

#include "app/find/index.h"
#include "app/find/preview.h"

class QLineEdit;
class QListView;

namespace headlight {

class FindRows;

class FindPalette : public QWidget {
  Q_OBJECT
 public:
  explicit FindPalette(QWidget* window);
  void set_preview(std::function<FindPreview(const FindEntry&)> preview) { preview_of_ = std::move(preview); }
  // Below this widget, where it is seen. Who has the keyboard now gets it back.
  void open(FindIndex index, const QWidget* below);
  // There is more to be found than before: what was typed and what is chosen stays.
  void set_index(FindIndex index);
  void close_and_return();
  QLineEdit* field() const { return field_; }
  QListView* list() const { return list_; }
  const FindPreviewPane* preview() const { return preview_; }
  const FindIndex& index() const { return index_; }
  // What is shown: -1 for a heading, else a place in the index; and all of it as text.
  std::vector<int> shown() const;
  QStringList texts() const;
  int chosen() const;  // -1: nothing is
  QString told() const { return count_; }

 signals:
  void wanted(const FindEntry& entry);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void search();
  void fill(const Found& found);
  void choose(int row);
  void step(int by);
  void take();
  bool press_key(QKeyEvent& key);
  void place();
  int foot_height() const;
  void follow_keyboard(QWidget* now);

  FindIndex index_;
  std::function<FindPreview(const FindEntry&)> preview_of_;
  QLineEdit* field_;
  QListView* list_;
  FindRows* rows_;
  FindPreviewPane* preview_;
  QPointer<QWidget> before_;  // had the keyboard
  QPointer<const QWidget> below_;
  QString count_;
};

}  // namespace headlight
