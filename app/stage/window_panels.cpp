// Which panel stands where, and which of them is meant.

#include "app/stage/window_panels.h"

#include <QApplication>
#include <QEvent>
#include <QMainWindow>
#include <QMenu>
#include <QPointer>
#include <algorithm>

#include "app/stage/name_row.h"
#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "model/decode/run.h"
#include "model/models/pictures.h"
#include "widgets/base/motion.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/canvas/view_panel.h"

namespace headlight {

namespace {

using At = ViewRow::Place;

constexpr int kFewNames = 4;
constexpr const char* kShowsText = "shows_text";  // of a view that has an axis of text only now and then
constexpr double kColumnBesideSide = 1500;  // from this width on there is room for the output and for a side panel

// The first stays: it says which picture is in front.
void remove_behind_first(QStringList& names, const QString& name) {
  for (qsizetype i = names.size() - 1; i > 0; --i)
    if (names[i] == name) names.removeAt(i);
}
}  // namespace

WindowPanels::WindowPanels(QMainWindow* window) : QObject(window), window_(window), stage_(new Stage(window)) {
  stage_->setMinimumSize(480, 320);  // what is in it gives way before the window grows
  window->setCentralWidget(stage_);
  connect(stage_->names(), &NameRow::chosen, this, [this](const QString& name) {
    set_front(name);
    apply();
  });
  connect(stage_, &Stage::resized, this, &WindowPanels::fit_around);
  connect(stage_, &Stage::moved, this, [this](const QList<int>& across, const QList<int>& down) {
    Arrangement& to = edit();
    if (across.size() == 2 && across[1] > 0) to.across = across;
    if (down.size() == 2 && down[1] > 0) to.down = down;
  });
  connect(stage_->names()->menu(), &QMenu::aboutToShow, this, [this] {
    const Panel* front = picture_in_front();
    give_keyboard(front->widget);
    QMenu* menu = stage_->names()->menu();
    menu->clear();
    menu->addActions(front->frame->host()->actions());
    menu->addSeparator();
    menu->addActions(places_);
  });
  connect(&Theme::instance(), &Theme::changed, this, &WindowPanels::fit_around);
}

void WindowPanels::set_top_stops(const QList<QWidget*>& stops) { top_stops_ = stops; }

void WindowPanels::set_strip(QWidget* strip) {
  strip_ = strip;
  stage_->set_strip(strip);
}

void WindowPanels::set_column(QWidget* column) {
  column_ = column;
  stage_->set_column(column);
}

void WindowPanels::add(const ViewRow& row, QWidget* widget, ResultView* view) {
  const QString name = QString::fromUtf8(row.name);
  // A window on a small screen needs them smaller than each of them would like; they scroll or say less.
  widget->setMinimumSize(1, 1);
  auto* frame = new PanelFrame(widget);
  frame->set_controls(qobject_cast<ViewPanel*>(widget));
  // Of a second picture the beginning is enough; words are read there.
  frame->set_lines_below(row.place == At::bottom ? 6 : 2);
  frame->setObjectName(name);
  frame->host()->setMinimumSize(row.place == At::side ? 240 : 200, 110);
  frame->setParent(stage_);
  frame->hide();
  frame->installEventFilter(this);
  widget->installEventFilter(this);
  auto* go_to = new QAction(window_);
  // Nine digits and zero, as on the keyboard.
  const auto number = panels_.size() + 1;
  if (number <= 10) go_to->setShortcut(QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_0 + number % 10)));
  connect(go_to, &QAction::triggered, this, [this, name] { this->go_to(name); });
  go_to->setVisible(row.is_there_at_first());
  window_->addAction(go_to);
  // The same key where the model has no such panel: it says so.
  auto* lacks = new QAction(window_);
  lacks->setShortcut(go_to->shortcut());
  lacks->setVisible(!row.is_there_at_first());
  connect(lacks, &QAction::triggered, this, [this, name] { this->go_to(name); });
  window_->addAction(lacks);
  connect(frame, &PanelFrame::closed, this, [this, name] {
    if (is_out(name))
      set_out(name, false);
    else
      put_away(name);
    emit closed(name);
  });
  panels_.push_back({name, row.place, frame, row.title, row.help, row.shows_text, row.offers, row.sites, widget, view,
                     go_to, lacks, row.is_there_at_first()});
  connect(frame->menu(), &QMenu::aboutToShow, this, [this, name] { fill_frame_menu(*panel(name)); });
}

const WindowPanels::Panel* WindowPanels::panel(const QString& name) const {
  const auto found = std::ranges::find(panels_, name, &Panel::name);
  return found == panels_.end() ? nullptr : &*found;
}

PanelFrame* WindowPanels::frame(const QString& name) const {
  const Panel* found = panel(name);
  return found ? found->frame : nullptr;
}

