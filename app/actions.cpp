// The table and the QActions made from it. A new action is one row here and one connection in the main window.

#include "app/actions.h"

#include <QCoreApplication>
#include <QFile>
#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QSvgRenderer>
#include <utility>

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

namespace headlight {

namespace {

struct ActionTable {
  Q_DECLARE_TR_FUNCTIONS(Actions)

 public:
  static constexpr ActionRow kActions[] = {
      {"start", QT_TR_NOOP("S&tart page"), "Ctrl+Shift+H",
       QT_TR_NOOP("The picture with what can be opened, and what you had open lately."), "", MenuId::file},
      {"open", QT_TR_NOOP("&Open…"), "Ctrl+O; Ctrl+Shift+O",
       QT_TR_NOOP("Open the folder of a model or a lesson, stored attention, a mapping of your own model, "
                  "a file of weights, a session, or a text. You can also drop it onto the window."),
       "folder", MenuId::file, false, true},
      {"open_texts", QT_TR_NOOP("Open te&xts…"), "Ctrl+Alt+T",
       QT_TR_NOOP(
           "Open a file with a text in each line (.txt, .tsv, .jsonl) as a list: search it, sort it, measure what "
           "a head does in each."),
       "", MenuId::file},
      {"record_lesson", QT_TR_NOOP("Record a &lesson…"), "",
       QT_TR_NOOP("Make a lesson: what the window shows becomes a step, and you type the words."), "", MenuId::file},
      {"lesson_worksheet", QT_TR_NOOP("&Worksheet of the lesson…"), "",
       QT_TR_NOOP("Write the lesson's questions as a PDF to print, and the answer key beside it."), "", MenuId::file},
      {"lesson_slides", QT_TR_NOOP("Sli&des of the lesson…"), "",
       QT_TR_NOOP("Write a page for each step of the lesson as a PDF."), "", MenuId::file},
      {"lesson_my_answers", QT_TR_NOOP("M&y answers…"), "",
       QT_TR_NOOP("Write what you answered in this lesson as a PDF."), "", MenuId::file},
      {"save_session", QT_TR_NOOP("Sa&ve session"), "Ctrl+S",
       QT_TR_NOOP("Save what you see (model, text, changes, panels, selection) as a file that opens as it is now."), "",
       MenuId::file, false, true},
      {"save_session_as", QT_TR_NOOP("Save session &as…"), "Ctrl+Shift+S",
       QT_TR_NOOP("Save what you see in another session file."), "", MenuId::file},
      {"unsaved_sessions", QT_TR_NOOP("&Unsaved sessions…"), "Ctrl+Alt+O",
       QT_TR_NOOP("Open or discard what was not saved when Headlight ended; until then it is kept."), "", MenuId::file},
      {"export", QT_TR_NOOP("&Export the picture…"), "Ctrl+E",
       QT_TR_NOOP("Save the panel you are in, or else the alignment, as PNG, SVG or PDF for a slide or a paper, or its "
                  "numbers as CSV."),
       "export", MenuId::file, false, true},
      {"export_stepping", QT_TR_NOOP("Export the stepping as an ani&mation…"), "Ctrl+Alt+E",
       QT_TR_NOOP("Save the walk through the computation, one picture for each written token, as an "
                  "animated GIF or as numbered pictures: of the panel you are in, if it shows the steps, "
                  "or of the whole window."),
       "", MenuId::file},
      {"export_trace", QT_TR_NOOP("Export every &number…"), "Ctrl+Shift+E",
       QT_TR_NOOP("Save every value of this run under its name, for NumPy, PyTorch or a spreadsheet."), "",
       MenuId::file},
      {"copy_picture", QT_TR_NOOP("&Copy picture"), "Ctrl+Shift+C",
       QT_TR_NOOP("Put the panel you are in, or else the alignment, on the clipboard as a picture."), "copy",
       MenuId::file},
      {"quit", QT_TR_NOOP("&Quit"), "Ctrl+Q", QT_TR_NOOP("Close Headlight. Layout, model and text are remembered."), "",
       MenuId::file, false, true},

      {"undo", QT_TR_NOOP("&Undo"), "Ctrl+Z",
       QT_TR_NOOP("Take back the last change of the text, of a value, or of the model."), "undo", MenuId::edit},
      {"redo", QT_TR_NOOP("&Redo"), "Ctrl+Shift+Z; Ctrl+Y", QT_TR_NOOP("Make the change again that was taken back."),
       "redo", MenuId::edit},
      {"reset", QT_TR_NOOP("Undo all c&hanges"), "Ctrl+R",
       QT_TR_NOOP("Run the model untouched again: settings, decoding, an output of yours and every changed "
                  "value go back to what they were."),
       "reset", MenuId::edit, false, true},
      {"stop", QT_TR_NOOP("&Stop the run"), "Ctrl+.",
       QT_TR_NOOP("Stop the run that is going on; the last result stays."), "stop", MenuId::edit},
      {"find", QT_TR_NOOP("&Find…"), "Ctrl+K",
       QT_TR_NOOP("Find an action, a picture, a model, a lesson, a word or a number by its name, and open it."), "find",
       MenuId::edit, false, true},
      {"focus_source", QT_TR_NOOP("Go to the &text"), "Ctrl+L",
       QT_TR_NOOP("Put the cursor into the text field and select the text, ready to type another."), "", MenuId::edit},
      {"write_output", QT_TR_NOOP("&Write the output yourself"), "Ctrl+Shift+L",
       QT_TR_NOOP("Make the model write what you want, or begin with it, and see how probable it finds "
                  "each step."),
       "", MenuId::edit},
      {"next_example", QT_TR_NOOP("Another e&xample"), "F4", QT_TR_NOOP("Try the next example text of this model."),
       "example", MenuId::edit},

      {"theme", QT_TR_NOOP("Switch li&ght or dark"), "F6", QT_TR_NOOP("Switch between light and dark colours."),
       "theme", MenuId::view},
      {"theme_system", QT_TR_NOOP("Follow s&ystem"), "", QT_TR_NOOP("Light or dark colours, as the desktop has them."),
       "", MenuId::colours, true},
      {"theme_light", QT_TR_NOOP("&Light"), "", QT_TR_NOOP("Light colours, for print and for bright rooms."), "",
       MenuId::colours, true},
      {"theme_dark", QT_TR_NOOP("&Dark"), "", QT_TR_NOOP("Dark colours, for dark rooms."), "", MenuId::colours, true},
      // Each language is written in itself, so that it is found by those who cannot read the other.
      {"language_en", "&English", "", "The interface in English.", "", MenuId::language, true},
      {"language_zh_CN", "&简体中文", "", "界面使用简体中文。", "", MenuId::language, true},
      {"larger", QT_TR_NOOP("&Larger text"),
       "Ctrl++; Ctrl+=", QT_TR_NOOP("Make all text larger, for a projector or for tired eyes."), "", MenuId::view},
      {"smaller", QT_TR_NOOP("&Smaller text"), "Ctrl+-", QT_TR_NOOP("Make all text smaller, to see more numbers."), "",
       MenuId::view},
      {"normal_size", QT_TR_NOOP("&Normal text size"), "Ctrl+0", QT_TR_NOOP("Back to the normal text size."), "",
       MenuId::view},
      {"less_motion", QT_TR_NOOP("Less &motion"), "",
       QT_TR_NOOP("Let nothing glide or fade, whatever the desktop says."), "", MenuId::view, true},
      {"count_from_zero", QT_TR_NOOP("Count from &0, as in code"), "",
       QT_TR_NOOP("Layers, heads, tokens and units are numbered from 0 in pictures, tables and CSV: L3H1. Names of "
                  "values and edits always count from 0."),
       "", MenuId::view, true},
      {"show_table", QT_TR_NOOP("Show as &table"), "Ctrl+T",
       QT_TR_NOOP("Open the numbers of the panel you are in, or else of the picture in front, as a table "
                  "beside it: to sort, to copy, and for a screen reader. Once more closes it."),
       "", MenuId::view, false, true},
      {"next_panel", QT_TR_NOOP("Next &panel"), "F8",
       QT_TR_NOOP("Move the keyboard to the next panel: text, picture, what is below it and what is beside it."), "",
       MenuId::view},
      {"lessons", QT_TR_NOOP("Less&ons"), "Shift+F9",
       QT_TR_NOOP("Courses with lessons that ask, show and measure; with what you have done."), "lessons", MenuId::view,
       false, true},
      {"lecture", QT_TR_NOOP("Le&cture list…"), "",
       QT_TR_NOOP("Lessons and steps of your own in one order, with minutes; PageDown walks through it."), "",
       MenuId::view},
      {"lab", QT_TR_NOOP("Tra&ining lab"), "Ctrl+F9",
       QT_TR_NOOP("Train a model here, watch how it learns, and go back to any moment of it; or back to the picture."),
       "", MenuId::view, true},
      {"explore", QT_TR_NOOP("E&xplore freely"), "F9",
       QT_TR_NOOP("Leave the steps of the lesson, or come back to its step."), "", MenuId::view},
      {"present", QT_TR_NOOP("Pr&esent"), "F5",
       QT_TR_NOOP("Show the panel you are in to a room: whole screen, large letters, strong colours, "
                  "steps and spotlight from a remote."),
       "present", MenuId::view, true, true},
      {"full_screen", QT_TR_NOOP("&Full screen"), "F11", QT_TR_NOOP("Use the whole screen."), "", MenuId::view, true},
      {"look", QT_TR_NOOP("&Look"), "Ctrl+1", QT_TR_NOOP("One picture, as large as there is room for."), "",
       MenuId::arrange, true},
      {"explain", QT_TR_NOOP("&Explain"), "Ctrl+2", QT_TR_NOOP("The picture with how it came about, number by number."),
       "", MenuId::arrange, true},
      {"change", QT_TR_NOOP("&Change"), "Ctrl+3",
       QT_TR_NOOP("The picture with what you changed, and what can be changed."), "", MenuId::arrange, true},
      {"compare", QT_TR_NOOP("Co&mpare"), "Ctrl+4",
       QT_TR_NOOP("Two runs beside each other, and the same text through every model."), "", MenuId::arrange, true},
      {"beside", QT_TR_NOOP("Another picture &beside this one"), "Ctrl+Shift+B",
       QT_TR_NOOP("Split the place of the picture, to see two of them at once."), "", MenuId::arrange, false, true},
      {"below", QT_TR_NOOP("Move belo&w"), "Ctrl+Shift+D", QT_TR_NOOP("Put the panel you are in below the picture."),
       "", MenuId::arrange},
      {"take_out", QT_TR_NOOP("&Take out as a window"), "Ctrl+Shift+T",
       QT_TR_NOOP("Make the panel you are in, or else the picture, a window of its own; closing that "
                  "window puts it back."),
       "", MenuId::arrange},
      {"save_arrangement", QT_TR_NOOP("&Save this arrangement…"), "",
       QT_TR_NOOP("Keep how the window is arranged now under a name of its own."), "", MenuId::arrange, false, true},
      {"reset_layout", QT_TR_NOOP("Reset this &arrangement"), "Ctrl+Shift+R",
       QT_TR_NOOP("Put all panels of this arrangement back to where they were at first."), "", MenuId::arrange},

      {"hint", QT_TR_NOOP("&What am I looking at?"), "F1",
       QT_TR_NOOP("Say at the side what the model and the picture in front show."), "help", MenuId::help, true},
      {"whats_this", QT_TR_NOOP("W&hat is this?"), "Shift+F1",
       QT_TR_NOOP("Explain what has the keyboard, and then whatever is clicked on."), "", MenuId::help},
      {"keyboard", QT_TR_NOOP("&Keyboard"), "Ctrl+/", QT_TR_NOOP("List every key that does something."), "",
       MenuId::help},
      {"report", QT_TR_NOOP("&Report a problem…"), "",
       QT_TR_NOOP("All that helps to mend a problem, as a text to copy or to keep. Nothing is sent."), "",
       MenuId::help},
      {"about", QT_TR_NOOP("&About Headlight"), "", QT_TR_NOOP("Version and licence."), "", MenuId::help, false, true},
  };

