// Every reader of files from elsewhere under libFuzzer (tests/fuzz/fuzz.py makes the first files, runs it and counts):
//   fuzz_readers --reader=NAME [FOLDER OF FILES...] [-runs=N ...]
// A reader takes what it is given or throws an Error; anything else is found.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "model/analysis/bench/links.h"
#include "model/analysis/bench/listed_number.h"
#include "model/core/errors.h"
#include "model/io/file.h"
#include "model/io/formats/adapters/adapted_file.h"
#include "model/io/formats/captured/captured.h"
#include "model/io/formats/families/family.h"
#include "model/io/formats/families/generation.h"
#include "model/io/formats/gguf/gguf_format.h"
#include "model/io/formats/mapping/mapping.h"
#include "model/io/formats/pretrained/pretrained_folder.h"
#include "model/io/formats/tokenizers/pretrained_tokenizer.h"
#include "model/io/json_file.h"
#include "model/io/safetensors.h"
#include "model/io/tensor_file.h"
#include "model/io/text_list.h"
#include "model/io/torch_layouts.h"
#include "model/io/zip.h"
#include "model/recording/recording_file.h"
#include "model/training/tasks/own/pair_files.h"
#include "model/training/tasks/own/word_bank.h"

using namespace headlight;
namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kSmall = 1 << 20;  // what is read of numbers: larger ones only take time

// In memory, so that nothing but the reader takes time.
const fs::path& folder() {
  static const fs::path made = [] {
    const fs::path shared = "/dev/shm";
    std::string name =
        ((fs::is_directory(shared) ? shared : fs::temp_directory_path()) / "headlight-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    std::atexit([] {
      std::error_code none;
      fs::remove_all(folder(), none);
    });
    return fs::path(name);
  }();
  return made;
}

fs::path written(const std::string& bytes, const char* name) {
  const fs::path path = folder() / name;
  fs::create_directories(path.parent_path());
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  close(file);
  return path;
}
// What does not change is written once.
void put(const std::string& bytes, const char* name) {
  if (!fs::exists(folder() / name)) written(bytes, name);
}

void read_all(const TensorFile& file) {
  torch_layouts(file);
  for (std::size_t i = 0; i < file.tensors().size() && i < 100; ++i)
    if (file.tensors()[i].bytes <= kSmall) file.bytes(i);
}

void tokenize(const pretrained::Tokenizer& tokenizer) {
  for (const char* text : {"Hello, caf\u00e9 \u6ce8\u610f 12!", " \u00a0\U0001f600\ufeff ", ""}) {
    std::vector<pretrained::TokenNumber> ids;
    for (const pretrained::EncodedToken& token : tokenizer.encode(text)) ids.push_back(token.id);
    tokenizer.decode(ids);
  }
  tokenizer.encode_pair("a b", "c");
}

Json small_json(const std::string& bytes) { return parse_json(bytes, "fuzz", {64, 100'000, 200'000}); }

std::string safetensors_of(const std::string& header, const std::string& numbers) {
  std::string size(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) size[i] = static_cast<char>(header.size() >> (8 * i));
  return size + header + numbers;
}
std::string valid_weights() {
  return safetensors_of(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", std::string(8, '\0'));
}
// The same tensors where they are read fastest.
std::string as_safetensors(const TensorFile& file) {
  Json header = Json::object();
  std::string numbers;
  for (std::size_t i = 0; i < file.tensors().size(); ++i) {
    const TensorEntry& entry = file.tensors()[i];
    header[entry.name] = {{"dtype", entry.dtype},
                          {"shape", entry.shape},
                          {"data_offsets", {numbers.size(), numbers.size() + entry.bytes}}};
    numbers += file.bytes(i);
  }
  return safetensors_of(header.dump(), numbers);
}

// The folder of an adapter with this in it, over the small model of tests/data.
void read_adapter(const std::string& bytes, const char* file) {
  put(R"({"peft_type": "LORA", "r": 2, "lora_alpha": 6})", "adapter/adapter_config.json");
  put(safetensors_of(R"({"q_proj.lora_A.weight":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                     R"("q_proj.lora_B.weight":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}})",
                     std::string(16, '\0')),
      "adapter/adapter_model.safetensors");
  written(bytes, (std::string("adapter/") + file).c_str());
  const auto adapter = std::make_shared<const Adapter>(folder() / "adapter");
  read_all(*with_changes(adapter));
  static const LibraryFiles base = library_files(HEADLIGHT_TEST_DATA "/families/qwen2");
  const AdaptedFile adapted = over(*base.tensors, base.config, *adapter, "base");
  for (std::size_t i = 0; i < adapted.tensors().size(); ++i)
    if (adapted.is_changed(i) && adapted.tensors()[i].bytes <= kSmall) adapted.merged(i);
}

using Reader = std::function<void(const std::string& bytes)>;

