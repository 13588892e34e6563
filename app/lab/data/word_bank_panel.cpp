#include "app/lab/data/word_bank_panel.h"

#include <QAbstractButton>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "app/language.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/ink.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

// Of the banks that are built in; the model knows no Qt.
[[maybe_unused]] constexpr const char* kBankNames[] = {
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "English and German"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "English and Chinese"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "English"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "German"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "Chinese"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "when"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "who"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "does"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "which"),
    QT_TRANSLATE_NOOP("headlight::WordBankPanel", "what")};

QString number_of(std::size_t count) { return QLocale(current_language()).toString(static_cast<qulonglong>(count)); }

QString forms_text(const std::vector<WordBank::Form>& forms) {
  QStringList texts;
  for (const WordBank::Form& form : forms) texts << from_utf8(form.text);
  return texts.join(QStringLiteral(", "));
}

// A word that takes part or not: off, it is struck and has no ground.
class WordChip : public QAbstractButton {
 public:
  WordChip(const WordBank::Word& word, QWidget* parent)
      : QAbstractButton(parent), forms_(forms_text(word.source)), meaning_(forms_text(word.target)) {
    const QString text = from_utf8(word.source[0].text);
    setText(text.isEmpty() ? QStringLiteral("–") : text);
    setCheckable(true);
    setChecked(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    theme().restyles(this, [this] {
      updateGeometry();
      update();
    });
    retranslate();
  }
  void retranslate() {
    const QString name =
        forms_.isEmpty() ? WordBankPanel::tr("nothing") : WordBankPanel::tr("%1: %2").arg(forms_, meaning_);
    describe(this, name,
             WordBankPanel::tr("%1. Click to leave it out of what is made, or to have it in again.").arg(name));
  }
  QSize sizeHint() const override {
    const QFont font = theme().ui_font(type::kSource);
    return {static_cast<int>(text_width(text(), font)) + 2 * space::kSmall + 2,
            QFontMetrics(font).height() + space::kSmall};
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool in = isChecked();
    const QRectF box = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const QColor ground = isDown() ? t.down : underMouse() ? t.hover : t.paper;
    draw_box(painter, box, box.height() / 2, QPen(t.line, 1), in || underMouse() ? QBrush(ground) : Qt::NoBrush);
    QFont font = theme().ui_font(type::kSource);
    font.setStrikeOut(!in);
    write(painter, rect(), kCentre, text(), font, !isEnabled() ? t.off : in ? t.ink : t.ink2);
  }

 private:
  QString forms_, meaning_;
};

}  // namespace

QString WordBankPanel::shown(const std::string& name) { return tr(name.c_str()); }

WordBankPanel::WordBankPanel(QWidget* parent)
    : QWidget(parent),
      title_(text_label(this, false)),
      about_(text_label(this)),
      count_(text_label(this)),
      marked_(text_label(this, false)),
      choose_(new QPushButton(this)),
      make_(new QPushButton(this)),
      rows_(column_in(this, space::kSmall)) {
  setObjectName(QStringLiteral("word_bank"));
  choose_->setObjectName(QStringLiteral("word_bank_choose"));
  make_->setObjectName(QStringLiteral("word_bank_make"));
  for (QLabel* each : {about_, marked_}) set_ink(each, &Tokens::ink2);
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(choose_);
  rows_->addLayout(head);
  rows_->addWidget(about_);
  rows_->addWidget(count_);
  auto* line = new QHBoxLayout;
  line->addWidget(make_);
  line->addWidget(marked_);
  line->addStretch(1);
  rows_->addLayout(line);
  choose_->setMenu(new QMenu(this));
  connect(make_, &QPushButton::clicked, this, [this] { emit makeWanted(kMadeAtOnce); });
  retranslates(this, [this] { retranslate(); });
  theme().restyles(this, [this] {
    title_->setFont(strong_font(type::kTitle));
    marked_->setFont(theme().ui_font(type::kSource));
    about_->setFont(theme().ui_font(type::kSource));
  });
  title_->setFont(strong_font(type::kTitle));
  for (QLabel* each : {about_, marked_}) each->setFont(theme().ui_font(type::kSource));
}

