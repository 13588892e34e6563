#include "app/window/restore_panels.h"

#include <QMainWindow>

namespace headlight {

void restore_panels(QMainWindow& window, const QByteArray& state) {
  const bool seen = window.isVisible();
  if (seen) window.hide();
  window.restoreState(state);
  if (seen) window.show();
}

}  // namespace headlight
