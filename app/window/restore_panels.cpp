#include "app/window/restore_panels.h"

#include <QDataStream>
#include <QMainWindow>

namespace headlight {

namespace {

// A name as QMainWindow::saveState() writes it.
QByteArray written(const QString& name) {
  QByteArray bytes;
  QDataStream stream(&bytes, QIODevice::WriteOnly);
  stream << name;
  return bytes;
}

}  // namespace

void restore_panels(QMainWindow& window, QByteArray state) {
  state.replace(written(QStringLiteral("computation")), written(QStringLiteral("map")));  // its name before
  const bool seen = window.isVisible();
  if (seen) window.hide();
  window.restoreState(state);
  if (seen) window.show();
}

}  // namespace headlight
