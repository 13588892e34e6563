// The parts of the inspector: navigation, heading, table of terms, edit row.

#include <QComboBox>
#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/base/theme.h"
#include "widgets/views/inspector_view.h"

namespace headlight {

namespace {

// Draws the magnitude of a term as a bar behind its value: to the right of the middle when positive, to the left when
// not.
class BarDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const double share = index.data(ExplanationModel::kShareRole).toDouble();
    const QRectF area = QRectF(option.rect).adjusted(2, 3, -2, -3);
    if (share != 0) {
      const double middle = area.center().x(), length = share * area.width() / 2;
      QColor color = Theme::instance().signed_value(share < 0 ? -0.75 : 0.75);
      color.setAlphaF(0.45F);
      painter->fillRect(QRectF(middle, area.top(), length, area.height()).normalized(), color);
      painter->setPen(Theme::instance().grid());
      painter->drawLine(QPointF(middle, area.top()), QPointF(middle, area.bottom()));
    }
    QStyledItemDelegate::paint(painter, option, index);
  }
};

// Enter opens the factor under the cursor; Alt+Left and Alt+Right belong to the history.
class TableKeys : public QObject {
 public:
  TableKeys(QObject* parent, std::function<void()> open) : QObject(parent), open_(std::move(open)) {}
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != QEvent::KeyPress) return false;
    auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() & Qt::AltModifier) {
      key->ignore();  // not the table's: goes on to the inspector
      return true;
    }
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter) return false;
    open_();
    return true;
  }

 private:
  std::function<void()> open_;
};

QLabel* plain_label(QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

void colour(QLabel* label, const QColor& color) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
}

}  // namespace

InspectorView::InspectorView(QWidget* parent) : QWidget(parent), model_(new ExplanationModel(this)) {
  setFocusPolicy(Qt::ClickFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(build_navigation());
  body_ = new QWidget(this);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(build_heading());
  build_table();
  column->addWidget(table_row_, 1000);
  sum_ = plain_label(body_);
  check_ = plain_label(body_);
  column->addWidget(sum_);
  column->addWidget(check_);
  column->addWidget(build_edit());
  // With a short table or none the rest stays at the top.
  column->addStretch(1);
  layout->addWidget(body_, 1);
  empty_ = plain_label(this);
  empty_->setAlignment(Qt::AlignCenter);
  layout->addWidget(empty_, 1);
  connect(&Theme::instance(), &Theme::changed, this, &InspectorView::retranslate);
  retranslate();
}

QWidget* InspectorView::build_navigation() {
  auto* box = new QWidget(this);
  auto* row = new QHBoxLayout(box);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  const auto button = [&](const QString& text, void (InspectorView::*slot)()) {
    auto* b = new QToolButton(box);
    b->setAutoRaise(true);
    b->setText(text);
    connect(b, &QToolButton::clicked, this, slot);
    return b;
  };
  back_ = button(QStringLiteral("←"), &InspectorView::back);
  forward_ = button(QStringLiteral("→"), &InspectorView::forward);
  crumbs_ = plain_label(box);
  crumbs_->setWordWrap(false);
  crumbs_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  copy_ = button({}, &InspectorView::copy_text);
  copy_numpy_ = button({}, &InspectorView::copy_numpy);
  for (QWidget* widget : {static_cast<QWidget*>(back_), static_cast<QWidget*>(forward_)}) row->addWidget(widget);
  row->addSpacing(4);
  row->addWidget(crumbs_, 1);
  row->addWidget(copy_);
  row->addWidget(copy_numpy_);
  return box;
}

QWidget* InspectorView::build_heading() {
  auto* box = new QWidget(body_);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  for (QLabel** label : {&title_, &value_, &help_, &formula_, &paper_}) {
    *label = plain_label(box);
    column->addWidget(*label);
  }
  formula_->setTextFormat(Qt::RichText);  // only ever a formula of the catalogue
  return box;
}

void InspectorView::build_table() {
  table_row_ = new QWidget(body_);
  auto* column = new QVBoxLayout(table_row_);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  auto* row = new QHBoxLayout;
  terms_ = plain_label(table_row_);
  terms_->setWordWrap(false);
  order_ = new QComboBox(table_row_);
  order_->addItems({QString(), QString()});
  connect(order_, &QComboBox::activated, this, [this](int i) {
    model_->set_order(i == 0 ? ExplanationModel::Order::position : ExplanationModel::Order::magnitude);
    table_->scrollToTop();
  });
  row->addWidget(terms_);
  row->addStretch(1);
  row->addWidget(order_);
  column->addLayout(row);
  table_ = new QTableView(table_row_);
  table_->setModel(model_);
  bar_ = new BarDelegate(table_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->setMinimumHeight(60);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
  table_->installEventFilter(new TableKeys(table_, [this] { open_factor(table_->currentIndex()); }));
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (index.data(ExplanationModel::kFactorRole).toInt() >= 0) open_factor(index);
  });
  column->addWidget(table_, 1);
}

