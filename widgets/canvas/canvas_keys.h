// What keys and the mouse mean in every painted view: one table, which the views obey and Help > Keyboard shows.
#pragma once

#include <QString>
#include <optional>
#include <span>

class QKeyEvent;

namespace headlight {

enum class CanvasCommand {
  // The cursor goes to the next one in that direction, by several rows, to an end of its row, to an end of everything.
  left,
  right,
  up,
  down,
  page_up,
  page_down,
  row_first,
  row_last,
  first,
  last,
  // Another one of what the view shows one of: a head, a cell, a step.
  previous,
  next,
  // Zoom.
  closer,
  farther,
  show_all,
  // Enter, and Space, which views may use for something else.
  open,
  space,
};

struct CanvasKey {
  int key = 0;
  bool control = false;
  CanvasCommand command = CanvasCommand::open;
};

struct CanvasKeyRow {
  const char* keys;                     // as they are written
  const char* what;                     // untranslated: see canvas_key_text()
  std::span<const CanvasKey> bindings;  // none: the mouse, and what views do themselves
};

std::span<const CanvasKeyRow> canvas_key_table();
QString canvas_key_text(const char* text);  // keys and meanings in the language of the interface
std::optional<CanvasCommand> canvas_command(const QKeyEvent& event);

}  // namespace headlight
