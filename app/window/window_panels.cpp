// Docks of QMainWindow: where each stands, which are offered, and which of them is meant.

#include "app/window/window_panels.h"

#include <QApplication>
#include <QMenu>
#include <QPainter>
#include <QTabBar>
#include <algorithm>

#include "app/window/dock_title.h"
#include "app/window/panel_host.h"
#include "app/window/restore_panels.h"
#include "model/decode/run.h"
#include "widgets/base/theme.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/view_panel.h"

namespace headlight {

namespace {

using At = ViewRow::Place;

// Of tabs, only the one in front: the others lie outside of the window.
bool in_front(const QWidget* widget) {
  const QWidget* window = widget->window();
  return widget->isVisible() && window->rect().intersects(QRect(widget->mapTo(window, QPoint()), widget->size()));
}

// What a panel of numbers gives away: what the window shows of it.
Figure as_it_is(QWidget* widget) {
  return {widget->size(), [widget](QPainter& painter) { widget->render(&painter); }, widget->accessibleName(), nullptr};
}

}  // namespace

WindowPanels::WindowPanels(QMainWindow* window) : QObject(window), window_(window) {
  // The pictures fill the middle as tabs, with their names above them; there is no widget that cannot be moved.
  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
  // Qt lets panels around no centre grow by a separator at every layout, so there is one, of no height.
  auto* centre = new QWidget(window);
  centre->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  centre->setFixedHeight(0);
  window->setCentralWidget(centre);
  window->setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  window->setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  connect(&Theme::instance(), &Theme::changed, this, &WindowPanels::apply_fonts);
}

void WindowPanels::set_top(const QList<QWidget*>& in_order, const QList<QWidget*>& stops) {
  top_ = in_order;
  top_stops_ = stops;
}

void WindowPanels::add(const ViewRow& row, QWidget* widget, ResultView* view) {
  auto* dock = new QDockWidget(window_);
  dock->setObjectName(QString::fromUtf8(row.name));
  // A window on a small screen needs them smaller than each of them would like; they scroll or say less.
  auto* host = new PanelHost(widget);
  host->setMinimumSize(row.place == At::side ? 240 : 200, 110);
  widget->setMinimumSize(1, 1);
  dock->setWidget(host);
  set_fonts(dock);
  dock->setTitleBarWidget(new DockTitle(dock));
  // Qt leaves what stands behind another tab visible, only elsewhere: it would be kept up to date for nobody.
  connect(dock, &QDockWidget::visibilityChanged, widget, &QWidget::setVisible);
  connect(dock, &QDockWidget::topLevelChanged, this, &WindowPanels::show_what_is_seen, Qt::QueuedConnection);
  connect(dock, &QDockWidget::dockLocationChanged, this, &WindowPanels::show_what_is_seen, Qt::QueuedConnection);
  const bool always = !row.offers;
  auto* go_to = new QAction(window_);
  // Nine digits and zero, as on the keyboard.
  const auto number = panels_.size() + 1;
  if (number <= 10) go_to->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number % 10)));
  connect(go_to, &QAction::triggered, this, [this, name = dock->objectName(), widget] {
    if (raise(name)) give_keyboard(widget);
  });
  go_to->setVisible(always);
  window_->addAction(go_to);
  connect(dock, &QDockWidget::visibilityChanged, this, [this, name = dock->objectName()](bool visible) {
    if (visible) emit seen(name);
  });
  panels_.push_back(
      {dock->objectName(), row.place, dock, row.title, row.help, row.offers, widget, view, host, go_to, always});
}

QDockWidget* WindowPanels::dock(const char* name) const {
  for (const Panel& panel : panels_)
    if (panel.name == QLatin1String(name)) return panel.dock;
  return nullptr;
}

std::vector<QDockWidget*> WindowPanels::docks(At place) const {
  std::vector<QDockWidget*> found;
  for (const Panel& panel : panels_)
    if (panel.place == place) found.push_back(panel.dock);
  return found;
}

