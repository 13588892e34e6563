// What is told of an entry before it is opened: at the right of the list.
#pragma once

#include <QWidget>
#include <vector>

#include "app/find/index.h"
#include "app/find/searched_window.h"

namespace headlight {

struct FindPreview {
  struct Row {
    QString label, left, right;
    double bar = -1;  // 0 .. 1; negative: none
  };
  QString title, line, text;
  QString left_head, right_head;  // of the rows
  std::vector<Row> rows;
};

// Everything in it is there already; nothing is computed for it.
FindPreview preview_of(const SearchedWindow& window, const FindEntry& entry);
// "Lessons": the name of a group, and of one of its kind.
QString group_name(FindKind kind);
QString kind_name(FindKind kind);

class FindPreviewPane : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;
  void show_preview(const FindPreview& preview);
  const FindPreview& preview() const { return preview_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void paint_rows(QPainter& painter, QRect room) const;
  FindPreview preview_;
};

}  // namespace headlight
