// One way to write on the screen: widgets/base/shaped_text.h, where each text is shaped once. Found by reading the
// sources.
#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include "tests/test_program.h"

namespace headlight::test_text_drawing {

class TestTextDrawing : public QObject {
  Q_OBJECT

 private slots:
  void texts_are_drawn_in_one_place() {
    // Papers are written once, and lessons do not change while somebody types.
    const QStringList others = {"widgets/base/shaped_text.cpp", "app/window/export.cpp"};
    static const QRegularExpression drawn(QStringLiteral("[.>](drawText|drawStaticText|elidedText)\\("));
    QStringList found;
    int read = 0;
    for (const char* folder : {"widgets", "app"}) {
      QDirIterator files(QString::fromUtf8(folder), {"*.cpp", "*.h"}, QDir::Files, QDirIterator::Subdirectories);
      while (files.hasNext()) {
        const QString name = files.next();
        if (others.contains(name) || name.startsWith("app/classroom/")) continue;
        QFile file(name);
        QVERIFY(file.open(QIODevice::ReadOnly));
        ++read;
        if (drawn.match(QString::fromUtf8(file.readAll())).hasMatch()) found << name;
      }
    }
    QVERIFY(read > 200);
    QVERIFY2(found.isEmpty(), qPrintable(found.join(", ")));
  }
};

HEADLIGHT_CORE_TEST(TestTextDrawing)

}  // namespace headlight::test_text_drawing

#include "test_text_drawing.moc"
