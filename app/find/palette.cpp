#include "app/find/palette.h"

#include <QAccessible>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QScopedValueRollback>
#include <algorithm>
#include <array>

#include "app/find/rows.h"
#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/spoken.h"
#include "widgets/base/tokens.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kWide = 840, kListWide = 492, kFieldHigh = 48, kFootHigh = 36, kAround = 8, kLeastHigh = 190;
constexpr int kNarrow = 640;  // below: without a preview

int in_scale(int pixels) { return qRound(pixels * Theme::instance().font_scale()); }

// A glass in a box of 16 × 16.
void draw_glass(QPainter& painter, const QRectF& box, const QColor& ink) {
  const double unit = box.width() / 16;
  const QPen pen(ink, 1.5 * unit, Qt::SolidLine, Qt::RoundCap);
  painter.setPen(pen);
  painter.setBrush(Qt::NoBrush);
  painter.drawEllipse(box.topLeft() + QPointF(7, 7) * unit, 4.5 * unit, 4.5 * unit);
  draw_line(painter, box.topLeft() + QPointF(10.5, 10.5) * unit, box.topLeft() + QPointF(14, 14) * unit, pen);
}

}  // namespace

FindPalette::FindPalette(QWidget* window)
    : QWidget(window),
      field_(new QLineEdit(this)),
      list_(new QListView(this)),
      rows_(new FindRows(this)),
      preview_(new FindPreviewPane(this)) {
  setObjectName(QStringLiteral("find"));
  hide();
  field_->setFrame(false);
  list_->setModel(rows_);
  list_->setItemDelegate(new FindRowDelegate(list_));
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->setFrameShape(QFrame::NoFrame);
  list_->setFocusPolicy(Qt::NoFocus);  // the field has the keyboard, and gives the arrows away
  list_->viewport()->setAttribute(Qt::WA_Hover);
  setFocusProxy(field_);
  connect(field_, &QLineEdit::textChanged, this, &FindPalette::search);
  connect(list_, &QListView::clicked, this, [this](const QModelIndex& at) {
    choose(at.row());
    take();
  });
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow_keyboard(now); });
}

void FindPalette::open(FindIndex index, const QWidget* below) {
  index_ = std::move(index);
  below_ = below;
  if (!isVisible()) before_ = QApplication::focusWidget();
  setAccessibleName(tr("Find"));
  field_->setPlaceholderText(tr("Find an action, a picture, a model, a lesson, a word, a number …"));
  field_->setAccessibleName(field_->placeholderText());
  list_->setAccessibleName(tr("What was found"));
  field_->setFont(Theme::instance().ui_font(type::kTitle));
  field_->clear();
  search();
  place();
  raise();
  show();
  qApp->installEventFilter(this);  // the last one is asked first: Esc is not for who presents
  field_->setFocus(Qt::ShortcutFocusReason);
}

void FindPalette::set_index(FindIndex index) {
  const FindEntry before = chosen() < 0 ? FindEntry() : index_[chosen()];
  const bool moved = list_->currentIndex().row() != rows_->next(-1, 1);
  index_ = std::move(index);
  search();
  for (int row = 0; moved && row < rows_->rowCount(); ++row) {
    const int at = (*rows_)[row].entry;
    if (at >= 0 && index_[at].kind == before.kind && index_[at].id == before.id && index_[at].at == before.at &&
        index_[at].title == before.title)
      return choose(row);
  }
}

void FindPalette::close_and_return() {
  if (!isVisible()) return;
  const QPointer<QWidget> to = before_;
  before_.clear();
  hide();
  if (to && to->isVisible() && to->isEnabled()) to->setFocus(Qt::OtherFocusReason);
}

void FindPalette::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  qApp->removeEventFilter(this);
}

// Whatever else gets the keyboard in this window puts it away.
void FindPalette::follow_keyboard(QWidget* now) {
  if (isVisible() && now && now != field_ && now->window() == window()) hide();
}

void FindPalette::search() {
  const Found found = index_.find(field_->text());
  fill(found);
  choose(rows_->next(-1, 1));
  list_->scrollToTop();
  if (isVisible()) place();
}

