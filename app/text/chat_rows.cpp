#include "app/text/chat_rows.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QToolButton>
#include <algorithm>

#include "app/parts.h"
#include "app/text/chat_field.h"
#include "model/core/json_library.h"
#include "widgets/base/controls.h"
#include "widgets/base/flow_layout.h"
#include "widgets/base/style.h"
#include "widgets/base/text_marks.h"
#include "widgets/base/tokens.h"
#include "widgets/base/utf8_text.h"
#include "widgets/text/token_text.h"

namespace headlight {

namespace {

constexpr const char* kRoles[] = {"system", "user", "assistant", "tool"};
constexpr int kMostHeight = 260;  // at 100 %; more messages scroll

std::string role_in(const Json& message) {
  const auto found = message.find("role");
  return found != message.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Json message_of(const char* role, const QString& text) {
  Json message = Json::object();
  message["role"] = role;
  message["content"] = text.toStdString();
  return message;
}

// Nothing where it is not a text.
std::optional<QString> text_in(const Json& message) {
  const auto found = message.find("content");
  if (found == message.end() || found->is_null()) return QString();
  return found->is_string() ? std::optional(from_utf8(found->get<std::string>())) : std::nullopt;
}

QString role_name(const std::string& role) {
  const QString name = voice_name(voice_of(role));
  return name.isEmpty() || role == "developer" || role == "model" ? from_utf8(role) : name;
}

}  // namespace

// Whose words the row has, in the colour that they have in every picture.
class VoiceBar : public QWidget {
 public:
  using QWidget::QWidget;
  void set_voice(Voice voice) {
    voice_ = voice;
    update();
  }
  QSize sizeHint() const override { return {space::kTight, space::kTight}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    if (voice_ != Voice::none) QPainter(this).fillRect(rect(), voice_tint(voice_));
  }

