// The parts of the inspector: navigation, heading, table of terms, edit row.

#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStyleOptionFocusRect>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <map>

#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/style.h"
#include "widgets/base/text_button.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/views/inspector/inspector_cells.h"
#include "widgets/views/inspector/inspector_view.h"

namespace headlight {

namespace {

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

// A field that holds a number already is entered to replace it.
class SelectOnFocus : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject* object, QEvent* event) override {
    auto* field = static_cast<QLineEdit*>(object);
    const bool pressed = event->type() == QEvent::MouseButtonPress && !field->hasFocus();
    if (!pressed) return false;
    field->setFocus(Qt::MouseFocusReason);
    field->selectAll();
    return true;
  }
};

// Two sheets, one upon the other, in the colour of the text.
QIcon copy_icon(const QColor& color) {
  return drawn_icon([color](QPainter& painter) {
    painter.setPen(QPen(color, 1.2));
    painter.drawRoundedRect(QRectF(5.5, 5.5, 8, 9), 1.5, 1.5);
    painter.drawPolyline(QPolygonF({{3.6, 11}, {2.5, 11}, {2.5, 2}, {10.5, 2}, {10.5, 3.6}}));
  });
}

// As high as its parts need at the least: what is left belongs to the terms, and only what has no room at all is
// scrolled.
class Body : public QWidget {
 public:
  explicit Body(std::function<void()> wider) : wider_(std::move(wider)) {}
  int heightForWidth(int width) const override { return layout()->minimumHeightForWidth(width); }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    if (event->size().width() != event->oldSize().width()) wider_();
  }

 private:
  std::function<void()> wider_;  // or narrower
};

// The keys of its parts go on to the inspector: arrows do not scroll, for it never has the keyboard itself.
class Around : public QScrollArea {
 public:
  Around(QWidget* parent, std::function<void()> resized) : QScrollArea(parent), resized_(std::move(resized)) {}

 protected:
  void keyPressEvent(QKeyEvent* event) override { event->ignore(); }
  void resizeEvent(QResizeEvent* event) override {
    resized_();
    QScrollArea::resizeEvent(event);
  }

 private:
  std::function<void()> resized_;
};

constexpr int kLeastRows = 2;
constexpr int kMargin = space::kMargin;  // left and right of everything

}  // namespace

InspectorView::InspectorView(QWidget* parent) : QWidget(parent), model_(new ExplanationModel(this)) {
  setFocusPolicy(Qt::ClickFocus);
  auto* layout = column_in(this, 6);
  layout->setContentsMargins(0, 6, 0, 0);
  layout->addWidget(build_navigation());
  scroll_ = new Around(this, [this] { fit_lines(); });
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setWidgetResizable(true);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->setAutoFillBackground(false);
  body_ = new Body([this] { size_columns(); });
  scroll_->setWidget(body_);
  body_->setAutoFillBackground(false);  // the panel's ground
  auto* column = column_in(body_, 6);
  // Words stand on the margin; the grounds of the table's cells hang out.
  constexpr int kHang = FactorDelegate::kSide;
  column->setContentsMargins(kMargin - kHang, 0, kMargin - kHang, 10);
  const auto part = [&] {
    auto* rows = new QVBoxLayout;
    rows->setSpacing(column->spacing());
    rows->setContentsMargins(kHang, 0, kHang, 0);
    column->addLayout(rows);
    return rows;
  };
  part()->addWidget(build_heading());
  build_table();
  column->addWidget(table_row_, 1000);
  // With a short table or none the rest stays at the bottom, where it is looked for.
  column->addStretch(1);
  goes_title_ = text_label(body_);
  goes_ = new QLabel(body_);
  goes_->setTextFormat(Qt::RichText);  // their texts are escaped
  make_running_text(goes_);
  goes_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  connect(goes_, &QLabel::linkActivated, this, &InspectorView::follow_link);
  QVBoxLayout* rows = part();
  rows->addWidget(goes_title_);
  rows->addWidget(goes_);
  rows->addWidget(build_edit());
  auto* foot = new QHBoxLayout;
  paper_ = text_label(body_);
  check_ = text_label(body_);
  check_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  foot->addWidget(paper_, 1);
  foot->addWidget(check_, 1);
  rows->addLayout(foot);
  layout->addWidget(scroll_, 1);
  empty_ = text_label(this);
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setContentsMargins(kMargin, 0, kMargin, 10);
  layout->addWidget(empty_, 1);
  theme().restyles(this, [this] { retranslate(); });
  retranslates(this, [this] { retranslate(); });
  retranslate();
}

