#include "app/stage/pictures_popup.h"

#include <QAbstractButton>
#include <QAction>
#include <QKeyEvent>
#include <QPainter>
#include <QScreen>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "app/jobs/side_runs.h"
#include "app/parts.h"
#include "app/stage/first_selection.h"
#include "app/stage/view_table.h"
#include "widgets/base/ink.h"
#include "widgets/base/selection.h"
#include "widgets/base/shaped_text.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/base/view_requests.h"
#include "widgets/canvas/analysed_run.h"
#include "widgets/views/compare/compare_view.h"

namespace headlight {

namespace {

constexpr int kWide = 224, kHigh = 126;  // of a small picture
constexpr QSize kDrawnAt(680, 384);      // the size that a view has for it
constexpr int kMostColumns = 4;
constexpr int kWords = static_cast<int>(Qt::AlignLeft | Qt::AlignTop) | Qt::TextWordWrap;

}  // namespace

// The view alone, with a selection of its own: the one in the window stays as it is. (A window of its own would close
// the list that is open.)
struct SmallView {
  SmallView(const ViewRow& row, QWidget* out_of_sight)
      : view(row.make({&selection, &requests}, out_of_sight)), ratio(out_of_sight->devicePixelRatioF()) {
    view->widget()->resize(kDrawnAt);
  }
  void take(const std::shared_ptr<const AnalysedRun>& run) {
    view->take(run);
    view->widget()->show();
    QCoreApplication::sendPostedEvents(view->widget());
  }
  QPixmap picture() const {
    const Figure figure = view->figure();
    const double scale = std::min(double(kWide) / figure.size.width(), double(kHigh) / figure.size.height());
    QPixmap picture(QSize(kWide, kHigh) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Theme::instance().background());
    QPainter painter(&picture);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    painter.translate((kWide - scale * figure.size.width()) / 2, (kHigh - scale * figure.size.height()) / 2);
    painter.scale(scale, scale);
    painter.setClipRect(QRect(QPoint(), figure.size));
    figure.paint(painter);
    return picture;
  }

  Selection selection;
  ViewRequests requests;
  std::unique_ptr<ResultView> view;
  double ratio;
};

class PictureButton : public QAbstractButton {
 public:
  PictureButton(const NameRow::Name& name, bool front, QWidget* parent)
      : QAbstractButton(parent), name_(name), front_(front) {
    setText(name.title);
    setAccessibleName(name.title);
    setAccessibleDescription(name.help);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setFixedSize(kWide + 2 * space::kSmall, kHigh + 3 * space::kTight + words_height() + 2 * space::kSmall);
  }
  const NameRow::Name& name() const { return name_; }
  void set_picture(const QPixmap& picture) {
    picture_ = picture;
    update();
  }
  void set_reason(const QString& why) {
    picture_ = {};
    why_ = why;
    update();
  }
  bool has_picture() const { return !picture_.isNull(); }

 protected:
  void paintEvent(QPaintEvent*) override {
    const Tokens& t = tokens();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame(space::kSmall, space::kSmall, kWide, kHigh);
    if (underMouse()) draw_box(painter, rect(), radius::kButton, QPen(Qt::NoPen), t.well);
    painter.fillRect(frame, Theme::instance().background());
    if (has_picture()) painter.drawPixmap(frame.topLeft(), picture_);
    if (!has_picture())
      write(painter, frame.adjusted(space::kSmall, 0, -space::kSmall, 0), Qt::AlignCenter | Qt::TextWordWrap, why_,
            small(), t.ink2);
    draw_box(painter, frame, radius::kCell, QPen(front_ ? t.ink : t.line, front_ ? 2 : 1));
    const QRect first(space::kSmall, kHigh + space::kSmall + space::kTight, kWide,
                      QFontMetrics(strong_font()).height());
    write(painter, first, kLeft, text(), strong_font(), t.ink);
    const QString key = name_.go_to ? name_.go_to->shortcut().toString(QKeySequence::NativeText) : QString();
    write(painter, first, kRight, key, small(), t.ink2);
    draw_text(painter, QRect(space::kSmall, first.bottom() + 1, kWide, height()), kWords, name_.help);
  }

 private:
  static QFont small() { return Theme::instance().ui_font(type::kSource); }
  int words_height() const {
    return QFontMetrics(strong_font()).height() +
           QFontMetrics(small()).boundingRect(QRect(0, 0, kWide, 1000), kWords, name_.help).height();
  }

  NameRow::Name name_;
  bool front_;
  QPixmap picture_;
  QString why_;
};

PicturesPopup::PicturesPopup(QWidget* parent)
    : QFrame(parent, Qt::Popup), scroll_(new QScrollArea(this)), out_of_sight_(new QWidget(this)) {
  setObjectName(QStringLiteral("small_pictures"));
  setFrameShape(QFrame::StyledPanel);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll_->setBackgroundRole(QPalette::Base);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::kSmall, space::kSmall, space::kSmall, space::kSmall);
  column->addWidget(scroll_);
  out_of_sight_->setGeometry(QRect(QPoint(-10 * kDrawnAt.width(), 0), kDrawnAt));
  drawing_.setInterval(0);
  connect(&drawing_, &QTimer::timeout, this, &PicturesPopup::draw_next);
  ensurePolished();
}

