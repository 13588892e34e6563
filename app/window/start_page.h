// The page of the first start, and of File, Start: a picture that already runs, and below it, in columns, what can be
// opened and what one can go on with. It never stands in the way: whatever is chosen, in it or elsewhere, leads out.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <vector>

#include "app/stage/start_item.h"

class QLabel;
class QPushButton;
class QScrollArea;

namespace headlight {

class Actions;
class RecentFiles;
class SourceBar;
class Stage;
class StatusPanel;
class WindowPanels;

class StartPage : public QWidget {
  Q_OBJECT
 public:
  struct Around {
    Stage* stage;
    WindowPanels* panels;
    SourceBar* text;
    StatusPanel* caption;
    const Actions* actions;
    RecentFiles* recent;
  };
  explicit StartPage(const Around& around);

  void open();
  void leave();  // to Look; nothing where it is not open
  bool is_open() const { return open_; }
  // The model that runs: it asks for a date, or for another text.
  void set_model(const QString& folder, bool reads_dates);
  // A column of its own before the others; it appears with its content, null: there is none.
  void set_lessons(const QString& title, QWidget* column);
  QPushButton* look_closer() const { return closer_; }
  QString question() const;
  void retranslate();

 signals:
  void modelWanted(const QString& folder);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Column {
    QWidget* box = nullptr;
    QLabel* title = nullptr;
    std::vector<QWidget*> items;  // in the box, below the title
  };
  void follow();
  void fill();
  void add_column(const QString& title);
  StartItem* add_item(const QString& title, const QString& line, std::function<void()> chosen);  // to the last one
  void fill_own();
  void fill_ours();
  void fill_recent();
  void ask();
  void fit();

  Around around_;
  bool open_ = false, dates_ = true;
  QString folder_, lessons_title_;
  QPointer<QWidget> lessons_;
  QLabel* question_;
  QPushButton* closer_;
  QScrollArea* scroll_;
  QWidget* content_;
  std::vector<Column> columns_;
};

}  // namespace headlight
