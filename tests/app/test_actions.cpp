// The table of actions: no two share a key, and each explains itself.

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSet>
#include <QTableWidget>
#include <QTest>
#include <algorithm>

#include "app/actions.h"
#include "app/dialogs/keyboard_dialog.h"
#include "app/language.h"
#include "app/presentation/presenter.h"
#include "tests/test_program.h"
#include "widgets/base/theme.h"
#include "widgets/base/tokens.h"
#include "widgets/canvas/canvas_keys.h"
#include "widgets/views/stepper/stepper_view.h"

namespace headlight::test_actions {

class TestActions : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { load_resources(); }

  void ids_are_unique_and_well_formed() {
    QSet<QString> ids;
    for (const ActionRow& row : action_table()) {
      const QString id = QString::fromUtf8(row.id);
      QVERIFY2(!ids.contains(id), row.id);
      QVERIFY2(QRegularExpression("^[a-z][a-zA-Z_]*$").match(id).hasMatch(), row.id);
      ids.insert(id);
    }
    QVERIFY(ids.size() > 20);
  }

  void no_two_actions_share_a_key() {
    QHash<QString, QString> taken;
    for (const ActionRow& row : action_table()) {
      for (const QKeySequence& key : shortcuts_of(row)) {
        const QString text = key.toString(QKeySequence::PortableText);
        QVERIFY2(!text.isEmpty() && key[0].key() != Qt::Key_unknown, row.id);
        QVERIFY2(!taken.contains(text), qPrintable(text + ": " + taken.value(text) + " and " + row.id));
        taken.insert(text, QString::fromUtf8(row.id));
      }
    }
    QVERIFY(taken.size() > 15);
  }

  // A single letter or an arrow without Ctrl would be swallowed while somebody types.
  void no_action_takes_a_key_of_typing() {
    for (const ActionRow& row : action_table())
      for (const QKeySequence& key : shortcuts_of(row)) {
        const bool function_key = key[0].key() >= Qt::Key_F1 && key[0].key() <= Qt::Key_F35;
        QVERIFY2(function_key || key[0].keyboardModifiers().testFlag(Qt::ControlModifier), row.id);
      }
  }

  // What a key means in painted views, the window does not take away, and Help > Keyboard tells.
  void the_keys_of_painted_views_are_free_and_told() {
    const KeyboardDialog dialog;
    const auto* table = dialog.findChild<QTableWidget*>();
    QVERIFY(table);
    QSet<QString> told;
    for (int row = 0; row < table->rowCount(); ++row) told.insert(table->item(row, 0)->text());
    for (const CanvasKeyRow& row : canvas_key_table()) {
      QVERIFY2(told.contains(QString::fromUtf8(row.keys)), row.keys);
      for (const CanvasKey& each : row.bindings) {
        const QKeySequence key(each.key | (each.control ? int(Qt::ControlModifier) : 0));
        for (const ActionRow& action : action_table()) QVERIFY2(!shortcuts_of(action).contains(key), action.id);
      }
    }
  }

  // The keys of the remote and of stepping are told as well, from the tables that are obeyed.
  void the_keys_of_presenting_and_stepping_are_told() {
    const KeyboardDialog dialog;
    const auto* table = dialog.findChild<QTableWidget*>();
    QSet<QString> told;
    for (int row = 0; row < table->rowCount(); ++row)
      if (table->item(row, 1)) told.insert(table->item(row, 1)->text());  // the others are titles
    QVERIFY(!Presenter::key_table().empty() && !StepperView::key_table().empty());
    for (const Presenter::KeyRow& row : Presenter::key_table()) {
      QVERIFY2(told.contains(row.what), row.what);
      QVERIFY2(!row.bindings.empty(), row.what);
    }
    for (const StepperView::KeyRow& row : StepperView::key_table()) {
      QVERIFY2(told.contains(row.what), row.what);
      QVERIFY2(!row.bindings.empty(), row.what);
    }
  }

  // Orange is what is chosen in the pictures: a row of this list is not.
  void the_row_of_a_key_is_not_orange() {
    const KeyboardDialog dialog;
    const auto* table = dialog.findChild<QTableWidget*>();
    QCOMPARE(table->palette().color(QPalette::HighlightedText), tokens().ink);
    QVERIFY(table->palette().color(QPalette::Highlight) != tokens().wash);
  }

