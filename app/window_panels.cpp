// Makes the views, puts each into its place, and links those that follow each other without the session.

#include "app/window_panels.h"

#include <QApplication>
#include <QMenu>
#include <QTabBar>
#include <QToolBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/edits_panel.h"
#include "app/hint_panel.h"
#include "app/message_banner.h"
#include "app/source_bar.h"
#include "widgets/base/theme.h"
#include "widgets/plot/heatmap.h"
#include "widgets/views/alignment_view.h"
#include "widgets/views/heads_view.h"
#include "widgets/views/inspector_view.h"
#include "widgets/views/output_view.h"
#include "widgets/views/positions_view.h"
#include "widgets/views/ribbons_view.h"
#include "widgets/views/stepper_view.h"
#include "widgets/views/token_strip.h"
#include "widgets/views/trace_list.h"

namespace headlight {

WindowPanels::WindowPanels(QMainWindow* window, Selection* selection)
    : QObject(window),
      source_bar(new SourceBar(window)),
      tokens(new TokenStrip(selection, window)),
      alignment(new AlignmentView(selection, window)),
      outputs(new OutputView(selection, window)),
      stepper(new StepperView(window)),
      heads(new HeadsView(selection, window)),
      ribbons(new RibbonsView(selection, window)),
      positions(new PositionsView(window)),
      trace_list(new TraceList(window)),
      inspector(new InspectorView(window)),
      edits(new EditsPanel(window)),
      banner(new MessageBanner(window)),
      hint(new HintPanel(window)),
      window_(window) {
  auto* bar = new QToolBar(window);
  bar->setObjectName(QStringLiteral("top"));
  bar->setMovable(false);
  bar->setContextMenuPolicy(Qt::PreventContextMenu);
  bar->toggleViewAction()->setEnabled(false);
  bar->addWidget(source_bar);
  source_bar->set_below(tokens);
  window->addToolBar(Qt::TopToolBarArea, bar);

  auto* centre = new QWidget(window);
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(banner);
  column->addWidget(hint);
  column->addWidget(alignment, 1);
  window->setCentralWidget(centre);

  window->setDockOptions(QMainWindow::AnimatedDocks | QMainWindow::AllowNestedDocks | QMainWindow::AllowTabbedDocks);
  window->setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  window->setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  outputs_dock_ = dock(outputs, "outputs");
  inspector_dock_ = dock(inspector, "inspector");
  edits_dock_ = dock(edits, "edits");
  stepper_dock_ = dock(stepper, "computation");
  heads_dock_ = dock(heads, "heads");
  ribbons_dock_ = dock(ribbons, "ribbons");
  positions_dock_ = dock(positions, "positions");
  trace_dock_ = dock(trace_list, "values");
  optional_ = {{{heads_dock_, HeadsView::offers},
                {ribbons_dock_, RibbonsView::offers},
                {positions_dock_, PositionsView::offers}}};

  stepper->set_selection(selection);
  trace_list->set_selection(selection);
  inspector->set_selection(selection);
  connect_views();
  reset_layout();
  connect(&Theme::instance(), &Theme::changed, this, &WindowPanels::apply_fonts);
  apply_fonts();
}

// By itself, Tab goes in the order in which the widgets were made, and the views make new ones for every run.
void WindowPanels::set_tab_order() const {
  QList<QWidget*> panels = {source_bar, banner,  hint,      alignment,  outputs,   stepper,
                            heads,      ribbons, positions, trace_list, inspector, edits};
  for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) panels << tabs;
  QWidget* last = nullptr;
  for (QWidget* panel : panels) {
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
void WindowPanels::apply_fonts() {
  for (QDockWidget* each : docks_) {
    each->setFont(Theme::instance().ui_font(1.02));
    each->widget()->setFont(Theme::instance().ui_font());
  }
  if (window_->isVisible() && (is_narrow() != arranged_narrow_ || is_low() != arranged_low_)) reset_layout();
}

QDockWidget* WindowPanels::dock(QWidget* content, const char* name) {
  auto* dock = new QDockWidget(window_);
  dock->setObjectName(QString::fromUtf8(name));
  dock->setWidget(content);
  docks_.push_back(dock);
  return dock;
}

void WindowPanels::connect_views() {
  connect(stepper, &StepperView::attentionRowsChanged, alignment, [this](int rows) {
    alignment->set_visible_rows(rows);
    outputs->set_visible_steps(alignment->has_alignment() ? rows : -1);
  });
  connect(heads, &HeadsView::headChosen, ribbons, &RibbonsView::show_head);
}

void WindowPanels::show_result(const std::shared_ptr<const Result>& result) {
  const TraceLabels labels = trace_labels(*result);
  alignment->set_result(result);
  outputs->set_result(result);
  tokens->set_result(result);
  source_bar->fit_below();
  stepper->set_trace(result->trace, labels);
  trace_list->set_trace(result->trace, labels);
  inspector->set_trace(result->trace, labels);
  heads->set_result(result);
  ribbons->set_result(result);
  positions->set_result(result);
  // What a model has does not depend on the text, but an empty one may show nothing of it.
  const bool other = result->model != offered_for_;
  offered_for_ = result->model;
  for (Optional& panel : optional_)
    if ((other || !panel.offered) && panel.offers(*result) != panel.offered) offer(panel, !panel.offered);
}

void WindowPanels::offer(Optional& panel, bool offered) {
  if (panel.offered && !offered) panel.wanted = !panel.dock->isHidden();
  panel.offered = offered;
  panel.dock->setVisible(offered && panel.wanted);
  panel.dock->toggleViewAction()->setVisible(offered);
}

WindowPanels::Picture WindowPanels::picture() const {
  const auto picture_of = [](auto* view, const char* name) {
    return Picture{view, QString::fromUtf8(name), [view](const QString& path) { view->export_to(path); }};
  };
  const std::array all = {picture_of(alignment, "alignment"), picture_of(outputs, "output"), picture_of(heads, "heads"),
                          picture_of(ribbons, "ribbons"), picture_of(positions, "positions")};
  const QWidget* now = QApplication::focusWidget();
  for (const Picture& each : all)
    if (now && (each.view == now || each.view->isAncestorOf(now))) return each;
  return all[alignment->has_alignment() ? 0 : 2];
}

bool WindowPanels::has_attention() const { return alignment->has_alignment() || optional_[1].offered; }

QByteArray WindowPanels::save_state() const {
  for (const Optional& panel : optional_)
    if (!panel.offered) panel.dock->setVisible(panel.wanted);
  const QByteArray state = window_->saveState();
  for (const Optional& panel : optional_)
    if (!panel.offered) panel.dock->hide();
  return state;
}

void WindowPanels::restore_state(const QByteArray& state) {
  window_->restoreState(state);
  for (Optional& panel : optional_) {
    panel.wanted = !panel.dock->isHidden();
    if (!panel.offered) panel.dock->hide();
  }
}

void WindowPanels::reset_layout() {
  for (QDockWidget* each : docks_) {
    each->setFloating(false);
    const auto optional =
        std::find_if(optional_.begin(), optional_.end(), [each](const Optional& panel) { return panel.dock == each; });
    each->setVisible(optional == optional_.end() || optional->offered);
  }
  window_->addDockWidget(Qt::RightDockWidgetArea, inspector_dock_);
  window_->addDockWidget(Qt::RightDockWidgetArea, edits_dock_);
  window_->splitDockWidget(inspector_dock_, edits_dock_, Qt::Vertical);
  window_->addDockWidget(Qt::BottomDockWidgetArea, outputs_dock_);
  window_->addDockWidget(Qt::BottomDockWidgetArea, stepper_dock_);
  const int width = window_->width(), height = window_->height();
  const int right = std::clamp(width * 28 / 100, 300, 560), bottom = std::clamp(height * 38 / 100, 200, 560);
  const int left = std::clamp((width - right) * 38 / 100, 430, 900);
  // A small screen, or one with large letters, has no room for panels side by side: they become tabs.
  const bool narrow = is_narrow(), low = is_low();
  arranged_narrow_ = narrow;
  arranged_low_ = low;
  if (narrow)
    window_->tabifyDockWidget(outputs_dock_, stepper_dock_);
  else
    window_->splitDockWidget(outputs_dock_, stepper_dock_, Qt::Horizontal);
  // Never beside each other, not even for a moment: they would make a small window wider.
  QDockWidget* behind = stepper_dock_;
  for (QDockWidget* each : {heads_dock_, ribbons_dock_, positions_dock_, trace_dock_}) {
    window_->tabifyDockWidget(behind, each);
    behind = each;
  }
  for (Optional& panel : optional_) {
    panel.wanted = true;
    offer(panel, panel.offered);
  }
  (narrow ? outputs_dock_ : stepper_dock_)->raise();
  if (low) window_->tabifyDockWidget(inspector_dock_, edits_dock_);
  inspector_dock_->raise();
  window_->resizeDocks({inspector_dock_}, {right}, Qt::Horizontal);
  if (!narrow)
    window_->resizeDocks({outputs_dock_, stepper_dock_}, {left, std::max(200, width - right - left)}, Qt::Horizontal);
  window_->resizeDocks({stepper_dock_}, {bottom}, Qt::Vertical);
  if (!low) window_->resizeDocks({inspector_dock_, edits_dock_}, {height, 128}, Qt::Vertical);
}

void WindowPanels::retranslate() {
  const auto name = [](QDockWidget* dock, const QString& title, const QString& help) {
    dock->setWindowTitle(title);
    dock->toggleViewAction()->setToolTip(help);
    dock->toggleViewAction()->setStatusTip(help);
    dock->widget()->setAccessibleName(title);
  };
  name(outputs_dock_, tr("Output"), tr("What the model wrote, with the five most probable tokens of each step."));
  name(inspector_dock_, tr("Inspector"), tr("The arithmetic behind the selected number."));
  name(edits_dock_, tr("Edited values"), tr("What you changed in this run, and ways to take it back."));
  name(stepper_dock_, tr("Computation"), tr("The run as single operations: step forward and back, or play it."));
  name(heads_dock_, tr("Heads"),
       tr("Every attention head of every layer as a small picture, with what it does: click one to see it large."));
  name(ribbons_dock_, tr("Ribbons"),
       tr("Attention as lines between two lists of tokens: point at a token to see what it looks at."));
  name(positions_dock_, tr("Positions"), tr("The numbers that tell the model where a token stands."));
  name(trace_dock_, tr("All values"), tr("Every value of the run in the order of computation, with search."));
  alignment->setAccessibleName(tr("Alignment"));
  tokens->setAccessibleName(tr("Tokens of the text"));
}

void WindowPanels::fill_menu(QMenu* menu) const {
  for (QDockWidget* each : {outputs_dock_, inspector_dock_, edits_dock_, stepper_dock_, heads_dock_, ribbons_dock_,
                            positions_dock_, trace_dock_})
    menu->addAction(each->toggleViewAction());
}

void WindowPanels::focus_next() const {
  const std::array<QWidget*, 10> order = {source_bar, tokens,  alignment, outputs,   stepper,
                                          heads,      ribbons, positions, inspector, edits};
  const QWidget* now = QApplication::focusWidget();
  std::size_t at = order.size() - 1;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (now && (order[i] == now || order[i]->isAncestorOf(now))) at = i;
  if (tokens == now || tokens->isAncestorOf(now)) at = 1;  // the strip stands inside the bar
  for (std::size_t k = 1; k <= order.size(); ++k) {
    QWidget* next = order[(at + k) % order.size()];
    if (!next->isVisible()) continue;
    if (next == source_bar) return source_bar->focus_source();
    if (next == alignment) return alignment->heatmap()->setFocus(Qt::ShortcutFocusReason);
    if (next->focusPolicy() == Qt::NoFocus) {
      for (QWidget* child : next->findChildren<QWidget*>())
        if ((child->focusPolicy() & Qt::TabFocus) && child->isVisible())
          return child->setFocus(Qt::ShortcutFocusReason);
      continue;
    }
    return next->setFocus(Qt::ShortcutFocusReason);
  }
}

}  // namespace headlight
