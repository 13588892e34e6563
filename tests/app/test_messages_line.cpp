// A message is a line between the texts and the names of the pictures: it pushes the picture and covers nothing. The
// progress of a long run stands with its Stop at the right end of the caption.

#include <QLabel>
#include <QProgressBar>
#include <QTest>
#include <QThread>
#include <QToolButton>
#include <atomic>

#include "app/language.h"
#include "app/panels/message_banner.h"
#include "app/stage/name_row.h"
#include "app/stage/stage.h"
#include "app/text/source_bar.h"
#include "app/window/main_window.h"
#include "model/core/cancel.h"
#include "tests/app/fixture.h"
#include "tests/test_program.h"
#include "widgets/views/alignment/alignment_view.h"

namespace headlight::test_messages_line {

class TestMessagesLine : public QObject {
  Q_OBJECT

  std::unique_ptr<MainWindow> window_;
  std::atomic<bool> slow_ = false;

  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!window_->worker().busy(), 30000);
    for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  }
  QRect place(const QWidget* widget) { return QRect(widget->mapTo(window_.get(), QPoint()), widget->size()); }

 private slots:
  void initTestCase() { load_resources(); }
  void init() {
    slow_ = false;
    window_ = std::make_unique<MainWindow>(MainWindow::Remember::no, [this](const Request& request) {
      while (slow_) {
        request.cancel.check();
        QThread::msleep(5);
      }
      return run(request);
    });
    Document document;
    document.model = small_model();
    document.source = "May 5, 2001";
    window_->resize(1280, 800);
    window_->start(document);
    window_->show();
    QVERIFY(QTest::qWaitForWindowExposed(window_.get()));
    settle();
  }
  void cleanup() {
    slow_ = false;
    window_.reset();
  }

  void a_message_pushes_the_picture() {
    const QWidget* picture = window_->views().alignment();
    const QRect before = place(picture);
    window_->views().say("The disk is full, and nothing was written.", "Make room, and try again.");
    settle();
    const QWidget* banner = window_->views().banner();
    const QRect message = place(banner);
    QVERIFY(banner->isVisible() && message.width() == window_->width());
    QVERIFY(message.top() >= place(window_->views().source_bar()).bottom());
    QVERIFY(message.bottom() <= place(window_->panels().stage()->names()).top());
    QVERIFY(place(picture).top() > before.top() && place(picture).bottom() <= before.bottom() + 1);
    for (const QLabel* label : banner->findChildren<QLabel*>())
      if (label->isVisible()) QVERIFY(label->height() >= label->heightForWidth(label->width()));
    QTest::keyClick(window_->focusWidget(), Qt::Key_Escape);
    settle();
    QCOMPARE(place(picture), before);
  }

  void a_long_run_shows_its_progress_at_the_end_of_the_caption() {
    auto* progress = window_->status().findChild<QProgressBar*>();
    QVERIFY(!progress->isVisible());
    slow_ = true;
    window_->session().set_source("6/7/99");
    QTRY_VERIFY_WITH_TIMEOUT(progress->isVisible(), 10000);
    QToolButton* stop = nullptr;
    for (QToolButton* button : window_->status().findChildren<QToolButton*>())
      if (button->defaultAction() == window_->actions()["stop"]) stop = button;
    QVERIFY(stop && stop->isVisible());
    QVERIFY(place(progress).left() > window_->width() / 2 && place(stop).left() >= place(progress).right());
    QVERIFY(window_->views().alignment()->map_shown());  // the last good picture stays
    QTest::mouseClick(stop, Qt::LeftButton);
    QTRY_VERIFY(!progress->isVisible() && !stop->isVisible());
    QCOMPARE(window_->result()->source, std::string("May 5, 2001"));
  }
};

HEADLIGHT_WIDGET_TEST(TestMessagesLine)

}  // namespace headlight::test_messages_line

#include "test_messages_line.moc"