void WordBankPanel::set_bank(std::shared_ptr<const WordBank> bank) {
  bank_ = std::move(bank);
  build_slots();
  retranslate();
}

void WordBankPanel::build_slots() {
  constexpr int kNameWide = 46;
  delete slots_;
  chips_.clear();
  names_.clear();
  slots_ = new QWidget(this);
  slots_->setObjectName(QStringLiteral("word_bank_slots"));
  auto* rows = column_in(slots_, space::kSmall);
  for (const WordBank::Slot& slot : bank_->slot_list()) {
    auto* name = text_label(slots_, false);
    set_ink(name, &Tokens::ink2);
    name->setFont(theme().ui_font(type::kSource));
    name->setMinimumWidth(kNameWide);
    name->setAlignment(Qt::AlignTop);
    auto* words = new QWidget(slots_);
    auto* flow = new FlowLayout(words, space::kTight, space::kTight);
    chips_.emplace_back();
    for (const WordBank::Word& word : slot.words) {
      auto* chip = new WordChip(word, words);
      chip->setObjectName(QStringLiteral("word_%1").arg(chip->text()));
      flow->addWidget(chip);
      chips_.back().push_back(chip);
      connect(chip, &QAbstractButton::toggled, this, [this] { show_state(); });
    }
    auto* row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(name, 0, Qt::AlignTop);
    row->addWidget(words, 1);
    rows->addLayout(row);
    names_.push_back(name);
  }
  rows_->insertWidget(2, slots_);
}

WordBank::Allowed WordBankPanel::allowed() const {
  WordBank::Allowed allowed;
  for (const auto& slot : chips_) {
    allowed.emplace_back();
    for (const QAbstractButton* chip : slot) allowed.back().push_back(chip->isChecked());
  }
  return allowed;
}

void WordBankPanel::set_standing(std::size_t lines) {
  standing_ = lines;
  show_state();
}

void WordBankPanel::set_enabled(bool enabled) {
  can_add_ = enabled;
  show_state();
}

void WordBankPanel::show_state() {
  if (!bank_) return;
  const std::size_t possible = bank_->possible(allowed());
  count_->setText(tr("%1 sentences are possible, %2 stand here. One in ten is kept back and asked at the end.")
                      .arg(number_of(possible), number_of(standing_)));
  make_->setEnabled(can_add_ && possible > 0);
  describe(make_, make_->text(),
           possible == 0 ? tr("In one row no word takes part: switch one on.")
                         : tr("Combinations of these words that do not stand in the list yet, drawn at random. They "
                              "show which words mean the same, so it can be measured where the model looks."));
}

void WordBankPanel::retranslate() {
  title_->setText(tr("Word bank"));
  about_->setText(tr("One pattern, every combination"));
  marked_->setText(tr("marked as made"));
  make_->setText(tr("Make %1 more").arg(kMadeAtOnce));
  if (!bank_) return;
  choose_->setText(shown(bank_->name()).replace(QLatin1Char('&'), QStringLiteral("&&")));
  describe(choose_, choose_->text(), tr("Another word bank, or one of your own from a file"));
  QMenu* menu = choose_->menu();
  menu->clear();
  for (std::size_t i = 0; i < word_banks().size(); ++i)
    menu->addAction(shown(word_banks()[i].name()), this, [this, i] { emit bankChosen(static_cast<int>(i)); });
  menu->addSeparator();
  menu->addAction(tr("A file of your own…"), this, &WordBankPanel::fileWanted);
  for (std::size_t i = 0; i < names_.size(); ++i) names_[i]->setText(shown(bank_->slot_list()[i].name));
  for (const auto& slot : chips_)
    for (QAbstractButton* chip : slot) static_cast<WordChip*>(chip)->retranslate();
  show_state();
}

}  // namespace headlight
