// The parts of the stepper view: transport buttons, heading, pictures.

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <cmath>

#include "widgets/base/theme.h"
#include "widgets/views/stepper_view.h"

namespace headlight {

namespace {

// Transport signs in the colour of the text, so that they are right in both themes and at every scale.
QIcon transport_icon(const char* sign, QColor color) {
  QIcon icon;
  for (const int scale : {1, 2}) {
    QPixmap pixmap(16 * scale, 16 * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(scale, scale);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    double x = 8 - 3.5 * static_cast<double>(std::char_traits<char>::length(sign));
    for (const char* s = sign; *s; ++s, x += 7) {
      if (*s == '|') painter.drawRoundedRect(QRectF(x + 2.2, 3, 2.4, 10), 0.8, 0.8);
      if (*s == '>') painter.drawPolygon(QPolygonF({{x, 3}, {x + 7, 8}, {x, 13}}));
      if (*s == '<') painter.drawPolygon(QPolygonF({{x + 7, 3}, {x, 8}, {x + 7, 13}}));
    }
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    icon.addPixmap(pixmap);
  }
  return icon;
}

QLabel* plain_label(QWidget* parent, bool wrap) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(wrap);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (!wrap) label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  return label;
}

void colour(QLabel* label, const QColor& color) {
  QPalette palette = label->palette();
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
}

// Scrolls a column whose height depends on its width. (A resizable QScrollArea gives wrapped labels the height that
// they would need at their smallest width.)
class TallArea : public QScrollArea {
 public:
  explicit TallArea(QWidget* parent) : QScrollArea(parent) {
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::NoFocus);
    setMinimumSize(120, 60);
  }
  void adjust() {
    if (!widget()) return;
    const int width = viewport()->width();
    widget()->resize(width, std::max(widget()->layout()->totalHeightForWidth(width), viewport()->height()));
  }

 protected:
  void resizeEvent(QResizeEvent* event) override {
    QScrollArea::resizeEvent(event);
    adjust();
  }
  bool eventFilter(QObject* object, QEvent* event) override {
    const bool handled = QScrollArea::eventFilter(object, event);
    if (object == widget() && event->type() == QEvent::LayoutRequest) adjust();
    return handled;
  }
};

constexpr int kSideBySideFrom = 620;

}  // namespace

StepperView::StepperView(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 6, 8, 6);
  layout->setSpacing(6);
  controls_ = build_controls();
  layout->addWidget(controls_);
  auto* scroll = new TallArea(this);
  body_ = new QWidget(scroll);
  auto* column = new QVBoxLayout(body_);
  column->setContentsMargins(0, 0, 4, 0);
  column->setSpacing(8);
  column->addWidget(build_heading());
  column->addWidget(build_pictures());
  column->addStretch(1);
  scroll->setWidget(body_);
  layout->addWidget(scroll, 1);
  empty_ = plain_label(this, true);
  empty_->setAlignment(Qt::AlignCenter);
  layout->addWidget(empty_, 1);

  timer_.setTimerType(Qt::PreciseTimer);
  connect(&timer_, &QTimer::timeout, this, [this] {
    next();
    if (!trace_ || position_ + 1 >= trace_->size()) pause();
  });
  connect(&Theme::instance(), &Theme::changed, this, &StepperView::retranslate);
  retranslate();
  set_speed(speed_);
  refresh();
}

QWidget* StepperView::build_controls() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  auto* row = new QHBoxLayout;
  row->setSpacing(2);
  const auto button = [&](void (StepperView::*slot)()) {
    auto* b = new QToolButton(box);
    b->setAutoRaise(true);
    b->setIconSize({16, 16});
    connect(b, &QToolButton::clicked, this, slot);
    row->addWidget(b);
    return b;
  };
  first_ = button(&StepperView::first);
  previous_ = button(&StepperView::previous);
  play_ = button(&StepperView::toggle_play);
  next_ = button(&StepperView::next);
  last_ = button(&StepperView::last);
  row->addSpacing(6);
  stride_box_ = new QComboBox(box);
  stride_box_->addItems({QString(), QString()});
  stride_box_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  stride_box_->setMinimumContentsLength(7);
  connect(stride_box_, &QComboBox::activated, this,
          [this](int i) { set_stride(i == 0 ? Stride::value : Stride::output_step); });
  row->addWidget(stride_box_);
  row->addSpacing(6);
  speed_slider_ = new QSlider(Qt::Horizontal, box);
  speed_slider_->setRange(0, 100);
  speed_slider_->setMinimumWidth(36);
  speed_slider_->setMaximumWidth(130);
  speed_label_ = new QLabel(box);
  speed_label_->setTextFormat(Qt::PlainText);
  speed_label_->setMinimumWidth(speed_label_->fontMetrics().horizontalAdvance(QStringLiteral("0.55 / s")));
  connect(speed_slider_, &QSlider::valueChanged, this,
          [this](int place) { set_speed(kSlowest * std::pow(kFastest / kSlowest, place / 100.0)); });
  row->addWidget(speed_slider_, 1);
  row->addWidget(speed_label_);
  row->addStretch(1);
  count_ = new QLabel(box);
  count_->setTextFormat(Qt::PlainText);
  column->addLayout(row);
  auto* second = new QHBoxLayout;
  second->setSpacing(10);
  position_slider_ = new QSlider(Qt::Horizontal, box);
  position_slider_->setMinimumWidth(60);
  connect(position_slider_, &QSlider::valueChanged, this, &StepperView::set_position);
  second->addWidget(position_slider_, 1);
  second->addWidget(count_);
  column->addLayout(second);
  return box;
}

