// The ways to work between which a person switches: which one it is, and what is kept of them.

#include "app/stage/panel_frame.h"
#include "app/stage/stage.h"
#include "app/stage/window_panels.h"
#include "widgets/base/motion.h"
#include "widgets/canvas/view_panel.h"

namespace headlight {

Arrangement& WindowPanels::edit() {
  if (arrangements_.current == QLatin1String(Arrangements::kStart)) arrangements_.current = QStringLiteral("look");
  return arrangements_.all[arrangements_.current] = now();
}

QStringList WindowPanels::arrangements() const {
  QStringList names;
  for (const char* name : Arrangements::kNames) names << QString::fromUtf8(name);
  return names + arrangements_.saved;
}

void WindowPanels::arrange(const QString& name) {
  const bool known = arrangements().contains(name) || name == QLatin1String(Arrangements::kStart);
  if (!known || name == arrangements_.current) return;
  Motion::begin(*stage_);
  arrangements_.current = name;
  apply();
}

void WindowPanels::save_arrangement(const QString& name) {
  if (name.isEmpty()) return;
  Arrangement copy = now();
  // It stays as it is now, whatever is in front elsewhere.
  if (copy[Slot::main].isEmpty()) copy[Slot::main] << QString();
  copy[Slot::main][0] = front();
  arrangements_.all[name] = copy;
  if (!arrangements().contains(name)) arrangements_.saved << name;
  Motion::begin(*stage_);
  arrangements_.current = name;
  apply();
}

QByteArray WindowPanels::save_state() const {
  Arrangements all = arrangements_;
  for (auto each = all.out.begin(); each != all.out.end(); ++each)
    if (const Panel* found = panel(each.key()); found && found->frame->isWindow()) *each = found->frame->saveGeometry();
  return all.json();
}

void WindowPanels::restore_state(const QByteArray& state) {
  QStringList names;
  for (const Panel& each : panels_) names << each.name;
  arrangements_ = Arrangements::read(state, names);
  apply();
}

// Arrangements that a person saved stay theirs, also beside those of somebody else.
void WindowPanels::restore_session(const QByteArray& state) {
  const Arrangements own = arrangements_;
  restore_state(state);
  for (const QString& name : own.saved) {
    arrangements_.all[name] = own.all[name];
    if (!arrangements_.saved.contains(name)) arrangements_.saved << name;
  }
  apply();
  keep_front();
}

void WindowPanels::reset_layout() {
  arrangements_.out.clear();
  if (arrangements_.saved.contains(arrangements_.current)) {
    arrangements_.saved.removeAll(arrangements_.current);
    arrangements_.all.remove(std::exchange(arrangements_.current, QStringLiteral("look")));
  }
  arrangements_.all.remove(arrangements_.current);
  arrangements_.front = first_pictures_.value(0, QStringLiteral("alignment"));
  apply();
}

}  // namespace headlight