// By itself, Tab goes in the order in which the widgets were made, and the views make new ones for every run.
void WindowPanels::set_tab_order() const {
  QList<QWidget*> order = top_;
  for (const Panel& panel : panels_)
    if (!panel.dock->isFloating()) order << panel.widget;
  for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) order << tabs;
  QWidget* last = nullptr;
  for (QWidget* panel : order) {
    QList<QWidget*> inside;
    QWidget* next = panel;
    do {
      const bool ours = next == panel || panel->isAncestorOf(next);
      if (ours && (next->focusPolicy() & Qt::TabFocus)) inside << next;
      next = next->nextInFocusChain();
    } while (next != panel);
    for (QWidget* widget : inside) {
      if (last) QWidget::setTabOrder(last, widget);
      last = widget;
    }
  }
}

bool WindowPanels::is_narrow() const { return window_->width() < 1100 * Theme::instance().font_scale(); }
bool WindowPanels::is_low() const { return window_->height() < 700 * Theme::instance().font_scale(); }

// A dock that has the application's font paints its title in the small font of the desktop, however large the letters
// around it are. A font that differs by a hair is taken as it is.
void WindowPanels::set_fonts(QDockWidget* dock) {
  dock->setFont(Theme::instance().ui_font(1.02));
  dock->widget()->setFont(Theme::instance().ui_font());
}

void WindowPanels::apply_fonts() {
  for (const Panel& each : panels_) set_fonts(each.dock);
  if (window_->isVisible() && (is_narrow() != arranged_narrow_ || is_low() != arranged_low_)) reset_layout();
}

// A panel that is taken out of its tab, or put back, does not always tell.
void WindowPanels::show_what_is_seen() {
  for (const Panel& panel : panels_)
    if (panel.dock->isVisible()) panel.widget->setVisible(panel.dock->isFloating() || in_front(panel.dock));
  // Qt 6.4 loses count when a tab is moved past panels that are hidden.
  for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) tabs->setMovable(false);
}

void WindowPanels::take(const std::shared_ptr<const AnalysedRun>& run) {
  show_what_is_seen();
  for (const Panel& panel : panels_)
    if (panel.view) panel.view->take(run);
}

// What a model has does not depend on the text, but an empty one may show nothing of it.
void WindowPanels::offer_what_there_is(const AnalysedRun& run) {
  const auto& result = run.result();
  const bool other = result->model != offered_for_;
  if (!other && offers_known_) return;
  offered_for_ = result->model;
  offers_known_ = result->trace && !result->steps.empty();
  std::vector<Panel*> changing;
  for (Panel& panel : panels_)
    if (panel.offers && (other || !panel.offered) && panel.offers(run) != panel.offered) changing.push_back(&panel);
  if (changing.empty()) return;
  // A panel that comes or goes wants another size for its neighbours; they keep theirs.
  const QList<QDockWidget*> kept = {dock("inspector"), dock("outputs")};
  const QList<int> widths = {kept[0]->width(), kept[1]->width()}, heights = {kept[1]->height()};
  for (Panel* panel : changing) offer(*panel, !panel->offered);
  window_->resizeDocks(kept, widths, Qt::Horizontal);
  window_->resizeDocks({kept[1]}, heights, Qt::Vertical);
  if (std::exchange(fresh_, false)) set_sizes();
}

void WindowPanels::offer(Panel& panel, bool offered) {
  if (panel.offered && !offered) panel.wanted = !panel.dock->isHidden();
  panel.offered = offered;
  panel.dock->setVisible(offered && panel.wanted);
  panel.dock->toggleViewAction()->setVisible(offered);
  panel.goto_action->setVisible(offered);
}

const WindowPanels::Panel* WindowPanels::panel_in_use() const {
  const QWidget* now = QApplication::focusWidget();
  for (const Panel& panel : panels_)
    if (now && panel.dock->isAncestorOf(now)) return &panel;
  return nullptr;
}