bool WindowPanels::is_offered(const QString& name) const {
  const Panel* found = panel(name);
  return found && found->offered;
}

bool WindowPanels::is_seen(const QString& name) const {
  const Panel* found = panel(name);
  return found && found->widget->isVisible();
}

std::optional<Capture> WindowPanels::read() const {
  Capture capture{{"input.src.ids"}, false};
  QStringList names = arrangements_.out.keys();
  for (const Slot slot : {Slot::main, Slot::side, Slot::below}) names += shown(slot);
  for (const QString& name : names) {
    const Panel* seen = panel(name);
    if (!seen) continue;
    if (!seen->sites) return {};
    for (std::string& site : seen->sites())
      if (std::ranges::find(capture.sites, site) == capture.sites.end()) capture.sites.push_back(std::move(site));
  }
  return capture;
}

bool WindowPanels::is_out(const QString& name) const { return arrangements_.out.contains(name); }

// --- what a run has

void WindowPanels::take(const std::shared_ptr<const AnalysedRun>& run) {
  for (const Panel& panel : panels_)
    if (panel.view) panel.view->take(run);
  stage_->names()->set_run(run);
}

// What a model has does not depend on the text, but on whether it is made of messages; and an empty one may show
// nothing of it.
void WindowPanels::offer_what_there_is(const AnalysedRun& run) {
  const auto& result = run.result();
  const bool chat = result->chat_text != nullptr;
  const bool other = result->model != offered_for_ || chat != offered_chat_;
  if (!other && offers_known_) return;
  offered_for_ = result->model;
  offered_chat_ = chat;
  offers_known_ = result->trace && !result->steps.empty() && !result->only_shown;
  for (Panel& panel : panels_) {
    // What a long text left out comes when a panel asks for it.
    if (panel.offers && (other || !panel.offered))
      panel.offered = (result->only_shown && !panel.sites) || panel.offers(run);
    panel.goto_action->setVisible(panel.offered);
    panel.lacks_action->setVisible(!panel.offered);
  }
  const QString first = first_pictures_.value(0, QStringLiteral("alignment"));
  first_pictures_.clear();
  if (result->model)
    for (const char* each : telling_pictures(result->model->model->traits()))
      if (const QString name = QString::fromUtf8(each); first_pictures_.size() < kFewNames && is_offered(name))
        first_pictures_ << name;
  // Who looked at what tells most of one model looks at that of the next; but a session brings its own picture.
  const bool chosen = std::exchange(front_was_chosen_, false);
  if (!chosen && arrangements_.front == first && !first_pictures_.isEmpty())
    arrangements_.front = first_pictures_.front();
  name_pictures();
  apply();
}

void WindowPanels::name_pictures() {
  QList<NameRow::Name> names;
  const auto add = [&](const Panel& each) {
    names.push_back({each.name, translated_view_text(each.title), translated_view_text(each.help), each.goto_action});
  };
  for (const QString& name : first_pictures_) add(*panel(name));
  for (const Panel& each : panels_)
    if (each.is_picture() && each.offered && !first_pictures_.contains(each.name)) add(each);
  stage_->names()->set_names(names, kFewNames);
}

// --- which panel stands where

QString WindowPanels::front() const {
  const QStringList main = now()[Slot::main];
  const QString own = main.value(0), wanted = own.isEmpty() ? arrangements_.front : own;
  const auto can_be = [this](const QString& name) {
    const Panel* found = panel(name);
    return found && found->is_picture() && found->offered && !is_out(name);
  };
  if (can_be(wanted)) return wanted;
  // While presenting, a panel of numbers can stand there too.
  if (const Panel* found = panel(own); found && found->offered && !is_out(own)) return own;
  for (const QString& name : first_pictures_)
    if (can_be(name)) return name;
  for (const Panel& each : panels_)
    if (can_be(each.name)) return each.name;
  return panels_.empty() ? QString() : panels_.front().name;
}

QStringList WindowPanels::shown(Slot slot) const {
  QStringList names = now()[slot];
  const QString in_front = front();
  if (slot == Slot::main) {
    if (!names.isEmpty()) names.removeFirst();
    names.removeAll(in_front);
    names.prepend(in_front);
  } else {
    QStringList elsewhere = shown(Slot::main);
    if (slot == Slot::below) elsewhere += shown(Slot::side);
    names.removeIf([&elsewhere](const QString& name) { return elsewhere.contains(name); });
  }
  names.removeIf([this](const QString& name) { return !is_offered(name) || is_out(name); });
  return names;
}

