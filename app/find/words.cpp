#include "app/find/words.h"

#include <QHash>

namespace headlight {

namespace {

struct Words {
  const char *name, *words;
};

constexpr Words kConcepts[] = {
    {"attention", "attention weights where it looks focus heat map heatmap matrix 注意力 注意力图 热图 关注 权重"},
    {"alignment", "alignment word alignment attention map heat map heatmap 对齐 注意力图 热图"},
    {"softmax",
     "softmax soft max normalise normalize normalisation normalization probabilities distribution shares exponential "
     "归一化 概率 分布 份额 指数"},
    {"mask",
     "mask masks masked masking causal mask triangle triangular hide hidden future look-ahead padding "
     "掩码 遮盖 屏蔽 遮挡 因果 未来 填充"},
    {"heads",
     "head heads multi-head attention heads off switch off prune pruning ablate ablation layer "
     "头 多头 注意力头 关掉 关闭 剪枝 消融 层"},
    {"temperature", "temperature sharpness sharp flat even divide 温度 尖锐 平缓"},
    {"score",
     "score scores similarity dot product compare energy unnormalised logit scaled 得分 分数 打分 相似度 点积 比较 "
     "缩放"},
    {"query", "query question q qkv query key value 查询 提问"},
    {"key", "key k qkv query key value 键"},
    {"value", "value v qkv query key value 值"},
    {"context", "context vector weighted sum mix average 上下文 加权和 加权平均 混合"},
    {"positions",
     "position positions positional encoding positional embedding order sinusoid sine cosine rope rotary relative "
     "位置 位置编码 顺序 正弦 旋转"},
    {"state", "state states hidden hidden state rnn lstm gru recurrent memory neuron unit 状态 隐藏状态 循环 神经元"},
    {"memory", "memory ntm neural turing machine slots read write head 记忆 存储 图灵机 读 写"},
    {"cache",
     "kv cache key value cache keys values bytes gqa grouped-query mqa multi-query key heads sliding window "
     "缓存 键值缓存 字节 分组 显存"},
    {"cost",
     "cost time complexity flops operations multiplications speed parallel sequential timeline teacher forcing wait "
     "复杂度 代价 时间 并行 乘法 速度 运算量"},
    {"window", "window local attention reach span sliding hill 窗口 局部 范围 滑动"},
    {"hard-attention", "hard attention argmax choose one sample stochastic 硬 选一个 抽样"},
    {"reinforce", "reinforce policy gradient reinforcement learning reward 强化学习 策略梯度 奖励"},
    {"output",
     "output prediction next token probability probabilities confidence sure beam search sampling sample greedy top-k "
     "top-p nucleus decode decoding logits 输出 预测 下一个 概率 把握 束搜索 采样 抽样 贪心 解码"},
    {"choosing",
     "choosing choose why that word temperature top-k top-p min-p typical nucleus repetition penalty n-gram branch "
     "branches "
     "alternative sampling greedy beam logits generation_config 选择 为什么 温度 重复惩罚 分支 采样 贪心"},
    {"token", "token tokens tokenizer tokeniser character word subword piece 词元 分词 字符 单词 子词"},
    {"vector", "vector embedding embeddings list of numbers 向量 嵌入"},
    {"gradient", "gradient derivative back-propagation backprop influence saliency 梯度 导数 反向传播 影响"},
    {"training", "training train learn learning epoch loss optimizer 训练 学习 损失 优化"},
    {"parameter", "parameter parameters weights matrix 参数 权重 矩阵"},
    {"dropout", "dropout regularisation regularization 随机失活 正则化"},
    {"end-mark", "end mark eos stop token end of sequence 句末 结束 停止"},
    {"bleu", "bleu metric quality of translation 译文质量 指标"},
    {"perplexity", "perplexity loss cross entropy 困惑度 交叉熵"},
    {"two-directions", "bidirectional backward forward encoder both directions 双向"},
    {"input-feeding", "input feeding 输入反馈"},
    {"peeky", "peeky cho encoder decoder"},
    {"map", "map whole model architecture diagram overview network layers flow 模型地图 结构 架构 总览 网络 层 流程"},
    {"compare", "compare difference differences diff side by side two models variant 比较 对比 差异 并排"},
    {"history", "history timeline evolution all models from rnn to transformer 历史 演变 时间线"},
    {"why", "why how came about explain explanation step by step 为什么 怎么来的 解释 步骤"},
    {"cause", "cause influence attribution importance ablation cut where from 来源 归因 影响 重要性"},
    {"numbers", "numbers tensors values activations trace debug all 数值 数字 张量 激活"},
    {"type", "font size type size zoom text size letters fonts 字号 字体 文字大小 缩放"},
    {"theme", "theme colours colors appearance mode 主题 颜色 外观 模式"},
    {"save", "save store write keep 保存 存储"},
    {"picture", "picture image figure screenshot png svg pdf plot 图片 截图 图像"},
};

constexpr Words kThings[] = {
    {"start", "home welcome first page beginning 首页 主页 开始"},
    {"open", "load import file model folder huggingface hugging face upload 打开 加载 载入 导入 文件"},
    {"lecture", "lecture list talk plan minutes class order of lessons teacher 讲课 课表 清单 教案 老师"},
    {"record_lesson", "make lesson author write own lesson teacher 制作 编写 录制 课程 老师"},
    {"lesson_worksheet", "print paper exercise homework 打印 练习 作业"},
    {"lesson_slides", "print handout 打印 幻灯片"},
    {"lesson_my_answers", "results print 结果 打印"},
    {"save_session", "file continue later 存盘 文件"},
    {"save_session_as", "file copy 存盘 文件 副本"},
    {"unsaved_sessions", "crash recover restore lost 崩溃 恢复 找回"},
    {"export", "save picture image figure png svg pdf csv download screenshot 保存 图片 下载 截图"},
    {"export_stepping", "gif video movie film save animation 视频 动画 保存"},
    {"export_trace", "save numbers csv npz numpy pytorch pandas excel data download 保存 数据 下载 表格"},
    {"copy_picture", "clipboard screenshot image 剪贴板 截图 图片"},
    {"quit", "exit close end 退出 关闭"},
    {"undo", "back revert mistake 返回 撤回"},
    {"redo", "again forward 恢复"},
    {"reset", "restore original default as trained untouched 重置 还原 恢复 原来"},
    {"stop", "cancel abort interrupt halt 取消 中断"},
    {"focus_source", "type input prompt sentence 输入 原文 句子"},
    {"write_output", "force output teacher forcing target prefix 强制 目标 前缀"},
    {"next_example", "random sample try sentence 例子 示例 样例 随机"},
    {"theme", "dark mode light mode night theme colours colors 深色 浅色 主题 夜间 颜色"},
    {"theme_system", "theme desktop automatic colours 主题 自动 跟随系统"},
    {"theme_light", "light mode theme bright day white 浅色 主题 明亮 白色"},
    {"theme_dark", "dark mode theme night black 深色 主题 夜间 黑色 暗"},
    {"language_en", "language english translation 语言 英文 英语"},
    {"language_zh_CN", "language chinese mandarin translation 语言 中文 汉语"},
    {"larger", "font size zoom in bigger big letters increase projector 字号 字体 放大 大字 投影"},
    {"smaller", "font size zoom out decrease small letters 字号 字体 缩小 小字"},
    {"normal_size", "font size zoom reset default 字号 字体 默认"},
    {"less_motion", "animation animations reduce motion stop moving accessibility 动画 减少动画 无障碍"},
    {"count_from_zero", "zero based index numbering one based L3H1 从零开始 编号 从 0 开始"},
    {"show_table", "spreadsheet csv screen reader accessibility grid 表格 数字 读屏"},
    {"next_panel", "keyboard focus switch 切换 焦点"},
    {"lessons", "course courses tutorial learn teach exercise 教程 学习 练习 课程"},
    {"lab",
     "train training learn learning curve how does it learn watch gradient loss epochs seed recording "
     "训练 学习 曲线 损失 种子 记录 实验室"},
    {"explore", "free play leave lesson 自由 探索"},
    {"present", "presentation projector beamer slides lecture teach room wall 投影 演示 讲课 大屏"},
    {"full_screen", "fullscreen maximise maximize 全屏 最大化"},
    {"look", "single picture simple view mode 一张图 模式"},
    {"explain", "why how step by step softmax arithmetic calculation mode 为什么 计算 归一化 步骤 模式"},
    {"change", "edit intervene what if ablate modify experiment mode 编辑 干预 如果 实验 模式"},
    {"compare", "difference diff side by side two models mode 对比 差异 并排 模式"},
    {"beside", "split screen side by side two views 分屏 并排"},
    {"below", "split screen two views 分屏"},
    {"take_out", "detach second screen monitor separate window 独立窗口 第二屏幕"},
    {"save_arrangement", "layout workspace 布局 工作区"},
    {"reset_layout", "layout restore panels lost default 布局 还原 默认"},
    {"hint", "help explain what is this 帮助 说明 这是什么"},
    {"whats_this", "help pointer explain 帮助 说明"},
    {"keyboard", "shortcuts hotkeys keys bindings help 快捷键 热键 帮助"},
    {"report", "bug crash error problem feedback support 错误 崩溃 问题 反馈"},
    {"about", "version licence license gpl credits 版本 许可 版权"},
    {"page:heads", "+heads"},
    {"page:mask", "+mask"},
    {"view:alignment", "+alignment +attention softmax"},
    {"view:heads", "+heads +attention"},
    {"view:ribbons", "+attention +heads bertviz lines links arcs 连线 连接"},
    {"view:query-key", "+query +key +score softmax"},
    {"view:local-window", "+window"},
    {"view:positions", "+positions"},
    {"view:states", "+state"},
    {"view:score-parts", "+positions +score decomposition split content 拆分 分解"},
    {"view:gradients",
     "+gradient vanishing exploding clipping residual jacobian lag distance 消失 爆炸 裁剪 残差 距离"},
    {"view:cone", "receptive field reach path length convolution kernel influence 感受野 路径 卷积 卷积核"},
    {"view:memory", "+memory"},
    {"view:map", "+map"},
    {"view:merges", "+token bpe byte pair wordpiece unigram merge merges vocabulary 合并 切分 词表"},
    {"view:mechanism", "+mask +heads +temperature switches settings 开关 设置 softmax 归一化"},
    {"view:compare", "+compare"},
    {"view:history", "+history"},
    {"view:origins", "+cause +gradient"},
    {"view:choosing", "+choosing +temperature"},
    {"view:chat",
     "chat template messages roles system user assistant jinja generation prompt 聊天 模板 消息 角色 提示"},
    {"view:outputs", "+output softmax 归一化"},
    {"view:kv-cache", "+cache"},
    {"view:cost", "+cost"},
    {"view:explain", "+why softmax 归一化"},
    {"view:steps", "debugger play pause operation by operation animation 调试 播放 逐步"},
    {"view:values", "+numbers"},
    {"view:inspector", "+why arithmetic formula calculation 算式 公式 计算"},
    {"view:differences", "edits interventions changes undo 改动 编辑 干预"},
    {"view:help", "help explain 帮助 说明"},
    {"switch:attention.score", "+score"},
    {"switch:scale_scores", "+score softmax square root d 归一化 根号"},
    {"switch:score_scale", "+score +temperature softmax 归一化"},
    {"switch:attention.beta", "+temperature softmax 归一化"},
    {"switch:attention.temperature", "+temperature softmax 归一化"},
    {"switch:attention.selection", "+softmax +hard-attention"},
    {"switch:attention.reach", "+window"},
    {"switch:attention.half_width", "+window"},
    {"switch:attention.sigma", "+window"},
    {"switch:attention_layers", "layers decoder 层"},
    {"switch:window", "+window +mask"},
    {"switch:causal", "+mask"},
    {"switch:positions", "+positions"},
    {"switch:reverse_source", "backwards turn round 反转 倒序"},
    {"role:weights", "+softmax +attention"},
    {"role:scores", "+score softmax 归一化"},
    {"role:keep", "+mask"},
    {"role:head_out", "+heads +context"},
    {"role:mean", "+attention +heads"},
    {"role:probabilities", "+output softmax 归一化"},
    {"role:embedding", "+vector"},
    {"role:source", "+token"},
    {"role:written", "+token +output"},
};

template <std::size_t count>
QHash<QString, QString> table_of(const Words (&rows)[count]) {
  QHash<QString, QString> all;
  for (const Words& each : rows) all[QString::fromUtf8(each.name)] = QString::fromUtf8(each.words);
  return all;
}

}  // namespace

QString words_for(const QStringList& concepts) {
  static const QHash<QString, QString> all = table_of(kConcepts);
  QStringList words;
  for (const QString& each : concepts)
    if (const QString found = all.value(each); !found.isEmpty()) words << found;
  return words.join(QLatin1Char(' '));
}

// "+softmax": all words of that concept.
QString words_of(const QString& thing) {
  static const QHash<QString, QString> all = [] {
    QHash<QString, QString> made = table_of(kThings);
    for (QString& each : made) {
      QStringList words = each.split(QLatin1Char(' '));
      for (QString& word : words)
        if (word.startsWith(QLatin1Char('+'))) word = words_for({word.mid(1)});
      each = words.join(QLatin1Char(' '));
    }
    return made;
  }();
  return all.value(thing);
}

}  // namespace headlight