QWidget* InspectorView::build_navigation() {
  auto* box = new QWidget(this);
  auto* navigation = new QGridLayout(box);
  navigation->setContentsMargins(kMargin, 0, kMargin, 0);
  navigation->setSpacing(2);
  const auto button = [&](const QString& text, void (InspectorView::*slot)()) {
    auto* b = new QToolButton(box);
    b->setAutoRaise(true);
    b->setText(text);
    connect(b, &QToolButton::clicked, this, slot);
    return b;
  };
  back_ = button(QStringLiteral("←"), &InspectorView::back);
  forward_ = button(QStringLiteral("→"), &InspectorView::forward);
  crumbs_ = new TextButton(box);
  crumbs_->set_menu_arrow(true);
  crumbs_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(crumbs_, &TextButton::clicked, this, &InspectorView::open_history);
  copy_ = button({}, &InspectorView::copy_text);
  copy_numpy_ = button({}, &InspectorView::copy_numpy);
  navigation->addWidget(back_, 0, 0);
  navigation->addWidget(forward_, 0, 1);
  navigation->setColumnMinimumWidth(2, 4);
  navigation->addWidget(crumbs_, 0, 3);
  navigation->setColumnStretch(3, 1);
  navigation->addWidget(copy_, 0, 4);
  navigation->addWidget(copy_numpy_, 0, 5);
  return box;
}

QWidget* InspectorView::build_heading() {
  auto* box = new QWidget(body_);
  auto* column = column_in(box, 3);
  for (QLabel** label : {&title_, &value_, &help_, &sum_, &formula_, &in_file_}) {
    *label = text_label(box);
    column->addWidget(*label);
  }
  in_file_->setObjectName(QStringLiteral("in_file"));
  in_file_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  formula_->setTextFormat(Qt::RichText);  // only ever a formula of the catalogue
  return box;
}

void InspectorView::build_table() {
  table_row_ = new QWidget(body_);
  auto* column = column_in(table_row_, 3);
  auto* row = terms_line_ = new QHBoxLayout;
  row->setContentsMargins(FactorDelegate::kSide, 0, FactorDelegate::kSide, 0);
  terms_ = text_label(table_row_, false);
  order_ = new QComboBox(table_row_);
  order_->addItems({QString(), QString()});
  model_->set_order(ExplanationModel::Order::magnitude);
  order_->setCurrentIndex(1);
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
  factor_ = new FactorDelegate(table_);
  table_->setFrameShape(QFrame::NoFrame);
  table_->setShowGrid(false);
  // On the ground of the panel, as a table beside a picture is on that of the picture.
  table_->setProperty(kLook, QByteArray("terms"));
  table_->viewport()->setBackgroundRole(QPalette::Window);
  table_->setWordWrap(false);
  table_->setTextElideMode(Qt::ElideMiddle);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setTabKeyNavigation(false);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  table_->installEventFilter(new TableKeys(table_, [this] { open_factor(table_->currentIndex()); }));
  connect(table_, &QTableView::doubleClicked, this, &InspectorView::open_factor);
  column->addWidget(table_, 1);
}