QWidget* StepperView::build_heading() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  title_ = plain_label(box, true);
  site_ = plain_label(box, true);
  help_ = plain_label(box, true);
  formula_ = plain_label(box, true);
  formula_->setTextFormat(Qt::RichText);  // only ever a formula of the catalogue
  paper_ = plain_label(box, true);
  flow_ = plain_label(box, true);
  for (QLabel* label : {title_, site_, help_}) column->addWidget(label);
  column->addSpacing(3);
  for (QLabel* label : {formula_, paper_, flow_}) column->addWidget(label);
  return box;
}

StepperView::InputPanel StepperView::build_input() {
  InputPanel panel;
  panel.box = new QWidget(this);
  auto* column = new QVBoxLayout(panel.box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(1);
  panel.name = new QToolButton(panel.box);
  panel.name->setAutoRaise(true);
  panel.name->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  panel.name->setFont(Theme::instance().ui_font(0.9));
  panel.matrix = new MatrixView(panel.box);
  panel.matrix->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  column->addWidget(panel.name);
  column->addWidget(panel.matrix);
  inputs_layout_->addWidget(panel.box);
  const std::size_t place = inputs_.size();
  connect(panel.name, &QToolButton::clicked, this, [this, place] { set_position(inputs_[place].entry); });
  connect(panel.matrix, &MatrixView::cellActivated, this,
          [this, place](qint64 cell) { open_cell(inputs_[place].entry, cell); });
  return panel;
}

QWidget* StepperView::build_pictures() {
  auto* box = new QWidget(this);
  auto* column = new QVBoxLayout(box);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  side_by_side_ = new QBoxLayout(QBoxLayout::TopToBottom);
  side_by_side_->setSpacing(12);
  inputs_layout_ = new QVBoxLayout;
  inputs_layout_->setSpacing(4);
  inputs_title_ = plain_label(box, false);
  inputs_layout_->addWidget(inputs_title_);
  auto* left = new QVBoxLayout;
  left->addLayout(inputs_layout_);
  left->addStretch(1);
  side_by_side_->addLayout(left, 1);
  auto* right = new QVBoxLayout;
  right->setSpacing(4);
  result_title_ = plain_label(box, false);
  result_ = new MatrixView(box);
  result_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  right->addWidget(result_title_);
  right->addWidget(result_);
  right->addStretch(1);
  side_by_side_->addLayout(right, 1);
  column->addLayout(side_by_side_);
  column->addSpacing(6);
  history_title_ = plain_label(box, false);
  history_ = new MatrixView(box);
  history_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  column->addWidget(history_title_);
  column->addWidget(history_);
  connect(result_, &MatrixView::cellActivated, this, [this](qint64 cell) { open_cell(position_, cell); });
  connect(history_, &MatrixView::cellActivated, this, [this](qint64 cell) {
    const Index columns = shown_history_.content.values.columns();
    open_cell(shown_history_.entries[static_cast<std::size_t>(cell / columns)], cell % columns);
  });
  return box;
}

void StepperView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  side_by_side_->setDirection(event->size().width() >= kSideBySideFrom ? QBoxLayout::LeftToRight
                                                                       : QBoxLayout::TopToBottom);
}

void StepperView::set_icons() {
  const QColor color = palette().color(QPalette::Active, QPalette::WindowText);
  first_->setIcon(transport_icon("|<", color));
  previous_->setIcon(transport_icon("<|", color));
  play_->setIcon(transport_icon(playing() ? "||" : ">", playing() ? Theme::instance().accent() : color));
  next_->setIcon(transport_icon("|>", color));
  last_->setIcon(transport_icon(">|", color));
  play_->setToolTip(playing() ? tr("Pause (Space)") : tr("Play: walk through the computation (Space)"));
  play_->setAccessibleName(playing() ? tr("Pause") : tr("Play"));
}

// Everything that depends on language, theme or font size.
void StepperView::retranslate() {
  const auto name = [](QWidget* widget, const QString& accessible, const QString& tip) {
    widget->setAccessibleName(accessible);
    widget->setToolTip(tip);
  };
  name(first_, tr("First operation"), tr("To the first operation (Home)"));
  name(previous_, tr("Previous operation"), tr("One step back (Left)"));
  name(next_, tr("Next operation"), tr("One step on: compute the next value (Right)"));
  name(last_, tr("Last operation"), tr("To the end: everything is computed (End)"));
  name(stride_box_, tr("Size of a step"),
       tr("How far one step goes: to the next value, or until the next token is written"));
  stride_box_->setItemText(0, tr("by value"));
  stride_box_->setItemText(1, tr("by output step"));
  name(speed_slider_, tr("Speed"), tr("Operations per second while playing (Ctrl+Up, Ctrl+Down)"));
  name(position_slider_, tr("Position in the computation"),
       tr("Where in the computation you are. Page Up and Page Down go to the next written token."));
  empty_->setText(tr("Type a source text. Then walk through its computation here, one operation at a time."));
  const Theme& theme = Theme::instance();
  title_->setFont(theme.ui_font(1.3));
  site_->setFont(theme.token_font(0.9));
  help_->setFont(theme.ui_font());
  formula_->setFont(theme.ui_font(1.15));
  for (QLabel* label : {paper_, flow_, inputs_title_, result_title_, history_title_})
    label->setFont(theme.ui_font(0.9));
  for (QLabel* label :
       {site_, paper_, flow_, inputs_title_, result_title_, history_title_, empty_, count_, speed_label_})
    colour(label, theme.muted_text());
  for (QLabel* label : {title_, help_, formula_}) colour(label, theme.text());
  set_speed(speed_);
  refresh();
}

void StepperView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::LanguageChange) {
    history_kind_.clear();
    retranslate();
  }
}

}  // namespace headlight
