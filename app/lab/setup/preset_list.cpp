#include "app/lab/setup/preset_list.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "app/lab/setup/training_words.h"
#include "model/recording/presets.h"
#include "widgets/base/controls.h"
#include "widgets/base/text_button.h"
#include "widgets/base/tokens.h"

namespace headlight {

QString preset_title(const Preset& preset) { return QCoreApplication::translate("Preset", preset.title); }

PresetList::PresetList(QWidget* parent) : QWidget(parent) {
  column_in(this, 0);
  make_rows();
}

void PresetList::make_rows() {
  for (const Preset& preset : presets()) {
    auto* row = new QWidget(this);
    auto* button = new TextButton(row);
    auto* seconds = new QLabel(row);
    button->setObjectName(QStringLiteral("preset_") + QString::fromUtf8(preset.name));
    button->set_lines(preset_title(preset));
    const QString line = QCoreApplication::translate("Preset", preset.line);
    seconds->setText(duration_words(preset.seconds));
    set_ink(seconds, &Tokens::ink2);
    describe(button, tr("%1, %2").arg(preset_title(preset), seconds->text()), line);
    auto* layout = row_in(row, space::kSmall);
    layout->addWidget(button, 1);
    layout->addWidget(seconds);
    connect(button, &TextButton::clicked, this, [this, name = QString::fromUtf8(preset.name)] { emit chosen(name); });
    this->layout()->addWidget(row);
  }
}

void PresetList::retranslate() {
  const QList<QWidget*> rows = findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
  qDeleteAll(rows);
  make_rows();
}

}  // namespace headlight