const WindowPanels::Panel* WindowPanels::picture_in_front() const {
  for (const Panel& panel : panels_)
    if (panel.place == At::picture && in_front(panel.widget)) return &panel;
  return &panels_.front();
}

WindowPanels::Picture WindowPanels::picture_of(const Panel& panel) {
  return {panel.widget, false, panel.name,
          [widget = panel.widget, view = panel.view] { return view ? view->figure() : as_it_is(widget); }};
}

WindowPanels::Picture WindowPanels::picture() const {
  const Panel* used = panel_in_use();
  Picture picture = picture_of(used ? *used : *picture_in_front());
  picture.has_keyboard = used;
  return picture;
}

WindowPanels::Picture WindowPanels::picture(const QString& name) const {
  for (const Panel& panel : panels_)
    if (panel.name == name && panel.offered) return picture_of(panel);
  return {};
}

void WindowPanels::toggle_table() {
  const Panel* panel = panel_in_use();
  if (!panel || !panel->view) panel = picture_in_front();
  set_table_shown(panel->name, !panel->host->table());
  if (TablePane* table = panel->host->table()) table->setFocus(Qt::ShortcutFocusReason);
}

void WindowPanels::set_table_shown(const QString& name, bool shown) {
  for (const Panel& panel : panels_) {
    if (panel.name != name || !panel.view) continue;
    if (shown)
      panel.host->open_table(panel.view->table(), translated_view_text(panel.title));
    else
      panel.host->close_table();
  }
}

TablePane* WindowPanels::table_pane(const QString& name) const {
  for (const Panel& panel : panels_)
    if (panel.name == name) return panel.host->table();
  return nullptr;
}

void WindowPanels::set_panel_actions(const QList<QAction*>& actions) {
  for (const Panel& panel : panels_)
    if (panel.view) panel.host->addActions(actions);
}

bool WindowPanels::raise(const QString& name) {
  for (Panel& panel : panels_) {
    if (panel.name != name || !panel.offered) continue;
    panel.dock->show();
    panel.dock->raise();
    return true;
  }
  return false;
}

QByteArray WindowPanels::save_state() const {
  for (const Panel& panel : panels_)
    if (!panel.offered) panel.dock->setVisible(panel.wanted);
  const QByteArray state = window_->saveState();
  for (const Panel& panel : panels_)
    if (!panel.offered) panel.dock->hide();
  return state;
}

void WindowPanels::restore_state(const QByteArray& state) {
  restore_panels(*window_, state);
  fresh_ = false;
  for (Panel& panel : panels_) {
    panel.wanted = !panel.dock->isHidden();
    if (!panel.offered) panel.dock->hide();
  }
}

void WindowPanels::reset_layout() {
  for (Panel& panel : panels_) {
    panel.dock->setFloating(false);
    panel.wanted = true;
    panel.dock->setVisible(panel.offered);
  }
  // A small screen, or one with large letters, has no room for panels side by side: they become tabs.
  const bool narrow = is_narrow(), low = is_low();
  arranged_narrow_ = narrow;
  arranged_low_ = low;
  // Never beside each other, not even for a moment: they would make a small window wider.
  const auto stack = [this](const std::vector<QDockWidget*>& all, Qt::DockWidgetArea area) {
    window_->addDockWidget(area, all.front());
    for (std::size_t i = 1; i < all.size(); ++i) window_->tabifyDockWidget(all[i - 1], all[i]);
  };
  QDockWidget *outputs_dock = dock("outputs"), *differences = dock("differences"), *inspector_dock = dock("inspector");
  std::vector<QDockWidget*> bottoms = docks(At::bottom), sides = docks(At::side);
  std::erase(bottoms, outputs_dock);
  std::erase(sides, differences);
  stack(docks(At::picture), Qt::TopDockWidgetArea);
  window_->addDockWidget(Qt::BottomDockWidgetArea, outputs_dock);
  if (narrow)
    window_->tabifyDockWidget(outputs_dock, bottoms.front());
  else
    window_->splitDockWidget(outputs_dock, bottoms.front(), Qt::Horizontal);
  for (std::size_t i = 1; i < bottoms.size(); ++i) window_->tabifyDockWidget(bottoms[i - 1], bottoms[i]);
  // Before the others join the inspector: a tab cannot be split.
  window_->addDockWidget(Qt::RightDockWidgetArea, inspector_dock);
  if (low)
    window_->tabifyDockWidget(inspector_dock, differences);
  else
    window_->splitDockWidget(inspector_dock, differences, Qt::Vertical);
  for (QDockWidget* each : sides)
    if (each != inspector_dock) window_->tabifyDockWidget(inspector_dock, each);
  for (Panel& panel : panels_) offer(panel, panel.offered);
  docks(At::picture).front()->raise();
  (narrow ? outputs_dock : bottoms.front())->raise();
  inspector_dock->raise();
  fresh_ = true;
  set_sizes();
}

