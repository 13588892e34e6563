// How the line on top shares its room: the model above or beside the text, the output, and what stands in the fields.

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>

#include "app/text/chat_rows.h"
#include "app/text/model_button.h"
#include "app/text/output_line.h"
#include "app/text/pair_row.h"
#include "app/text/source_bar.h"
#include "app/text/source_field.h"
#include "model/core/json_library.h"
#include "widgets/base/controls.h"
#include "widgets/base/tokens.h"
#include "widgets/text/number_words.h"

namespace headlight {

void SourceBar::lay_out() {
  line_ = new QHBoxLayout;
  line_->setSpacing(space::kMedium);
  line_->addWidget(model_);
  line_->addWidget(chat_switch_);
  line_->addWidget(source_, 1);
  line_->addWidget(chat_->controls(), 1, Qt::AlignVCenter);
  line_->addWidget(arrow_);
  line_->addWidget(output_);
  line_->addWidget(dots_);
  QHBoxLayout* below = row_in(target_row_, space::kSmall);
  below->addWidget(target_label_, 1);
  below->addWidget(target_, 1);
  below->addWidget(goes_on_);
  below->addWidget(close_target_);
  rows_ = column_in(this, space::kSmall);
  rows_->setContentsMargins(space::kMargin, space::kMedium, space::kMargin, space::kSmall);
  rows_->addLayout(line_);
  rows_->addWidget(chat_);
  rows_->addWidget(pair_);
  rows_->addWidget(target_row_);
  target_row_->hide();

  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void SourceBar::make_chat() {
  chat_switch_->setObjectName(QStringLiteral("chat_switch"));
  chat_switch_->setCheckable(true);
  chat_switch_->setFocusPolicy(Qt::TabFocus);
  chat_switch_->hide();
  connect(chat_, &ChatRows::shownChanged, this, &QWidget::updateGeometry);
  connect(chat_, &ChatRows::view_wanted, this, &SourceBar::viewWanted);
  connect(chat_, &ChatRows::edited, this,
          [this](const SharedJson& chat, const QString& gesture) { emit chatEdited(chat, gesture); });
  connect(chat_switch_, &QToolButton::clicked, this, [this](bool on) {
    const SharedJson begun = chat_->kept().value_or(SharedJson(ChatRows::chat_of_text(source_->text())));
    emit chatEdited(on ? std::optional(begun) : std::nullopt, {});
    focus_source();
  });
}

void SourceBar::set_chat(const std::optional<SharedJson>& chat) {
  chat_switch_->setChecked(chat.has_value());
  source_->setHidden(chat.has_value());
  chat_->set_chat(chat);
  show_output_line();
}

// Where it would be cut, only the number; the tooltip says the rest.
void SourceBar::fit_title() {
  const int high =
      QFontMetrics(target_label_->font())
          .boundingRect(QRect(0, 0, std::max(target_label_->width(), 80), 10'000), Qt::TextWordWrap, target_title_)
          .height();
  const bool cut = target_probability_ && target_problem_.isEmpty() && high > target_row_->height();
  target_label_->setText(cut ? tr("p = %1").arg(short_number(*target_probability_, 3)) : target_title_);
}

// In large letters and narrow windows the model stands above, in one line, so that the text is read as a line. Never
// called while the line is being laid out.
void SourceBar::place_model() {
  constexpr int kLeastLetters = 13;
  const QFontMetrics letters(Theme::instance().token_font(type::kQuestion));
  const QMargins margins = rows_->contentsMargins();
  const int rest = width() - margins.left() - margins.right() - 4 * line_->spacing() - model_width() -
                   arrow_->sizeHint().width() - dots_->sizeHint().width() - share_of_output(model_width());
  const bool above = !model_->isHidden() && rest < kLeastLetters * letters.averageCharWidth() + letters.height();
  if (above != model_->one_line()) {
    model_->set_one_line(above);
    if (above) {
      line_->removeWidget(model_);
      rows_->insertWidget(0, model_, 0, Qt::AlignLeft);
    } else {
      rows_->removeWidget(model_);
      line_->insertWidget(0, model_);
    }
    updateGeometry();
  }
  model_->set_most(above ? width() : most_of_model());
  const int high = above ? model_->sizeHint().height() : std::max(least_height(), model_->sizeHint().height());
  if (high != model_->height()) model_->setFixedHeight(high);
}

int SourceBar::least_height() const {
  return QFontMetrics(Theme::instance().token_font(type::kQuestion)).height() + space::kLarge;
}

int SourceBar::most_of_model() const { return static_cast<int>(0.42 * width()); }

int SourceBar::model_width() const {
  return model_->isHidden() ? 0 : std::min(model_->size_in(false).width(), most_of_model());
}

int SourceBar::share_of_output(int model) const {
  const int rest = width() - model - 120;
  return std::max(width() / 6, std::min(static_cast<int>(0.34 * width()), rest / 2));
}

void SourceBar::fit_line() {
  // Large letters leave no room for the text of a button that has an icon and a tooltip.
  const bool wide = source_->width() > 44 * fontMetrics().averageCharWidth();
  examples_->setToolButtonStyle(wide ? Qt::ToolButtonTextBesideIcon : Qt::ToolButtonIconOnly);
  const bool beside = !model_->isHidden() && !model_->one_line();
  pair_->set_indent(beside ? model_->width() : 0);
  const QSize button = examples_->sizeHint();
  const int least = beside ? model_->height() : least_height(), high = std::min(button.height(), least - 6);
  examples_->setGeometry(source_->width() - button.width() - space::kSmall, (least - high) / 2, button.width(), high);
  source_->set_room(presenting_ ? 0 : button.width() + space::kSmall, least);
  output_->set_text(output_->text(), share_of_output(model_->one_line() ? 0 : model_width()));
}

void SourceBar::apply_fonts() {
  const Theme& theme = Theme::instance();
  target_->setFont(theme.token_font(type::kTitle));
  model_->updateGeometry();
  place_model();
  examples_->setFont(theme.ui_font());
  output_->forget();
  title_target();
  fit_line();
}

void SourceBar::show_target_row(bool shown) {
  if (shown == !target_row_->isHidden()) return;
  target_row_->setVisible(shown);
  updateGeometry();
}

void SourceBar::set_plain(bool plain) {
  for (QWidget* each : std::initializer_list<QWidget*>{model_, dots_}) each->setVisible(!plain);
  chat_switch_->setVisible(!plain && chat_->has_templates());
  place_model();
  fit_line();
}

void SourceBar::set_presenting(bool presenting) {
  presenting_ = presenting;
  examples_->setVisible(!presenting);
  if (presenting) source_->setCursorPosition(source_->cursorPosition());  // nothing of it is chosen for the room
  fit_line();
}

}  // namespace headlight
