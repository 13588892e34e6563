#include "app/lab/data/sentences_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QMimeData>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "app/file_dialogs.h"
#include "app/lab/data/sentences_file.h"
#include "app/lab/data/sentences_model.h"
#include "app/lab/data/sentences_parts.h"
#include "app/messages.h"
#include "model/core/errors.h"
#include "widgets/base/controls.h"
#include "widgets/base/spoken.h"
#include "widgets/base/theme.h"
#include "widgets/base/utf8_text.h"
#include "widgets/export/export.h"

namespace headlight {

SentencesPage::SentencesPage(const QString& folder, QWidget* parent)
    : QWidget(parent), model_(new SentencesModel(this)), parts_(std::make_unique<Parts>()) {
  setObjectName(QStringLiteral("our_sentences"));
  setAcceptDrops(true);
  Parts& p = *parts_;
  p.incoming = new IncomingSentences(model_->list().options(), this);
  auto* all = row_in(this, 0);
  all->addWidget(build_left(), 1);
  all->addWidget(build_right());
  setFocusProxy(p.source);
  file_ = std::make_unique<SentencesFile>(folder, [this] {
    const WordBank& bank = *parts_->bank->bank();
    return KeptSentences{model_->list().lines(), model_->probe(),
                         parts_->bank_file.isEmpty() ? bank.name() : parts_->bank_file.toStdString()};
  });
  connect_parts();
  connect_right();
  auto kept = std::make_shared<const KeptSentences>(file_->load());
  const auto& built_in = word_banks();
  const auto named = std::ranges::find(built_in, kept->bank, &WordBank::name);
  const bool own = named == built_in.end() && !kept->bank.empty();
  take_bank(own ? from_utf8(kept->bank) : QString(),
            named == built_in.end() ? 0 : static_cast<int>(named - built_in.begin()));
  retranslates(this, [this] { retranslate(); });
  theme().restyles(this, [this] { retranslate(); });
  parts_->said->hide();
  if (!file_->is_ours()) say(tr("Another window has this list: what is written here is not kept; save it as a file."));
  if (kept->lines.empty() && kept->probe.source.empty()) return;
  p.restoring = true;
  p.incoming->take({.kept = std::move(kept)});
}

SentencesPage::~SentencesPage() = default;

void SentencesPage::connect_parts() {
  Parts& p = *parts_;
  connect(model_, &SentencesModel::changed, this, [this] {
    show_state();
    if (!parts_->restoring) file_->touch();
    emit changed();
  });
  connect(file_.get(), &SentencesFile::failed, this, &SentencesPage::say);
  connect(p.incoming, &IncomingSentences::arrived, this,
          [this](const std::shared_ptr<ArrivedSentences>& arrived) { take(*arrived); });
  connect(p.incoming, &IncomingSentences::failed, this, [this](const QString& message) {
    parts_->restoring = false;
    say(message_text(message));
    emit failed(message);
  });
  connect(p.incoming, &IncomingSentences::busyChanged, this, &SentencesPage::show_state);
  connect(p.open, &QPushButton::clicked, this, [this] {
    ask_for_file(this,
                 {"sentences", tr("Open sentences"), {}, {tr("Sentences (*.tsv *.txt *.csv)"), tr("All files (*)")}},
                 [this](const QString& path) { open_file(path); });
  });
  connect(p.paste, &QPushButton::clicked, this, &SentencesPage::paste);
  connect(p.save, &QPushButton::clicked, this, &SentencesPage::save);
  connect(p.add, &QPushButton::clicked, this, &SentencesPage::add_typed);
  for (QLineEdit* field : {p.source, p.target}) field->installEventFilter(this);
  connect(p.source, &QLineEdit::returnPressed, this, [this] {
    const bool both =
        !parts_->target->text().trimmed().isEmpty() || parts_->source->text().contains(QStringLiteral(" = "));
    both ? add_typed() : parts_->target->setFocus(Qt::OtherFocusReason);
  });
  connect(p.target, &QLineEdit::returnPressed, this, &SentencesPage::add_typed);
  connect(p.table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { show_probe(); });
  connect(p.table, &SentencesTable::probeWanted, this, &SentencesPage::keep_out);
  connect(p.table, &SentencesTable::probeGone, this, [this] { set_probe({}, {}); });
  connect(p.keep_out, &QPushButton::clicked, this, [this] { keep_out(parts_->table->currentIndex().row()); });
}

void SentencesPage::connect_right() {
  Parts& p = *parts_;
  connect(p.bank, &WordBankPanel::makeWanted, this, &SentencesPage::make);
  connect(p.bank, &WordBankPanel::bankChosen, this, [this](int built_in) {
    take_bank({}, built_in);
    file_->touch();
  });
  connect(p.bank, &WordBankPanel::fileWanted, this, [this] {
    ask_for_file(this, {"word_bank", tr("Open a word bank"), {}, {tr("Word banks (*.json)")}},
                 [this](const QString& path) { open_bank(path); });
  });
  connect(p.needed, &NeededPanel::measureWanted, this, &SentencesPage::measure);
  connect(p.needed, &NeededPanel::stopWanted, this, &SentencesPage::stopMeasuringWanted);
  connect(p.train, &QPushButton::clicked, this, [this] { emit trainWanted(pairs(), probe()); });
  connect(p.forget, &ForgetBox::agreed, this, &SentencesPage::forget);
}

FileOptions SentencesPage::pairs() const {
  FileOptions options = model_->list().pairs();
  options.links = [bank = parts_->bank->bank()](const std::string& source, const std::string& target) {
    return bank->links(source, target);
  };
  return options;
}

Probe SentencesPage::probe() const {
  Probe probe = model_->probe();
  probe.alignment = parts_->bank->bank()->links(probe.source, probe.target);
  return probe;
}

std::size_t SentencesPage::usable() const { return model_->list().sources(); }

void SentencesPage::set_needed(std::vector<std::pair<int, double>> needed) {
  parts_->needed->set_needed(std::move(needed));
}

void SentencesPage::set_measuring(const QString& progress) { parts_->needed->set_measuring(progress); }

void SentencesPage::set_busy(const QString& reason) {
  busy_ = reason;
  show_state();
}

void SentencesPage::set_probe(const QString& source, const QString& target) {
  Probe probe;
  probe.source = whole_characters(source).trimmed().toStdString();
  probe.target = whole_characters(target).trimmed().toStdString();
  model_->set_probe(probe);
}

// A line becomes the probe, or is one no longer.
void SentencesPage::keep_out(int row) {
  if (row < 0 || row >= model_->rowCount()) return;
  const SentenceLine& line = model_->list().line(static_cast<std::size_t>(row));
  const bool is_probe = model_->list().verdict(static_cast<std::size_t>(row)).status == SentenceStatus::probe;
  is_probe ? set_probe({}, {}) : set_probe(from_utf8(line.source), from_utf8(line.target));
}

void SentencesPage::say(const QString& text) {
  parts_->said->setText(text);
  parts_->said->setVisible(!text.isEmpty());
  if (!text.isEmpty()) Spoken::instance().say(this, text);
}

void SentencesPage::take_bank(const QString& file, int built_in) {
  Parts& p = *parts_;
  std::shared_ptr<const WordBank> bank(std::shared_ptr<void>(), &word_banks()[static_cast<std::size_t>(built_in)]);
  p.bank_file.clear();
  try {
    if (!file.isEmpty()) {
      bank = std::make_shared<const WordBank>(WordBank::read(bytes_of(file)));
      p.bank_file = file;
    }
  } catch (const Error& error) {
    say(message_text(from_utf8(error.what())));
  }
  p.bank->set_bank(std::move(bank));
  retranslate();
}

void SentencesPage::open_bank(const QString& path) {
  take_bank(path, 0);
  file_->touch();
}

void SentencesPage::open_file(const QString& path) {
  const QFileInfo file(path);
  parts_->incoming->take(
      {path, {}, file.suffix().toLower() == QStringLiteral("csv"), message_text(file.fileName()), {}});
}

void SentencesPage::add_text(const QByteArray& text, bool csv, const QString& name) {
  parts_->incoming->take({{}, text, csv, name, {}});
}

void SentencesPage::take(const ArrivedSentences& arrived) {
  if (arrived.from.kept) {
    model_->reset(arrived.lines, arrived.from.kept->probe);
    parts_->restoring = false;
    return;
  }
  const int first = model_->rowCount();
  model_->add(arrived.lines);
  say(came_in(arrived, first, model_->rowCount() - first));
  parts_->table->show_newest();
}

// "240 lines from class.tsv. 3 are not used; the first is its line 17: …"
QString SentencesPage::came_in(const ArrivedSentences& arrived, int first, int count) const {
  int unused = 0;
  QString worst;
  for (int i = 0; i < count; ++i) {
    if (model_->list().verdict(static_cast<std::size_t>(first + i)).used() || unused++ > 0) continue;
    worst = tr("line %1: %2").arg(arrived.read.numbers[static_cast<std::size_t>(i)]).arg(model_->reason(first + i));
  }
  QString said = count == 1 ? tr("1 line from %1.").arg(arrived.from.name)
                            : tr("%1 lines from %2.").arg(count).arg(arrived.from.name);
  //: Two sentences after each other.
  const auto add = [&](const QString& sentence) { said = tr("%1 %2").arg(said, sentence); };
  if (unused == 1) add(tr("One is not used: %1.").arg(worst));
  if (unused > 1) add(tr("%1 are not used; the first is its %2.").arg(unused).arg(worst));
  const std::size_t more = arrived.read.left_out + arrived.lines.size() - static_cast<std::size_t>(count);
  if (more > 0) add(tr("%1 more were left out: there is room for %2 lines.").arg(more).arg(kMostSentences));
  return said;
}

void SentencesPage::add_typed() {
  Parts& p = *parts_;
  const QString source = whole_characters(p.source->text()).trimmed(),
                target = whole_characters(p.target->text()).trimmed();
  if (source.isEmpty() && target.isEmpty()) return p.source->setFocus(Qt::OtherFocusReason);
  SentenceLine line{source.toStdString(), target.toStdString()};
  if (const qsizetype at = source.indexOf(QStringLiteral(" = ")); target.isEmpty() && at >= 0)
    line = {source.left(at).trimmed().toStdString(), source.mid(at + 3).trimmed().toStdString()};
  const int row = model_->rowCount();
  model_->add({cut_sentence(std::move(line), model_->list().options())});
  // setText, unlike clear, leaves nothing to undo in the field: Ctrl+Z is then for the list.
  for (QLineEdit* field : {p.source, p.target}) field->setText({});
  p.source->setFocus(Qt::OtherFocusReason);
  p.table->go_to(row);
  const QString reason = row < model_->rowCount() ? model_->reason(row) : tr("there is no room for another line");
  say(reason.isEmpty() ? QString() : tr("Line %1: %2.").arg(row + 1).arg(reason));
}

void SentencesPage::paste() {
  if (const QMimeData* mime = QApplication::clipboard()->mimeData(); !mime || !take_mime(*mime))
    say(tr("There is no text on the clipboard."));
}

bool SentencesPage::take_mime(const QMimeData& mime) {
  bool taken = false;
  for (const QUrl& url : mime.urls()) {
    if (!url.isLocalFile()) continue;
    open_file(url.toLocalFile());
    taken = true;
  }
  if (taken || !mime.hasText() || mime.text().trimmed().isEmpty()) return taken;
  add_text(whole_characters(mime.text()).toUtf8(), false, tr("the clipboard"));
  return true;
}

void SentencesPage::save() {
  ask_where_to_write(
      this, {"sentences", tr("Save the sentences"), QStringLiteral("sentences.tsv"), {tr("Sentences (*.tsv)")}},
      [this](const QString& path) { save_as(path); });
}

void SentencesPage::save_as(const QString& path) {
  const SentenceList& list = model_->list();
  std::size_t unreadable = 0;
  for (std::size_t i = 0; i < list.size(); ++i) unreadable += list.verdict(i).readable() ? 0 : 1;
  try {
    export_bytes(path, QByteArray::fromStdString(list.tsv()));
    say(unreadable == 0 ? tr("%1 lines were saved.").arg(list.size())
                        : tr("%1 lines were saved; %2 that cannot be read by a training were left out.")
                              .arg(list.size() - unreadable)
                              .arg(unreadable));
  } catch (const Error& error) {
    say(message_text(from_utf8(error.what())));
    emit failed(from_utf8(error.what()));
  }
}

void SentencesPage::make(int count) {
  constexpr std::uint64_t kSeed = 1;
  const WordBankPanel& panel = *parts_->bank;
  const std::vector<SentenceLine> lines =
      panel.bank()->missing(model_->list(), panel.allowed(), static_cast<std::size_t>(count), kSeed);
  model_->add(cut_sentences(lines, model_->list().options()));
  parts_->table->show_newest();
  say(lines.size() == static_cast<std::size_t>(count)
          ? QString()
          : tr("%1 were missing of these words; all stand here now.").arg(lines.size()));
}

// The list, filled up from the word bank so far that one in ten is enough to be asked.
void SentencesPage::measure() {
  constexpr std::size_t kAsked = 60, kTenth = 10;
  const std::size_t wanted = kTenth * kAsked;
  SentenceList list = model_->list();
  const WordBankPanel& panel = *parts_->bank;
  if (list.sources() < wanted) {
    const auto more = panel.bank()->missing(list, panel.bank()->all(), wanted - list.sources(), 1);
    list.insert(list.size(), cut_sentences(more, list.options()));
  }
  FileOptions options = pairs();
  options.text = list.tsv();
  std::vector<int> sizes;
  for (const int size : NeededPanel::sizes())
    if (static_cast<std::size_t>(size) <= list.sources() - list.sources() / kTenth) sizes.push_back(size);
  if (sizes.empty())
    return say(tr("%1 different sentences are too few to measure it: at least %2 are needed.")
                   .arg(list.sources())
                   .arg(NeededPanel::sizes().front() * 10 / 9 + 1));
  emit neededWanted(options, sizes);
}

void SentencesPage::forget() {
  parts_->incoming->stop();
  model_->reset({}, {});
  set_needed({});
  for (QLineEdit* field : {parts_->source, parts_->target}) field->setText({});
  file_->forget();
  say(tr("The lines are gone."));
  emit forgetWanted();
}

// Keys of the list, wherever the keyboard is on this page: the window's own undo is for the model.
bool SentencesPage::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo) || key->matches(QKeySequence::Paste)) {
      event->accept();
      return true;
    }
  }
  return QWidget::event(event);
}

