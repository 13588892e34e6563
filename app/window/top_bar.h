// The bar of the window: its menus, the switch between the ways to work, and the way to the whole screen.
#pragma once

#include <QPointer>
#include <QStringList>
#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QMenuBar;
class QTabBar;
class QToolButton;

namespace headlight {

class Segments;

class TopBar : public QWidget {
  Q_OBJECT
 public:
  explicit TopBar(QWidget* parent = nullptr);
  QMenuBar* menus() const { return menus_; }
  QTabBar* ways() const;
  bool is_folded() const;  // the menus stand behind one button
  void set_present_action(QAction* action);
  void set_find_action(QAction* action);  // its key stands beside it
  void set_lessons_action(QAction* action);
  // In place of the switch: the longest of these that has room; none: the switch is back.
  void set_lesson(const QStringList& titles);
  // The names of the switch with their tooltips, and which of them it is; -1: none.
  void set_ways(const QStringList& names, const QStringList& tooltips, int current);

 signals:
  void chosen(int way);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  void leave_menus();

  QMenuBar* menus_;
  Segments* switch_;
  QLabel* lesson_;
  QStringList titles_;
  QToolButton *find_, *lessons_, *present_;
  QLabel* find_key_;
  QToolButton* folded_;  // in place of the menus, where there is no room for their names
  QMenu* all_menus_;
  QPointer<QWidget> before_menus_;  // who had the keyboard
  bool closing_ = false, leaving_ = false;
};

}  // namespace headlight