// The places share what the numbers leave; in a narrow window the product comes first, so that it is never out of
// sight.
void InspectorView::size_columns() {
  const QFontMetrics metrics(table_->font());
  const int number = metrics.horizontalAdvance(QStringLiteral("−8.888e−05")) + 12;
  QHeaderView* header = table_->horizontalHeader();
  int label = metrics.horizontalAdvance(model_->headerData(0, Qt::Horizontal, Qt::DisplayRole).toString());
  for (const Term& term : model_->explanation().terms)
    label = std::max(label, metrics.horizontalAdvance(QString::fromStdString(term.label)));
  label += 16;
  const int value = model_->value_column(), places = model_->factors(), product = number * 5 / 4;
  constexpr int kPlace = 130;
  const int room = width() - 20 - style()->pixelMetric(QStyle::PM_ScrollBarExtent) - label - product - places * number;
  const int row_numbers = metrics.horizontalAdvance(QStringLiteral("0000")) + 8;
  const bool narrow = room - row_numbers < places * kPlace;
  table_->verticalHeader()->setVisible(!narrow);
  table_->verticalHeader()->setFixedWidth(row_numbers);
  for (int c = 0; c <= value; ++c) {
    const bool place = c > 0 && c < value && c % 2 == 0;
    const int shared = (room - (narrow ? 0 : row_numbers)) / std::max(1, places);
    table_->setColumnWidth(c, place ? std::max(kPlace, shared) : c == 0 ? label : c == value ? product : number);
    table_->setItemDelegateForColumn(c, c == value ? bar_ : nullptr);
  }
  if (header->count() > value) {
    for (int c = 0; c <= value; ++c) header->moveSection(header->visualIndex(c), c);
    if (narrow) header->moveSection(value, std::min(1, value));
  }
  const int rows = std::min(model_->rowCount(), 1000) * table_->verticalHeader()->defaultSectionSize();
  const int bar = narrow ? style()->pixelMetric(QStyle::PM_ScrollBarExtent) : 0;
  const int height = std::max(60, header->sizeHint().height() + rows + bar + 6);
  table_->setMaximumHeight(height);
  table_row_->setMaximumHeight(height + order_->sizeHint().height() + 6);
}

QWidget* InspectorView::build_edit() {
  edit_row_ = new QWidget(body_);
  auto* column = new QVBoxLayout(edit_row_);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(3);
  auto* row = new QHBoxLayout;
  edit_label_ = plain_label(edit_row_);
  edit_label_->setWordWrap(false);
  edit_kind_ = new QComboBox(edit_row_);
  edit_value_ = new QLineEdit(edit_row_);
  edit_value_->setMaxLength(40);
  edit_button_ = new QPushButton(edit_row_);
  row->addWidget(edit_label_);
  row->addWidget(edit_kind_);
  row->addWidget(edit_value_, 1);
  row->addWidget(edit_button_);
  edit_note_ = plain_label(edit_row_);
  column->addLayout(row);
  column->addWidget(edit_note_);
  connect(edit_value_, &QLineEdit::returnPressed, this, &InspectorView::request_edit);
  connect(edit_button_, &QPushButton::clicked, this, &InspectorView::request_edit);
  connect(edit_kind_, &QComboBox::currentIndexChanged, this, [this] {
    edit_value_->setEnabled(edit_button_->isEnabled() && chosen_kind() != Intervention::Kind::zero);
    edit_note_->setText(edit_kind_->currentData(Qt::ToolTipRole).toString());
  });
  return edit_row_;
}

// Everything that depends on language, theme or font size.
void InspectorView::retranslate() {
  const auto name = [](QWidget* widget, const QString& accessible, const QString& tip) {
    widget->setAccessibleName(accessible);
    widget->setToolTip(tip);
  };
  name(back_, tr("Back"), tr("Back to the number before (Alt+Left)"));
  name(forward_, tr("Forward"), tr("Forward again (Alt+Right)"));
  copy_->setText(tr("Copy"));
  copy_numpy_->setText(tr("NumPy"));
  name(copy_, tr("Copy the arithmetic"), tr("Copy the whole arithmetic as text (Ctrl+C)"));
  name(copy_numpy_, tr("Copy as NumPy"), tr("Copy one line of Python that computes this number"));
  name(table_, tr("Terms of the arithmetic"), tr("Click a factor, or press Enter on it, to see where it came from"));
  name(order_, tr("Order of the terms"), tr("In the order of the formula, or the largest contributions first"));
  order_->setItemText(0, tr("by position"));
  order_->setItemText(1, tr("largest first"));
  edit_label_->setText(tr("Change this number:"));
  edit_button_->setText(tr("Change"));
  name(edit_kind_, tr("Kind of change"), tr("How the number changes"));
  name(edit_value_, tr("New number"), tr("The new number; Enter runs the model again with it"));
  name(edit_button_, tr("Change this number"), tr("Runs the model again with this change. Reset takes it back."));
  crumbs_->setAccessibleName(tr("Path to this number"));
  const Theme& theme = Theme::instance();
  title_->setFont(theme.ui_font(1.15));
  value_->setFont(theme.token_font(1.35));
  formula_->setFont(theme.ui_font(1.1));
  sum_->setFont(theme.ui_font(1.1));
  table_->setFont(theme.ui_font(0.92));
  for (QLabel* label : {crumbs_, paper_, check_, edit_note_, terms_}) label->setFont(theme.ui_font(0.9));
  for (QLabel* label : {crumbs_, paper_, check_, edit_note_, terms_, empty_}) colour(label, theme.muted_text());
  colour(value_, theme.accent());
  table_->verticalHeader()->setDefaultSectionSize(QFontMetrics(table_->font()).height() + 8);
  edit_kind_->clear();
  show_stop();
}

void InspectorView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace headlight
