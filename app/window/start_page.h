// The page of the first start, and of File, Start: a picture that already runs, beside it what the model has learned,
// and below it the three ways: exploring a model, learning with a lesson, inspecting a model or a file of one's own. It
// never stands in the way: whatever is chosen, in it or elsewhere, leads out.
#pragma once

#include <QPointer>
#include <QWidget>
#include <functional>
#include <memory>
#include <vector>

#include "app/settings.h"
#include "app/stage/start_item.h"
#include "model/models/bundle.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QScrollArea;

namespace headlight {

class Actions;
class LearnedPanel;
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
  void set_model(std::shared_ptr<const ModelBundle> model);
  // What the way of learning offers; null: nothing.
  void set_lessons(QWidget* column);
  QPushButton* look_closer() const { return closer_; }
  LearnedPanel* learned() const { return learned_; }
  QCheckBox* at_every_start() const { return always_; }
  QString question() const;
  void retranslate();

 signals:
  void textWanted(const QString& text);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Column {
    QWidget* box = nullptr;
    std::vector<QWidget*> items;  // in the box: its title, its line, and what can be chosen
  };
  void follow();
  void fill();
  void show_learned();
  void add_column(const char* icon, const QString& title, const QString& line);
  StartItem* add_item(const QString& title, const QString& line, std::function<void()> chosen);  // to the last one
  void fill_explore();
  void fill_inspect();
  void add_recent(bool bundled, qsizetype most);
  void fill_find();
  void ask();
  void fit();
  int fit_columns(int width, int top);
  void fit_beside();

  Around around_;
  bool open_ = false;
  std::shared_ptr<const ModelBundle> model_;
  QPointer<QWidget> lessons_;
  QLabel* question_;
  QPushButton* closer_;
  QScrollArea* scroll_;
  QWidget *content_, *beside_;
  LearnedPanel* learned_;
  QPointer<StartItem> find_;
  QCheckBox* always_;
  std::vector<Column> columns_;
};

}  // namespace headlight
