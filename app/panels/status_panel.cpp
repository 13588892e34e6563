#include "app/panels/status_panel.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLinearGradient>
#include <QPainter>
#include <QProgressBar>
#include <QToolButton>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/column_ink.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr int kSaying = 6000;  // milliseconds
constexpr int kBar = 72;

}  // namespace

KeyOfColours::KeyOfColours(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
}

void KeyOfColours::set(const ColourKey& key) {
  if (key == key_) return;
  key_ = key;
  updateGeometry();
  update();
}

QString KeyOfColours::low() const {
  return key_.kind == ColourKey::Kind::signs ? short_signed(-key_.largest)
         : key_.logarithmic                  ? QStringLiteral("≤ .001")
                                             : QStringLiteral("0");
}

QString KeyOfColours::high() const {
  return key_.kind == ColourKey::Kind::signs ? short_signed(key_.largest) : QStringLiteral("1");
}

int KeyOfColours::end() const {
  const QFont font = Theme::instance().ui_font(type::kSource);
  return qRound(std::max(text_width(low(), font), text_width(high(), font))) + 1;
}

QSize KeyOfColours::sizeHint() const { return {kBar + 2 * (end() + space::kSmall), fontMetrics().height()}; }

void KeyOfColours::paintEvent(QPaintEvent*) {
  const Theme& theme = Theme::instance();
  QPainter painter(this);
  painter.setFont(theme.ui_font(type::kSource));
  painter.setPen(tokens().ink2);
  const QRect bar(end() + space::kSmall, height() / 2 - 5, kBar, 10);
  QLinearGradient gradient(bar.topLeft(), bar.topRight());
  for (int i = 0; i <= 16; ++i) {
    const double share = i / 16.0;
    gradient.setColorAt(share,
                        key_.kind == ColourKey::Kind::signs ? theme.signed_value(2 * share - 1) : theme.weight(share));
  }
  painter.fillRect(bar, gradient);
  draw_text(painter, QRect(0, 0, end(), height()), Qt::AlignVCenter | Qt::AlignRight, low());
  draw_text(painter, QRect(bar.right() + 1 + space::kSmall, 0, end(), height()), Qt::AlignVCenter | Qt::AlignLeft,
            high());
}

StatusPanel::StatusPanel(QAction* stop, QWidget* parent)
    : QWidget(parent),
      caption_(new QLabel(this)),
      todo_(new QLabel(this)),
      key_(new KeyOfColours(this)),
      progress_(new QProgressBar(this)),
      stop_(new QToolButton(this)),
      time_(new QToolButton(this)),
      all_(new QToolButton(this)),
      training_(new QToolButton(this)) {
  training_->setObjectName(QStringLiteral("training_shown"));
  training_->setAutoRaise(true);
  training_->setFocusPolicy(Qt::TabFocus);
  training_->hide();
  all_->setObjectName(QStringLiteral("show_all"));
  all_->setFocusPolicy(Qt::TabFocus);
  all_->hide();
  setObjectName(QStringLiteral("caption"));
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Base);
  for (QLabel* label : {caption_, todo_}) label->setTextFormat(Qt::PlainText);
  caption_->setObjectName(QStringLiteral("notes"));
  caption_->setForegroundRole(QPalette::PlaceholderText);
  todo_->setWordWrap(true);
  progress_->setMaximumWidth(160);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  stop_->setDefaultAction(stop);
  stop_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  time_->setAutoRaise(true);
  time_->setFocusPolicy(Qt::TabFocus);
  QHBoxLayout* row = row_in(this, space::kSmall);
  row->setContentsMargins(space::kMargin, space::kTight, space::kMargin, space::kTight);
  row->addWidget(caption_);
  row->addWidget(todo_, 1);
  row->addWidget(all_);
  row->addWidget(progress_);
  row->addWidget(stop_);
  row->addWidget(training_);
  row->addWidget(key_);
  row->addWidget(time_);
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience);
  connect(&patience_, &QTimer::timeout, this, [this] {
    progress_->show();
    stop_->show();
    refresh();
  });
  saying_.setSingleShot(true);
  saying_.setInterval(kSaying);
  connect(&saying_, &QTimer::timeout, this, [this] {
    said_.clear();
    refresh();
  });
  connect(time_, &QToolButton::clicked, this,
          [this] { QToolTip::showText(time_->mapToGlobal(QPoint()), time_->toolTip(), time_); });
  run_ended();
  refresh();
}

void StatusPanel::set_caption(const QString& what, const QString& todo) {
  if (what == what_ && todo == what_to_do_) return;
  what_ = what;
  what_to_do_ = todo;
  refresh();
}

void StatusPanel::set_stopped(int rows, int of, const QString& sentence) {
  stopped_ = rows;
  stopped_of_ = of;
  sentence_ = sentence;
  all_->setVisible(rows >= 0 && !presenting_);
  refresh();
}

void StatusPanel::set_training(const QString& text) {
  training_->setText(text);
  training_->setToolTip(tr("To the lab, where a training goes on"));
  keep_room(training_);
  training_->setVisible(!text.isEmpty() && !presenting_);
  fit();
}

void StatusPanel::set_end(QWidget* end) {
  end_ = end;
  layout()->addWidget(end);
}

void StatusPanel::set_key(const ColourKey& key) {
  key_->set(key);
  key_->setAccessibleName(key.kind == ColourKey::Kind::signs
                              ? tr("Colours of the numbers, from %1 to %2").arg(key_->low(), key_->high())
                              : tr("Colours of the weights, from 0 to 1"));
  key_->setToolTip(key_->accessibleName());
  fit();
}