  static constexpr ViewKeyRow kViewKeys[] = {
      {"Tab / Shift+Tab", QT_TR_NOOP("Next or previous control")},
      {"Alt+1 … Alt+0", QT_TR_NOOP("Go to a panel: the menu View, Go to lists them")},
      {"Ctrl+C / S", QT_TR_NOOP("In a table: copy what is selected, sort by the column")},
      {"Esc", QT_TR_NOOP("Put the selection away, or close a message")},
  };
};

}  // namespace

std::span<const ActionRow> action_table() { return ActionTable::kActions; }
std::span<const ViewKeyRow> view_key_table() { return ActionTable::kViewKeys; }

QList<QKeySequence> shortcuts_of(const ActionRow& row) {
  return row.shortcut[0] ? QKeySequence::listFromString(QString::fromUtf8(row.shortcut)) : QList<QKeySequence>();
}

QString translated_action(const char* source) { return ActionTable::tr(source); }

QString plain_action_text(const QString& text) {
  return without_letter(text).remove(QLatin1Char('&')).remove(QChar(0x2026));
}

QIcon themed_icon(const QString& name) {
  QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray svg = file.readAll();
  svg.replace("currentColor", Theme::instance().text().name().toUtf8());
  QSvgRenderer renderer(svg);
  QIcon icon;
  for (const int size : {16, 20, 24, 32, 48}) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    icon.addPixmap(pixmap);
  }
  return icon;
}