void WindowPanels::set_sizes() {
  const int width = window_->width(), height = window_->height();
  const int right = std::clamp(width * 28 / 100, 300, 560), bottom = std::clamp(height * 38 / 100, 200, 560);
  const int left = std::clamp((width - right) * 38 / 100, 430, 900);
  QDockWidget *outputs_dock = dock("outputs"), *inspector_dock = dock("inspector");
  window_->resizeDocks({inspector_dock}, {right}, Qt::Horizontal);
  if (!arranged_narrow_)
    window_->resizeDocks({outputs_dock, dock("steps")}, {left, std::max(200, width - right - left)}, Qt::Horizontal);
  window_->resizeDocks({outputs_dock}, {bottom}, Qt::Vertical);
  if (!arranged_low_) window_->resizeDocks({inspector_dock, dock("differences")}, {height, 128}, Qt::Vertical);
}

void WindowPanels::retranslate() {
  for (const Panel& panel : panels_) {
    const QString title = translated_view_text(panel.title), help = translated_view_text(panel.help);
    panel.dock->setWindowTitle(title);
    static_cast<DockTitle*>(panel.dock->titleBarWidget())->set_text(title, help);
    panel.dock->toggleViewAction()->setToolTip(help);
    panel.dock->toggleViewAction()->setStatusTip(help);
    panel.widget->setAccessibleName(title);
    if (panel.host->table()) panel.host->table()->set_name(title);
    panel.goto_action->setText(title);
    panel.goto_action->setStatusTip(help);
  }
}

void WindowPanels::fill_menu(QMenu* menu) const {
  for (const Panel& panel : panels_) menu->addAction(panel.dock->toggleViewAction());
}

void WindowPanels::fill_goto_menu(QMenu* menu) const {
  for (const Panel& panel : panels_) menu->addAction(panel.goto_action);
}

bool WindowPanels::give_keyboard(QWidget* panel) {
  const auto* view = qobject_cast<ViewPanel*>(panel);
  QList<QWidget*> takers = {view ? view->keyboard_target() : panel->focusProxy(), panel};
  takers += panel->findChildren<QWidget*>();
  for (QWidget* each : takers) {
    if (!each || !(each->focusPolicy() & Qt::TabFocus) || !each->isVisible() || !each->isEnabled()) continue;
    each->setFocus(Qt::ShortcutFocusReason);
    return true;
  }
  return false;
}

void WindowPanels::focus_next() const {
  QList<QWidget*> order = top_stops_;
  for (const Panel& panel : panels_) order << panel.widget;
  const QWidget* now = QApplication::focusWidget();
  qsizetype at = order.size() - 1;
  for (qsizetype i = 0; i < order.size(); ++i)
    if (now && (order[i] == now || order[i]->isAncestorOf(now))) at = i;  // the strip stands inside the bar
  for (qsizetype k = 1; k <= order.size(); ++k) {
    QWidget* next = order[(at + k) % order.size()];
    if (in_front(next) && give_keyboard(next)) return;
  }
}

}  // namespace headlight
