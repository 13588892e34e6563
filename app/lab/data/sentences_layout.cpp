// How the page of our sentences is laid out, and its words.
#include <QHBoxLayout>
#include <QLocale>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/lab/data/sentences_model.h"
#include "app/lab/data/sentences_parts.h"
#include "app/language.h"
#include "app/parts.h"
#include "widgets/base/controls.h"
#include "widgets/base/style.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr int kSideWide = 360;

QPushButton* named_button(const char* name, QWidget* parent) {
  auto* button = new QPushButton(parent);
  button->setObjectName(QString::fromUtf8(name));
  return button;
}

QLineEdit* sentence_field(const char* name, QWidget* parent) {
  auto* field = new QLineEdit(parent);
  field->setObjectName(QString::fromUtf8(name));
  field->setAcceptDrops(false);  // a text of many lines is for the page
  return field;
}

QString with_separators(std::size_t count) {
  return QLocale(current_language()).toString(static_cast<qulonglong>(count));
}

}  // namespace

QWidget* SentencesPage::build_left() {
  auto* left = new QWidget(this);
  left->setAutoFillBackground(true);
  left->setBackgroundRole(QPalette::Base);
  Parts& p = *parts_;
  p.title = text_label(left, false);
  p.summary = text_label(left);
  p.said = text_label(left);
  p.said->setObjectName(QStringLiteral("sentences_said"));
  p.probe = text_label(left);
  p.names = text_label(left);
  p.keys = text_label(left);
  for (QLabel* each : {p.summary, p.said, p.probe, p.names}) set_ink(each, &Tokens::ink2);
  p.open = named_button("sentences_open", left);
  p.paste = named_button("sentences_paste", left);
  p.save = named_button("sentences_save", left);
  p.add = named_button("sentence_add", left);
  p.keep_out = named_button("sentences_keep_out", left);
  p.source = sentence_field("sentence_source", left);
  p.target = sentence_field("sentence_target", left);
  p.table = new SentencesTable(model_, left);
  auto* head = new QHBoxLayout;
  head->addWidget(p.title, 1);
  for (QPushButton* each : {p.open, p.paste, p.save}) head->addWidget(each);
  auto* typed = new QHBoxLayout;
  typed->addWidget(p.source, 1);
  typed->addWidget(p.target, 1);
  typed->addWidget(p.add);
  auto* probe = new QHBoxLayout;
  probe->addWidget(p.probe, 1);
  probe->addWidget(p.keep_out);
  auto* foot = new QHBoxLayout;
  foot->addWidget(p.names, 1);
  foot->addWidget(p.keys, 1);
  for (QHBoxLayout* each : {head, typed, probe, foot}) each->setSpacing(space::kSmall);
  auto* rows = column_in(left, space::kSmall);
  rows->setContentsMargins(space::kMargin, space::kLarge, space::kMargin, space::kLarge);
  rows->addLayout(head);
  rows->addWidget(p.summary);
  rows->addWidget(p.table, 1);
  rows->addLayout(typed);
  rows->addWidget(p.said);
  rows->addLayout(probe);
  rows->addLayout(foot);
  return left;
}

QWidget* SentencesPage::build_right() {
  Parts& p = *parts_;
  auto* right = new QWidget(this);
  right->setAutoFillBackground(true);
  auto* body = new QWidget(right);
  p.bank = new WordBankPanel(body);
  p.needed = new NeededPanel(body);
  auto* line = new QWidget(body);
  line->setFixedHeight(space::kHair);
  line->setAutoFillBackground(true);
  line->setBackgroundRole(QPalette::Midlight);
  auto* inside = column_in(body, space::kLarge);
  inside->setContentsMargins(0, 0, space::kSmall, 0);
  inside->addWidget(p.bank);
  inside->addWidget(line);
  inside->addWidget(p.needed);
  inside->addStretch(1);
  auto* scroll = new QScrollArea(right);
  scroll->setWidgetResizable(true);
  const auto show_needed = [scroll, needed = p.needed] { scroll->ensureWidgetVisible(needed, 0, 0); };
  connect(p.needed, &NeededPanel::measureWanted, scroll, show_needed);
  connect(p.needed, &NeededPanel::measured, scroll, show_needed,
          Qt::QueuedConnection);  // when its texts have their places
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  // Its room is kept: texts know their height only at the width that they have.
  scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(body);
  p.train = named_button("sentences_train", right);
  p.train->setProperty(kLook, QByteArray("main"));
  p.train_why = text_label(right);
  set_ink(p.train_why, &Tokens::ink2);
  p.forget = new ForgetBox(right);
  auto* rows = column_in(right, space::kSmall);
  rows->setContentsMargins(space::kMargin, space::kLarge, space::kLarge, space::kLarge);
  rows->addWidget(scroll, 1);
  for (QWidget* each : std::initializer_list<QWidget*>{p.train, p.train_why, p.forget}) rows->addWidget(each);
  const auto fit = [right] { right->setFixedWidth(static_cast<int>(kSideWide * theme().font_scale())); };
  fit();
  theme().restyles(right, fit);
  return right;
}