void WindowPanels::set_front(const QString& name) {
  if (now()[Slot::main].value(0).isEmpty()) {
    arrangements_.front = name;
  } else {
    edit()[Slot::main][0] = name;
  }
  Arrangement& to = edit();
  remove_behind_first(to[Slot::main], name);
  to[Slot::below].removeAll(name);
}

void WindowPanels::remove(const QString& name) {
  Arrangement& from = edit();
  from[Slot::side].removeAll(name);
  from[Slot::below].removeAll(name);
  remove_behind_first(from[Slot::main], name);
}

void WindowPanels::move_to(const QString& name, Slot slot) {
  remove(name);
  Arrangement& to = edit();
  if (slot == Slot::main && to[slot].isEmpty()) to[slot] << QString();
  to[slot] << name;
  apply();
}

bool WindowPanels::raise(const QString& name) {
  const Panel* wanted = panel(name);
  if (!wanted || !wanted->offered) return false;
  if (on_stage_ && !wanted->is_picture()) {
    show_alone(name);
    return true;
  }
  if (is_out(name)) {
    wanted->frame->raise();
    wanted->frame->activateWindow();
    return true;
  }
  const bool there =
      shown(Slot::main).contains(name) || shown(Slot::side).contains(name) || shown(Slot::below).contains(name);
  if (!there) {
    if (wanted->is_picture()) {
      set_front(name);
    } else {
      QStringList& slot = edit()[wanted->place == At::side ? Slot::side : Slot::below];
      if (!slot.isEmpty()) covered_[arrangements_.current + name] = slot;
      slot = {name};
    }
    apply();
  }
  return true;
}

void WindowPanels::show_alone(const QString& name) {
  const Panel* wanted = panel(name);
  if (!wanted) return;
  arrangements_.out.remove(name);
  Arrangement& to = edit();
  to = {};
  to[Slot::main] = {name};
  apply();
}

void WindowPanels::show_on_stage(const QString& name) {
  on_stage_ = true;
  if (!name.isEmpty() && name != front()) return show_alone(name);
  Arrangement& to = edit();
  to[Slot::side].clear();
  to[Slot::below].removeIf([](const QString& each) { return each != QLatin1String("explain"); });
  apply();
}

// What it took the place of comes back.
void WindowPanels::put_away(const QString& name) {
  const Panel* found = panel(name);
  remove(name);
  const QStringList before = covered_.take(arrangements_.current + name);
  if (found && !found->is_picture()) {
    QStringList& slot = edit()[found->place == At::side ? Slot::side : Slot::below];
    if (slot.isEmpty()) slot = before;
  }
  apply();
}

void WindowPanels::move_beside() {
  const QString name = name_in_use();
  if (name != front()) return move_to(name, Slot::main);
  // The one in front stays where it is: the next of the row comes beside it.
  for (const QString& each : first_pictures_)
    if (each != name && !is_out(each) && !shown(Slot::main).contains(each)) return move_to(each, Slot::main);
}

void WindowPanels::move_below() {
  const QString name = name_in_use();
  if (name == front()) {
    for (const QString& each : first_pictures_)
      if (each != name && !is_out(each)) {
        set_front(each);
        break;
      }
    if (front() == name) return;
  }
  move_to(name, Slot::below);
}

void WindowPanels::take_out() {
  const QString name = name_in_use();
  set_out(name, !is_out(name));
}

void WindowPanels::set_out(const QString& name, bool out) {
  const Panel* each = panel(name);
  if (!each || out == is_out(name) || (out && !each->offered)) return;
  if (out)
    arrangements_.out[name] = {};
  else
    arrangements_.out.remove(name);
  apply();
}

QList<QWidget*> WindowPanels::windows() const {
  QList<QWidget*> found;
  for (const Panel& each : panels_)
    if (is_out(each.name) && each.offered) found << each.frame;
  return found;
}

QList<QWidget*> WindowPanels::fill(Slot slot, const QStringList& names) {
  QSplitter* to = stage_->slot(slot);
  QList<QWidget*> wanted, there;
  for (const QString& name : names) wanted << frame(name);
  for (int i = 0; i < to->count(); ++i)
    if (!to->widget(i)->isHidden()) there << to->widget(i);
  if (wanted == there) return {};
  for (QWidget* each : there)
    if (!wanted.contains(each)) each->hide();
  for (int i = 0; i < wanted.size(); ++i) {
    auto* each = static_cast<PanelFrame*>(wanted[i]);
    each->setBackgroundRole(slot == Slot::side ? QPalette::Window : QPalette::Base);
    each->set_margin(space::kMargin);
    to->insertWidget(i, each);
    each->show();
  }
  wanted.removeIf([&there](QWidget* each) { return there.contains(each); });
  return wanted;
}

