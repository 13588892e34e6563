#include "app/text/pair_row.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QToolButton>

#include "app/parts.h"
#include "app/stage/panel_frame.h"
#include "model/decode/run.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kMostCharacters = 20000;

QString numbers_text(const std::vector<TokenId>& numbers) {
  QStringList texts;
  for (const TokenId number : numbers) texts << QString::number(number);
  return texts.join(' ');
}

// Nothing for a text with anything but small numbers in it.
std::optional<std::vector<TokenId>> numbers_of(const QString& text) {
  static const QRegularExpression between(QStringLiteral("[\\s,]+"));
  std::vector<TokenId> numbers;
  for (const QString& part : text.split(between, Qt::SkipEmptyParts)) {
    bool good = false;
    const int number = part.toInt(&good);
    if (!good || number < 0 || number > 1024 || numbers.size() >= static_cast<std::size_t>(kMaxSourceTokens)) return {};
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

PairRow::PairRow(QWidget* parent)
    : QWidget(parent),
      second_line_(new QWidget(this)),
      types_line_(new QWidget(this)),
      second_title_(new QLabel(second_line_)),
      types_title_(new QLabel(types_line_)),
      second_(new QLineEdit(second_line_)),
      types_(new QLineEdit(types_line_)),
      close_types_(sign_button(types_line_, Sign::close)),
      open_second_(new QAction(this)),
      open_types_(new QAction(this)) {
  second_->setObjectName(QStringLiteral("second"));
  types_->setObjectName(QStringLiteral("type_ids"));
  close_types_->setObjectName(QStringLiteral("close_type_ids"));
  open_second_->setObjectName(QStringLiteral("open_second"));
  open_types_->setObjectName(QStringLiteral("open_type_ids"));
  QVBoxLayout* rows = column_in(this, space::kSmall);
  for (const auto& [line, title, field] :
       {std::tuple(second_line_, second_title_, second_), {types_line_, types_title_, types_}}) {
    QHBoxLayout* row = row_in(line, space::kMedium);
    title->setTextFormat(Qt::PlainText);
    title->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    title->setWordWrap(true);
    title->setBuddy(field);
    field->setMaxLength(kMostCharacters);
    row->addWidget(title);
    row->addWidget(field, 1);
    rows->addWidget(line);
  }
  types_line_->layout()->addWidget(close_types_);
  second_->setClearButtonEnabled(false);
  connect(second_, &QLineEdit::textEdited, this, &PairRow::secondEdited);
  connect(types_, &QLineEdit::textEdited, this, &PairRow::types_typed);
  connect(close_types_, &QToolButton::clicked, this, [this] {
    types_wanted_ = false;
    types_->clear();
    mark_types(false);
    emit typesEdited({});
    show_fields();
  });
  connect(open_second_, &QAction::triggered, this, [this] {
    second_wanted_ = true;
    show_fields();
    second_->setFocus(Qt::ShortcutFocusReason);
  });
  connect(open_types_, &QAction::triggered, this, [this] {
    types_wanted_ = true;
    // What it is now, ready to be changed.
    if (types_->text().isEmpty()) types_->setText(types_->placeholderText());
    show_fields();
    types_->setFocus(Qt::ShortcutFocusReason);
  });
  connect(&Theme::instance(), &Theme::changed, this, &PairRow::apply_fonts);
  apply_fonts();
  retranslate();
  show_fields();
  on_language(this, [this] { retranslate(); });
}

void PairRow::set_model(const ModelBundle& model) {
  takes_pairs_ = model.text.source.takes_pairs();
  told_ = model.text.token_types > 0;
  always_ = takes_pairs_ && model.model && model.model->traits().kind == ModelTraits::Kind::encoder_only;
  second_wanted_ = types_wanted_ = false;
  show_fields();
}

void PairRow::set_texts(const QString& second, const std::vector<TokenId>& types) {
  set_text_only(second_, second);
  if (const auto typed = numbers_of(types_->text()); !typed || *typed != types) {
    types_->setText(numbers_text(types));
    mark_types(false);
  }
  show_fields();
}

void PairRow::set_result(const Result& result) {
  std::vector<TokenId> types;
  for (const TextToken& token : result.tokens) types.push_back(token.type);
  types_->setPlaceholderText(numbers_text(types));
}

void PairRow::set_indent(int pixels) {
  for (QLabel* title : {second_title_, types_title_}) title->setFixedWidth(pixels);
}

void PairRow::types_typed() {
  const auto types = numbers_of(types_->text());
  mark_types(!types);
  if (types) emit typesEdited(*types);
}

void PairRow::mark_types(bool wrong) {
  QPalette ink = palette();
  if (wrong) ink.setColor(QPalette::Text, Theme::instance().warning());
  types_->setPalette(ink);
  types_->setToolTip(wrong ? tr("Expected small numbers with spaces between them.")
                           : tr("What kind of sentence the model is told that each token is of: a number for each, in "
                                "their order. Empty: as the tokenizer says."));
}

void PairRow::show_fields() {
  open_second_->setVisible(takes_pairs_ && !always_);
  open_types_->setVisible(told_);
  const bool second = takes_pairs_ && (always_ || second_wanted_ || !second_->text().isEmpty()),
             types = told_ && (types_wanted_ || !types_->text().isEmpty());
  const bool changed = second == second_line_->isHidden() || types == types_line_->isHidden();
  second_line_->setVisible(second);
  types_line_->setVisible(types);
  setVisible(second || types);
  if (!changed) return;
  updateGeometry();
  emit shownChanged();
}

void PairRow::apply_fonts() {
  for (QLineEdit* field : {second_, types_}) field->setFont(Theme::instance().ui_font(type::kTitle));
  for (QLabel* title : {second_title_, types_title_}) title->setFont(Theme::instance().ui_font(type::kSource));
}

void PairRow::retranslate() {
  second_title_->setText(tr("Second sentence"));
  second_->setAccessibleName(second_title_->text());
  second_->setPlaceholderText(tr("empty: the model reads one text"));
  second_->setToolTip(
      tr("A second text that the model reads behind the first, with the signs of its tokenizer between "
         "them."));
  types_title_->setText(tr("Kinds of sentences"));
  types_->setAccessibleName(types_title_->text());
  name_button(close_types_, tr("Back to what the tokenizer says"));
  open_second_->setText(tr("Second sentence"));
  open_types_->setText(tr("Kinds of sentences (type ids)"));
  mark_types(false);
}

}  // namespace headlight
