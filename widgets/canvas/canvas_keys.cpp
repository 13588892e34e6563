#include "widgets/canvas/canvas_keys.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <array>

namespace headlight {

namespace {

using C = CanvasCommand;

constexpr CanvasKey kArrows[] = {{Qt::Key_Left, false, C::left},
                                 {Qt::Key_Right, false, C::right},
                                 {Qt::Key_Up, false, C::up},
                                 {Qt::Key_Down, false, C::down}};
constexpr CanvasKey kPages[] = {{Qt::Key_PageUp, false, C::page_up}, {Qt::Key_PageDown, false, C::page_down}};
constexpr CanvasKey kRowEnds[] = {{Qt::Key_Home, false, C::row_first}, {Qt::Key_End, false, C::row_last}};
constexpr CanvasKey kEnds[] = {{Qt::Key_Home, true, C::first}, {Qt::Key_End, true, C::last}};
constexpr CanvasKey kOthers[] = {{Qt::Key_Up, true, C::previous}, {Qt::Key_Down, true, C::next}};
constexpr CanvasKey kOpen[] = {
    {Qt::Key_Return, false, C::open}, {Qt::Key_Enter, false, C::open}, {Qt::Key_Space, false, C::space}};
constexpr CanvasKey kZoom[] = {
    {Qt::Key_Plus, false, C::closer}, {Qt::Key_Equal, false, C::closer}, {Qt::Key_Minus, false, C::farther}};
constexpr CanvasKey kAll[] = {{Qt::Key_0, false, C::show_all}};

struct CanvasKeys {
  Q_DECLARE_TR_FUNCTIONS(CanvasKeys)

 public:
  static constexpr std::array kRows = {
      CanvasKeyRow{"← → ↑ ↓", QT_TR_NOOP("To the next cell, token, step or box in that direction"), kArrows},
      CanvasKeyRow{"PageUp / PageDown", QT_TR_NOOP("Ten rows up or down, fewer where fewer are seen"), kPages},
      CanvasKeyRow{"Home / End", QT_TR_NOOP("First or last of the row"), kRowEnds},
      CanvasKeyRow{"Ctrl+Home / Ctrl+End", QT_TR_NOOP("First or last of everything"), kEnds},
      CanvasKeyRow{"Ctrl+↑ / Ctrl+↓", QT_TR_NOOP("Another layer, head or step, where one of several is shown"),
                   kOthers},
      CanvasKeyRow{"Enter / Space",
                   QT_TR_NOOP("Open or select what is under the keyboard cursor; in some panels Space goes to the "
                              "next picture, or switches a cell"),
                   kOpen},
      CanvasKeyRow{"+ / −", QT_TR_NOOP("Closer or farther"), kZoom},
      CanvasKeyRow{"0", QT_TR_NOOP("Show everything"), kAll},
      CanvasKeyRow{"1 … 9", QT_TR_NOOP("Belong to the panel: in a matrix, 1 shows the numbers at a readable size"), {}},
      CanvasKeyRow{"1 … 5", QT_TR_NOOP("On the map: the whole model, lanes, a layer, a word, its numbers"), {}},
      CanvasKeyRow{
          "Tab / Shift+Tab", QT_TR_NOOP("On the map: through all that arrives at a place, the strongest first"), {}},
      CanvasKeyRow{"F / Shift+F",
                   QT_TR_NOOP("On the map: up the strongest ribbon that comes in, or down the one that leaves"),
                   {}},
      CanvasKeyRow{
          "H / W / D",
          QT_TR_NOOP("On the map: pictures of the heads, plain weights instead of shares, the diagram of boxes"),
          {}},
      CanvasKeyRow{
          "Enter", QT_TR_NOOP("In Choosing: the model goes on from the chosen token, or to the chosen branch"), {}},
      CanvasKeyRow{"Delete", QT_TR_NOOP("In Choosing: forget the chosen branch"), {}},
      CanvasKeyRow{"Delete", QT_TR_NOOP("On the map: cut the ribbon or head that is chosen, and run again"), {}},
      CanvasKeyRow{QT_TR_NOOP("Shift+wheel, Ctrl+Shift+wheel"),
                   QT_TR_NOOP("On the map: stretch its depth only, or its lanes only"),
                   {}},
      CanvasKeyRow{
          QT_TR_NOOP("Wheel"), QT_TR_NOOP("Scroll; large heatmaps and the map, which have no scroll bars, zoom"), {}},
      CanvasKeyRow{QT_TR_NOOP("Shift+wheel"), QT_TR_NOOP("Scroll sideways"), {}},
      CanvasKeyRow{QT_TR_NOOP("Ctrl+wheel"), QT_TR_NOOP("Zoom around the pointer"), {}},
      CanvasKeyRow{QT_TR_NOOP("Drag with the middle button"), QT_TR_NOOP("Move what is seen"), {}},
      CanvasKeyRow{QT_TR_NOOP("Drag the chosen square up or down"),
                   QT_TR_NOOP("Change its weight; in ‘Change’ any square follows"),
                   {}},
      CanvasKeyRow{"Shift+↑ / Shift+↓", QT_TR_NOOP("Change the weight of the chosen square"), {}},
      CanvasKeyRow{"F2", QT_TR_NOOP("Set the weight of the chosen square"), {}},
  };
};

}  // namespace

std::span<const CanvasKeyRow> canvas_key_table() { return CanvasKeys::kRows; }

QString canvas_key_text(const char* text) { return CanvasKeys::tr(text); }

std::optional<CanvasCommand> canvas_command(const QKeyEvent& event) {
  if (event.modifiers() & Qt::AltModifier) return std::nullopt;
  const bool control = event.modifiers() & Qt::ControlModifier;
  for (const CanvasKeyRow& row : CanvasKeys::kRows)
    for (const CanvasKey& each : row.bindings)
      if (each.key == event.key() && each.control == control) return each.command;
  return std::nullopt;
}

}  // namespace headlight