Actions::Actions(QObject* parent) : QObject(parent) {
  for (const ActionRow& row : ActionTable::kActions) {
    auto* action = new QAction(this);
    action->setObjectName(QString::fromUtf8(row.id));
    action->setCheckable(row.checkable);
    action->setShortcuts(shortcuts_of(row));
    actions_.insert(action->objectName(), action);
  }
  retranslate();
  recolour();
}

QAction* Actions::operator[](const char* id) const {
  QAction* action = actions_.value(QString::fromUtf8(id));
  if (!action) qFatal("no action '%s'", id);
  return action;
}

void Actions::fill_menu(QMenu* menu, MenuId id) const {
  for (const ActionRow& row : ActionTable::kActions) {
    if (row.menu != id) continue;
    if (row.separator_before && !menu->isEmpty()) menu->addSeparator();
    menu->addAction(actions_.value(QString::fromUtf8(row.id)));
  }
  menu->setToolTipsVisible(true);
}

void Actions::retranslate() {
  for (const ActionRow& row : ActionTable::kActions) {
    QAction* action = actions_.value(QString::fromUtf8(row.id));
    action->setText(translated_action(row.text));
    action->setIconText(plain_action_text(action->text()));
    QString tooltip = translated_action(row.tooltip);
    if (!action->shortcut().isEmpty())
      tooltip += QStringLiteral(" (%1)").arg(action->shortcut().toString(QKeySequence::NativeText));
    action->setToolTip(tooltip);
  }
}

// Drawn once for each colour: letters of another size leave them as they are, and themes come back.
void Actions::recolour() {
  const QRgb ink = Theme::instance().text().rgb();
  if (std::exchange(ink_, ink) == ink) return;
  QHash<QString, QIcon>& drawn = icons_[ink];
  for (const ActionRow& row : ActionTable::kActions) {
    if (!row.icon[0]) continue;
    const QString id = QString::fromUtf8(row.id);
    if (!drawn.contains(id)) drawn[id] = themed_icon(QString::fromUtf8(row.icon));
    actions_.value(id)->setIcon(drawn[id]);
  }
}

}  // namespace headlight
