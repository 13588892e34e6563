#include "app/find/finder.h"

#include "app/find/entries.h"
#include "app/find/palette.h"
#include "app/stage/panel_frame.h"
#include "app/text/source_bar.h"
#include "widgets/base/utf8_text.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/mechanism/mechanism_view.h"

namespace headlight {

Finder::Finder(SearchedWindow window)
    : QObject(window.window), window_(std::move(window)), palette_(new FindPalette(window_.window)) {
  palette_->set_preview([this](const FindEntry& entry) { return preview_of(window_, entry); });
  connect(palette_, &FindPalette::wanted, this, &Finder::go_to);
  connect(window_.views->source_bar(), &SourceBar::modelsKnown, this, [this] {
    if (palette_->isVisible()) palette_->set_index(FindIndex(entries_of(window_)));
  });
}

void Finder::open() {
  if (palette_->isVisible()) return close();
  window_.window->activateWindow();  // where a panel of its own has the keyboard
  window_.views->source_bar()->want_models();
  palette_->open(FindIndex(entries_of(window_)), window_.views->source_bar());
}

void Finder::close() { palette_->close_and_return(); }

void Finder::leave_start() {
  if (window_.panels->arrangement() == QLatin1String(Arrangements::kStart))
    window_.panels->arrange(QStringLiteral("look"));
}

void Finder::go_to(const FindEntry& entry) {
  switch (entry.kind) {
    case FindKind::lesson:
      return window_.open_lesson(entry.id, entry.at);
    case FindKind::picture:
      if (entry.off.isEmpty()) leave_start();
      return window_.panels->go_to(entry.id);
    case FindKind::action:
    case FindKind::setting:
      if (entry.id.startsWith(QLatin1String(kPresetId)))
        return window_.open_preset(entry.id.mid(static_cast<qsizetype>(qstrlen(kPresetId))));
      if (entry.id.startsWith(QLatin1String(kRecordingId)))
        return window_.open_recording(entry.id.mid(static_cast<qsizetype>(qstrlen(kRecordingId))));
      if (entry.id.contains(QLatin1Char(':'))) return go_to_mechanism(entry.id);
      return (*window_.actions)[entry.id.toUtf8().constData()]->trigger();
    case FindKind::model:
      if (entry.id.startsWith(QLatin1String(kSessionId)))
        return window_.open_session(entry.id.mid(static_cast<qsizetype>(qstrlen(kSessionId))));
      return window_.open_model(entry.id);
    case FindKind::number:
      return go_to_number(entry);
    case FindKind::glossary:
      return window_.classroom->show_word(entry.id);
    case FindKind::token:
      return go_to_token(entry);
  }
}

void Finder::go_to_token(const FindEntry& entry) {
  const bool source = entry.id == QLatin1String("source");
  const Result& result = *window_.views->run()->result();
  if (entry.at >= static_cast<int>(source ? result.tokens.size() : result.steps.size())) return;  // another run came
  leave_start();
  SelectionState state;
  (source ? state.source_token : state.step) = entry.at;
  window_.selection->set(state);
}

// The page of its switches, with the keyboard on the one that was meant.
void Finder::go_to_mechanism(const QString& id) {
  const QString name = QStringLiteral("mechanism");
  leave_start();
  (*window_.actions)["change"]->trigger();
  window_.panels->go_to(name);
  auto* view = window_.panels->frame(name)->findChild<MechanismView*>();
  if (!view) return;
  const bool page = id.startsWith(QLatin1String(kPageId));
  view->show_page(!page                                 ? MechanismView::Page::settings
                  : id.endsWith(QLatin1String("heads")) ? MechanismView::Page::heads
                                                        : MechanismView::Page::mask);
  if (page) return window_.panels->focus_panel(name);
  if (QWidget* control = view->settings()->control(id.mid(static_cast<qsizetype>(qstrlen(kSwitchId)))))
    control->setFocus(Qt::ShortcutFocusReason);
}

// In *This number*, as a double click in *Every number* opens it.
void Finder::go_to_number(const FindEntry& entry) {
  leave_start();
  window_.panels->raise(QStringLiteral("inspector"));
  window_.views->open_cell(entry.title.toStdString(), 0);
  window_.panels->focus_panel(QStringLiteral("inspector"));
}

}  // namespace headlight
