// A list, what is known about its current row, and three buttons.

#include "app/dialogs/unsaved_dialog.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "app/document/held_session.h"
#include "app/jobs/autosave.h"
#include "widgets/base/ask.h"
#include "widgets/base/controls.h"

namespace headlight {

namespace {

// "date-attention: November 21, 2026"; of a file that tells nothing, its name.
QString title_of(const SessionSummary& summary, const QString& path) {
  if (summary.model.isEmpty()) return QFileInfo(path).fileName();
  constexpr qsizetype kLongest = 80;
  const QString text = summary.source.size() > kLongest ? summary.source.left(kLongest) + u'…' : summary.source;
  return QStringLiteral("%1: %2").arg(summary.model, text);
}

}  // namespace

UnsavedDialog::UnsavedDialog(const QString& folder, QWidget* parent)
    : QDialog(parent), folder_(folder), list_(new QListWidget(this)), details_(new QLabel(this)) {
  setWindowTitle(tr("Unsaved sessions"));
  auto* about =
      new QLabel(tr("These sessions were not saved when Headlight ended. Each stays here until you open it or "
                    "discard it."),
                 this);
  make_running_text(about);
  list_->setAccessibleName(tr("Unsaved sessions, the newest first"));
  about->setBuddy(list_);
  details_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);  // a path may be longer than the screen
  details_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  make_running_text(details_);
  auto* buttons = new QDialogButtonBox(this);
  open_ = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
  discard_ = buttons->addButton(tr("&Discard…"), QDialogButtonBox::DestructiveRole);
  buttons->addButton(tr("&Keep for later"), QDialogButtonBox::RejectRole);
  open_->setDefault(true);
  open_->setToolTip(tr("Go on with the selected session in this window (Enter)"));
  discard_->setToolTip(tr("Remove the selected session from the disk (Delete)"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addWidget(list_, 1);
  column->addWidget(details_);
  column->addWidget(buttons);
  connect(list_, &QListWidget::currentRowChanged, this, &UnsavedDialog::show_details);
  connect(list_, &QListWidget::itemDoubleClicked, this, &UnsavedDialog::open_current);
  connect(open_, &QPushButton::clicked, this, &UnsavedDialog::open_current);
  connect(discard_, &QPushButton::clicked, this, &UnsavedDialog::discard_current);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  fill();
  resize(QSize(620, 420).boundedTo(screen()->availableSize() * 0.9));
}

void UnsavedDialog::fill() {
  const int row = list_->currentRow();
  entries_.clear();
  list_->clear();
  for (const QString& path : Autosave::left_behind(folder_)) {
    const SessionSummary summary = summary_of(path);
    entries_.append({path, summary});
    const QString saved = QLocale().toString(QFileInfo(path).lastModified(), QLocale::ShortFormat);
    QString text = tr("%1, saved %2").arg(title_of(summary, path), saved);
    if (!summary.problem.isEmpty()) text = tr("%1 (cannot be opened)").arg(text);
    list_->addItem(text);
  }
  list_->setCurrentRow(std::clamp(row, 0, std::max(0, list_->count() - 1)));
  show_details();
}

void UnsavedDialog::show_details() {
  const int row = list_->currentRow();
  const bool any = row >= 0 && row < entries_.size();
  open_->setEnabled(any);
  discard_->setEnabled(any);
  if (!any) return details_->setText(tr("There are no unsaved sessions."));
  const Entry& entry = entries_[row];
  QStringList lines;
  if (!entry.summary.problem.isEmpty()) lines << entry.summary.problem;
  if (HeldSession::ended_program(entry.path)) lines << tr("Headlight ended while it opened this session.");
  if (!entry.summary.problem.contains(entry.path))
    lines << tr("The file is %1").arg(QDir::toNativeSeparators(entry.path));
  details_->setText(lines.join('\n'));
}

void UnsavedDialog::open_current() {
  const int row = list_->currentRow();
  if (row < 0 || row >= entries_.size()) return;
  const QString path = entries_[row].path;
  accept();
  emit openRequested(path);
}

void UnsavedDialog::discard_current() {
  if (!discard_->isEnabled()) return;
  ask_to_lose(this,
              {tr("Discard this session? It cannot be brought back."), list_->currentItem()->text(), tr("&Discard")},
              [this] { discard(); });
}

void UnsavedDialog::discard() {
  const QString path = entries_.value(list_->currentRow()).path;
  const auto held = HeldSession::take(path);
  const bool gone = held && held->remove();
  fill();
  if (!gone) details_->setText(tr("%1 cannot be removed; another window may have opened it.").arg(path));
}

void UnsavedDialog::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Delete)
    discard_current();
  else
    QDialog::keyPressEvent(event);
}

}  // namespace headlight