// In large letters what stands in a line stands below each other: nothing hangs over the edge of a narrow panel.
void InspectorView::fit_lines() {
  if (!edit_line_) return;
  const int room = scroll_->viewport()->width() - 2 * kMargin;
  for (QBoxLayout* line : {terms_line_, edit_line_}) {
    int wide = -line->spacing();
    for (int i = 0; i < line->count(); ++i)
      if (const QWidget* each = line->itemAt(i)->widget())
        wide += std::max(each->minimumWidth(), each->minimumSizeHint().width()) + line->spacing();
    const auto direction = wide > room ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
    if (line->direction() != direction) line->setDirection(direction);
  }
}

// The factors share what label and value leave. Where that is little, each one stands on two lines.
void InspectorView::size_columns() {
  fit_lines();
  const QFont font = table_->font();
  const auto advance = [&](const QString& text) { return qRound(text_width(text, font)); };
  // Others at each keystroke, of a few signs: none of them is shaped as a whole.
  std::map<char16_t, double> widths;
  const auto number_advance = [&](const QString& text) {
    double width = 0;
    for (const QChar sign : text) {
      const auto [known, is_new] = widths.try_emplace(sign.unicode());
      if (is_new) known->second = text_width(QString(sign), font);
      width += known->second;
    }
    return qRound(width);
  };
  const int number = advance(QStringLiteral("−8.888e−05")) + 14;
  const QString common = model_->common_label();
  const int value = model_->value_column(), factors = model_->factors();
  const auto heading = [&](int column) {
    return advance(model_->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()) + 14;
  };
  int label = 0;
  if (common.isEmpty() || factors == 0) {
    label = heading(0);
    for (const Term& term : model_->explanation().terms)
      label = std::max(label, advance(QString::fromStdString(term.label)) + 12);
  }
  const int all = body_->width() - 2 * (kMargin - FactorDelegate::kSide) - 2 -
                  style()->pixelMetric(QStyle::PM_ScrollBarExtent) - label;
  // No number has to give way to another one.
  int product = std::max(number, heading(value));
  if (all - product < factors * number) product = std::min(product, all / (factors + 1));
  const int room = all - product;
  const int shared = room / std::max(1, factors);
  // As many lines as the longest place needs; a long sum has places of one length.
  int lines = 1;
  QFont widest = font;
  widest.setWeight((model_->own_row() >= 0) ? QFont::DemiBold : QFont::Normal);
  constexpr int kMeasured = 100;
  for (int r = 0; r < std::min(model_->rowCount(), kMeasured); ++r) {
    for (int c = 1; c < value; ++c) {
      const QModelIndex index = model_->index(r, c);
      const QString times = index.data(ExplanationModel::kTimesRole).toBool() ? QStringLiteral("× ") : QString();
      lines = std::max(
          lines, FactorDelegate::lines_for(widest, index.data(ExplanationModel::kPlaceRole).toString(),
                                           number_advance(times + index.data().toString()), std::max(40, shared)));
    }
  }
  const int row = FactorDelegate::row_height(font, lines);
  if (table_->verticalHeader()->defaultSectionSize() != row || table_->verticalHeader()->minimumSectionSize() != row) {
    table_->verticalHeader()->setMinimumSectionSize(row);
    table_->verticalHeader()->setDefaultSectionSize(row);
  }
  table_->setColumnHidden(0, label == 0);
  for (int c = 0; c <= value; ++c) {
    if (c > 0 || label > 0) table_->setColumnWidth(c, c == 0 ? label : c == value ? product : std::max(40, shared));
    // It lets go of all editors and paints everything again, also where nothing is another one.
    QAbstractItemDelegate* delegate = c == value ? static_cast<QAbstractItemDelegate*>(bar_)
                                      : c > 0    ? factor_
                                                 : nullptr;
    if (table_->itemDelegateForColumn(c) != delegate) table_->setItemDelegateForColumn(c, delegate);
  }
  const int head = table_->horizontalHeader()->sizeHint().height() + 6;
  const int rows = std::min(model_->rowCount(), 1000) * row, height = head + rows;
  table_->setMinimumHeight(head + std::min(rows, kLeastRows * row));
  table_->setMaximumHeight(height);
  table_row_->setMaximumHeight(height + terms_line_->sizeHint().height() + 6);
}

