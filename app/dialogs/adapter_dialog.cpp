#include "app/dialogs/adapter_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScreen>
#include <QVBoxLayout>

#include "app/dialogs/open_folder.h"
#include "app/document/drop.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapter.h"
#include "model/io/formats/format.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/text/message_line.h"
#include "widgets/base/controls.h"
#include "widgets/base/utf8_text.h"

namespace headlight {

namespace {

QString adapted_name(const QString& path) { return from_utf8(escaped_line(model_name_of(bytes_of(path)))); }

// Its tensors are listed, none is read.
bool fits(const std::string& place) {
  try {
    return format_of(place)->contents(place).runs;
  } catch (const Error&) {
    return false;
  }
}

// The name on a hub of what it was made for, as its file says; empty: it does not.
QString made_for(const QString& adapter) {
  try {
    return from_utf8(escaped_line(AdapterConfig(bytes_of(adapter)).base()));
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

QStringList bases_that_fit(const QString& adapter, const QStringList& models) {
  QStringList before, others;
  for (const QString& model : models) {
    const auto known = adapted_place(bytes_of(model));
    const std::string base = base_of(bytes_of(model)).string();
    const QString place = path_text(over_base(base, bytes_of(adapter)));
    if (before.contains(place) || !fits(bytes_of(place))) continue;
    const bool again = known && path_text(over_base(base, known->adapter)) == place;
    others.removeAll(place);
    (again ? before : others) << place;
  }
  return before + others;
}

AdapterDialog::AdapterDialog(const QString& adapter, const QStringList& places, QWidget* parent)
    : QDialog(parent), adapter_(adapter), list_(new QListWidget(this)) {
  setWindowTitle(tr("Open an adapter"));
  const QString base = made_for(adapter);
  auto* about =
      new QLabel((places.isEmpty() ? tr("%1 is an adapter (LoRA): it changes some weights of a model. Open the model "
                                        "that it was made for; of those that were open lately it fits none.")
                                   : tr("%1 is an adapter (LoRA): it changes some weights of a model. Choose the model "
                                        "that it was made for; those that it fits are in the list."))
                         .arg(adapted_name(adapter)) +
                     (base.isEmpty() ? QString() : '\n' + tr("Its file calls that model %1.").arg(base)),
                 this);
  make_running_text(about);
  about->setBuddy(list_);
  list_->setAccessibleName(tr("Models that the adapter fits"));
  for (const QString& place : places) {
    const QString model = path_text(base_of(bytes_of(place)));
    auto* item = new QListWidgetItem(adapted_name(model), list_);
    item->setData(Qt::UserRole, place);
    item->setToolTip(model);
  }
  list_->setCurrentRow(places.isEmpty() ? -1 : 0);
  auto* buttons = new QDialogButtonBox(this);
  open_ = buttons->addButton(tr("&Open"), QDialogButtonBox::AcceptRole);
  auto* other = buttons->addButton(tr("&Another model…"), QDialogButtonBox::ActionRole);
  auto* look = buttons->addButton(tr("&Look at its tensors"), QDialogButtonBox::ActionRole);
  buttons->addButton(QDialogButtonBox::Cancel);
  open_->setEnabled(!places.isEmpty());
  (places.isEmpty() ? other : open_)->setDefault(true);
  list_->setVisible(!places.isEmpty());
  look->setToolTip(tr("Lists what it adds to each tensor: a picture, figures and singular values"));
  auto* column = new QVBoxLayout(this);
  column->addWidget(about);
  column->addWidget(list_, 1);
  column->addWidget(buttons);
  connect(list_, &QListWidget::itemDoubleClicked, this, &AdapterDialog::open_current);
  connect(open_, &QPushButton::clicked, this, &AdapterDialog::open_current);
  connect(other, &QPushButton::clicked, this, [this] {
    ask_what_to_open(this, tr("Open the model that the adapter lies over"), [this](const QString& path) {
      const Dropped chosen = classify_file(path);
      choose(chosen.kind == Dropped::Kind::model ? chosen.path : path);
    });
  });
  connect(look, &QPushButton::clicked, this, [this] {
    accept();
    emit lookWanted(adapter_);
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  resize(QSize(620, places.isEmpty() ? sizeHint().height() : 360).boundedTo(screen()->availableSize() * 0.9));
}

void AdapterDialog::choose(const QString& base) {
  accept();
  emit openWanted(path_text(over_base(bytes_of(base), bytes_of(adapter_))));
}

void AdapterDialog::open_current() {
  if (const QListWidgetItem* item = list_->currentItem()) {
    accept();
    emit openWanted(item->data(Qt::UserRole).toString());
  }
}

}  // namespace headlight