void WindowPanels::apply() {
  if (panels_.empty() || std::exchange(applying_, true)) return;
  const QPointer<QWidget> had = QApplication::focusWidget();
  const bool inside = had && stage_->isAncestorOf(had);
  // One picture stays in the window, whatever was taken out of it or a session says.
  const auto first = std::ranges::find_if(panels_, [](const Panel& each) { return each.is_picture() && each.offered; });
  if (shown(Slot::main).isEmpty() && first != panels_.end()) arrangements_.out.remove(first->name);
  const QList<Slot> slots_of_stage = {Slot::main, Slot::side, Slot::below};
  QStringList all;
  for (const Slot slot : slots_of_stage) all += shown(slot);
  for (const Panel& each : panels_) {
    const bool out = is_out(each.name) && each.offered;
    if (out && !each.frame->isWindow()) {
      each.frame->hide();
      each.frame->setParent(window_, Qt::Window);
      each.frame->set_head(false);
      each.frame->set_margin(space::kMargin);
      each.frame->setBackgroundRole(QPalette::Base);
      if (const QByteArray place = arrangements_.out[each.name]; place.isEmpty())
        each.frame->setGeometry(
            QRect(window_->geometry().topLeft() + QPoint(2 * space::kMargin, 4 * space::kMargin), QSize(720, 520)));
      else
        each.frame->restoreGeometry(place);
      for (QAction* action : window_->actions())
        if (!each.frame->actions().contains(action)) each.frame->addAction(action);
      if (window_->isVisible()) each.frame->show();
    } else if (!out && each.frame->isWindow()) {
      each.frame->hide();
      each.frame->setParent(stage_, Qt::Widget);
    }
    if (!out && !all.contains(each.name)) each.frame->hide();
  }
  QList<QWidget*> pictures, beside;
  for (const Slot slot : slots_of_stage) (slot == Slot::main ? pictures : beside) += fill(slot, shown(slot));
  const QStringList main = shown(Slot::main);
  stage_->names()->set_front(main.value(0));
  auto* controls = qobject_cast<ViewPanel*>(panel(main.value(0))->widget);
  for (const QString& name : all) {
    if (name == main.value(0)) frame(name)->set_head(false);  // gives its controls back, for the names
  }
  stage_->names()->set_controls(controls);
  for (const QString& name : all)
    if (name != main.value(0)) frame(name)->set_head(true);
  const Arrangement here = now();
  stage_->fit(here.across, here.down);
  for (QWidget* each : pictures + beside) {
    QCoreApplication::sendPostedEvents(each->parentWidget(), QEvent::LayoutRequest);  // it stands where it will be seen
    Motion::begin(*each, pictures.contains(each) ? Motion::fade : Motion::slide);
  }
  applying_ = false;
  fit_around();
  // The keyboard of a panel that is gone goes to the picture, or to its name while that is still computed, not to
  // whatever comes next.
  if (inside && had && !had->isVisible() && !give_keyboard(picture_in_front()->widget)) give_keyboard(stage_->names());
  emit arranged();
}

// What gives way when there is little room: the output is whole in the line above and in the picture of its own.
void WindowPanels::fit_around() {
  if (panels_.empty()) return;
  const Panel* in_front = picture_in_front();
  // The text stands there twice at most.
  if (strip_) strip_->setVisible(!in_front->shows_text && !in_front->widget->property(kShowsText).toBool());
  if (!column_) return;
  const double width = stage_->width() / Theme::instance().font_scale();
  const bool room = shown(Slot::side).isEmpty() ? width > 620 : width >= kColumnBesideSide;
  // The others say themselves what was written, or are not about it.
  const bool fits = in_front->name == QLatin1String("alignment") || in_front->name == QLatin1String("heads");
  const bool starts = arrangements_.current == QLatin1String(Arrangements::kStart);
  column_->setVisible(room && fits && !starts && shown(Slot::main).size() == 1);
}

bool WindowPanels::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::DynamicPropertyChange &&
      static_cast<QDynamicPropertyChangeEvent*>(event)->propertyName() == kShowsText)
    QMetaObject::invokeMethod(this, &WindowPanels::fit_around, Qt::QueuedConnection);  // not while it is laid out
  if (event->type() == QEvent::Show)
    if (const Panel* found = panel(watched->objectName()); found && found->frame == watched) emit seen(found->name);
  return QObject::eventFilter(watched, event);
}

void WindowPanels::retranslate() {
  for (const Panel& panel : panels_) {
    const QString title = translated_view_text(panel.title), help = translated_view_text(panel.help);
    panel.frame->set_title(title, help);
    panel.widget->setAccessibleName(title);
    if (panel.frame->host()->table()) panel.frame->host()->table()->set_name(title);
    panel.goto_action->setText(title);
    panel.goto_action->setToolTip(help);
  }
  name_pictures();
  stage_->names()->retranslate();
}

}  // namespace headlight