QWidget* InspectorView::build_edit() {
  edit_row_ = new QWidget(body_);
  auto* column = column_in(edit_row_, 3);
  column->setContentsMargins(0, 4, 0, 0);
  auto* row = edit_line_ = new QHBoxLayout;
  row->setSpacing(6);
  edit_label_ = text_label(edit_row_);
  edit_kind_ = new QComboBox(edit_row_);
  edit_value_ = new QLineEdit(edit_row_);
  edit_value_->setMaxLength(40);
  edit_button_ = new QPushButton(edit_row_);
  edit_value_->setMinimumWidth(110);
  edit_value_->installEventFilter(new SelectOnFocus(edit_value_));
  column->addWidget(edit_label_);
  row->addWidget(edit_kind_);
  row->addWidget(edit_value_, 1);
  row->addWidget(edit_button_);
  edit_note_ = text_label(edit_row_);
  column->addLayout(row);
  column->addWidget(edit_note_);
  connect(edit_value_, &QLineEdit::returnPressed, this, &InspectorView::request_edit);
  connect(edit_button_, &QPushButton::clicked, this, &InspectorView::request_edit);
  connect(edit_kind_, &QComboBox::currentIndexChanged, this, [this] {
    edit_value_->setEnabled(edit_button_->isEnabled() && chosen_kind() != Intervention::Kind::zero);
    edit_note_->setText(edit_kind_->currentData(Qt::ToolTipRole).toString());
    if (!edit_value_->isModified()) prefill_edit();
  });
  return edit_row_;
}

// Everything that depends on language, theme or font size.
void InspectorView::retranslate() {
  describe(back_, tr("Back"), tr("Back to the number before (Alt+Left)"));
  describe(forward_, tr("Forward"), tr("Forward again (Alt+Right)"));
  copy_->setIcon(copy_icon(theme().text()));
  copy_numpy_->setText(QStringLiteral("np"));
  describe(copy_, tr("Copy the arithmetic"), tr("Copy the whole arithmetic as text (Ctrl+C)"));
  describe(copy_numpy_, tr("Copy as NumPy"), tr("Copy one line of Python that computes this number"));
  describe(table_, tr("Terms of the arithmetic"), tr("A double click on a number, or Enter, shows where it came from"));
  describe(order_, tr("Order of the terms"), tr("In the order of the formula, or the largest contributions first"));
  order_->setItemText(0, tr("by position"));
  order_->setItemText(1, tr("largest first"));
  edit_label_->setText(tr("What if it were another number?"));
  edit_button_->setText(tr("Run"));
  goes_title_->setText(tr("Where it goes"));
  describe(goes_, tr("Where it goes"), tr("What is computed from this number: click to go on"));
  describe(edit_kind_, tr("Kind of change"), tr("How the number changes"));
  describe(edit_value_, tr("New number"), tr("The new number; Enter runs the model again with it"));
  describe(edit_button_, tr("Change this number"), tr("Runs the model again with this change. Reset takes it back."));
  title_->setFont(bold_font(type::kQuestion));
  value_->setFont(bold_font(type::kNumber));
  formula_->setFont(theme().ui_font());
  sum_->setFont(bold_font());
  for (QLabel* label : {edit_label_, goes_title_}) label->setFont(bold_font(type::kText));
  table_->setFont(theme().ui_font(type::kSource));
  for (QLabel* label : {paper_, check_, edit_note_, terms_, in_file_}) label->setFont(theme().ui_font(type::kSource));
  crumbs_->setFont(theme().ui_font(type::kSource));
  for (QLabel* label : {paper_, check_, edit_note_, terms_, empty_, formula_, in_file_}) set_ink(label, &Tokens::ink2);
  set_ink(value_, &Tokens::accent);
  edit_kind_->clear();
  show_stop();
}

}  // namespace headlight
