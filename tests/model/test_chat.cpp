// Chat templates: values and printing by hand, bounds, and everything that the library itself wrote down.

#include <QTest>
#include <chrono>

#include "model/core/json_library.h"
#include "model/io/formats/chat/chat_template.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/text_file.h"
#include "tests/model/io_helpers.h"
#include "tests/model/made_elsewhere.h"
#include "tests/test_program.h"

namespace headlight::test_chat {

using namespace headlight::testing;
using jinja::TemplateError;

namespace {

fs::path material() { return made_elsewhere().parent_path() / "models" / "chat"; }

struct Outcome {
  std::string text, error, message;
};

Outcome rendered(const std::string& source, const Json& variables) {
  jinja::Dict names;
  for (const auto& [name, value] : variables.items()) names.set(name, jinja::Value::from_json(value));
  try {
    return {jinja::render(source, names, "2024-07-06T09:05:03").text, "", ""};
  } catch (const TemplateError& error) {
    return {"", name_of(error.kind), error.what()};
  }
}

ChatRequest request_of(const Json& c) {
  const auto file = [&](const char* folder, const std::string& name) {
    return read_json(material() / folder / (name + ".json"), 1u << 24);
  };
  ChatRequest request;
  request.messages = file("messages", c.at("messages"));
  request.generation_prompt = c.value("generation_prompt", false);
  request.goes_on = c.value("continue", false);
  request.name = c.value("template", "");
  request.now = c.value("now", "2024-07-06T09:05:03");
  if (c.contains("tools")) request.tools = file("tools", c.at("tools"));
  if (c.contains("documents")) request.documents = file("documents", c.at("documents"));
  if (c.contains("set"))
    for (const auto& [key, value] : c.at("set").items()) request.variables.emplace_back(key, value);
  return request;
}

}  // namespace

class TestChat : public QObject {
  Q_OBJECT

 private slots:
  void by_hand_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* name, const char* source, const char* text) {
      QTest::newRow(name) << QString(source) << QString::fromUtf8(text);
    };
    row("a loop keeps what it sets to itself", "{% set a = 1 %}{% for i in [1, 2] %}{% set a = i %}{% endfor %}{{ a }}",
        "1");
    row("a namespace does not",
        "{% set n = namespace(a=0) %}{% for i in [1, 2] %}{% set n.a = n.a + i %}{% endfor %}{{ n.a }}", "3");
    row("newlines behind tags go", "{% if true %}\nx\n{% endif %}\ny", "x\ny");
    row("blanks before a tag go", "a\n   {% if true %}b{% endif %}", "a\nb");
    row("and stay before what prints", "a\n   {{ 'b' }}", "a\n   b");
    row("minus takes all white space", "a \n {{- 'b' -}} \n c", "abc");
    row("Python prints", "{{ [1, 2.0, 'a', none, true, {'k': (1,)}] }}", "[1, 2.0, 'a', None, True, {'k': (1,)}]");
    row("JSON keeps the order", "{{ {'b': 1, 'a': 'é'} | tojson }}", "{\"b\": 1, \"a\": \"é\"}");
    row("what is missing is empty", "[{{ nobody }}{{ user.nothing }}]", "[]");
    row("code points", "{{ 'é👩z' | length }}{{ 'é👩z'[1] }}", "3👩");
    row("a macro of a loop sees the loop",
        "{% for i in [1, 2] %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "12");
    row("what is set in a generation stays there",
        "{% generation %}{% set g = 1 %}{{ g }}{% endgeneration %}{{ g is defined }}", "1False");
    row("a filter that there is not, where it is not used",
        "{% if false %}{{ 1 | nope }}{% endif %}{{ 2 if true else 1 | nope }}", "2");
    row("minus nothing", "{{ -0.0 }}", "-0.0");
    row("sorted by two attributes",
        "{{ [{'a': 1, 'b': 2}, {'a': 1, 'b': 1}] | sort(attribute='a,b') | map(attribute='b') | list }}", "[1, 2]");
    row("whole numbers stay whole", "{{ 1234 | round(-2) }}", "1200");
    row("attributes",
        "{{ {'a': 1, 'b': none, 'c': '<\"'} | xmlattr }}|{{ {'a': 1} | xmlattr(false) }}|{{ {} | xmlattr }}",
        " a=\"1\" c=\"&lt;&#34;\"|a=\"1\"|");  // as jinja2 3.1.6 prints it
    // As jinja2 3.1.6 prints them.
    row("what is escaped is not escaped again", "{{ '<'|e|e }}{{ '<'|safe|e }}{{ '<'|e|forceescape }}",
        "&lt;<&amp;lt;");
    row("what is said to be escaped", "{{ '<'|e is escaped }}{{ '<'|safe is escaped }}{{ '<' is escaped }}",
        "TrueTrueFalse");
    row("what is safe escapes what is added to it",
        "{{ ('<'|e) + '<' }} {{ '<' + ('<'|e) }} {{ ('<'|e) ~ '<' }} {{ (('<'|e) * 2)|e }}",
        "&lt;&lt; &lt;&lt; &lt;< &lt;&lt;");
    row("what stays safe", "{{ '<a>'|e|upper|e }}{{ ' <'|e|trim|e }}{{ 'a<'|e|string|e }}{{ ('<'|e)[0:2]|e }}",
        "&LT;A&GT;&lt;a&lt;&l");
    row("what is safe no more", "{{ '<b>'|e|replace('b','<')|e }}{{ '<'|e|title|e }}{{ ['<'|e]|join|e }}",
        "&amp;lt;&lt;&amp;gt;&amp;lt;&amp;lt;");
    row("attributes that are safe", "{{ {'a': '<'|e, 'b': '<'}|xmlattr }}", " a=\"&lt;\" b=\"&lt;\"");
    row("nothing is escaped", "{% autoescape false %}{{ '<' }}{% endautoescape %}", "<");
    row("a list is not too many arguments", "{{ 'a' % [1] }}", "a");
    row("a short list is left as it is", "{{ [1] | truncate(3) }}", "[1]");
    row("lines with their ends", "{{ 'a\\nb'.splitlines(true) }}{{ 'A Bc'.istitle() }}{{ 'a\\tb'.expandtabs(4) }}",
        "['a\\n', 'b']Truea   b");
    row("macros with a caller", "{% macro m(x) %}<{{ x }}{{ caller() }}>{% endmacro %}{% call m(1) %}!{% endcall %}",
        "<1!>");
    row("filters bind more than ~", "{{ 'a' ~ ' b ' | trim ~ 'c' }}", "abc");
    row("break and continue",
        "{% for i in range(9) %}{% if i == 1 %}{% continue %}{% endif %}{% if i == 4 %}{% break %}{% endif %}{{ i }}{% "
        "endfor %}",
        "023");
  }
  void by_hand() {
    QFETCH(QString, source);
    QFETCH(QString, text);
    const Outcome found = rendered(source.toStdString(), {{"user", {{"name", "Ada"}}}});
    QCOMPARE(QString::fromStdString(found.message), QString());
    QCOMPARE(QString::fromStdString(found.text), text);
  }