void PicturesPopup::open_below(QWidget* anchor, const QList<NameRow::Name>& names, const QString& front) {
  names_ = names;
  comparing_.reset();
  buttons_.clear();
  auto* content = new QWidget;
  content->setBackgroundRole(QPalette::Base);
  const QWidget* window = anchor->window();
  int widest = 0, y = 0, count = 0, row_height = 0;
  for (const NameRow::Name& name : names) {
    buttons_.push_back(new PictureButton(name, name.name == front, content));
    connect(buttons_.back(), &QAbstractButton::clicked, this, [this, name = name.name] { choose(name); });
    widest = std::max(widest, buttons_.back()->width());
  }
  const int room = window->width() - 2 * space::kMargin;
  columns_ =
      std::clamp(room / std::max(widest, 1), 1, std::min(kMostColumns, std::max(1, static_cast<int>(names.size()))));
  for (PictureButton* button : buttons_) {
    button->move(count % columns_ * widest, y);
    row_height = std::max(row_height, button->height());
    if (++count % columns_ == 0) y += std::exchange(row_height, 0);
  }
  content->setFixedSize(columns_ * widest, y + row_height);
  scroll_->setWidget(content);
  const int around = 2 * (space::kSmall + frameWidth()), bar = 14;
  const QRect screen = anchor->screen()->availableGeometry();
  QPoint at = anchor->mapToGlobal(QPoint(0, anchor->height() + space::kTight));
  const int high = std::min(content->height() + around, screen.bottom() - at.y() - space::kSmall);
  const int wide = content->width() + around + (high < content->height() + around ? bar : 0);
  const int left = window->mapToGlobal(QPoint(space::kMargin, 0)).x();
  at.setX(std::max(left, std::min(at.x(), left + room - wide)));
  setGeometry(QRect(at, QSize(wide, std::max(high, 120))));
  show();
  for (PictureButton* button : buttons_)
    if (button->name().name == front || button == buttons_.front()) button->setFocus(Qt::PopupFocusReason);
  next_ = 0;
  drawing_.start();
}

void PicturesPopup::set_run(std::shared_ptr<const AnalysedRun> run) {
  run_ = std::move(run);
  if (!isVisible()) return;
  next_ = 0;
  drawing_.start();
}

PicturesPopup::~PicturesPopup() = default;

void PicturesPopup::draw(PictureButton* button, const ViewRow& row) {
  auto small = std::make_unique<SmallView>(row, out_of_sight_);
  if (row.name != std::string_view("alignment") && row.name != std::string_view("outputs"))
    small->selection.set(first_selection(*run_->result()));
  auto* compare = dynamic_cast<CompareView*>(small->view.get());
  if (compare && side_runs_) side_runs_->serve(compare);
  small->take(run_);
  if (!compare || compare->shown_reference()) return button->set_picture(small->picture());
  connect(compare, &CompareView::pairChanged, button, [this, button, compare] {
    if (comparing_ && isVisible() && compare->shown_reference()) button->set_picture(comparing_->picture());
  });
  comparing_ = std::move(small);
  button->set_picture(comparing_->picture());  // or says what it waits for
}

void PicturesPopup::draw_next() {
  if (next_ >= buttons_.size() || !run_) return drawing_.stop();
  PictureButton* button = buttons_[next_++];
  for (const ViewRow& row : view_table()) {
    if (button->name().name != QLatin1String(row.name)) continue;
    try {
      draw(button, row);
    } catch (const Error& error) {
      button->set_reason(from_utf8(error.what()));  // nothing to show of this run alone
    }
  }
}

QStringList PicturesPopup::shown() const {
  QStringList names;
  for (const PictureButton* button : buttons_) names << button->name().name;
  return names;
}

bool PicturesPopup::has_picture(const QString& name) const {
  return std::ranges::any_of(
      buttons_, [&](const PictureButton* button) { return button->name().name == name && button->has_picture(); });
}

void PicturesPopup::choose(const QString& name) {
  hide();
  emit chosen(name);
}

void PicturesPopup::keyPressEvent(QKeyEvent* event) {
  // A list that is open has the keyboard alone; the keys of the pictures mean the same in it.
  for (const NameRow::Name& name : names_)
    if (name.go_to && name.go_to->shortcut() == QKeySequence(event->keyCombination())) return choose(name.name);
  const auto now = std::ranges::find_if(buttons_, [](const PictureButton* button) { return button->hasFocus(); });
  const int at = static_cast<int>(now - buttons_.begin()), count = static_cast<int>(buttons_.size());
  int to = at;
  switch (event->key()) {
    case Qt::Key_Right:
      to = at + 1;
      break;
    case Qt::Key_Left:
      to = at - 1;
      break;
    case Qt::Key_Down:
      to = at + columns_;
      break;
    case Qt::Key_Up:
      to = at - columns_;
      break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (at < count) choose(buttons_[static_cast<std::size_t>(at)]->name().name);
      return;
    default:
      return QFrame::keyPressEvent(event);  // Esc closes it
  }
  if (to < 0 || to >= count) return;
  buttons_[static_cast<std::size_t>(to)]->setFocus(Qt::OtherFocusReason);
  scroll_->ensureWidgetVisible(buttons_[static_cast<std::size_t>(to)]);
}

void PicturesPopup::hideEvent(QHideEvent* event) {
  QFrame::hideEvent(event);
  drawing_.stop();
  comparing_.reset();
}

}  // namespace headlight