void FindPalette::fill(const Found& found) {
  const QString typed = field_->text().trimmed();
  std::vector<FindRow> rows;
  const auto heading = [&](const QString& title) { rows.push_back({true, title, {}, {}, {}, -1, false}); };
  const auto add = [&](int at, const QString& second) {
    const FindEntry& entry = index_[at];
    rows.push_back({false, entry.title, second,
                    found.nearest < 0 ? found_parts(entry.title, typed) : decltype(FindRow::parts)(), entry.kind, at,
                    !entry.off.isEmpty()});
  };
  const bool none = !typed.isEmpty() && (found.count == 0 || found.nearest >= 0);
  if (none)
    heading(
        (found.nearest >= 0 ? tr("Nothing is called %1. Nearest to it:") : tr("Nothing is called %1, or nearly so."))
            .arg(in_quotes(typed)));
  if (found.nearest >= 0) add(found.nearest, kind_name(index_[found.nearest].kind));
  for (const Found::Group& group : found.groups) {
    const auto shown = static_cast<int>(group.entries.size());
    heading(shown < group.all ? tr("%1, %2 of %3").arg(group_name(group.kind)).arg(shown).arg(group.all)
                              : group_name(group.kind));
    for (const int at : group.entries) add(at, index_[at].second);
  }
  rows_->set_rows(std::move(rows));
  count_ = typed.isEmpty() ? tr("%1 in all").arg(found.count)
           : none          ? tr("0 found, %1 near").arg(found.count)
                           : tr("%1 found").arg(found.count);
  if (none && isVisible()) Spoken::instance().say(this, (*rows_)[0].title);
  update();
}

void FindPalette::choose(int row) {
  if (row < 0 || (*rows_)[row].heading) return preview_->show_preview({});
  const QModelIndex index = rows_->index(row);
  list_->setCurrentIndex(index);
  // The first heading is seen with its first row.
  list_->scrollTo(rows_->next(row, -1) < 0 ? rows_->index(0) : index);
  if (preview_of_) preview_->show_preview(preview_of_(index_[(*rows_)[row].entry]));
  if (QAccessible::isActive() && isVisible())
    if (QAccessibleInterface* face = QAccessible::queryAccessibleInterface(list_)) Spoken::focus(face->child(row));
}

void FindPalette::step(int by) {
  int row = list_->currentIndex().row();
  for (int left = std::abs(by); left > 0; --left) {
    const int next = rows_->next(row, by > 0 ? 1 : -1);
    if (next < 0) break;
    row = next;
  }
  choose(row);
}

void FindPalette::take() {
  const int at = chosen();
  if (at < 0) return;
  const FindEntry entry = index_[at];
  if (!entry.off.isEmpty() && entry.kind != FindKind::picture) return;  // a picture says why it is not there
  close_and_return();
  emit wanted(entry);
}

int FindPalette::chosen() const {
  const int row = list_->currentIndex().row();
  return row < 0 || row >= rows_->rowCount() ? -1 : (*rows_)[row].entry;
}

std::vector<int> FindPalette::shown() const {
  std::vector<int> all;
  for (int row = 0; row < rows_->rowCount(); ++row) all.push_back((*rows_)[row].entry);
  return all;
}

QStringList FindPalette::texts() const {
  QStringList all;
  for (int row = 0; row < rows_->rowCount(); ++row) all << (*rows_)[row].title;
  return all;
}

