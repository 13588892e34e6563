#include "app/text/model_picker.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/parts.h"
#include "widgets/base/ink.h"
#include "widgets/base/nothing_found.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kFolder = Qt::UserRole + 1, kYear = Qt::UserRole + 2, kLine = Qt::UserRole + 3, kReads = Qt::UserRole + 4;

QFont title_font(bool bold) { return bold ? strong_font() : Theme::instance().ui_font(); }

// Name, year, what it reads and line in four columns; a group by itself.
class RowDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  int names = 0, reads = 0;  // width of the longest

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override {
    return {10, QFontMetrics(title_font(false)).height() + space::kSmall};
  }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Tokens& t = tokens();
    const bool group = index.data(kFolder).isNull(), chosen = option.state & QStyle::State_Selected;
    QRect rect = option.rect.adjusted(space::kSmall, 0, -space::kSmall, 0);
    painter->save();
    if (chosen && !group) {
      painter->setRenderHint(QPainter::Antialiasing);
      draw_box(*painter, option.rect.adjusted(2, 1, -2, -1), radius::kButton, QPen(Qt::NoPen), t.press);
    }
    if (group) {
      write(*painter, rect, kLeft, index.data().toString(), strong_font(type::kSource), t.ink2);
      painter->restore();
      return;
    }
    write(*painter, rect, kLeft, index.data().toString(), title_font(chosen), t.ink);
    rect.setLeft(rect.left() + names + space::kLarge);
    painter->setFont(title_font(false));
    painter->setPen(t.ink2);
    const int year = index.data(kYear).toInt(), wide = painter->fontMetrics().horizontalAdvance(QStringLiteral("0000"));
    if (year > 0) draw_text(*painter, rect, kLeft, QString::number(year));
    rect.setLeft(rect.left() + wide + space::kLarge);
    draw_text(*painter, rect.intersected(QRect(rect.topLeft(), QSize(reads, rect.height()))), kLeft,
              index.data(kReads).toString());
    rect.setLeft(rect.left() + reads + space::kLarge);
    draw_text(*painter, rect, kLeft,
              elided_text(index.data(kLine).toString(), painter->font(), Qt::ElideRight, rect.width()));
    painter->restore();
  }
};

}  // namespace