 private:
  Voice voice_ = Voice::none;
};

ChatRows::ChatRows(QWidget* parent)
    : QWidget(parent),
      scroll_(new QScrollArea(this)),
      content_(new QWidget),
      template_(new QComboBox(this)),
      prompt_(new QToolButton(this)),
      add_(new QPushButton(this)),
      keep_(new QPushButton(this)),
      why_(new QPushButton(this)),
      seen_(new QPushButton(this)),
      controls_(new QWidget(this)),
      problem_label_(text_label(this)) {
  setObjectName(QStringLiteral("chat"));
  template_->setObjectName(QStringLiteral("chat_template"));
  column_ = column_in(content_, space::kTight);
  answer_row_ = make_answer_row();
  scroll_->setWidget(content_);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setFocusPolicy(Qt::NoFocus);
  scroll_->viewport()->setBackgroundRole(QPalette::Base);
  content_->setBackgroundRole(QPalette::Base);
  QVBoxLayout* all = column_in(this, space::kTight);
  all->addWidget(scroll_);
  all->addWidget(problem_label_);
  problem_label_->hide();
  set_ink(problem_label_, &Tokens::bad);
  make_controls();
  hide();
  retranslate();
  on_language(this, [this] { retranslate(); });
  theme().restyles(this, [this] { fit(); });
}

void ChatRows::make_controls() {
  auto* line = new FlowLayout(controls_, space::kSmall, space::kTight);
  prompt_->setCheckable(true);
  prompt_->setFocusPolicy(Qt::TabFocus);
  for (QWidget* each : std::initializer_list<QWidget*>{add_, keep_, why_, seen_, prompt_, template_})
    line->addWidget(each);
  controls_->hide();
  connect(add_, &QPushButton::clicked, this, [this] { add_below(count() - 1); });
  connect(keep_, &QPushButton::clicked, this, &ChatRows::keep_answer);
  connect(why_, &QPushButton::clicked, this, [this] { emit view_wanted(QStringLiteral("choosing")); });
  connect(seen_, &QPushButton::clicked, this, [this] { emit view_wanted(QStringLiteral("kv-cache")); });
  connect(prompt_, &QToolButton::clicked, this, [this](bool on) { set_key("generation_prompt", on); });
  connect(template_, &QComboBox::activated, this,
          [this](int at) { set_key("template", template_->itemData(at).toString().toStdString()); });
}

Json ChatRows::chat_of_text(const QString& text) {
  Json chat = Json::object(), messages = Json::array();
  messages.push_back(message_of("user", text));
  chat["messages"] = std::move(messages);
  chat["generation_prompt"] = true;
  return chat;
}

ChatField* ChatRows::field(int row) const { return rows_.at(static_cast<std::size_t>(row)).text; }
QComboBox* ChatRows::role(int row) const { return rows_.at(static_cast<std::size_t>(row)).role; }

Json ChatRows::messages() const {
  const auto found = chat_->find("messages");
  return found != chat_->end() && found->is_array() ? *found : Json::array();
}

void ChatRows::set_model(const ModelBundle& model) {
  template_->clear();
  const std::vector<std::string> names = model.chat ? model.chat->names() : std::vector<std::string>();
  template_->addItem(tr("template: as it is asked for"), QString());
  for (const std::string& name : names) template_->addItem(from_utf8(name), from_utf8(name));
  has_templates_ = !names.empty();
  template_->setVisible(names.size() > 1);
}

void ChatRows::set_chat(const std::optional<SharedJson>& chat) {
  const bool shown = chat.has_value();
  if (chat) chat_ = *chat;
  if (shown) show_rows();
  if (shown == !isHidden()) return;
  setVisible(shown);
  controls_->setVisible(shown);
  emit shownChanged();
}

ChatRows::Row ChatRows::make_row() {
  Row row;
  row.box = new QWidget(content_);
  QHBoxLayout* line = row_in(row.box, space::kSmall);
  line->addWidget(row.bar = new VoiceBar(row.box));
  line->addWidget(row.role = new QComboBox(row.box), 0, Qt::AlignTop);
  line->addWidget(row.text = new ChatField(row.box), 1);
  row.bar->setFixedWidth(space::kTight);
  for (const auto& [button, sign] : {std::pair(&row.up, Sign::up), {&row.down, Sign::down}, {&row.remove, Sign::close}})
    line->addWidget(*button = sign_button(row.box, sign), 0, Qt::AlignTop);
  column_->insertWidget(static_cast<int>(rows_.size()), row.box);  // before the answer
  ChatField* text = row.text;
  connect(text, &ChatField::fitted, this, &ChatRows::fit_soon);
  connect(text, &ChatField::edited, this, [this, text](const QString& said) { say(row_of(text), said); });
  connect(text, &ChatField::next_wanted, this, [this, text] { enter(row_of(text)); });
  connect(text, &ChatField::moved, this, [this, text](int by) { move(row_of(text), by); });
  connect(text, &ChatField::removal_wanted, this, [this, text] { remove(row_of(text)); });
  connect(text, &ChatField::neighbour, this, [this, text](int by) { focus(row_of(text) + by); });
  connect(row.role, &QComboBox::activated, this,
          [this, role = row.role](int at) { give(row_of(role), role->itemData(at).toString()); });
  connect(row.up, &QToolButton::clicked, this, [this, text] { move(row_of(text), -1); });
  connect(row.down, &QToolButton::clicked, this, [this, text] { move(row_of(text), 1); });
  connect(row.remove, &QToolButton::clicked, this, [this, text] { remove(row_of(text)); });
  return row;
}

// What the model says stands below what was said to it, and is read, not written.
ChatRows::Row ChatRows::make_answer_row() {
  Row row;
  row.box = new QWidget(content_);
  QHBoxLayout* line = row_in(row.box, space::kSmall);
  line->addWidget(row.bar = new VoiceBar(row.box));
  line->addWidget(row.name = new QLabel(row.box), 0, Qt::AlignTop);
  line->addWidget(row.text = new ChatField(row.box), 1);
  row.bar->setFixedWidth(space::kTight);
  row.bar->set_voice(Voice::assistant);
  row.name->setContentsMargins(space::kSmall, space::kTight, 0, 0);
  row.text->setReadOnly(true);
  connect(row.text, &ChatField::fitted, this, &ChatRows::fit_soon);
  column_->addWidget(row.box);
  row.box->hide();
  return row;
}

void ChatRows::set_answer(const QString& answer) {
  if (answer == answer_row_.text->toPlainText()) return;
  answer_row_.text->set_text(answer);
  show_answer();
}

void ChatRows::set_writing(bool writing) { answer_row_.text->set_growing(writing); }

void ChatRows::show_answer() {
  const bool shown = !answer_row_.text->document()->isEmpty();
  if (!rows_.empty()) answer_row_.name->setFixedWidth(rows_.front().role->sizeHint().width());
  if (shown == answer_row_.box->isHidden()) answer_row_.box->setVisible(shown);
  fit_soon();
}

int ChatRows::row_of(const QObject* part) const {
  const auto found =
      std::ranges::find_if(rows_, [part](const Row& row) { return row.text == part || row.role == part; });
  return found == rows_.end() ? -1 : static_cast<int>(found - rows_.begin());
}

void ChatRows::show_rows() {
  showing_ = true;
  const Json messages = this->messages();
  const std::size_t count = std::min<std::size_t>(messages.size(), kMostMessages);
  while (rows_.size() < count) rows_.push_back(make_row());
  while (rows_.size() > count) {
    rows_.back().box->hide();
    rows_.back().box->deleteLater();
    rows_.pop_back();
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Row& row = rows_[i];
    const std::string role = role_in(messages[i]);
    row.role->clear();
    for (const char* each : kRoles) row.role->addItem(role_name(each), QString::fromLatin1(each));
    if (row.role->findData(from_utf8(role)) < 0) row.role->addItem(role_name(role), from_utf8(role));
    row.role->setCurrentIndex(row.role->findData(from_utf8(role)));
    row.bar->set_voice(voice_of(role));
    const std::optional<QString> text = text_in(messages[i]);
    row.text->setReadOnly(!text);  // parts of a message, not a text
    row.text->set_text(text ? *text : from_utf8(messages[i]["content"].dump()));
    row.up->setEnabled(i > 0);
    row.down->setEnabled(i + 1 < count);
    row.text->setAccessibleName(tr("Message %1, %2").arg(i + 1).arg(role_name(role)));
    row.role->setAccessibleName(tr("Who says message %1").arg(i + 1));
    row.text->setPlaceholderText(i + 1 == count ? tr("Say something") : QString());
    row.text->setToolTip(tr(
        "Enter: the answer stays, and you go on; above the last message, another one. Shift+Enter: a new line. Alt+Up, "
        "Alt+Down: moves it. Backspace in an empty one removes it."));
    name_button(row.up, tr("Move message %1 up").arg(i + 1));
    name_button(row.down, tr("Move message %1 down").arg(i + 1));
    name_button(row.remove, tr("Remove message %1").arg(i + 1));
  }
  prompt_->setChecked(chat_->value("generation_prompt", false));
  if (const int at = template_->findData(from_utf8(chat_->value("template", std::string()))); at >= 0)
    template_->setCurrentIndex(at);
  showing_ = false;
  fit_soon();
}

void ChatRows::fit_soon() {
  if (std::exchange(fitting_, true)) return;
  QMetaObject::invokeMethod(
      this,
      [this] {  // before anything is painted
        fitting_ = false;
        if (!isHidden()) fit();
      },
      Qt::QueuedConnection);
}

// As high as the messages, within bounds.
void ChatRows::fit() {
  column_->activate();
  const int high = content_->sizeHint().height();
  const int most = static_cast<int>(kMostHeight * theme().font_scale());
  if (std::min(high, most) == scroll_->height() && scroll_->minimumHeight() == scroll_->maximumHeight()) return;
  scroll_->setFixedHeight(std::min(high, most));
  updateGeometry();
  emit shownChanged();
}

void ChatRows::change(Json messages, int focused) {
  Json chat = *chat_;
  chat["messages"] = std::move(messages);
  emit edited(SharedJson(chat), {});
  if (focused >= 0) focus(focused);
}

void ChatRows::set_key(const char* key, const Json& value) {
  Json chat = *chat_;
  if (value.is_string() && value.get<std::string>().empty())
    chat.erase(key);
  else
    chat[key] = value;
  emit edited(SharedJson(chat), {});
}

// Whoever speaks next: the assistant behind a user, else the user.
void ChatRows::add_below(int row) {
  Json messages = this->messages();
  if (count() >= kMostMessages) return;
  const bool user = row >= 0 && role_in(messages[static_cast<std::size_t>(row)]) == "user";
  messages.insert(messages.begin() + row + 1, message_of(user ? "assistant" : "user", {}));
  change(std::move(messages), row + 1);
}

void ChatRows::move(int row, int by) {
  Json messages = this->messages();
  const int to = row + by;
  if (row < 0 || to < 0 || to >= count()) return;
  std::swap(messages[static_cast<std::size_t>(row)], messages[static_cast<std::size_t>(to)]);
  change(std::move(messages), to);
}

void ChatRows::remove(int row) {
  if (row < 0) return;
  Json messages = this->messages();
  messages.erase(static_cast<std::size_t>(row));
  change(std::move(messages), std::min(row, count() - 2));
}

void ChatRows::say(int row, const QString& text) {
  if (showing_ || row < 0) return;
  Json chat = *chat_;
  chat["messages"][static_cast<std::size_t>(row)]["content"] = text.toStdString();
  emit edited(SharedJson(chat), QString::number(row));
}

void ChatRows::give(int row, const QString& role) {
  if (row < 0) return;
  Json messages = this->messages();
  messages[static_cast<std::size_t>(row)]["role"] = role.toStdString();
  change(std::move(messages), -1);
}

// As in every chat: what was said last is answered, and it is the user's turn. Elsewhere a message comes between.
void ChatRows::enter(int row) {
  const Json messages = this->messages();
  const bool asked = row >= 0 && row + 1 == count() && role_in(messages[static_cast<std::size_t>(row)]) == "user" &&
                     text_in(messages[static_cast<std::size_t>(row)]).value_or(QString()) != QString();
  if (asked && !answer_.isEmpty()) return keep_answer();
  add_below(row);
}

// It becomes what the assistant said, and the user can go on.
void ChatRows::keep_answer() {
  if (answer_.isEmpty() || count() + 2 > kMostMessages) return;
  Json messages = this->messages();
  messages.push_back(message_of("assistant", answer_));
  messages.push_back(message_of("user", {}));
  const int last = static_cast<int>(messages.size()) - 1;
  change(std::move(messages), last);
}

void ChatRows::focus(int row) {
  if (row < 0 || row >= count()) return;
  field(row)->setFocus(Qt::OtherFocusReason);
  scroll_->ensureWidgetVisible(field(row));
}

void ChatRows::focus_last() { focus(count() - 1); }

void ChatRows::set_result(const Result& result) {
  answer_ = result.chat_text ? from_utf8(result.output).trimmed() : QString();
  for (QPushButton* each : {keep_, why_, seen_}) each->setEnabled(!answer_.isEmpty());
  set_problem({});
}

void ChatRows::set_problem(const QString& problem) {
  if (problem == problem_) return;
  problem_ = problem;
  problem_label_->setText(problem.isEmpty() ? QString() : tr("The chat template: %1").arg(problem));
  problem_label_->setVisible(!problem.isEmpty());
  updateGeometry();
  emit shownChanged();
}

void ChatRows::retranslate() {
  add_->setText(tr("Add a message"));
  keep_->setText(tr("Keep the answer"));
  keep_->setToolTip(tr("The answer of the model becomes what the assistant said, and you say what comes next."));
  why_->setText(tr("Why these words?"));
  why_->setToolTip(tr("Choosing: how each word of the answer was chosen, and what would have come instead."));
  seen_->setText(tr("What it still sees"));
  seen_->setToolTip(tr("The KV cache: what is kept of each word, of the first message as well."));
  answer_row_.name->setText(voice_name(Voice::assistant));
  answer_row_.text->setAccessibleName(tr("The answer of the model"));
  prompt_->setText(tr("Generation prompt"));
  prompt_->setToolTip(tr("The text ends with what begins an answer, so that the model writes one."));
  template_->setAccessibleName(tr("Chat template"));
  if (template_->count() > 0) template_->setItemText(0, tr("template: as it is asked for"));
  if (!isHidden()) show_rows();
}

}  // namespace headlight