const std::map<std::string, Reader>& readers() {
  static const std::map<std::string, Reader> all = {
      {"safetensors",
       [](const std::string& bytes) {
         const SafetensorsFile file = SafetensorsFile::from_bytes(bytes, "fuzz");
         for (const TensorInfo& info : file.tensors()) file.load(info.name);
       }},
      {"zip",
       [](const std::string& bytes) {
         const ZipReader zip(
             [&](std::uint64_t at, void* to, std::size_t count) { bytes.copy(static_cast<char*>(to), count, at); },
             bytes.size(), "fuzz");
         for (const ZipEntry& entry : zip.entries()) {
           zip.unpack_start(entry, 4096);
           if (entry.size <= kSmall) zip.unpack(entry);
         }
       }},
      {"npy", [](const std::string& bytes) { read_all(*open_npy(written(bytes, "a.npy"))); }},
      {"npz", [](const std::string& bytes) { read_all(*open_npz(written(bytes, "a.npz"))); }},
      {"torch", [](const std::string& bytes) { read_all(*open_torch_zip(written(bytes, "a.pt"))); }},
      {"pickle", [](const std::string& bytes) { read_all(*open_pickle(written(bytes, "a.pkl"))); }},
      {"tokenizer", [](const std::string& bytes) { tokenize(*read_tokenizer_json(written(bytes, "tokenizer.json"))); }},
      {"gguf",
       [](const std::string& bytes) {
         const fs::path path = written(bytes, "a.gguf");
         const Format format = gguf_format();
         read_all(*format.contents(path).tensors);
         try {
           open_gguf_model(path, {});
         } catch (const Error&) {
         }
         tokenize(*open_tokenizer(path));
       }},
      {"adapter", [](const std::string& bytes) { read_adapter(bytes, "adapter_config.json"); }},
      {"adapter_weights", [](const std::string& bytes) { read_adapter(bytes, "adapter_model.safetensors"); }},
      {"pieces",
       [](const std::string& bytes) {
         put(R"({"model_type": "t5"})", "pieces/config.json");
         written(bytes, "pieces/spiece.model");
         for (const char* name : {"Pegasus", "DebertaV2", "Nllb", "T5"}) {
           written(std::string(R"({"tokenizer_class": ")") + name + R"(Tokenizer"})", "pieces/tokenizer_config.json");
           try {
             tokenize(*open_tokenizer(folder() / "pieces"));
           } catch (const Error&) {
             if (std::string(name) == "T5") throw;
           }
         }
       }},
      {"added",
       [](const std::string& bytes) {
         put("[UNK]\n[CLS]\n[SEP]\nhello\na\n##b\n", "added/vocab.txt");
         written(bytes, "added/tokenizer_config.json");
         tokenize(*open_tokenizer(folder() / "added"));
       }},
      {"config",
       [](const std::string& bytes) {
         const Json config = small_json(bytes);
         families::architecture_of(config);
         families::why_not(config);
       }},
      {"generation",
       [](const std::string& bytes) {
         const families::Generation rules(Json::object(), small_json(bytes));
         Tensor logits({8});
         for (Index i = 0; i < 8; ++i) logits[i] = static_cast<Scalar>(i);
         const std::vector<TokenId> ids = {1, 2, 3}, read = {1, 2};
         choose(logits, {ids, 1, read, 13}, rules.writing().choosing);
       }},
      {"index",
       [](const std::string& bytes) {
         put(R"({"model_type": "bert"})", "shards/config.json");
         put(valid_weights(), "shards/a.safetensors");
         written(bytes, "shards/model.safetensors.index.json");
         pretrained_format().contents(folder() / "shards");
       }},
      {"mapping",
       [](const std::string& bytes) {
         [[maybe_unused]] static const bool copied = [] {
           const std::string from = HEADLIGHT_TEST_DATA "/pytorch/seq2seq/";
           for (const char* name : {"source.vocabulary.txt", "target.vocabulary.txt"})
             written(read_file(from + name, kSmall), name);
           written(as_safetensors(*open_torch_zip(from + "gru-attention.pt")), "gru-attention.safetensors");
           return true;
         }();
         const fs::path mapping = written(bytes, "m.json"), weights = folder() / "gru-attention.safetensors";
         try {
           open_mapped(weights, mapping);
         } catch (const Error&) {
           proposed_mapping(weights, mapping);
         }
       }},
      {"word_bank",
       [](const std::string& bytes) {
         const WordBank bank = WordBank::parse(bytes, "bank.json");
         for (const SentenceLine& line : bank.missing(SentenceList(), bank.all(), 20, 1))
           bank.links(line.source, line.target);
       }},
      {"sentences",
       [](const std::string& bytes) {
         for (const SentenceFormat format : {SentenceFormat::plain, SentenceFormat::csv}) {
           SentenceList list;
           list.insert(0, cut_sentences(read_sentences(bytes, format, "lines").lines, list.options()));
           if (!list.tsv().empty()) read_pair_text(list.tsv(), "lines", false);
         }
       }},
      {"texts",
       [](const std::string& bytes) {
         for (const char* name : {"t.txt", "t.tsv", "t.jsonl", "t.json"}) try {
             parse_text_list(bytes, name);
           } catch (const Error&) {
           }
       }},
      {"links",
       [](const std::string& bytes) {
         try {
           parse_links(bytes);
         } catch (const Error&) {
           parse_listed_number(bytes);
         }
       }},
      {"captured",
       [](const std::string& bytes) {
         const fs::path path = written(bytes, "set.npz");
         const Format format = captured_format();
         if (format.recognise(path)) format.open(path, {});
       }},
      {"recording", [](const std::string& bytes) { load_recording(written(bytes, "r.training")); }},
  };
  return all;
}

const Reader* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** arguments) {
  for (int i = 1; i < *count; ++i)
    if (const std::string word = (*arguments)[i]; word.starts_with("--reader="))
      if (const auto found = readers().find(word.substr(9)); found != readers().end()) chosen = &found->second;
  if (chosen) return 0;
  std::fputs("fuzz_readers --reader=NAME, one of:", stderr);
  for (const auto& [name, reader] : readers()) std::fprintf(stderr, " %s", name.c_str());
  std::fputs("\n", stderr);
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t count) {
  try {
    (*chosen)(std::string(reinterpret_cast<const char*>(bytes), count));
  } catch (const Error&) {
  }
  return 0;
}