ModelPicker::ModelPicker(QWidget* parent)
    : QFrame(parent, Qt::Popup),
      filter_(new QLineEdit(this)),
      list_(new QListView(this)),
      none_(nothing_found(this)),
      model_(new QStandardItemModel(this)),
      other_(new QPushButton(this)),
      help_(new QLabel(this)) {
  setObjectName(QStringLiteral("model_picker"));
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  list_->setModel(model_);
  list_->setItemDelegate(new RowDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFocusPolicy(Qt::NoFocus);  // the field has the keyboard, and gives the arrows away
  other_->setAutoDefault(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::kMedium, space::kMedium, space::kMedium, space::kMedium);
  filter_->setTextMargins(space::kTight, space::kTight, space::kTight, space::kTight);
  column->addWidget(filter_);
  column->addWidget(list_, 1);
  column->addWidget(none_, 1);
  auto* below = new QHBoxLayout;
  below->setSpacing(space::kLarge);
  below->addWidget(other_);
  below->addWidget(help_, 1);
  column->addLayout(below);
  help_->setTextFormat(Qt::PlainText);
  help_->setWordWrap(true);
  help_->setForegroundRole(QPalette::PlaceholderText);
  filter_->installEventFilter(this);
  setFocusProxy(filter_);
  connect(filter_, &QLineEdit::textChanged, this, &ModelPicker::fill);
  connect(list_, &QListView::clicked, this, &ModelPicker::choose);
  connect(other_, &QPushButton::clicked, this, [this] {
    hide();
    emit otherWanted();
  });
  retranslate();
  on_language(this, [this] { retranslate(); });
  ensurePolished();
}

void ModelPicker::set_rows(std::vector<Row> rows) {
  rows_ = std::move(rows);
  fill();
}

// What is typed is looked for in everything that a row says.
void ModelPicker::fill() {
  model_->clear();
  const QString wanted = filter_->text().trimmed();
  QString group;
  int now = -1, names = 0, reads = 0;
  for (const Row& row : rows_) {
    const QString all = QStringLiteral("%1 %2 %3 %4 %5").arg(row.group, row.title, row.line, row.reads).arg(row.year);
    if (!wanted.isEmpty() && !all.contains(wanted, Qt::CaseInsensitive)) continue;
    if (row.group != group) {
      group = row.group;
      auto* head = new QStandardItem(group);
      head->setFlags(Qt::NoItemFlags);
      model_->appendRow(head);
    }
    auto* item = new QStandardItem(row.title);
    item->setData(row.folder, kFolder);
    item->setData(row.year, kYear);
    item->setData(row.line, kLine);
    item->setData(row.reads, kReads);
    const QString reading = row.reads.isEmpty() ? QString() : tr("reads %1").arg(row.reads);
    item->setData(QStringLiteral("%1. %2. %3").arg(row.title, row.line, reading), Qt::AccessibleTextRole);
    item->setToolTip(QStringLiteral("<p>%1</p><p>%2</p>").arg(row.line.toHtmlEscaped(), reading.toHtmlEscaped()));
    model_->appendRow(item);
    names = std::max(names, QFontMetrics(title_font(true)).horizontalAdvance(row.title));
    reads = std::max(reads, QFontMetrics(title_font(false)).horizontalAdvance(row.reads));
    if (row.folder == current_ || now < 0) now = model_->rowCount() - 1;
  }
  auto* delegate = static_cast<RowDelegate*>(list_->itemDelegate());
  delegate->names = names;
  delegate->reads = reads;
  none_->setText(tr("No model is called %1, and none is about that.").arg(in_quotes(wanted)));
  none_->setVisible(now < 0 && !wanted.isEmpty());
  list_->setVisible(none_->isHidden());
  if (now < 0) return;
  // The one that runs, where it is among them; else the first.
  for (int i = 0; i < model_->rowCount(); ++i)
    if (!current_.isEmpty() && model_->index(i, 0).data(kFolder).toString() == current_) now = i;
  list_->setCurrentIndex(model_->index(now, 0));
}

QStringList ModelPicker::shown() const {
  QStringList folders;
  for (int i = 0; i < model_->rowCount(); ++i)
    if (const QVariant folder = model_->index(i, 0).data(kFolder); !folder.isNull()) folders << folder.toString();
  return folders;
}

void ModelPicker::open_below(QWidget* anchor, const QString& folder) {
  current_ = folder;
  filter_->clear();
  fill();
  const double scale = Theme::instance().font_scale();
  const QRect screen = anchor->screen()->availableGeometry();
  const QPoint at = anchor->mapToGlobal(QPoint(0, anchor->height() + space::kTight));
  const int wide = std::min(std::max(static_cast<int>(620 * scale), wanted_width()), screen.width() - space::kMargin);
  const int high = std::min(static_cast<int>(620 * scale), screen.bottom() - at.y() - space::kSmall);
  setGeometry(std::clamp(at.x(), screen.left(), std::max(screen.left(), screen.right() - wide)), at.y(), wide,
              std::max(high, 200));
  show();
  filter_->setFocus(Qt::PopupFocusReason);
  list_->scrollTo(list_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

// No line of it is cut.
int ModelPicker::wanted_width() const {
  int names = 0, lines = 0, reads = 0;
  for (const Row& row : rows_) {
    names = std::max(names, QFontMetrics(title_font(true)).horizontalAdvance(row.title));
    lines = std::max(lines, QFontMetrics(title_font(false)).horizontalAdvance(row.line));
    reads = std::max(reads, QFontMetrics(title_font(false)).horizontalAdvance(row.reads));
  }
  constexpr int kMost = 1200;  // somebody else's description may be long
  const int year = QFontMetrics(title_font(false)).horizontalAdvance(QStringLiteral("0000"));
  return std::min(names + year + reads + lines + 3 * space::kLarge + 6 * space::kMedium, kMost);
}

void ModelPicker::choose(const QModelIndex& index) {
  const QVariant folder = index.data(kFolder);
  if (folder.isNull()) return;
  looking_ = false;
  hide();
  emit chosen(folder.toString());
}

void ModelPicker::step(int by) {
  int row = list_->currentIndex().row();
  for (int left = std::abs(by); left > 0;) {
    const int next = row + (by > 0 ? 1 : -1);
    if (next < 0 || next >= model_->rowCount()) break;
    row = next;
    if (!model_->index(row, 0).data(kFolder).isNull()) --left;
  }
  const QVariant folder = model_->index(row, 0).data(kFolder);
  if (folder.isNull() || row == list_->currentIndex().row()) return;
  list_->setCurrentIndex(model_->index(row, 0));
  looking_ = true;
  emit lookedAt(folder.toString());
}

// However it went away: what was only looked at does not stay.
void ModelPicker::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  if (std::exchange(looking_, false)) emit lookedBack();
}

bool ModelPicker::eventFilter(QObject* watched, QEvent* event) {
  if (watched == filter_ && event->type() == QEvent::KeyPress) {
    switch (static_cast<QKeyEvent*>(event)->key()) {
      case Qt::Key_Down:
        step(1);
        return true;
      case Qt::Key_Up:
        step(-1);
        return true;
      case Qt::Key_PageDown:
        step(8);
        return true;
      case Qt::Key_PageUp:
        step(-8);
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
        choose(list_->currentIndex());
        return true;
      case Qt::Key_Escape:
        hide();
        return true;
      default:
        break;
    }
  }
  return QFrame::eventFilter(watched, event);
}

void ModelPicker::retranslate() {
  filter_->setPlaceholderText(tr("Find a model, an idea, a year"));
  filter_->setAccessibleName(filter_->placeholderText());
  list_->setAccessibleName(tr("Models"));
  other_->setText(tr("Open a model of yours"));
  help_->setText(tr("The arrow keys show each model at once. Enter keeps it, Esc: as it was."));
}

}  // namespace headlight