bool FindPalette::press_key(QKeyEvent& key) {
  constexpr int kPage = 8;
  if (key.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
  switch (key.key()) {
    case Qt::Key_Down:
    case Qt::Key_Tab:
      step(1);
      return true;
    case Qt::Key_Up:
    case Qt::Key_Backtab:
      step(-1);
      return true;
    case Qt::Key_PageDown:
      step(kPage);
      return true;
    case Qt::Key_PageUp:
      step(-kPage);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      take();
      return true;
    case Qt::Key_Escape:
      close_and_return();
      return true;
    default:
      return false;
  }
}

bool FindPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == window() && event->type() == QEvent::Resize)
    QMetaObject::invokeMethod(
        this, [this] { place(); }, Qt::QueuedConnection);
  if (watched == window() && event->type() == QEvent::LanguageChange) close_and_return();
  if (watched == field_ && event->type() == QEvent::KeyPress) return press_key(*static_cast<QKeyEvent*>(event));
  // Keys that it takes itself are nobody else's.
  if (watched == field_ && event->type() == QEvent::ShortcutOverride) {
    const auto& key = *static_cast<QKeyEvent*>(event);
    if (key.key() != Qt::Key_Escape && key.key() != Qt::Key_PageDown && key.key() != Qt::Key_PageUp) return false;
    event->accept();
    return true;
  }
  if (event->type() == QEvent::MouseButtonPress) {
    const auto* pressed = qobject_cast<QWidget*>(watched);
    if (!pressed || pressed->window() != window() || pressed == this || isAncestorOf(pressed)) return false;
    close_and_return();
    return true;
  }
  return false;
}

int FindPalette::foot_height() const {
  return std::max(in_scale(kFootHigh), QFontMetrics(Theme::instance().ui_font(type::kSource)).height() + space::kSmall);
}

// As wide as in a window of usual size, as high as its list, within the window.
void FindPalette::place() {
  const QRect room = window()->rect().adjusted(space::kMargin, space::kSmall, -space::kMargin, -space::kSmall);
  const int wide = std::min(in_scale(kWide), room.width());
  int top = room.top() + in_scale(kFieldHigh);
  if (below_ && below_->isVisible())
    if (const int bottom = below_->mapTo(window(), QPoint(0, below_->height())).y() + space::kTight;
        bottom < room.height() / 3)
      top = bottom;
  const int field = std::max(in_scale(kFieldHigh), field_->sizeHint().height() + space::kSmall), foot = foot_height();
  const int most = room.bottom() - top - field - foot;
  const bool tells = wide >= in_scale(kNarrow);
  const int list = std::min(most, std::max(rows_->height() + 2 * in_scale(kAround), tells ? in_scale(kLeastHigh) : 0));
  setGeometry(room.center().x() - wide / 2 + 1, top, wide, field + list + foot);
  const int left = in_scale(46), around = in_scale(kAround);
  field_->setGeometry(left, 1, wide - left - around, field - 2);
  const int list_wide = tells ? wide * kListWide / kWide : wide;
  list_->setGeometry(around, field + around, list_wide - around, list - 2 * around + (list == most ? around : 0));
  preview_->setVisible(tells);
  preview_->setGeometry(list_wide + around + 1, field + 1, wide - list_wide - around - 2, list - 1);
  update();
}

void FindPalette::paintEvent(QPaintEvent*) {
  const Tokens& t = tokens();
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  draw_box(painter, QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius::kList, QPen(t.line, 1), t.paper);
  const double field = field_->geometry().bottom() + 1.5, foot = height() - foot_height() + 0.5, side = in_scale(16);
  draw_glass(painter, QRectF(in_scale(18), (field - side) / 2, side, side), t.ink2);
  const QPen line(t.line, 1);
  draw_line(painter, QPointF(1, field), QPointF(width() - 1, field), line);
  draw_line(painter, QPointF(1, foot), QPointF(width() - 1, foot), line);
  if (preview_->isVisibleTo(this))
    draw_line(painter, QPointF(preview_->x() - 0.5, field), QPointF(preview_->x() - 0.5, foot), line);
  // The keys, as many as there is room for beside the count.
  const QFont font = Theme::instance().ui_font(type::kSource);
  QRectF room(in_scale(18), foot, width() - 2 * in_scale(18), height() - foot);
  write(painter, room, kRight, count_, font, t.ink2);
  room.setRight(room.right() - text_width(count_, font) - space::kMargin);
  for (const QString& key : {tr("↑ ↓ choose and preview"), tr("Enter open"), tr("Esc close")}) {
    const double wide = text_width(key, font);
    if (wide > room.width()) break;
    write(painter, room, kLeft, key, font, t.ink2);
    room.setLeft(room.left() + wide + space::kLarge);
  }
}

}  // namespace headlight