  // What HTML is made with, and not done here, is refused by its name.
  void refused_by_name_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("name");
    const auto row = [](const char* source, const char* name) {
      QTest::newRow(name) << QString(source) << QString(name);
    };
    row("{% autoescape true %}{{ '<' }}{% endautoescape %}", "autoescape");
    row("{{ 'www.example.org' | urlize }}", "urlize");
    row("{{ {'a b': 1} | xmlattr }}", "'a b'");
    row("{{ lipsum(1) }}", "lipsum");
    row("{{ 'a' | nope }}", "nope");
    row("{% trans %}a{% endtrans %}", "trans");
    row("{% do 1 %}", "do");
  }
  void refused_by_name() {
    QFETCH(QString, source);
    QFETCH(QString, name);
    const Outcome found = rendered(source.toStdString(), Json::object());
    QVERIFY2(found.message.find(name.toStdString()) != std::string::npos, found.message.c_str());
    QVERIFY2(found.message.find('\n') == std::string::npos, found.message.c_str());
  }

  void lines_of_the_template_are_told() {
    jinja::Dict names;
    const auto made = jinja::render("one\n{{ 'two' }}\n{% for i in [1, 2] %}\n{{ i }}\n{% endfor %}\n", names, "");
    QCOMPARE(QString::fromStdString(made.text), QString("one\ntwo\n1\n2\n"));
    QCOMPARE(made.pieces[0].line, 1);
    QCOMPARE(made.pieces[1].line, 2);
    QCOMPARE(made.pieces[1].begin, std::size_t{4});
  }

  void what_takes_too_much_ends_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("error");
    QTest::newRow("steps") << "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}"
                           << "limit";
    QTest::newRow("text") << "{{ 'abc' * 999999999 }}"
                          << "limit";
    QTest::newRow("depth") << QString("{{ ") + QString(50'000, '(') + "1" + QString(50'000, ')') + " }}"
                           << "limit";
    QTest::newRow("calls") << "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"
                           << "limit";
    QTest::newRow("lists in lists")
        << "{% set n = namespace(l=[1]) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}{% endfor %}{{ n.l }}"
        << "limit";
    QTest::newRow("numbers") << "{{ 9 ** 9 ** 9 }}"
                             << "limit";
    QTest::newRow("hidden names") << "{{ ''.__class__ }}"
                                  << "security";
    QTest::newRow("changing") << "{{ messages.append(1) }}"
                              << "security";
    QTest::newRow("files") << "{% include 'x' %}"
                           << "other";
    QTest::newRow("raised") << "{{ raise_exception('no') }}"
                            << "raised";
    QTest::newRow("undefined") << "{{ nobody.name }}"
                               << "undefined";
    QTest::newRow("syntax") << "{% if true %}"
                            << "syntax";
  }
  void what_takes_too_much_ends() {
    QFETCH(QString, source);
    QFETCH(QString, error);
    const Outcome found = rendered(source.toStdString(), {{"messages", Json::array()}});
    QCOMPARE(QString::fromStdString(found.error), error);
    QVERIFY(found.message.find('\n') == std::string::npos);
  }

  void every_construct_of_the_library() {
    SKIP_WITHOUT_MATERIAL();
    const Json units = read_json(material() / "units.json", 1u << 24);
    Json variables = units.at("variables");
    variables["messages"] = units.at("messages");
    variables["tools"] = variables["documents"] = nullptr;
    for (const Json& unit : units.at("units")) {
      const Outcome found = rendered(unit.at("template"), variables);
      const std::string told = unit.at("template").get<std::string>() + " gives " + found.text + found.message;
      QVERIFY2(found.error == unit.value("error", ""), told.c_str());
      if (found.error.empty()) QVERIFY2(found.text == unit.at("text"), told.c_str());
    }
  }

  void every_folder_of_the_library() {
    SKIP_WITHOUT_MATERIAL();
    int with_spans = 0;
    for (const Json& c : read_json(material() / "cases.json", 1u << 26)) {
      const fs::path folder = material() / "folders" / c.at("folder").get<std::string>();
      const std::string told = c.dump().substr(0, 200);
      const Json error = c.value("error", Json());
      try {
        const Chat chat = ChatTemplates(folder).chat(request_of(c), *open_tokenizer(folder));
        QVERIFY2(error.is_null(), told.c_str());
        QVERIFY2(chat.text == c.at("text"), (told + "\n" + chat.text).c_str());
        Json ids = Json::array(), mask = Json::array();
        for (const auto& token : chat.tokens) ids.push_back(token.id);
        for (const bool inside : chat.assistant_mask) mask.push_back(inside ? 1 : 0);
        QVERIFY2(ids == c.at("ids"), told.c_str());
        if (c.contains("assistant_mask")) QVERIFY2(mask == c.at("assistant_mask"), told.c_str());
        if (!c.contains("spans")) continue;
        ++with_spans;
        QVERIFY2(chat.spans, told.c_str());
        Json spans = Json::array();
        for (const MessageSpan& span : *chat.spans)
          spans.push_back(
              {{"role", span.role}, {"from", span.from}, {"to", span.to}, {"characters", {span.begin, span.end}}});
        QVERIFY2(spans == c.at("spans"), (told + "\n" + spans.dump() + "\n" + c.at("spans").dump()).c_str());
      } catch (const TemplateError& failed) {
        QVERIFY2(!error.is_null() && error.at("kind") == name_of(failed.kind), (told + "\n" + failed.what()).c_str());
        const auto& any = error.at("one_of");
        QVERIFY2(any.empty() || std::any_of(any.begin(), any.end(),
                                            [&](const Json& part) {
                                              return std::string(failed.what()).find(part.get<std::string>()) !=
                                                     std::string::npos;
                                            }),
                 failed.what());
      }
    }
    QVERIFY(with_spans > 50);
  }

  void hostile_templates_end() {
    SKIP_WITHOUT_MATERIAL();
    const Json all = read_json(material() / "hostile" / "hostile.json", 1u << 20);
    for (const auto& [name, wanted] : all.items()) {
      const Outcome found = rendered(read_text_file(material() / "hostile" / (name + ".jinja"), 1u << 24),
                                     {{"messages", Json::array({{{"role", "user"}, {"content", "a"}}})}});
      const auto says = wanted.get<std::string>();
      const bool right = says.starts_with("limit") ? found.error == "limit" || (found.error.empty() && says != "limit")
                                                   : !found.error.empty() && found.error != "limit";
      QVERIFY2(right || (says.ends_with("nothing") && found.text.empty()),
               (name + ": " + found.error + " " + found.message).c_str());
    }
  }
};

HEADLIGHT_TEST(TestChat)

}  // namespace headlight::test_chat

#include "test_chat.moc"