  // Nothing is shortened, however narrow the window or large the letters; the field finds keys and meanings.
  void the_list_of_keys_is_whole_and_found() {
    for (const double scale : {1.0, 2.0}) {
      Theme::instance().set_font_scale(scale);
      KeyboardDialog dialog;
      dialog.show();
      auto* table = dialog.findChild<QTableWidget*>();
      for (const int width : {200, 900}) {  // as narrow as it gets
        dialog.resize(width, 500);
        QCoreApplication::processEvents();
        for (int row = 0; row < table->rowCount(); ++row)
          for (int column = 0; column < 2; ++column) {
            if (!table->item(row, column)) continue;
            const int room =
                table->columnSpan(row, column) > 1 ? table->viewport()->width() : table->columnWidth(column);
            const QRect needed =
                QFontMetrics(table->item(row, column)->font())
                    .boundingRect(0, 0, room - 6, 10000, Qt::TextWordWrap, table->item(row, column)->text());
            QVERIFY2(needed.width() <= room && needed.height() <= table->rowHeight(row),
                     qPrintable(table->item(row, column)->text()));
          }
      }
      const auto shown = [&] {
        int count = 0;
        for (int row = 0; row < table->rowCount(); ++row) count += table->isRowHidden(row) ? 0 : 1;
        return count;
      };
      auto* field = dialog.findChild<QLineEdit*>();
      QVERIFY(field->hasFocus() || dialog.focusWidget() == field);
      QTest::keyClicks(field, "full screen");
      QVERIFY(shown() >= 2 && shown() < 8);  // with its title
      field->setText("no such thing");
      QCOMPARE(shown(), 0);
      const auto says_so = [&] {
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        return std::ranges::any_of(labels,
                                   [](const QLabel* each) { return each->isVisible() && !each->text().isEmpty(); });
      };
      QVERIFY(says_so() && !table->isVisible());
      field->clear();
      QCOMPARE(shown(), table->rowCount());
      QVERIFY(!says_so() && table->isVisible());
    }
    Theme::instance().set_font_scale(1);
  }

  void every_action_has_a_text_and_a_sentence() {
    for (const ActionRow& row : action_table()) {
      QVERIFY2(row.text[0], row.id);
      const QString tooltip = QString::fromUtf8(row.tooltip);
      QVERIFY2(tooltip.size() >= 8 && (tooltip.endsWith('.') || tooltip.endsWith(QStringLiteral("。"))), row.id);
    }
  }

  void mnemonics_of_a_menu_differ() {
    QHash<int, QSet<QChar>> taken;
    for (const ActionRow& row : action_table()) {
      const QString text = QString::fromUtf8(row.text);
      const auto at = text.indexOf('&');
      QVERIFY2(at >= 0 && at + 1 < text.size(), row.id);
      const QChar letter = text[at + 1].toLower();
      QVERIFY2(!taken[static_cast<int>(row.menu)].contains(letter), row.id);
      taken[static_cast<int>(row.menu)].insert(letter);
    }
  }

  void icons_exist() {
    for (const ActionRow& row : action_table())
      if (row.icon[0]) QVERIFY2(!themed_icon(QString::fromUtf8(row.icon)).isNull(), row.icon);
  }

  void every_action_is_in_a_menu() {
    Actions actions;
    QSet<QAction*> in_menus;
    for (const MenuId id :
         {MenuId::file, MenuId::edit, MenuId::view, MenuId::arrange, MenuId::colours, MenuId::language, MenuId::help}) {
      QMenu menu;
      actions.fill_menu(&menu, id);
      for (QAction* action : menu.actions()) in_menus.insert(action);
    }
    for (const ActionRow& row : action_table()) QVERIFY2(in_menus.contains(actions[row.id]), row.id);
  }

  void the_tooltip_names_the_key() {
    const Actions actions;
    QVERIFY(actions["export"]->toolTip().contains("Ctrl+E"));
  }
};

HEADLIGHT_WIDGET_TEST(TestActions)

}  // namespace headlight::test_actions

#include "test_actions.moc"
