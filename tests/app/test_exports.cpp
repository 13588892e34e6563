// Exported files, read as what they are: SVG as XML, PDF object by object, CSV by RFC 4180, npz by Python's zipfile.
// (GIF: test_stepping_animation.cpp.)

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>
#include <algorithm>
#include <cmath>

#include "app/stage/view_table.h"
#include "model/decode/run.h"
#include "model/io/model_folder.h"
#include "tests/app/program.h"
#include "tests/test_program.h"

namespace headlight::test_exports {

namespace {

using testing::Outcome;
using testing::run_program;

// What a picture of a view has to say, in words that somebody can search and copy. Pictures of numbers as cells may be
// images inside of it; texts may not.
struct Picture {
  const char *view, *model, *source;
  std::vector<const char*> english, chinese;
  const char* edits = "";
};

const Picture kPictures[] = {
    {"alignment", "date-attention", "AUGUST 23, 1983", {"source", "output", "AUGUST"}, {"原文", "输出", "AUGUST"}},
    {"heads",
     "date-transformer",
     "AUGUST 23, 1983",
     {"head 1", "head 4", "layer 2", "entropy"},
     {"第 1 头", "第 4 头", "第 2 层", "熵"}},
    {"ribbons", "masked-bert", "the keys [MASK] lost.", {"keys", "[MASK]", "looks"}, {"keys", "[MASK]", "看哪里"}},
    {"positions", "copy-transformer", "a b c d", {"neighbours are equally alike"}, {"模型的正弦位置编码"}},
    {"query-key", "date-transformer", "AUGUST 23, 1983", {"The score", "Its share"}, {"得分", "所得权重"}},
    {"local-window",
     "toy-mt-local",
     "the girl sees the big red house",
     {"girl", "red", "comes through"},
     {"girl", "red", "份额"}},
    {"score-parts",
     "reverse-transformer",
     "31415926",
     {"token · token", "position · position"},
     {"词元·词元", "位置·位置"}},
    {"gradients", "grammar-bahdanau", "the cat sleeps .", {"embedding", "sleeps"}, {"嵌入", "sleeps"}},
    {"cone", "grammar-convs2s", "they see him.", {"convolution 4", "him"}, {"卷积 4", "him"}},
    {"memory", "copy-ntm", "Hello", {"writes there", "stay as they were"}, {"先写下来", "读到的词元"}},
    {"states", "grammar-bahdanau", "the cat sleeps .", {"update gate", "sleeps"}, {"更新门", "sleeps"}},
    {"merges", "tatoeba-transformer", "I read a book.", {"book", "is one token"}, {"book", "是一个词元"}},
    {"outputs", "grammar-bahdanau", "the cat sleeps .", {"<eos>", "chat"}, {"<eos>", "chat"}},
    {"choosing", "story-gpt", "anna sees tom in the", {"stage by stage", "Branches kept"}, {"逐个阶段", "保留的分支"}},
    {"experts",
     HEADLIGHT_TEST_DATA "/families/granitemoe",
     "def add(a, b):",
     {"router logit", "length of its output"},
     {"路由 logit", "份额"}},
    {"kv-cache",
     "story-gpt",
     "anna sees tom in the",
     {"layer 2", "float16", "a window of"},
     {"第 2 层", "float16", "的窗口"}},
    {"cost",
     "date-attention",
     "AUGUST 23, 1983",
     {"steps that wait for one another", "encoder"},
     {"步要依次等待", "编码器"}},
    {"map", "date-attention", "AUGUST 23, 1983", {"Encoder", "what each step takes"}, {"编码器", "每一步取用什么"}},
    {"origins", "date-attention", "AUGUST 23, 1983", {"Cut it", "how it got there"}, {"切断", "怎样到达"}},
    {"mechanism", "date-attention", "AUGUST 23, 1983", {"Score", "Temperature"}, {"得分", "温度"}},
    {"compare", "date-dot", "AUGUST 23, 1983", {"AUGUST"}, {"AUGUST"}, "decoder.step[5].attention.weights[3]~0.9"},
    {"history",
     "toy-mt-luong",
     "the girl sees the red house",
     {"2014 · Bahdanau", "girl"},
     {"2014 · Bahdanau", "girl"}},
    {"help", "date-attention", "AUGUST 23, 1983", {"AUGUST", "attention"}, {"AUGUST", "注意力"}},
    {"steps", "date-attention", "AUGUST 23, 1983", {"output probabilities"}, {"输出概率"}},
    {"explain", "date-attention", "AUGUST 23, 1983", {"Compare", "Share out"}, {"比较", "分配"}},
    {"values", "date-attention", "AUGUST 23, 1983", {"decoder.init.h"}, {"初始隐藏状态"}},
    {"texts", "date-attention", "AUGUST 23, 1983", {"No texts yet"}, {"还没有文本"}},
    {"inspector", "date-attention", "AUGUST 23, 1983", {"29 terms"}, {"29 项"}},
    {"differences",
     "date-attention",
     "AUGUST 23, 1983",
     {"Initial hidden state times 2"},
     {"初始隐藏状态"},
     "decoder.init.h*2"},
};

QByteArray content_of(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

struct Svg {
  QString problem, text;     // all texts, one behind the other: a word of two fonts is in several pieces
  double largest_image = 0;  // its share of the picture
};

Svg read_svg(const QByteArray& bytes) {
  Svg found;
  QXmlStreamReader xml(bytes);
  QSizeF size;
  while (!xml.atEnd()) {
    if (xml.readNext() != QXmlStreamReader::StartElement) continue;
    const auto attributes = xml.attributes();
    const auto number = [&](const char* name) { return attributes.value(QLatin1String(name)).toDouble(); };
    if (xml.namespaceUri() != QLatin1String("http://www.w3.org/2000/svg")) found.problem = "an element outside of SVG";
    if (xml.name() == QLatin1String("svg")) {
      const QStringList box = attributes.value("viewBox").toString().split(' ');
      if (box.size() == 4) size = {box[2].toDouble(), box[3].toDouble()};
    } else if (xml.name() == QLatin1String("image")) {
      const double share = number("width") * number("height") / (size.width() * size.height());
      found.largest_image = std::max(found.largest_image, share);
    } else if (xml.name() == QLatin1String("text")) {
      found.text += xml.readElementText(QXmlStreamReader::IncludeChildElements);
    }
  }
  if (xml.hasError()) found.problem = xml.errorString();
  if (size.isEmpty()) found.problem = "there is no viewBox";
  return found;
}

// The objects of a PDF: each by its number, what stands before the stream, and the stream as it was before compression.
struct PdfObject {
  QByteArray head, stream;
};

std::map<int, PdfObject> read_pdf(const QByteArray& bytes) {
  std::map<int, PdfObject> objects;
  // Where they are is at the end: xref, its place behind "startxref".
  const qsizetype start = bytes.lastIndexOf("startxref");
  QList<QByteArray> lines = bytes.mid(bytes.mid(start + 9).trimmed().split('\n').at(0).toLongLong()).split('\n');
  if (lines.size() < 3 || lines[0].trimmed() != "xref") return {};
  const int count = lines[1].trimmed().split(' ').at(1).toInt();
  std::map<int, QByteArray> raw;
  for (int i = 1; i < count; ++i) {
    const qsizetype at = lines.value(2 + i).left(10).toLongLong();
    const QByteArray name = QByteArray::number(i) + " 0 obj";
    if (bytes.mid(at, name.size()) != name) return {};
    raw[i] = bytes.mid(at + name.size());
  }
  const auto number_of = [&](const QByteArray& head, const char* key) -> qsizetype {
    static const QRegularExpression reference("^\\s*(\\d+) 0 R");
    const QByteArray value = head.mid(head.indexOf(key) + qsizetype(qstrlen(key)));
    const auto other = reference.match(QString::fromLatin1(value.left(20)));
    return other.hasMatch() ? raw[other.captured(1).toInt()].trimmed().split('\n').at(0).toLongLong()
                            : value.trimmed().split('\n').at(0).split(' ').at(0).toLongLong();
  };
  for (const auto& [id, object] : raw) {
    const qsizetype end = object.indexOf("endobj"), stream = object.indexOf("stream\n");
    PdfObject& made = objects[id];
    if (stream < 0 || stream > end) {
      made.head = object.left(end);
      continue;
    }
    made.head = object.left(stream);
    made.stream = object.mid(stream + 7, number_of(made.head, "/Length "));
    if (made.head.contains("/FlateDecode"))
      made.stream = qUncompress(QByteArray(4, '\0') + made.stream);  // size unknown
  }
  return objects;
}

int reference_in(const QByteArray& head, const char* key) {
  const auto found = QRegularExpression(QString("/%1 \\[?\\s*(\\d+) 0 R").arg(key)).match(QString::fromLatin1(head));
  return found.hasMatch() ? found.captured(1).toInt() : 0;
}

struct Pdf {
  QString problem;
  QStringList fonts;
  QString characters;  // that somebody who copies text gets
};

Pdf fonts_of(const std::map<int, PdfObject>& objects) {
  Pdf found;
  if (objects.empty()) found.problem = "it cannot be read";
  const auto at = [&](int id) { return objects.contains(id) ? objects.at(id) : PdfObject(); };
  for (const auto& [id, object] : objects) {
    if (!object.head.contains("/Type /Font\n") || !object.head.contains("/DescendantFonts")) continue;
    const PdfObject descendant = at(reference_in(object.head, "DescendantFonts"));
    const PdfObject descriptor = at(reference_in(descendant.head, "FontDescriptor"));
    QByteArray file;
    for (const char* key : {"FontFile", "FontFile2", "FontFile3"})
      if (const int at_file = reference_in(descriptor.head, key)) file = at(at_file).stream;
    const QString name =
        QRegularExpression("/FontName /[A-Z]{6}\\+(\\S+)").match(QString::fromLatin1(descriptor.head)).captured(1);
    found.fonts << name;
    // The font of a subset of glyphs, as TrueType, OpenType or CFF, with outlines inside.
    const bool outlines = (file.startsWith(QByteArray("\0\1\0\0", 4)) && file.contains("glyf")) ||
                          file.startsWith("OTTO") || file.startsWith(QByteArray("\1\0", 2));
    if (name.isEmpty() || !outlines || file.size() < 300) found.problem = "a font is not embedded: " + name;
    const QByteArray map = at(reference_in(object.head, "ToUnicode")).stream;
    const qsizetype first = map.indexOf("beginbfrange");
    static const QRegularExpression code("<([0-9A-F]{4,})>");
    for (auto match = code.globalMatch(QString::fromLatin1(map.mid(first))); match.hasNext();)
      found.characters += QChar(match.next().captured(1).toUShort(nullptr, 16));
  }
  if (found.fonts.isEmpty()) found.problem = "there is no font";
  // Where a font has one glyph for two characters, Qt names the one with the lower number, often a radical for the
  // character that looks like it; searching in a PDF compares them in this form.
  found.characters = found.characters.normalized(QString::NormalizationForm_KC);
  found.characters.replace(QChar(0x2ED4), QStringLiteral("门"));  // the radical that Unicode does not make equal
  return found;
}

// Lines of fields (RFC 4180); nothing where the file is none.
std::vector<QStringList> read_csv(const QByteArray& bytes) {
  QString text = QString::fromUtf8(bytes);
  if (text.startsWith('#')) text.remove(0, text.indexOf('\n') + 1);  // what it is about
  std::vector<QStringList> lines;
  QStringList line;
  QString field;
  bool quoted = false, ended = true;
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar c = text[i];
    ended = false;
    if (quoted) {
      if (c != '"') {
        field += c;
      } else if (text.mid(i + 1, 1) == "\"") {
        field += '"';
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      if (!field.isEmpty()) return {};
      quoted = true;
    } else if (c == ',') {
      line << std::exchange(field, {});
    } else if (c == '\r') {
      if (text.mid(i + 1, 1) != "\n") return {};
      line << std::exchange(field, {});
      lines.push_back(std::exchange(line, {}));
      ended = true;
      ++i;
    } else {
      field += c;
    }
  }
  return ended ? lines : std::vector<QStringList>();
}

std::vector<const char*> words_of(const Picture& picture, const QString& language) {
  return language == "en" ? picture.english : picture.chinese;
}

// Prints what NumPy's format says, and nothing of ours reads it.
constexpr const char* kReader = R"(
import ast, json, struct, sys, zipfile
found = {}
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
assert json.loads(archive.read('about.json'))
for name in archive.namelist():
    if name == 'about.json':
        continue
    data = archive.read(name)
    assert data[:8] == b'\x93NUMPY\x01\x00' and name.endswith('.npy')
    size = struct.unpack('<H', data[8:10])[0]
    assert (10 + size) % 64 == 0
    head = ast.literal_eval(data[10:10 + size].decode('latin1'))
    assert sorted(head) == ['descr', 'fortran_order', 'shape']
    assert head['descr'] == '<f4' and head['fortran_order'] is False
    values = struct.unpack('<%df' % ((len(data) - 10 - size) // 4), data[10 + size:])
    found[name[:-4]] = {'shape': head['shape'], 'values': values}
print(json.dumps(found))
)";

}  // namespace

class TestExports : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  QByteArray rendered(const Picture& picture, const QString& language, const char* ending) {
    const QString path = folder_.filePath(QString("%1-%2.%3").arg(picture.view, language, ending));
    QStringList arguments = {"render",     picture.model, "--source", picture.source, "--view",
                             picture.view, "--language",  language,   "--out",        path};
    if (*picture.edits) arguments << "--edit" << picture.edits;
    const Outcome outcome = run_program(arguments);
    if (outcome.status != 0) qWarning("%s", qPrintable(outcome.error));
    return content_of(path);
  }

 private slots:
  void every_view_is_there() {
    QStringList shown, all;
    for (const Picture& each : kPictures) shown << each.view;
    for (const ViewRow& row : view_table())
      if (row.name != std::string_view("chat")) all << row.name;  // of no bundled model: test_chat_window.cpp
    for (const ViewRow& row : number_panels()) all << row.name;
    shown.sort();
    all.sort();
    QCOMPARE(shown, all);
  }

  void pictures_data() {
    QTest::addColumn<int>("picture");
    QTest::addColumn<QString>("language");
    for (int i = 0; i < static_cast<int>(std::size(kPictures)); ++i)
      for (const char* language : {"en", "zh_CN"})
        QTest::addRow("%s %s", kPictures[i].view, language) << i << QString(language);
  }

  void pictures() {
    QFETCH(int, picture);
    QFETCH(QString, language);
    const Picture& wanted = kPictures[picture];
    const Svg svg = read_svg(rendered(wanted, language, "svg"));
    QCOMPARE(svg.problem, QString());
    QVERIFY2(svg.largest_image < 0.45, qPrintable(QString::number(svg.largest_image)));
    for (const char* word : words_of(wanted, language))
      QVERIFY2(svg.text.contains(QString::fromUtf8(word)), qPrintable(word + (": " + svg.text)));
    const Pdf pdf = fonts_of(read_pdf(rendered(wanted, language, "pdf")));
    QCOMPARE(pdf.problem, QString());
    for (const char* word : words_of(wanted, language))
      for (const QChar letter : QString::fromUtf8(word))
        QVERIFY2(letter == ' ' || pdf.characters.contains(letter), qPrintable(word + (": " + pdf.characters)));
    const bool has_chinese = svg.text.contains(QRegularExpression("\\p{Han}"));
    QCOMPARE(pdf.fonts.filter("CJK").isEmpty(), !has_chinese);
  }

  // Nine digits are enough to give the same number back.
  void the_table_of_the_alignment_is_that_of_the_run() {
    Request request;
    request.model = load_model("date-attention");
    request.source = "AUGUST 23, 1983";
    const Result result = run(request);
    const std::vector<QStringList> lines = read_csv(rendered(kPictures[0], "en", "csv"));
    QCOMPARE(lines.size(), result.steps.size() + 1);
    // The blanks behind the text are one column, the last one, as in the picture.
    const auto text = static_cast<qsizetype>(
        std::ranges::count_if(result.tokens, [](const TextToken& token) { return !token.padding; }));
    for (std::size_t t = 0; t < result.steps.size(); ++t) {
      const Tensor weights = result.trace->value("decoder.step[" + std::to_string(t) + "].attention.weights");
      QCOMPARE(lines[t + 1].size(), text + 2);
      const QString written = QString::fromStdString(result.steps[t].text);
      QCOMPARE(lines[t + 1][0], written == "-" ? "'-" : written);  // no spreadsheet takes it for a formula
      double blanks = 0;
      for (Index j = 0; j < weights.size(); ++j) {
        const int token = result.token_of_position[static_cast<std::size_t>(j)];
        if (result.tokens[static_cast<std::size_t>(token)].padding)
          blanks += static_cast<double>(weights[j]);
        else
          QCOMPARE(lines[t + 1][token + 1].toFloat(), static_cast<float>(weights[j]));
      }
      QVERIFY(std::abs(lines[t + 1].last().toDouble() - blanks) < 1e-6);
    }
  }

  void tables_are_rectangular_data() {
    QTest::addColumn<int>("picture");
    for (int i = 0; i < static_cast<int>(std::size(kPictures)); ++i)
      if (std::ranges::any_of(view_table(), [&](const ViewRow& row) { return !qstrcmp(row.name, kPictures[i].view); }))
        QTest::addRow("%s", kPictures[i].view) << i;
  }
  void tables_are_rectangular() {
    QFETCH(int, picture);
    const std::vector<QStringList> lines = read_csv(rendered(kPictures[picture], "zh_CN", "csv"));
    QVERIFY(lines.size() > 1);
    for (const QStringList& line : lines) QCOMPARE(line.size(), lines[0].size());
  }

  void a_dump_is_the_trace_data() {
    QTest::addColumn<QString>("model");
    for (const char* model : {"date-attention", "copy-ntm"}) QTest::newRow(model) << QString(model);
  }
  void a_dump_is_the_trace() {
    QFETCH(QString, model);
    Request request;
    request.model = load_model(model.toStdString());
    request.source = request.model->examples.at(0);
    const Result result = run(request);
    const QString npz = folder_.filePath("dump.npz");
    const Outcome outcome =
        run_program({"run", model, "--source", QString::fromStdString(request.source), "--dump", npz});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.error));
    QProcess python;
    python.start("/usr/bin/python3", {"-c", kReader, npz});
    QVERIFY(python.waitForFinished(60000));
    QCOMPARE(python.readAllStandardError(), QByteArray());
    const QJsonObject found = QJsonDocument::fromJson(python.readAllStandardOutput()).object();
    QCOMPARE(found.size(), result.trace->size());
    for (const TraceEntry& entry : result.trace->entries()) {
      const QJsonObject array = found[QString::fromStdString(entry.site.text)].toObject();
      QJsonArray shape;
      for (const Index n : entry.value.shape().vector()) shape.append(static_cast<int>(n));
      QCOMPARE(array["shape"].toArray(), shape);
      const QJsonArray values = array["values"].toArray();
      QCOMPARE(values.size(), entry.value.size());
      for (Index i = 0; i < entry.value.size(); ++i)
        QCOMPARE(static_cast<float>(values[i].toDouble()), static_cast<float>(entry.value[i]));
    }
  }
};

HEADLIGHT_CORE_TEST(TestExports)

}  // namespace headlight::test_exports

#include "test_exports.moc"
