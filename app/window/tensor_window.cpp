#include "app/window/tensor_window.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/messages.h"
#include "app/window/mapping_dialog.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/torch_layouts.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

constexpr Index kPictured = 2048;  // rows and columns of a matrix that are shown one by one

Contents contents_of(const QString& path) {
  const Format* format = format_of(bytes_of(path));
  if (!format) throw FormatError(bytes_of(path) + ": this is no file of weights");
  return format->contents(bytes_of(path));
}

// Why it does not run, and which layers it holds.
QString reason_of(const Contents& contents) {
  QString text = from_utf8(contents.reason);
  constexpr std::size_t kMost = 6;
  const auto layouts = torch_layouts(*contents.tensors);
  for (std::size_t i = 0; i < std::min(kMost, layouts.size()); ++i)
    text += '\n' + message_text(from_utf8(layout_text(layouts[i])));
  return text;
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
      browser_(new TensorBrowser(contents_.tensors, reason_of(contents_), this)),
      make_(new QPushButton(tr("&Make it run…"), this)),
      latest_(
          [this](const TensorNumbers& numbers) {
            browser_->set_numbers(numbers);
            emit shown(numbers.index);
          },
          [this](const QString& problem, bool) { browser_->set_problem(problem); }) {
  setObjectName(QStringLiteral("tensor_window"));
  setAttribute(Qt::WA_DeleteOnClose);
  setWindowTitle(tr("Tensors of %1").arg(message_text(path_text(last_part(bytes_of(path))))));
  setSizeGripEnabled(true);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(browser_, 1);
  auto* below = new QHBoxLayout;
  below->setContentsMargins(space::kMedium, 0, space::kMedium, space::kMedium);
  below->addStretch(1);
  below->addWidget(make_);
  layout->addLayout(below);
  make_->setObjectName(QStringLiteral("make_it_run"));
  make_->setAutoDefault(false);
  make_->setToolTip(tr("Says which tensor is which of a Transformer or of a recurrent model, and opens it."));
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
  resize(960, 640);
  connect(browser_, &TensorBrowser::wanted, this, &TensorWindow::read);
}

void TensorWindow::read(int tensor, bool singular) {
  if (tensor < 0) return;
  latest_.start([file = contents_.tensors, where = bytes_of(path_), tensor, singular](const CancelToken& cancel) {
    TensorNumbers numbers;
    numbers.index = tensor;
    const auto i = static_cast<std::size_t>(tensor);
    numbers.statistics = statistics_of(*file, i, where, cancel);
    numbers.matrix = matrix_of(*file, i, kPictured, where, cancel);
    if (singular) numbers.singular = singular_values(numbers.matrix);
    return numbers;
  });
}

}  // namespace headlight