void StatusPanel::set_presenting(bool presenting) {
  presenting_ = presenting;
  time_->setVisible(!presenting);
  set_key(key_->key());
  set_stopped(stopped_, stopped_of_, sentence_);
}

void StatusPanel::set_hint(const QString& hint) {
  if (hint == hint_) return;
  hint_ = hint;
  refresh();
}

void StatusPanel::begin(bool loading) {
  if (loading != std::exchange(loading_, loading) && busy_shown()) refresh();
  progress_->setRange(0, loading ? 0 : 1000);
  if (!patience_.isActive() && progress_->isHidden()) {
    progress_->setValue(0);
    patience_.start();
  }
}

void StatusPanel::set_loading(bool loading) { loading ? begin(true) : run_ended(); }

void StatusPanel::run_started() { begin(false); }

void StatusPanel::run_progress(double fraction) { progress_->setValue(static_cast<int>(std::lround(1000 * fraction))); }

void StatusPanel::run_ended() {
  patience_.stop();
  const bool shown = progress_->isVisible();
  progress_->hide();
  stop_->hide();
  if (shown) refresh();
}

bool StatusPanel::busy_shown() const { return !progress_->isHidden(); }

QString StatusPanel::caption() const { return QStringLiteral("%1 %2").arg(caption_->text(), todo_->text()).trimmed(); }

void StatusPanel::show_run(double seconds, const QStringList& notes, const QString& size) {
  const bool same = notes == notes_;
  if (!same && !notes.isEmpty()) said_.clear();  // what is wrong with a run goes before what its model is
  seconds_ = seconds;
  notes_ = notes;
  size_ = size;
  const QString time = seconds_ < 0 ? QString() : tr("%1 ms").arg(1000 * seconds_, 0, 'f', seconds_ < 0.1 ? 1 : 0);
  if (time != time_->text()) time_->setText(time);
  keep_room(time_);
  time_->setToolTip(
      plain_tooltip(tr("How long the last run of the model took, with every number kept.") + '\n' + size_ + '\n' +
                    tr("Parameters are what training found; the numbers of a run are what the model computes from "
                       "them for this text. You can look at each of both.")));
  if (!same) refresh();
}

void StatusPanel::say(const QString& text) {
  said_ = text;
  saying_.start();
  refresh();
}

void StatusPanel::hush() {
  if (!saying_.isActive()) return;
  saying_.stop();
  said_.clear();
  refresh();
}

void StatusPanel::retranslate() {
  set_key(key_->key());
  progress_->setAccessibleName(tr("Progress of the run"));
  time_->setAccessibleName(tr("Time and size of the run"));
  show_run(seconds_, notes_, size_);
  refresh();
}

// What was said just now, what is to be known of this run, else what the picture shows.
void StatusPanel::refresh() {
  const bool stopped = said_.isEmpty() && stopped_ >= 0;
  const bool noted = said_.isEmpty() && !stopped && !notes_.isEmpty();
  const bool plain = said_.isEmpty() && !stopped && !noted && !busy_shown();
  all_->setText(tr("Show all"));
  all_->setToolTip(tr("Go to the end of the run"));
  caption_->setText(plain && !presenting_ ? what_ : QString());
  const QString where = tr("Showing %1 of %2 outputs.").arg(stopped_).arg(stopped_of_);
  todo_->setText(!hint_.isEmpty()                 ? hint_
                 : !said_.isEmpty()               ? said_
                 : busy_shown()                   ? (loading_ ? tr("Opening the model …") : tr("Computing …"))
                 : presenting_ && !noted          ? (stopped && !sentence_.isEmpty() ? sentence_ : what_)
                 : stopped && sentence_.isEmpty() ? where
                 : stopped                        ? QStringLiteral("%1 %2").arg(where, sentence_)
                 : noted                          ? notes()
                                                  : what_to_do_);
  todo_->setToolTip(noted ? plain_tooltip(notes_.join('\n')) : QString());
  if (const QFont font = strong_font(); todo_->font() != font) todo_->setFont(font);
  setAccessibleDescription(caption());
  fit();
}

void StatusPanel::fit() {
  int room = width() - 2 * space::kMargin - time_->sizeHint().width() - 2 * space::kSmall;
  if (!all_->isHidden()) room -= all_->sizeHint().width() + space::kSmall;
  if (!training_->isHidden()) room -= training_->sizeHint().width() + space::kSmall;
  if (end_ && !end_->isHidden()) room -= end_->sizeHint().width() + space::kSmall;
  if (!progress_->isHidden()) room -= 160 + stop_->sizeHint().width() + 2 * space::kSmall;
  // In large letters what one can do has the room of the colours, before it stands on three lines.
  const int keyed = room - key_->sizeHint().width() - space::kSmall;
  const bool key = key_->key().kind != ColourKey::Kind::none && !presenting_ &&
                   qRound(text_width(todo_->text(), todo_->font())) <= 1.9 * keyed;
  key_->setVisible(key);
  if (key) room = keyed;
  const bool whole = caption_->sizeHint().width() + qRound(text_width(todo_->text(), todo_->font())) <= room;
  caption_->setVisible(whole && !caption_->text().isEmpty());
}

void StatusPanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

void StatusPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  keep_room(time_);
  refresh();
}

}  // namespace headlight