void SentencesPage::train() { parts_->train->click(); }

void SentencesPage::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->matches(QKeySequence::Undo)) return model_->undo()->undo();
  if (event->matches(QKeySequence::Redo)) return model_->undo()->redo();
  if (event->matches(QKeySequence::Paste)) return paste();
  if (event->key() == Qt::Key_Escape && parts_->forget->asking()) return parts_->forget->ask(false);
  if (enter && event->modifiers() == Qt::ControlModifier) return train();
  QWidget::keyPressEvent(event);
}

bool SentencesPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress && field_key(watched, *static_cast<QKeyEvent*>(event))) return true;
  return QWidget::eventFilter(watched, event);
}

// What is for the list although a field has the keyboard: undo where the field has nothing to undo, lines that are
// pasted, and the way up into the list.
bool SentencesPage::field_key(QObject* watched, const QKeyEvent& key) {
  auto* field = qobject_cast<QLineEdit*>(watched);
  if (!field) return false;
  if (key.matches(QKeySequence::Undo) && !field->isUndoAvailable()) return model_->undo()->undo(), true;
  if (key.matches(QKeySequence::Redo) && !field->isRedoAvailable()) return model_->undo()->redo(), true;
  if (key.matches(QKeySequence::Paste)) {
    const QString text = QApplication::clipboard()->text();
    const bool lines = text.contains(QLatin1Char('\t')) || text.trimmed().contains(QLatin1Char('\n'));
    if (lines) paste();
    return lines;
  }
  if (key.key() == Qt::Key_Up && model_->rowCount() > 0) {
    parts_->table->go_to(model_->rowCount() - 1);
    parts_->table->setFocus(Qt::OtherFocusReason);
    return true;
  }
  return false;
}

void SentencesPage::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls() || event->mimeData()->hasText()) event->acceptProposedAction();
}

void SentencesPage::dropEvent(QDropEvent* event) {
  if (take_mime(*event->mimeData())) event->acceptProposedAction();
}

}  // namespace headlight
