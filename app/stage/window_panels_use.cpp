// Which of the panels is meant, what its menu and its table are, and where the keyboard goes.

#include <QApplication>
#include <QMenu>
#include <QPainter>

#include "app/stage/name_row.h"
#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "widgets/canvas/view_panel.h"

namespace headlight {

namespace {

// What a panel of numbers gives away: what the window shows of it.
Figure as_it_is(QWidget* widget) {
  return {widget->size(), [widget](QPainter& painter) { widget->render(&painter); }, widget->accessibleName(), nullptr};
}

}  // namespace

const WindowPanels::Panel* WindowPanels::panel_in_use() const {
  const QWidget* now = QApplication::focusWidget();
  for (const Panel& panel : panels_)
    if (now && panel.frame->isAncestorOf(now)) return &panel;
  return nullptr;
}

QString WindowPanels::name_in_use() const {
  const Panel* used = panel_in_use();
  return used ? used->name : front();
}

const WindowPanels::Panel* WindowPanels::picture_in_front() const { return panel(front()); }

WindowPanels::Picture WindowPanels::picture_of(const Panel& panel) {
  return {panel.widget, false, panel.name, translated_view_text(panel.help),
          [widget = panel.widget, view = panel.view] { return view ? view->figure() : as_it_is(widget); }};
}

WindowPanels::Picture WindowPanels::picture() const {
  const Panel* used = panel_in_use();
  Picture picture = picture_of(used ? *used : *picture_in_front());
  picture.has_keyboard = used;
  return picture;
}

WindowPanels::Picture WindowPanels::picture(const QString& name) const {
  const Panel* found = panel(name);
  return found && found->offered ? picture_of(*found) : Picture{};
}

void WindowPanels::toggle_table() {
  const Panel* panel = panel_in_use();
  if (!panel || !panel->view) panel = picture_in_front();
  set_table_shown(panel->name, !panel->frame->host()->table());
  if (TablePane* table = panel->frame->host()->table()) table->setFocus(Qt::ShortcutFocusReason);
}

void WindowPanels::set_table_shown(const QString& name, bool shown) {
  const Panel* found = panel(name);
  if (!found || !found->view) return;
  if (shown)
    found->frame->host()->open_table(found->view->table(), translated_view_text(found->title));
  else
    found->frame->host()->close_table();
}

TablePane* WindowPanels::table_pane(const QString& name) const {
  const Panel* found = panel(name);
  return found ? found->frame->host()->table() : nullptr;
}

void WindowPanels::set_panel_actions(const QList<QAction*>& actions, const QList<QAction*>& places) {
  panel_actions_ = actions;
  places_ = places;
  for (const Panel& panel : panels_)
    if (panel.view) panel.frame->host()->addActions(actions);
}

// Its entries act on the panel that has the keyboard.
void WindowPanels::fill_frame_menu(const Panel& panel) {
  give_keyboard(panel.widget);
  QMenu* menu = panel.frame->menu();
  menu->clear();
  for (QAction* action : panel_actions_)
    if (panel.view || action->objectName() != QLatin1String("show_table")) menu->addAction(action);
  menu->addAction(tr("Present this panel"), this, [this, name = panel.name] { emit presentWanted(name); });
  menu->addSeparator();
  menu->addActions(places_);
}

void WindowPanels::go_to(const QString& name) {
  const Panel* wanted = panel(name);
  if (!wanted) return;
  raise(name) ? void(give_keyboard(wanted->widget)) : emit lacking(translated_view_text(wanted->title));
}

QKeySequence WindowPanels::key_of(const QString& name) const {
  const Panel* wanted = panel(name);
  return wanted ? wanted->goto_action->shortcut() : QKeySequence();
}

void WindowPanels::fill_goto_menu(QMenu* menu) const {
  menu->setToolTipsVisible(true);
  for (const Panel& panel : panels_) menu->addAction(panel.goto_action);
}

bool WindowPanels::give_keyboard(QWidget* panel, Qt::FocusReason reason) {
  const auto* view = qobject_cast<ViewPanel*>(panel);
  QList<QWidget*> takers = {view ? view->keyboard_target() : panel->focusProxy(), panel};
  takers += panel->findChildren<QWidget*>();
  for (QWidget* each : takers) {
    if (!each || !(each->focusPolicy() & Qt::TabFocus) || !each->isVisible() || !each->isEnabled()) continue;
    each->setFocus(reason);
    return true;
  }
  return false;
}

void WindowPanels::focus_next() const {
  QList<QWidget*> order = top_stops_;
  for (const Slot slot : {Slot::main, Slot::below, Slot::side})
    for (const QString& name : shown(slot)) order << panel(name)->widget;
  const QWidget* now = QApplication::focusWidget();
  qsizetype at = order.size() - 1;
  for (qsizetype i = 0; i < order.size(); ++i)
    if (now && (order[i] == now || order[i]->isAncestorOf(now))) at = i;
  for (qsizetype k = 1; k <= order.size(); ++k) {
    QWidget* next = order[(at + k) % order.size()];
    if (next->isVisible() && give_keyboard(next)) return;
  }
}

void WindowPanels::focus_panel(const QString& name, Qt::FocusReason reason) const {
  if (const Panel* wanted = panel(name)) give_keyboard(wanted->widget, reason);
}

}  // namespace headlight
