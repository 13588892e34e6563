#include "app/dialogs/tensor_window.h"

#include <QElapsedTimer>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>
#include <algorithm>

#include "app/dialogs/mapping_dialog.h"
#include "app/file_dialogs.h"
#include "app/messages.h"
#include "app/parts.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/torch_layouts.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/views/tensors/tensor_tree.h"

namespace headlight {

namespace {

constexpr Index kPictured = 2048;        // rows and columns of a matrix that are shown one by one
constexpr qint64 kBetweenReports = 500;  // milliseconds

Contents contents_of(const QString& path) {
  const Format* format = format_of(bytes_of(path));
  if (!format) throw FormatError(bytes_of(path) + ": this is no file of weights");
  return format->contents(bytes_of(path));
}

// Why it does not run, and which layers it holds.
QString reason_of(const Contents& contents) {
  QString text = from_utf8(contents.reason);
  if (!text.isEmpty()) text = text.left(1).toUpper() + text.mid(1) + QLatin1Char('.');
  constexpr std::size_t kMost = 6;
  const auto layouts = torch_layouts(*contents.tensors);
  for (std::size_t i = 0; i < std::min(kMost, layouts.size()); ++i)
    text += '\n' + message_text(from_utf8(layout_text(layouts[i])));
  return text;
}

QString name_of(const QString& path) { return message_text(path_text(last_part(bytes_of(path)))); }

QLabel* words(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setTextFormat(Qt::PlainText);  // names come from strangers
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

bool is_only_looked_at(const QString& path) {
  const Format* format = format_of(bytes_of(path));
  if (!format || !format->runs) return format != nullptr;
  if (format == &formats().front()) return false;
  // A folder of another library may hold what does not run.
  try {
    return format->is_folder && !format->contents(bytes_of(path)).runs;
  } catch (const Error&) {
    return false;  // opening it says what is wrong with it
  }
}

TensorWindow::TensorWindow(const QString& path, QWidget* parent)
    : QDialog(parent),
      path_(path),
      contents_(contents_of(path)),
      browser_(new TensorBrowser(contents_.tensors, this)),
      make_(new QPushButton(this)),
      latest_(
          [this](const TensorNumbers& numbers) {
            browser_->set_numbers(numbers);
            emit shown(numbers.index);
          },
          [this](const QString& problem, bool) { browser_->set_problem(problem); }),
      differences_([this](const Compared& compared) { browser_->set_differences(compared.rows, compared.name); },
                   [this](const QString& problem, bool) { browser_->stop_comparing(problem); }) {
  setObjectName(QStringLiteral("tensor_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  setSizeGripEnabled(true);
  setBackgroundRole(QPalette::Base);
  setAutoFillBackground(true);
  name_ = words(name_of(path), this);
  held_ = words({}, this);
  reason_ = words(reason_of(contents_), this);
  reason_->setWordWrap(true);
  auto* above = new QHBoxLayout;
  above->setSpacing(space::kMedium);
  above->addWidget(name_);
  above->addWidget(held_, 1, Qt::AlignBottom);
  auto* below = new QHBoxLayout;
  below->addWidget(reason_, 1);
  below->addWidget(make_, 0, Qt::AlignBottom);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(space::kMargin, space::kLarge, space::kMargin, space::kMargin);
  layout->setSpacing(space::kMedium);
  layout->addLayout(above);
  layout->addWidget(browser_, 1);
  layout->addLayout(below);
  make_->setObjectName(QStringLiteral("make_it_run"));
  make_->setAutoDefault(false);
  // A folder says itself what it is, and why it does not run.
  const Format* format = format_of(bytes_of(path));
  const auto answers = format && !format->is_folder ? guessed_answers(*contents_.tensors) : std::nullopt;
  make_->setVisible(answers.has_value());
  if (answers)
    connect(make_, &QPushButton::clicked, this, [this, answers] {
      auto* wizard = new MappingDialog(path_, contents_.tensors, *answers, this);
      connect(wizard, &MappingDialog::openWanted, this, [this](const QString& mapping) {
        emit openWanted(mapping);
        close();
      });
      wizard->show();
    });
  resize(QSize(1180, 760).boundedTo(screen()->availableSize() * 0.9));
  connect(browser_, &TensorBrowser::wanted, this, &TensorWindow::read);
  connect(browser_, &TensorBrowser::compareWanted, this, [this] {
    ask_for_file(this, {"weights", tr("The file to compare with"), {}, {}, QFileInfo(path_).path()},
                 [this](const QString& other) { compare_with(other); });
  });
  connect(browser_, &TensorBrowser::stopWanted, this, [this] { differences_.stop(); });
  connect(&Theme::instance(), &Theme::changed, this, &TensorWindow::apply_fonts);
  apply_fonts();
  retranslate();
  browser_->choose_first();
  on_language(this, [this] { retranslate(); });
}

void TensorWindow::retranslate() {
  setWindowTitle(tr("Tensors of %1").arg(name_of(path_)));
  held_->setText(tensors_text(static_cast<int>(contents_.tensors->tensors().size())) + QStringLiteral(" · ") +
                 tr("%1 numbers").arg(QLocale().toString(static_cast<qulonglong>(browser_->numbers()))));
  make_->setText(tr("&Make it run…"));
  make_->setToolTip(tr("Says which tensor is which of a Transformer or of a recurrent model, and opens it."));
}

void TensorWindow::apply_fonts() {
  QFont bold = Theme::instance().ui_font(type::kQuestion);
  bold.setWeight(QFont::DemiBold);
  name_->setFont(bold);
  held_->setForegroundRole(QPalette::PlaceholderText);
  reason_->setForegroundRole(QPalette::PlaceholderText);
}

void TensorWindow::compare_with(const QString& path) {
  other_ = path;
  browser_->set_comparing(name_of(path));
  differences_.thread().start(
      [this, file = contents_.tensors, path](std::uint64_t, const BackgroundThread::Report& report) {
        return [this, report, file, path, delivery = differences_.delivery()](const CancelToken& cancel) {
          QElapsedTimer time;
          time.start();
          qint64 told = 0;
          const auto tell = [&](double share) {
            if (time.elapsed() - told < kBetweenReports) return;
            told = time.elapsed();
            const double left = share > 0 ? static_cast<double>(told) / 1000 * (1 - share) / share : -1;
            report([this, path, share, left] { browser_->set_comparing(name_of(path), share, left); });
          };
          return delivery({differences_of(*file, *contents_of(path).tensors, cancel, tell), name_of(path)});
        };
      });
}

void TensorWindow::read(int tensor, bool singular, bool change) {
  if (tensor < 0) return;
  const std::string other = change ? browser_->name_in_other(tensor) : std::string();
  latest_.start([file = contents_.tensors, path = other_, where = bytes_of(change ? other_ : path_), other, tensor,
                 singular, change](const CancelToken& cancel) {
    TensorNumbers numbers;
    numbers.index = tensor;
    numbers.change = change;
    const auto i = static_cast<std::size_t>(tensor);
    const auto changed = change ? change_of(*file, i, *contents_of(path).tensors, other, where) : nullptr;
    const TensorFile& shown = changed ? *changed : *file;
    numbers.statistics = statistics_of(shown, changed ? 0 : i, where, cancel);
    numbers.matrix = matrix_of(shown, changed ? 0 : i, kPictured, where, cancel);
    if (singular) numbers.singular = singular_values(numbers.matrix);
    return numbers;
  });
}

}  // namespace headlight
