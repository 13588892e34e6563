// The table and the QActions made from it. A new action is one row here and one connection in the main window.

#include "app/actions.h"

#include <QCoreApplication>
#include <QFile>
#include <QIcon>
#include <QMenu>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <array>
#include <utility>

#include "widgets/base/theme.h"

namespace headlight {

namespace {
constexpr std::array kActions = {
    ActionRow{"start", QT_TRANSLATE_NOOP("Actions", "S&tart page"), "Ctrl+Shift+H",
              QT_TRANSLATE_NOOP("Actions", "The picture with what can be opened, and what you had open lately."), "",
              MenuId::file},
    ActionRow{
        "open", QT_TRANSLATE_NOOP("Actions", "&Open…"), "Ctrl+O; Ctrl+Shift+O",
        QT_TRANSLATE_NOOP("Actions",
                          "Open the folder of a model or a lesson, stored attention, a mapping of your own model, "
                          "a file of weights, a session, or a text. You can also drop it onto the window."),
        "folder", MenuId::file, false, true},
    ActionRow{
        "record_lesson", QT_TRANSLATE_NOOP("Actions", "Recordin&g a lesson…"), "",
        QT_TRANSLATE_NOOP("Actions", "Make a lesson: what the window shows becomes a step, and you type the words."),
        "", MenuId::file},
    ActionRow{
        "lesson_worksheet", QT_TRANSLATE_NOOP("Actions", "&Worksheet of the lesson…"), "",
        QT_TRANSLATE_NOOP("Actions", "Write the lesson's questions as a PDF to print, and the answer key beside it."),
        "", MenuId::file},
    ActionRow{"lesson_slides", QT_TRANSLATE_NOOP("Actions", "Sli&des of the lesson…"), "",
              QT_TRANSLATE_NOOP("Actions", "Write a page for each step of the lesson as a PDF."), "", MenuId::file},
    ActionRow{"lesson_my_answers", QT_TRANSLATE_NOOP("Actions", "M&y answers…"), "",
              QT_TRANSLATE_NOOP("Actions", "Write what you answered in this lesson as a PDF."), "", MenuId::file},
    ActionRow{"save_session", QT_TRANSLATE_NOOP("Actions", "Sa&ve session"), "Ctrl+S",
              QT_TRANSLATE_NOOP(
                  "Actions",
                  "Save what you see (model, text, changes, panels, selection) as a file that opens as it is now."),
              "", MenuId::file, false, true},
    ActionRow{"save_session_as", QT_TRANSLATE_NOOP("Actions", "Save session &as…"), "Ctrl+Shift+S",
              QT_TRANSLATE_NOOP("Actions", "Save what you see in another session file."), "", MenuId::file},
    ActionRow{"unsaved_sessions", QT_TRANSLATE_NOOP("Actions", "&Unsaved sessions…"), "Ctrl+Alt+O",
              QT_TRANSLATE_NOOP(
                  "Actions", "Open or discard what was open when Headlight ended unexpectedly; until then it is kept."),
              "", MenuId::file},
    ActionRow{"export", QT_TRANSLATE_NOOP("Actions", "&Export the picture…"), "Ctrl+E",
              QT_TRANSLATE_NOOP(
                  "Actions",
                  "Save the panel you are in, or else the alignment, as PNG, SVG or PDF for a slide or a paper, or its "
                  "numbers as CSV."),
              "export", MenuId::file, false, true},
    ActionRow{"export_stepping", QT_TRANSLATE_NOOP("Actions", "Export the stepping as an ani&mation…"), "Ctrl+Alt+E",
              QT_TRANSLATE_NOOP("Actions",
                                "Save the walk through the computation, one picture for each written token, as an "
                                "animated GIF or as numbered pictures: of the panel you are in, if it shows the steps, "
                                "or of the whole window."),
              "", MenuId::file},
    ActionRow{"export_trace", QT_TRANSLATE_NOOP("Actions", "Export every &number…"), "Ctrl+Shift+E",
              QT_TRANSLATE_NOOP("Actions",
                                "Save every value of this run under its name, for NumPy, PyTorch or a spreadsheet."),
              "", MenuId::file},
    ActionRow{
        "copy_picture", QT_TRANSLATE_NOOP("Actions", "&Copy picture"), "Ctrl+Shift+C",
        QT_TRANSLATE_NOOP("Actions", "Put the panel you are in, or else the alignment, on the clipboard as a picture."),
        "copy", MenuId::file},
    ActionRow{"quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), "Ctrl+Q",
              QT_TRANSLATE_NOOP("Actions", "Close Headlight. Layout, model and text are remembered."), "", MenuId::file,
              false, true},

    ActionRow{"undo", QT_TRANSLATE_NOOP("Actions", "&Undo"), "Ctrl+Z",
              QT_TRANSLATE_NOOP("Actions", "Take back the last change of the text, of a value, or of the model."),
              "undo", MenuId::edit},
    ActionRow{"redo", QT_TRANSLATE_NOOP("Actions", "&Redo"), "Ctrl+Shift+Z; Ctrl+Y",
              QT_TRANSLATE_NOOP("Actions", "Make the change again that was taken back."), "redo", MenuId::edit},
    ActionRow{
        "reset", QT_TRANSLATE_NOOP("Actions", "Take back all c&hanges"), "Ctrl+R",
        QT_TRANSLATE_NOOP("Actions",
                          "Run the model untouched again: settings, decoding, an output of yours and every changed "
                          "value go back to what they were."),
        "reset", MenuId::edit, false, true},
    ActionRow{"stop", QT_TRANSLATE_NOOP("Actions", "&Stop the run"), "Ctrl+.",
              QT_TRANSLATE_NOOP("Actions", "Stop the run that is going on; the last result stays."), "stop",
              MenuId::edit},
    ActionRow{
        "focus_source", QT_TRANSLATE_NOOP("Actions", "Go to the &text"), "Ctrl+L",
        QT_TRANSLATE_NOOP("Actions", "Put the cursor into the text field and select the text, ready to type another."),
        "", MenuId::edit, false, true},
    ActionRow{"write_output", QT_TRANSLATE_NOOP("Actions", "&Write the output yourself"), "Ctrl+Shift+L",
              QT_TRANSLATE_NOOP("Actions",
                                "Make the model write what you want, or begin with it, and see how probable it finds "
                                "each step."),
              "", MenuId::edit},
    ActionRow{"next_example", QT_TRANSLATE_NOOP("Actions", "Another e&xample"), "F4",
              QT_TRANSLATE_NOOP("Actions", "Try the next example text of this model."), "example", MenuId::edit},

    ActionRow{"theme", QT_TRANSLATE_NOOP("Actions", "Li&ght or dark"), "F6",
              QT_TRANSLATE_NOOP("Actions", "Switch between light and dark colours."), "theme", MenuId::view},
    ActionRow{"theme_system", QT_TRANSLATE_NOOP("Actions", "As the s&ystem"), "",
              QT_TRANSLATE_NOOP("Actions", "Light or dark colours, as the desktop has them."), "", MenuId::colours,
              true},
    ActionRow{"theme_light", QT_TRANSLATE_NOOP("Actions", "&Light"), "",
              QT_TRANSLATE_NOOP("Actions", "Light colours, for print and for bright rooms."), "", MenuId::colours,
              true},
    ActionRow{"theme_dark", QT_TRANSLATE_NOOP("Actions", "&Dark"), "",
              QT_TRANSLATE_NOOP("Actions", "Dark colours, for dark rooms."), "", MenuId::colours, true},
    // Each language is written in itself, so that it is found by those who cannot read the other.
    ActionRow{"language_en", "&English", "", "The interface in English.", "", MenuId::language, true},
    ActionRow{"language_zh_CN", "&简体中文", "", "界面使用简体中文。", "", MenuId::language, true},
    ActionRow{"larger", QT_TRANSLATE_NOOP("Actions", "&Larger text"), "Ctrl++; Ctrl+=",
              QT_TRANSLATE_NOOP("Actions", "Make all text larger, for a projector or for tired eyes."), "",
              MenuId::view},
    ActionRow{"smaller", QT_TRANSLATE_NOOP("Actions", "&Smaller text"), "Ctrl+-",
              QT_TRANSLATE_NOOP("Actions", "Make all text smaller, to see more numbers."), "", MenuId::view},
    ActionRow{"normal_size", QT_TRANSLATE_NOOP("Actions", "&Normal text size"), "Ctrl+0",
              QT_TRANSLATE_NOOP("Actions", "Back to the normal text size."), "", MenuId::view},
    ActionRow{"less_motion", QT_TRANSLATE_NOOP("Actions", "Less &motion"), "",
              QT_TRANSLATE_NOOP("Actions", "Let nothing glide or fade, whatever the desktop says."), "", MenuId::view,
              true},
    ActionRow{"show_table", QT_TRANSLATE_NOOP("Actions", "Show as &table"), "Ctrl+T",
              QT_TRANSLATE_NOOP("Actions",
                                "Open the numbers of the panel you are in, or else of the picture in front, as a table "
                                "beside it: to sort, to copy, and for a screen reader. Once more closes it."),
              "", MenuId::view, false, true},
    ActionRow{
        "next_panel", QT_TRANSLATE_NOOP("Actions", "Next &panel"), "F8",
        QT_TRANSLATE_NOOP(
            "Actions", "Move the keyboard to the next panel: text, picture, what is below it and what is beside it."),
        "", MenuId::view},
    ActionRow{"lessons", QT_TRANSLATE_NOOP("Actions", "Less&ons"), "Shift+F9",
              QT_TRANSLATE_NOOP("Actions", "Courses with lessons that ask, show and measure; with what you have done."),
              "lessons", MenuId::view, false, true},
    ActionRow{"explore", QT_TRANSLATE_NOOP("Actions", "E&xplore freely"), "F9",
              QT_TRANSLATE_NOOP("Actions", "Leave the steps of the lesson, or come back to its step."), "",
              MenuId::view},
    ActionRow{"present", QT_TRANSLATE_NOOP("Actions", "Pr&esent"), "F5",
              QT_TRANSLATE_NOOP("Actions",
                                "Show the panel you are in to a room: whole screen, large letters, strong colours, "
                                "steps and spotlight from a remote."),
              "present", MenuId::view, true, true},
    ActionRow{"full_screen", QT_TRANSLATE_NOOP("Actions", "&Full screen"), "F11",
              QT_TRANSLATE_NOOP("Actions", "Use the whole screen."), "", MenuId::view, true},
    ActionRow{"look", QT_TRANSLATE_NOOP("Actions", "&Look"), "Ctrl+1",
              QT_TRANSLATE_NOOP("Actions", "One picture, as large as there is room for."), "", MenuId::arrange, true},
    ActionRow{"explain", QT_TRANSLATE_NOOP("Actions", "&Explain"), "Ctrl+2",
              QT_TRANSLATE_NOOP("Actions", "The picture with how it came about, number by number."), "",
              MenuId::arrange, true},
    ActionRow{"change", QT_TRANSLATE_NOOP("Actions", "&Change"), "Ctrl+3",
              QT_TRANSLATE_NOOP("Actions", "The picture with what you changed, and what can be changed."), "",
              MenuId::arrange, true},
    ActionRow{"compare", QT_TRANSLATE_NOOP("Actions", "Co&mpare"), "Ctrl+4",
              QT_TRANSLATE_NOOP("Actions", "Two runs beside each other, and the same text through every model."), "",
              MenuId::arrange, true},
    ActionRow{"beside", QT_TRANSLATE_NOOP("Actions", "Another picture &beside this one"), "Ctrl+Shift+B",
              QT_TRANSLATE_NOOP("Actions", "Split the place of the picture, to see two of them at once."), "",
              MenuId::arrange, false, true},
    ActionRow{"below", QT_TRANSLATE_NOOP("Actions", "Move belo&w"), "Ctrl+Shift+D",
              QT_TRANSLATE_NOOP("Actions", "Put the panel you are in below the picture."), "", MenuId::arrange},
    ActionRow{"take_out", QT_TRANSLATE_NOOP("Actions", "&Take out as a window"), "Ctrl+Shift+T",
              QT_TRANSLATE_NOOP("Actions",
                                "Make the panel you are in, or else the picture, a window of its own; closing that "
                                "window puts it back."),
              "", MenuId::arrange},
    ActionRow{"save_arrangement", QT_TRANSLATE_NOOP("Actions", "&Save this arrangement…"), "",
              QT_TRANSLATE_NOOP("Actions", "Keep how the window is arranged now under a name of its own."), "",
              MenuId::arrange, false, true},
    ActionRow{"reset_layout", QT_TRANSLATE_NOOP("Actions", "&As it was"), "Ctrl+Shift+R",
              QT_TRANSLATE_NOOP("Actions", "Put all panels of this arrangement back to where they were at first."), "",
              MenuId::arrange},

    ActionRow{"hint", QT_TRANSLATE_NOOP("Actions", "&What am I looking at?"), "F1",
              QT_TRANSLATE_NOOP("Actions", "Say at the side what the model and the picture in front show."), "help",
              MenuId::help, true},
    ActionRow{"whats_this", QT_TRANSLATE_NOOP("Actions", "W&hat is this?"), "Shift+F1",
              QT_TRANSLATE_NOOP("Actions", "Explain what has the keyboard, and then whatever is clicked on."), "",
              MenuId::help},
    ActionRow{"keyboard", QT_TRANSLATE_NOOP("Actions", "&Keyboard"), "Ctrl+/",
              QT_TRANSLATE_NOOP("Actions", "List every key that does something."), "", MenuId::help},
    ActionRow{"about", QT_TRANSLATE_NOOP("Actions", "&About Headlight"), "",
              QT_TRANSLATE_NOOP("Actions", "Version and licence."), "", MenuId::help, false, true},
};

constexpr std::array kViewKeys = {
    ViewKeyRow{"Tab / Shift+Tab", QT_TRANSLATE_NOOP("Actions", "Next or previous control")},
    ViewKeyRow{"Alt+1 … Alt+0", QT_TRANSLATE_NOOP("Actions", "Go to a panel: the menu View, Go to lists them")},
    ViewKeyRow{"Ctrl+C / S", QT_TRANSLATE_NOOP("Actions", "In a table: copy what is selected, sort by the column")},
    ViewKeyRow{"Esc", QT_TRANSLATE_NOOP("Actions", "Put the selection away, or close a message")},
};
}  // namespace

std::span<const ActionRow> action_table() { return kActions; }
std::span<const ViewKeyRow> view_key_table() { return kViewKeys; }

QList<QKeySequence> shortcuts_of(const ActionRow& row) {
  return row.shortcut[0] ? QKeySequence::listFromString(QString::fromUtf8(row.shortcut)) : QList<QKeySequence>();
}

QString translated_action(const char* source) { return QCoreApplication::translate("Actions", source); }

QString plain_action_text(const QString& text) {
  static const QRegularExpression mnemonic(QStringLiteral("\\(&.\\)|&|…"));
  return QString(text).remove(mnemonic);
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
  for (const ActionRow& row : kActions) {
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
  for (const ActionRow& row : kActions) {
    if (row.menu != id) continue;
    if (row.separator_before && !menu->isEmpty()) menu->addSeparator();
    menu->addAction(actions_.value(QString::fromUtf8(row.id)));
  }
  menu->setToolTipsVisible(true);
}

void Actions::retranslate() {
  for (const ActionRow& row : kActions) {
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
  for (const ActionRow& row : kActions) {
    if (!row.icon[0]) continue;
    const QString id = QString::fromUtf8(row.id);
    if (!drawn.contains(id)) drawn[id] = themed_icon(QString::fromUtf8(row.icon));
    actions_.value(id)->setIcon(drawn[id]);
  }
}

}  // namespace headlight
