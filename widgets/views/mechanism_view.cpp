#include "widgets/views/mechanism_view.h"

#include <QEvent>
#include <QFileInfo>
#include <QLabel>
#include <QPainter>
#include <QTabWidget>
#include <QVBoxLayout>

#include "model/core/errors.h"
#include "widgets/base/export.h"
#include "widgets/base/theme.h"

namespace headlight {

MechanismView::MechanismView(const ViewContext& context, QWidget* parent)
    : QWidget(parent),
      tabs_(new QTabWidget(this)),
      settings_(new MechanismSettings(context.requests)),
      heads_(new MechanismHeads(context)),
      mask_(new MechanismMask(context)),
      message_(new QLabel(this)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  tabs_->setDocumentMode(true);
  for (QWidget* page : std::initializer_list<QWidget*>{settings_, heads_, mask_}) {
    page->setAutoFillBackground(true);
    page->setBackgroundRole(QPalette::Base);
    tabs_->addTab(page, QString());
  }
  message_->setTextFormat(Qt::PlainText);
  message_->setWordWrap(true);
  message_->setAlignment(Qt::AlignCenter);
  message_->setMargin(32);
  message_->setAutoFillBackground(true);
  message_->setBackgroundRole(QPalette::Base);
  message_->setForegroundRole(QPalette::PlaceholderText);
  column->addWidget(tabs_, 1);
  column->addWidget(message_, 1);
  connect(tabs_, &QTabWidget::currentChanged, this, [this] { take_result(); });
  setFocusProxy(tabs_);
  show_texts();
  take_result();
}

bool MechanismView::offers(const Result& result) {
  return has_switches(*result.model) || MechanismMask::offers(result);
}

void MechanismView::set_result(std::shared_ptr<const Result> result) {
  result_ = std::move(result);
  taken_ = false;
  if (isVisible()) take_result();
}

void MechanismView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  take_result();
}

// Only the page that is seen is prepared.
void MechanismView::take_result() {
  if (!taken_) {
    taken_ = true;
    taken_page_ = nullptr;
    const bool any = result_ && result_->model->model && offers(*result_);
    tabs_->setVisible(any);
    message_->setVisible(!any);
    if (any) {
      tabs_->setTabVisible(0, has_switches(*result_->model));
      tabs_->setTabVisible(1, MechanismHeads::offers(*result_));
      tabs_->setTabVisible(2, MechanismMask::offers(*result_));
    }
  }
  const QWidget* page = tabs_->currentWidget();
  if (page == taken_page_ || !result_ || !result_->model->model) return;
  taken_page_ = page;
  if (page == settings_) settings_->set_model(result_->model);
  if (page == heads_) heads_->set_result(result_);
  if (page == mask_) mask_->set_result(result_);
}

void MechanismView::show_page(Page page) { tabs_->setCurrentIndex(static_cast<int>(page)); }

void MechanismView::show_texts() {
  const auto tab = [this](int at, const QString& text, const QString& help) {
    tabs_->setTabText(at, text);
    tabs_->setTabToolTip(at, help);
  };
  tab(0, tr("Settings"), tr("Score, reach, temperature and what else the mechanism is made of"));
  tab(1, tr("Heads"), tr("Switch attention heads off and on"));
  tab(2, tr("Mask"), tr("Which token may look at which"));
  tabs_->setAccessibleName(tr("Mechanism of the model"));
  message_->setText(result_ ? tr("This model has no attention and no other part that could be changed after training.")
                            : tr("Choose a model and type a source to change how it works."));
}

void MechanismView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::LanguageChange) show_texts();
  QWidget::changeEvent(event);
}

void MechanismView::export_to(const QString& path) const {
  if (!result_ || !offers(*result_)) throw UsageError(message_->text().toStdString());
  const bool csv = QFileInfo(path).suffix().compare("csv", Qt::CaseInsensitive) == 0;
  PictureOptions options;
  options.title = tabs_->tabText(tabs_->currentIndex());
  if (tabs_->currentWidget() == settings_) {
    if (csv) return export_bytes(path, settings_->csv().toUtf8());
    QWidget* page = settings_->widget();
    return export_picture(
        path, page->size(), [page](QPainter& painter) { page->render(&painter); }, options);
  }
  MechanismGrid* grid = tabs_->currentWidget() == heads_ ? heads_->grid() : mask_->grid();
  if (csv) return export_bytes(path, grid->csv());
  export_picture(
      path, grid->picture_size(), [grid](QPainter& painter) { grid->paint_picture(painter); }, options);
}

}  // namespace headlight