void SentencesPage::retranslate() {
  Parts& p = *parts_;
  p.title->setFont(strong_font(type::kTitle));
  p.title->setText(tr("Our sentences"));
  setAccessibleName(p.title->text());
  p.open->setText(tr("Open a file…"));
  p.open->setToolTip(wrapped_tooltip(
      tr("A text with a tab between both languages (.tsv, .txt), or a table (.csv). It can be dropped here, too.")));
  p.paste->setText(tr("Paste"));
  p.paste->setToolTip(
      wrapped_tooltip(tr("Lines from the clipboard: both languages with a tab or “ = ” between them, as "
                         "spreadsheets give them (Ctrl+V).")));
  p.save->setText(tr("Save…"));
  p.save->setToolTip(wrapped_tooltip(tr("As a file with a tab between both languages, for the command line.")));
  p.add->setText(tr("Add"));
  p.add->setToolTip(wrapped_tooltip(tr("Adds the line (Enter) and goes on with the next one.")));
  p.source->setPlaceholderText(tr("a sentence of yours …"));
  p.target->setPlaceholderText(tr("and what it means"));
  const WordBank& bank = *p.bank->bank();
  model_->set_languages(WordBankPanel::shown(bank.source_language()), WordBankPanel::shown(bank.target_language()));
  describe(p.source, tr("A sentence (%1)").arg(model_->source_language()),
           tr("Enter goes on to what it means. A line with “ = ” has both in one."));
  describe(p.target, tr("What it means (%1)").arg(model_->target_language()), tr("Enter adds the line."));
  p.table->setAccessibleName(tr("Lines of our sentences"));
  p.names->setText(tr("Names of pupils stay in a model that is saved."));
  p.keys->setText(tr("Del removes a line, Ctrl+Z brings it back."));
  p.keys->setFont(strong_font());
  p.train->setText(tr("Train on these"));
  show_state();
}

void SentencesPage::show_state() {
  Parts& p = *parts_;
  const SentenceList& list = model_->list();
  const bool reading = p.incoming->busy();
  p.summary->setText(reading ? tr("Reading…")
                     : list.size() == 0
                         ? tr("No line yet: type one below, paste some, open or drop a file, or let the "
                              "word bank make some.")
                         : tr("%1 lines, %2 used. Words that stand in one sentence only cannot be learned.")
                               .arg(with_separators(list.size()), with_separators(list.used())));
  p.save->setEnabled(list.size() > 0);
  for (QWidget* each : std::initializer_list<QWidget*>{p.open, p.paste, p.source, p.target, p.add})
    each->setEnabled(!reading);
  p.bank->set_standing(list.used());
  p.bank->set_enabled(!reading && list.size() < kMostSentences);
  QString why = busy_;
  if (list.sources() < kLeast)
    why = tr("At least %1 different sentences are needed; %2 can be used.").arg(kLeast).arg(list.sources());
  if (reading) why = tr("Reading…");
  p.train->setEnabled(why.isEmpty());
  p.train_why->setText(why);
  p.train_why->setVisible(!why.isEmpty());
  describe(p.train, p.train->text(),
           why.isEmpty() ? tr("Shows how a model learns these sentences (Ctrl+Enter). One in ten is kept back.") : why);
  p.needed->set_possible(busy_);
  p.forget->set_lines(static_cast<int>(list.size()));
  show_probe();
}

void SentencesPage::show_probe() {
  Parts& p = *parts_;
  const QString probe = from_utf8(model_->probe().source);
  p.probe->setText(probe.isEmpty()
                       ? tr("No probe yet: the sentence that is tried at every moment and never trained on.")
                       : tr("The probe, never trained on: %1").arg(probe));
  const QModelIndex at = p.table->currentIndex();
  const SentenceVerdict verdict =
      at.isValid() ? model_->list().verdict(static_cast<std::size_t>(at.row())) : SentenceVerdict{};
  const bool is_probe = at.isValid() && verdict.status == SentenceStatus::probe;
  p.keep_out->setText(is_probe ? tr("Train on it after all") : tr("Keep this one out"));
  p.keep_out->setEnabled(at.isValid() && verdict.readable());
  describe(p.keep_out, p.keep_out->text(),
           is_probe
               ? tr("The line is used again; another sentence is tried.")
               : tr("The chosen line becomes the probe: it is kept out of the training, and one sees what the model "
                    "makes of it at every moment."));
}

}  // namespace headlight
