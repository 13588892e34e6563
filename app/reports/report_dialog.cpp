#include "app/reports/report_dialog.h"

#include <QCheckBox>
#include <QClipboard>
#include <QDate>
#include <QDialogButtonBox>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include "app/file_dialogs.h"
#include "app/reports/crash_report.h"
#include "app/reports/program_facts.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "widgets/base/controls.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {

// A file of ours, which is short; of a longer one the beginning.
QString report_text(const std::string& path) {
  constexpr qint64 kMost = 64 * 1024;
  QFile file(QString::fromStdString(path));
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kMost)) : QString();
}

}  // namespace

ReportDialog::ReportDialog(const QByteArray& open, QWidget* parent)
    : QDialog(parent),
      open_(open),
      text_(new QPlainTextEdit(this)),
      with_session_(new QCheckBox(tr("With the &text and the model that are open"), this)),
      said_(text_label(this)) {
  setWindowTitle(tr("Report a problem"));
  if (const auto reports = crash_reports(); !reports.empty()) last_ = report_text(reports.front());
  auto* about = text_label(this);
  about->setText(
      tr("Whoever mends a problem needs to know this. Write what you did and what you saw in front of it, and "
         "give it to whom you have Headlight from. Nothing is sent from here."));
  make_running_text(about);
  text_->setFont(Theme::instance().token_font());
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setTabChangesFocus(true);
  text_->setAccessibleName(tr("The report"));
  describe(with_session_, tr("With the text and the model that are open"),
           tr("Adds what is open now as a session, so that it can be opened as it is. It holds your text."));
  with_session_->setEnabled(!open_.isEmpty());
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  auto* copy = buttons->addButton(tr("&Copy"), QDialogButtonBox::ActionRole);
  auto* save = buttons->addButton(tr("&Save…"), QDialogButtonBox::ActionRole);
  copy->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addWidget(text_, 1);
  column->addWidget(with_session_);
  column->addWidget(said_);
  column->addWidget(buttons);
  connect(with_session_, &QCheckBox::toggled, this, &ReportDialog::fill);
  connect(copy, &QPushButton::clicked, this, &ReportDialog::copy);
  connect(save, &QPushButton::clicked, this, &ReportDialog::save);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  fill();
  resize(QSize(720, 520).boundedTo(screen()->availableSize() * 0.9));
}

QString ReportDialog::text() const { return text_->toPlainText(); }

void ReportDialog::fill() {
  QString all = tr("What I did:") + "\n\n" + tr("What I saw:") + "\n\n" + QString::fromStdString(program_facts());
  if (!last_.isEmpty()) all += "\n--- " + tr("The last time that Headlight ended unexpectedly") + "\n" + last_;
  if (with_session_->isChecked()) all += "\n--- " + tr("What is open") + "\n" + QString::fromUtf8(open_);
  text_->setPlainText(all);
}

void ReportDialog::copy() {
  QGuiApplication::clipboard()->setText(text());
  said_->setText(tr("Copied."));
}

void ReportDialog::save() {
  const QString name = QStringLiteral("headlight-%1.txt").arg(QDate::currentDate().toString(Qt::ISODate));
  ask_where_to_write(this, {"report", tr("Save the report"), name, {tr("Texts (*.txt)")}}, [this](const QString& path) {
    try {
      write_file_atomically(QFile::encodeName(path).toStdString(), text().toStdString());
      said_->setText(tr("Saved as %1").arg(path));
    } catch (const Error& error) {
      said_->setText(QString::fromUtf8(error.what()));
    }
  });
}

}  // namespace headlight
