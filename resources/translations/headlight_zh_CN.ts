<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Actions</name>
    <message>
        <source>&amp;Report a problem…</source>
        <translation>报告问题(&amp;R)…</translation>
    </message>
    <message>
        <source>All that helps to mend a problem, as a text to copy or to keep. Nothing is sent.</source>
        <translation>有助于修复问题的全部信息，作为一段可以复制或保存的文字。不会发送任何内容。</translation>
    </message>
    <message>
        <source>Le&amp;cture list…</source>
        <translation>讲课清单(&amp;C)…</translation>
    </message>
    <message>
        <source>Lessons and steps of your own in one order, with minutes; PageDown walks through it.</source>
        <translation>课程和自己的步骤排成一个顺序，并标出分钟数；按 PageDown 依次走完。</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open the folder of a model or a lesson, stored attention, a mapping of your own model, a file of weights, a session, or a text. You can also drop it onto the window.</source>
        <translation>打开模型或课程的文件夹、保存的注意力、你自己模型的映射文件、权重文件、会话或文本。也可以拖到窗口上。</translation>
    </message>
    <message>
        <source>&amp;Export the picture…</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Save the panel you are in, or else the alignment, as PNG, SVG or PDF for a slide or a paper, or its numbers as CSV.</source>
        <translation>把当前面板（否则是对齐图）存为 PNG、SVG 或 PDF，用于幻灯片或论文；也可以把其中的数字存为 CSV。</translation>
    </message>
    <message>
        <source>Export every &amp;number…</source>
        <translation>导出所有数值(&amp;N)…</translation>
    </message>
    <message>
        <source>Save every value of this run under its name, for NumPy, PyTorch or a spreadsheet.</source>
        <translation>按名称保存本次运行的所有数值，供 NumPy、PyTorch 或电子表格使用。</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>复制图片(&amp;C)</translation>
    </message>
    <message>
        <source>Put the panel you are in, or else the alignment, on the clipboard as a picture.</source>
        <translation>把当前面板（否则是对齐图）作为图片放到剪贴板。</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>退出(&amp;Q)</translation>
    </message>
    <message>
        <source>Close Headlight. Layout, model and text are remembered.</source>
        <translation>关闭 Headlight。布局、模型和文本都会记住。</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>Take back the last change of the text, of a value, or of the model.</source>
        <translation>撤销最近一次对文本、数值或模型的改动。</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>Make the change again that was taken back.</source>
        <translation>重新执行刚刚撤销的改动。</translation>
    </message>
    <message>
        <source>&amp;Stop the run</source>
        <translation>停止运行(&amp;S)</translation>
    </message>
    <message>
        <source>Stop the run that is going on; the last result stays.</source>
        <translation>停止正在进行的运行；保留上一次的结果。</translation>
    </message>
    <message>
        <source>Go to the &amp;text</source>
        <translation>转到文本框(&amp;T)</translation>
    </message>
    <message>
        <source>Put the cursor into the text field and select the text, ready to type another.</source>
        <translation>把光标放进文本框并选中全部文本，可以直接输入新的内容。</translation>
    </message>
    <message>
        <source>Try the next example text of this model.</source>
        <translation>试试这个模型的下一个示例文本。</translation>
    </message>
    <message>
        <source>Switch li&amp;ght or dark</source>
        <translation>浅色/深色切换(&amp;G)</translation>
    </message>
    <message>
        <source>Switch between light and dark colours.</source>
        <translation>在浅色与深色之间切换。</translation>
    </message>
    <message>
        <source>Follow s&amp;ystem</source>
        <translation>跟随系统(&amp;Y)</translation>
    </message>
    <message>
        <source>Light or dark colours, as the desktop has them.</source>
        <translation>与桌面一致，使用浅色或深色。</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>浅色(&amp;L)</translation>
    </message>
    <message>
        <source>Light colours, for print and for bright rooms.</source>
        <translation>浅色，适合打印和明亮的房间。</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>深色(&amp;D)</translation>
    </message>
    <message>
        <source>Dark colours, for dark rooms.</source>
        <translation>深色，适合较暗的房间。</translation>
    </message>
    <message>
        <source>&amp;Larger text</source>
        <translation>放大文字(&amp;L)</translation>
    </message>
    <message>
        <source>Make all text larger, for a projector or for tired eyes.</source>
        <translation>放大所有文字，适合投影或疲劳的眼睛。</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>缩小文字(&amp;S)</translation>
    </message>
    <message>
        <source>Make all text smaller, to see more numbers.</source>
        <translation>缩小所有文字，以便看到更多数字。</translation>
    </message>
    <message>
        <source>&amp;Normal text size</source>
        <translation>正常文字大小(&amp;N)</translation>
    </message>
    <message>
        <source>Back to the normal text size.</source>
        <translation>恢复正常的文字大小。</translation>
    </message>
    <message>
        <source>Next &amp;panel</source>
        <translation>下一个面板(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>全屏(&amp;F)</translation>
    </message>
    <message>
        <source>Use the whole screen.</source>
        <translation>使用整个屏幕。</translation>
    </message>
    <message>
        <source>&amp;What am I looking at?</source>
        <translation>我看到的是什么？(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Keyboard</source>
        <translation>键盘(&amp;K)</translation>
    </message>
    <message>
        <source>List every key that does something.</source>
        <translation>列出所有可用的按键。</translation>
    </message>
    <message>
        <source>&amp;About Headlight</source>
        <translation>关于 Headlight(&amp;A)</translation>
    </message>
    <message>
        <source>Version and licence.</source>
        <translation>版本与许可证。</translation>
    </message>
    <message>
        <source>Next or previous control</source>
        <translation>下一个或上一个控件</translation>
    </message>
    <message>
        <source>Put the selection away, or close a message</source>
        <translation>取消选择，或关闭消息</translation>
    </message>
    <message>
        <source>Go to a panel: the menu View, Go to lists them</source>
        <translation>转到面板：见菜单“视图”→“转到”</translation>
    </message>
    <message>
        <source>Undo all c&amp;hanges</source>
        <translation>撤销所有改动(&amp;H)</translation>
    </message>
    <message>
        <source>Export the stepping as an ani&amp;mation…</source>
        <translation>将逐步计算导出为动画(&amp;M)…</translation>
    </message>
    <message>
        <source>Save the walk through the computation, one picture for each written token, as an animated GIF or as numbered pictures: of the panel you are in, if it shows the steps, or of the whole window.</source>
        <translation>把逐步计算的过程保存为 GIF 动画或编号图片，每写出一个词元一幅：若当前面板随步骤变化则只画该面板，否则画整个窗口。</translation>
    </message>
    <message>
        <source>Sa&amp;ve session</source>
        <translation>保存会话(&amp;V)</translation>
    </message>
    <message>
        <source>Save what you see (model, text, changes, panels, selection) as a file that opens as it is now.</source>
        <translation>把所见的一切（模型、文本、改动、面板、选择）存为文件，打开后与现在完全一样。</translation>
    </message>
    <message>
        <source>Save session &amp;as…</source>
        <translation>会话另存为(&amp;A)…</translation>
    </message>
    <message>
        <source>Save what you see in another session file.</source>
        <translation>把所见的一切存到另一个会话文件。</translation>
    </message>
    <message>
        <source>Pr&amp;esent</source>
        <translation>演示(&amp;E)</translation>
    </message>
    <message>
        <source>Show the panel you are in to a room: whole screen, large letters, strong colours, steps and spotlight from a remote.</source>
        <translation>向全场展示当前面板：全屏、大字、鲜明的颜色，可用翻页笔控制步骤和聚光灯。</translation>
    </message>
    <message>
        <source>&amp;Unsaved sessions…</source>
        <translation>未保存的会话(&amp;U)…</translation>
    </message>
    <message>
        <source>Open or discard what was not saved when Headlight ended; until then it is kept.</source>
        <translation>打开或丢弃 Headlight 结束时没有保存的内容；在此之前都会保留。</translation>
    </message>
    <message>
        <source>Show as &amp;table</source>
        <translation>显示为表格(&amp;T)</translation>
    </message>
    <message>
        <source>Open the numbers of the panel you are in, or else of the picture in front, as a table beside it: to sort, to copy, and for a screen reader. Once more closes it.</source>
        <translation>在旁边以表格打开当前面板（或最前面的图）的数值：可以排序、复制，也可供屏幕阅读器朗读。再按一次关闭。</translation>
    </message>
    <message>
        <source>In a table: copy what is selected, sort by the column</source>
        <translation>在表格中：复制所选内容，按该列排序</translation>
    </message>
    <message>
        <source>Run the model untouched again: settings, decoding, an output of yours and every changed value go back to what they were.</source>
        <translation>让模型原样重新运行：设置、解码、你写的输出和每个改动过的数值都恢复原状。</translation>
    </message>
    <message>
        <source>&amp;Write the output yourself</source>
        <translation>自己写输出(&amp;W)</translation>
    </message>
    <message>
        <source>Make the model write what you want, or begin with it, and see how probable it finds each step.</source>
        <translation>让模型写出你想要的内容，或以它开头，看看模型认为每一步有多大概率。</translation>
    </message>
    <message>
        <source>Another e&amp;xample</source>
        <translation>换一个例子(&amp;X)</translation>
    </message>
    <message>
        <source>Move the keyboard to the next panel: text, picture, what is below it and what is beside it.</source>
        <translation>把键盘焦点移到下一个面板：文本、图、图下方和图旁边的面板。</translation>
    </message>
    <message>
        <source>&amp;Look</source>
        <translation>查看(&amp;L)</translation>
    </message>
    <message>
        <source>One picture, as large as there is room for.</source>
        <translation>只有一幅图，尽可能大。</translation>
    </message>
    <message>
        <source>&amp;Explain</source>
        <translation>解释(&amp;E)</translation>
    </message>
    <message>
        <source>The picture with how it came about, number by number.</source>
        <translation>图，以及每个数是怎么算出来的。</translation>
    </message>
    <message>
        <source>&amp;Change</source>
        <translation>改动(&amp;C)</translation>
    </message>
    <message>
        <source>The picture with what you changed, and what can be changed.</source>
        <translation>图，以及你改动了什么、还能改动什么。</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>比较(&amp;M)</translation>
    </message>
    <message>
        <source>Two runs beside each other, and the same text through every model.</source>
        <translation>两次运行并排，以及同一文本经过每个模型的结果。</translation>
    </message>
    <message>
        <source>Another picture &amp;beside this one</source>
        <translation>旁边再放一幅图(&amp;B)</translation>
    </message>
    <message>
        <source>Split the place of the picture, to see two of them at once.</source>
        <translation>把图的位置分成两半，同时看两幅图。</translation>
    </message>
    <message>
        <source>Move belo&amp;w</source>
        <translation>移到下方(&amp;W)</translation>
    </message>
    <message>
        <source>Put the panel you are in below the picture.</source>
        <translation>把当前面板放到图的下方。</translation>
    </message>
    <message>
        <source>&amp;Take out as a window</source>
        <translation>取出为窗口(&amp;T)</translation>
    </message>
    <message>
        <source>Make the panel you are in, or else the picture, a window of its own; closing that window puts it back.</source>
        <translation>把当前面板（否则是图）变成单独的窗口；关闭该窗口即放回原处。</translation>
    </message>
    <message>
        <source>&amp;Save this arrangement…</source>
        <translation>保存此布局(&amp;S)…</translation>
    </message>
    <message>
        <source>Keep how the window is arranged now under a name of its own.</source>
        <translation>把窗口现在的布局另取名保存。</translation>
    </message>
    <message>
        <source>Reset this &amp;arrangement</source>
        <translation>恢复此布局(&amp;A)</translation>
    </message>
    <message>
        <source>Put all panels of this arrangement back to where they were at first.</source>
        <translation>把此布局中的所有面板放回最初的位置。</translation>
    </message>
    <message>
        <source>S&amp;tart page</source>
        <translation>起始页(&amp;T)</translation>
    </message>
    <message>
        <source>The picture with what can be opened, and what you had open lately.</source>
        <translation>当前的图，以及可以打开的和最近打开过的内容。</translation>
    </message>
    <message>
        <source>Say at the side what the model and the picture in front show.</source>
        <translation>在侧边说明模型和前面的图显示了什么。</translation>
    </message>
    <message>
        <source>W&amp;hat is this?</source>
        <translation>这是什么？(&amp;H)</translation>
    </message>
    <message>
        <source>Explain what has the keyboard, and then whatever is clicked on.</source>
        <translation>解释当前的键盘焦点，然后解释点击的任何东西。</translation>
    </message>
    <message>
        <source>Courses with lessons that ask, show and measure; with what you have done.</source>
        <translation>会提问、演示和测量的课程，并记着你学到了哪里。</translation>
    </message>
    <message>
        <source>E&amp;xplore freely</source>
        <translation>自由探索(&amp;X)</translation>
    </message>
    <message>
        <source>Leave the steps of the lesson, or come back to its step.</source>
        <translation>离开课程的步骤，或回到原来的那一步。</translation>
    </message>
    <message>
        <source>&amp;Worksheet of the lesson…</source>
        <translation>这节课的练习纸(&amp;W)…</translation>
    </message>
    <message>
        <source>Write the lesson&apos;s questions as a PDF to print, and the answer key beside it.</source>
        <translation>把这节课的问题写成可打印的 PDF，旁边再写一份答案。</translation>
    </message>
    <message>
        <source>Sli&amp;des of the lesson…</source>
        <translation>这节课的幻灯片(&amp;D)…</translation>
    </message>
    <message>
        <source>Write a page for each step of the lesson as a PDF.</source>
        <translation>把这节课的每一步写成 PDF 的一页。</translation>
    </message>
    <message>
        <source>Write what you answered in this lesson as a PDF.</source>
        <translation>把你在这节课里的回答写成 PDF。</translation>
    </message>
    <message>
        <source>Make a lesson: what the window shows becomes a step, and you type the words.</source>
        <translation>制作一节课：窗口里的内容成为一步，由你来写文字。</translation>
    </message>
    <message>
        <source>Less&amp;ons</source>
        <translation>课程(&amp;O)</translation>
    </message>
    <message>
        <source>M&amp;y answers…</source>
        <translation>我的回答(&amp;Y)…</translation>
    </message>
    <message>
        <source>Record a &amp;lesson…</source>
        <translation>录制一节课(&amp;L)…</translation>
    </message>
    <message>
        <source>Less &amp;motion</source>
        <translation>减少动效(&amp;M)</translation>
    </message>
    <message>
        <source>Let nothing glide or fade, whatever the desktop says.</source>
        <translation>不再滑动或淡入淡出，无论桌面如何设置。</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>查找(&amp;F)…</translation>
    </message>
    <message>
        <source>Find an action, a picture, a model, a lesson, a word or a number by its name, and open it.</source>
        <translation>按名称查找操作、图、模型、课程、词语或数值，并打开它。</translation>
    </message>
    <message>
        <source>Tra&amp;ining lab</source>
        <translation>训练实验室(&amp;I)</translation>
    </message>
    <message>
        <source>Train a model here, watch how it learns, and go back to any moment of it; or back to the picture.</source>
        <translation>在这里训练一个模型，看它怎样学习，并回到其中任一时刻；或者回到图。</translation>
    </message>
    <message>
        <source>Open te&amp;xts…</source>
        <translation>打开文本列表(&amp;X)…</translation>
    </message>
    <message>
        <source>Open a file with a text in each line (.txt, .tsv, .jsonl) as a list: search it, sort it, measure what a head does in each.</source>
        <translation>把每行一段文本的文件（.txt、.tsv、.jsonl）作为列表打开：搜索、排序，并测量一个头在每段文本中做什么。</translation>
    </message>
    <message>
        <source>Count from &amp;0, as in code</source>
        <translation>从 0 开始编号，如代码中(&amp;0)</translation>
    </message>
    <message>
        <source>Layers, heads, tokens and units are numbered from 0 in pictures, tables and CSV: L3H1. Names of values and edits always count from 0.</source>
        <translation>图、表格和 CSV 中的层、头、词元和维都从 0 开始编号：L3H1。数值的名称和改动始终从 0 开始。</translation>
    </message>
</context>
<context>
    <name>headlight::Canvas</name>
    <message>
        <source>covered until you answer</source>
        <translation>回答之前先盖住</translation>
    </message>
</context>
<context>
    <name>CanvasKeys</name>
    <message>
        <source>To the next cell, token, step or box in that direction</source>
        <translation>到这个方向上的下一个单元格、词元、步或方框</translation>
    </message>
    <message>
        <source>Ten rows up or down, fewer where fewer are seen</source>
        <translation>上移或下移十行；看得见的行较少时移得少一些</translation>
    </message>
    <message>
        <source>First or last of the row</source>
        <translation>本行的第一个或最后一个</translation>
    </message>
    <message>
        <source>First or last of everything</source>
        <translation>整张图的第一格或最后一格</translation>
    </message>
    <message>
        <source>Another layer, head or step, where one of several is shown</source>
        <translation>只显示其中一个时，切换层、头或步</translation>
    </message>
    <message>
        <source>Open or select what is under the keyboard cursor; in some panels Space goes to the next picture, or switches a cell</source>
        <translation>打开或选中键盘光标所在处；在有些面板里，空格键转到下一幅图，或切换一个单元格</translation>
    </message>
    <message>
        <source>Closer or farther</source>
        <translation>放大或缩小</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Belong to the panel: in a matrix, 1 shows the numbers at a readable size</source>
        <translation>由面板决定：在矩阵中，1 以可读的大小显示数</translation>
    </message>
    <message>
        <source>Wheel</source>
        <translation>滚轮</translation>
    </message>
    <message>
        <source>Scroll; large heatmaps and the map, which have no scroll bars, zoom</source>
        <translation>滚动；大热图和模型地图没有滚动条，滚轮缩放</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Shift+滚轮</translation>
    </message>
    <message>
        <source>Scroll sideways</source>
        <translation>左右滚动</translation>
    </message>
    <message>
        <source>Ctrl+wheel</source>
        <translation>Ctrl+滚轮</translation>
    </message>
    <message>
        <source>Zoom around the pointer</source>
        <translation>以指针为中心缩放</translation>
    </message>
    <message>
        <source>Drag with the middle button</source>
        <translation>按住中键拖动</translation>
    </message>
    <message>
        <source>Move what is seen</source>
        <translation>移动所看的部分</translation>
    </message>
    <message>
        <source>Drag the chosen square up or down</source>
        <translation>上下拖动选中的方格</translation>
    </message>
    <message>
        <source>Change its weight; in ‘Change’ any square follows</source>
        <translation>改变它的权重；在“改动”中任何方格都可拖动</translation>
    </message>
    <message>
        <source>Change the weight of the chosen square</source>
        <translation>改变选中方格的权重</translation>
    </message>
    <message>
        <source>Set the weight of the chosen square</source>
        <translation>设定选中方格的权重</translation>
    </message>
    <message>
        <source>On the map: up the strongest ribbon that comes in, or down the one that leaves</source>
        <translation>在模型地图上：沿最强的流入连线向上，或沿流出的连线向下</translation>
    </message>
    <message>
        <source>On the map: pictures of the heads, plain weights instead of shares, the diagram of boxes</source>
        <translation>在模型地图上：各头的小图、用原始权重代替份额、框图</translation>
    </message>
    <message>
        <source>On the map: cut the ribbon or head that is chosen, and run again</source>
        <translation>在模型地图上：切断所选的连线或头，并重新运行</translation>
    </message>
    <message>
        <source>In Choosing: the model goes on from the chosen token, or to the chosen branch</source>
        <translation>在“选择”中：模型从所选词元写下去，或转到所选分支</translation>
    </message>
    <message>
        <source>In Choosing: forget the chosen branch</source>
        <translation>在“选择”中：忘掉所选分支</translation>
    </message>
    <message>
        <source>Shift+wheel, Ctrl+Shift+wheel</source>
        <translation>Shift+滚轮、Ctrl+Shift+滚轮</translation>
    </message>
    <message>
        <source>On the map: stretch its depth only, or its lanes only</source>
        <translation>在模型地图上：只拉伸深度，或只拉伸各道</translation>
    </message>
    <message>
        <source>On the map: the whole model, lanes, a layer, a word, its numbers</source>
        <translation>在模型地图上：整个模型、各道、一层、一个词、它的数字</translation>
    </message>
    <message>
        <source>On the map: through all that arrives at a place, the strongest first</source>
        <translation>在模型地图上：依次走过到达某处的一切，最强的在先</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>sum of %1 terms</source>
        <translation>%1 项之和</translation>
    </message>
    <message>
        <source>the same number: %1</source>
        <translation>同一个数：%1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>%1, place %2</source>
        <translation>%1，第 %2 位</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Export the picture</source>
        <translation>导出图片</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Vector picture for slides and the web (*.svg)</source>
        <translation>矢量图，用于幻灯片和网页 (*.svg)</translation>
    </message>
    <message>
        <source>Document for papers (*.pdf)</source>
        <translation>文档，用于论文 (*.pdf)</translation>
    </message>
    <message>
        <source>The numbers as a table (*.csv)</source>
        <translation>数字表格 (*.csv)</translation>
    </message>
    <message>
        <source>Export every number of the run</source>
        <translation>导出本次运行的所有数值</translation>
    </message>
    <message>
        <source>Named tensors (*.safetensors)</source>
        <translation>命名张量 (*.safetensors)</translation>
    </message>
    <message>
        <source>NumPy arrays (*.npz)</source>
        <translation>NumPy 数组 (*.npz)</translation>
    </message>
    <message>
        <source>JSON (*.json)</source>
        <translation>JSON (*.json)</translation>
    </message>
    <message>
        <source>One number a row (*.csv)</source>
        <translation>每行一个数 (*.csv)</translation>
    </message>
    <message>
        <source>The picture is too large for the memory of this machine.</source>
        <translation>图片太大，这台机器的内存放不下。</translation>
    </message>
    <message>
        <source>%1: the ending says what to write; use .png, .svg or .pdf</source>
        <translation>%1：由扩展名决定写入的格式；请使用 .png、.svg 或 .pdf</translation>
    </message>
    <message>
        <source>%1: cannot be written (%2)</source>
        <translation>%1：无法写入（%2）</translation>
    </message>
    <message>
        <source>Drawing the steps of the computation…</source>
        <translation>正在绘制计算的各个步骤…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Export the stepping</source>
        <translation>导出逐步计算</translation>
    </message>
    <message>
        <source>Export the stepping as an animation</source>
        <translation>将逐步计算导出为动画</translation>
    </message>
    <message>
        <source>Animated picture for slides and the web (*.gif)</source>
        <translation>用于幻灯片和网页的动画图片 (*.gif)</translation>
    </message>
    <message>
        <source>Numbered pictures, one for each step (*.png)</source>
        <translation>编号图片，每步一幅 (*.png)</translation>
    </message>
    <message>
        <source>not enough memory</source>
        <translation>内存不足</translation>
    </message>
    <message>
        <source>%1: the ending says what to write; use .gif, or .png for numbered pictures</source>
        <translation>%1：文件格式由扩展名决定；请用 .gif，或用 .png 得到编号图片</translation>
    </message>
    <message>
        <source>the pictures have %1 × %2 pixels</source>
        <translation>图片为 %1 × %2 像素</translation>
    </message>
    <message>
        <source>there is nothing to show</source>
        <translation>没有可显示的内容</translation>
    </message>
    <message>
        <source>With its &amp;title</source>
        <translation>带标题(&amp;T)</translation>
    </message>
    <message>
        <source>With its &amp;caption</source>
        <translation>带说明(&amp;C)</translation>
    </message>
    <message>
        <source>Co&amp;lours as on the screen</source>
        <translation>颜色与屏幕相同(&amp;L)</translation>
    </message>
    <message>
        <source>The numbers as NumPy arrays (*.npz)</source>
        <translation>这些数，NumPy 数组 (*.npz)</translation>
    </message>
    <message>
        <source>The numbers as JSON (*.json)</source>
        <translation>这些数，JSON (*.json)</translation>
    </message>
</context>
<context>
    <name>FoldedMap</name>
    <message>
        <source>Show padding</source>
        <translation>显示填充</translation>
    </message>
    <message>
        <source>The model reads sources of one length: shorter ones are filled up with padding.</source>
        <translation>模型只读固定长度的原文：较短的会用填充补齐。</translation>
    </message>
    <message>
        <source>padding
%1 %</source>
        <translation>填充
%1 %</translation>
    </message>
    <message>
        <source>padding (%1 empty places up to %2; click to see each of them)</source>
        <translation>填充（%1 个空位，补足到 %2 位；点击可逐个查看）</translation>
    </message>
</context>
<context>
    <name>Heatmap</name>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source>cannot be seen from here</source>
        <translation>从这里看不到</translation>
    </message>
    <message>
        <source>reduced: each point is the largest of %1 × %2 cells</source>
        <translation>已缩小：每个点是 %1 × %2 个格子中的最大值</translation>
    </message>
    <message>
        <source>reduced: each point is the largest by size of %1 × %2 cells</source>
        <translation>已缩小：每个点是 %1 × %2 个格子中绝对值最大的一个</translation>
    </message>
    <message>
        <source>%1 looks at %2: %3</source>
        <translation>%1看%2：%3</translation>
    </message>
    <message>
        <source>outside the window, not kept</source>
        <translation>在窗口之外，不保留</translation>
    </message>
</context>
<context>
    <name>StepperInputs</name>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>%1 of all steps</source>
        <translation>所有步的%1</translation>
    </message>
</context>
<context>
    <name>TraceLabels</name>
    <message>
        <source>source token</source>
        <translation>源词元</translation>
    </message>
    <message>
        <source>output step</source>
        <translation>输出步</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>维</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>memory slot</source>
        <translation>记忆槽</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1 (reads ‘%2’)</source>
        <translation>第 %1 步（读入“%2”）</translation>
    </message>
    <message>
        <source>step %1 (writes ‘%2’)</source>
        <translation>第 %1 步（写出“%2”）</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 ‘%2’ (%3)</source>
        <translation>%1“%2”（%3）</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>正向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>read head %1</source>
        <translation>读头 %1</translation>
    </message>
    <message>
        <source>write head %1</source>
        <translation>写头 %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 ‘%2’ at place %3 (the model reads it as number %4)</source>
        <translation>%1“%2”，第 %3 位（模型第 %4 个读入）</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家</translation>
    </message>
</context>
<context>
    <name>headlight::AlignmentView</name>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>Type a source to see which of its tokens each output step looks at.</source>
        <translation>输入一段原文，看看每个输出步关注它的哪些词元。</translation>
    </message>
    <message>
        <source>decoder input</source>
        <translation>解码器输入</translation>
    </message>
    <message>
        <source>Set this weight…</source>
        <translation>设定这个权重…</translation>
    </message>
    <message>
        <source>Give this weight another value and see how the output changes.</source>
        <translation>给这个权重换一个值，看看输出如何变化。</translation>
    </message>
    <message>
        <source>Rows: token written</source>
        <translation>行：写出的词元</translation>
    </message>
    <message>
        <source>Label each row with the token that this step wrote (alignment with output).</source>
        <translation>用这一步写出的词元标注每一行（与输出对齐）。</translation>
    </message>
    <message>
        <source>Rows: token fed in</source>
        <translation>行：送入的词元</translation>
    </message>
    <message>
        <source>Label each row with the token that the decoder was given, which is the one written a step earlier (alignment with input). The weights stay the same.</source>
        <translation>用送入解码器的词元（即前一步写出的词元）标注每一行（与输入对齐）。权重不变。</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Undo zooming and moving of the picture.</source>
        <translation>取消对图的缩放和移动。</translation>
    </message>
    <message>
        <source>mean of the heads of the last layer</source>
        <translation>最后一层各头的平均</translation>
    </message>
    <message>
        <source>mean of the heads of layer %1</source>
        <translation>第 %1 层各头的平均</translation>
    </message>
    <message>
        <source>mean of all layers</source>
        <translation>各层的平均</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>A mean is only shown, nothing is computed from it. Choose a layer above and change its weight.</source>
        <translation>平均值只供查看，没有任何计算用到它。请在上方选择一层，再改动那一层的权重。</translation>
    </message>
    <message>
        <source>This model has no separate source: its text looks at itself. The panels ‘Heads’ and ‘Ribbons’ show how.</source>
        <translation>这个模型没有单独的原文：文本看的是自己。面板“注意力头”和“连线”显示它怎样看。</translation>
    </message>
    <message>
        <source>Set score</source>
        <translation>设定得分</translation>
    </message>
    <message>
        <source>Score of this pair: larger is better, the weights follow.</source>
        <translation>这一对的得分：越大越好，权重随之改变。</translation>
    </message>
    <message>
        <source>Give it &amp;all the weight</source>
        <translation>把全部权重给它(&amp;A)</translation>
    </message>
    <message>
        <source>Set the s&amp;core…</source>
        <translation>设定得分(&amp;C)…</translation>
    </message>
    <message>
        <source>Change what the weights are made from: the softmax shares out anew.</source>
        <translation>改变算出权重的得分：softmax 重新分配。</translation>
    </message>
    <message>
        <source>This &amp;step may not look at it</source>
        <translation>这一步不可以看它(&amp;S)</translation>
    </message>
    <message>
        <source>This &amp;step may look at it again</source>
        <translation>这一步可以重新看它(&amp;S)</translation>
    </message>
    <message>
        <source>This step may not look at this token.</source>
        <translation>这一步不可以看这个词元。</translation>
    </message>
    <message>
        <source>Weights of whole words are only shown: turn ‘Whole words’ off to change one.</source>
        <translation>整词的权重只供查看：要改动某个权重，请先关闭“整词”。</translation>
    </message>
    <message>
        <source>Each row is a step of the output, each column a token of the source. The stronger the colour, the more of its attention the step gave to that token; a row sums to 1.
Click a cell to open its number; drag the chosen cell up or down to change its weight, and the others of its row make room (Shift and the up and down keys do the same, F2 asks for a number).
Wheel: zoom, middle button: move, 0: show everything.</source>
        <translation>每一行是一个输出步，每一列是原文的一个词元。颜色越鲜明，这一步分给该词元的注意力越多；每行之和为 1。
点击单元格可打开它的数；上下拖动选中的单元格可改变它的权重，同一行的其他权重随之让出（Shift 加上下方向键也可以，F2 可输入数值）。
滚轮：缩放，中键：移动，0：显示全部。</translation>
    </message>
    <message>
        <source>Drag a square up or down to change its weight; right-click a token to hide it.</source>
        <translation>上下拖动方格可改变它的权重；右击词元可隐藏它。</translation>
    </message>
    <message>
        <source>This model has no attention: it writes from one vector.</source>
        <translation>这个模型没有注意力：它只凭一个向量写出。</translation>
    </message>
    <message>
        <source>Click a number to see how it came about.</source>
        <translation>点击一个数，看它是怎么来的。</translation>
    </message>
    <message>
        <source>This model has no attention, so there is nothing to align.</source>
        <translation>这个模型没有注意力，因此没有可对齐的内容。</translation>
    </message>
    <message>
        <source>Each row is a character that it wrote; the stronger the colour of a square, the more it looked there.</source>
        <translation>每一行是它写出的一个字符；颜色越鲜明，关注越多。</translation>
    </message>
    <message>
        <source>Each row is a word; the stronger the colour of a square, the more it looked there.</source>
        <translation>每一行是一个词；颜色越鲜明，关注越多。</translation>
    </message>
    <message>
        <source>Each row is a word that it wrote; the stronger the colour of a square, the more it looked there.</source>
        <translation>每一行是它写出的一个词；颜色越鲜明，关注越多。</translation>
    </message>
    <message>
        <source>Logarithmic colours</source>
        <translation>对数颜色</translation>
    </message>
    <message>
        <source>As much colour for each factor, from a thousandth to 1: small weights beside large ones.</source>
        <translation>从千分之一到 1，每差同样的倍数颜色变化相同：小权重也能和大权重一起看清。</translation>
    </message>
</context>
<context>
    <name>headlight::RunWorker</name>
    <message>
        <source>Not enough memory for this run. Try a shorter text.</source>
        <translation>内存不足，无法完成这次运行。请试试较短的文本。</translation>
    </message>
</context>
<context>
    <name>headlight::EditsModel</name>
    <message>
        <source>Enter or a double click shows this number in ‘This number’; Delete takes the change back.</source>
        <translation>回车或双击可在“这个数”中显示它；Delete 撤回这处改动。</translation>
    </message>
    <message>
        <source>Setting %1 of the model: %2</source>
        <translation>模型的设置 %1：%2</translation>
    </message>
    <message>
        <source>%1 (not reached)</source>
        <translation>%1（未到达）</translation>
    </message>
    <message>
        <source>This run has no such step or token; the edit waits for one that has.</source>
        <translation>这次运行没有这个步或词元；这处改动会等到有的时候。</translation>
    </message>
    <message>
        <source>Decoding: %1</source>
        <translation>解码：%1</translation>
    </message>
    <message>
        <source>Without a change the model writes the most probable token at each step.</source>
        <translation>不改动时，模型每一步写出概率最大的词元。</translation>
    </message>
    <message>
        <source>The model does not choose: it says how probable it finds this output.</source>
        <translation>模型不作选择：它只说它认为这个输出的概率有多大。</translation>
    </message>
    <message>
        <source>beam search, %n hypotheses</source>
        <translation>束搜索，%n 个假设</translation>
    </message>
    <message>
        <source>tokens are drawn, temperature %1</source>
        <translation>随机抽取词元，温度 %1</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>You wrote the output: %1</source>
        <translation>你写的输出：%1</translation>
    </message>
    <message>
        <source>as generation_config.json says</source>
        <translation>按 generation_config.json 所说</translation>
    </message>
</context>
<context>
    <name>headlight::EditsPanel</name>
    <message>
        <source>Undo all changes: the model as it was trained (Ctrl+R)</source>
        <translation>撤销所有改动：恢复训练好的模型（Ctrl+R）</translation>
    </message>
    <message>
        <source>What differs from the trained model</source>
        <translation>与训练好的模型的不同</translation>
    </message>
    <message>
        <source>Nothing is changed yet. Right-click a weight or a token, or change a number or a setting of the mechanism: what follows is computed again, and your change is listed here.</source>
        <translation>还没有改动。右键单击一个权重或词元，或者改变一个数或机制的一项设置：其后的部分会重新计算，你的改动列在这里。</translation>
    </message>
    <message>
        <source>Undo all changes</source>
        <translation>撤销所有改动</translation>
    </message>
    <message>
        <source>Keep to compare</source>
        <translation>另存为对照</translation>
    </message>
    <message>
        <source>Keep this run under a name: Compare (Ctrl+4) puts it beside any other one</source>
        <translation>以某个名称保留这次运行作为对照：比较（Ctrl+4）可把它与任何其他运行并排</translation>
    </message>
    <message>
        <source>Delete takes back the chosen one, and so does the cross at its end</source>
        <translation>按 Delete 撤回选中的一项，点击其末尾的叉也可以</translation>
    </message>
    <message>
        <source>What you changed</source>
        <translation>你的改动</translation>
    </message>
</context>
<context>
    <name>headlight::ExplanationModel</name>
    <message>
        <source> – a weight, learned in training</source>
        <translation> – 权重，由训练学得</translation>
    </message>
    <message>
        <source>term: %1</source>
        <translation>项：%1</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>项</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Factor %1</source>
        <translation>因子 %1</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>用到的数</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1，来自 %2</translation>
    </message>
    <message>
        <source> – a double click shows where it came from</source>
        <translation> – 双击看它从何而来</translation>
    </message>
    <message>
        <source>In the file: %1</source>
        <translation>文件中为 %1</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>share × value</source>
        <translation>份额 × 值</translation>
    </message>
</context>
<context>
    <name>headlight::Heatmap</name>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Heatmap, empty</source>
        <translation>热图，空</translation>
    </message>
    <message>
        <source>Heatmap of %1, %2 rows (%3), %4 columns (%5)</source>
        <translation>%1热图，%2 行（%3）,%4 列（%5）</translation>
    </message>
    <message>
        <source>Selected: %1</source>
        <translation>已选中：%1</translation>
    </message>
    <message>
        <source>No cell selected. Arrow keys choose one.</source>
        <translation>未选中单元格。用方向键选择。</translation>
    </message>
</context>
<context>
    <name>headlight::InspectorView</name>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Back to the number before (Alt+Left)</source>
        <translation>回到前一个数（Alt+左）</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前进</translation>
    </message>
    <message>
        <source>Forward again (Alt+Right)</source>
        <translation>再前进（Alt+右）</translation>
    </message>
    <message>
        <source>Copy the arithmetic</source>
        <translation>复制算式</translation>
    </message>
    <message>
        <source>Copy the whole arithmetic as text (Ctrl+C)</source>
        <translation>把整个算式复制为文本（Ctrl+C）</translation>
    </message>
    <message>
        <source>Copy as NumPy</source>
        <translation>复制为 NumPy</translation>
    </message>
    <message>
        <source>Copy one line of Python that computes this number</source>
        <translation>复制一行能算出这个数的 Python 代码</translation>
    </message>
    <message>
        <source>Terms of the arithmetic</source>
        <translation>算式的各项</translation>
    </message>
    <message>
        <source>Order of the terms</source>
        <translation>各项的顺序</translation>
    </message>
    <message>
        <source>In the order of the formula, or the largest contributions first</source>
        <translation>按公式中的顺序，或按贡献从大到小</translation>
    </message>
    <message>
        <source>by position</source>
        <translation>按位置</translation>
    </message>
    <message>
        <source>largest first</source>
        <translation>从大到小</translation>
    </message>
    <message>
        <source>Kind of change</source>
        <translation>改动方式</translation>
    </message>
    <message>
        <source>How the number changes</source>
        <translation>这个数如何改变</translation>
    </message>
    <message>
        <source>New number</source>
        <translation>新的数</translation>
    </message>
    <message>
        <source>The new number; Enter runs the model again with it</source>
        <translation>新的数；按回车用它重新运行模型</translation>
    </message>
    <message>
        <source>Change this number</source>
        <translation>改动这个数</translation>
    </message>
    <message>
        <source>Runs the model again with this change. Reset takes it back.</source>
        <translation>用这处改动重新运行模型。“重置”可以撤回。</translation>
    </message>
    <message>
        <source>%1 does not exist for the present input.</source>
        <translation>对当前输入来说，%1 不存在。</translation>
    </message>
    <message>
        <source>Click any number: a cell of the alignment, of a matrix, or of the output. Its arithmetic opens here, down to the weights of the model.</source>
        <translation>点击任意一个数：对齐图、矩阵或输出中的单元格。它的算式会在这里展开，一直到模型的权重。</translation>
    </message>
    <message>
        <source>This number over my &amp;texts…</source>
        <translation>此数值在我的各文本中(&amp;T)…</translation>
    </message>
    <message>
        <source>weight %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>intermediate value of ‘%1’</source>
        <translation>“%1”的中间值</translation>
    </message>
    <message>
        <source>A weight, learned in training. It is the same for every input.</source>
        <translation>权重，由训练学得。对每个输入都一样。</translation>
    </message>
    <message>
        <source>A constant that the computation starts with.</source>
        <translation>计算开始时的常数。</translation>
    </message>
    <message>
        <source>An input: token number %1 of the vocabulary is ‘%2’.</source>
        <translation>输入：词表中编号为 %1 的词元是“%2”。</translation>
    </message>
    <message>
        <source>An input of the computation.</source>
        <translation>计算的输入。</translation>
    </message>
    <message>
        <source>1 term</source>
        <translation>1 项</translation>
    </message>
    <message>
        <source>%1 terms</source>
        <translation>%1 项</translation>
    </message>
    <message>
        <source>set by you; before it was %1</source>
        <translation>由你设定；之前是 %1</translation>
    </message>
    <message>
        <source>computed again in double precision: %1, difference %2</source>
        <translation>用双精度重新计算：%1，差值 %2</translation>
    </message>
    <message>
        <source>Weights stay as they were trained. Change a value that is computed from them.</source>
        <translation>权重保持训练所得。请改动由它们算出的数值。</translation>
    </message>
    <message>
        <source>This number has no name of its own. Change the value that it goes into.</source>
        <translation>这个数没有自己的名称。请改动用到它的那个数值。</translation>
    </message>
    <message>
        <source>This is the input: change it by typing another text.</source>
        <translation>这是输入：输入别的文本即可改变它。</translation>
    </message>
    <message>
        <source>This is what was written before: force another output to change it.</source>
        <translation>这是前面写出的内容：强制另一个输出即可改变它。</translation>
    </message>
    <message>
        <source>This value is only shown, nothing is computed from it: change what it comes from.</source>
        <translation>这个数值只用于显示，没有别的值由它算出：请改动它的来源。</translation>
    </message>
    <message>
        <source>set this share to</source>
        <translation>把份额设为</translation>
    </message>
    <message>
        <source>This weight becomes the number; the others are rescaled, so that all still add up to 1</source>
        <translation>这个权重变成该数；其余权重按比例缩放，使总和仍为 1</translation>
    </message>
    <message>
        <source>set to</source>
        <translation>设为</translation>
    </message>
    <message>
        <source>Only this number changes; what follows is computed from it</source>
        <translation>只改变这个数；之后的一切由它算出</translation>
    </message>
    <message>
        <source>times</source>
        <translation>乘以</translation>
    </message>
    <message>
        <source>This number is multiplied</source>
        <translation>这个数乘以给定的倍数</translation>
    </message>
    <message>
        <source>switch off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>This number becomes 0</source>
        <translation>这个数变为 0</translation>
    </message>
    <message>
        <source>Type the new number first.</source>
        <translation>请先输入新的数。</translation>
    </message>
    <message>
        <source>‘%1’ is not a number.</source>
        <translation>“%1”不是一个数。</translation>
    </message>
    <message>
        <source>%1 – click for every number on the way here</source>
        <translation>%1 – 点击可查看来到这里所经过的每个数</translation>
    </message>
    <message>
        <source>Numbers on the way here: %1</source>
        <translation>来到这里所经过的数：%1</translation>
    </message>
    <message>
        <source>A double click on a number, or Enter, shows where it came from</source>
        <translation>双击一个数，或按回车，看它从何而来</translation>
    </message>
    <message>
        <source>What if it were another number?</source>
        <translation>如果它是另一个数呢？</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Where it goes</source>
        <translation>它到哪里去</translation>
    </message>
    <message>
        <source>What is computed from this number: click to go on</source>
        <translation>由这个数算出的值：点击继续</translation>
    </message>
    <message>
        <source>✓ checked, the same</source>
        <translation>✓ 已核对，相同</translation>
    </message>
    <message>
        <source>✓ checked (difference %1)</source>
        <translation>✓ 已核对（差 %1）</translation>
    </message>
    <message>
        <source>✗ checked (difference %1)</source>
        <translation>✗ 已核对（差 %1）</translation>
    </message>
    <message>
        <source>%1 % of the %2</source>
        <translation>%2的 %1 %</translation>
    </message>
    <message>
        <source>the ‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>In the file: %1, as %2</source>
        <translation>文件中为 %1，即 %2</translation>
    </message>
    <message>
        <source>From the file: %1</source>
        <translation>来自文件：%1</translation>
    </message>
</context>
<context>
    <name>headlight::LabTraining</name>
    <message>
        <source>Not enough memory for this training. Try a smaller model, fewer sentences at a time, or fewer examples.</source>
        <translation>内存不够做这次训练。请换更小的模型、每次少读几句，或减少样本。</translation>
    </message>
</context>
<context>
    <name>headlight::LabPanel</name>
    <message>
        <source>Saved: %1</source>
        <translation>已保存：%1</translation>
    </message>
    <message>
        <source>This was not saved.</source>
        <translation>没有保存。</translation>
    </message>
    <message>
        <source>The disk does not keep this training: it goes on in memory, and is lost with the window.</source>
        <translation>磁盘没有保存这次训练：它在内存中继续，关闭窗口就会丢失。</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>训练什么</translation>
    </message>
    <message>
        <source>Show the recorded run</source>
        <translation>显示录下的训练</translation>
    </message>
    <message>
        <source>about %1 on two cores</source>
        <translation>在两个核上约 %1</translation>
    </message>
    <message>
        <source>about %1 on this machine, from a few updates</source>
        <translation>在这台机器上约 %1（由几次更新估计）</translation>
    </message>
    <message>
        <source>From here on no numbers (update %L1, the loss was %2).</source>
        <translation>从这里起不再是数（第 %L1 次更新，之前的损失为 %2）。</translation>
    </message>
    <message>
        <source>The steps are too long: try a smaller step size, or a warm-up.</source>
        <translation>步子太大：请用更小的步长，或加上预热。</translation>
    </message>
    <message>
        <source>This training has ended.</source>
        <translation>这次训练已中止。</translation>
    </message>
    <message>
        <source>Every second moment is given up: all of them take more memory than there is for them.</source>
        <translation>每隔一个时刻就舍弃一个：全部保留超出了可用的内存。</translation>
    </message>
    <message>
        <source>It does not learn yet.</source>
        <translation>它还没有学会什么。</translation>
    </message>
    <message>
        <source>Another step size may help.</source>
        <translation>换一个步长也许有用。</translation>
    </message>
    <message>
        <source>It does not learn yet; the recorded run does.</source>
        <translation>它还没有学会什么；录下的那次训练学会了。</translation>
    </message>
    <message>
        <source>The recorded run cannot be opened.</source>
        <translation>无法打开录下的训练。</translation>
    </message>
    <message>
        <source>Another window goes on with this training.</source>
        <translation>另一个窗口正在继续这次训练。</translation>
    </message>
    <message>
        <source>The model of this moment, as a folder…</source>
        <translation>此刻的模型，存为文件夹…</translation>
    </message>
    <message>
        <source>The whole recording, as a file…</source>
        <translation>整个训练记录，存为文件…</translation>
    </message>
    <message>
        <source>Save the recording</source>
        <translation>保存训练记录</translation>
    </message>
    <message>
        <source>Save the model as a folder</source>
        <translation>把模型存为文件夹</translation>
    </message>
    <message>
        <source>Recordings of trainings (*%1)</source>
        <translation>训练记录 (*%1)</translation>
    </message>
    <message>
        <source>Words of your texts stand in what is saved, names of pupils among them.</source>
        <translation>保存的内容里有你的文本中的词，也包括学生的名字。</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>First save the sentences as our-sentences.tsv (Our sentences, Save).</source>
        <translation>请先把句子存为 our-sentences.tsv（“我们的句子”中的“保存”）。</translation>
    </message>
</context>
<context>
    <name>headlight::TrainingWords</name>
    <message>
        <source>From one language into another</source>
        <translation>从一种语言到另一种语言</translation>
    </message>
    <message>
        <source>To go on writing</source>
        <translation>接着往下写</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小时 %2 分</translation>
    </message>
</context>
<context>
    <name>headlight::TrainingEstimate</name>
    <message>
        <source>%1 numbers are too many for the memory of this machine: training them takes %2, and %3 are free. Fewer units make fewer numbers.</source>
        <translation>%1 个数对这台机器的内存来说太多：训练需要 %2，空闲的只有 %3。单元少一些，数就少一些。</translation>
    </message>
</context>
<context>
    <name>headlight::PresetList</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>headlight::LabFields</name>
    <message>
        <source>A setting of the model; %1 where nobody says otherwise. Its name in files: %2.</source>
        <translation>模型的一项设置；不另行指定时为 %1。在文件中的名称：%2。</translation>
    </message>
    <message>
        <source>%1. Its name in files: %2.</source>
        <translation>%1。在文件中的名称：%2。</translation>
    </message>
    <message>
        <source>A whole number from 0 on is needed.</source>
        <translation>需要从 0 起的整数。</translation>
    </message>
    <message>
        <source>A whole number from 1 to %L1 is needed.</source>
        <translation>需要 1 到 %L1 之间的整数。</translation>
    </message>
    <message>
        <source>A value is needed.</source>
        <translation>需要一个值。</translation>
    </message>
    <message>
        <source>A whole number from %1 to %2 is needed.</source>
        <translation>需要 %1 到 %2 之间的整数。</translation>
    </message>
    <message>
        <source>A number from %1 to %2 is needed.</source>
        <translation>需要 %1 到 %2 之间的数。</translation>
    </message>
    <message>
        <source>none yet: choose to begin</source>
        <translation>还没有：选择它来开始</translation>
    </message>
    <message>
        <source>Our sentences</source>
        <translation>我们的句子</translation>
    </message>
    <message>
        <source>A text of your own</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>Generated examples</source>
        <translation>生成的样本</translation>
    </message>
    <message>
        <source>%1 pairs, %2 more kept back</source>
        <translation>%1 对，另留出 %2 对</translation>
    </message>
    <message>
        <source>%L1 numbers</source>
        <translation>%L1 个数</translation>
    </message>
    <message>
        <source>%1 units, %2</source>
        <translation>%1 维，%2</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>What it learns</source>
        <translation>学什么</translation>
    </message>
    <message>
        <source>Or begin with</source>
        <translation>或从这些开始</translation>
    </message>
    <message>
        <source>More settings…</source>
        <translation>更多设置…</translation>
    </message>
    <message>
        <source>Everything else that headlight train knows.</source>
        <translation>headlight train 所知道的其余一切。</translation>
    </message>
    <message>
        <source>What it is trained on; the others are kept back, to see what it has learned.</source>
        <translation>用来训练的数据；其余的留出，用来看它学到了什么。</translation>
    </message>
    <message>
        <source>The models that can learn this.</source>
        <translation>能学会它的模型。</translation>
    </message>
    <message>
        <source>Step size</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>The learning rate: how far each update moves the numbers of the model.</source>
        <translation>即学习率：每次更新把模型的数移动多远。</translation>
    </message>
    <message>
        <source>Sentences at a time</source>
        <translation>每次几句</translation>
    </message>
    <message>
        <source>The batch: how many examples are read for each update.</source>
        <translation>即批大小：每次更新读多少个样本。</translation>
    </message>
    <message>
        <source>Times through the data</source>
        <translation>数据读几遍</translation>
    </message>
    <message>
        <source>The epochs: how often each example is read.</source>
        <translation>即轮数：每个样本读几遍。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Decides the numbers that it begins with and the order of the examples. The same seed gives the same training.</source>
        <translation>决定开始时的数和样本的顺序。种子相同，训练就相同。</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>How many numbers a state has.</source>
        <translation>一个状态有多少个数。</translation>
    </message>
    <message>
        <source>Change our sentences…</source>
        <translation>改动我们的句子…</translation>
    </message>
    <message>
        <source>Compare two texts…</source>
        <translation>比较两段文本…</translation>
    </message>
</context>
<context>
    <name>headlight::LabRuns</name>
    <message>
        <source>Seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>%1 right on unseen</source>
        <translation>没见过的答对 %1</translation>
    </message>
    <message>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
</context>
<context>
    <name>headlight::RunList</name>
    <message>
        <source>Remove this training? It cannot be brought back.</source>
        <translation>移除这次训练？移除后无法找回。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Trainings of this session</source>
        <translation>本次会话的训练</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Puts it beside the one that is, or was, in front</source>
        <translation>把它放在当前显示或之前显示的那次旁边</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Takes this training out of the list (Del)</source>
        <translation>把这次训练移出列表 (Del)</translation>
    </message>
    <message>
        <source>Enter or a click shows one.</source>
        <translation>按 Enter 或单击即可显示。</translation>
    </message>
</context>
<context>
    <name>headlight::LabActs</name>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Typing stays as fast as always.</source>
        <translation>打字仍和平时一样快。</translation>
    </message>
    <message>
        <source>Making the data and the model…</source>
        <translation>正在准备数据和模型…</translation>
    </message>
    <message>
        <source>%1 of %2 times through</source>
        <translation>第 %1 遍，共 %2 遍</translation>
    </message>
    <message>
        <source>%1 sentences read</source>
        <translation>已读 %1 句</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>还剩 %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Trains a model with these settings (Ctrl+Enter)</source>
        <translation>用这些设置训练一个模型 (Ctrl+Enter)</translation>
    </message>
    <message>
        <source>Stops between two updates, and goes on from there (Space)</source>
        <translation>在两次更新之间停下，再从那里继续（空格）</translation>
    </message>
    <message>
        <source>Stop here</source>
        <translation>就停在这里</translation>
    </message>
    <message>
        <source>Ends the training and keeps what there is (Ctrl+.)</source>
        <translation>结束训练，保留已有的结果 (Ctrl+.)</translation>
    </message>
    <message>
        <source>With another seed</source>
        <translation>换一个种子</translation>
    </message>
    <message>
        <source>Again with another seed</source>
        <translation>换一个种子再来一次</translation>
    </message>
    <message>
        <source>The same with other numbers to begin with; this run stays as a thin line</source>
        <translation>一切相同，只是开始时的数不同；这次训练留作细线</translation>
    </message>
    <message>
        <source>Keep it…</source>
        <translation>保留…</translation>
    </message>
    <message>
        <source>Saves the model of the moment in front, or the whole recording</source>
        <translation>保存当前时刻的模型，或整个训练记录</translation>
    </message>
    <message>
        <source>Show the command line</source>
        <translation>显示命令行</translation>
    </message>
    <message>
        <source>What gives the same numbers in a terminal</source>
        <translation>在终端里得到相同数字的命令</translation>
    </message>
    <message>
        <source>How far the training is</source>
        <translation>训练的进度</translation>
    </message>
</context>
<context>
    <name>headlight::InterruptedOffer</name>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Goes on with this training from where it stood</source>
        <translation>从停下的地方继续这次训练</translation>
    </message>
    <message>
        <source>Removes what was kept of this training</source>
        <translation>删除为这次训练保留的内容</translation>
    </message>
    <message>
        <source>A training was interrupted at %L1 sentences: %2.</source>
        <translation>有一次训练在第 %L1 句时中断：%2。</translation>
    </message>
    <message>
        <source>Discard this training? It cannot be brought back.</source>
        <translation>丢弃这次训练？丢弃后无法找回。</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
</context>
<context>
    <name>headlight::CommandDialog</name>
    <message>
        <source>The same in a terminal</source>
        <translation>在终端里做同样的事</translation>
    </message>
    <message>
        <source>Command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
</context>
<context>
    <name>TrainingKey</name>
    <message>
        <source>examples in a batch</source>
        <translation>一批的样本数</translation>
    </message>
    <message>
        <source>examples for training</source>
        <translation>用来训练的样本数</translation>
    </message>
    <message>
        <source>held-out examples</source>
        <translation>留出的样本数</translation>
    </message>
    <message>
        <source>pieces of a batch that run side by side</source>
        <translation>一批分成几份并行计算</translation>
    </message>
    <message>
        <source>how gradients become steps</source>
        <translation>梯度怎样变成更新</translation>
    </message>
    <message>
        <source>how the learning rate changes</source>
        <translation>学习率怎样变化</translation>
    </message>
    <message>
        <source>length of a step; each optimiser has its own default</source>
        <translation>每一步的长度；各优化器有自己的默认值</translation>
    </message>
    <message>
        <source>share of the last step that is kept</source>
        <translation>上一步保留的比例</translation>
    </message>
    <message>
        <source>memory of the mean gradient</source>
        <translation>对平均梯度的记忆</translation>
    </message>
    <message>
        <source>memory of the mean squared gradient</source>
        <translation>对平均平方梯度的记忆</translation>
    </message>
    <message>
        <source>added to what is divided by</source>
        <translation>加在除数上的数</translation>
    </message>
    <message>
        <source>updates during which the learning rate rises</source>
        <translation>学习率上升的更新次数</translation>
    </message>
    <message>
        <source>epochs before the first halving</source>
        <translation>第一次减半之前的轮数</translation>
    </message>
    <message>
        <source>what the learning rate is divided by</source>
        <translation>学习率除以多少</translation>
    </message>
    <message>
        <source>lowest learning rate of a plateau</source>
        <translation>停滞时的最低学习率</translation>
    </message>
    <message>
        <source>largest norm of the gradients; 0: any</source>
        <translation>梯度的最大范数；0：不限</translation>
    </message>
    <message>
        <source>largest number of the gradients; 0: any</source>
        <translation>梯度中最大的数；0：不限</translation>
    </message>
    <message>
        <source>probability that is spread over all tokens</source>
        <translation>分摊给所有词元的概率</translation>
    </message>
    <message>
        <source>chance that a step is fed the right token</source>
        <translation>一步读到正确词元的可能性</translation>
    </message>
    <message>
        <source>factor of that chance after every epoch</source>
        <translation>每轮之后这一可能性乘以多少</translation>
    </message>
    <message>
        <source>epochs without progress before stopping; 0: never</source>
        <translation>没有进步多少轮后停止；0：不停</translation>
    </message>
    <message>
        <source>last epochs whose mean weights are measured and saved; 0: only the last</source>
        <translation>取最后几轮的平均权重来测量和保存；0：只取最后一轮</translation>
    </message>
    <message>
        <source>what a token is</source>
        <translation>什么是一个词元</translation>
    </message>
    <message>
        <source>rarer words are unknown</source>
        <translation>更少见的词算未知</translation>
    </message>
    <message>
        <source>rarer words and characters are unknown</source>
        <translation>更少见的词和字符算未知</translation>
    </message>
    <message>
        <source>longer pairs are left out</source>
        <translation>更长的句对不用</translation>
    </message>
    <message>
        <source>tokens of a window of the text</source>
        <translation>文本窗口的词元数</translation>
    </message>
    <message>
        <source>joins of byte-pair encoding</source>
        <translation>字节对编码的合并次数</translation>
    </message>
    <message>
        <source>read capitals as small letters</source>
        <translation>把大写读作小写</translation>
    </message>
</context>
<context>
    <name>Task</name>
    <message>
        <source>Dates</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>Dates, as in the book</source>
        <translation>日期，和书中一样</translation>
    </message>
    <message>
        <source>Copying, 6 bits</source>
        <translation>抄写，6 位</translation>
    </message>
    <message>
        <source>Copying, 8 bits</source>
        <translation>抄写，8 位</translation>
    </message>
    <message>
        <source>Addition</source>
        <translation>加法</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>抄写</translation>
    </message>
    <message>
        <source>Reversing</source>
        <translation>倒写</translation>
    </message>
    <message>
        <source>Sorting</source>
        <translation>排序</translation>
    </message>
    <message>
        <source>A small language</source>
        <translation>一种小语言</translation>
    </message>
    <message>
        <source>English to French</source>
        <translation>英语到法语</translation>
    </message>
    <message>
        <source>Two senses of a word</source>
        <translation>一个词的两种意思</translation>
    </message>
    <message>
        <source>A glimpse at a grid</source>
        <translation>看一眼方格</translation>
    </message>
    <message>
        <source>Repeated copying</source>
        <translation>重复抄写</translation>
    </message>
    <message>
        <source>Associative recall</source>
        <translation>联想回忆</translation>
    </message>
    <message>
        <source>Small stories</source>
        <translation>小故事</translation>
    </message>
    <message>
        <source>Hidden words</source>
        <translation>藏起来的词</translation>
    </message>
    <message>
        <source>Sentences of a class</source>
        <translation>一个班的句子</translation>
    </message>
</context>
<context>
    <name>Architecture</name>
    <message>
        <source>no attention</source>
        <translation>没有注意力</translation>
    </message>
    <message>
        <source>recurrent encoder-decoder without attention</source>
        <translation>没有注意力的循环编码器-解码器</translation>
    </message>
    <message>
        <source>one vector at every step</source>
        <translation>每一步一个向量</translation>
    </message>
    <message>
        <source>recurrent encoder-decoder that sees the encoder&apos;s vector at every step</source>
        <translation>每一步都看到编码器向量的循环编码器-解码器</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>recurrent encoder-decoder with attention</source>
        <translation>带注意力的循环编码器-解码器</translation>
    </message>
    <message>
        <source>convolutions</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Convolutional encoder-decoder with an attention in every decoder layer</source>
        <translation>解码器每层都有注意力的卷积编码器-解码器</translation>
    </message>
    <message>
        <source>Luong</source>
        <translation>Luong</translation>
    </message>
    <message>
        <source>stacked LSTM with attention and input feeding</source>
        <translation>带注意力和输入馈送的多层 LSTM</translation>
    </message>
    <message>
        <source>GNMT</source>
        <translation>GNMT</translation>
    </message>
    <message>
        <source>deep residual LSTM; the bottom decoder layer asks, all layers above read the answer</source>
        <translation>带残差的深层 LSTM；解码器最下层提问，上面各层读取回答</translation>
    </message>
    <message>
        <source>Bahdanau</source>
        <translation>Bahdanau</translation>
    </message>
    <message>
        <source>bidirectional GRU encoder, additive attention from the previous state, maxout readout (RNNsearch)</source>
        <translation>双向 GRU 编码器，从前一个状态出发的加性注意力，maxout 读出 (RNNsearch)</translation>
    </message>
    <message>
        <source>Bahdanau (GRU, linear readout)</source>
        <translation>Bahdanau（GRU，线性读出）</translation>
    </message>
    <message>
        <source>additive attention with a linear readout from the new state, the context and the embedding</source>
        <translation>加性注意力，由新状态、上下文和嵌入线性读出</translation>
    </message>
    <message>
        <source>hard attention</source>
        <translation>硬注意力</translation>
    </message>
    <message>
        <source>attention that chooses one position, trained by REINFORCE</source>
        <translation>只选一个位置的注意力，用 REINFORCE 训练</translation>
    </message>
    <message>
        <source>NTM</source>
        <translation>NTM</translation>
    </message>
    <message>
        <source>Neural Turing Machine: a controller with an external memory</source>
        <translation>神经图灵机：带外部记忆的控制器</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>Encoder and decoder of self-attention</source>
        <translation>自注意力的编码器和解码器</translation>
    </message>
    <message>
        <source>masked words</source>
        <translation>遮盖的词</translation>
    </message>
    <message>
        <source>Encoder of self-attention that guesses masked words</source>
        <translation>猜遮盖词的自注意力编码器</translation>
    </message>
    <message>
        <source>language model</source>
        <translation>语言模型</translation>
    </message>
    <message>
        <source>Decoder of self-attention that continues a text</source>
        <translation>接着写文本的自注意力解码器</translation>
    </message>
    <message>
        <source>recurrent language model</source>
        <translation>循环语言模型</translation>
    </message>
    <message>
        <source>Recurrent network that continues a text</source>
        <translation>接着写文本的循环网络</translation>
    </message>
</context>
<context>
    <name>Preset</name>
    <message>
        <source>Attention, dot score</source>
        <translation>注意力，点积得分</translation>
    </message>
    <message>
        <source>480 sentences of a class into German: each word is looked up where it stands, also the verb that moves.</source>
        <translation>一个班的 480 个句子译成德语：每个词都到它所在的地方去看，移动的动词也是。</translation>
    </message>
    <message>
        <source>Attention, additive score</source>
        <translation>注意力，加性得分</translation>
    </message>
    <message>
        <source>The same sentences with the attention of Bahdanau et al.: as right in the end, but where does it look?</source>
        <translation>同样的句子，用 Bahdanau 等人的注意力：最后一样正确，但它看哪里？</translation>
    </message>
    <message>
        <source>No attention</source>
        <translation>没有注意力</translation>
    </message>
    <message>
        <source>The same sentences through a single vector: much more reading, and less that is right.</source>
        <translation>同样的句子，只经过一个向量：读得多得多，对得却更少。</translation>
    </message>
    <message>
        <source>Dates, attention</source>
        <translation>日期，带注意力</translation>
    </message>
    <message>
        <source>Dates in many forms into one: letters look for their month and their day.</source>
        <translation>把多种写法的日期写成一种：字母去找自己的月和日。</translation>
    </message>
    <message>
        <source>Copying, with positions</source>
        <translation>抄写，有位置</translation>
    </message>
    <message>
        <source>A small Transformer copies digits: it finds the diagonal, because it knows where each digit stands.</source>
        <translation>小 Transformer 抄写数字：它找到对角线，因为它知道每个数字在哪里。</translation>
    </message>
    <message>
        <source>Copying, no positions</source>
        <translation>抄写，没有位置</translation>
    </message>
    <message>
        <source>The same without positions: the right digits, in any order, however long it trains.</source>
        <translation>同样的训练，没有位置：数字是对的，顺序随意，训练多久都一样。</translation>
    </message>
    <message>
        <source>One head, scaled</source>
        <translation>一个头，有缩放</translation>
    </message>
    <message>
        <source>Copying with one head whose scores are divided by the root of its width.</source>
        <translation>用一个头抄写，得分除以宽度的平方根。</translation>
    </message>
    <message>
        <source>One head, not scaled</source>
        <translation>一个头，没有缩放</translation>
    </message>
    <message>
        <source>The same without the division: shares are all or nothing at once.</source>
        <translation>同样的训练，不做除法：份额一开始就是全有或全无。</translation>
    </message>
</context>
<context>
    <name>headlight::KeyboardDialog</name>
    <message>
        <source>In a chat</source>
        <translation>在聊天中</translation>
    </message>
    <message>
        <source>In the lab</source>
        <translation>在实验室里</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按键</translation>
    </message>
    <message>
        <source>What they do</source>
        <translation>作用</translation>
    </message>
    <message>
        <source>List of keys</source>
        <translation>按键列表</translation>
    </message>
    <message>
        <source>Find a key, or what it does</source>
        <translation>查找按键或其作用</translation>
    </message>
    <message>
        <source>In a picture</source>
        <translation>在图中</translation>
    </message>
    <message>
        <source>In ‘Every operation’</source>
        <translation>在“每一步运算”中</translation>
    </message>
    <message>
        <source>While presenting</source>
        <translation>演示时</translation>
    </message>
    <message>
        <source>Everywhere in the window</source>
        <translation>窗口各处</translation>
    </message>
    <message>
        <source>No key, and nothing that a key does, has all these words.</source>
        <translation>没有哪个按键或其作用含有所有这些词。</translation>
    </message>
</context>
<context>
    <name>headlight::MainWindow</name>
    <message>
        <source>The list is as it was before.</source>
        <translation>清单保持原样。</translation>
    </message>
    <message>
        <source>Open a model to compare with</source>
        <translation>打开要比较的模型</translation>
    </message>
    <message>
        <source>%1 is no model.</source>
        <translation>%1 不是模型。</translation>
    </message>
    <message>
        <source>Choose the folder of a model.</source>
        <translation>请选择模型的文件夹。</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>请选择另一个模型。</translation>
    </message>
    <message>
        <source>Of this model there is no picture ‘%1’.</source>
        <translation>这个模型没有“%1”这幅图。</translation>
    </message>
    <message>
        <source>This is a defect of Headlight, not yours. What you see below is the last good run.</source>
        <translation>这是 Headlight 的缺陷，不是你的问题。下面显示的是上一次成功的运行。</translation>
    </message>
    <message>
        <source>What you see below is the last good run. Change the text, or undo the last change (Ctrl+Z).</source>
        <translation>下面显示的是上一次成功的运行。请改动文本，或撤销最近的改动（Ctrl+Z）。</translation>
    </message>
    <message>
        <source>The model that was open before is still open.</source>
        <translation>先前打开的模型仍然开着。</translation>
    </message>
    <message>
        <source>The model runs with these weights.</source>
        <translation>模型使用这些权重运行。</translation>
    </message>
    <message>
        <source>The model runs, but what depends on these numbers is marked as missing.</source>
        <translation>模型可以运行，但依赖这些数的结果会标记为缺失。</translation>
    </message>
    <message>
        <source>Nothing was written. Choose another place and try again.</source>
        <translation>没有写入任何内容。请换一个位置再试。</translation>
    </message>
    <message>
        <source>About Headlight</source>
        <translation>关于 Headlight</translation>
    </message>
    <message>
        <source>Headlight %1

Runs attention models step by step and shows every number of them.

Free software under the GNU General Public License, version 3 or later.</source>
        <translation>Headlight %1

逐步运行注意力模型，并展示其中的每一个数。

自由软件，遵循 GNU 通用公共许可证第 3 版或更高版本。</translation>
    </message>
    <message>
        <source>Headlight</source>
        <translation>Headlight</translation>
    </message>
    <message>
        <source>%1 - Headlight</source>
        <translation>%1 - Headlight</translation>
    </message>
    <message>
        <source>Nothing was changed.</source>
        <translation>没有做任何改动。</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
    <message>
        <source>Everything else is as it was.</source>
        <translation>其余一切照旧。</translation>
    </message>
    <message>
        <source>Open or drop a model folder, a lesson, a session or a text.</source>
        <translation>请打开或拖入模型文件夹、课程、会话或文本。</translation>
    </message>
    <message>
        <source>An arrangement of yours</source>
        <translation>你的布局</translation>
    </message>
    <message>
        <source>Save this arrangement</source>
        <translation>保存此布局</translation>
    </message>
    <message>
        <source>There is an arrangement of this name. Replace it? It cannot be brought back.</source>
        <translation>已有同名的布局。要替换它吗？原来的布局无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>Remove this arrangement of yours? It cannot be brought back.</source>
        <translation>要删除你的这个布局吗？删除后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>删除(&amp;R)</translation>
    </message>
    <message>
        <source>Its name in the bar:</source>
        <translation>它在栏中的名称：</translation>
    </message>
    <message>
        <source>Keep to compare</source>
        <translation>另存为对照</translation>
    </message>
    <message>
        <source>Its name:</source>
        <translation>名称：</translation>
    </message>
    <message>
        <source>At most %1 runs are kept to compare. Let the oldest go? It cannot be brought back.</source>
        <translation>最多保留 %1 个对照。要放弃最早的一个吗？放弃后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Let it go</source>
        <translation>放弃(&amp;L)</translation>
    </message>
    <message>
        <source>Kept as ‘%1’: Compare (Ctrl+4) puts it beside what you do next</source>
        <translation>已保留为“%1”：比较（Ctrl+4）会把它与你接下来的运行并排</translation>
    </message>
    <message>
        <source>Open a lesson folder</source>
        <translation>打开课程文件夹</translation>
    </message>
    <message>
        <source>The window shows what it showed before.</source>
        <translation>窗口仍然显示原来的内容。</translation>
    </message>
    <message>
        <source>Write a PDF</source>
        <translation>写 PDF 文件</translation>
    </message>
    <message>
        <source>Choose another place and try again.</source>
        <translation>请换一个位置再试。</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>Back to my text</source>
        <translation>回到我的文本</translation>
    </message>
    <message>
        <source>This model reads %1. One of its examples stands here; your text is kept.</source>
        <translation>这个模型读入：%1。这里换上了它的一个例子，你的文本保留着。</translation>
    </message>
    <message>
        <source>Back to the lab</source>
        <translation>回到实验室</translation>
    </message>
    <message>
        <source>This is the model as it was at that moment of its training.</source>
        <translation>这是训练到那一时刻的模型。</translation>
    </message>
    <message>
        <source>Open a model, a lesson, a session, a training or a file</source>
        <translation>打开模型、课程、会话、训练记录或文件</translation>
    </message>
    <message>
        <source>Open a list of texts</source>
        <translation>打开文本列表</translation>
    </message>
    <message>
        <source>Texts (*.txt *.tsv *.jsonl *.json)</source>
        <translation>文本 (*.txt *.tsv *.jsonl *.json)</translation>
    </message>
    <message>
        <source>The chosen head, %1 (%2), is not in this picture; it stays chosen.</source>
        <translation>选中的头（%2，%1）不在这幅图里；它仍是选中的。</translation>
    </message>
</context>
<context>
    <name>headlight::SessionFiles</name>
    <message>
        <source>What is known of the reason is kept: Help, Report a problem.</source>
        <translation>已知的原因已保存：帮助 → 报告问题。</translation>
    </message>
    <message>
        <source>Headlight ended unexpectedly last time.</source>
        <translation>Headlight 上次意外退出。</translation>
    </message>
    <message>
        <source>Nothing was written. Choose another place and try again.</source>
        <translation>没有写入任何内容。请换一个位置再试。</translation>
    </message>
    <message>
        <source>Save the session</source>
        <translation>保存会话</translation>
    </message>
    <message>
        <source>Sessions (*.%1)</source>
        <translation>会话 (*.%1)</translation>
    </message>
    <message>
        <source>What was open before is still open.</source>
        <translation>之前打开的内容仍然打开着。</translation>
    </message>
    <message>
        <source>changes of the run: %1</source>
        <translation>对运行的改动：%1 处</translation>
    </message>
    <message>
        <source>changed settings of the model</source>
        <translation>改动过的模型设置</translation>
    </message>
    <message>
        <source>the output that you wrote</source>
        <translation>你写的输出</translation>
    </message>
    <message>
        <source>the way of decoding</source>
        <translation>解码方式</translation>
    </message>
    <message>
        <source>runs kept to compare: %1</source>
        <translation>保留的对照：%1 个</translation>
    </message>
    <message>
        <source>Save this session first? What is not saved cannot be brought back.</source>
        <translation>先保存这个会话吗？没有保存的内容无法恢复。</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>You can go on working. Save the session yourself, or make room: it is tried again.</source>
        <translation>可以继续工作。请自己保存会话，或腾出空间：程序会再次尝试。</translation>
    </message>
    <message>
        <source>This is what was open when Headlight was asked to end.</source>
        <translation>这是 Headlight 被要求结束时打开着的内容。</translation>
    </message>
    <message>
        <source>Headlight ended unexpectedly last time. This is what was open then.</source>
        <translation>Headlight 上次意外退出。这是当时打开的内容。</translation>
    </message>
    <message>
        <source>Everything else is as it was.</source>
        <translation>其余一切照旧。</translation>
    </message>
    <message>
        <source>Unsaved sessions that are kept: %1. Open or discard them with File, Unsaved sessions.</source>
        <translation>保留的未保存会话：%1 个。可在“文件”菜单的“未保存的会话”中打开或丢弃。</translation>
    </message>
    <message>
        <source>The unsaved session is kept.</source>
        <translation>未保存的会话仍然保留。</translation>
    </message>
    <message>
        <source>Not everything of the last session is saved yet.</source>
        <translation>上次会话的内容还没有全部保存。</translation>
    </message>
    <message>
        <source>What was open last could not be opened again: %1</source>
        <translation>上次打开的内容无法再打开：%1</translation>
    </message>
    <message>
        <source>Another window has this session.</source>
        <translation>另一个窗口正打开着这个会话。</translation>
    </message>
</context>
<context>
    <name>headlight::MessageBanner</name>
    <message>
        <source>Put this message away (Esc)</source>
        <translation>收起这条消息（Esc）</translation>
    </message>
    <message>
        <source>Put this message away</source>
        <translation>收起这条消息</translation>
    </message>
</context>
<context>
    <name>headlight::OutputModel</name>
    <message>
        <source>Step %1 wrote %2 with probability %3.</source>
        <translation>第 %1 步写出 %2，概率 %3。</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>choice %1</source>
        <translation>第 %1 选择</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>probability %1</source>
        <translation>概率 %1</translation>
    </message>
</context>
<context>
    <name>headlight::OutputView</name>
    <message>
        <source>Step %1 has not been computed yet.</source>
        <translation>第 %1 步尚未计算。</translation>
    </message>
    <message>
        <source>Choice %1 of step %2: %3, probability %4.</source>
        <translation>第 %2 步的第 %1 选择：%3，概率 %4。</translation>
    </message>
    <message>
        <source>This one was written.</source>
        <translation>写出的就是这个。</translation>
    </message>
    <message>
        <source>Probabilities in percent. Click a token to write it instead.</source>
        <translation>概率以百分比表示。点击词元即可改写。</translation>
    </message>
    <message>
        <source>Output: %1</source>
        <translation>输出：%1</translation>
    </message>
    <message>
        <source>Output, empty</source>
        <translation>输出，空</translation>
    </message>
    <message>
        <source>No step selected. Arrow keys choose one.</source>
        <translation>没有选中任何一步。用方向键选择。</translation>
    </message>
    <message>
        <source>Step %1 wrote %2 with probability %3.
The stronger the colour, the surer the model was. Below it are the most probable tokens of this step.</source>
        <translation>第 %1 步写出%2，概率 %3。
颜色越鲜明，模型越有把握。下面是这一步概率最高的词元。</translation>
    </message>
    <message>
        <source>Tokens it could be drawn from: %1. They stand side by side in the bar, each as wide as its probability; the number %2 fell on this one, which has %3 of it.</source>
        <translation>可抽取的词元：%1 个。它们在横条中并排，宽度等于各自的概率；随机数 %2 落在这一个上，它占 %3。</translation>
    </message>
    <message>
        <source>What the model writes appears here, with the most probable tokens of each step.</source>
        <translation>模型写出的内容会出现在这里，并附上每一步概率最高的词元。</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>Click to write this token instead: the model goes on from there. Right-click to keep the rest as it was.</source>
        <translation>点击可改写为这个词元：模型从那里继续。右击可保持其余不变。</translation>
    </message>
</context>
<context>
    <name>headlight::Session</name>
    <message>
        <source>change of the model</source>
        <translation>更换模型</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>输入文本</translation>
    </message>
    <message>
        <source>forced output</source>
        <translation>强制输出</translation>
    </message>
    <message>
        <source>edit of %1</source>
        <translation>改动 %1</translation>
    </message>
    <message>
        <source>removal of an edit</source>
        <translation>移除一处改动</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>改动 %1</translation>
    </message>
    <message>
        <source>way of decoding</source>
        <translation>解码方式</translation>
    </message>
    <message>
        <source>reset of all changes</source>
        <translation>撤销所有改动</translation>
    </message>
    <message>
        <source>A run can have at most %L1 edits.</source>
        <translation>一次运行最多可有 %L1 处改动。</translation>
    </message>
    <message>
        <source>This attention was stored: there is no model that could run again.</source>
        <translation>这些注意力是存储下来的：没有可以重新运行的模型。</translation>
    </message>
    <message>
        <source>kinds of sentences</source>
        <translation>句子类型</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>聊天</translation>
    </message>
</context>
<context>
    <name>headlight::SourceBar</name>
    <message>
        <source>What you see is the last good run.</source>
        <translation>下面显示的是上一次成功的运行。</translation>
    </message>
    <message>
        <source>How probable the model finds this output as a whole. Empty the field to see what it writes on its own.</source>
        <translation>模型认为整个输出的概率。清空此栏即可查看模型自己的输出。</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>The model that runs.</source>
        <translation>正在运行的模型。</translation>
    </message>
    <message>
        <source>Text that the model reads</source>
        <translation>模型读入的文本</translation>
    </message>
    <message>
        <source>Type something</source>
        <translation>输入文字</translation>
    </message>
    <message>
        <source>Every key that you press here runs the model and redraws everything.</source>
        <translation>你在这里按下的每个键都会运行模型并重画一切。</translation>
    </message>
    <message>
        <source>the model&apos;s own choice</source>
        <translation>由模型自己选择</translation>
    </message>
    <message>
        <source>Leave this empty to see what the model writes on its own. Type an output to make the model write exactly that, and see how probable it finds each step.</source>
        <translation>留空则由模型自己写。输入一个输出，模型就会照写，你可以看到它认为每一步有多大概率。</translation>
    </message>
    <message>
        <source>Written by you; the model gives it p = %1</source>
        <translation>由你写出；模型给它 p = %1</translation>
    </message>
    <message>
        <source>Write the output yourself</source>
        <translation>自己写输出</translation>
    </message>
    <message>
        <source>The output that you write</source>
        <translation>你写的输出</translation>
    </message>
    <message>
        <source>Let it continue from here</source>
        <translation>之后由模型继续</translation>
    </message>
    <message>
        <source>What you wrote is only the beginning: the model continues on its own.</source>
        <translation>你写的只是开头：之后由模型自己继续。</translation>
    </message>
    <message>
        <source>Let the model write on its own again</source>
        <translation>让模型重新自己写</translation>
    </message>
    <message>
        <source>Copy the output</source>
        <translation>复制输出</translation>
    </message>
    <message>
        <source>What can be done with the output</source>
        <translation>可以对输出做什么</translation>
    </message>
    <message>
        <source>What the model wrote</source>
        <translation>模型写出的内容</translation>
    </message>
    <message>
        <source>Output: %1</source>
        <translation>输出：%1</translation>
    </message>
    <message>
        <source>changed by you (%1)</source>
        <translation>你的改动（%1）</translation>
    </message>
    <message>
        <source>%1
without your changes: %2</source>
        <translation>%1
没有你的改动时：%2</translation>
    </message>
    <message>
        <source>p = %1</source>
        <translation>p = %1</translation>
    </message>
    <message>
        <source>Messages in place of the text: the model&apos;s chat template makes a text of them.</source>
        <translation>用消息代替文本：模型的聊天模板把它们变成一段文本。</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>聊天</translation>
    </message>
</context>
<context>
    <name>headlight::StatusPanel</name>
    <message>
        <source>Parameters are what training found; the numbers of a run are what the model computes from them for this text. You can look at each of both.</source>
        <translation>参数由训练得到；一次运行的数值是模型用这些参数对这段文本计算出来的。两者都可以逐个查看。</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>运行进度</translation>
    </message>
    <message>
        <source>Opening the model …</source>
        <translation>正在打开模型……</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>How long the last run of the model took, with every number kept.</source>
        <translation>模型上一次运行所用的时间（保留了每一个数）。</translation>
    </message>
    <message>
        <source>Time and size of the run</source>
        <translation>运行的时间和规模</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>Colours of the weights, from 0 to 1</source>
        <translation>权重的颜色，从 0 到 1</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Go to the end of the run</source>
        <translation>到运行的末尾</translation>
    </message>
    <message>
        <source>Showing %1 of %2 outputs.</source>
        <translation>显示到第 %1 个输出（共 %2 个）。</translation>
    </message>
    <message>
        <source>Colours of the numbers, from %1 to %2</source>
        <translation>数值的颜色，从 %1 到 %2</translation>
    </message>
    <message>
        <source>To the lab, where a training goes on</source>
        <translation>回到实验室，那里有训练正在进行</translation>
    </message>
</context>
<context>
    <name>headlight::StepperView</name>
    <message>
        <source>Pause (Space)</source>
        <translation>暂停（空格）</translation>
    </message>
    <message>
        <source>Play: walk through the computation (Space)</source>
        <translation>播放：逐步走完计算过程（空格）</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>First operation</source>
        <translation>第一个运算</translation>
    </message>
    <message>
        <source>To the first operation (Home)</source>
        <translation>到第一个运算（Home）</translation>
    </message>
    <message>
        <source>Previous operation</source>
        <translation>上一个运算</translation>
    </message>
    <message>
        <source>One step back (Left)</source>
        <translation>后退一步（左）</translation>
    </message>
    <message>
        <source>Next operation</source>
        <translation>下一个运算</translation>
    </message>
    <message>
        <source>Last operation</source>
        <translation>最后一个运算</translation>
    </message>
    <message>
        <source>To the end: everything is computed (End)</source>
        <translation>到末尾：全部计算完毕（End）</translation>
    </message>
    <message>
        <source>Size of a step</source>
        <translation>步长</translation>
    </message>
    <message>
        <source>How far one step goes: to the next value, or until the next token is written</source>
        <translation>一步走多远：到下一个值，或到写出下一个词元</translation>
    </message>
    <message>
        <source>by value</source>
        <translation>按数值</translation>
    </message>
    <message>
        <source>by output step</source>
        <translation>按输出步</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Position in the computation</source>
        <translation>计算过程中的位置</translation>
    </message>
    <message>
        <source>Where in the computation you are. Page Up and Page Down go to the next written token.</source>
        <translation>你在计算过程中的位置。Page Up 和 Page Down 转到下一个写出的词元。</translation>
    </message>
    <message>
        <source>Type a source text. Then walk through its computation here, one operation at a time.</source>
        <translation>输入一段原文，然后在这里一次一个运算地走完它的计算过程。</translation>
    </message>
    <message>
        <source>%1 / s</source>
        <translation>%1 / 秒</translation>
    </message>
    <message>
        <source>operation %1 of %2</source>
        <translation>运算 %1 / %2</translation>
    </message>
    <message>
        <source>the same numbers as %1</source>
        <translation>与 %1 相同的数</translation>
    </message>
    <message>
        <source>given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>%1: → %2</source>
        <translation>%1：→ %2</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>   with the weights %1</source>
        <translation>   使用权重 %1</translation>
    </message>
    <message>
        <source>   then changed by you</source>
        <translation>   之后由你改动</translation>
    </message>
    <message>
        <source>  (changed by you)</source>
        <translation>（由你改动）</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到 %1</translation>
    </message>
    <message>
        <source>made from weights alone, or given</source>
        <translation>仅由权重得到，或为给定值</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>%1 of %2 steps</source>
        <translation>%1 / %2 步</translation>
    </message>
    <message>
        <source>so far</source>
        <translation>到目前为止</translation>
    </message>
    <message>
        <source>Steps per second while playing (Ctrl+Up, Ctrl+Down)</source>
        <translation>播放时每秒的步数（Ctrl+Up、Ctrl+Down）</translation>
    </message>
    <message>
        <source>One step on (Right)</source>
        <translation>前进一步（Right）</translation>
    </message>
    <message>
        <source>In ‘Every operation’: one step back or on</source>
        <translation>在“每一步运算”中：后退或前进一步</translation>
    </message>
    <message>
        <source>In ‘Every operation’: to the first or the last operation</source>
        <translation>在“每一步运算”中：到第一个或最后一个运算</translation>
    </message>
    <message>
        <source>In ‘Every operation’: play and pause</source>
        <translation>在“每一步运算”中：播放和暂停</translation>
    </message>
    <message>
        <source>In ‘Every operation’: to the token written before or next</source>
        <translation>在“每一步运算”中：到上一个或下一个写出的词元</translation>
    </message>
    <message>
        <source>In ‘Every operation’: faster or slower</source>
        <translation>在“每一步运算”中：更快或更慢</translation>
    </message>
</context>
<context>
    <name>headlight::TensorView</name>
    <message>
        <source>Slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>Which slice of the tensor is shown</source>
        <translation>显示张量的哪个切片</translation>
    </message>
    <message>
        <source>slice [%1]</source>
        <translation>切片 [%1]</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>Matrix %1</source>
        <translation>矩阵 %1</translation>
    </message>
    <message>
        <source>not computed yet</source>
        <translation>尚未计算</translation>
    </message>
    <message>
        <source> (changed by you)</source>
        <translation>（由你改动）</translation>
    </message>
</context>
<context>
    <name>headlight::TokenStrip</name>
    <message>
        <source>%1 is not in this model&apos;s vocabulary; it is left out.</source>
        <translation>%1 不在这个模型的词表中，已略去。</translation>
    </message>
    <message>
        <source>It is not in this model&apos;s vocabulary and read as an unknown word.</source>
        <translation>它不在这个模型的词表中，按未知词读入。</translation>
    </message>
    <message>
        <source>Padding: short sources are filled up to the length that the model was trained on.</source>
        <translation>填充：较短的原文会补齐到模型训练时的长度。</translation>
    </message>
    <message>
        <source>%1, token %2 of the source.</source>
        <translation>%1，原文的第 %2 个词元。</translation>
    </message>
    <message>
        <source>It is read as number %1 of %2.</source>
        <translation>它是第 %1 个读入的（共 %2 个）。</translation>
    </message>
    <message>
        <source>Attention weight at the marked step: %1.</source>
        <translation>所标记那一步的注意力权重：%1。</translation>
    </message>
    <message>
        <source>Source tokens</source>
        <translation>源词元</translation>
    </message>
    <message numerus="yes">
        <source>%n token(s)</source>
        <translation>
            <numerusform>%n 个词元</numerusform>
        </translation>
    </message>
    <message>
        <source>The tokens of the source appear here.</source>
        <translation>原文的词元会出现在这里。</translation>
    </message>
    <message>
        <source>Of sentence %1: its kind is %2.</source>
        <translation>属于第 %1 句，句子类型为 %2。</translation>
    </message>
    <message>
        <source>Of sentence %1.</source>
        <translation>属于第 %1 句。</translation>
    </message>
    <message>
        <source>The answer that the model has found.</source>
        <translation>模型找到的答案。</translation>
    </message>
    <message>
        <source>Said by: %1.</source>
        <translation>说话者：%1。</translation>
    </message>
    <message>
        <source>The template wrote it.</source>
        <translation>由模板写出。</translation>
    </message>
</context>
<context>
    <name>headlight::TraceList</name>
    <message>
        <source>Filter: attention, step 3, weights …</source>
        <translation>筛选：attention、step 3、weights …</translation>
    </message>
    <message>
        <source>Filter of the list of values</source>
        <translation>数值列表的筛选</translation>
    </message>
    <message>
        <source>Shows only values whose name, meaning or step contains every word</source>
        <translation>只显示名称、含义或步骤中含有所有词的数值</translation>
    </message>
    <message>
        <source>All values of this run in the order of computation</source>
        <translation>本次运行的所有数值，按计算顺序</translation>
    </message>
    <message>
        <source>Type a source text: every value that is computed will be listed here.</source>
        <translation>输入一段原文：算出的每个数值都会列在这里。</translation>
    </message>
    <message>
        <source>No value has all these words in its name, meaning or step.</source>
        <translation>没有数值的名称、含义或步骤中含有所有这些词。</translation>
    </message>
</context>
<context>
    <name>headlight::TraceModel</name>
    <message>
        <source>encode: read the source</source>
        <translation>编码：读入原文</translation>
    </message>
    <message>
        <source>decode: write the output</source>
        <translation>解码：写出输出</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>step %1: reads ‘%2’</source>
        <translation>第 %1 步：读入“%2”</translation>
    </message>
    <message>
        <source>step %1: writes ‘%2’</source>
        <translation>第 %1 步：写出“%2”</translation>
    </message>
    <message>
        <source>The encoder reads the source, one token at a time.</source>
        <translation>编码器逐个词元地读入原文。</translation>
    </message>
    <message>
        <source>The decoder writes the output, one token at a time.</source>
        <translation>解码器逐个词元地写出输出。</translation>
    </message>
    <message>
        <source>Everything that is computed while the encoder reads this token.</source>
        <translation>编码器读入这个词元时计算的一切。</translation>
    </message>
    <message>
        <source>Everything that is computed in order to write this token.</source>
        <translation>为写出这个词元而计算的一切。</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source> You changed this value.</source>
        <translation> 你改动过这个数值。</translation>
    </message>
    <message>
        <source>The stable name of the value, as files and the command line write it</source>
        <translation>数值的固定名称，与文件和命令行中的写法一致</translation>
    </message>
    <message>
        <source>What the value is called in papers</source>
        <translation>论文中对这个数值的称呼</translation>
    </message>
    <message>
        <source>The operation that computed it</source>
        <translation>算出它的运算</translation>
    </message>
    <message>
        <source>Its size along each axis</source>
        <translation>沿每个轴的大小</translation>
    </message>
    <message>
        <source>When it was ready, since the start of the run</source>
        <translation>从运行开始到它算好的时间</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What this part of the model computes: a layer, a direction of reading, a head.</source>
        <translation>模型这一部分（某一层、某个读取方向、某个头）计算的内容。</translation>
    </message>
</context>
<context>
    <name>headlight::Ask</name>
    <message>
        <source>There is a file of this name already. Write over it?</source>
        <translation>已有同名的文件。要覆盖它吗？</translation>
    </message>
    <message>
        <source>&amp;Write over it</source>
        <translation>覆盖(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
</context>
<context>
    <name>headlight::FileDialog</name>
    <message>
        <source>There is no file of this name: %1</source>
        <translation>没有这个名字的文件：%1</translation>
    </message>
</context>
<context>
    <name>headlight::UnsavedDialog</name>
    <message>
        <source>Unsaved sessions</source>
        <translation>未保存的会话</translation>
    </message>
    <message>
        <source>These sessions were not saved when Headlight ended. Each stays here until you open it or discard it.</source>
        <translation>Headlight 结束时没有保存这些会话。在你打开或丢弃之前，每一个都会留在这里。</translation>
    </message>
    <message>
        <source>Unsaved sessions, the newest first</source>
        <translation>未保存的会话，最新的在前</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Discard…</source>
        <translation>丢弃(&amp;D)…</translation>
    </message>
    <message>
        <source>&amp;Keep for later</source>
        <translation>以后再说(&amp;K)</translation>
    </message>
    <message>
        <source>Go on with the selected session in this window (Enter)</source>
        <translation>在这个窗口中继续选中的会话（回车）</translation>
    </message>
    <message>
        <source>Remove the selected session from the disk (Delete)</source>
        <translation>从磁盘上删除选中的会话（Delete）</translation>
    </message>
    <message>
        <source>%1, saved %2</source>
        <translation>%1，保存于 %2</translation>
    </message>
    <message>
        <source>%1 (cannot be opened)</source>
        <translation>%1（无法打开）</translation>
    </message>
    <message>
        <source>There are no unsaved sessions.</source>
        <translation>没有未保存的会话。</translation>
    </message>
    <message>
        <source>Headlight ended while it opened this session.</source>
        <translation>Headlight 在打开这个会话时结束了。</translation>
    </message>
    <message>
        <source>The file is %1</source>
        <translation>文件是 %1</translation>
    </message>
    <message>
        <source>Discard this session? It cannot be brought back.</source>
        <translation>丢弃这个会话吗？丢弃后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Discard</source>
        <translation>丢弃(&amp;D)</translation>
    </message>
    <message>
        <source>%1 cannot be removed; another window may have opened it.</source>
        <translation>无法删除 %1；它可能已在另一个窗口中打开。</translation>
    </message>
</context>
<context>
    <name>AttentionWords</name>
    <message>
        <source>Hatched: outside the window, not kept.</source>
        <translation>斜线：在窗口之外，不保留。</translation>
    </message>
    <message>
        <source>‘sink’ is what a head gives to no token: with it a row adds up to 1.</source>
        <translation>“汇”是一个头没有给任何词元的部分：加上它，一行之和为 1。</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>cross</source>
        <translation>交叉</translation>
    </message>
    <message>
        <source>mean of all layers</source>
        <translation>各层的平均</translation>
    </message>
    <message>
        <source>Self-attention of the encoder: each source token gathers what it needs from the other source tokens.</source>
        <translation>编码器的自注意力：每个源词元从其他源词元那里收集所需的信息。</translation>
    </message>
    <message>
        <source>Self-attention of the decoder: each token looks at itself and at those before it, never at those that are still to come.</source>
        <translation>解码器的自注意力：每个词元看自己和前面的词元，从不看后面还没有出现的词元。</translation>
    </message>
    <message>
        <source>Cross-attention: each step of the output looks at the tokens of the source.</source>
        <translation>交叉注意力：输出的每一步都看原文的词元。</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>mean of the heads</source>
        <translation>各头的平均</translation>
    </message>
    <message>
        <source>largest of the heads</source>
        <translation>各头的最大值</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>后一个词元</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>broad</source>
        <translation>平均分布</translation>
    </message>
    <message>
        <source>picks one</source>
        <translation>只选一个</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>没有明显规律</translation>
    </message>
    <message>
        <source>Most of the weight lies on the diagonal: a token looks at itself, or an output step at the same place of the source.</source>
        <translation>大部分权重在对角线上：词元看自己，或者输出的一步看原文的相同位置。</translation>
    </message>
    <message>
        <source>Most of the weight lies on the previous token.</source>
        <translation>大部分权重在前一个词元上。</translation>
    </message>
    <message>
        <source>Most of the weight lies on the next token.</source>
        <translation>大部分权重在后一个词元上。</translation>
    </message>
    <message>
        <source>Most of the weight lies on the first token: often a place to rest when there is nothing to look for.</source>
        <translation>大部分权重在第一个词元上：没有什么可找时，它常常是歇脚的地方。</translation>
    </message>
    <message>
        <source>The weight is spread almost evenly: this head averages what it sees.</source>
        <translation>权重几乎平均分布：这个头把看到的内容取平均。</translation>
    </message>
    <message>
        <source>Nearly all weight lies on one token, and on another one in each row: this head looks something up.</source>
        <translation>几乎全部权重都在一个词元上，而且每一行各不相同：这个头在查找某样东西。</translation>
    </message>
    <message>
        <source>No clear pattern: the weight goes to several places.</source>
        <translation>没有明显规律：权重分到几个地方。</translation>
    </message>
    <message>
        <source>not numbers</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>Some of its weights are not numbers: nothing can be said of where it looks.</source>
        <translation>它的一些权重不是数：无法说明它看向哪里。</translation>
    </message>
    <message>
        <source>no shares</source>
        <translation>不是份额</translation>
    </message>
    <message>
        <source>Its rows do not add up to 1: these are no weights of attention, and nothing can be said of where it looks.</source>
        <translation>它的各行之和不是 1：这些不是注意力权重，无法说明它看向哪里。</translation>
    </message>
    <message>
        <source>attention weight</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>stored value, no share of 1</source>
        <translation>存储的值，不是 1 的份额</translation>
    </message>
    <message>
        <source>Entropy %1 (0: one token, 1: all alike).</source>
        <translation>熵 %1（0：只看一个词元，1：全都一样）。</translation>
    </message>
    <message>
        <source>It looks %1 tokens away on the average.</source>
        <translation>平均看向 %1 个词元之外。</translation>
    </message>
    <message>
        <source>It looks %1 of the source&apos;s length away from its own place.</source>
        <translation>平均看向离自身位置原文长度 %1 的地方。</translation>
    </message>
    <message>
        <source>Of its weight: diagonal %1, previous token %2, next token %3, first token %4. Largest weight %5.</source>
        <translation>其权重中：对角线 %1，前一个词元 %2，后一个词元 %3，第一个词元 %4。最大权重 %5。</translation>
    </message>
    <message>
        <source>padding (%1)</source>
        <translation>填充（%1）</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>prompt and output</source>
        <translation>提示与输出</translation>
    </message>
    <message>
        <source>source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>%1, %2 tokens together</source>
        <translation>%1，由 %2 个词元合并</translation>
    </message>
    <message>
        <source>&amp;Whole words</source>
        <translation>整词(&amp;W)</translation>
    </message>
    <message>
        <source>Puts the pieces of a word together: what its tokens get is added up, what they give is averaged, so that a row still sums to 1. Weights of words are only shown: turn this off to change one.</source>
        <translation>把一个词的各个片段合在一起：它的词元得到的权重相加，给出的权重取平均，因此每一行的和仍为 1。整词的权重只用于显示：要改动某个权重，请先关闭此项。</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>已关闭</translation>
    </message>
    <message>
        <source>%1, in the answer</source>
        <translation>%1，在答案中</translation>
    </message>
    <message>
        <source>padding
(%1)</source>
        <translation>填充
（%1）</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>heads %1 and %2</source>
        <translation>第 %1、%2 头</translation>
    </message>
    <message>
        <source>heads %1 to %2</source>
        <translation>第 %1 至 %2 头</translation>
    </message>
    <message>
        <source>One key-value head is shared by %1 (grouped-query attention).</source>
        <translation>%1共用一个键值头（分组查询注意力）。</translation>
    </message>
    <message>
        <source>all tokens</source>
        <translation>所有词元</translation>
    </message>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>sink</source>
        <translation>汇</translation>
    </message>
    <message>
        <source>sink, a learned score of no token</source>
        <translation>汇：一个学到的得分，不属于任何词元</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>separators</source>
        <translation>分隔符</translation>
    </message>
    <message>
        <source>same word</source>
        <translation>相同的词</translation>
    </message>
    <message>
        <source>one word</source>
        <translation>同一个词</translation>
    </message>
    <message>
        <source>Most of the weight lies on signs that stand for no text, and on punctuation.</source>
        <translation>大部分权重在不代表文字的符号和标点上。</translation>
    </message>
    <message>
        <source>Most of the weight lies on the same word elsewhere in the text.</source>
        <translation>大部分权重在文本别处的相同词上。</translation>
    </message>
    <message>
        <source>Most of the weight of all tokens lies on one and the same token.</source>
        <translation>所有词元的大部分权重都在同一个词元上。</translation>
    </message>
</context>
<context>
    <name>headlight::HeadsModel</name>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>规律</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>self</source>
        <translation>自身</translation>
    </message>
    <message>
        <source>previous token</source>
        <translation>前一个词元</translation>
    </message>
    <message>
        <source>next token</source>
        <translation>后一个词元</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>第一个词元</translation>
    </message>
    <message>
        <source>mean of the largest</source>
        <translation>最大值的平均</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
</context>
<context>
    <name>headlight::HeadsView</name>
    <message>
        <source>‹ All heads</source>
        <translation>‹ 所有的头</translation>
    </message>
    <message>
        <source>Back to the thumbnails of all heads (Esc).</source>
        <translation>回到所有头的缩略图（Esc）。</translation>
    </message>
    <message>
        <source>Each picture is one attention head: a row for each token that looks, a column for each token it can look at. The stronger the colour, the more weight. The bar below is the entropy: the longer, the more the weight is spread.
Click a head to see it large.</source>
        <translation>每幅图是一个注意力头：每行是一个看的词元，每列是它可以看的词元。颜色越鲜明，权重越大。下面的横条是熵：越长，权重分布得越散。
点击一个头可以放大查看。</translation>
    </message>
    <message>
        <source>Type a source to see what each attention head looks at.</source>
        <translation>输入原文，看看每个注意力头在看什么。</translation>
    </message>
    <message>
        <source>This model has no attention, so there are no heads to show.</source>
        <translation>这个模型没有注意力，所以没有头可以显示。</translation>
    </message>
    <message>
        <source>Pictures are reduced: each point shows the largest of up to %1 × %2 weights.</source>
        <translation>图已缩小：每个点显示最多 %1 × %2 个权重中的最大值。</translation>
    </message>
    <message>
        <source>Each picture has its own scale.</source>
        <translation>每幅图有各自的尺度。</translation>
    </message>
    <message>
        <source>Bar: entropy, how spread the weight is.</source>
        <translation>横条：熵，即权重分布得有多散。</translation>
    </message>
    <message>
        <source>Each row is a token that looks, each column a token that is looked at; a row sums to 1.
Click a cell to open its number; drag the chosen cell up or down to change its weight, and the others of its row make room. Wheel: zoom, middle button: move, 0: show everything, Esc: all heads.</source>
        <translation>每一行是一个查询的词元，每一列是被看的词元；每行之和为 1。
点击单元格可打开它的数；上下拖动选中的单元格可改变它的权重，同一行的其他权重随之让出。滚轮：缩放，中键：移动，0：显示全部，Esc：所有头。</translation>
    </message>
    <message>
        <source>Drag a square up or down to change its weight; Esc goes back to all heads.</source>
        <translation>上下拖动方格可改变它的权重；Esc 回到所有的头。</translation>
    </message>
    <message>
        <source>Click a square to see why, Esc goes back to all heads.</source>
        <translation>点击一个方格，看看为什么；Esc 回到所有的头。</translation>
    </message>
    <message>
        <source>Click a square to see why, a small picture for another head.</source>
        <translation>点击方格看原因，点击小图看另一个头。</translation>
    </message>
    <message>
        <source>A row shows where that token looks: the stronger the colour, the more.</source>
        <translation>每一行是一个词元，格子表示它关注哪些词元；颜色越鲜明，关注越多。</translation>
    </message>
    <message>
        <source>A row shows where that token looks: the stronger the colour, the more. Below the dashes: what it wrote itself.</source>
        <translation>每一行是一个词元，格子表示它关注哪些词元；颜色越鲜明，关注越多。虚线以下是它自己写的。</translation>
    </message>
    <message>
        <source>What is shown of each head</source>
        <translation>显示每个头的什么</translation>
    </message>
    <message>
        <source>Weights, what heads bring, or one number of each (V: weights, with values, ALTI).</source>
        <translation>权重、头带来的内容，或每个头的一个数（V：权重、连同值、ALTI）。</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>Measured without what was changed in this run.</source>
        <translation>测量时不含这次运行中的改动。</translation>
    </message>
    <message>
        <source>There are no such numbers of this text.</source>
        <translation>这段文本没有这样的数。</translation>
    </message>
    <message>
        <source>Click a head: it is the chosen one in every picture.</source>
        <translation>点击一个头：它就是所有图中选中的头。</translation>
    </message>
    <message>
        <source>Without the first token, which gets %1 of all weight.</source>
        <translation>不含首个词元，它得到全部权重的 %1。</translation>
    </message>
    <message>
        <source>up to 1</source>
        <translation>到 1</translation>
    </message>
    <message>
        <source>The strongest colour is a weight of 1 in all pictures, so that they can be compared.</source>
        <translation>所有图中最鲜明的颜色都是权重 1，便于相互比较。</translation>
    </message>
    <message>
        <source>stretched</source>
        <translation>拉伸</translation>
    </message>
    <message>
        <source>The strongest colour of each picture is its own largest weight, so that faint patterns can be seen.</source>
        <translation>每幅图最鲜明的颜色是它自己的最大权重，可以看清微弱的图案。</translation>
    </message>
    <message>
        <source>logarithmic</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>As much colour for each factor, from a thousandth to 1: small weights beside large ones.</source>
        <translation>从千分之一到 1，每差同样的倍数颜色变化相同：小权重也能和大权重一起看清。</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>How much colour a weight has.</source>
        <translation>权重对应多深的颜色。</translation>
    </message>
    <message>
        <source>Colours are logarithmic, from .001 to 1.</source>
        <translation>颜色按对数，从 .001 到 1。</translation>
    </message>
</context>
<context>
    <name>headlight::HeadsGrid</name>
    <message>
        <source>Click or press Enter to see it large, with its tokens.</source>
        <translation>点击或按 Enter，可以放大并看到词元。</translation>
    </message>
    <message>
        <source>For each pair of tokens the mean of the weights of all heads in this layer.</source>
        <translation>对每一对词元，取这一层所有头的权重的平均。</translation>
    </message>
    <message>
        <source>For each pair of tokens the largest weight that any head in this layer gives it.</source>
        <translation>对每一对词元，取这一层中任一个头给它的最大权重。</translation>
    </message>
    <message>
        <source>Attention heads, none</source>
        <translation>注意力头，无</translation>
    </message>
    <message>
        <source>Attention heads: %1; %2 layers, %3 heads each</source>
        <translation>注意力头：%1；%2 层，每层 %3 个头</translation>
    </message>
    <message>
        <source>entropy %1, distance %2</source>
        <translation>熵 %1，距离 %2</translation>
    </message>
    <message>
        <source>Switched off: what it looks at goes nowhere.</source>
        <translation>已关闭：它看到的内容不会传到任何地方。</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>One key-value head is shared by %1 (grouped-query attention).
Click to cut it for all of them.</source>
        <translation>%1共用一个键值头（分组查询注意力）。
点击可对它们全部切断。</translation>
    </message>
    <message>
        <source>It looks at the last %1 tokens, itself counted: what is hatched is not kept.</source>
        <translation>它只看最后 %1 个词元（包括自己）：画斜线处不保留。</translation>
    </message>
</context>
<context>
    <name>headlight::RibbonsView</name>
    <message>
        <source>Type a source to see what its tokens look at.</source>
        <translation>输入原文，看看它的词元在看什么。</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>This model has no attention, so there are no ribbons to show.</source>
        <translation>这个模型没有注意力，所以没有连线可画。</translation>
    </message>
    <message>
        <source>guessed, and how sure (%)</source>
        <translation>猜测及把握（%）</translation>
    </message>
    <message>
        <source>wrote, and how sure (%)</source>
        <translation>写出的内容及把握（%）</translation>
    </message>
    <message>
        <source>Ribbons go from a token to those it looks at: the wider, the more of its attention goes there. Below, a row for each head.
Click a word to ask from there, a row for its ribbons, a ribbon or a number to open it. Drag what is chosen up or down to change its weight, and the others make room. Space asks in the other direction.</source>
        <translation>连线从一个词元通向它所看的词元：越宽，给那里的注意力越多。下面每个头一行。
点击一个词从那里问起，点击一行看它的连线，点击一条连线或一个数打开它。上下拖动所选的可改变它的权重，其余的随之让出。空格键反过来问。</translation>
    </message>
    <message>
        <source>Drag a number or a ribbon up or down to change its weight.</source>
        <translation>上下拖动一个数或一条连线可改变它的权重。</translation>
    </message>
</context>
<context>
    <name>headlight::RibbonsCanvas</name>
    <message>
        <source>No token selected. Arrow keys choose one.</source>
        <translation>没有选中词元。用方向键选择一个。</translation>
    </message>
    <message>
        <source>%1: click to see each of them, Esc folds them again.</source>
        <translation>%1：点击逐个显示，Esc 再折叠起来。</translation>
    </message>
    <message>
        <source>picks %1</source>
        <translation>只选%1</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
    <message>
        <source>who looks at %1</source>
        <translation>谁在看%1</translation>
    </message>
    <message>
        <source>where %1 looks</source>
        <translation>%1看哪里</translation>
    </message>
    <message>
        <source>Attention as ribbons, empty</source>
        <translation>注意力连线，空</translation>
    </message>
    <message>
        <source>Attention as ribbons, %1 tokens that look, %2 tokens that are looked at, %3 heads</source>
        <translation>注意力连线，%1 个词元在看，%2 个词元被看，%3 个头</translation>
    </message>
    <message>
        <source>%1: click to ask from there.</source>
        <translation>%1：点击从这里问起。</translation>
    </message>
    <message>
        <source>%1: this one cannot be looked at from there.</source>
        <translation>%1：从那里看不到它。</translation>
    </message>
    <message>
        <source>%1: this weight is not a number.</source>
        <translation>%1：这个权重不是数。</translation>
    </message>
    <message>
        <source>%1: ‘%2’ looks at ‘%3’ with %4</source>
        <translation>%1：“%2”看“%3”，权重 %4</translation>
    </message>
    <message>
        <source>Click for its ribbons.</source>
        <translation>点击看它的连线。</translation>
    </message>
    <message>
        <source>who it is</source>
        <translation>是谁</translation>
    </message>
    <message>
        <source>what it picks</source>
        <translation>它挑什么</translation>
    </message>
    <message>
        <source>%1: a mask hides it from there.</source>
        <translation>%1：掩码使那里看不到它。</translation>
    </message>
    <message>
        <source>%1: outside the window of this layer, not kept.</source>
        <translation>%1：在这一层的窗口之外，不保留。</translation>
    </message>
</context>
<context>
    <name>headlight::PositionsView</name>
    <message>
        <source>the model&apos;s sinusoids</source>
        <translation>模型的正弦位置编码</translation>
    </message>
    <message>
        <source>sinusoids, to compare</source>
        <translation>正弦编码，供比较</translation>
    </message>
    <message>
        <source>learned by the encoder</source>
        <translation>编码器学到的</translation>
    </message>
    <message>
        <source>learned by the decoder</source>
        <translation>解码器学到的</translation>
    </message>
    <message>
        <source>learned</source>
        <translation>学到的</translation>
    </message>
    <message>
        <source>This model does not add numbers for positions.</source>
        <translation>这个模型不加入位置的数值。</translation>
    </message>
    <message>
        <source>The pair turns once in %1 positions.</source>
        <translation>这一对每 %1 个位置转一圈。</translation>
    </message>
    <message>
        <source>Positions, none</source>
        <translation>位置，无</translation>
    </message>
    <message>
        <source>Positions: %1</source>
        <translation>位置：%1</translation>
    </message>
    <message>
        <source>number within the head</source>
        <translation>头内的第几个数</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>queries, turned</source>
        <translation>旋转后的查询</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>%1 × %2 = %3 rad = %4°</source>
        <translation>%1 × %2 = %3 弧度 = %4°</translation>
    </message>
    <message>
        <source>(%1, %2)</source>
        <translation>(%1, %2)</translation>
    </message>
    <message>
        <source>This model turns its queries and keys by their positions, but this run recorded none. Type a text.</source>
        <translation>这个模型按位置旋转查询和键，但这次运行没有记录它们。请输入一段文本。</translation>
    </message>
    <message>
        <source>The query of %1 at position %2, numbers %3 and %4 of %5: %6, turned by %7, is %8.</source>
        <translation>位置 %2 上 %1 的查询，%5 个数中的第 %3 个和第 %4 个：%6，旋转 %7 后为 %8。</translation>
    </message>
    <message>
        <source>With the key of %1, %2 positions away, the product is %3.</source>
        <translation>与相距 %2 个位置的 %1 的键，点积为 %3。</translation>
    </message>
    <message>
        <source>%1 at position %2, number %3: %4</source>
        <translation>%1，位置 %2，第 %3 个数：%4</translation>
    </message>
    <message>
        <source>Two numbers of a query belong together and are turned like the hand of a clock, by an angle that grows with the position. The first pairs turn fast, the last ones hardly at all. Drag to choose a position and a pair.</source>
        <translation>查询的每两个数为一对，像钟的指针一样旋转，角度随位置增大。前面的几对转得快，最后的几对几乎不转。拖动可选择位置和一对数。</translation>
    </message>
    <message>
        <source>The pair before and after it is turned: its length stays. The angle is the position times the pair&apos;s own speed: %1.</source>
        <translation>旋转前后的这一对：长度不变。角度等于位置乘以这一对自己的转速：%1。</translation>
    </message>
    <message>
        <source>The product of this query with this key, if the key stood at another distance; dashed what the chosen pair adds. The rings are the same two rows, both ten positions farther: they fall on the same line, for only the distance counts. The dots are the keys of this text, each with its own content: click one to choose it.</source>
        <translation>假如键站在别的距离上，这个查询与这个键的点积；虚线是所选的一对贡献的部分。圆圈是同样的两行都往后移十个位置：它们落在同一条线上，因为只有距离起作用。圆点是这段文本的各个键，各有自己的内容：点击可选择。</translation>
    </message>
    <message>
        <source>%1: numbers %2 and %3</source>
        <translation>%1：第 %2 个和第 %3 个数</translation>
    </message>
    <message>
        <source>product with the key of %1, by distance</source>
        <translation>与 %1 的键的点积，按距离</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>where the rule has a fast wave</source>
        <translation>规则在此处是快波</translation>
    </message>
    <message>
        <source>where the rule has a slow wave</source>
        <translation>规则在此处是慢波</translation>
    </message>
    <message>
        <source>neighbours are equally alike at every place</source>
        <translation>各处相邻两位都同样相似</translation>
    </message>
    <message>
        <source>after place %1 hardly anything was learned</source>
        <translation>第 %1 位之后几乎什么也没学到</translation>
    </message>
    <message>
        <source>%1 of %2 numbers</source>
        <translation>%2 个数中的 %1 个</translation>
    </message>
    <message>
        <source>those that the rule changes most: sines, then cosines; outlined, the two above</source>
        <translation>按规则变化最大的：先正弦，后余弦；框出的是上面两个</translation>
    </message>
    <message>
        <source>each place (row) is to each (column): the product of their numbers; stronger is more</source>
        <translation>每个位置（行）与每个位置（列）：它们的数的乘积；颜色越鲜明，值越大</translation>
    </message>
    <message>
        <source>Number %1</source>
        <translation>第 %1 个数</translation>
    </message>
    <message>
        <source>How alike</source>
        <translation>有多相似</translation>
    </message>
    <message>
        <source>Place %1, number %2: %3</source>
        <translation>第 %1 位，第 %2 个数：%3</translation>
    </message>
    <message>
        <source>One number of each place. By the rule it goes up and down like a wave; the numbers differ in how fast.</source>
        <translation>每个位置的一个数。按规则它像波一样起伏；各个数快慢不同。</translation>
    </message>
    <message>
        <source>The numbers of a place are added to its token, so that the model can tell the first word from the fifth. Click to choose a place and a number.</source>
        <translation>一个位置的数加到那里的词元上，模型由此分得清第一个词和第五个词。点击选一个位置和一个数。</translation>
    </message>
    <message>
        <source>Places %1 and %2: %3</source>
        <translation>第 %1 位与第 %2 位：%3</translation>
    </message>
    <message>
        <source>How alike two places are: the product of their numbers, added up. By the rule it depends on the distance alone.</source>
        <translation>两个位置有多相似：它们的数相乘再相加。按规则只取决于距离。</translation>
    </message>
    <message>
        <source>Place %1: %2</source>
        <translation>第 %1 位：%2</translation>
    </message>
    <message>
        <source>Place %1, numbers %2 and %3 of %4: %5 and %6.</source>
        <translation>第 %1 位，%4 个数中的第 %2 和第 %3 个：%5 和 %6。</translation>
    </message>
    <message>
        <source>linear: all positions are pressed together, by %1 (Chen et al. 2023)</source>
        <translation>linear：所有位置一起压缩 %1 倍（Chen et al. 2023）</translation>
    </message>
    <message>
        <source>dynamic: the base grows with the text once it is longer, factor %1 (Peng et al. 2023)</source>
        <translation>dynamic：文本更长时底数随之增大，倍数 %1（Peng et al. 2023）</translation>
    </message>
    <message>
        <source>llama3: slow pairs are pressed together by %1, quick ones stay (Llama 3.1)</source>
        <translation>llama3：转得慢的数对压缩 %1 倍，转得快的不变（Llama 3.1）</translation>
    </message>
    <message>
        <source>yarn: slow pairs are pressed together by %1, along a ramp (Peng et al. 2023)</source>
        <translation>yarn：转得慢的数对沿斜坡压缩，最多 %1 倍（Peng et al. 2023）</translation>
    </message>
    <message>
        <source>longrope: each pair by a factor of its own, another in long texts (Ding et al. 2024)</source>
        <translation>longrope：每对数有自己的倍数，长文本用另一组（Ding et al. 2024）</translation>
    </message>
    <message>
        <source>not scaled for long texts</source>
        <translation>没有为长文本缩放</translation>
    </message>
    <message>
        <source>turns of numbers %1 and %2, by position; %3</source>
        <translation>第 %1、%2 个数转过的圈数，随位置变化；%3</translation>
    </message>
    <message>
        <source>; upright: it learned from %1 positions</source>
        <translation>；竖线：它学习时有 %1 个位置</translation>
    </message>
    <message>
        <source>%1, %2: to a score at distance %3, %4 is added.</source>
        <translation>%1，%2：距离 %3 处的得分加上 %4。</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Its slope is %1.</source>
        <translation>它的斜率是 %1。</translation>
    </message>
    <message>
        <source>What is added to the scores of each head by distance: straight lines (ALiBi, Press et al. 2022)</source>
        <translation>按距离加到每个头得分上的数：直线（ALiBi，Press et al. 2022）</translation>
    </message>
    <message>
        <source>What is added to the scores of each head by distance: learned (Raffel et al. 2020)</source>
        <translation>按距离加到每个头得分上的数：学得的（Raffel et al. 2020）</translation>
    </message>
    <message>
        <source>products by distance</source>
        <translation>随距离的乘积</translation>
    </message>
    <message>
        <source>angles by position</source>
        <translation>随位置的角度</translation>
    </message>
    <message>
        <source>Picture at the right (A)</source>
        <translation>右边的图（A）</translation>
    </message>
    <message>
        <source>How often the pair has gone round at a position. Dashed: without scaling. The level line is the largest angle that it learned from: with scaling, longer texts stay below it, or pass it later. The dots are the tokens of this text.</source>
        <translation>到某个位置时这一对数转了多少圈。虚线：不缩放时。水平线是它学习时见过的最大角度：缩放之后，更长的文本仍在它之下，或较晚才超过它。圆点是这段文本的词元。</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>angle without scaling</source>
        <translation>不缩放时的角度</translation>
    </message>
    <message>
        <source>angle</source>
        <translation>角度</translation>
    </message>
    <message>
        <source>Positions: what is added to scores by distance</source>
        <translation>位置：按距离加到得分上的数</translation>
    </message>
</context>
<context>
    <name>SiteKind</name>
    <message>
        <source>The shares of the window, made smaller away from its centre, so that they add up to less than 1: where the decoder looks while it writes this token.</source>
        <translation>窗口内的份额，离中心越远就越小，所以总和小于 1：解码器写这个词元时看向哪里。</translation>
    </message>
    <message>
        <source>How much the question points at each place of the source, whatever stands there: larger is better, not yet shares of a whole.</source>
        <translation>问题指向原文每个位置的程度，与那里是什么无关：越大越好，还不是份额。</translation>
    </message>
    <message>
        <source>What the decoder knows before its first step.</source>
        <translation>解码器在第一步之前所知道的内容。</translation>
    </message>
    <message>
        <source>Each row, stretched to a common size: so that no layer drowns the others.</source>
        <translation>把每一行缩放到相同的大小，使任何一层都不会淹没其他层。</translation>
    </message>
    <message>
        <source>What is added to a score for the place of the token alone: the farther back it stands, the less, and of each head by a slope of its own.</source>
        <translation>只因词元的位置而加到得分上的数：词元离得越远，加得越少，每个头有自己的斜率。</translation>
    </message>
    <message>
        <source>How well each token fits the question: larger is better, not yet shares of a whole.</source>
        <translation>每个词元与问题的契合程度：越大越好，还不是份额。</translation>
    </message>
    <message>
        <source>What is in the memory of the decoder before its first step.</source>
        <translation>解码器的记忆在第一步之前的内容。</translation>
    </message>
    <message>
        <source>Each row, shifted and stretched by what was usual in training, each column for itself.</source>
        <translation>每一行按训练中的常见值平移和缩放，各列分别进行。</translation>
    </message>
    <message>
        <source>The scores turned into shares: where the decoder looks while it writes this token.</source>
        <translation>把得分变成份额：解码器写这个词元时看向哪里。</translation>
    </message>
    <message>
        <source>The value of the one chosen token: what attention brings back from the source.</source>
        <translation>被选中的那一个词元的值：注意力从原文带回的内容。</translation>
    </message>
    <message>
        <source>Each row, brought to a common size: so that no layer drowns the others.</source>
        <translation>把每一行调整到相同的大小，使任何一层都不会淹没其他层。</translation>
    </message>
    <message>
        <source>The decoder starts from the vector that stands for the whole source.</source>
        <translation>解码器从代表整个原文的向量出发。</translation>
    </message>
    <message>
        <source>What attention brings back from the source.</source>
        <translation>注意力从原文带回的内容。</translation>
    </message>
    <message>
        <source>The decoder starts with the memory that the encoder has left.</source>
        <translation>解码器从编码器留下的记忆出发。</translation>
    </message>
    <message>
        <source>Where the window stands: it moves on by one source token at each step.</source>
        <translation>窗口所在的位置：每一步在原文中前进一个词元。</translation>
    </message>
    <message>
        <source>The decoder starts from what was read, made to fit by one small layer.</source>
        <translation>解码器从读到的内容出发，由一个小层把它变成合适的大小。</translation>
    </message>
    <message>
        <source>queries</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The question of each token, one for each head: what it is looking for in the others.</source>
        <translation>每个词元在每个头中提出的问题：它想在其他词元中寻找什么。</translation>
    </message>
    <message>
        <source>normalised queries</source>
        <translation>归一化的查询</translation>
    </message>
    <message>
        <source>The questions, all made about equally large.</source>
        <translation>把所有问题调整到大致相同的大小。</translation>
    </message>
    <message>
        <source>clipped queries</source>
        <translation>截断的查询</translation>
    </message>
    <message>
        <source>The questions; what lies beyond a bound is brought back to it.</source>
        <translation>问题；超出界限的数被拉回到界限上。</translation>
    </message>
    <message>
        <source>clipped keys</source>
        <translation>截断的键</translation>
    </message>
    <message>
        <source>The descriptions; what lies beyond a bound is brought back to it.</source>
        <translation>描述；超出界限的数被拉回到界限上。</translation>
    </message>
    <message>
        <source>clipped values</source>
        <translation>截断的值</translation>
    </message>
    <message>
        <source>What is handed over; what lies beyond a bound is brought back to it.</source>
        <translation>交出去的内容；超出界限的数被拉回到界限上。</translation>
    </message>
    <message>
        <source>rotated queries</source>
        <translation>旋转后的查询</translation>
    </message>
    <message>
        <source>The questions, turned by an angle that grows with the position: so distances enter the scores.</source>
        <translation>把问题按随位置增大的角度旋转：这样距离就进入了得分。</translation>
    </message>
    <message>
        <source>How each token describes itself to the questions, one description for each head.</source>
        <translation>每个词元面对这些问题时对自己的描述，每个头一份。</translation>
    </message>
    <message>
        <source>normalised keys</source>
        <translation>归一化的键</translation>
    </message>
    <message>
        <source>The descriptions, all made about equally large.</source>
        <translation>把所有描述调整到大致相同的大小。</translation>
    </message>
    <message>
        <source>rotated keys</source>
        <translation>旋转后的键</translation>
    </message>
    <message>
        <source>The descriptions, turned by an angle that grows with the position: so distances enter the scores.</source>
        <translation>把描述按随位置增大的角度旋转：这样距离就进入了得分。</translation>
    </message>
    <message>
        <source>What each token hands over to those that look at it, one parcel for each head.</source>
        <translation>每个词元交给看向它的词元的内容，每个头一份。</translation>
    </message>
    <message>
        <source>raw scores</source>
        <translation>原始得分</translation>
    </message>
    <message>
        <source>Query times key, for every pair: how well they fit, before anything is scaled.</source>
        <translation>每一对查询与键的乘积：在缩放之前二者有多匹配。</translation>
    </message>
    <message>
        <source>capped scores</source>
        <translation>封顶的得分</translation>
    </message>
    <message>
        <source>The scores, pressed softly below a largest value, so that no token takes all of the attention.</source>
        <translation>把得分平缓地压到一个最大值以下，使任何词元都不会占去全部注意力。</translation>
    </message>
    <message>
        <source>projected embedding</source>
        <translation>投影后的嵌入</translation>
    </message>
    <message>
        <source>The embedding, brought to the width of the model.</source>
        <translation>把嵌入变换到模型的宽度。</translation>
    </message>
    <message>
        <source>projected output</source>
        <translation>投影后的输出</translation>
    </message>
    <message>
        <source>The last rows, brought to the width of the embeddings, with which they are compared.</source>
        <translation>把最后的各行变换到嵌入的宽度，以便与嵌入相比较。</translation>
    </message>
    <message>
        <source>content to position</source>
        <translation>内容对位置</translation>
    </message>
    <message>
        <source>How well the question of a token fits the distance to each other one, whatever stands there.</source>
        <translation>每个词元的提问与它到其他各词元的距离有多匹配，不论那里是什么词元。</translation>
    </message>
    <message>
        <source>position to content</source>
        <translation>位置对内容</translation>
    </message>
    <message>
        <source>How well the description of each token fits the distance from which it is looked at.</source>
        <translation>每个词元的描述与看向它的距离有多匹配。</translation>
    </message>
    <message>
        <source>convolution of neighbours</source>
        <translation>相邻词元的卷积</translation>
    </message>
    <message>
        <source>What each token and its neighbours say together, in front of all layers.</source>
        <translation>每个词元与它的邻居合起来的内容，在所有层之前。</translation>
    </message>
    <message>
        <source>neighbours after the activation</source>
        <translation>激活之后的相邻内容</translation>
    </message>
    <message>
        <source>after the convolution</source>
        <translation>卷积之后</translation>
    </message>
    <message>
        <source>What the neighbours say, added to what the first layer found.</source>
        <translation>把邻居的内容加到第一层所得的结果上。</translation>
    </message>
    <message>
        <source>position bias</source>
        <translation>位置偏置</translation>
    </message>
    <message>
        <source>What is added to a score for the distance between the two tokens alone.</source>
        <translation>仅仅因为两个词元之间的距离而加到得分上的数。</translation>
    </message>
    <message>
        <source>The scores, divided by the root of the head&apos;s size, so that they do not grow with it: larger is better, not yet shares of a whole.</source>
        <translation>得分除以头的大小的平方根，使它不随头变大：越大越好，但还不是份额。</translation>
    </message>
    <message>
        <source>mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Which tokens may be looked at: not what is still to be written, and not what only fills up a line.</source>
        <translation>哪些词元可以看：还没有写出的不能看，只用来补齐的也不能看。</translation>
    </message>
    <message>
        <source>masked scores</source>
        <translation>加掩码的得分</translation>
    </message>
    <message>
        <source>The scores once more; masked positions get −∞.</source>
        <translation>仍是这些得分；被掩码的位置为 −∞。</translation>
    </message>
    <message>
        <source>The scores turned into shares that add up to 1: where each head looks.</source>
        <translation>把得分变成总和为 1 的份额：每个头看向哪里。</translation>
    </message>
    <message>
        <source>head output</source>
        <translation>头的输出</translation>
    </message>
    <message>
        <source>The weighted average of the values: what each head brings back.</source>
        <translation>值的加权平均：每个头带回来的内容。</translation>
    </message>
    <message>
        <source>joined heads</source>
        <translation>拼接的头</translation>
    </message>
    <message>
        <source>What all heads brought back, side by side.</source>
        <translation>所有头带回来的内容并排放在一起。</translation>
    </message>
    <message>
        <source>attention output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>What the heads found, mixed into one row as wide as the model.</source>
        <translation>把各个头找到的内容混合成与模型同宽的一行。</translation>
    </message>
    <message>
        <source>after self-attention</source>
        <translation>自注意力之后</translation>
    </message>
    <message>
        <source>What the tokens told each other, added to what was known before.</source>
        <translation>词元彼此告知的内容，加到此前已知的内容上。</translation>
    </message>
    <message>
        <source>second residual sum</source>
        <translation>第二个残差和</translation>
    </message>
    <message>
        <source>What this part of the layer found, added to what was known before.</source>
        <translation>这一层的这一部分找到的内容，加到此前已知的内容上。</translation>
    </message>
    <message>
        <source>after the feed-forward network</source>
        <translation>前馈网络之后</translation>
    </message>
    <message>
        <source>What the small network made of each row, added to what was known before.</source>
        <translation>小网络从每一行得出的内容，加到此前已知的内容上。</translation>
    </message>
    <message>
        <source>What decides how much of the hidden layer gets through.</source>
        <translation>决定隐藏层有多少可以通过。</translation>
    </message>
    <message>
        <source>hidden layer</source>
        <translation>隐藏层</translation>
    </message>
    <message>
        <source>Each row alone, spread out over more numbers: the first half of a small network.</source>
        <translation>每一行单独展开成更多的数：小网络的前一半。</translation>
    </message>
    <message>
        <source>neurons after the activation</source>
        <translation>激活之后的神经元</translation>
    </message>
    <message>
        <source>The hidden layer after its activation: most numbers are off, few are on.</source>
        <translation>激活之后的隐藏层：多数数值关闭，少数打开。</translation>
    </message>
    <message>
        <source>feed-forward output</source>
        <translation>前馈输出</translation>
    </message>
    <message>
        <source>What the small network adds to each row alone, without looking at other tokens.</source>
        <translation>小网络为每一行单独添加的内容，不看其他词元。</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>The average of the numbers of each row.</source>
        <translation>每一行各数的平均值。</translation>
    </message>
    <message>
        <source>1/σ</source>
        <translation>1/σ</translation>
    </message>
    <message>
        <source>What each row is multiplied by, so that its numbers are about 1 in size.</source>
        <translation>每一行所乘的数，使其中的数值大小约为 1。</translation>
    </message>
    <message>
        <source>normalised</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Each row, shifted and stretched to a common size: so that no layer drowns the others.</source>
        <translation>每一行都平移并缩放到共同的大小：这样没有哪一层会淹没其他层。</translation>
    </message>
    <message>
        <source>token embedding</source>
        <translation>词元嵌入</translation>
    </message>
    <message>
        <source>The numbers that stand for each token: they are learned, and do not depend on where it stands.</source>
        <translation>代表每个词元的数：它们是学来的，与词元所在位置无关。</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>The numbers that stand for each place in the text: without them the order would be lost.</source>
        <translation>代表文本中每个位置的数：没有它们，顺序就会丢失。</translation>
    </message>
    <message>
        <source>The numbers that stand for each place in the text: p counts the tokens that are no padding, from 0; padding has p = −1, the row in front of the first.</source>
        <translation>代表文本中每个位置的数：p 从 0 起只数非填充的词元；填充词元的 p = −1，即第一行前面的那一行。</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>The token and its place together: what the first layer reads.</source>
        <translation>词元及其位置合在一起：第一层读到的内容。</translation>
    </message>
    <message>
        <source>guess, first half</source>
        <translation>猜测的前一半</translation>
    </message>
    <message>
        <source>Each token&apos;s row on its way to the guess of the word that stood there.</source>
        <translation>每个词元的行，正走向对原词的猜测。</translation>
    </message>
    <message>
        <source>The token&apos;s row on its way to the guess of the next word.</source>
        <translation>该词元的行，正走向对下一个词的猜测。</translation>
    </message>
    <message>
        <source>guess, active</source>
        <translation>猜测（激活后）</translation>
    </message>
    <message>
        <source>The same after its activation.</source>
        <translation>同上，经过激活之后。</translation>
    </message>
    <message>
        <source>The attention weights of several layers or heads, averaged: one picture of where the decoder looks.</source>
        <translation>若干层或若干头的注意力权重的平均：用一张图表示解码器看向哪里。</translation>
    </message>
    <message>
        <source>origin of the read</source>
        <translation>读取内容的来源</translation>
    </message>
    <message>
        <source>How much of what the first head read was written while the machine was at each source token; the rest was there before, or was written later. Many machines read one step ahead: what is read now is the next token.</source>
        <translation>第一个读头读到的内容中，有多少是机器处理各个源词元时写入的；其余部分原本就在记忆中，或是之后写入的。许多机器会提前一步读取：现在读到的是下一个词元。</translation>
    </message>
    <message>
        <source>cell input</source>
        <translation>单元输入</translation>
    </message>
    <message>
        <source>What this cell reads at this step: the embedding (or the layer below), and beside it what it is shown of the source.</source>
        <translation>该单元在这一步读入的内容：词嵌入（或下一层的输出），以及旁边让它看到的原文信息。</translation>
    </message>
    <message>
        <source>The long-term memory after this step.</source>
        <translation>这一步之后的长期记忆。</translation>
    </message>
    <message>
        <source>What the network knows after this step; in a decoder with attention it is also the question that it asks the source.</source>
        <translation>网络在这一步之后所知道的内容；在带注意力的解码器中，它也是向原文提出的问题。</translation>
    </message>
    <message>
        <source>update gate</source>
        <translation>更新门</translation>
    </message>
    <message>
        <source>How much of each number of the state is renewed: 0 keeps the old, 1 takes the new (in PyTorch&apos;s form of the GRU the other way round).</source>
        <translation>状态的每个数有多少被更新：0 保留旧值，1 采用新值（PyTorch 形式的 GRU 恰好相反）。</translation>
    </message>
    <message>
        <source>reset gate</source>
        <translation>重置门</translation>
    </message>
    <message>
        <source>How much of the old state the new content may look at.</source>
        <translation>新内容可以参考多少旧状态。</translation>
    </message>
    <message>
        <source>recurrent part</source>
        <translation>循环部分</translation>
    </message>
    <message>
        <source>The old state, weighted, before the reset gate (in PyTorch&apos;s form of the GRU).</source>
        <translation>旧状态加权之后、经过重置门之前的值（PyTorch 形式的 GRU）。</translation>
    </message>
    <message>
        <source>bottleneck before the bridge</source>
        <translation>过桥之前的瓶颈向量</translation>
    </message>
    <message>
        <source>What was read in both directions; the bridge makes it fit the decoder.</source>
        <translation>两个方向读到的内容；桥接层把它变成适合解码器的大小。</translation>
    </message>
    <message>
        <source>mean of the encoder states</source>
        <translation>编码器状态的平均</translation>
    </message>
    <message>
        <source>The average of everything that can be looked at; the decoder&apos;s first state is made from it.</source>
        <translation>所有可以查看的内容的平均；解码器的第一个状态由它得出。</translation>
    </message>
    <message>
        <source>products</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>How well each source token fits the question, before the division by the square root of their length.</source>
        <translation>每个源词元与提问的匹配程度，尚未除以长度的平方根。</translation>
    </message>
    <message>
        <source>sharpness</source>
        <translation>锐度</translation>
    </message>
    <message>
        <source>What the similarities are multiplied by: the larger, the more the attention prefers the best token.</source>
        <translation>相似度所乘的数：越大，注意力越偏向最匹配的词元。</translation>
    </message>
    <message>
        <source>hidden layer of the centre</source>
        <translation>中心的隐藏层</translation>
    </message>
    <message>
        <source>A small network asks the decoder&apos;s state where to look.</source>
        <translation>一个小网络根据解码器的状态判断该看哪里。</translation>
    </message>
    <message>
        <source>centre as a share</source>
        <translation>以比例表示的中心</translation>
    </message>
    <message>
        <source>Where the window stands, from 0 = the first source token to 1 = the last.</source>
        <translation>窗口的位置：0 表示第一个源词元，1 表示最后一个。</translation>
    </message>
    <message>
        <source>what the reset gate lets through</source>
        <translation>重置门放行的内容</translation>
    </message>
    <message>
        <source>The old state behind the reset gate: zeros mean a fresh start.</source>
        <translation>经过重置门之后的旧状态：全为零表示重新开始。</translation>
    </message>
    <message>
        <source>The new content that could replace the old state.</source>
        <translation>可能取代旧状态的新内容。</translation>
    </message>
    <message>
        <source>What the network knows after this step.</source>
        <translation>网络在这一步之后所知道的内容。</translation>
    </message>
    <message>
        <source>RNN pre-activation</source>
        <translation>RNN 预激活值</translation>
    </message>
    <message>
        <source>The input and the previous state, each weighted and added up.</source>
        <translation>输入与前一状态分别加权后相加。</translation>
    </message>
    <message>
        <source>residual sum</source>
        <translation>残差和</translation>
    </message>
    <message>
        <source>The layer&apos;s output plus its input: a short cut that keeps deep stacks trainable.</source>
        <translation>该层的输出加上它的输入：一条让深层网络仍可训练的捷径。</translation>
    </message>
    <message>
        <source>both directions</source>
        <translation>双向合并</translation>
    </message>
    <message>
        <source>What was read up to this token beside what was read from the end back to it.</source>
        <translation>从开头读到该词元的内容，与从末尾倒读到该词元的内容并列。</translation>
    </message>
    <message>
        <source>Each layer of the decoder starts from the last state of the same layer of the encoder.</source>
        <translation>解码器的每一层都从编码器同一层的最后状态开始。</translation>
    </message>
    <message>
        <source>What is in the memory of this layer before the first step.</source>
        <translation>第一步之前这一层记忆中的内容。</translation>
    </message>
    <message>
        <source>projected keys</source>
        <translation>投影后的键</translation>
    </message>
    <message>
        <source>Each source token&apos;s key, weighted once for all steps, ready to be compared with the questions.</source>
        <translation>每个源词元的键，为所有步骤一次性加权，以便与查询比较。</translation>
    </message>
    <message>
        <source>projected query</source>
        <translation>投影后的查询</translation>
    </message>
    <message>
        <source>The question, weighted so that it can be compared with the keys.</source>
        <translation>经加权的查询，使其能与键比较。</translation>
    </message>
    <message>
        <source>scores over temperature</source>
        <translation>除以温度的得分</translation>
    </message>
    <message>
        <source>The scores divided by the temperature: above 1 the attention gets softer, below 1 sharper.</source>
        <translation>得分除以温度：大于 1 时注意力更平缓，小于 1 时更尖锐。</translation>
    </message>
    <message>
        <source>window centre</source>
        <translation>窗口中心</translation>
    </message>
    <message>
        <source>Where in the source the decoder expects to look at this step, counted from 0.</source>
        <translation>解码器在这一步预计查看的源位置，从 0 计起。</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Which source tokens lie within the window around the centre: 1 may be read, 0 may not.</source>
        <translation>哪些源词元位于中心周围的窗口内：1 可以读取，0 不可以。</translation>
    </message>
    <message>
        <source>weights within the window</source>
        <translation>窗口内的权重</translation>
    </message>
    <message>
        <source>The scores turned into shares, among the tokens of the window only.</source>
        <translation>仅在窗口内的词元之间把得分转换为份额。</translation>
    </message>
    <message>
        <source>Gaussian</source>
        <translation>高斯函数</translation>
    </message>
    <message>
        <source>A bell around the centre that favours the tokens close to it.</source>
        <translation>以中心为峰的钟形曲线，偏向靠近中心的词元。</translation>
    </message>
    <message>
        <source>draw</source>
        <translation>随机数</translation>
    </message>
    <message>
        <source>The random number that decides which token is chosen.</source>
        <translation>决定选中哪个词元的随机数。</translation>
    </message>
    <message>
        <source>chosen position</source>
        <translation>选中的位置</translation>
    </message>
    <message>
        <source>The one source token that hard attention looks at in this step.</source>
        <translation>硬注意力在这一步查看的唯一源词元。</translation>
    </message>
    <message>
        <source>choice</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>The choice as weights: everything on one token.</source>
        <translation>以权重表示的选择：全部落在一个词元上。</translation>
    </message>
    <message>
        <source>selector</source>
        <translation>选择门</translation>
    </message>
    <message>
        <source>How much the decoder relies on the source at all in this step.</source>
        <translation>解码器在这一步总体上依赖原文的程度。</translation>
    </message>
    <message>
        <source>gated context</source>
        <translation>经门控的上下文</translation>
    </message>
    <message>
        <source>The context, scaled by the selector.</source>
        <translation>按选择门缩放后的上下文。</translation>
    </message>
    <message>
        <source>attentional state</source>
        <translation>注意力状态</translation>
    </message>
    <message>
        <source>What was looked up and what the decoder knows, mixed: the output is computed from it.</source>
        <translation>查到的内容与解码器已知内容的混合：输出由它计算。</translation>
    </message>
    <message>
        <source>readout before its function</source>
        <translation>激活前的读出</translation>
    </message>
    <message>
        <source>The state, the last token and the context, each weighted and added up.</source>
        <translation>状态、上一个词元和上下文分别加权后相加。</translation>
    </message>
    <message>
        <source>maxout</source>
        <translation>maxout</translation>
    </message>
    <message>
        <source>Of each pair of numbers the larger one goes on.</source>
        <translation>每两个数中较大的一个继续向前。</translation>
    </message>
    <message>
        <source>encoder input</source>
        <translation>编码器输入</translation>
    </message>
    <message>
        <source>Each token&apos;s embedding, turned into as many numbers as the layers work with.</source>
        <translation>每个词元的词嵌入，变换为各层所用的维数。</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>At every token one small window is weighed: the token itself and its neighbours on both sides, with the same weights everywhere.</source>
        <translation>在每个词元处对一个小窗口加权：词元本身及其两侧的邻居，处处使用相同的权重。</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What the window has to say, before it is decided how much of it gets through.</source>
        <translation>窗口要表达的内容，此时尚未决定放行多少。</translation>
    </message>
    <message>
        <source>gate input</source>
        <translation>门的输入</translation>
    </message>
    <message>
        <source>What decides about the content: large numbers will open the gate, negative ones will close it.</source>
        <translation>决定内容去留的数：大的数打开门，负数关闭门。</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>门</translation>
    </message>
    <message>
        <source>How much of the content gets through: 0 holds it back, 1 lets all of it pass.</source>
        <translation>内容放行的程度：0 全部拦下，1 全部通过。</translation>
    </message>
    <message>
        <source>gated output</source>
        <translation>门控输出</translation>
    </message>
    <message>
        <source>The content that came through the gate.</source>
        <translation>通过门的内容。</translation>
    </message>
    <message>
        <source>layer output</source>
        <translation>层输出</translation>
    </message>
    <message>
        <source>What the layer found, added to what it was given: each layer sees two neighbours more on its way down (with windows of three).</source>
        <translation>该层的发现加上它的输入：窗口为三时，每一层都比下一层多看到两个邻居。</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>How each source token describes itself to the decoder, its neighbours taken into account: questions are compared with this.</source>
        <translation>每个源词元结合邻居向解码器作出的自我描述：查询与它比较。</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>What each source token hands over when the decoder looks at it: its description and its own embedding.</source>
        <translation>解码器查看某个源词元时它交出的内容：它的描述与它自身的词嵌入。</translation>
    </message>
    <message>
        <source>decoder input</source>
        <translation>解码器输入</translation>
    </message>
    <message>
        <source>The embedding of the last written token, turned into as many numbers as the layers work with.</source>
        <translation>上一个写出词元的词嵌入，变换为各层所用的维数。</translation>
    </message>
    <message>
        <source>A small window is weighed: this position and the ones before it, never what is still to be written.</source>
        <translation>对一个小窗口加权：当前位置及其之前的位置，绝不包括尚未写出的内容。</translation>
    </message>
    <message>
        <source>The content that came through the gate: what this layer knows about the text so far.</source>
        <translation>通过门的内容：这一层对目前文本的了解。</translation>
    </message>
    <message>
        <source>The question of this layer: what it knows so far, together with the last written token.</source>
        <translation>这一层的查询：它目前所知的内容与上一个写出的词元。</translation>
    </message>
    <message>
        <source>The scores turned into shares that add up to 1: where this layer looks while this token is written.</source>
        <translation>得分转换为总和为 1 的份额：写出该词元时这一层看向哪里。</translation>
    </message>
    <message>
        <source>The weighted average of the values, made larger for longer sources (m is the number of source tokens): what this layer brings back.</source>
        <translation>值的加权平均，原文越长放大越多（m 为源词元数）：这一层取回的内容。</translation>
    </message>
    <message>
        <source>attended output</source>
        <translation>注意力输出</translation>
    </message>
    <message>
        <source>What was looked up, added to what the layer knew before it asked.</source>
        <translation>查到的内容加上该层提问之前已知的内容。</translation>
    </message>
    <message>
        <source>The result of the layer, added to what it was given: the next layer goes on from here, and asks again.</source>
        <translation>该层的结果加上它的输入：下一层由此继续，并再次提问。</translation>
    </message>
    <message>
        <source>mean attention</source>
        <translation>平均注意力</translation>
    </message>
    <message>
        <source>What the output is computed from: the result of the last layer.</source>
        <translation>计算输出所用的内容：最后一层的结果。</translation>
    </message>
    <message>
        <source>what the head is told</source>
        <translation>给读写头的指令</translation>
    </message>
    <message>
        <source>The numbers that the controller sends to this head; squashed one by one they become its key, strength, gate, shift and sharpness.</source>
        <translation>控制器发给该读写头的数；逐个压缩后成为它的键、强度、门、移位与锐度。</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>What the head is looking for: slots that hold something like it.</source>
        <translation>读写头要寻找的内容：与之相似的记忆槽。</translation>
    </message>
    <message>
        <source>key strength</source>
        <translation>键强度</translation>
    </message>
    <message>
        <source>How strict the search by content is: the larger, the more the best slot wins over the others.</source>
        <translation>按内容查找的严格程度：越大，最匹配的槽越占优势。</translation>
    </message>
    <message>
        <source>interpolation gate</source>
        <translation>插值门</translation>
    </message>
    <message>
        <source>Whether to search anew: 1 goes by content, 0 starts from the place where the head was at the last step.</source>
        <translation>是否重新查找：1 按内容查找，0 从上一步所在的位置出发。</translation>
    </message>
    <message>
        <source>shift weights</source>
        <translation>移位权重</translation>
    </message>
    <message>
        <source>Three shares: how much the head moves one slot back, stays, or moves one slot on.</source>
        <translation>三个份额：读写头后退一槽、停留或前进一槽各占多少。</translation>
    </message>
    <message>
        <source>sharpening</source>
        <translation>锐化</translation>
    </message>
    <message>
        <source>How much the place is sharpened after the shift, which blurs it: 1 leaves it as it is.</source>
        <translation>移位会使位置变模糊，这里表示之后锐化的程度：1 表示不变。</translation>
    </message>
    <message>
        <source>similarity</source>
        <translation>相似度</translation>
    </message>
    <message>
        <source>How well each slot of the memory agrees with the key: 1 is the same direction, −1 the opposite.</source>
        <translation>记忆的每个槽与键的吻合程度：1 方向相同，−1 方向相反。</translation>
    </message>
    <message>
        <source>weighting by content</source>
        <translation>按内容的权重</translation>
    </message>
    <message>
        <source>Where the head would look by content alone: shares of the slots that add up to 1.</source>
        <translation>仅按内容时读写头会看向哪里：各槽的份额，总和为 1。</translation>
    </message>
    <message>
        <source>gated weighting</source>
        <translation>门控后的权重</translation>
    </message>
    <message>
        <source>The mixture of what was found by content and where the head was before.</source>
        <translation>按内容找到的位置与之前所在位置的混合。</translation>
    </message>
    <message>
        <source>shifted weighting</source>
        <translation>移位后的权重</translation>
    </message>
    <message>
        <source>The mixture, moved along the slots; the last slot is followed by the first.</source>
        <translation>混合结果沿各槽移动；最后一槽之后接第一槽。</translation>
    </message>
    <message>
        <source>weighting</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Where the head is at this step: how much it reads from, or writes to, each slot.</source>
        <translation>读写头这一步所在的位置：对每个槽读取或写入多少。</translation>
    </message>
    <message>
        <source>read vector</source>
        <translation>读向量</translation>
    </message>
    <message>
        <source>What the head brings back: the slots, averaged with its weighting.</source>
        <translation>读写头取回的内容：按其权重对各槽求平均。</translation>
    </message>
    <message>
        <source>erase vector</source>
        <translation>擦除向量</translation>
    </message>
    <message>
        <source>Which numbers of a slot are wiped out before something new is added: 1 wipes, 0 keeps.</source>
        <translation>在加入新内容之前擦去槽中的哪些数：1 擦除，0 保留。</translation>
    </message>
    <message>
        <source>add vector</source>
        <translation>写入向量</translation>
    </message>
    <message>
        <source>What is written: it is added to each slot as far as the weighting points there.</source>
        <translation>写入的内容：按权重指向的程度加到每个槽。</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>The whole memory after this write, one row for each slot.</source>
        <translation>这次写入之后的整个记忆，每个槽一行。</translation>
    </message>
    <message>
        <source>controller input</source>
        <translation>控制器输入</translation>
    </message>
    <message>
        <source>What the controller is given: the bits of the token, the delimiter&apos;s channel, and what was read last.</source>
        <translation>交给控制器的内容：词元的各个比特、分隔符通道，以及上次读出的内容。</translation>
    </message>
    <message>
        <source>controller state</source>
        <translation>控制器状态</translation>
    </message>
    <message>
        <source>What the controller makes of its input; it remembers nothing itself, so all it knows of earlier steps is in the memory.</source>
        <translation>控制器由输入得到的结果；它自身不记忆，先前步骤的一切都在记忆中。</translation>
    </message>
    <message>
        <source>input bits</source>
        <translation>输入比特</translation>
    </message>
    <message>
        <source>Each token as the bits of its number; the last channel is 1 only at the delimiter that ends the source.</source>
        <translation>每个词元表示为其编号的各个比特；最后一个通道只在结束原文的分隔符处为 1。</translation>
    </message>
    <message>
        <source>first reading weighting</source>
        <translation>初始读权重</translation>
    </message>
    <message>
        <source>Where the reading head stands before the first step.</source>
        <translation>第一步之前读头所在的位置。</translation>
    </message>
    <message>
        <source>first writing weighting</source>
        <translation>初始写权重</translation>
    </message>
    <message>
        <source>Where the writing head stands before the first step.</source>
        <translation>第一步之前写头所在的位置。</translation>
    </message>
    <message>
        <source>What the output is computed from: the controller&apos;s state beside what the heads read at this step.</source>
        <translation>计算输出所用的内容：控制器状态与读写头这一步读出的内容并列。</translation>
    </message>
    <message>
        <source>bit scores</source>
        <translation>比特得分</translation>
    </message>
    <message>
        <source>One score for each bit of the token to write: above 0 the bit is more likely 1 than 0.</source>
        <translation>要写出的词元的每个比特一个得分：大于 0 时该比特更可能为 1。</translation>
    </message>
    <message>
        <source>bit probabilities</source>
        <translation>比特概率</translation>
    </message>
    <message>
        <source>How likely each bit is 1; a token&apos;s probability is the product over its bits.</source>
        <translation>每个比特为 1 的可能性；一个词元的概率是其各比特概率的乘积。</translation>
    </message>
    <message>
        <source>source token ids</source>
        <translation>源词元编号</translation>
    </message>
    <message>
        <source>Each character of the source as a number: its row in the embedding table, in the order in which the encoder reads.</source>
        <translation>原文的每个字符对应的编号：它在词嵌入表中的行，按编码器读入的顺序排列。</translation>
    </message>
    <message>
        <source>display index</source>
        <translation>显示位置</translation>
    </message>
    <message>
        <source>Where each token that the encoder reads stands in the typed text: pictures use it to undo the reversal.</source>
        <translation>编码器读入的每个词元在原文中的位置：画图时用它还原被反转的顺序。</translation>
    </message>
    <message>
        <source>source embeddings</source>
        <translation>源词嵌入</translation>
    </message>
    <message>
        <source>Each token becomes a short list of learned numbers, its embedding.</source>
        <translation>每个词元变成一小串学得的数，即它的词嵌入。</translation>
    </message>
    <message>
        <source>LSTM pre-activation</source>
        <translation>LSTM 预激活值</translation>
    </message>
    <message>
        <source>The input and the previous hidden state, each weighted and added up, before the gates squash them.</source>
        <translation>输入和前一个隐藏状态各自加权后相加，尚未经过门的压缩。</translation>
    </message>
    <message>
        <source>forget gate</source>
        <translation>遗忘门</translation>
    </message>
    <message>
        <source>How much of the old memory each cell keeps: 0 forgets, 1 keeps.</source>
        <translation>每一维保留多少旧记忆：0 为忘记，1 为保留。</translation>
    </message>
    <message>
        <source>candidate</source>
        <translation>候选值</translation>
    </message>
    <message>
        <source>The new content that could be written into the memory.</source>
        <translation>可以写入记忆的新内容。</translation>
    </message>
    <message>
        <source>input gate</source>
        <translation>输入门</translation>
    </message>
    <message>
        <source>How much of the new content is written into each cell.</source>
        <translation>新内容有多少写入每一维。</translation>
    </message>
    <message>
        <source>output gate</source>
        <translation>输出门</translation>
    </message>
    <message>
        <source>How much of each cell is shown to the outside.</source>
        <translation>每一维有多少展示给外部。</translation>
    </message>
    <message>
        <source>cell state</source>
        <translation>细胞状态 (c)</translation>
    </message>
    <message>
        <source>hidden state</source>
        <translation>隐藏状态</translation>
    </message>
    <message>
        <source>encoder states</source>
        <translation>编码器状态</translation>
    </message>
    <message>
        <source>All hidden states of the encoder, one row for each token: what attention looks at.</source>
        <translation>编码器的全部隐藏状态，每个词元一行：注意力所看的对象。</translation>
    </message>
    <message>
        <source>bottleneck</source>
        <translation>瓶颈向量</translation>
    </message>
    <message>
        <source>The single vector into which the whole source has to fit when there is no attention.</source>
        <translation>没有注意力时，整个原文必须装进的那一个向量。</translation>
    </message>
    <message>
        <source>initial hidden state</source>
        <translation>初始隐藏状态</translation>
    </message>
    <message>
        <source>The decoder starts from the last hidden state of the encoder.</source>
        <translation>解码器从编码器的最后一个隐藏状态开始。</translation>
    </message>
    <message>
        <source>initial cell state</source>
        <translation>初始细胞状态 (c)</translation>
    </message>
    <message>
        <source>The decoder starts with an empty memory cell.</source>
        <translation>解码器从空的记忆单元开始。</translation>
    </message>
    <message>
        <source>input token</source>
        <translation>输入词元</translation>
    </message>
    <message>
        <source>The token that the decoder wrote last (or the start sign).</source>
        <translation>解码器上一步写出的词元（或起始符）。</translation>
    </message>
    <message>
        <source>input embedding</source>
        <translation>输入词嵌入</translation>
    </message>
    <message>
        <source>The last written token as its learned list of numbers.</source>
        <translation>上一个写出的词元所对应的那串学得的数。</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>The question of this step: which source tokens do I need now?</source>
        <translation>这一步的问题：我现在需要哪些源词元？</translation>
    </message>
    <message>
        <source>attention scores</source>
        <translation>注意力得分</translation>
    </message>
    <message>
        <source>How well each source token fits the question: larger is better, not yet shares of a whole.</source>
        <translation>每个源词元与问题的契合程度：越大越好，还不是占整体的份额。</translation>
    </message>
    <message>
        <source>attention weights</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>The scores turned into shares that add up to 1: where the decoder looks while it writes this token.</source>
        <translation>把得分变成总和为 1 的份额：解码器写这个词元时看向哪里。</translation>
    </message>
    <message>
        <source>weighted values</source>
        <translation>加权的值</translation>
    </message>
    <message>
        <source>Each source token&apos;s value, scaled by its share.</source>
        <translation>每个源词元的值乘以它的份额。</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>The weighted average of the values: what attention brings back from the source.</source>
        <translation>值的加权平均：注意力从原文取回的内容。</translation>
    </message>
    <message>
        <source>readout</source>
        <translation>读出向量</translation>
    </message>
    <message>
        <source>What the output is computed from: what was looked up (or the bottleneck) beside what the decoder knows.</source>
        <translation>用来计算输出的向量：查到的内容（或瓶颈向量）与解码器所知道的并列。</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>logits（未归一化的得分）</translation>
    </message>
    <message>
        <source>One score for each token that could be written next.</source>
        <translation>下一步可能写出的每个词元各有一个得分。</translation>
    </message>
    <message>
        <source>output probabilities</source>
        <translation>输出概率</translation>
    </message>
    <message>
        <source>The scores as probabilities: the most probable token is written.</source>
        <translation>把得分变成概率：写出概率最高的词元。</translation>
    </message>
    <message>
        <source>kind of sentence</source>
        <translation>句子类型</translation>
    </message>
    <message>
        <source>The numbers that stand for the sentence that a token is of: the first or the second of two.</source>
        <translation>代表词元所属句子的数：两句中的第一句或第二句。</translation>
    </message>
    <message>
        <source>pooled vector</source>
        <translation>汇聚向量</translation>
    </message>
    <message>
        <source>What stands for the whole text: the first token's row, through one small layer.</source>
        <translation>代表整段文本：第一个词元的行经过一个小层。</translation>
    </message>
    <message>
        <source>sentence embedding</source>
        <translation>句子嵌入</translation>
    </message>
    <message>
        <source>One row of numbers for the whole text: two texts that mean the same have rows that point the same way.</source>
        <translation>代表整段文本的一行数：意思相同的两段文本，其行方向相同。</translation>
    </message>
    <message>
        <source>next sentence</source>
        <translation>下一句</translation>
    </message>
    <message>
        <source>Whether the second sentence goes on with the first: one number for yes, one for no.</source>
        <translation>第二句是否接着第一句：一个数表示是，一个数表示否。</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>The score that the model gives the text, or the pair.</source>
        <translation>模型给这段文本或这对句子的得分。</translation>
    </message>
    <message>
        <source>share of the sink</source>
        <translation>汇的份额</translation>
    </message>
    <message>
        <source>What each head gives to nothing at all: its weights add up to 1 less this share.</source>
        <translation>每个头什么也不看的那一份：它的权重加起来等于 1 减去这个份额。</translation>
    </message>
    <message>
        <source>latent of the queries</source>
        <translation>查询的潜向量</translation>
    </message>
    <message>
        <source>One short row for each token, from which the questions of all heads are computed.</source>
        <translation>每个词元的一行短向量，所有头的查询都由它算出。</translation>
    </message>
    <message>
        <source>latent</source>
        <translation>潜向量</translation>
    </message>
    <message>
        <source>One short row for each token, from which the keys and values of all heads are computed: it is all that has to be kept, beside the part that turns.</source>
        <translation>每个词元的一行短向量，所有头的键和值都由它算出：除了会旋转的那一部分，要保留的只有它。</translation>
    </message>
    <message>
        <source>rotated part of the keys</source>
        <translation>键的旋转部分</translation>
    </message>
    <message>
        <source>What the keys of all heads have in common: the part that turns with the position, kept beside the latent.</source>
        <translation>所有头的键共有的部分：随位置旋转，与潜向量一起保留。</translation>
    </message>
    <message>
        <source>router logits</source>
        <translation>路由 logits</translation>
    </message>
    <message>
        <source>How well each expert fits the token: a number for each of them, before the largest are chosen.</source>
        <translation>每个专家与这个词元有多合适：每个专家一个数，还没有挑出最大的几个。</translation>
    </message>
    <message>
        <source>chosen experts</source>
        <translation>选中的专家</translation>
    </message>
    <message>
        <source>The numbers of the few experts that work on this token, counted from 0; the one with the largest share first.</source>
        <translation>处理这个词元的几个专家的编号，从 0 数起；份额最大的在最前。</translation>
    </message>
    <message>
        <source>shares of the experts</source>
        <translation>专家的份额</translation>
    </message>
    <message>
        <source>What the output of each chosen expert is multiplied by.</source>
        <translation>每个选中的专家的输出所乘的数。</translation>
    </message>
    <message>
        <source>share of the shared expert</source>
        <translation>共享专家的份额</translation>
    </message>
    <message>
        <source>What the output of the expert that works on every token is multiplied by.</source>
        <translation>处理每个词元的那个专家的输出所乘的数。</translation>
    </message>
    <message>
        <source>outputs of the experts</source>
        <translation>各专家的输出</translation>
    </message>
    <message>
        <source>What each chosen expert makes of the token, before the shares.</source>
        <translation>每个选中的专家对这个词元算出的结果，还没有乘份额。</translation>
    </message>
    <message>
        <source>gate input of the shared expert</source>
        <translation>共享专家的门输入</translation>
    </message>
    <message>
        <source>What decides how much of the shared expert&apos;s hidden layer gets through.</source>
        <translation>决定共享专家的隐藏层有多少能通过。</translation>
    </message>
    <message>
        <source>hidden layer of the shared expert</source>
        <translation>共享专家的隐藏层</translation>
    </message>
    <message>
        <source>Each row alone, spread out over more numbers, in the expert that works on every token.</source>
        <translation>在处理每个词元的专家里，每一行单独展开成更多的数。</translation>
    </message>
    <message>
        <source>neurons of the shared expert</source>
        <translation>共享专家的神经元</translation>
    </message>
    <message>
        <source>The shared expert&apos;s hidden layer after its activation.</source>
        <translation>共享专家的隐藏层经过激活之后。</translation>
    </message>
    <message>
        <source>output of the shared expert</source>
        <translation>共享专家的输出</translation>
    </message>
    <message>
        <source>What the expert that works on every token adds.</source>
        <translation>处理每个词元的专家所加上的内容。</translation>
    </message>
    <message>
        <source>The scores turned into shares that add up to 1 with that of the sink: where each head looks.</source>
        <translation>把得分变成份额，与汇的份额加起来等于 1：每个头看向哪里。</translation>
    </message>
</context>
<context>
    <name>headlight::MergesView</name>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>all rules</source>
        <translation>全部规则</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>match %1</source>
        <translation>匹配 %1</translation>
    </message>
    <message>
        <source>best</source>
        <translation>最佳</translation>
    </message>
    <message>
        <source>second best</source>
        <translation>次佳</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>not %1</source>
        <translation>不在词表：%1</translation>
    </message>
    <message>
        <source>log probability %1</source>
        <translation>对数概率 %1</translation>
    </message>
    <message>
        <source>%1 · merges: %2 · tokens: %3</source>
        <translation>%1 · 合并 %2 次 · 词元 %3 个</translation>
    </message>
    <message>
        <source>%1 · the longest match from the left · tokens: %2</source>
        <translation>%1 · 从左边起取最长匹配 · 词元 %2 个</translation>
    </message>
    <message>
        <source>%1 · the most probable way through its pieces · tokens: %2</source>
        <translation>%1 · 概率最大的切法 · 词元 %2 个</translation>
    </message>
    <message>
        <source>Each character is one token · tokens: %1</source>
        <translation>每个字符一个词元 · 词元 %1 个</translation>
    </message>
    <message>
        <source>%1 is not in the vocabulary</source>
        <translation>%1 不在词表里</translation>
    </message>
    <message>
        <source>%1 is one token</source>
        <translation>%1 是一个词元</translation>
    </message>
    <message>
        <source>%1 · some of them unknown</source>
        <translation>%1 · 其中有未知的</translation>
    </message>
    <message>
        <source>Rule %1 of the tokenizer: %2 and %3 become one piece.</source>
        <translation>分词器的第 %1 条规则：%2 和 %3 合成一个子词。</translation>
    </message>
    <message>
        <source>Tried first, and not in the vocabulary: %1</source>
        <translation>先试过、但不在词表里的：%1</translation>
    </message>
    <message>
        <source>The logarithms of the probabilities of its pieces add up to %1.</source>
        <translation>各子词的对数概率之和是 %1。</translation>
    </message>
    <message>
        <source>%1 · tokens: %2</source>
        <translation>%1 · 词元 %2 个</translation>
    </message>
    <message>
        <source>%1: no piece of the vocabulary, so it costs %2</source>
        <translation>%1：词表里没有，代价是 %2</translation>
    </message>
    <message>
        <source>%1: log probability %2</source>
        <translation>%1：对数概率 %2</translation>
    </message>
    <message>
        <source>It is not in the vocabulary.</source>
        <translation>它不在词表里。</translation>
    </message>
    <message>
        <source>It is merged in the next step.</source>
        <translation>下一步就合并它。</translation>
    </message>
    <message>
        <source>The rest, still to be cut.</source>
        <translation>余下的部分，还没有切。</translation>
    </message>
    <message>
        <source>Byte-pair encoding: of all pairs side by side, the one whose rule was learned first is merged.</source>
        <translation>字节对编码（BPE）：在所有相邻的对子里，先合并规则最早学到的那一对。</translation>
    </message>
    <message>
        <source>WordPiece: the longest piece of the vocabulary from the left, then again from where it ends.</source>
        <translation>WordPiece：从左边起取词表中最长的子词，再从它的末尾接着取。</translation>
    </message>
    <message>
        <source>Unigram: of all ways to cut the word, the one whose pieces are the most probable together.</source>
        <translation>Unigram：在所有切法里，取各子词合起来概率最大的那一种。</translation>
    </message>
    <message>
        <source>This model reads character by character.</source>
        <translation>这个模型逐个字符地读。</translation>
    </message>
    <message>
        <source>A word of this model is one token, or unknown.</source>
        <translation>在这个模型里，一个词就是一个词元，否则便是未知的。</translation>
    </message>
    <message>
        <source>Word pieces of %1</source>
        <translation>%1 的子词切分</translation>
    </message>
    <message>
        <source>Word pieces, empty</source>
        <translation>子词切分（空）</translation>
    </message>
    <message>
        <source>Nobody stored how these texts were cut.</source>
        <translation>没有存下这些文本是怎样切分的。</translation>
    </message>
    <message>
        <source>Type a text to see how it is cut into tokens.</source>
        <translation>输入一段文字，看它怎样切成词元。</translation>
    </message>
    <message>
        <source>possible piece, from character %1</source>
        <translation>可能的子词，从第 %1 个字符起</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>what it did</source>
        <translation>做了什么</translation>
    </message>
    <message>
        <source>pieces</source>
        <translation>子词</translation>
    </message>
    <message>
        <source>log probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>%1 Only the beginning of this long text is cut here.</source>
        <translation>%1 文本很长，这里只切了开头。</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Dates, attention</source>
        <translation>日期，带注意力</translation>
    </message>
    <message>
        <source>Dates, one vector at every step</source>
        <translation>日期，每步都看同一个向量</translation>
    </message>
    <message>
        <source>Dates, no attention</source>
        <translation>日期，无注意力</translation>
    </message>
    <message>
        <source>Addition, attention</source>
        <translation>加法，带注意力</translation>
    </message>
    <message>
        <source>Reads a sum of two numbers of up to three digits as text and writes the result, digit by digit.</source>
        <translation>读入两个不超过三位的数相加的算式文本，逐位写出结果。</translation>
    </message>
    <message>
        <source>Reads a date between 1950 and 2049 in one of fourteen forms (English names, US m/d/y, European d.m.y, ISO) and writes it as YYYY-MM-DD.</source>
        <translation>读入 1950 至 2049 年之间的日期，共十四种写法（英文月份名、美式 m/d/y、欧式 d.m.y、ISO），并写成 YYYY-MM-DD。</translation>
    </message>
    <message>
        <source>Tatoeba, Bahdanau</source>
        <translation>Tatoeba 句子，Bahdanau</translation>
    </message>
    <message>
        <source>Dates, dot score</source>
        <translation>日期，点积得分</translation>
    </message>
    <message>
        <source>Dates, scaled dot score</source>
        <translation>日期，缩放点积得分</translation>
    </message>
    <message>
        <source>Dates, general score</source>
        <translation>日期，一般（general）得分</translation>
    </message>
    <message>
        <source>Dates, additive score</source>
        <translation>日期，加性得分</translation>
    </message>
    <message>
        <source>Dates, MLP score</source>
        <translation>日期，MLP 得分</translation>
    </message>
    <message>
        <source>Dates, location score</source>
        <translation>日期，位置得分</translation>
    </message>
    <message>
        <source>Dates, cosine score</source>
        <translation>日期，余弦得分</translation>
    </message>
    <message>
        <source>A small language, local attention</source>
        <translation>自造的小语言，局部注意力</translation>
    </message>
    <message>
        <source>A small language, Bahdanau</source>
        <translation>自造的小语言，Bahdanau</translation>
    </message>
    <message>
        <source>A small language, Luong</source>
        <translation>自造的小语言，Luong</translation>
    </message>
    <message>
        <source>A small language, three layers</source>
        <translation>自造的小语言，三层</translation>
    </message>
    <message>
        <source>A small language, convolutions</source>
        <translation>自造的小语言，卷积</translation>
    </message>
    <message>
        <source>Translates from English words in an order of their own (in clauses after &apos;that&apos;, &apos;because&apos; and &apos;when&apos; the verb comes last) into an invented language, where adjectives follow their noun and agree with it.</source>
        <translation>把英语词翻译成一种虚构的语言：英语一侧有自己的语序（在 that、because 和 when 引导的从句中动词放在最后），目标语言中形容词跟在名词之后并与之一致。</translation>
    </message>
    <message>
        <source>A glimpse at a grid, hard attention</source>
        <translation>看一眼网格，硬注意力</translation>
    </message>
    <message>
        <source>Reads a grid of four rows of four letters (a to j), row by row, and a place such as r2c3 (row 2, column 3), and writes the letter that stands there: one look at the right cell is enough.</source>
        <translation>逐行读入一个四行四列的字母网格（a 到 j）和一个位置，如 r2c3（第 2 行第 3 列），写出那里的字母：只要看一眼正确的格子就够了。</translation>
    </message>
    <message>
        <source>English to French, Bahdanau</source>
        <translation>英译法，Bahdanau</translation>
    </message>
    <message>
        <source>English to French, convolutions</source>
        <translation>英译法，卷积</translation>
    </message>
    <message>
        <source>Translates simple English sentences into French: adjectives move behind their noun and agree with it, pronouns stand before the verb, &apos;not&apos; becomes two words.</source>
        <translation>把简单的英语句子译成法语：形容词移到名词之后并与之一致，代词放在动词之前，not 变成两个词。</translation>
    </message>
    <message>
        <source>Translates like the pairs of sentences that it was trained on.</source>
        <translation>按照训练所用的句子对进行翻译。</translation>
    </message>
    <message>
        <source>Goes on with a text like the one that it was trained on.</source>
        <translation>按照训练所用的文本的样子续写。</translation>
    </message>
    <message>
        <source>Copying, 6 bits, NTM</source>
        <translation>复制，6 位，神经图灵机</translation>
    </message>
    <message>
        <source>Reads up to twenty characters of 6 bits each and writes them again. Longer inputs show whether a way to copy was learned, or twenty places.</source>
        <translation>读入最多二十个 6 位字符并原样写出。更长的输入能看出它学会的是复制的方法，还是二十个位置。</translation>
    </message>
    <message>
        <source>Copying, attention</source>
        <translation>复制，带注意力</translation>
    </message>
    <message>
        <source>Copying, one vector</source>
        <translation>复制，一个向量</translation>
    </message>
    <message>
        <source>Copying, one vector, read backwards</source>
        <translation>复制，一个向量，倒着读</translation>
    </message>
    <message>
        <source>Copying, one vector at every step</source>
        <translation>复制，每步都看同一个向量</translation>
    </message>
    <message>
        <source>Copying, context into the next step</source>
        <translation>复制，上下文送入下一步</translation>
    </message>
    <message>
        <source>Copying, W[q; k]</source>
        <translation>复制，W[q; k]</translation>
    </message>
    <message>
        <source>Copying, Transformer</source>
        <translation>复制，Transformer</translation>
    </message>
    <message>
        <source>Copying, learned positions</source>
        <translation>复制，学习的位置</translation>
    </message>
    <message>
        <source>Copying, no positions</source>
        <translation>复制，没有位置</translation>
    </message>
    <message>
        <source>Copying, one head</source>
        <translation>复制，单头</translation>
    </message>
    <message>
        <source>Copying, one head, not scaled</source>
        <translation>复制，单头，不缩放</translation>
    </message>
    <message>
        <source>Reversing, Transformer</source>
        <translation>反转，Transformer</translation>
    </message>
    <message>
        <source>Sorting, Transformer</source>
        <translation>排序，Transformer</translation>
    </message>
    <message>
        <source>Addition, Transformer</source>
        <translation>加法，Transformer</translation>
    </message>
    <message>
        <source>Dates, Transformer</source>
        <translation>日期，Transformer</translation>
    </message>
    <message>
        <source>English to French, Transformer</source>
        <translation>英译法，Transformer</translation>
    </message>
    <message>
        <source>Hidden words, mini BERT</source>
        <translation>隐藏的词，迷你 BERT</translation>
    </message>
    <message>
        <source>Small stories, mini GPT</source>
        <translation>小故事，迷你 GPT</translation>
    </message>
    <message>
        <source>Tatoeba, Transformer</source>
        <translation>Tatoeba，Transformer</translation>
    </message>
    <message>
        <source>Reads up to ten digits and writes them again. Longer inputs show what was learned.</source>
        <translation>读入最多十个数字并原样写出。更长的输入能看出它学会了什么。</translation>
    </message>
    <message>
        <source>Goes on with a story of short English sentences, word by word: verbs agree with their subjects over what stands between them, and &apos;she&apos;, &apos;it&apos; or a name goes back to a sentence before.</source>
        <translation>逐词续写由简短英语句子组成的故事：动词隔着中间的成分与主语一致，she、it 或名字指回前面的句子。</translation>
    </message>
    <message>
        <source>Guesses the words of a text that are hidden behind [MASK] (or typed as ___) from what stands before and behind them.</source>
        <translation>根据前后文猜出文本中被 [MASK]（也可输入 ___）遮住的词。</translation>
    </message>
    <message>
        <source>Reads up to ten digits and writes them from the last to the first.</source>
        <translation>读入最多十个数字并从后往前写出。更长的输入能看出它学会了什么。</translation>
    </message>
    <message>
        <source>Reads up to ten digits and writes them in ascending order.</source>
        <translation>读入最多十个数字并按大小顺序写出。更长的输入能看出它学会了什么。</translation>
    </message>
    <message>
        <source>Copying, 16 heads, not scaled</source>
        <translation>复制，16 个头，不缩放</translation>
    </message>
    <message>
        <source>Copying, with the causal mask</source>
        <translation>复制，有因果掩码</translation>
    </message>
    <message>
        <source>Copying, without the causal mask</source>
        <translation>复制，无因果掩码</translation>
    </message>
    <message>
        <source>English to French, sure</source>
        <translation>英译法，毫不犹豫</translation>
    </message>
    <message>
        <source>Norm after the sum, no warm-up</source>
        <translation>后置归一化，无预热</translation>
    </message>
    <message>
        <source>Norm after the sum, warm-up</source>
        <translation>后置归一化，有预热</translation>
    </message>
    <message>
        <source>Norm before the part, no warm-up</source>
        <translation>前置归一化，无预热</translation>
    </message>
    <message>
        <source>English to French, with doubt</source>
        <translation>英译法，留有余地</translation>
    </message>
    <message>
        <source>Odd or even, read letter by letter</source>
        <translation>奇偶，逐字母读</translation>
    </message>
    <message>
        <source>Odd or even, Transformer</source>
        <translation>奇偶，Transformer</translation>
    </message>
    <message>
        <source>Side by side, convolutions</source>
        <translation>相邻，卷积</translation>
    </message>
    <message>
        <source>Side by side, read letter by letter</source>
        <translation>相邻，逐字母读</translation>
    </message>
    <message>
        <source>Side by side, Transformer</source>
        <translation>相邻，Transformer</translation>
    </message>
    <message>
        <source>Two senses of a word, no attention</source>
        <translation>一词两义，无注意力</translation>
    </message>
    <message>
        <source>Two senses of a word, Transformer</source>
        <translation>一词两义，Transformer</translation>
    </message>
    <message>
        <source>Reads a sentence with the word &apos;bank&apos; and says which bank is meant, &apos;shore&apos; or &apos;money&apos;. A single other word gives it away, up to twelve words off.</source>
        <translation>读一个含有 bank 的句子，说出它指的是河岸（shore）还是银行（money）。线索只有另一个词，最远隔十二个词。</translation>
    </message>
    <message>
        <source>Small sentences, dropout, 100 rounds</source>
        <translation>小句子，dropout，100 轮</translation>
    </message>
    <message>
        <source>Small sentences, dropout, 200 rounds</source>
        <translation>小句子，dropout，200 轮</translation>
    </message>
    <message>
        <source>Small sentences, dropout, 30 rounds</source>
        <translation>小句子，dropout，30 轮</translation>
    </message>
    <message>
        <source>Small sentences, dropout, 60 rounds</source>
        <translation>小句子，dropout，60 轮</translation>
    </message>
    <message>
        <source>Small sentences, ten times as many</source>
        <translation>小句子，十倍的数量</translation>
    </message>
    <message>
        <source>Small sentences, 10 rounds</source>
        <translation>小句子，10 轮</translation>
    </message>
    <message>
        <source>Small sentences, 100 rounds</source>
        <translation>小句子，100 轮</translation>
    </message>
    <message>
        <source>Small sentences, 200 rounds</source>
        <translation>小句子，200 轮</translation>
    </message>
    <message>
        <source>Small sentences, 30 rounds</source>
        <translation>小句子，30 轮</translation>
    </message>
    <message>
        <source>Small sentences, 60 rounds</source>
        <translation>小句子，60 轮</translation>
    </message>
    <message>
        <source>A small language, no positions</source>
        <translation>小语言，无位置</translation>
    </message>
    <message>
        <source>The convolutional translator of the small language, its positions taken away after the training.</source>
        <translation>小语言的卷积翻译模型，训练之后去掉了位置。</translation>
    </message>
    <message>
        <source>Copying, six layers, not trained yet</source>
        <translation>复制，六层，尚未训练</translation>
    </message>
    <message>
        <source>Copying, LSTM, not trained yet</source>
        <translation>复制，LSTM，尚未训练</translation>
    </message>
    <message>
        <source>Copying, simple cell, not trained yet</source>
        <translation>复制，简单单元，尚未训练</translation>
    </message>
    <message>
        <source>Copying, simple cell, small numbers</source>
        <translation>复制，简单单元，小的数</translation>
    </message>
    <message>
        <source>Lists, gone along</source>
        <translation>沿着清单走</translation>
    </message>
    <message>
        <source>Small stories, four key-value heads</source>
        <translation>小故事，四个键值头</translation>
    </message>
    <message>
        <source>Small stories, one key-value head</source>
        <translation>小故事，一个键值头</translation>
    </message>
    <message>
        <source>Translates short English sentences into German, where the verb has another place: after &apos;heute&apos; it comes second, and of what was yesterday its second part comes last.</source>
        <translation>把短英语句子译成德语；德语里动词的位置不同：在“heute”之后它排第二，说昨天的事时它的第二部分排在最后。</translation>
    </message>
</context>
<context>
    <name>OpenedText</name>
    <message>
        <source>guesses masked words</source>
        <translation>猜出被遮住的词</translation>
    </message>
    <message>
        <source>continues a text</source>
        <translation>续写文本</translation>
    </message>
    <message>
        <source>writes an output for a text</source>
        <translation>为一段文本写出输出</translation>
    </message>
    <message>
        <source>classes of a text</source>
        <translation>给文本分类</translation>
    </message>
    <message>
        <source>several classes of a text</source>
        <translation>给文本标出多个类别</translation>
    </message>
    <message>
        <source>classes of tokens</source>
        <translation>给每个词元分类</translation>
    </message>
    <message>
        <source>finds where an answer begins and ends</source>
        <translation>找出答案的起止位置</translation>
    </message>
    <message>
        <source>gives a text or a pair a score</source>
        <translation>给一段文本或一对句子一个得分</translation>
    </message>
    <message>
        <source>hidden states of a text</source>
        <translation>文本的隐藏状态</translation>
    </message>
    <message>
        <source>and a vector of the whole</source>
        <translation>以及代表整段的向量</translation>
    </message>
    <message>
        <source>and the embedding of the sentence</source>
        <translation>以及句子的嵌入</translation>
    </message>
    <message>
        <source>and whether a second sentence follows the first</source>
        <translation>以及第二句是否承接第一句</translation>
    </message>
    <message>
        <source>, </source>
        <extracomment>Between two things that a model does.</extracomment>
        <translation>，</translation>
    </message>
    <message>
        <source>%1: %2 layers, %3 heads, %4 wide, %5; %6</source>
        <translation>%1：%2 层，%3 头，宽 %4，%5；%6</translation>
    </message>
    <message>
        <source>%1: %2 and %3 layers, %4 heads, %5 wide, %6; %7</source>
        <translation>%1：%2 层和 %3 层，%4 头，宽 %5，%6；%7</translation>
    </message>
    <message>
        <source>. Without a tokenizer: type the numbers of tokens (%1)</source>
        <translation>。没有分词器：请输入词元的编号（%1）</translation>
    </message>
    <message>
        <source>stored attention of %1 text: %2 layers, %3 heads; type the number of a text, from 0</source>
        <translation>存储的注意力：%1 段文本，%2 层，%3 头；输入文本的编号，从 0 开始</translation>
    </message>
    <message>
        <source>stored attention of %1 texts: %2 layers, %3 heads; type the number of a text, from 0</source>
        <translation>存储的注意力：%1 段文本，%2 层，%3 头；输入文本的编号，从 0 开始</translation>
    </message>
    <message>
        <source>; the second sentence begins at token %1</source>
        <translation>；第二句从第 %1 个词元开始</translation>
    </message>
    <message>
        <source>. Shown and not used (%1)</source>
        <translation>。仅供显示，不参与计算（%1）</translation>
    </message>
</context>
<context>
    <name>RunTexts</name>
    <message>
        <source>Only the first %1 of %2 characters are run.</source>
        <translation>只运行了 %2 个字符中的前 %1 个。</translation>
    </message>
    <message>
        <source>%1 is unknown to this model and left out.</source>
        <translation>%1是这个模型不认识的，已略去。</translation>
    </message>
    <message>
        <source>%1 is unknown to this model and read as %2.</source>
        <translation>%1是这个模型不认识的，按 %2 读入。</translation>
    </message>
    <message>
        <source>%1 are unknown to this model and read as %2.</source>
        <translation>%1是这个模型不认识的，按 %2 读入。</translation>
    </message>
    <message>
        <source>No word is hidden. Write %1 in place of one, and the model guesses it.</source>
        <translation>没有隐藏的词。把一个词换成 %1，模型就会猜它。</translation>
    </message>
    <message>
        <source>%1 are unknown to this model and left out.</source>
        <translation>%1是这个模型不认识的，已略去。</translation>
    </message>
    <message>
        <source>The model was trained on at most %1 characters; this text has %2.</source>
        <translation>该模型训练时的文本最多 %1 个字符；这段文本有 %2 个。</translation>
    </message>
    <message>
        <source>There is nothing to read: the model sees padding only.</source>
        <translation>没有可读的内容：模型只看到填充。</translation>
    </message>
    <message>
        <source>%1 parameters, %2 numbers in this run</source>
        <translation>%1 个参数，本次运行 %2 个数值</translation>
    </message>
    <message>
        <source>‘%1’ is unknown to the model</source>
        <translation>模型不认识“%1”</translation>
    </message>
    <message>
        <source>Too long: %1 characters, at most %2</source>
        <translation>太长：%1 个字符，最多 %2 个</translation>
    </message>
    <message>
        <source>Only the first %1 of %2 tokens are run.</source>
        <translation>只运行了 %2 个词元中的前 %1 个。</translation>
    </message>
    <message>
        <source>%1 of the %2 tokens of this chat are run: what was said first is left out.</source>
        <translation>这段聊天的 %2 个词元中只运行 %1 个：最先说的话不读。</translation>
    </message>
    <message>
        <source>%1 and %2 others</source>
        <translation>%1 和另外 %2 个</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>The model was trained on at most %1 tokens; this text has %2.</source>
        <translation>该模型训练时的文本最多 %1 个词元；这段文本有 %2 个。</translation>
    </message>
    <message>
        <source>Too long: %1 tokens, at most %2</source>
        <translation>太长：%1 个词元，最多 %2 个</translation>
    </message>
    <message>
        <source>1 edit is of a step or token that this run does not have.</source>
        <translation>有 1 项改动所指的步或词元在这次运行中不存在。</translation>
    </message>
    <message>
        <source>%1 edits are of steps or tokens that this run does not have.</source>
        <translation>有 %1 项改动所指的步或词元在这次运行中不存在。</translation>
    </message>
    <message>
        <source>The probabilities of %1 of %2 output steps are not numbers: the model&apos;s values became infinite or NaN.</source>
        <translation>输出共 %2 步，其中 %1 步的概率不是数：模型的数值变成了无穷大或 NaN。</translation>
    </message>
    <message>
        <source>%1 of %2 rows of attention hold values that are not numbers.</source>
        <translation>注意力共 %2 行，其中 %1 行含有不是数的值。</translation>
    </message>
    <message>
        <source>%1 of %2 rows of attention have negative values: scores, perhaps, but no weights.</source>
        <translation>注意力共 %2 行，其中 %1 行有负值：可能是得分，但不是权重。</translation>
    </message>
    <message>
        <source>The rows of attention add up to 100: they are percentages, not shares of 1.</source>
        <translation>注意力各行之和为 100：它们是百分数，而不是 1 的份额。</translation>
    </message>
    <message>
        <source>The columns of attention add up to 1, not its rows: queries and keys seem to be swapped.</source>
        <translation>注意力的各列之和为 1，各行之和却不是：查询与键似乎被调换了。</translation>
    </message>
    <message>
        <source>%1 of %2 rows of attention do not add up to 1: they are not what a softmax gives.</source>
        <translation>注意力共 %2 行，其中 %1 行之和不是 1：它们不是 softmax 的结果。</translation>
    </message>
    <message>
        <source>The stored mask leaves out every token: it is not applied.</source>
        <translation>存储的掩码去掉了所有词元：没有使用它。</translation>
    </message>
    <message>
        <source>The stored mask is one that is added to scores: 0 is read as a token, what is below as padding.</source>
        <translation>存储的掩码是加到得分上的那一种：0 视为词元，负值视为填充。</translation>
    </message>
    <message>
        <source>The stored mask holds values other than 0 and 1: what is above 0 is read as a token.</source>
        <translation>存储的掩码含有 0 和 1 以外的值：大于 0 的视为词元。</translation>
    </message>
    <message>
        <source>The stored mask leaves out tokens that get %1 % of the attention (is 1 its sign for padding?): it is not applied.</source>
        <translation>存储的掩码去掉了得到 %1 % 注意力的词元（它是否用 1 表示填充？）：没有使用它。</translation>
    </message>
</context>
<context>
    <name>TokenText</name>
    <message>
        <source>tab</source>
        <translation>制表符</translation>
    </message>
    <message>
        <source>line feed</source>
        <translation>换行符</translation>
    </message>
    <message>
        <source>carriage return</source>
        <translation>回车符</translation>
    </message>
    <message>
        <source>control character %1</source>
        <translation>控制字符 %1</translation>
    </message>
    <message>
        <source>empty token</source>
        <translation>空词元</translation>
    </message>
    <message>
        <source>broken UTF-8 %1</source>
        <translation>损坏的 UTF-8 %1</translation>
    </message>
    <message>
        <source>space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>invisible character %1</source>
        <translation>不可见字符 %1</translation>
    </message>
    <message>
        <source>start of the text (%1)</source>
        <translation>文本开始符（%1）</translation>
    </message>
    <message>
        <source>end of the text (%1)</source>
        <translation>文本结束符（%1）</translation>
    </message>
    <message>
        <source>padding (%1)</source>
        <translation>填充（%1）</translation>
    </message>
    <message>
        <source>unknown word (%1)</source>
        <translation>未知词（%1）</translation>
    </message>
    <message>
        <source>hidden word (%1)</source>
        <translation>被遮住的词（%1）</translation>
    </message>
    <message>
        <source>special token %1</source>
        <translation>特殊词元 %1</translation>
    </message>
    <message>
        <source>byte %1 of %2 of %3</source>
        <translation>%3 的第 %1 个字节，共 %2 个</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>second sentence</source>
        <translation>第二句</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>user</source>
        <translation>用户</translation>
    </message>
</context>
<context>
    <name>Views</name>
    <message>
        <source>Alignment</source>
        <translation>对齐</translation>
    </message>
    <message>
        <source>Which tokens of the text the model looked at for each token that it wrote.</source>
        <translation>模型写每个词元时，看了文本中的哪些词元。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Every attention head of every layer as a small picture, with what it does: click one to see it large.</source>
        <translation>每一层的每个注意力头都是一幅小图，并说明它做什么：点击一个可以放大。</translation>
    </message>
    <message>
        <source>Ribbons</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>The run as single operations: step forward and back, or play it.</source>
        <translation>把运行拆成一个个运算：前进、后退或播放。</translation>
    </message>
    <message>
        <source>Every value of the run in the order of computation, with search.</source>
        <translation>本次运行的每个数值，按计算顺序排列，可以搜索。</translation>
    </message>
    <message>
        <source>The arithmetic behind the selected number.</source>
        <translation>所选的数背后的算式。</translation>
    </message>
    <message>
        <source>Query and key</source>
        <translation>查询与键</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>模型地图</translation>
    </message>
    <message>
        <source>Mechanism</source>
        <translation>机制</translation>
    </message>
    <message>
        <source>The switches of the model: how it scores, where it looks, what is hidden, which heads are on.</source>
        <translation>模型的开关：得分怎么算、看哪里、遮住什么、哪些头开着。</translation>
    </message>
    <message>
        <source>Local window</source>
        <translation>局部窗口</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>One history</source>
        <translation>模型沿革</translation>
    </message>
    <message>
        <source>The same text through every model that can read it, from the first to the newest idea.</source>
        <translation>同一段文本经过每个能读它的模型，从最早的想法到最新的。</translation>
    </message>
    <message>
        <source>What the model wrote and how it was chosen: the most probable tokens of each step, the tree of a beam search, or the guesses at hidden words.</source>
        <translation>模型写出的内容以及怎样选出：每一步概率最高的词元、束搜索的树，或对隐藏词的猜测。</translation>
    </message>
    <message>
        <source>Every operation</source>
        <translation>每一步运算</translation>
    </message>
    <message>
        <source>Click a square to see why.</source>
        <translation>点击一个方格，看看为什么。</translation>
    </message>
    <message>
        <source>Click a head to see it large.</source>
        <translation>点击一个头以放大查看。</translation>
    </message>
    <message>
        <source>Click a number to see how it came about.</source>
        <translation>点击一个数，看它是怎么来的。</translation>
    </message>
    <message>
        <source>This run beside another one: the run before, the model as trained, another text or another model.</source>
        <translation>把本次运行与另一次并排：上一次运行、训练好的原模型、另一段文本或另一个模型。</translation>
    </message>
    <message>
        <source>Click a square to mark it in both.</source>
        <translation>点击一个方格，在两幅图中标出它。</translation>
    </message>
    <message>
        <source>Click a model to open it.</source>
        <translation>点击一个模型以打开它。</translation>
    </message>
    <message>
        <source>Click a token to write it instead.</source>
        <translation>点击一个词元，改为写出它。</translation>
    </message>
    <message>
        <source>Every number</source>
        <translation>每个数</translation>
    </message>
    <message>
        <source>This number</source>
        <translation>这个数</translation>
    </message>
    <message>
        <source>What you changed</source>
        <translation>你的改动</translation>
    </message>
    <message>
        <source>What you changed in this run: what it was, what it is, and ways to take it back.</source>
        <translation>你在本次运行中的改动：原来是什么、现在是什么，以及如何撤回。</translation>
    </message>
    <message>
        <source>How it came about</source>
        <translation>它是怎么来的</translation>
    </message>
    <message>
        <source>Four steps to one token of the output: what was compared, shared out, mixed and chosen.</source>
        <translation>得到输出的一个词元的四个步骤：比较了什么、怎样分配、怎样混合、选了什么。</translation>
    </message>
    <message>
        <source>A column is what the network knows after that token; a unit (a row) is one number of it.</source>
        <translation>一列是循环网络读过这个词元之后的记忆；一维（一行）是其中的一个数。</translation>
    </message>
    <message>
        <source>Click a unit, or a line of the map, to open it.</source>
        <translation>点击一维，或图中的一行，就会展开。</translation>
    </message>
    <message>
        <source>Why it looks there: add up each column, the largest sum gets the largest share.</source>
        <translation>为什么看那里：每一列相加，总和越大，分到的越多。</translation>
    </message>
    <message>
        <source>Click a unit to open its product, a column for its key.</source>
        <translation>点击一维展开它的乘积，点击一列选它的键。</translation>
    </message>
    <message>
        <source>The bell is where it expects the token; it looks nowhere else.</source>
        <translation>钟形是它预期词元所在之处；别处它不看。</translation>
    </message>
    <message>
        <source>Drag a bell to move it.</source>
        <translation>拖动钟形就能移动它。</translation>
    </message>
    <message>
        <source>What am I looking at?</source>
        <translation>我看到的是什么？</translation>
    </message>
    <message>
        <source>The model and the panel in front, in a few sentences with their own tokens.</source>
        <translation>用几句话并借助其中的词元，说明模型和前面的面板。</translation>
    </message>
    <message>
        <source>Rows are slots of its memory: tiles where it writes, rings where it reads.</source>
        <translation>每行是记忆的一个槽：方块是写的地方，圆环是读的地方。</translation>
    </message>
    <message>
        <source>Click a step to see how it found its slot.</source>
        <translation>点击一步，看它怎样找到槽。</translation>
    </message>
    <message>
        <source>Which head looks where: ribbons of one head, and a row for each.</source>
        <translation>哪个头看哪里：一个头的连线，以及每个头的一行。</translation>
    </message>
    <message>
        <source>Click a head for its ribbons, or a word at the top.</source>
        <translation>点击一个头看它的连线，或点击上方的一个词。</translation>
    </message>
    <message>
        <source>The whole model as one picture. Wide: a large part of what is known there. Strong colour: it led to the chosen output.</source>
        <translation>把整个模型画成一幅图。宽：在此处所知的内容中占得多。颜色鲜明：通向所选的输出。</translation>
    </message>
    <message>
        <source>Click a word at the right.</source>
        <translation>点击右侧的一个词。</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>它从哪里来</translation>
    </message>
    <message>
        <source>What each word brought to the chosen output, and what happens when its way is cut.</source>
        <translation>每个词给所选输出带来了多少，以及切断这条路会怎样。</translation>
    </message>
    <message>
        <source>How the model is told where a token stands: a pattern of numbers that is added to it, or angles that turn it.</source>
        <translation>怎样告诉模型词元在哪里：加上的一组数，或旋转的角度。</translation>
    </message>
    <message>
        <source>Click a place or a number.</source>
        <translation>点击一个位置或一个数。</translation>
    </message>
    <message>
        <source>Word pieces</source>
        <translation>子词切分</translation>
    </message>
    <message>
        <source>How the tokenizer cuts a word of the text, step by step.</source>
        <translation>分词器怎样把文本里的一个词一步步切开。</translation>
    </message>
    <message>
        <source>Click a word at the top.</source>
        <translation>点击上方的一个词。</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>What the model keeps of each token that it has read: a row of keys and values in every layer, and how many bytes that is.</source>
        <translation>模型为每个读过的词元保存了什么：每一层一行键和值，以及一共占多少字节。</translation>
    </message>
    <message>
        <source>Click a token to see the cache when it was read.</source>
        <translation>点击一个词元，看刚读完它时的缓存。</translation>
    </message>
    <message>
        <source>Time and cost</source>
        <translation>时间与代价</translation>
    </message>
    <message>
        <source>What waits for what, and how many multiplications each part of the model takes: counted, with the clock beside it.</source>
        <translation>谁等谁，模型的每个部分要做多少次乘法：计数所得，旁边是实际用时。</translation>
    </message>
    <message>
        <source>Click a box to see what it waits for.</source>
        <translation>点击一个方块，看它在等什么。</translation>
    </message>
    <message>
        <source>Score parts</source>
        <translation>得分的组成</translation>
    </message>
    <message>
        <source>Why a head of the first layer looks there: what the tokens add to each score, and what their places.</source>
        <translation>第一层的一个头为什么看那里：词元给每个得分加了多少，它们的位置又加了多少。</translation>
    </message>
    <message>
        <source>Click a square to add it up.</source>
        <translation>点击方格，看它怎样加起来。</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>How much each layer, and each token far or near, moves what is written: lengths of derivatives.</source>
        <translation>每一层、每个或远或近的词元对写出的内容有多大影响：导数的长度。</translation>
    </message>
    <message>
        <source>Click a written token at the top to ask about it.</source>
        <translation>点击上方写出的词元，询问它。</translation>
    </message>
    <message>
        <source>Receptive field</source>
        <translation>感受野</translation>
    </message>
    <message>
        <source>Which tokens can reach a state, layer by layer; the stronger a line, the more it moves.</source>
        <translation>逐层看哪些词元能到达一个状态；线越浓，影响越大。</translation>
    </message>
    <message>
        <source>Click a dot to ask about it.</source>
        <translation>点击一个点，询问它。</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>Choosing</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Click a part to mark its tokens.</source>
        <translation>点击一个部分，标出它的词元。</translation>
    </message>
    <message>
        <source>Click a token to go on from it; this output stays.</source>
        <translation>点击一个词元，从它继续；现在的输出会留下。</translation>
    </message>
    <message>
        <source>Which line of the chat template wrote which part of the text, and whose words it has.</source>
        <translation>聊天模板的哪一行写出文本的哪一部分，是谁的话。</translation>
    </message>
    <message>
        <source>Why it wrote that token: what each stage of choosing left, and what it would have written instead.</source>
        <translation>为什么写出这个词元：选择的每个阶段留下了什么，不然它会写什么。</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>Which experts of a layer work on each token, and with what share.</source>
        <translation>一层的哪些专家处理每个词元，各占多少份额。</translation>
    </message>
    <message>
        <source>Click a token to see how its experts were chosen.</source>
        <translation>点一个词元，看它的专家是怎样选出来的。</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Many texts in one list: search, sort, measure what a head does in each, and read one of them.</source>
        <translation>一个列表中的许多文本：搜索、排序，测量一个头在每段文本中做什么，并读取其中一段。</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismGridModel</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismGrid</name>
    <message>
        <source>%1: click to switch the whole row.</source>
        <translation>%1：点击可切换整行。</translation>
    </message>
    <message>
        <source>%1: click to switch the whole column.</source>
        <translation>%1：点击可切换整列。</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismHeads</name>
    <message>
        <source>Click a head to switch it off: its output is set to zero. A label switches a whole row or column. Most heads can be switched off without harm, a few cannot.</source>
        <translation>点击一个头即可关掉它：它的输出置为零。点击标签可切换整行或整列。多数头关掉也无妨，少数不行。</translation>
    </message>
    <message>
        <source>Heads as switches: %1</source>
        <translation>注意力头开关：%1</translation>
    </message>
    <message>
        <source>%1 is switched off: its output is 0.</source>
        <translation>%1 已关掉：它的输出是 0。</translation>
    </message>
    <message>
        <source>%1 is on. Click or press Space to switch it off.</source>
        <translation>%1 开着。点击或按空格键可关掉它。</translation>
    </message>
    <message>
        <source>&amp;Effect when off</source>
        <translation>关闭的影响(&amp;E)</translation>
    </message>
    <message>
        <source>Runs the text again without each head, and colours it by how much the target changes: blue less, brown more. Later layers repair: effects understate what a head does.</source>
        <translation>依次去掉每个头重新运行文本，并按目标的变化着色：蓝色为减少，棕色为增加。后面的层会弥补：这些影响低估了头的作用。</translation>
    </message>
    <message>
        <source>Without it the target is %1 (%2).</source>
        <translation>去掉它后目标为 %1（%2）。</translation>
    </message>
    <message>
        <source>Without it the target is %1 ± %2 (%3) over %4 texts.</source>
        <translation>没有它，%4 段文本上的目标是 %1 ± %2（%3）。</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismMask</name>
    <message>
        <source>Kind of attention that is masked</source>
        <translation>要加掩码的注意力</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>Layers that are masked</source>
        <translation>要加掩码的层</translation>
    </message>
    <message>
        <source>A mask of all layers keeps a token from being seen at all. In one layer alone, what it says can still come through the others.</source>
        <translation>所有层都加掩码，词元就完全看不到了。只在一层加掩码时，它的内容仍可从其他层传过来。</translation>
    </message>
    <message>
        <source>Masks</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Ready-made masks, and back to the mask of the model</source>
        <translation>现成的掩码，以及恢复模型自己的掩码</translation>
    </message>
    <message>
        <source>Filled: the token of the row may look at the token of the column. Click or drag to change it, or click a label for a whole row or column.</source>
        <translation>填色：这一行的词元可以看这一列的词元。点击或拖动即可改动，点击标签则改动整行或整列。</translation>
    </message>
    <message>
        <source>Mask: who may look at what</source>
        <translation>掩码：谁可以看什么</translation>
    </message>
    <message>
        <source>%1 comes before %2 is there.</source>
        <translation>%1在%2出现之前。</translation>
    </message>
    <message>
        <source>%1 may look at %2.</source>
        <translation>%1可以看%2。</translation>
    </message>
    <message>
        <source>%1 may not look at %2.</source>
        <translation>%1不可以看%2。</translation>
    </message>
    <message>
        <source>Changed by you.</source>
        <translation>由你改动。</translation>
    </message>
    <message>
        <source>None but the model&apos;s own</source>
        <translation>只用模型自己的掩码</translation>
    </message>
    <message>
        <source>Take back every change of this mask.</source>
        <translation>撤回对这个掩码的所有改动。</translation>
    </message>
    <message>
        <source>Causal: nobody looks ahead</source>
        <translation>因果：谁也不看后面</translation>
    </message>
    <message>
        <source>Each row sees only columns up to its own place.</source>
        <translation>每一行只看到自己位置为止的列。</translation>
    </message>
    <message>
        <source>Window: at most %1 away</source>
        <translation>窗口：最多相距 %1</translation>
    </message>
    <message>
        <source>Each row sees only columns near its own place.</source>
        <translation>每一行只看到自己位置附近的列。</translation>
    </message>
    <message>
        <source>Only the diagonal</source>
        <translation>只留对角线</translation>
    </message>
    <message>
        <source>Each row sees only the column at its own place.</source>
        <translation>每一行只看到自己位置的那一列。</translation>
    </message>
    <message>
        <source>Nobody may look at ‘%1’</source>
        <translation>谁也不可以看“%1”</translation>
    </message>
    <message>
        <source>Nobody may look at this token.</source>
        <translation>谁也不可以看这个词元。</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismSettings</name>
    <message>
        <source>Try another mechanism: the model is not trained again, and the output follows at once.</source>
        <translation>换一种机制试试：模型不重新训练，输出立刻跟着变。</translation>
    </message>
    <message>
        <source>%1
This model cannot take it: %2</source>
        <translation>%1
这个模型不能用它：%2</translation>
    </message>
    <message>
        <source>With the other settings as they are, this changes nothing.</source>
        <translation>在其他设置不变的情况下，改它没有作用。</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>trained: %1</source>
        <translation>训练时：%1</translation>
    </message>
    <message>
        <source>Back to what the model was trained with (%1)</source>
        <translation>恢复训练时的设置（%1）</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置 %1</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>value</source>
        <translation>当前值</translation>
    </message>
    <message>
        <source>trained</source>
        <translation>训练时</translation>
    </message>
</context>
<context>
    <name>headlight::MechanismView</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Score, reach, temperature and what else the mechanism is made of</source>
        <translation>得分、范围、温度，以及机制的其他组成部分</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头</translation>
    </message>
    <message>
        <source>Switch attention heads off and on</source>
        <translation>关掉或打开注意力头</translation>
    </message>
    <message>
        <source>Mask</source>
        <translation>掩码</translation>
    </message>
    <message>
        <source>Which token may look at which</source>
        <translation>哪个词元可以看哪个词元</translation>
    </message>
    <message>
        <source>Mechanism of the model</source>
        <translation>模型的机制</translation>
    </message>
    <message>
        <source>This model has no attention and no other part that could be changed after training.</source>
        <translation>这个模型没有注意力，也没有其他训练之后可以改动的部分。</translation>
    </message>
    <message>
        <source>Choose a model and type a source to change how it works.</source>
        <translation>选择一个模型并输入原文，就可以改变它的工作方式。</translation>
    </message>
</context>
<context>
    <name>SwitchWords</name>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>%1: %2 → %3</source>
        <translation>%1：%2 → %3</translation>
    </message>
    <message>
        <source>Never trained: %1. This mechanism needs what the model never learned; random numbers stand there, so the output is noise. A mechanism has to be trained together with its weights.</source>
        <translation>从未训练过：%1。这个机制需要模型没有学过的东西，那里放的是随机数，所以输出只是噪声。机制必须和它的权重一起训练。</translation>
    </message>
</context>
<context>
    <name>EditWords</name>
    <message>
        <source>token %1</source>
        <translation>第 %1 个词元</translation>
    </message>
    <message>
        <source>every token</source>
        <translation>每个词元</translation>
    </message>
    <message>
        <source>every step</source>
        <translation>每一步</translation>
    </message>
    <message>
        <source>layer %1: %2</source>
        <translation>第 %1 层：%2</translation>
    </message>
    <message>
        <source>nobody looks ahead</source>
        <translation>谁也不看后面</translation>
    </message>
    <message>
        <source>everybody looks only at the diagonal</source>
        <translation>都只看对角线</translation>
    </message>
    <message>
        <source>everybody looks at most %1 tokens away</source>
        <translation>都最多看 %1 个词元远</translation>
    </message>
    <message>
        <source>%1 looks at nothing</source>
        <translation>%1什么也不看</translation>
    </message>
    <message>
        <source>%1 may look at everything</source>
        <translation>%1可以看所有词元</translation>
    </message>
    <message>
        <source>nobody looks at %1</source>
        <translation>谁也不看%1</translation>
    </message>
    <message>
        <source>everybody may look at %1</source>
        <translation>谁都可以看%1</translation>
    </message>
    <message>
        <source>%1 does not look at %2</source>
        <translation>%1不看%2</translation>
    </message>
    <message>
        <source>%1 may look at %2</source>
        <translation>%1可以看%2</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>head %1 of layer %2 (%3)</source>
        <translation>第 %2 层第 %1 头（%3）</translation>
    </message>
    <message>
        <source>%1 is switched off</source>
        <translation>%1已关掉</translation>
    </message>
    <message>
        <source>%1 looks at everything evenly</source>
        <translation>%1均匀地看所有词元</translation>
    </message>
    <message>
        <source>%1 is erased: its embedding is 0</source>
        <translation>%1已抹去：它的嵌入是 0</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2的%1</translation>
    </message>
    <message>
        <source>every step: %1</source>
        <translation>每一步：%1</translation>
    </message>
    <message>
        <source>%1 set to %2</source>
        <translation>%1设为 %2</translation>
    </message>
    <message>
        <source>share %1 set to %2</source>
        <translation>%1的份额设为 %2</translation>
    </message>
    <message>
        <source>%1 times %2</source>
        <translation>%1乘以 %2</translation>
    </message>
    <message>
        <source>%1 plus %2</source>
        <translation>%1加上 %2</translation>
    </message>
    <message>
        <source>%1 set to 0</source>
        <translation>%1设为 0</translation>
    </message>
    <message>
        <source>%1 replaced</source>
        <translation>%1已替换</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>第 %1 个输出</translation>
    </message>
    <message>
        <source>what output %1 is given is erased</source>
        <translation>第 %1 个输出的输入已抹去</translation>
    </message>
    <message>
        <source>output %1: %2</source>
        <translation>第 %1 个输出：%2</translation>
    </message>
    <message>
        <source>%1 looks only at %2</source>
        <translation>%1只看%2</translation>
    </message>
    <message>
        <source>%1 looks at %2: %3</source>
        <translation>%1看%2：%3</translation>
    </message>
    <message>
        <source>%1 no longer looks at %2</source>
        <translation>%1不再看%2</translation>
    </message>
    <message>
        <source>the keys of %1 of layer %2 (%3) are cut</source>
        <translation>第 %2 层（%3）%1的键被切断</translation>
    </message>
    <message>
        <source>the values of %1 of layer %2 (%3) are cut</source>
        <translation>第 %2 层（%3）%1的值被切断</translation>
    </message>
</context>
<context>
    <name>WhatIfMenu</name>
    <message>
        <source>E&amp;rase ‘%1’</source>
        <translation>抹去“%1”(&amp;R)</translation>
    </message>
    <message>
        <source>Bring ‘%1’ &amp;back</source>
        <translation>恢复“%1”(&amp;B)</translation>
    </message>
    <message>
        <source>Set the embedding of this token to 0, as if nothing stood there.</source>
        <translation>把这个词元的嵌入设为 0，好像那里什么也没有。</translation>
    </message>
    <message>
        <source>All may look at ‘%1’ &amp;again</source>
        <translation>都可以重新看“%1”(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Nobody may look at ‘%1’</source>
        <translation>谁也不可以看“%1”(&amp;N)</translation>
    </message>
    <message>
        <source>Nothing may look at this token any more; what was read of it elsewhere stays.</source>
        <translation>再没有什么可以看这个词元；从它那里以其他方式读到的内容保留。</translation>
    </message>
    <message>
        <source>Switch this head &amp;off</source>
        <translation>关掉这个头(&amp;O)</translation>
    </message>
    <message>
        <source>Switch this head &amp;on</source>
        <translation>打开这个头(&amp;O)</translation>
    </message>
    <message>
        <source>The output of the head is set to zero; the rest of the model goes on without it.</source>
        <translation>这个头的输出置为零；模型的其余部分没有它也继续计算。</translation>
    </message>
    <message>
        <source>Set every weight of this head &amp;even</source>
        <translation>让这个头的权重全部相等(&amp;E)</translation>
    </message>
    <message>
        <source>Set every weight &amp;even</source>
        <translation>让权重全部相等(&amp;E)</translation>
    </message>
    <message>
        <source>Let it choose its weights &amp;again</source>
        <translation>让它重新自己决定权重(&amp;A)</translation>
    </message>
    <message>
        <source>All scores become 0, so that the weights are the same for everything it may look at.</source>
        <translation>所有得分变成 0，于是可以看的词元权重都相同。</translation>
    </message>
    <message>
        <source>They share one key-value head: what is cut there is cut for all of them. The queries stay as they are.</source>
        <translation>它们共用一个键值头：在那里切断，就对它们全部切断。查询不变。</translation>
    </message>
    <message>
        <source>Cut the &amp;keys of %1</source>
        <translation>切断%1的键(&amp;K)</translation>
    </message>
    <message>
        <source>Give %1 their &amp;keys back</source>
        <translation>恢复%1的键(&amp;K)</translation>
    </message>
    <message>
        <source>Cut the &amp;values of %1</source>
        <translation>切断%1的值(&amp;V)</translation>
    </message>
    <message>
        <source>Give %1 their &amp;values back</source>
        <translation>恢复%1的值(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Rank all heads by this</source>
        <translation>按此排列所有头(&amp;R)</translation>
    </message>
    <message>
        <source>How much each head looks from the one token at the other, and what it brings.</source>
        <translation>每个头从这个词元看向那个词元的程度，以及它带来什么。</translation>
    </message>
    <message>
        <source>This head over my &amp;texts…</source>
        <translation>此头在我的各文本中(&amp;T)…</translation>
    </message>
    <message>
        <source>What it looks at in each text of the list of texts.</source>
        <translation>它在文本列表的每个文本中看向什么。</translation>
    </message>
    <message>
        <source>This &amp;weight over my texts…</source>
        <translation>此权重在我的各文本中(&amp;W)…</translation>
    </message>
    <message>
        <source>The weight at this place, in each text of the list of texts.</source>
        <translation>文本列表的每个文本中，这个位置上的权重。</translation>
    </message>
</context>
<context>
    <name>Switch</name>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>How well a source token fits what the decoder asks for: the formula that compares the two.</source>
        <translation>源词元与解码器所问的有多相配：比较两者的公式。</translation>
    </message>
    <message>
        <source>dot</source>
        <translation>点积</translation>
    </message>
    <message>
        <source>q · k: large when question and description point the same way, and are long.</source>
        <translation>q · k：问题与描述方向相同而且都长时就大。</translation>
    </message>
    <message>
        <source>scaled dot</source>
        <translation>缩放点积</translation>
    </message>
    <message>
        <source>q · k / √d: the dot product, made independent of how many numbers there are.</source>
        <translation>q · k / √d：点积，不再随数的个数变大。</translation>
    </message>
    <message>
        <source>general</source>
        <translation>一般（general）</translation>
    </message>
    <message>
        <source>q W k: a learned matrix says which parts of question and description go together.</source>
        <translation>q W k：由学到的矩阵决定问题与描述的哪些部分相配。</translation>
    </message>
    <message>
        <source>additive</source>
        <translation>加性</translation>
    </message>
    <message>
        <source>v · tanh(W q + U k): a small network compares the two.</source>
        <translation>v · tanh(W q + U k)：由一个小网络比较两者。</translation>
    </message>
    <message>
        <source>two layers</source>
        <translation>两层网络</translation>
    </message>
    <message>
        <source>v · relu(W q + U k + b): a small network, with another activation.</source>
        <translation>v · relu(W q + U k + b)：一个小网络，激活函数不同。</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>β cos(q, k): only the direction counts, not the length.</source>
        <translation>β cos(q, k)：只看方向，不看长度。</translation>
    </message>
    <message>
        <source>location</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>W q: the question alone says where to look, whatever stands there.</source>
        <translation>W q：只由问题决定看哪里，不管那里是什么。</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>w q + u k: no product of the two, so every step prefers the same tokens.</source>
        <translation>w q + u k：两者不相乘，所以每一步都偏爱相同的词元。</translation>
    </message>
    <message>
        <source>Divide scores by √d</source>
        <translation>得分除以 √d</translation>
    </message>
    <message>
        <source>Divide the scores by the root of the head&apos;s size. Without it large scores make the softmax choose one token alone.</source>
        <translation>得分除以头大小的平方根。不除的话，过大的得分会让 softmax 只选一个词元。</translation>
    </message>
    <message>
        <source>Scale of the scores</source>
        <translation>得分的缩放</translation>
    </message>
    <message>
        <source>What the scores are multiplied by. Smaller: the weights spread out; larger: each head looks at one token.</source>
        <translation>得分乘以的数。越小，权重越分散；越大，每个头越只看一个词元。</translation>
    </message>
    <message>
        <source>1/√d, as usual</source>
        <translation>1/√d，通常的值</translation>
    </message>
    <message>
        <source>Sharpness β</source>
        <translation>锐度 β</translation>
    </message>
    <message>
        <source>What the cosine is multiplied by: cosines lie between −1 and 1, too close together for a sharp choice.</source>
        <translation>余弦乘以的数：余弦在 −1 与 1 之间，彼此太近，难以作出鲜明的选择。</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>The scores are divided by it. Low: all weight on the best token; high: every token gets the same.</source>
        <translation>得分除以它。低：权重全在最好的词元上；高：每个词元都一样。</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>What is done with the weights: every token is read by its share, or one token alone.</source>
        <translation>怎样使用权重：按份额读每个词元，还是只读一个词元。</translation>
    </message>
    <message>
        <source>soft: all tokens, by their shares</source>
        <translation>软注意力：按份额读所有词元</translation>
    </message>
    <message>
        <source>The context is the weighted mean of all source tokens.</source>
        <translation>上下文是所有源词元的加权平均。</translation>
    </message>
    <message>
        <source>hard: the heaviest token</source>
        <translation>硬注意力：权重最大的词元</translation>
    </message>
    <message>
        <source>Only the token with the largest weight is read.</source>
        <translation>只读权重最大的词元。</translation>
    </message>
    <message>
        <source>hard: one is drawn</source>
        <translation>硬注意力：按权重抽取</translation>
    </message>
    <message>
        <source>One token is drawn, each as likely as its weight says.</source>
        <translation>抽取一个词元，概率就是它的权重。</translation>
    </message>
    <message>
        <source>How far it may look</source>
        <translation>能看多远</translation>
    </message>
    <message>
        <source>Where the decoder may look: everywhere, or only near a place in the source.</source>
        <translation>解码器可以看哪里：所有位置，或只在原文某处附近。</translation>
    </message>
    <message>
        <source>global: everywhere</source>
        <translation>全局：所有位置</translation>
    </message>
    <message>
        <source>Every source token may be read at every step.</source>
        <translation>每一步都可以读每个源词元。</translation>
    </message>
    <message>
        <source>local: near the diagonal</source>
        <translation>局部：对角线附近</translation>
    </message>
    <message>
        <source>Step t reads around source token t, as if both sides went in step.</source>
        <translation>第 t 步读原文第 t 个词元附近，好像两边齐步前进。</translation>
    </message>
    <message>
        <source>local: near a guessed place</source>
        <translation>局部：预测的位置附近</translation>
    </message>
    <message>
        <source>The model guesses a place for each step and reads around it.</source>
        <translation>模型为每一步预测一个位置，读它附近。</translation>
    </message>
    <message>
        <source>Half width D of the window</source>
        <translation>窗口的半宽 D</translation>
    </message>
    <message>
        <source>How many tokens left and right of its place a step may read.</source>
        <translation>一步可以读它位置左右各多少个词元。</translation>
    </message>
    <message>
        <source>Width σ of the bell</source>
        <translation>钟形的宽度 σ</translation>
    </message>
    <message>
        <source>Weights are multiplied by a bell around the guessed place; σ says how wide it is.</source>
        <translation>权重乘以以预测位置为中心的钟形；σ 是它的宽度。</translation>
    </message>
    <message>
        <source>D/2</source>
        <translation>D/2</translation>
    </message>
    <message>
        <source>Layers that look</source>
        <translation>有注意力的层</translation>
    </message>
    <message>
        <source>Which layers of the decoder have an attention of their own.</source>
        <translation>解码器的哪些层有自己的注意力。</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>Every layer of the decoder looks at the source.</source>
        <translation>解码器的每一层都看原文。</translation>
    </message>
    <message>
        <source>only layer 1</source>
        <translation>只有第 1 层</translation>
    </message>
    <message>
        <source>only layer 2</source>
        <translation>只有第 2 层</translation>
    </message>
    <message>
        <source>only layer 3</source>
        <translation>只有第 3 层</translation>
    </message>
    <message>
        <source>only layer 4</source>
        <translation>只有第 4 层</translation>
    </message>
    <message>
        <source>only layer 5</source>
        <translation>只有第 5 层</translation>
    </message>
    <message>
        <source>only layer 6</source>
        <translation>只有第 6 层</translation>
    </message>
    <message>
        <source>only layer 7</source>
        <translation>只有第 7 层</translation>
    </message>
    <message>
        <source>only layer 8</source>
        <translation>只有第 8 层</translation>
    </message>
    <message>
        <source>One layer alone looks at the source; the others go without.</source>
        <translation>只有一层看原文，其他层不看。</translation>
    </message>
    <message>
        <source>some layers</source>
        <translation>若干层</translation>
    </message>
    <message>
        <source>As the configuration lists them.</source>
        <translation>如配置所列。</translation>
    </message>
    <message>
        <source>Context of</source>
        <translation>上下文来自</translation>
    </message>
    <message>
        <source>Whether the layers above read what was looked up at this step, or what was looked up a step before.</source>
        <translation>上面的层读这一步查到的内容，还是前一步查到的内容。</translation>
    </message>
    <message>
        <source>this step</source>
        <translation>这一步</translation>
    </message>
    <message>
        <source>The layers above read the context of this step.</source>
        <translation>上面的层读这一步的上下文。</translation>
    </message>
    <message>
        <source>the step before</source>
        <translation>前一步</translation>
    </message>
    <message>
        <source>The layers above read the context of the step before.</source>
        <translation>上面的层读前一步的上下文。</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>In self-attention each token sees only tokens closer than this: 1 is itself alone, 2 its neighbours, too.</source>
        <translation>自注意力中每个词元只看到比这更近的词元：1 只有自己，2 再加上相邻的。</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>A token of the text sees only itself and what stands before it. Without it the prompt looks ahead, which the model has never been trained to do.</source>
        <translation>文本的词元只看到自己和它前面的内容。没有它，提示就会往后看，而模型从未这样训练过。</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>How the model is told where each token stands.</source>
        <translation>怎样告诉模型每个词元的位置。</translation>
    </message>
    <message>
        <source>sinusoids</source>
        <translation>正弦</translation>
    </message>
    <message>
        <source>Waves of many lengths are added to the tokens.</source>
        <translation>给词元加上多种波长的波。</translation>
    </message>
    <message>
        <source>sinusoids, in halves</source>
        <translation>正弦，分两半</translation>
    </message>
    <message>
        <source>The same waves, all sines before all cosines.</source>
        <translation>同样的波，正弦全在余弦前面。</translation>
    </message>
    <message>
        <source>sinusoids, slower</source>
        <translation>正弦，较慢</translation>
    </message>
    <message>
        <source>The same waves with lengths spread in another way.</source>
        <translation>同样的波，波长的分布不同。</translation>
    </message>
    <message>
        <source>learned table</source>
        <translation>学到的表</translation>
    </message>
    <message>
        <source>A learned row for each position is added to the tokens.</source>
        <translation>给词元加上每个位置学到的一行数。</translation>
    </message>
    <message>
        <source>rotary</source>
        <translation>旋转</translation>
    </message>
    <message>
        <source>Questions and descriptions are turned by their position, so that distances count.</source>
        <translation>问题与描述按位置旋转，于是距离起作用。</translation>
    </message>
    <message>
        <source>relative</source>
        <translation>相对</translation>
    </message>
    <message>
        <source>A learned number for each distance is added to the scores.</source>
        <translation>给得分加上每个距离学到的一个数。</translation>
    </message>
    <message>
        <source>beside the token</source>
        <translation>放在词元旁边</translation>
    </message>
    <message>
        <source>The waves stand beside the token&apos;s numbers instead of being added.</source>
        <translation>波放在词元的数旁边，而不是相加。</translation>
    </message>
    <message>
        <source>slopes</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>What stands farther back gets a lower score, in each head by a slope of its own.</source>
        <translation>离得越远的词元得分越低，每个头有自己的斜率。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The model is not told where a token stands: a text is a bag of tokens.</source>
        <translation>不告诉模型词元的位置：文本成了“词袋”。</translation>
    </message>
    <message>
        <source>Reversed input</source>
        <translation>反转输入</translation>
    </message>
    <message>
        <source>The encoder reads the source from its end to its beginning. Recurrent models then have the first words fresh in memory when they begin to write.</source>
        <translation>编码器从末尾到开头读原文。这样循环模型开始写时，对开头的词记忆犹新。</translation>
    </message>
    <message>
        <source>Strength of the adapter</source>
        <translation>适配器的强度</translation>
    </message>
    <message>
        <source>How much of the adapter&apos;s change the weights have: 0 is the base alone, 1 the adapter as it was trained.</source>
        <translation>权重带有适配器改动的多少：0 只是基础模型，1 是训练好的适配器。</translation>
    </message>
</context>
<context>
    <name>MapWords</name>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>The text as numbers: one for each token.</source>
        <translation>文本变成的数字：每个词元一个。</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Reads the text and describes each of its tokens by a row of numbers.</source>
        <translation>读入文本，用一行数字描述其中的每个词元。</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>Writes the output, one token at each step.</source>
        <translation>写出输出，每步一个词元。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>A table of rows that the model writes to and reads from.</source>
        <translation>由多行数字组成的表，模型在其中写入和读取。</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>正向</translation>
    </message>
    <message>
        <source>Reads from the first token to the last.</source>
        <translation>从第一个词元读到最后一个。</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>Reads from the last token to the first.</source>
        <translation>从最后一个词元读到第一个。</translation>
    </message>
    <message>
        <source>LSTM cell</source>
        <translation>LSTM 单元</translation>
    </message>
    <message>
        <source>A recurrent cell: gates decide what it forgets, takes in and shows.</source>
        <translation>循环单元：由门决定遗忘什么、吸收什么、展示什么。</translation>
    </message>
    <message>
        <source>GRU cell</source>
        <translation>GRU 单元</translation>
    </message>
    <message>
        <source>A recurrent cell: two gates decide how much of its state is new.</source>
        <translation>循环单元：由两个门决定状态中有多少是新的。</translation>
    </message>
    <message>
        <source>Recurrent cell</source>
        <translation>循环单元</translation>
    </message>
    <message>
        <source>Makes its new state from the input and its last state.</source>
        <translation>由输入和上一个状态得到新的状态。</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Looks back at the source and takes a mean of it, weighted by what matters now.</source>
        <translation>回看原文，按当前的重要程度取加权平均。</translation>
    </message>
    <message>
        <source>Self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>Each token looks at the tokens of its own text.</source>
        <translation>每个词元查看自己文本中的词元。</translation>
    </message>
    <message>
        <source>Cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>The output looks at the tokens of the source.</source>
        <translation>输出查看原文的词元。</translation>
    </message>
    <message>
        <source>Feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>A small network that works on each token alone.</source>
        <translation>单独处理每个词元的小网络。</translation>
    </message>
    <message>
        <source>Embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>Looks up the row of numbers that stands for a token.</source>
        <translation>查出代表一个词元的一行数字。</translation>
    </message>
    <message>
        <source>Last norm</source>
        <translation>最后的归一化</translation>
    </message>
    <message>
        <source>Brings each row to a common size.</source>
        <translation>把每一行调整到共同的大小。</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>Looks at a few neighbouring tokens at once.</source>
        <translation>同时查看相邻的几个词元。</translation>
    </message>
    <message>
        <source>Gated unit</source>
        <translation>门控单元</translation>
    </message>
    <message>
        <source>One half of the numbers decides how much of the other half passes.</source>
        <translation>一半数字决定另一半通过多少。</translation>
    </message>
    <message>
        <source>Controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>The network that tells the heads of the memory what to do.</source>
        <translation>告诉记忆的各个头该做什么的网络。</translation>
    </message>
    <message>
        <source>First state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>With what the decoder begins.</source>
        <translation>解码器由此开始。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Scores every token that could come next.</source>
        <translation>为每个可能的下一个词元给出得分。</translation>
    </message>
    <message>
        <source>Readout</source>
        <translation>读出</translation>
    </message>
    <message>
        <source>Joins what the decoder knows before it scores the tokens.</source>
        <translation>在给出词元的得分之前，汇合解码器所知道的内容。</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Guesses where in the source to look.</source>
        <translation>猜测该看原文的哪里。</translation>
    </message>
    <message>
        <source>Drawn position</source>
        <translation>抽取的位置</translation>
    </message>
    <message>
        <source>One source token is drawn by chance, by the weights.</source>
        <translation>按权重随机抽取一个源词元。</translation>
    </message>
    <message>
        <source>Guess</source>
        <translation>猜测</translation>
    </message>
    <message>
        <source>Gets each token ready for guessing the hidden words.</source>
        <translation>为猜测被遮住的词准备好每个词元。</translation>
    </message>
    <message>
        <source>Once, for all steps</source>
        <translation>一次，供所有步使用</translation>
    </message>
    <message>
        <source>Computed before the first step; all steps use it.</source>
        <translation>在第一步之前算好；所有步都使用它。</translation>
    </message>
    <message>
        <source>Bottleneck</source>
        <translation>瓶颈向量</translation>
    </message>
    <message>
        <source>All that the decoder will know of the source.</source>
        <translation>解码器对原文所知道的一切。</translation>
    </message>
    <message>
        <source>One of several equal parts on top of each other.</source>
        <translation>层层叠放的几个相同部分之一。</translation>
    </message>
    <message>
        <source>One of many equal steps; Ctrl+↑ and Ctrl+↓ show another one.</source>
        <translation>许多相同步骤之一；Ctrl+↑ 和 Ctrl+↓ 显示别的步。</translation>
    </message>
    <message>
        <source>Chooses rows of the memory and reads them.</source>
        <translation>选择记忆中的行并读取。</translation>
    </message>
    <message>
        <source>Chooses rows of the memory and writes to them.</source>
        <translation>选择记忆中的行并写入。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1，共 %2 步</translation>
    </message>
    <message>
        <source>Read head %1</source>
        <translation>读头 %1</translation>
    </message>
    <message>
        <source>Write head %1</source>
        <translation>写头 %1</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source> · </source>
        <translation> · </translation>
    </message>
    <message>
        <source>Values inside: %1. Double-click to look at them.</source>
        <translation>内含 %1 个值。双击可查看。</translation>
    </message>
    <message>
        <source>%1  (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Computed for the eye only: nothing else needs it.</source>
        <translation>仅供查看：没有别的计算需要它。</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
</context>
<context>
    <name>headlight::MapView</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Diagram, empty</source>
        <translation>框图，空</translation>
    </message>
    <message>
        <source>Diagram of %1, %2 values</source>
        <translation>%1 的框图，%2 个值</translation>
    </message>
    <message>
        <source>Computed from: %1.</source>
        <translation>由此算出：%1。</translation>
    </message>
    <message>
        <source>Used by: %1.</source>
        <translation>用于：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>This run was not recorded, so there is no diagram of it.</source>
        <translation>这次运行没有记录，因此没有它的框图。</translation>
    </message>
    <message>
        <source>Type a source to see how the model computes its output.</source>
        <translation>输入原文，查看模型如何算出输出。</translation>
    </message>
    <message>
        <source>computed from</source>
        <translation>由此算出</translation>
    </message>
    <message>
        <source>used by</source>
        <translation>用于</translation>
    </message>
    <message>
        <source>Not computed yet.</source>
        <translation>尚未计算。</translation>
    </message>
</context>
<context>
    <name>headlight::MapTable</name>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>site</source>
        <translation>位置名</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>computed from</source>
        <translation>由此算出</translation>
    </message>
</context>
<context>
    <name>headlight::QueryKeyCanvas</name>
    <message>
        <source>‘%1’ asks ‘%2’</source>
        <translation>“%1”询问“%2”</translation>
    </message>
    <message>
        <source>%1: hidden by the mask, so its weight is 0.</source>
        <translation>%1：被掩码遮住，因此权重为 0。</translation>
    </message>
    <message>
        <source>%1: score %2, weight %3, place %4 of %5.</source>
        <translation>%1：得分 %2，权重 %3，在 %5 个键中排第 %4。</translation>
    </message>
    <message>
        <source>What ‘%1’ asks for.</source>
        <translation>“%1”在寻找什么。</translation>
    </message>
    <message>
        <source>What the model learned about the place of ‘%1’: the score does not read the token itself.</source>
        <translation>模型对“%1”所在位置学到的数：这种得分不读词元本身。</translation>
    </message>
    <message>
        <source>How ‘%1’ describes itself.</source>
        <translation>“%1”怎样描述自己。</translation>
    </message>
    <message>
        <source>Query and key added up, and squashed: this is where the two meet.</source>
        <translation>查询与键相加后再压缩：两者在这里相遇。</translation>
    </message>
    <message>
        <source>How much each number of the sum counts: learned, and the same for every pair.</source>
        <translation>和中的每个数占多大分量：学习得到，对每一对都相同。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>unit %1: %2 = %3</source>
        <translation>第 %1 维：%2 = %3</translation>
    </message>
    <message>
        <source>%1, %2 % of the sum</source>
        <translation>%1，占总和的 %2 %</translation>
    </message>
    <message>
        <source>× %1</source>
        <translation>× %1</translation>
    </message>
    <message>
        <source>The scale, one over the root of the vectors’ length: without it, long vectors would give scores so large that the softmax only ever sees one key.</source>
        <translation>缩放因子，即向量长度平方根的倒数：没有它，长向量的得分会大到让 softmax 只看见一个键。</translation>
    </message>
    <message>
        <source>÷ %1 (temperature)</source>
        <translation>÷ %1（温度）</translation>
    </message>
    <message>
        <source>The temperature: above 1 the attention gets softer, below 1 sharper.</source>
        <translation>温度：大于 1 时注意力更柔和，小于 1 时更尖锐。</translation>
    </message>
    <message>
        <source>× β %1</source>
        <translation>× β %1</translation>
    </message>
    <message>
        <source>The sharpness that the model chose for this step: the larger, the stricter the search.</source>
        <translation>模型为这一步选定的锐度：越大，查找越严格。</translation>
    </message>
    <message>
        <source>+ %1</source>
        <translation>+ %1</translation>
    </message>
    <message>
        <source>A bias: learned, and added whatever the two vectors are.</source>
        <translation>偏置：学习得到，无论两个向量是什么都会加上。</translation>
    </message>
    <message>
        <source>set to %1</source>
        <translation>设为 %1</translation>
    </message>
    <message>
        <source>Set by you; the model had computed %1.</source>
        <translation>由你设定；模型算出的是 %1。</translation>
    </message>
    <message>
        <source>This key may not be looked at: it only fills up the line, or is still to be written.</source>
        <translation>不允许看这个键：它只是填充，或者还没有写出来。</translation>
    </message>
    <message>
        <source>The bell around the window’s centre: keys far from it count less.</source>
        <translation>窗口中心周围的钟形曲线：离得远的键分量更小。</translation>
    </message>
    <message>
        <source>All products added up: how well the key fits the query.</source>
        <translation>所有乘积之和：键与查询有多吻合。</translation>
    </message>
    <message>
        <source>What the softmax compares with the scores of the other keys.</source>
        <translation>softmax 拿它与其他键的得分相比较。</translation>
    </message>
    <message>
        <source>e to the power of the score, divided by the sum of the same for all keys that are not hidden.</source>
        <translation>e 的得分次方，除以所有未被遮住的键的同样的数之和。</translation>
    </message>
    <message>
        <source>How much of this key’s value is read.</source>
        <translation>这个键的值被读取多少。</translation>
    </message>
    <message>
        <source>Query and key, ‘%1’ and ‘%2’</source>
        <translation>查询与键，“%1”和“%2”</translation>
    </message>
    <message>
        <source>Query and key, none</source>
        <translation>查询与键，无</translation>
    </message>
    <message>
        <source>‘%1’ is hidden by the mask: it gets no weight, whatever its score.</source>
        <translation>“%1”被掩码遮住：无论得分多少都没有权重。</translation>
    </message>
    <message>
        <source>‘%1’: score %2, weight %3</source>
        <translation>“%1”：得分 %2，权重 %3</translation>
    </message>
    <message>
        <source>Click to see how its score came about.</source>
        <translation>点击查看它的得分从何而来。</translation>
    </message>
    <message>
        <source>A query asks, a key answers: number by number they are multiplied and added up to a score, and the softmax turns the scores of all keys into weights. Every number here opens in ‘This number’.</source>
        <translation>查询提问，键作答：逐个数相乘再相加得到得分，softmax 把所有键的得分变成权重。这里的每个数都可以在“这个数”中打开。</translation>
    </message>
    <message>
        <source>Unit %1</source>
        <translation>第 %1 维</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>被遮住</translation>
    </message>
    <message>
        <source>%1: click to see each of them, Esc folds them again.</source>
        <translation>%1：点击逐个显示，Esc 再折叠起来。</translation>
    </message>
    <message>
        <source>one of
padding (%1)</source>
        <translation>填充（%1）
之一</translation>
    </message>
    <message>
        <source>best of
padding (%1)</source>
        <translation>填充（%1）中
得分最高者</translation>
    </message>
    <message>
        <source>The other %1</source>
        <translation>其余 %1 个</translation>
    </message>
    <message>
        <source>the %1 units that matter most (of %2)</source>
        <translation>贡献最大的 %1 维（共 %2）</translation>
    </message>
    <message>
        <source>× bell</source>
        <translation>× 钟形</translation>
    </message>
    <message>
        <source>Sum: the score</source>
        <translation>合计：得分</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>The score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Its share</source>
        <translation>所得权重</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Its weight</source>
        <translation>所得权重</translation>
    </message>
    <message>
        <source>It is above the mean of the others by %1, most of it by unit %2 (%3).</source>
        <translation>它比其余的平均高出 %1，其中第 %2 维贡献最多（%3）。</translation>
    </message>
    <message>
        <source>unit %1</source>
        <translation>第 %1 维</translation>
    </message>
    <message>
        <source>Click to open its product.</source>
        <translation>点击展开它的乘积。</translation>
    </message>
    <message>
        <source>What the units without a row add. Click for %1 more.</source>
        <translation>没有单独一行的各维所加的。点击再显示 %1 维。</translation>
    </message>
    <message>
        <source>the ‘%1’ asks</source>
        <translation>“%1”的查询</translation>
    </message>
    <message>
        <source>= what it adds</source>
        <translation>= 贡献</translation>
    </message>
    <message>
        <source>× %1 = it adds</source>
        <translation>× %1 = 贡献</translation>
    </message>
    <message>
        <source>speaks for ‘%1’ by</source>
        <translation>“%1”比其余平均高出</translation>
    </message>
</context>
<context>
    <name>headlight::QueryKeyView</name>
    <message>
        <source>slot %1</source>
        <translation>槽 %1</translation>
    </message>
    <message>
        <source>Who asks</source>
        <translation>谁在提问</translation>
    </message>
    <message>
        <source>Who asks: the token whose query is shown (up, down).</source>
        <translation>谁在提问：显示其查询的词元（上、下）。</translation>
    </message>
    <message>
        <source>Type a source to see how its weights come about.</source>
        <translation>输入原文，查看权重从何而来。</translation>
    </message>
    <message>
        <source>This model computes no scores, so there is no query and no key. Choose a model with attention.</source>
        <translation>这个模型不计算得分，因此没有查询也没有键。请选择带注意力的模型。</translation>
    </message>
    <message>
        <source>product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>维</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>index</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>combined</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>系数</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>softmax</source>
        <translation>softmax</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>被遮住</translation>
    </message>
    <message>
        <source>Output %1 of %2: ‘%3’</source>
        <translation>第 %1 个输出（共 %2 个）：“%3”</translation>
    </message>
    <message>
        <source>Token %1 of %2: ‘%3’</source>
        <translation>第 %1 个词元（共 %2 个）：“%3”</translation>
    </message>
</context>
<context>
    <name>headlight::LocalWindowCanvas</name>
    <message>
        <source>%1: outside the window, so it cannot be read</source>
        <translation>%1：在窗口之外，因此读不到</translation>
    </message>
    <message>
        <source>%1: weight %2</source>
        <translation>%1：权重 %2</translation>
    </message>
    <message>
        <source>Windows of local attention, none</source>
        <translation>局部注意力的窗口，无</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Its window has moved on to place %1, and reaches %2 places to each side.</source>
        <translation>它的窗口移到了第 %1 位，向两边各到 %2 位。</translation>
    </message>
    <message>
        <source>It expects place %1 and looks no further than one place from there.</source>
        <translation>它预期在第 %1 位，左右各只看一位。</translation>
    </message>
    <message>
        <source>Its window has moved on to place %1, and reaches one place to each side.</source>
        <translation>它的窗口移到了第 %1 位，向两边各到一位。</translation>
    </message>
    <message>
        <source>It expects place %1 and looks no further than %2 places from there.</source>
        <translation>它预期在第 %1 位，看到离那里不超过 %2 位的地方。</translation>
    </message>
    <message>
        <source>‘%1’: %2</source>
        <translation>“%1”：%2</translation>
    </message>
    <message>
        <source>%1 % of its attention comes through.</source>
        <translation>它的注意力有 %1 % 通过。</translation>
    </message>
    <message>
        <source>place %1, ‘%2’</source>
        <translation>第 %1 位“%2”</translation>
    </message>
    <message>
        <source>%1: %2 before, × bell %3 = %4</source>
        <translation>%1：原先 %2，× 钟形 %3 = %4</translation>
    </message>
    <message>
        <source>Windows of local attention, %1 steps over %2 tokens</source>
        <translation>局部注意力的窗口，%1 步，%2 个词元</translation>
    </message>
    <message>
        <source>The softmax shares out the attention among the places of the window; the bell then takes away from what is far from its top, and gives it to nobody. So a row adds up to less than 1.</source>
        <translation>softmax 在窗口内各处分配注意力；钟形再从远离顶点处扣掉一些，并不给别处。所以一行加起来不到 1。</translation>
    </message>
    <message>
        <source>Step %1 writes ‘%2’; its window stands at place %3.</source>
        <translation>第 %1 步写出“%2”；它的窗口在第 %3 位。</translation>
    </message>
    <message>
        <source>The model says where it expects the token before it looks. Drag the bell to move it.</source>
        <translation>模型在看之前先说出它预期的位置。拖动钟形就能移动它。</translation>
    </message>
    <message>
        <source>The window moves on by one token in each step, whatever the text.</source>
        <translation>不论文本如何，窗口每步前移一个词元。</translation>
    </message>
    <message>
        <source>The weights of step %1 add up to %2: the rest is lost on the slopes of the bell.</source>
        <translation>第 %1 步的权重合计 %2：其余的在钟形的斜坡上失去了。</translation>
    </message>
    <message>
        <source>of its attention comes through the window (%)</source>
        <translation>其注意力通过窗口的份额（%）</translation>
    </message>
</context>
<context>
    <name>headlight::LocalWindowView</name>
    <message>
        <source>D = %1</source>
        <translation>D = %1</translation>
    </message>
    <message>
        <source>σ = %1</source>
        <translation>σ = %1</translation>
    </message>
    <message>
        <source>as trained: D = %1</source>
        <translation>恢复训练时的设置：D = %1</translation>
    </message>
    <message>
        <source>Half width D of the window</source>
        <translation>窗口的半宽 D</translation>
    </message>
    <message>
        <source>How many positions to each side of its middle a step may read. The model runs again with each width; it was trained with one.</source>
        <translation>每一步可以读取中心两侧各多少个位置。每换一个宽度模型都会重新运行；训练时只用了其中一个。</translation>
    </message>
    <message>
        <source>σ of the Gaussian, in tenths of a position</source>
        <translation>高斯的 σ，以十分之一个位置为单位</translation>
    </message>
    <message>
        <source>How wide the bell is: the smaller, the more only the middle of the window counts.</source>
        <translation>钟形曲线有多宽：越小，就越只有窗口中心起作用。</translation>
    </message>
    <message>
        <source>σ = D/2</source>
        <translation>σ = D/2</translation>
    </message>
    <message>
        <source>As in the paper: the bell is half as wide as the window’s half.</source>
        <translation>与论文相同：σ 是窗口半宽的一半。</translation>
    </message>
    <message>
        <source>Back to the window that the model was trained with.</source>
        <translation>回到模型训练时的窗口。</translation>
    </message>
    <message>
        <source>Type a source to see where the window stands.</source>
        <translation>输入原文，查看窗口的位置。</translation>
    </message>
    <message>
        <source>This model looks at the whole source in each step. Choose one with local attention, or set “attention.reach” to local_p or local_m.</source>
        <translation>这个模型每一步都看整个原文。请选择带局部注意力的模型，或把“attention.reach”设为 local_p 或 local_m。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>写出</translation>
    </message>
    <message>
        <source>centre</source>
        <translation>中心</translation>
    </message>
    <message>
        <source>position</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>窗口内</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>gaussian</source>
        <translation>钟形</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
</context>
<context>
    <name>StateWords</name>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>end of the source</source>
        <translation>原文结束</translation>
    </message>
    <message>
        <source>source ‘%1’</source>
        <translation>源词元“%1”</translation>
    </message>
    <message>
        <source>step %1 (writes ‘%2’)</source>
        <translation>第 %1 步（写出“%2”）</translation>
    </message>
    <message>
        <source>%1, edited to %2</source>
        <translation>%1，已改为 %2</translation>
    </message>
    <message>
        <source>− on letters,
+ on digits</source>
        <translation>在字母上为 −，
在数字上为 +</translation>
    </message>
    <message>
        <source>+ on letters,
− on digits</source>
        <translation>在字母上为 +，
在数字上为 −</translation>
    </message>
    <message>
        <source>higher on digits
than on letters</source>
        <translation>在数字上比
在字母上高</translation>
    </message>
    <message>
        <source>higher on letters
than on digits</source>
        <translation>在字母上比
在数字上高</translation>
    </message>
    <message>
        <source>keeps</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>+ new</source>
        <translation>+ 新的</translation>
    </message>
    <message>
        <source>= holds</source>
        <translation>= 记住</translation>
    </message>
    <message>
        <source>adds up</source>
        <translation>加起来</translation>
    </message>
    <message>
        <source>lets through</source>
        <translation>放行</translation>
    </message>
    <message>
        <source>= passes on</source>
        <translation>= 传下去</translation>
    </message>
    <message>
        <source>forget gate</source>
        <translation>遗忘门</translation>
    </message>
    <message>
        <source>update gate</source>
        <translation>更新门</translation>
    </message>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>细胞状态 (c)</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>门</translation>
    </message>
    <message>
        <source>It keeps a share of what it held one step before (one column to the right) and adds what is new</source>
        <translation>它保留上一步（右边一列）所记住的一部分，再加上新的</translation>
    </message>
    <message>
        <source>It keeps a share of what it held one step before (one column to the left) and adds what is new</source>
        <translation>它保留上一步（左边一列）所记住的一部分，再加上新的</translation>
    </message>
    <message>
        <source>What it reads and what it held are added up, and squashed between −1 and 1</source>
        <translation>把读到的和原先记住的加起来，再压到 −1 与 1 之间</translation>
    </message>
    <message>
        <source>Of what the neighbours add up to, a gate lets a share through</source>
        <translation>相邻各处加起来的数，由门放行其中一部分</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>记住</translation>
    </message>
    <message>
        <source>shows</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>It held next to nothing, and takes in what is new.</source>
        <translation>它原先几乎什么都没有，现在收下新的。</translation>
    </message>
    <message>
        <source>It held next to nothing, and next to nothing is new.</source>
        <translation>它原先几乎什么都没有，新的也几乎没有。</translation>
    </message>
    <message>
        <source>It keeps what it held and takes in what is new.</source>
        <translation>它保留原有的，并收下新的。</translation>
    </message>
    <message>
        <source>It keeps what it held; next to nothing is new.</source>
        <translation>它保留原有的；几乎没有新的。</translation>
    </message>
    <message>
        <source>It drops what it held and takes in what is new.</source>
        <translation>它丢掉原有的，收下新的。</translation>
    </message>
    <message>
        <source>It drops what it held; next to nothing is new.</source>
        <translation>它丢掉原有的；几乎没有新的。</translation>
    </message>
    <message>
        <source>It keeps a part of what it held and takes in what is new.</source>
        <translation>它保留原有的一部分，并收下新的。</translation>
    </message>
    <message>
        <source>It keeps a part of what it held; next to nothing is new.</source>
        <translation>它保留原有的一部分；几乎没有新的。</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
</context>
<context>
    <name>MemoryWords</name>
    <message>
        <source>likeness to the key</source>
        <translation>与键的相似度</translation>
    </message>
    <message>
        <source>Slot %1 is most like what the head looks for (%2).</source>
        <translation>第 %1 槽与所寻找的内容最相似（%2）。</translation>
    </message>
    <message>
        <source>The head is given a key, and each slot is compared with it: the cosine of the two, from −1 to 1.</source>
        <translation>读写头得到一个键，每个槽都与它比较：两者的余弦，从 −1 到 1。</translation>
    </message>
    <message>
        <source>content, β = %1</source>
        <translation>内容，β = %1</translation>
    </message>
    <message>
        <source>The search is sharp: slot %1 gets nearly everything.</source>
        <translation>查找很果断：第 %1 槽几乎得到全部。</translation>
    </message>
    <message>
        <source>The search prefers slot %1 (%2).</source>
        <translation>查找偏向第 %1 槽（%2）。</translation>
    </message>
    <message>
        <source>The search finds nothing that stands out.</source>
        <translation>查找没有发现突出的槽。</translation>
    </message>
    <message>
        <source>The likenesses, times the strength β, become shares that add up to 1: where the head would look by content alone.</source>
        <translation>相似度乘以强度 β，变成总和为 1 的份额：仅按内容时读写头会看向哪里。</translation>
    </message>
    <message>
        <source>interpolation, g = %1</source>
        <translation>插值，g = %1</translation>
    </message>
    <message>
        <source>It goes to what it found.</source>
        <translation>它走向查找到的位置。</translation>
    </message>
    <message>
        <source>It starts from where it was at the last step.</source>
        <translation>它从上一步所在的位置出发。</translation>
    </message>
    <message>
        <source>It mixes what it found with where it was at the last step.</source>
        <translation>它把查找到的位置与上一步的位置混合起来。</translation>
    </message>
    <message>
        <source>The gate g chooses between the search (1) and the place of the last step (0).</source>
        <translation>门 g 在查找（1）与上一步的位置（0）之间选择。</translation>
    </message>
    <message>
        <source>It spreads to its neighbours.</source>
        <translation>它向相邻的槽散开。</translation>
    </message>
    <message>
        <source>It moves one slot back.</source>
        <translation>它后退一槽。</translation>
    </message>
    <message>
        <source>It stays where it is.</source>
        <translation>它停在原处。</translation>
    </message>
    <message>
        <source>It moves one slot on.</source>
        <translation>它前进一槽。</translation>
    </message>
    <message>
        <source>shift, s = %1 %2 %3</source>
        <translation>移位，s = %1 %2 %3</translation>
    </message>
    <message>
        <source>Three shares say how much the head moves one slot back, stays, or moves one slot on; after the last slot comes the first.</source>
        <translation>三个份额表示读写头后退一槽、停留或前进一槽各占多少；最后一槽之后接第一槽。</translation>
    </message>
    <message>
        <source>sharpening, γ = %1</source>
        <translation>锐化，γ = %1</translation>
    </message>
    <message>
        <source>In the end %1 of it is on slot %2.</source>
        <translation>最后有 %1 落在第 %2 槽。</translation>
    </message>
    <message>
        <source>The shift blurs the place; each share to the power of γ makes it sharp again.</source>
        <translation>移位使位置变模糊；每个份额取 γ 次幂，使它重新变清晰。</translation>
    </message>
    <message>
        <source>write head</source>
        <translation>写头</translation>
    </message>
    <message>
        <source>read head</source>
        <translation>读头</translation>
    </message>
    <message>
        <source>write head %1</source>
        <translation>写头 %1</translation>
    </message>
    <message>
        <source>read head %1</source>
        <translation>读头 %1</translation>
    </message>
    <message>
        <source>step %1: reads ‘%2’</source>
        <translation>第 %1 步：读入“%2”</translation>
    </message>
    <message>
        <source>step %1: the source has ended</source>
        <translation>第 %1 步：原文已结束</translation>
    </message>
    <message>
        <source>step %1: writes ‘%2’</source>
        <translation>第 %1 步：写出“%2”</translation>
    </message>
    <message>
        <source>end of the source</source>
        <translation>原文结束</translation>
    </message>
    <message>
        <source>1 search</source>
        <translation>1 搜索</translation>
    </message>
    <message>
        <source>2 or stay</source>
        <translation>2 或不动</translation>
    </message>
    <message>
        <source>3 step</source>
        <translation>3 移步</translation>
    </message>
    <message>
        <source>4 sharpen</source>
        <translation>4 锐化</translation>
    </message>
    <message>
        <source>slot %1 stands out</source>
        <translation>槽 %1 最突出</translation>
    </message>
    <message>
        <source>nothing stands out</source>
        <translation>没有突出的</translation>
    </message>
    <message>
        <source>%1 % where it was</source>
        <translation>%1 % 在原处</translation>
    </message>
    <message>
        <source>%1 % one slot up</source>
        <translation>%1 % 上移一槽</translation>
    </message>
    <message>
        <source>%1 % in place</source>
        <translation>%1 % 不移动</translation>
    </message>
    <message>
        <source>%1 % one slot down</source>
        <translation>%1 % 下移一槽</translation>
    </message>
    <message>
        <source>to the power %1</source>
        <translation>取 %1 次方</translation>
    </message>
</context>
<context>
    <name>headlight::StatesView</name>
    <message>
        <source>Cell whose states are shown</source>
        <translation>显示其状态的循环单元</translation>
    </message>
    <message>
        <source>A model has a cell in each layer, and a bidirectional encoder one for each direction. Ctrl+Up and Ctrl+Down go to the next one.</source>
        <translation>模型的每一层有一个循环单元，双向编码器每个方向各有一个。Ctrl+上 和 Ctrl+下 转到另一个。</translation>
    </message>
    <message>
        <source>Type a source to see what the cells of the model remember of it.</source>
        <translation>输入原文，看看模型的循环单元记住了它的什么。</translation>
    </message>
    <message>
        <source>This model has no recurrent cells and no gated convolutions: choose an LSTM, GRU or ConvS2S model to see its states.</source>
        <translation>这个模型没有循环单元，也没有带门的卷积：选择 LSTM、GRU 或 ConvS2S 模型来查看状态。</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>维</translation>
    </message>
</context>
<context>
    <name>headlight::StatesCanvas</name>
    <message>
        <source>position %1 of layer %2</source>
        <translation>第 %2 层的位置 %1</translation>
    </message>
    <message>
        <source>%1 sees 1 token</source>
        <translation>%1看到 1 个词元</translation>
    </message>
    <message>
        <source>%1 sees %2 tokens</source>
        <translation>%1看到 %2 个词元</translation>
    </message>
    <message>
        <source>%1, up to %2 in a longer text</source>
        <translation>%1，在更长的文本中最多 %2 个</translation>
    </message>
    <message>
        <source>%1, unit %2, %3: %4</source>
        <translation>%1，第 %2 维，%3：%4</translation>
    </message>
    <message>
        <source>This model has no recurrent cells and no gates.</source>
        <translation>这个模型没有循环单元，也没有门。</translation>
    </message>
    <message>
        <source>States of the %1, %2 units at %3 steps</source>
        <translation>%1的状态，%2 维，%3 步</translation>
    </message>
    <message>
        <source>States, none</source>
        <translation>状态，空</translation>
    </message>
    <message>
        <source>It was given ‘%1’.</source>
        <translation>送入的是“%1”。</translation>
    </message>
    <message>
        <source>Each layer sees a few positions of the layer below, never a later one: the higher the layer, the farther it looks back. Its attention, which sees the whole source, is not part of the cone.</source>
        <translation>每一层看到下一层的几个位置，从不看后面的位置：层越高，往回看得越远。能看到整个原文的注意力不在这个锥形之内。</translation>
    </message>
    <message>
        <source>Each layer sees a few positions of the layer below, so that the cone of what a position knows of the text widens from layer to layer.</source>
        <translation>每一层看到下一层的几个位置，所以一个位置所了解的文本范围逐层变宽，像一个锥形。</translation>
    </message>
    <message>
        <source>after
padding (%1)</source>
        <translation>填充（%1）
之后</translation>
    </message>
    <message>
        <source>after padding (%1)</source>
        <translation>填充（%1）之后</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>选中的</translation>
    </message>
    <message>
        <source>tell digits from letters</source>
        <translation>区分数字和字母</translation>
    </message>
    <message>
        <source>change most</source>
        <translation>变化最大</translation>
    </message>
    <message>
        <source>hardly change</source>
        <translation>几乎不变</translation>
    </message>
    <message>
        <source>Unit %1</source>
        <translation>第 %1 维</translation>
    </message>
    <message>
        <source>Click to see how the numbers of unit %1 come about.</source>
        <translation>点击看第 %1 维的数是怎么来的。</translation>
    </message>
    <message>
        <source>Click to open this unit.</source>
        <translation>点击展开这一维。</translation>
    </message>
    <message>
        <source>%1: click to see each of them, Esc folds them again.</source>
        <translation>%1：点击逐个显示，Esc 再折叠起来。</translation>
    </message>
    <message>
        <source>it reads from the end, padding first</source>
        <translation>从末尾读起，先读填充</translation>
    </message>
    <message>
        <source>it reads from the end</source>
        <translation>从末尾读起</translation>
    </message>
    <message>
        <source>sees</source>
        <translation>看到</translation>
    </message>
    <message>
        <source>All %1 units</source>
        <translation>全部 %1 维</translation>
    </message>
    <message>
        <source>one line each, similar ones together</source>
        <translation>每维一行，相似的挨在一起</translation>
    </message>
    <message>
        <source>Unit %1 at this ‘%2’</source>
        <translation>第 %1 维，在这个“%2”处</translation>
    </message>
</context>
<context>
    <name>headlight::MemoryView</name>
    <message>
        <source>Head whose way to its place is shown</source>
        <translation>显示其定位过程的读写头</translation>
    </message>
    <message>
        <source>A head points at slots of the memory: the read head fetches from there, the write head changes them. Space goes to the next one.</source>
        <translation>读写头指向记忆的各个槽：读头从那里取出内容，写头改变那里的内容。空格键转到下一个。</translation>
    </message>
    <message>
        <source>Step of the machine</source>
        <translation>机器的步</translation>
    </message>
    <message>
        <source>First the machine reads the source, then it writes. Left and Right go step by step.</source>
        <translation>机器先读入原文，然后写出。左右方向键逐步移动。</translation>
    </message>
    <message>
        <source>Type a source to see what the machine writes into its memory.</source>
        <translation>输入原文，看看机器把什么写入它的记忆。</translation>
    </message>
    <message>
        <source>This model has no memory beside its network: choose a Neural Turing Machine to see one.</source>
        <translation>这个模型的网络之外没有记忆：选择神经图灵机来查看。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>slot</source>
        <translation>槽</translation>
    </message>
    <message>
        <source>write_%1</source>
        <translation>写_%1</translation>
    </message>
    <message>
        <source>read_%1</source>
        <translation>读_%1</translation>
    </message>
</context>
<context>
    <name>headlight::MemoryCanvas</name>
    <message>
        <source>This model has no memory beside its network.</source>
        <translation>这个模型的网络之外没有记忆。</translation>
    </message>
    <message>
        <source>%1: most on slot %2 (%3), %4 on slot %5.</source>
        <translation>%1：第 %2 槽最多（%3），第 %5 槽为 %4。</translation>
    </message>
    <message>
        <source>Memory, slot %1, number %2: %3.</source>
        <translation>记忆，第 %1 槽，第 %2 个数：%3。</translation>
    </message>
    <message>
        <source>Memory of %1 slots of %2 numbers, %3 steps</source>
        <translation>记忆：%1 个槽，每槽 %2 个数，%3 步</translation>
    </message>
    <message>
        <source>Memory, none</source>
        <translation>记忆，空</translation>
    </message>
    <message>
        <source>First the machine reads the source, token by token; then it is told nothing more, and writes from its memory.</source>
        <translation>机器先逐个词元读入原文；之后不再告诉它任何内容，它根据记忆写出。</translation>
    </message>
    <message>
        <source>Memory after %1: slot %2, number %3 is %4.</source>
        <translation>%1之后的记忆：第 %2 槽的第 %3 个数是 %4。</translation>
    </message>
    <message>
        <source>Each row is a slot. The write head wipes and adds; the read head averages the slots.</source>
        <translation>每一行是一个槽。写头擦除并添加；读头对各槽求平均。</translation>
    </message>
    <message>
        <source>Erase vector: which numbers of the slots are wiped out where the write head points (1 wipes, 0 keeps). Number %1: %2.</source>
        <translation>擦除向量：在写头指向的槽中擦去哪些数（1 擦除，0 保留）。第 %1 个数：%2。</translation>
    </message>
    <message>
        <source>Add vector: what is written to the slots where the write head points. Number %1: %2.</source>
        <translation>添加向量：写入写头所指各槽的内容。第 %1 个数：%2。</translation>
    </message>
    <message>
        <source>Slot %1: %2.</source>
        <translation>第 %1 槽：%2。</translation>
    </message>
    <message>
        <source>%1, %2: %3 on slot %4.</source>
        <translation>%1，%2：在第 %4 槽上为 %3。</translation>
    </message>
    <message>
        <source>A machine that copies writes along the slots while it reads, and reads along the same slots while it writes.</source>
        <translation>会复制的机器在读入时沿着各槽写入，在写出时沿着同样的槽读取。</translation>
    </message>
    <message>
        <source>slot %1</source>
        <translation>槽 %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>Slot %1 stays as it was.</source>
        <translation>槽 %1 保持原样。</translation>
    </message>
    <message>
        <source>Slots %1 stay as they were.</source>
        <translation>槽 %1 保持原样。</translation>
    </message>
    <message>
        <source>What it writes down while it looks up, it never reads.</source>
        <translation>它在查找时写下的，从不再读。</translation>
    </message>
    <message>
        <source>First it writes down,</source>
        <translation>先写下来，</translation>
    </message>
    <message>
        <source>then it looks it up</source>
        <translation>再去查找</translation>
    </message>
    <message>
        <source>the token it reads</source>
        <translation>读到的词元</translation>
    </message>
    <message>
        <source>the token it writes</source>
        <translation>写出的词元</translation>
    </message>
    <message>
        <source>Where it writes and reads</source>
        <translation>在哪里写、哪里读</translation>
    </message>
    <message>
        <source>at each token</source>
        <translation>每个词元处</translation>
    </message>
    <message>
        <source>How it chose slot %1 to write</source>
        <translation>怎样选中槽 %1 来写</translation>
    </message>
    <message>
        <source>How it found slot %1</source>
        <translation>怎样找到槽 %1</translation>
    </message>
    <message>
        <source>What is in the memory</source>
        <translation>记忆里有什么</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>%1 numbers a slot, after this step</source>
        <translation>每槽 %1 个数，这一步之后</translation>
    </message>
    <message>
        <source>after this step</source>
        <translation>这一步之后</translation>
    </message>
    <message>
        <source>writes there</source>
        <translation>在此写</translation>
    </message>
    <message>
        <source>reads there</source>
        <translation>在此读</translation>
    </message>
    <message>
        <source>wipes</source>
        <translation>抹去</translation>
    </message>
    <message>
        <source>adds</source>
        <translation>加上</translation>
    </message>
    <message>
        <source>Blue is below 0, brown above. Behind a slot: the token that it writes when it reads there.</source>
        <translation>蓝色小于 0，棕色大于 0。槽后面是：读到这里时写出的词元。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>headlight::SteppingAnimation</name>
    <message>
        <source>What was drawn is not there any more.</source>
        <translation>要绘制的内容已不存在。</translation>
    </message>
</context>
<context>
    <name>headlight::TimeLine</name>
    <message>
        <source>your guess was off by a factor of %1 on average</source>
        <translation>你的猜测平均差 %1 倍</translation>
    </message>
    <message>
        <source>your guess was off by %1 on average</source>
        <translation>你的猜测平均差 %1</translation>
    </message>
    <message>
        <source>How it learns</source>
        <translation>它怎样学</translation>
    </message>
    <message>
        <source>How it learned</source>
        <translation>它是怎样学会的</translation>
    </message>
    <message>
        <source>Before it starts: draw how the curve will go.</source>
        <translation>开始之前：画出曲线会怎样走。</translation>
    </message>
    <message>
        <source>thin line: the same with seed %1</source>
        <translation>细线：同样的训练，种子 %1</translation>
    </message>
    <message>
        <source>thin lines: the same with seeds %1 and %2</source>
        <translation>细线：同样的训练，种子 %1 和 %2</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>every second moment was given up for want of memory</source>
        <translation>内存不够，每两个时刻只留了一个</translation>
    </message>
    <message>
        <source>Time line: %1</source>
        <translation>时间线：%1</translation>
    </message>
    <message>
        <source>Nothing was trained yet.</source>
        <translation>还没有训练过。</translation>
    </message>
    <message>
        <source>nothing drawn yet</source>
        <translation>还没有画</translation>
    </message>
    <message>
        <source>Your guess after %1 characters: %2</source>
        <translation>读过 %1 个字符时，你猜：%2</translation>
    </message>
    <message>
        <source>Your guess after %1 sentences: %2</source>
        <translation>读过 %1 句时，你猜：%2</translation>
    </message>
    <message>
        <source>Draw with the mouse how the curve will go, or with the arrow keys; Delete wipes it.</source>
        <translation>用鼠标或方向键画出曲线会怎样走；按 Delete 擦掉。</translation>
    </message>
    <message>
        <source>From here on %1 stays as it ends: %2.</source>
        <translation>从这里起，%1 一直保持到最后：%2。</translation>
    </message>
    <message>
        <source>Here the output changed to %1.</source>
        <translation>输出在这里变成了 %1。</translation>
    </message>
    <message>
        <source>The numbers as a &amp;table</source>
        <translation>数字表格(&amp;T)</translation>
    </message>
    <message>
        <source>&amp;Export the picture…</source>
        <translation>导出图片(&amp;E)…</translation>
    </message>
    <message>
        <source>Export the training as an &amp;animation…</source>
        <translation>将训练导出为动画(&amp;A)…</translation>
    </message>
    <message>
        <source>Export the picture</source>
        <translation>导出图片</translation>
    </message>
</context>
<context>
    <name>headlight::BeamView</name>
    <message>
        <source>You wrote it: the search begins behind it.</source>
        <translation>它由你写出：搜索从它之后开始。</translation>
    </message>
    <message>
        <source>Choose beam search above: the tree of what the model tried appears here.</source>
        <translation>请在上方选择束搜索：模型尝试过的内容会以树的形式出现在这里。</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>finished, best first</source>
        <translation>已完成，最好的在前</translation>
    </message>
    <message>
        <source>It was among the best and went on.</source>
        <translation>它在最好的几个之中，继续生成。</translation>
    </message>
    <message>
        <source>It is finished.</source>
        <translation>它已完成。</translation>
    </message>
    <message>
        <source>It was dropped: others were more probable.</source>
        <translation>它被舍弃：其他的概率更高。</translation>
    </message>
    <message>
        <source>It was cut here: no output may be longer.</source>
        <translation>它在这里被截断：输出不能更长。</translation>
    </message>
    <message>
        <source>It could have gone on, but nothing better than the winner could have come of it.</source>
        <translation>它本可以继续，但不会得到比最优输出更好的结果。</translation>
    </message>
    <message>
        <source>the winner</source>
        <translation>最优输出</translation>
    </message>
    <message>
        <source>%1 – %2, probability %3, log P %4</source>
        <translation>%1 – %2，概率 %3，log P %4</translation>
    </message>
    <message>
        <source>Score %1: log probability %2</source>
        <translation>得分 %1：对数概率 %2</translation>
    </message>
    <message>
        <source>, divided by the length penalty %1 of %2 tokens</source>
        <translation>，除以 %2 个词元的长度惩罚 %1</translation>
    </message>
    <message>
        <source>, coverage penalty %1 for words that were hardly looked at</source>
        <translation>，对几乎没被看过的词的覆盖惩罚 %1</translation>
    </message>
    <message>
        <source>Output %1 of %2: %3</source>
        <translation>第 %1 个输出（共 %2 个）：%3</translation>
    </message>
    <message>
        <source>Step %1 adds %2: %3</source>
        <translation>第 %1 步加上 %2：%3</translation>
    </message>
    <message>
        <source>Its probability is %1: all tokens so far, multiplied.</source>
        <translation>它的概率是 %1：到此为止所有词元的概率相乘。</translation>
    </message>
    <message>
        <source>Enter or a double click makes the model write this text.</source>
        <translation>按 Enter 或双击，让模型写出这段文本。</translation>
    </message>
    <message>
        <source>Beam search. Outputs found: %1; the best is %2</source>
        <translation>束搜索。找到的输出：%1 个；最好的是 %2</translation>
    </message>
    <message>
        <source>Beam search, empty</source>
        <translation>束搜索，空</translation>
    </message>
    <message>
        <source>Nothing selected. Arrow keys walk the tree.</source>
        <translation>未选中任何内容。用方向键在树中移动。</translation>
    </message>
    <message>
        <source>%1 · cut below %2</source>
        <translation>%1 · 低于 %2 被剪去</translation>
    </message>
    <message>
        <source>It ends, and as many others are more probable.</source>
        <translation>它到此结束，而有同样多的其他假设概率更高。</translation>
    </message>
    <message>
        <source>It has log P %1; the last one that went on has %2.</source>
        <translation>它的 log P 是 %1；最后一个继续下去的是 %2。</translation>
    </message>
</context>
<context>
    <name>BeamFate</name>
    <message>
        <source>went on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>dropped: not among the best</source>
        <translation>已舍弃：不在最好的几个之中</translation>
    </message>
    <message>
        <source>cut at the longest output</source>
        <translation>达到最大长度而截断</translation>
    </message>
    <message>
        <source>left when the search ended</source>
        <translation>搜索结束时尚未完成</translation>
    </message>
</context>
<context>
    <name>headlight::BeamModel</name>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>text so far</source>
        <translation>到此为止的文本</translation>
    </message>
    <message>
        <source>log probability</source>
        <translation>对数概率</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>fate</source>
        <translation>结局</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>parent</source>
        <translation>父假设</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>cut below</source>
        <translation>低于此值被剪去</translation>
    </message>
</context>
<context>
    <name>headlight::DecodingBar</name>
    <message>
        <source>Decoding</source>
        <translation>解码方式</translation>
    </message>
    <message>
        <source>The output is forced.</source>
        <translation>输出是强制的。</translation>
    </message>
    <message>
        <source>Its beginning is forced.</source>
        <translation>输出的开头是强制的。</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>beam</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>Greedy decoding</source>
        <translation>贪心解码</translation>
    </message>
    <message>
        <source>Greedy: always writes the most probable next token.</source>
        <translation>贪心：总是写出概率最高的下一个词元。</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Sample: draws the next token, so that probable tokens come often and others now and then. The seed makes a draw repeatable.</source>
        <translation>采样：随机抽取下一个词元，概率高的常出现，其他的偶尔出现。随机种子使抽取可以重复。</translation>
    </message>
    <message>
        <source>Beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>Beam search: keeps the best few beginnings side by side and chooses the best whole output.
Not while values of the run are edited: what was tried beside the winner is not recorded, so an edit could not reach it.</source>
        <translation>束搜索：同时保留最好的几个开头，再选出整体最好的输出。
改动了运行中的数值时不可用：最优输出之外的尝试没有记录，改动无法作用于它们。</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Temperature: below 1 the model is more sure of itself, above 1 it tries unlikely tokens. At 0 it always takes the most probable one.</source>
        <translation>温度：小于 1 时模型更自信，大于 1 时会尝试不太可能的词元。为 0 时总是取概率最高的词元。</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>Top-k: draw only from the k most probable tokens.</source>
        <translation>Top-k：只从概率最高的 k 个词元中抽取。</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>Top-p: draw only from the fewest tokens that together have at least this probability.</source>
        <translation>Top-p：只从合起来至少有这么大概率的最少几个词元中抽取。</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Seed: the same number draws the same output again.</source>
        <translation>随机种子：同一个数会再次抽到同样的输出。</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>重新抽取</translation>
    </message>
    <message>
        <source>Draw again: another seed, another output.</source>
        <translation>重新抽取：换一个种子，得到另一个输出。</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>beams</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>Beams: how many beginnings are kept at each step. 1 is greedy decoding.</source>
        <translation>束宽：每一步保留多少个开头。1 就是贪心解码。</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>Every token makes an output less probable, so plain beam search likes short ones. The score is divided by a length penalty: ((5 + length) / 6)^α (Wu et al. 2016), length^α (Gehring et al. 2017), or none.</source>
        <translation>每多一个词元，输出的概率就更小，所以单纯的束搜索偏爱短的输出。得分要除以长度惩罚：((5 + 长度) / 6)^α（Wu 等，2016）、长度^α（Gehring 等，2017），或不用。</translation>
    </message>
    <message>
        <source>Wu et al.</source>
        <translation>Wu 等</translation>
    </message>
    <message>
        <source>power</source>
        <translation>幂</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>α of the length penalty</source>
        <translation>长度惩罚的 α</translation>
    </message>
    <message>
        <source>α: the larger, the more long outputs are favoured. 0: no penalty.</source>
        <translation>α：越大越偏向长的输出。0：不用惩罚。</translation>
    </message>
    <message>
        <source>coverage</source>
        <translation>覆盖</translation>
    </message>
    <message>
        <source>Coverage β: takes score away from outputs that hardly looked at some word of the source. 0: no penalty (Wu et al. 2016).</source>
        <translation>覆盖 β：几乎没看过原文中某个词的输出会被扣分。0：不用惩罚（Wu 等，2016）。</translation>
    </message>
    <message>
        <source>You said what the model should write; it shows how probable that is.</source>
        <translation>你指定了模型要写的内容；这里显示它的概率有多大。</translation>
    </message>
    <message>
        <source>Let the model choose</source>
        <translation>让模型自己选择</translation>
    </message>
    <message>
        <source>Take the forced output back.</source>
        <translation>撤回强制的输出。</translation>
    </message>
    <message>
        <source>By the stages that Choosing shows.</source>
        <translation>按“选择”中显示的阶段。</translation>
    </message>
</context>
<context>
    <name>headlight::GuessesView</name>
    <message>
        <source>almost certain</source>
        <translation>几乎确定</translation>
    </message>
    <message>
        <source>quite sure: like a choice among %1 words</source>
        <translation>相当有把握：好比在 %1 个词中选一个</translation>
    </message>
    <message>
        <source>torn: like a choice among %1 words</source>
        <translation>犹豫不决：好比在 %1 个词中选一个</translation>
    </message>
    <message>
        <source>unsure: like a choice among %1 words</source>
        <translation>没有把握：好比在 %1 个词中选一个</translation>
    </message>
    <message>
        <source>Hidden word %1 of %2. Below it are the words that the model holds for most probable.</source>
        <translation>第 %1 个被隐藏的词（共 %2 个）。下面是模型认为概率最高的词。</translation>
    </message>
    <message>
        <source>The model is %1 (entropy %2 nats).</source>
        <translation>模型%1（熵 %2 奈特）。</translation>
    </message>
    <message>
        <source>Guess %1 for hidden word %2: %3, probability %4.</source>
        <translation>第 %2 个被隐藏的词的第 %1 个猜测：%3，概率 %4。</translation>
    </message>
    <message>
        <source>Click to write it into the text.</source>
        <translation>点击把它写进文本。</translation>
    </message>
    <message>
        <source>Guesses at hidden words, none</source>
        <translation>对隐藏词的猜测，无</translation>
    </message>
    <message>
        <source>Guesses at hidden words: %1</source>
        <translation>对隐藏词的猜测：%1 个</translation>
    </message>
    <message>
        <source>Nothing selected. Arrow keys choose a guess.</source>
        <translation>未选中任何内容。用方向键选择一个猜测。</translation>
    </message>
    <message>
        <source>No word is hidden. Type %1 for a word of the text, and the model guesses it here.</source>
        <translation>没有隐藏的词。用 %1 代替文本中的一个词，模型会在这里猜它。</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>guess</source>
        <translation>猜测</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
</context>
<context>
    <name>headlight::OutputPanel</name>
    <message>
        <source>How the output is shown</source>
        <translation>输出的显示方式</translation>
    </message>
    <message>
        <source>guesses</source>
        <translation>猜测</translation>
    </message>
    <message>
        <source>tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>A card for each hidden word, with what the model guesses.</source>
        <translation>每个隐藏的词一张卡片，列出模型的猜测。</translation>
    </message>
    <message>
        <source>All that the beam search tried, step by step.</source>
        <translation>束搜索尝试过的全部内容，逐步显示。</translation>
    </message>
    <message>
        <source>list</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>The most probable tokens of each step.</source>
        <translation>每一步概率最高的词元。</translation>
    </message>
    <message>
        <source>Write %1 from here on</source>
        <translation>从这里起写 %1</translation>
    </message>
    <message>
        <source>Write %1 only here, the rest stays</source>
        <translation>只在这里写 %1，其余不变</translation>
    </message>
    <message>
        <source>log p over my &amp;texts…</source>
        <translation>各文本的 log p(&amp;T)…</translation>
    </message>
</context>
<context>
    <name>OutputText</name>
    <message>
        <source>no text</source>
        <translation>没有文本</translation>
    </message>
    <message>
        <source>A beginning is a text, and this one would hold only a part of a character: the model cannot go on from it.</source>
        <translation>开头必须是文本，而这样的开头会只含某个字符的一部分：模型无法由此继续。</translation>
    </message>
</context>
<context>
    <name>CompareSubject</name>
    <message>
        <source>%1, now %2</source>
        <translation>%1，现为 %2</translation>
    </message>
    <message>
        <source>attention weight</source>
        <translation>注意力权重</translation>
    </message>
    <message>
        <source>source</source>
        <translation>原文</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>where it looks</source>
        <translation>关注的位置</translation>
    </message>
    <message>
        <source>which words made them similar</source>
        <translation>哪些词使它们相似</translation>
    </message>
</context>
<context>
    <name>headlight::Autosave</name>
    <message>
        <source>the folder %1 cannot be made</source>
        <translation>无法建立文件夹 %1</translation>
    </message>
    <message>
        <source>the folder %1 cannot be written</source>
        <translation>无法写入文件夹 %1</translation>
    </message>
    <message>
        <source>Your work cannot be kept safe at the moment: %1.</source>
        <translation>目前无法自动保存你的工作：%1。</translation>
    </message>
</context>
<context>
    <name>headlight::Presenter</name>
    <message>
        <source>While presenting: the next row or step</source>
        <translation>演示时：下一行或下一步</translation>
    </message>
    <message>
        <source>While presenting: the previous row or step</source>
        <translation>演示时：上一行或上一步</translation>
    </message>
    <message>
        <source>While presenting: spotlight on and off</source>
        <translation>演示时：开关聚光灯</translation>
    </message>
    <message>
        <source>While presenting: black screen</source>
        <translation>演示时：黑屏</translation>
    </message>
    <message>
        <source>While presenting: back to the window</source>
        <translation>演示时：返回窗口</translation>
    </message>
    <message>
        <source>While presenting: white screen</source>
        <translation>演示时：白屏</translation>
    </message>
    <message>
        <source>While presenting a lesson: the room votes, then votes again</source>
        <translation>演示课程时：全班举手，再举一次手</translation>
    </message>
    <message>
        <source>PageDown: go on · S: spotlight · B: black · W: white · Esc: back</source>
        <translation>PageDown：继续 · S：聚光灯 · B：黑屏 · W：白屏 · Esc：返回</translation>
    </message>
</context>
<context>
    <name>headlight::RecentFiles</name>
    <message>
        <source>Models of the hub on this machine</source>
        <translation>本机 Hub 缓存中的模型</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%2 中的 %1</translation>
    </message>
    <message>
        <source>Session %1</source>
        <translation>会话 %1</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>Nothing was opened yet</source>
        <translation>还没有打开过任何文件</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>清空列表(&amp;C)</translation>
    </message>
    <message>
        <source>Clear the list of what was opened? The files stay where they are, the list cannot be brought back.</source>
        <translation>要清空打开记录吗？文件仍在原处，列表无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Clear</source>
        <translation>清空(&amp;C)</translation>
    </message>
</context>
<context>
    <name>SessionOpener</name>
    <message>
        <source>The model %1 of this session is missing. It was looked for in %2.</source>
        <translation>找不到本会话的模型 %1。查找过的位置：%2。</translation>
    </message>
    <message>
        <source>, in </source>
        <translation>；</translation>
    </message>
    <message>
        <source>The model %1 has changed since this session was saved; numbers may differ.</source>
        <translation>保存会话之后，模型 %1 已被改动；数值可能不同。</translation>
    </message>
</context>
<context>
    <name>Drop</name>
    <message>
        <source>There is no text in what was dropped.</source>
        <translation>拖入的内容里没有文本。</translation>
    </message>
    <message>
        <source>The text is longer than 1 MB: drop a sentence or a paragraph.</source>
        <translation>文本超过 1 MB：请拖入一句话或一段话。</translation>
    </message>
    <message>
        <source>%1 is no text in UTF-8.</source>
        <translation>%1 不是 UTF-8 文本。</translation>
    </message>
    <message>
        <source>There is no file %1.</source>
        <translation>没有文件 %1。</translation>
    </message>
    <message>
        <source>The folder %1 holds no model.</source>
        <translation>文件夹 %1 里没有模型。</translation>
    </message>
    <message>
        <source>%1 is not in the folder of a model: the files of a model have to stand together.</source>
        <translation>%1 不在模型文件夹里：一个模型的文件必须放在一起。</translation>
    </message>
    <message>
        <source>%1 is no session, no model and no text.</source>
        <translation>%1 既不是会话，也不是模型或文本。</translation>
    </message>
    <message>
        <source>%1 is not on this machine: save it first, then drop the file.</source>
        <translation>%1 不在本机上：请先保存，再拖入文件。</translation>
    </message>
    <message>
        <source>Only sessions, model folders and texts can be dropped here.</source>
        <translation>这里只能拖入会话、模型文件夹和文本。</translation>
    </message>
</context>
<context>
    <name>headlight::ComparePictures</name>
    <message>
        <source>change of %1</source>
        <translation>%1的变化</translation>
    </message>
    <message>
        <source>B − A: what changed</source>
        <translation>B − A：变化</translation>
    </message>
    <message>
        <source>The run that B is compared with.</source>
        <translation>与 B 比较的那次运行。</translation>
    </message>
    <message>
        <source>The newest run.</source>
        <translation>最新一次运行。</translation>
    </message>
    <message>
        <source>Brown: more in B than in A. Blue: less. Hatched: only one of the two runs has it.</source>
        <translation>棕色：B 比 A 大。蓝色：B 比 A 小。斜线：只有其中一次运行有这个数。</translation>
    </message>
    <message>
        <source>The cursor is the same in all three. Wheel: zoom, drag: move, 0: show everything.</source>
        <translation>三幅图共用一个光标。滚轮缩放，拖动平移，0 显示全部。</translation>
    </message>
    <message>
        <source>The runs have nothing in common here.</source>
        <translation>两次运行在这里没有共同之处。</translation>
    </message>
    <message>
        <source>No number changed.</source>
        <translation>没有数值变化。</translation>
    </message>
    <message>
        <source>Most changed: %1.</source>
        <translation>变化最大：%1。</translation>
    </message>
</context>
<context>
    <name>headlight::CompareTokens</name>
    <message>
        <source>Neither run wrote anything.</source>
        <translation>两次运行都没有写出内容。</translation>
    </message>
    <message>
        <source>Both write the same.</source>
        <translation>两者写出的内容相同。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens differ.</source>
        <translation>%2 个词元中有 %1 个不同。</translation>
    </message>
    <message>
        <source>%1 with probability %2</source>
        <translation>%1（概率 %2）</translation>
    </message>
    <message>
        <source>Only B writes a token here: %1.</source>
        <translation>只有 B 在这里写出词元：%1。</translation>
    </message>
    <message>
        <source>Only A writes a token here: %1.</source>
        <translation>只有 A 在这里写出词元：%1。</translation>
    </message>
    <message>
        <source>Both write the same token: A %1, B %2.</source>
        <translation>两者写出同一个词元：A %1，B %2。</translation>
    </message>
    <message>
        <source>They differ: A writes %1, B %2.</source>
        <translation>两者不同：A 写出 %1，B 写出 %2。</translation>
    </message>
    <message>
        <source>Outputs of A and B: %1</source>
        <translation>A 与 B 的输出：%1</translation>
    </message>
    <message>
        <source>No step selected. Arrow keys choose one.</source>
        <translation>没有选中任何一步。用方向键选择。</translation>
    </message>
</context>
<context>
    <name>headlight::CompareView</name>
    <message>
        <source>What they expect next is %1 nats apart on the average (KL divergence of B from A).</source>
        <translation>两者对下一个词元的预期平均相差 %1 奈特（B 相对 A 的 KL 散度）。</translation>
    </message>
    <message>
        <source>The texts part at token %1.</source>
        <translation>两段输出从第 %1 个词元起不同。</translation>
    </message>
    <message>
        <source>Type a source: this panel shows what each change of it changes.</source>
        <translation>输入一段原文：此面板显示每次改动带来了什么变化。</translation>
    </message>
    <message>
        <source>Cannot be chosen: it was trained on texts of another kind than this one. %1</source>
        <translation>不能选：它是用另一类文本训练的。%1</translation>
    </message>
    <message>
        <source>This run was not recorded, so there is nothing to compare.</source>
        <translation>这次运行没有记录，无法比较。</translation>
    </message>
    <message>
        <source>Nothing has changed yet. Change the text, a weight or a setting: the run before stays here as A.</source>
        <translation>还没有任何改动。改动文本、某个权重或某项设置：之前的运行会留在这里作为 A。</translation>
    </message>
    <message>
        <source>Nothing is changed: this is the model as it was trained. Change a number or a setting to see what that does.</source>
        <translation>没有任何改动：这就是训练时的模型。改动一个数值或一项设置，看看会怎样。</translation>
    </message>
    <message>
        <source>Type another text above, to compare this model on both.</source>
        <translation>在上面输入另一段文本，比较这个模型在两者上的表现。</translation>
    </message>
    <message>
        <source>Choose another model above, to see both read the same text.</source>
        <translation>在上面选择另一个模型，看两个模型读同一段文本。</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Computing the run to compare with …</source>
        <translation>正在计算用来比较的运行……</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>These two runs have nothing of the same shape to compare.</source>
        <translation>这两次运行没有形状相同、可以比较的数值。</translation>
    </message>
    <message>
        <source>the run before</source>
        <translation>之前的运行</translation>
    </message>
    <message>
        <source>as trained</source>
        <translation>训练时的模型</translation>
    </message>
    <message>
        <source>Compare &amp;with</source>
        <translation>与之比较(&amp;W)</translation>
    </message>
    <message>
        <source>another text</source>
        <translation>另一段文本</translation>
    </message>
    <message>
        <source>another model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>The last run before you began to change something: it stays while you type.</source>
        <translation>开始改动之前的最后一次运行：输入期间保持不变。</translation>
    </message>
    <message>
        <source>The same text and model without your changes.</source>
        <translation>同样的文本和模型，但没有你的改动。</translation>
    </message>
    <message>
        <source>This model on another text, without your changes.</source>
        <translation>这个模型读另一段文本，不带你的改动。</translation>
    </message>
    <message>
        <source>Another model on this text.</source>
        <translation>另一个模型读这段文本。</translation>
    </message>
    <message>
        <source>What the newest run, B, is compared with.</source>
        <translation>最新的运行 B 与什么比较。</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>用来比较的运行</translation>
    </message>
    <message>
        <source>The other text</source>
        <translation>另一段文本</translation>
    </message>
    <message>
        <source>The other model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>&amp;Show</source>
        <translation>显示(&amp;S)</translation>
    </message>
    <message>
        <source>Where the model looks, one head, or any value of the run; what changed most comes first. Type to search.</source>
        <translation>模型关注的位置、某个头，或运行中的任何数值；变化最大的排在最前。输入文字可以搜索。</translation>
    </message>
    <message>
        <source>What is compared</source>
        <translation>比较的内容</translation>
    </message>
    <message>
        <source>%1 · %2 bits</source>
        <translation>%1 · %2 比特</translation>
    </message>
    <message>
        <source>%1 · %2 % changed</source>
        <translation>%1 · 变化 %2 %</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>A</source>
        <translation>A</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>No run is kept. ‘Keep to compare’ keeps the present run as A, whatever you change.</source>
        <translation>还没有保留任何运行。“另存为对照”会把当前运行保留为 A，之后的改动不影响它。</translation>
    </message>
    <message>
        <source>&amp;Keep to compare</source>
        <translation>另存为对照(&amp;K)</translation>
    </message>
    <message>
        <source>Keep the present run under a name: it is offered here as A, and saved with the session.</source>
        <translation>以某个名称保留当前运行作为对照：可在此处选作 A，并随会话保存。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Delete this kept run</source>
        <translation>删除这个对照</translation>
    </message>
    <message>
        <source>Delete this kept run? It cannot be brought back.</source>
        <translation>删除这个对照吗？之后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>差异(&amp;D)</translation>
    </message>
    <message>
        <source>Also what changed from A to B, cell by cell, and token by token</source>
        <translation>同时显示从 A 到 B 的变化，逐格逐词元</translation>
    </message>
    <message>
        <source>A run that you kept: ‘%1’</source>
        <translation>你保留的对照：“%1”</translation>
    </message>
    <message>
        <source>No adapter lies over this model.</source>
        <translation>此模型上没有适配器。</translation>
    </message>
    <message>
        <source>without the adapter</source>
        <translation>不带适配器</translation>
    </message>
    <message>
        <source>The same text and the base alone, of which the adapter changed the weights.</source>
        <translation>同一文本，只用基础模型，即适配器改动权重之前的模型。</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>注意力头(&amp;H)</translation>
    </message>
    <message>
        <source>All heads as a list: those that look most differently in the two runs come first</source>
        <translation>所有头的列表：两次运行中看向差别最大的排在最前</translation>
    </message>
    <message>
        <source>Heads by how differently they look in the two runs</source>
        <translation>按两次运行中看向的差别排列的头</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>bits</source>
        <translation>比特</translation>
    </message>
    <message>
        <source>Over my &amp;texts</source>
        <translation>对我的文本(&amp;T)</translation>
    </message>
    <message>
        <source>Both models read every text of the list of texts: mean and deviation of how far apart each head looks</source>
        <translation>两个模型都读文本列表中的每段文本：各头看的位置相差多少，给出平均值和标准差</translation>
    </message>
    <message>
        <source>%1 of %2 texts</source>
        <translation>%1 / %2 段文本</translation>
    </message>
    <message>
        <source>Heads by how differently they look in both models, over %1 texts</source>
        <translation>按两个模型中看的位置相差多少排列的头，%1 段文本</translation>
    </message>
</context>
<context>
    <name>NumberWords</name>
    <message>
        <source>1000</source>
        <translation>10000</translation>
    </message>
    <message>
        <source>%1 thousand</source>
        <translation>%1 万</translation>
    </message>
    <message>
        <source>%1 million</source>
        <translation>%1 亿</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>TimeLineTexts</name>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Among how many characters it hesitates, on text that it never saw: the exponential of the mean loss of a character.</source>
        <translation>面对没见过的文本，它在多少个字符之间犹豫：每个字符平均损失的指数。</translation>
    </message>
    <message>
        <source>Among how many tokens it hesitates, on text that it never saw: the exponential of the mean loss of a token.</source>
        <translation>面对没见过的文本，它在多少个词元之间犹豫：每个词元平均损失的指数。</translation>
    </message>
    <message>
        <source>right on unseen</source>
        <translation>没见过的句子答对</translation>
    </message>
    <message>
        <source>How many of the sentences that it never saw have an output that is all right.</source>
        <translation>没见过的句子里，有多少句的输出完全正确。</translation>
    </message>
    <message>
        <source>How many words of the output look most at the word that they come from.</source>
        <translation>输出的词里，有多少个看得最多的正是它所来自的词。</translation>
    </message>
    <message>
        <source>The largest weight of a row of attention, on average. Which word would be the right one is not known here.</source>
        <translation>注意力每一行中最大的权重，取平均。这里并不知道看哪个词才对。</translation>
    </message>
    <message>
        <source>right on trained</source>
        <translation>训练过的句子答对</translation>
    </message>
    <message>
        <source>The same of sentences that it is trained on (dashed).</source>
        <translation>同样的比例，但是用来训练的句子（虚线）。</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>How surprised it is by a right token, on average since the moment before (bars; the highest is the largest loss).</source>
        <translation>正确的词元让它有多意外：自前一个时刻以来的平均值（柱子；最高的柱子是最大的损失）。</translation>
    </message>
    <message>
        <source>your guess</source>
        <translation>你的猜测</translation>
    </message>
    <message>
        <source>The curve that was drawn before the start.</source>
        <translation>开始之前画下的曲线。</translation>
    </message>
    <message>
        <source>Another training, to compare with.</source>
        <translation>另一次训练，用来比较。</translation>
    </message>
    <message>
        <source>%1 (dashed)</source>
        <translation>%1（虚线）</translation>
    </message>
    <message>
        <source>Its perplexity on text that it never saw.</source>
        <translation>它在没见过的文本上的困惑度。</translation>
    </message>
    <message>
        <source>sentences read</source>
        <translation>已读句数</translation>
    </message>
    <message>
        <source>characters read</source>
        <translation>已读字符数</translation>
    </message>
    <message>
        <source>characters read →</source>
        <translation>已读字符数 →</translation>
    </message>
    <message>
        <source>sentences read →</source>
        <translation>已读句数 →</translation>
    </message>
</context>
<context>
    <name>headlight::HistoryView</name>
    <message>
        <source>computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>no attention: one vector carries the whole text</source>
        <translation>没有注意力：整段文本只由一个向量承载</translation>
    </message>
    <message>
        <source>%1 different</source>
        <translation>%1 处不同</translation>
    </message>
    <message>
        <source>agrees</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>It writes: %1</source>
        <translation>它写出：%1</translation>
    </message>
    <message>
        <source>The picture: which of its tokens each token looks at, the mean of the last layer&apos;s heads.</source>
        <translation>图：每个词元关注哪些词元，取最后一层各头的平均。</translation>
    </message>
    <message>
        <source>The picture: which tokens of the text each output step looks at.</source>
        <translation>图：每个输出步关注文本中的哪些词元。</translation>
    </message>
    <message>
        <source>It writes what most of these models write.</source>
        <translation>它写出的与多数模型相同。</translation>
    </message>
    <message>
        <source>Underlined is what most of these models write differently.</source>
        <translation>划线处与多数模型写出的不同。</translation>
    </message>
    <message>
        <source>This is the open model.</source>
        <translation>这是当前打开的模型。</translation>
    </message>
    <message>
        <source>Click or press Enter to open this model.</source>
        <translation>单击或按回车打开这个模型。</translation>
    </message>
    <message>
        <source>One history, empty</source>
        <translation>模型沿革，空</translation>
    </message>
    <message>
        <source>One history: %1 models</source>
        <translation>模型沿革：%1 个模型</translation>
    </message>
    <message>
        <source>Type a text to see what every model that can read it makes of it.</source>
        <translation>输入一段文本，看看每个能读它的模型如何处理它。</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>year</source>
        <translation>年份</translation>
    </message>
    <message>
        <source>paper</source>
        <translation>论文</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>different</source>
        <translation>不同之处</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>milliseconds</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>%1 numbers</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
</context>
<context>
    <name>MomentTable</name>
    <message>
        <source>characters read</source>
        <translation>已读字符数</translation>
    </message>
    <message>
        <source>sentences read</source>
        <translation>已读句数</translation>
    </message>
    <message>
        <source>updates</source>
        <translation>更新次数</translation>
    </message>
    <message>
        <source>seconds</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>right on trained</source>
        <translation>训练过的句子答对</translation>
    </message>
    <message>
        <source>right on unseen</source>
        <translation>没见过的句子答对</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>looks at the right word</source>
        <translation>看对了词</translation>
    </message>
    <message>
        <source>how concentrated it looks</source>
        <translation>看得有多集中</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>gradient norm</source>
        <translation>梯度范数</translation>
    </message>
    <message>
        <source>gradient norm: %1</source>
        <translation>梯度范数：%1</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>WriteError</name>
    <message>
        <source>there is no such file or folder</source>
        <translation>没有这个文件或文件夹</translation>
    </message>
    <message>
        <source>a part of the path is a file, not a folder</source>
        <translation>路径中有一部分是文件，不是文件夹</translation>
    </message>
    <message>
        <source>it is a folder, not a file</source>
        <translation>这是文件夹，不是文件</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>没有权限</translation>
    </message>
    <message>
        <source>the disk is read-only</source>
        <translation>磁盘是只读的</translation>
    </message>
    <message>
        <source>no space left on the disk</source>
        <translation>磁盘空间不足</translation>
    </message>
    <message>
        <source>the disk quota is used up</source>
        <translation>磁盘配额已用完</translation>
    </message>
    <message>
        <source>the file would be larger than this system allows</source>
        <translation>文件会超过本系统允许的大小</translation>
    </message>
    <message>
        <source>the disk reported an error</source>
        <translation>磁盘报告了错误</translation>
    </message>
    <message>
        <source>the name is too long</source>
        <translation>名称太长</translation>
    </message>
    <message>
        <source>too many symbolic links</source>
        <translation>符号链接太多</translation>
    </message>
    <message>
        <source>nobody reads from it</source>
        <translation>没有程序在读取它</translation>
    </message>
    <message>
        <source>whoever read from it has gone</source>
        <translation>读取它的程序已经退出</translation>
    </message>
    <message>
        <source>the name of the file is missing</source>
        <translation>缺少文件名</translation>
    </message>
    <message>
        <source>it is a whole disk, not a file</source>
        <translation>这是整个磁盘，不是文件</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>这不是普通文件</translation>
    </message>
    <message>
        <source>it is a symbolic link that somebody else made</source>
        <translation>这是别人建立的符号链接</translation>
    </message>
</context>
<context>
    <name>headlight::TablePane</name>
    <message>
        <source>%1 rows × %2 columns</source>
        <translation>%1 行 × %2 列</translation>
    </message>
    <message>
        <source>Close the table (Esc)</source>
        <translation>关闭表格 (Esc)</translation>
    </message>
    <message>
        <source>%1 as a table</source>
        <translation>%1（表格）</translation>
    </message>
    <message>
        <source>%1. S sorts by the column of the cursor, Ctrl+C copies what is selected, Esc closes.</source>
        <translation>%1。S 按光标所在列排序，Ctrl+C 复制所选内容，Esc 关闭。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>全选(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Sort by this column</source>
        <translation>按此列排序(&amp;S)</translation>
    </message>
    <message>
        <source>C&amp;lose the table</source>
        <translation>关闭表格(&amp;L)</translation>
    </message>
</context>
<context>
    <name>headlight::ViewPanel</name>
    <message>
        <source>This run was not recorded, so there is nothing to show.</source>
        <translation>这次运行没有记录，因此没有可显示的内容。</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
</context>
<context>
    <name>headlight::AttentionChooser</name>
    <message>
        <source>Kind of attention that is shown</source>
        <translation>所显示的注意力种类</translation>
    </message>
    <message>
        <source>Layer whose attention is shown</source>
        <translation>显示其注意力的层</translation>
    </message>
    <message>
        <source>A model of several layers looks anew in each of them.</source>
        <translation>多层的模型在每一层都重新看一遍。</translation>
    </message>
    <message>
        <source>Head whose attention is shown</source>
        <translation>显示其注意力的头</translation>
    </message>
    <message>
        <source>Each head has its own queries and keys (Ctrl+↑, Ctrl+↓).</source>
        <translation>每个头都有自己的查询和键（Ctrl+↑、Ctrl+↓）。</translation>
    </message>
    <message>
        <source>last layer</source>
        <translation>最后一层</translation>
    </message>
    <message>
        <source>The mean shows where the model looks on the whole; a single layer shows what that layer looks for. Often only some of them follow the words.</source>
        <translation>平均值显示模型总体上关注哪里；单独一层则显示那一层在找什么。往往只有其中几层跟着词语走。</translation>
    </message>
</context>
<context>
    <name>headlight::WindowMenus</name>
    <message>
        <source>&amp;File</source>
        <translation>文件(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>编辑(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>视图(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>帮助(&amp;H)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>打开最近的文件(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Go to</source>
        <translation>转到(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>外观(&amp;C)</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>语言(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Arrange</source>
        <translation>布局(&amp;A)</translation>
    </message>
</context>
<context>
    <name>headlight::WeightDialog</name>
    <message>
        <source>Set attention weight</source>
        <translation>设定注意力权重</translation>
    </message>
    <message>
        <source>New weight, from 0 to 1. The other weights of this step are scaled so that the sum stays the same, and everything after it is computed again.</source>
        <translation>新的权重，从 0 到 1。这一步的其他权重会按比例缩放，使总和不变，之后的一切重新计算。</translation>
    </message>
</context>
<context>
    <name>EffectWords</name>
    <message>
        <source>The output stays the same; output %1, %2, was %3 sure, now %4.</source>
        <translation>输出不变；第 %1 个输出%2的把握原为 %3，现为 %4。</translation>
    </message>
    <message>
        <source>Without that it writes %1.</source>
        <translation>没有这些改动时它写出%1。</translation>
    </message>
    <message>
        <source>The output stays the same, %1 → %2 sure.</source>
        <translation>输出不变，把握 %1 → %2。</translation>
    </message>
    <message>
        <source>The output stays the same, %1 sure.</source>
        <translation>输出不变，把握 %1。</translation>
    </message>
    <message>
        <source>The output stays the same.</source>
        <translation>输出不变。</translation>
    </message>
    <message>
        <source>%1: it stays the same.</source>
        <translation>%1：不变。</translation>
    </message>
    <message>
        <source>%1: it changes, the cosine with what it was is %2.</source>
        <translation>%1：有变化，与原来的余弦为 %2。</translation>
    </message>
    <message>
        <source>%1: it was %2, now %3.</source>
        <translation>%1：原为 %2，现为 %3。</translation>
    </message>
    <message>
        <source>%1: it changes.</source>
        <translation>%1：有变化。</translation>
    </message>
    <message>
        <source>The last states of the words stay the same.</source>
        <translation>各词最后的状态不变。</translation>
    </message>
    <message>
        <source>The last states of the words change, their cosine with what they were is %1 on average.</source>
        <translation>各词最后的状态有变化，与原来的余弦平均为 %1。</translation>
    </message>
</context>
<context>
    <name>headlight::DocumentViews</name>
    <message>
        <source>Tokens of the text</source>
        <translation>文本的词元</translation>
    </message>
    <message>
        <source>%1 A dot marks each square that moved by %2 or more.</source>
        <translation>%1圆点：变化达到 %2 的方格。</translation>
    </message>
</context>
<context>
    <name>headlight::TensorBrowser</name>
    <message>
        <source>Singular values</source>
        <translation>奇异值</translation>
    </message>
    <message>
        <source>Compare with another file…</source>
        <translation>与另一个文件比较…</translation>
    </message>
    <message>
        <source>Find a tensor by name, shape or type</source>
        <translation>按名称、形状或类型查找张量</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Histogram (square-root scale)</source>
        <translation>直方图（平方根刻度）</translation>
    </message>
    <message>
        <source>Another file with tensors of the same names, a later checkpoint say: by how much each changed.</source>
        <translation>另一个张量同名的文件，例如较晚的检查点：看每个张量变了多少。</translation>
    </message>
    <message>
        <source>Stop comparing</source>
        <translation>停止比较</translation>
    </message>
    <message>
        <source>The file is read no further; what was compared before stays.</source>
        <translation>不再继续读取该文件；先前的比较结果保留。</translation>
    </message>
    <message>
        <source>Comparing with %1…</source>
        <translation>正在与 %1 比较…</translation>
    </message>
    <message>
        <source>Comparing with %1: %2 %</source>
        <translation>正在与 %1 比较：%2 %</translation>
    </message>
    <message>
        <source>Comparing with %1: %2 %, about %3 s left</source>
        <translation>正在与 %1 比较：%2 %，约剩 %3 秒</translation>
    </message>
    <message>
        <source>the same numbers as %1</source>
        <translation>与 %1 相同的数</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>NaN, infinite</source>
        <translation>NaN、无穷大</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%L1, %L2</source>
        <translation>%L1、%L2</translation>
    </message>
    <message>
        <source>changed by</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>largest change</source>
        <translation>最大变化</translation>
    </message>
    <message>
        <source>Beside %1: every tensor is the same.</source>
        <translation>与 %1 相比：所有张量都相同。</translation>
    </message>
    <message>
        <source>%1 is not read: %2</source>
        <translation>未读取 %1：%2</translation>
    </message>
    <message>
        <source>%L1 more are not read.</source>
        <translation>另有 %L1 项未读取。</translation>
    </message>
    <message>
        <source>In %1 it is called %2.</source>
        <translation>它在 %1 中叫作 %2。</translation>
    </message>
    <message>
        <source>Beside %1: %2 of %3 tensors of the same name differ, %4 are in one of the files only.</source>
        <translation>与 %1 相比：%3 个同名张量中有 %2 个不同，%4 个只在其中一个文件里。</translation>
    </message>
    <message>
        <source>The picture shows of each part the number that is farthest from 0.</source>
        <translation>图中每一部分显示其中离 0 最远的数。</translation>
    </message>
    <message>
        <source>Singular values: %1%2</source>
        <translation>奇异值：%1%2</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>No tensor has all these words in its name, shape or type.</source>
        <translation>没有哪个张量的名称、形状或类型含有所有这些词。</translation>
    </message>
    <message>
        <source>Most changed &amp;first</source>
        <translation>变化最大的在前(&amp;F)</translation>
    </message>
    <message>
        <source>What differs as one list, sorted by its change.</source>
        <translation>所有不同的张量列成一表，按变化大小排序。</translation>
    </message>
    <message>
        <source>Show the &amp;change</source>
        <translation>显示变化(&amp;C)</translation>
    </message>
    <message>
        <source>Of what the other file has less what this one has: picture, figures, singular values.</source>
        <translation>另一个文件的数减去这个文件的数：图、统计数和奇异值。</translation>
    </message>
    <message>
        <source>Change of %1</source>
        <translation>%1 的变化</translation>
    </message>
</context>
<context>
    <name>headlight::TensorWindow</name>
    <message>
        <source>Tensors of %1</source>
        <translation>%1 的张量</translation>
    </message>
    <message>
        <source>&amp;Make it run…</source>
        <translation>让它运行(&amp;M)…</translation>
    </message>
    <message>
        <source>Says which tensor is which of a Transformer or of a recurrent model, and opens it.</source>
        <translation>指明哪个张量对应 Transformer 或循环模型的哪一部分，并打开它。</translation>
    </message>
    <message>
        <source>%1 numbers</source>
        <translation>%1 个数</translation>
    </message>
    <message>
        <source>The file to compare with</source>
        <translation>要比较的文件</translation>
    </message>
</context>
<context>
    <name>headlight::NameRow</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>What can be done with this picture</source>
        <translation>可以对这幅图做什么</translation>
    </message>
    <message>
        <source>All pictures of this model, as small ones</source>
        <translation>这个模型的所有图，以小图显示</translation>
    </message>
</context>
<context>
    <name>headlight::OutputColumn</name>
    <message>
        <source>wrote, and how sure (%)</source>
        <translation>写出的内容及把握（%）</translation>
    </message>
    <message>
        <source>Step %1 wrote %2 with probability %3. Right-click to write something else.</source>
        <translation>第 %1 步写出%2，概率为 %3。右键单击可改写成别的。</translation>
    </message>
    <message>
        <source>Write something else from here on</source>
        <translation>从这里起改写</translation>
    </message>
    <message>
        <source>Write something else only here</source>
        <translation>只改写这里</translation>
    </message>
    <message>
        <source>Output, beside its rows</source>
        <translation>各行旁的输出</translation>
    </message>
    <message>
        <source>guessed, and how sure (%)</source>
        <translation>猜测及把握（%）</translation>
    </message>
    <message>
        <source>answer: from, to (%)</source>
        <translation>答案：起、止（%）</translation>
    </message>
    <message>
        <source>class, and how sure (%)</source>
        <translation>类别及把握（%）</translation>
    </message>
    <message>
        <source>Number %1: %2</source>
        <translation>第 %1 个数：%2</translation>
    </message>
</context>
<context>
    <name>headlight::PanelFrame</name>
    <message>
        <source>What can be done with this panel</source>
        <translation>可以对此面板做什么</translation>
    </message>
    <message>
        <source>Close this panel; View, Go to brings it back</source>
        <translation>关闭此面板；用“视图”→“转到”可再次打开</translation>
    </message>
</context>
<context>
    <name>headlight::TopBar</name>
    <message>
        <source>How the window is arranged</source>
        <translation>窗口的布局</translation>
    </message>
    <message>
        <source>Menus</source>
        <translation>菜单</translation>
    </message>
</context>
<context>
    <name>headlight::ExplainCanvas</name>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Share out</source>
        <translation>分配</translation>
    </message>
    <message>
        <source>Mix</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>how well each token fits what is needed now: its score</source>
        <translation>每个词元有多符合此刻所需：得分</translation>
    </message>
    <message>
        <source>how well each token fits what this word needs: its score</source>
        <translation>每个词元有多符合这个词所需：得分</translation>
    </message>
    <message>
        <source>the scores become shares that add up to 1: the attention</source>
        <translation>得分变成总和为 1 的份额：注意力</translation>
    </message>
    <message>
        <source>the scores become shares, which add up to %1: the attention</source>
        <translation>得分变成份额，总和为 %1：注意力</translation>
    </message>
    <message>
        <source>what was read at the tokens, mixed in these shares: %1 numbers</source>
        <translation>按这些份额混合在各词元处读到的内容：%1 个数</translation>
    </message>
    <message>
        <source>from all that, how probable each next token is (%)</source>
        <translation>由此得出每个候选词元的概率（%）</translation>
    </message>
    <message>
        <source>from all that, how probable each word is here (%)</source>
        <translation>由此得出这里每个词的概率（%）</translation>
    </message>
    <message>
        <source>from all that, how probable each class is (%)</source>
        <translation>由此得出每个类别的概率（%）</translation>
    </message>
    <message>
        <source>Score of ‘%1’: %2</source>
        <translation>“%1”的得分：%2</translation>
    </message>
    <message>
        <source>Share of ‘%1’: %2</source>
        <translation>“%1”的份额：%2</translation>
    </message>
    <message>
        <source>Number %1 of the mix: %2</source>
        <translation>混合结果的第 %1 个数：%2</translation>
    </message>
    <message>
        <source>%1 has probability %2</source>
        <translation>%1的概率为 %2</translation>
    </message>
    <message>
        <source>How output %1 of %2 came about, in %3 steps</source>
        <translation>输出 %1（共 %2 个）是怎么来的，分 %3 步</translation>
    </message>
    <message>
        <source>How word %1 of %2 is read, in %3 steps</source>
        <translation>词 %1（共 %2 个）是怎么读的，分 %3 步</translation>
    </message>
    <message>
        <source>How an output came about, nothing yet</source>
        <translation>输出是怎么来的，暂无内容</translation>
    </message>
    <message>
        <source>No number selected. Arrow keys choose one.</source>
        <translation>没有选中任何数。用方向键选择。</translation>
    </message>
    <message>
        <source>Type a text: for each token of the output, its four steps stand here.</source>
        <translation>输入文本：这里显示输出中每个词元的四个步骤。</translation>
    </message>
</context>
<context>
    <name>headlight::ExplainView</name>
    <message>
        <source>output %1 of %2, writes %3</source>
        <translation>输出 %1（共 %2 个），写出%3</translation>
    </message>
    <message>
        <source>Previous output</source>
        <translation>上一个输出</translation>
    </message>
    <message>
        <source>Next output</source>
        <translation>下一个输出</translation>
    </message>
    <message>
        <source>Walk from output to output, slowly enough to be followed.</source>
        <translation>逐个输出地走，慢到可以跟上。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>what happens</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>of</source>
        <translation>对象</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>word %1 of %2 is hidden, guesses %3</source>
        <translation>第 %1 个词（共 %2 个）被隐藏，猜作%3</translation>
    </message>
    <message>
        <source>word %1 of %2: %3</source>
        <translation>第 %1 个词（共 %2 个）：%3</translation>
    </message>
</context>
<context>
    <name>ModelGroups</name>
    <message>
        <source>DATES</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>TRANSLATION</source>
        <translation>翻译</translation>
    </message>
    <message>
        <source>TEXT THAT GOES ON, HIDDEN WORDS</source>
        <translation>续写文本、隐藏的词</translation>
    </message>
    <message>
        <source>SMALL TASKS</source>
        <translation>小任务</translation>
    </message>
    <message>
        <source>YOURS</source>
        <translation>你的模型</translation>
    </message>
</context>
<context>
    <name>headlight::ModelPicker</name>
    <message>
        <source>Find a model, an idea, a year</source>
        <translation>查找模型、思路或年份</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Open a model of yours</source>
        <translation>打开你的模型</translation>
    </message>
    <message>
        <source>The arrow keys show each model at once. Enter keeps it, Esc: as it was.</source>
        <translation>方向键立即显示每个模型。Enter 保留它，Esc 恢复原样。</translation>
    </message>
    <message>
        <source>reads %1</source>
        <translation>读入：%1</translation>
    </message>
    <message>
        <source>No model is called %1, and none is about that.</source>
        <translation>没有叫%1的模型，也没有与它有关的模型。</translation>
    </message>
</context>
<context>
    <name>headlight::StartPage</name>
    <message>
        <source>Type a date.</source>
        <translation>输入一个日期。</translation>
    </message>
    <message>
        <source>Type a text.</source>
        <translation>输入一段文本。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>Watch what the model looks at.</source>
        <translation>看看模型在看什么。</translation>
    </message>
    <message>
        <source>Watch what the model makes of it.</source>
        <translation>看看模型怎样处理它。</translation>
    </message>
    <message>
        <source>All models</source>
        <translation>所有模型</translation>
    </message>
    <message>
        <source>session in %1</source>
        <translation>会话，位于 %1</translation>
    </message>
    <message>
        <source>model in %1</source>
        <translation>模型，位于 %1</translation>
    </message>
    <message>
        <source>Look closer</source>
        <translation>仔细看看</translation>
    </message>
    <message>
        <source>The same picture in the whole window (Esc)</source>
        <translation>在整个窗口中显示同一张图（Esc）</translation>
    </message>
    <message>
        <source>Explore</source>
        <translation>探索</translation>
    </message>
    <message>
        <source>Change the text and watch every number move.</source>
        <translation>改动文本，看每个数字怎样变化。</translation>
    </message>
    <message>
        <source>%1 models</source>
        <translation>%1 个模型</translation>
    </message>
    <message>
        <source>One date through every model, by year</source>
        <translation>同一个日期，按年份经过所有模型</translation>
    </message>
    <message>
        <source>One text through every model, by year</source>
        <translation>同一段文本，按年份经过所有模型</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比较</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Short lessons: a question first, then the model answers.</source>
        <translation>短课程：先提问，再由模型回答。</translation>
    </message>
    <message>
        <source>Inspect</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Open a trained model of yours; see its heads and tensors.</source>
        <translation>打开你自己训练好的模型，查看它的注意力头和张量。</translation>
    </message>
    <message>
        <source>Open a folder or a file…</source>
        <translation>打开文件夹或文件…</translation>
    </message>
    <message>
        <source>The folder of a model of the transformers library, attention from a notebook, a mapping, a file of weights, a session</source>
        <translation>transformers 库的模型文件夹、笔记本中的注意力、映射、权重文件、会话</translation>
    </message>
    <message>
        <source>lately</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>Find a model, a lesson, a word</source>
        <translation>查找模型、课程、词语</translation>
    </message>
    <message>
        <source>Show this page at every start</source>
        <translation>每次启动都显示此页</translation>
    </message>
    <message>
        <source>Watch a model learn</source>
        <translation>看模型学习</translation>
    </message>
    <message>
        <source>Train one, and go back to any moment of it</source>
        <translation>训练一个模型，并回到其中任一时刻</translation>
    </message>
</context>
<context>
    <name>headlight::LearnedPanel</name>
    <message>
        <source>What this model has learned</source>
        <translation>这个模型学过什么</translation>
    </message>
    <message>
        <source>%1 Try one:</source>
        <translation>%1试一试：</translation>
    </message>
    <message>
        <source>Its words: %1</source>
        <translation>它认识的词：%1</translation>
    </message>
    <message>
        <source>Its words: %1 …</source>
        <translation>它认识的词：%1……</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>It cannot say ‘I don’t know’: where it is least sure, it is %1 sure.</source>
        <translation>它不会说“我不知道”：最没有把握的一步，它也有 %1 的把握。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
</context>
<context>
    <name>headlight::TryRow</name>
    <message>
        <source>The model writes %1.</source>
        <translation>模型写出 %1。</translation>
    </message>
    <message>
        <source>The model writes %1, which is right.</source>
        <translation>模型写出 %1，正确。</translation>
    </message>
    <message>
        <source>The model writes %1; right would be %2.</source>
        <translation>模型写出 %1；正确的是 %2。</translation>
    </message>
    <message>
        <source>Right would be %1</source>
        <translation>正确的是 %1</translation>
    </message>
    <message>
        <source>Try this text</source>
        <translation>试试这段文本</translation>
    </message>
</context>
<context>
    <name>LearnedTexts</name>
    <message>
        <source>texts that were stored</source>
        <translation>保存下来的文本</translation>
    </message>
    <message>
        <source>any text, or two</source>
        <translation>任意文本，一段或两段</translation>
    </message>
    <message>
        <source>any text</source>
        <translation>任意文本</translation>
    </message>
    <message>
        <source>texts from %1 words</source>
        <translation>由 %1 个词组成的文本</translation>
    </message>
    <message>
        <source>texts from %1 characters</source>
        <translation>由 %1 个字符组成的文本</translation>
    </message>
    <message>
        <source>a date, %1 to %2</source>
        <translation>英文日期，%1 到 %2 年</translation>
    </message>
    <message>
        <source>a sum of two numbers</source>
        <translation>两个数的加法</translation>
    </message>
    <message>
        <source>up to %1 digits</source>
        <translation>最多 %1 个数字</translation>
    </message>
    <message>
        <source>up to %1 letters and digits</source>
        <translation>最多 %1 个字母和数字</translation>
    </message>
    <message>
        <source>a grid of letters and a place</source>
        <translation>字母网格和一个位置</translation>
    </message>
    <message>
        <source>English, from %1 words</source>
        <translation>英语，%1 个词</translation>
    </message>
    <message>
        <source>sentences, from %1 words</source>
        <translation>句子，%1 个词</translation>
    </message>
    <message>
        <source>the beginning of a story, from %1 words</source>
        <translation>故事的开头，%1 个词</translation>
    </message>
    <message>
        <source>English with a hidden word, from %1 words</source>
        <translation>有隐藏词的英语，%1 个词</translation>
    </message>
    <message>
        <source>Dates from %1 to %2, in %3 forms.</source>
        <translation>%1 到 %2 年的日期，共 %3 种写法。</translation>
    </message>
    <message>
        <source>Sums of two numbers of up to %1 digits.</source>
        <translation>两个数相加，每个数最多 %1 位。</translation>
    </message>
    <message>
        <source>Rows of up to %1 digits.</source>
        <translation>最多 %1 个数字的串。</translation>
    </message>
    <message>
        <source>Up to %1 letters, digits, spaces and full stops.</source>
        <translation>最多 %1 个字母、数字、空格和句点。</translation>
    </message>
    <message>
        <source>A grid of %1 letters, row by row, and the place of one: r2c3 is row 2, column 3.</source>
        <translation>逐行写出的 %1 个字母的网格，以及其中一个的位置：r2c3 是第 2 行第 3 列。</translation>
    </message>
    <message>
        <source>English sentences of up to %1 words and signs, made of %2 words.</source>
        <translation>最多 %1 个词和标点的英语句子，由 %2 个词组成。</translation>
    </message>
    <message>
        <source>Sentences of up to %1 words and signs, made of %2 words.</source>
        <translation>最多 %1 个词和标点的句子，由 %2 个词组成。</translation>
    </message>
    <message>
        <source>Stories of a few short English sentences, made of %1 words.</source>
        <translation>由几个英语短句组成的故事，用到 %1 个词。</translation>
    </message>
    <message>
        <source>One or two short English sentences, made of %1 words, some of them hidden.</source>
        <translation>一两个英语短句，用到 %1 个词，其中一些被隐藏。</translation>
    </message>
    <message>
        <source>Nobody has said here what it was trained on. It reads: %1.</source>
        <translation>这里没有说明它是用什么训练的。它读入：%1。</translation>
    </message>
    <message>
        <source>This is no whole sum yet; the model writes a result all the same.</source>
        <translation>这还不是完整的加法算式；模型照样会写出结果。</translation>
    </message>
    <message>
        <source>The model has learned sums of two numbers of up to %1 digits; this is none.</source>
        <translation>模型学过的是两个最多 %1 位的数相加，这段文本不是。</translation>
    </message>
    <message>
        <source>The grid needs %1 letters and a place such as r2c3.</source>
        <translation>网格需要 %1 个字母和一个位置，例如 r2c3。</translation>
    </message>
    <message>
        <source>The model has learned a grid of %1 letters and a place; this is none.</source>
        <translation>模型学过的是 %1 个字母的网格和一个位置，这段文本不是。</translation>
    </message>
    <message>
        <source>The model has learned rows of digits; this is none.</source>
        <translation>模型学过的是数字串，这段文本不是。</translation>
    </message>
    <message>
        <source>This is no whole date yet; the model writes one all the same.</source>
        <translation>这还不是完整的日期；模型照样会写出一个。</translation>
    </message>
    <message>
        <source>There is no such day; the model never saw one.</source>
        <translation>没有这一天；模型从没见过。</translation>
    </message>
    <message>
        <source>The day of the week is not the one of this date; the model never saw that.</source>
        <translation>星期几和这个日期不符；模型从没见过这样的。</translation>
    </message>
    <message>
        <source>The model has learned the years %1 to %2; this one is outside.</source>
        <translation>模型学过的是 %1 到 %2 年，这个年份在范围之外。</translation>
    </message>
    <message>
        <source>The model never saw a date in this form; it writes one all the same.</source>
        <translation>模型从没见过这种写法的日期；它照样会写出一个。</translation>
    </message>
    <message>
        <source>The model reads dates only, and this is none; it writes one all the same.</source>
        <translation>这个模型只会读日期，而这不是日期；它仍会写出一个。</translation>
    </message>
</context>
<context>
    <name>HelpText</name>
    <message>
        <source>The model ‘%1’ reads %2.</source>
        <translation>模型“%1”读入%2。</translation>
    </message>
    <message>
        <source>‘%1’ is attention that was stored: no model runs here.</source>
        <translation>“%1”是存储下来的注意力：这里没有模型在运行。</translation>
    </message>
    <message>
        <source>The model ‘%1’ reads %2 as a whole, and gives %3.</source>
        <translation>模型“%1”整体读入%2，给出 %3。</translation>
    </message>
    <message>
        <source>The model ‘%1’ reads %2 and goes on, token by token: %3.</source>
        <translation>模型“%1”读入%2，然后逐个词元续写：%3。</translation>
    </message>
    <message>
        <source>The model ‘%1’ reads %2 and writes, token by token, %3.</source>
        <translation>模型“%1”读入%2，逐个词元写出%3。</translation>
    </message>
    <message>
        <source>Of the other tokens ‘%1’ looks most at ‘%2’, with %3 of its attention</source>
        <translation>在其他词元中，“%1”最关注“%2”，占它注意力的 %3</translation>
    </message>
    <message>
        <source>When it wrote ‘%1’ (output %2), ‘%3’ got %4 of its attention</source>
        <translation>写出“%1”（第 %2 个输出）时，“%3”得到注意力的 %4</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>What is stored here are no shares of attention: rows do not add up to 1.</source>
        <translation>这里存储的不是注意力的份额：各行之和不是 1。</translation>
    </message>
    <message>
        <source>%1 (%2).</source>
        <translation>%1（%2）。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>This model has no attention.</source>
        <translation>这个模型没有注意力。</translation>
    </message>
</context>
<context>
    <name>InspectorWords</name>
    <message>
        <source>head %1</source>
        <translation>第 %1 头</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>How much %1 looks at %2</source>
        <translation>%1对%2关注多少</translation>
    </message>
    <message>
        <source>How well %1 fits what %2 asks for</source>
        <translation>%1有多符合%2所问的</translation>
    </message>
    <message>
        <source>It has no part in the sum, so it gets nothing.</source>
        <translation>它不在总和之中，所以什么也得不到。</translation>
    </message>
    <message>
        <source>Its score is the highest of all %1, so it gets nearly everything.</source>
        <translation>它的得分在全部 %1 个中最高，所以几乎全归它。</translation>
    </message>
    <message>
        <source>Its score is the highest of all %1, so it gets the largest share.</source>
        <translation>它的得分在全部 %1 个中最高，所以它得到最大的一份。</translation>
    </message>
    <message>
        <source>One other score is higher, so that next to nothing is left for it.</source>
        <translation>另有一个得分更高，它几乎什么也分不到。</translation>
    </message>
    <message>
        <source>%1 other scores are higher, so that next to nothing is left for it.</source>
        <translation>另有 %1 个得分更高，它几乎什么也分不到。</translation>
    </message>
    <message>
        <source>One other score is higher, and gets a larger share.</source>
        <translation>另有一个得分更高，得到更大的一份。</translation>
    </message>
    <message>
        <source>%1 other scores are higher, and get larger shares.</source>
        <translation>另有 %1 个得分更高，得到更大的份额。</translation>
    </message>
    <message>
        <source>One other score is as high, and gets the same share.</source>
        <translation>另有一个得分同样高，得到同样的一份。</translation>
    </message>
    <message>
        <source>%1 other scores are as high, and get the same share.</source>
        <translation>另有 %1 个得分同样高，得到同样的一份。</translation>
    </message>
    <message>
        <source>How much %1 looks at %2 on average</source>
        <translation>%1平均对%2关注多少</translation>
    </message>
    <message>
        <source>One key-value head is shared by %1.</source>
        <translation>%1共用一个键值头。</translation>
    </message>
</context>
<context>
    <name>headlight::Classroom</name>
    <message>
        <source>Not so on this machine: %1 (%2)</source>
        <translation>在这台机器上不成立：%1（%2）</translation>
    </message>
    <message>
        <source>Cannot be asked of this text: %1</source>
        <translation>这段文字不适用：%1</translation>
    </message>
    <message>
        <source>Not so here: %1 (%2)</source>
        <translation>在这里不成立：%1（%2）</translation>
    </message>
    <message>
        <source>Also here: %1</source>
        <translation>在这里也成立：%1</translation>
    </message>
    <message>
        <source>Stopped. This was recorded before (%1).</source>
        <translation>已停止。这是以前录下的结果（%1）。</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>已停止。</translation>
    </message>
    <message>
        <source>Measuring on this machine…</source>
        <translation>正在这台机器上测量…</translation>
    </message>
    <message>
        <source>Recorded before (%1): this machine would take too long.</source>
        <translation>这是以前录下的结果（%1）：在这台机器上测量太久。</translation>
    </message>
    <message>
        <source>Measured just now, on this machine.</source>
        <translation>刚刚在这台机器上测得。</translation>
    </message>
    <message>
        <source>Recorded before.</source>
        <translation>这是以前记录的结果。</translation>
    </message>
    <message>
        <source>Nothing was answered in this lesson yet.</source>
        <translation>这节课还没有回答过问题。</translation>
    </message>
    <message>
        <source>-answers</source>
        <translation>-答案</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>There is nothing behind this page.</source>
        <translation>这一页之后没有内容了。</translation>
    </message>
    <message>
        <source>Measuring… The next key goes on, and what is measured is kept.</source>
        <translation>正在测量……再按一次就继续，测量结果会保留。</translation>
    </message>
    <message>
        <source>Measuring… The next key goes on when it is there.</source>
        <translation>正在测量……结果出来后再按就继续。</translation>
    </message>
    <message>
        <source>Waits for the measurement of step %1.</source>
        <translation>等待第 %1 步测量完成。</translation>
    </message>
    <message>
        <source>The measurement of step %1 is not there yet.</source>
        <translation>第 %1 步的测量还没有完成。</translation>
    </message>
</context>
<context>
    <name>headlight::LessonAnswers</name>
    <message>
        <source>Your curve was %1 points off on average.</source>
        <translation>你的曲线平均差了 %1 个百分点。</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>Your answer</source>
        <translation>你的回答</translation>
    </message>
    <message>
        <source>space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Add the chosen square</source>
        <translation>加入选中的格子</translation>
    </message>
    <message>
        <source>Take this square back</source>
        <translation>去掉这个格子</translation>
    </message>
    <message>
        <source>%1: %2 %. Left and right choose, up and down change.</source>
        <translation>%1：%2 %。左右键选择，上下键改变。</translation>
    </message>
    <message>
        <source>on others: %1 %</source>
        <translation>其他：%1 %</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>%1 off.</source>
        <translation>相差 %1。</translation>
    </message>
    <message>
        <source>What you chose gets %1 % of the attention.</source>
        <translation>你选的得到了 %1 % 的注意力。</translation>
    </message>
    <message>
        <source>%1 of %2 found.</source>
        <translation>找到了 %2 个中的 %1 个。</translation>
    </message>
    <message>
        <source>You were %1 points off.</source>
        <translation>你差了 %1 个百分点。</translation>
    </message>
    <message>
        <source>the padding behind the text</source>
        <translation>文本后面的填充</translation>
    </message>
    <message>
        <source>%1 points off.</source>
        <translation>差 %1 个百分点。</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型的</translation>
    </message>
    <message>
        <source>Close: %1</source>
        <translation>很接近：%1</translation>
    </message>
    <message>
        <source>Right: it is taken as %1.</source>
        <translation>正确：按 %1 计。</translation>
    </message>
    <message>
        <source>%1 of %2 letters are right.</source>
        <translation>%2 个字符中有 %1 个正确。</translation>
    </message>
    <message>
        <source>What is marked gets %1 % alone.</source>
        <translation>打勾的部分单独就占 %1 %。</translation>
    </message>
    <message>
        <source>The one with ✓ is right.</source>
        <translation>打 ✓ 的才是正确答案。</translation>
    </message>
    <message>
        <source>Not among them: %1.</source>
        <translation>多选了 %1 个。</translation>
    </message>
    <message>
        <source>%1 right</source>
        <translation>%1 正确</translation>
    </message>
    <message>
        <source>%1 wrong</source>
        <translation>%1 错误</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>缺 %1</translation>
    </message>
    <message>
        <source>Underlined: right. Struck out: wrong. A gap: a letter is missing there.</source>
        <translation>下划线：正确。删除线：错误。空位：那里缺一个字符。</translation>
    </message>
</context>
<context>
    <name>headlight::LessonPanel</name>
    <message>
        <source>Draw it over the time line, or here.</source>
        <translation>在时间线上画，或在这里画。</translation>
    </message>
    <message>
        <source>Step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Back to the lesson</source>
        <translation>回到课程</translation>
    </message>
    <message>
        <source>Explore freely</source>
        <translation>自由探索</translation>
    </message>
    <message>
        <source>Leave the lesson&apos;s rails, or come back to its step (F9)</source>
        <translation>离开课程自己试试，或回到原来的那一步（F9）</translation>
    </message>
    <message>
        <source>End the lesson; it is remembered where you were</source>
        <translation>结束这节课；会记住你学到了哪里</translation>
    </message>
    <message>
        <source>End the lesson</source>
        <translation>结束这节课</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>揭晓</translation>
    </message>
    <message>
        <source>I don’t know</source>
        <translation>我不知道</translation>
    </message>
    <message>
        <source>A hint</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Skip this</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Progress of the measurement</source>
        <translation>测量的进度</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Do it in the window: the lesson notices when it is done.</source>
        <translation>在窗口里做一做；做好了，课程会知道。</translation>
    </message>
    <message>
        <source>Click them here or over the picture.</source>
        <translation>在这里或在图上点选。</translation>
    </message>
    <message>
        <source>Click squares of the picture. A second click takes one back.</source>
        <translation>点图上的格子；再点一次就取消。</translation>
    </message>
    <message>
        <source>Draw how high each bar is. Together they make 100 %.</source>
        <translation>画出每根条的高度，合起来是 100 %。</translation>
    </message>
    <message>
        <source>Lesson: %1, step %2 of %3</source>
        <translation>课程：%1，第 %2 步，共 %3 步</translation>
    </message>
    <message>
        <source>You did not say.</source>
        <translation>你没有回答。</translation>
    </message>
    <message>
        <source>You said: %1</source>
        <translation>你的回答：%1</translation>
    </message>
    <message>
        <source>The answer: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>✓ Done.</source>
        <translation>✓ 完成了。</translation>
    </message>
    <message>
        <source>Sources: %1</source>
        <translation>出处：%1</translation>
    </message>
    <message>
        <source>Room vote</source>
        <translation>全班表决</translation>
    </message>
    <message>
        <source>What the lesson says to the teacher, in a window of its own</source>
        <translation>这节课写给老师的话，在单独的窗口里</translation>
    </message>
    <message>
        <source>Move the sliders; the bars follow.</source>
        <translation>拖动滑块，条形随之变化。</translation>
    </message>
    <message>
        <source>Move the sliders; the curve follows.</source>
        <translation>拖动滑块，曲线随之变化。</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Teacher's notes</source>
        <translation>教师备注</translation>
    </message>
    <message>
        <source>Language of the lesson</source>
        <translation>课程的语言</translation>
    </message>
    <message>
        <source>The lesson is there in other languages than the window, too</source>
        <translation>这一课还有窗口语言以外的语言</translation>
    </message>
    <message>
        <source>This lesson is not there in %1 yet: it is in %2.</source>
        <translation>这一课还没有 %1 版本，这里显示的是 %2。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Next lesson</source>
        <translation>下一课</translation>
    </message>
</context>
<context>
    <name>headlight::LessonText</name>
    <message>
        <source>Words of the lesson</source>
        <translation>课文</translation>
    </message>
</context>
<context>
    <name>headlight::LessonsColumn</name>
    <message>
        <source>go on at step %1 of %2</source>
        <translation>从第 %1 步继续，共 %2 步</translation>
    </message>
    <message>
        <source>first lesson, %1 minutes</source>
        <translation>第一课，%1 分钟</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>All courses</source>
        <translation>全部课程</translation>
    </message>
    <message>
        <source>%1 courses, %2 lessons</source>
        <translation>%1 门课程，%2 节课</translation>
    </message>
</context>
<context>
    <name>headlight::LessonsDialog</name>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Open a lesson folder…</source>
        <translation>打开课程文件夹…</translation>
    </message>
    <message>
        <source>Delete answers and progress…</source>
        <translation>清除回答和进度…</translation>
    </message>
    <message>
        <source>Delete all answers, votes of the room and how far you came? They cannot be brought back.</source>
        <translation>要清除所有回答、课堂投票和学习进度吗？清除后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>%1 minutes, %2 steps</source>
        <translation>%1 分钟，%2 步</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>go on at step %1 of %2</source>
        <translation>从第 %1 步继续，共 %2 步</translation>
    </message>
    <message>
        <source>Language of the lessons</source>
        <translation>课程的语言</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>For the teacher: %1</source>
        <translation>教师用：%1</translation>
    </message>
    <message>
        <source>Worksheet, answers and slides of this lesson</source>
        <translation>这一课的练习纸、答案和幻灯片</translation>
    </message>
    <message>
        <source>Worksheet and answers…</source>
        <translation>练习纸和答案…</translation>
    </message>
    <message>
        <source>Slides…</source>
        <translation>幻灯片…</translation>
    </message>
    <message>
        <source>Class plan</source>
        <translation>教案</translation>
    </message>
    <message>
        <source>Minutes, typical answers, and what each lesson says to its teacher</source>
        <translation>时间安排、常见回答，以及每一课写给教师的话</translation>
    </message>
    <message>
        <source>Forget this lesson</source>
        <translation>从列表中移除这一课</translation>
    </message>
    <message>
        <source>The folder stays as it is; it is not in this list any more.</source>
        <translation>文件夹保持不变，只是不再列在这里。</translation>
    </message>
    <message>
        <source>Lessons in the language of the window</source>
        <translation>课程语言与窗口相同</translation>
    </message>
    <message>
        <source>Lessons in: %1</source>
        <translation>课程语言：%1</translation>
    </message>
    <message>
        <source>Your own lessons</source>
        <translation>你自己的课程</translation>
    </message>
    <message>
        <source>Folders that were opened; they stay where they are.</source>
        <translation>打开过的文件夹；它们留在原来的位置。</translation>
    </message>
</context>
<context>
    <name>headlight::MapPanel</name>
    <message>
        <source>Map of the model</source>
        <translation>模型地图</translation>
    </message>
    <message>
        <source>Every value of the run as a box, in the order of computation.</source>
        <translation>运行的每个值是一个方框，按计算的先后排列。</translation>
    </message>
    <message>
        <source>Click a box to see its values, twice to look inside.</source>
        <translation>点击方框查看它的值，双击进入内部。</translation>
    </message>
    <message>
        <source>Text stands from top to bottom, depth runs from left to right, each word in a lane of its own. A ribbon that comes from another lane is what was taken from there; striped is what the step writes itself. All parts of a state together are 100 %.</source>
        <translation>文字从上到下，深度从左到右，每个词有自己的一条道。从别的道来的连线是从那里取来的；带条纹的是这一步自己写入的。一个状态的所有部分合起来是 100 %。</translation>
    </message>
    <message>
        <source>Time runs from top to bottom. Each row of the memory is a canal: from the left comes what a step writes to it, to the right goes what an output reads from it; striped is what a step of the controller writes itself.</source>
        <translation>时间从上到下。记忆的每一行是一条水渠：从左边来的是一步写入它的，往右边去的是输出从它读出的；带条纹的是控制器的一步自己写入的。</translation>
    </message>
    <message>
        <source>Text stands from top to bottom, and the memory of the cells runs along it as a river: striped is what a step writes, the rest it kept. A ribbon from a state to an output is what was looked up there. All parts of a state together are 100 %.</source>
        <translation>文字从上到下，循环单元的记忆像河流一样沿着它流动：带条纹的是一步写入的，其余是保留下来的。从状态到输出的连线是在那里查到的。一个状态的所有部分合起来是 100 %。</translation>
    </message>
    <message>
        <source>‘If it stopped here’, under the chosen lane: what the model would write if it ended at this depth. The state goes through what stands behind the last layer (logit lens, nostalgebraist 2020).</source>
        <translation>选中的道下面的“若到此为止，会写”：模型若在这一深度结束会写出什么。状态经过最后一层之后的部分（logit lens，nostalgebraist 2020）。</translation>
    </message>
    <message>
        <source>A share says what a state is made of, not what would happen without it. Delete cuts what is chosen, runs again and shows the share beside the true change; Ctrl+Z puts it back.</source>
        <translation>份额说的是状态由什么组成，不是没有它会怎样。Delete 剪断选中的部分，重新运行，把份额和真正的变化并排显示；Ctrl+Z 恢复。</translation>
    </message>
    <message>
        <source>Keys 1 to 5 or the wheel: nearer, from the whole model to its numbers. F: up the strongest ribbon. W: plain weights. D: the diagram.</source>
        <translation>按键 1 到 5 或滚轮：走近，从整个模型直到它的数。F：沿最强的连线往上。W：原始权重。D：框图。</translation>
    </message>
</context>
<context>
    <name>headlight::ZoomControl</name>
    <message>
        <source>Zoom</source>
        <translation>缩放</translation>
    </message>
    <message>
        <source>Farther</source>
        <translation>缩小</translation>
    </message>
    <message>
        <source>Farther (− or the wheel)</source>
        <translation>缩小（− 或滚轮）</translation>
    </message>
    <message>
        <source>Closer</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Closer (+ or the wheel)</source>
        <translation>放大（+ 或滚轮）</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Show everything (0)</source>
        <translation>显示全部（0）</translation>
    </message>
</context>
<context>
    <name>headlight::LivingView</name>
    <message>
        <source>&amp;Cut it</source>
        <translation>切断(&amp;C)</translation>
    </message>
    <message>
        <source>turned part</source>
        <translation>旋转的部分</translation>
    </message>
    <message>
        <source>latent</source>
        <translation>潜向量</translation>
    </message>
    <message>
        <source>Type a text to see where each word of the output comes from.</source>
        <translation>输入一段文本，看输出的每个词从哪里来。</translation>
    </message>
    <message>
        <source>Of this model there is no such picture. Press D for its diagram.</source>
        <translation>这个模型没有这样的图。按 D 看它的框图。</translation>
    </message>
    <message>
        <source>Working out what each state is made of …</source>
        <translation>正在计算每个状态由什么组成……</translation>
    </message>
    <message>
        <source>Computing …</source>
        <translation>正在计算……</translation>
    </message>
    <message>
        <source>This run was not recorded, so there is nothing to show.</source>
        <translation>这次运行没有记录，因此没有可显示的内容。</translation>
    </message>
    <message>
        <source>heads bring %1 of %2</source>
        <translation>各头带来%2的 %1</translation>
    </message>
    <message>
        <source>Layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>Encoder %1</source>
        <translation>编码器 %1</translation>
    </message>
    <message>
        <source>Decoder %1</source>
        <translation>解码器 %1</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>experts</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>expert %1 (share %2)</source>
        <translation>专家 %1（份额 %2）</translation>
    </message>
    <message>
        <source>; it went to %1</source>
        <translation>；交给%1</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>every decoder layer takes from it</source>
        <translation>解码器每一层都从中取用</translation>
    </message>
    <message>
        <source>The encoder’s output runs on</source>
        <translation>编码器的输出继续向前</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>next, and how sure (%)</source>
        <translation>下一个词及把握（%）</translation>
    </message>
    <message>
        <source>down: written, across: read</source>
        <translation>向下：写出的，横向：读入的</translation>
    </message>
    <message>
        <source>What each head looks at</source>
        <translation>每个头看哪里</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>Decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>States</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>what each step takes</source>
        <translation>每一步取用什么</translation>
    </message>
    <message>
        <source>Attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>Controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>记忆</translation>
    </message>
    <message>
        <source>if it stopped here</source>
        <translation>若到此为止，会写</translation>
    </message>
    <message>
        <source>Wide: a large part of what is known there. Strong colour: it led to %1. A large share need not matter.</source>
        <translation>宽：在此处所知的内容中占得多。颜色鲜明：通向%1。份额大未必要紧。</translation>
    </message>
    <message>
        <source>Wide: a large part of what is known there.</source>
        <translation>宽：在此处所知的内容中占得多。</translation>
    </message>
    <message>
        <source>Width: plain attention weights, the mean of the heads. W shows shares again.</source>
        <translation>宽度：原始注意力权重，各头的平均。按 W 再显示份额。</translation>
    </message>
    <message>
        <source>as it is read</source>
        <translation>刚读入时</translation>
    </message>
    <message>
        <source>after the attention of layer %1</source>
        <translation>第 %1 层注意力之后</translation>
    </message>
    <message>
        <source>after layer %1 looked at the text</source>
        <translation>第 %1 层看过文本之后</translation>
    </message>
    <message>
        <source>after the MLP of layer %1</source>
        <translation>第 %1 层 MLP 之后</translation>
    </message>
    <message>
        <source>after the convolution of layer %1</source>
        <translation>第 %1 层卷积之后</translation>
    </message>
    <message>
        <source>in the memory of the cell</source>
        <translation>在细胞状态的记忆中</translation>
    </message>
    <message>
        <source>in the memory of layer %1</source>
        <translation>在第 %1 层的记忆中</translation>
    </message>
    <message>
        <source>as a state</source>
        <translation>作为状态</translation>
    </message>
    <message>
        <source>in what was looked up</source>
        <translation>在查到的内容中</translation>
    </message>
    <message>
        <source>in the memory</source>
        <translation>在记忆中</translation>
    </message>
    <message>
        <source>in what was read from the memory</source>
        <translation>在从记忆读出的内容中</translation>
    </message>
    <message>
        <source>in the score of the output</source>
        <translation>在输出的得分中</translation>
    </message>
    <message>
        <source>%1 carried on</source>
        <translation>%1 延续下来</translation>
    </message>
    <message>
        <source>%1 written by the step itself</source>
        <translation>%1 由这一步自己写入</translation>
    </message>
    <message>
        <source>%1 from itself</source>
        <translation>%1 来自自身</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1 来自%2</translation>
    </message>
    <message>
        <source>%1 worked against it</source>
        <translation>%1 起反作用</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>; %1 of %2 came this way</source>
        <translation>；%2有 %1 从这里来</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 → %2, %3: share %4 of the state</source>
        <translation>%1 → %2，%3：占状态的份额 %4</translation>
    </message>
    <message>
        <source>%1, %2: %3 of the state was written by this step itself</source>
        <translation>%1，%2：状态的 %3 由这一步自己写入</translation>
    </message>
    <message>
        <source>%1 after %2</source>
        <translation>%2之后的%1</translation>
    </message>
    <message>
        <source>%1 after %2, %3 % sure</source>
        <translation>%2之后的%1，把握 %3 %</translation>
    </message>
    <message>
        <source>The heads of layer %1, the largest weight of all</source>
        <translation>第 %1 层的各头，取最大的权重</translation>
    </message>
    <message>
        <source>Head %1 of layer %2</source>
        <translation>第 %2 层的头 %1</translation>
    </message>
    <message>
        <source>%1 (one key-value head for %2)</source>
        <translation>%1（%2共用一个键值头）</translation>
    </message>
    <message>
        <source>Where each output comes from: %1 lanes, %2 places on the way</source>
        <translation>每个输出从哪里来：%1 条道，途中 %2 处</translation>
    </message>
    <message>
        <source>Where each output comes from, empty</source>
        <translation>每个输出从哪里来，空</translation>
    </message>
    <message>
        <source>No output chosen. Click a word at the right, or go to its lane and press Enter.</source>
        <translation>没有选中输出。点击右侧的一个词，或走到它的道上按 Enter。</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>made of</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>strongest from</source>
        <translation>最强来自</translation>
    </message>
    <message>
        <source>its share</source>
        <translation>其份额</translation>
    </message>
    <message>
        <source>of the chosen output</source>
        <translation>占所选输出</translation>
    </message>
    <message>
        <source>carried on %1</source>
        <translation>带来 %1</translation>
    </message>
    <message>
        <source>head %1: %2</source>
        <translation>头 %1：%2</translation>
    </message>
    <message>
        <source>itself %1</source>
        <translation>自身 %1</translation>
    </message>
    <message>
        <source>%1 away: %2</source>
        <translation>相距 %1：%2</translation>
    </message>
    <message>
        <source>brought %1</source>
        <translation>引入 %1</translation>
    </message>
    <message>
        <source>written %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>start %1</source>
        <translation>初始 %1</translation>
    </message>
    <message>
        <source>%1 = %2</source>
        <translation>%1 = %2</translation>
    </message>
    <message>
        <source>%1, %2 = %3</source>
        <translation>%1，%2 = %3</translation>
    </message>
    <message>
        <source>reads ↓ ↑</source>
        <translation>阅读 ↓ ↑</translation>
    </message>
    <message>
        <source>reads ↑</source>
        <translation>阅读 ↑</translation>
    </message>
    <message>
        <source>reads ↓</source>
        <translation>阅读 ↓</translation>
    </message>
    <message>
        <source>writes ↓</source>
        <translation>写出 ↓</translation>
    </message>
    <message>
        <source>; you changed it</source>
        <translation>；你改动过它</translation>
    </message>
    <message>
        <source>How much of %1 the step wrote itself, %2</source>
        <translation>%1有多少是这一步自己写入的，%2</translation>
    </message>
    <message>
        <source>How much of %1 came from %2, %3</source>
        <translation>%1有多少来自%2，%3</translation>
    </message>
    <message>
        <source>Width of a canal: size of its row (RMS).</source>
        <translation>水道的宽度：该行的大小（RMS）。</translation>
    </message>
    <message>
        <source>Wide: a large part of what is known there; striped: what the step writes itself.</source>
        <translation>宽：在此处所知的内容中占得多；条纹：该步自己写入的部分。</translation>
    </message>
    <message>
        <source>Wide: a large part of its state.</source>
        <translation>宽：在其状态中占得多。</translation>
    </message>
    <message>
        <source>Wide: a large part of what is known there; striped: what the step writes itself. Strong colour: it led to %1. A large share need not matter.</source>
        <translation>宽：在此处所知的内容中占得多；条纹：该步自己写入的部分。颜色鲜明：通向%1。份额大未必要紧。</translation>
    </message>
    <message>
        <source>Wide: a large part of its state; striped: written there. Strong colour: led to %1.</source>
        <translation>宽：在其状态中占得多；条纹：在那里写入。颜色鲜明：通向%1。</translation>
    </message>
    <message>
        <source>Wide: a large part of its state. Strong colour: led to %1.</source>
        <translation>宽：在其状态中占得多。颜色鲜明：通向%1。</translation>
    </message>
    <message>
        <source>its last state</source>
        <translation>最后状态</translation>
    </message>
    <message>
        <source>write</source>
        <translation>写</translation>
    </message>
    <message>
        <source>content</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>gate</source>
        <translation>门</translation>
    </message>
    <message>
        <source>shift</source>
        <translation>移位</translation>
    </message>
    <message>
        <source>output, and how sure (%)</source>
        <translation>输出及把握（%）</translation>
    </message>
    <message>
        <source>sure (%)</source>
        <translation>把握（%）</translation>
    </message>
    <message>
        <source>%1 × %2 numbers</source>
        <translation>%1 × %2 个数</translation>
    </message>
    <message>
        <source>looked up, state</source>
        <translation>查到的内容 / 状态</translation>
    </message>
    <message>
        <source>time runs ↓</source>
        <translation>时间向下 ↓</translation>
    </message>
    <message>
        <source>%1 rows of %2 numbers, each a canal; width: size (RMS)</source>
        <translation>%1 行，每行 %2 个数，各是一条水渠；宽度：大小（RMS）</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>The last state of %1</source>
        <translation>%1的最后状态</translation>
    </message>
    <message>
        <source>row %1 is read: %2</source>
        <translation>读第 %1 行：%2</translation>
    </message>
    <message>
        <source>written to row %1: %2</source>
        <translation>写入第 %1 行：%2</translation>
    </message>
    <message>
        <source>; in the run that it is compared with: %1, %2 % sure</source>
        <translation>；对照的那次运行里：%1，把握 %2 %</translation>
    </message>
    <message>
        <source>; in the run that it is compared with: share %1</source>
        <translation>；对照的那次运行里：份额 %1</translation>
    </message>
    <message>
        <source>; %1 of its length away from the state of the run that it is compared with</source>
        <translation>；与对照的那次运行的状态相距其长度的 %1</translation>
    </message>
    <message>
        <source>Nothing here differs from the run that it is compared with.</source>
        <translation>这里与对照的那次运行没有不同。</translation>
    </message>
    <message>
        <source>Violet: what differs from the run that it is compared with; dashed: less than there.</source>
        <translation>紫色：与对照的那次运行不同之处；虚线：比那里少。</translation>
    </message>
    <message>
        <source>each step is given it</source>
        <translation>每一步都得到它</translation>
    </message>
    <message>
        <source>the decoder starts from it</source>
        <translation>解码器从它开始</translation>
    </message>
    <message>
        <source>One vector</source>
        <translation>一个向量</translation>
    </message>
    <message>
        <source>%1: brings %2 of %3</source>
        <translation>%1：带来%3的 %2</translation>
    </message>
</context>
<context>
    <name>headlight::OriginsView</name>
    <message>
        <source>what comes</source>
        <translation>接下来的词</translation>
    </message>
    <message>
        <source>head %1 of layer %2</source>
        <translation>第 %2 层的头 %1</translation>
    </message>
    <message>
        <source>what layer %1 writes at %2: %3</source>
        <translation>第 %1 层在%2处写入的：%3</translation>
    </message>
    <message>
        <source>what is written at %1: %2</source>
        <translation>在%1处写入的：%2</translation>
    </message>
    <message>
        <source>%1, layer %2: %3</source>
        <translation>%1，第 %2 层：%3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>what the model starts from</source>
        <translation>模型的起点</translation>
    </message>
    <message>
        <source>from the word itself</source>
        <translation>来自词本身</translation>
    </message>
    <message>
        <source>written earlier</source>
        <translation>此前写出</translation>
    </message>
    <message>
        <source>read earlier</source>
        <translation>在它之前读入</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读入</translation>
    </message>
    <message>
        <source>looked at</source>
        <translation>被看到</translation>
    </message>
    <message>
        <source>to %1 in layer %2</source>
        <translation>在第 %2 层到%1</translation>
    </message>
    <message>
        <source>to %1</source>
        <translation>到%1</translation>
    </message>
    <message>
        <source>Of this model it is not known where a word comes from.</source>
        <translation>这个模型的词从哪里来，无从得知。</translation>
    </message>
    <message>
        <source>Where it comes from</source>
        <translation>它从哪里来</translation>
    </message>
    <message>
        <source>Why %1 at %2?</source>
        <translation>为什么%2处是%1？</translation>
    </message>
    <message>
        <source>Why %1 after %2?</source>
        <translation>为什么%2之后是%1？</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>把握</translation>
    </message>
    <message>
        <source>no word (%1 %)</source>
        <translation>不来自词（%1 %）</translation>
    </message>
    <message>
        <source>%2 itself (%1 %)</source>
        <translation>%2自身（%1 %）</translation>
    </message>
    <message>
        <source>%2 (%1 %)</source>
        <translation>%2（%1 %）</translation>
    </message>
    <message>
        <source>It came from %1.</source>
        <translation>它来自%1。</translation>
    </message>
    <message>
        <source> Nothing else reaches 10 %.</source>
        <translation>其余都不到 10 %。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Where it goes</source>
        <translation>它到哪里去</translation>
    </message>
    <message>
        <source>read next as word %1, which gives %2</source>
        <translation>接着作为第 %1 个词读入，得到%2</translation>
    </message>
    <message>
        <source>A large share need not matter. Cut it to see.</source>
        <translation>份额大未必要紧，切断它看看。</translation>
    </message>
    <message>
        <source>sum 100 %</source>
        <translation>合计 100 %</translation>
    </message>
    <message numerus="yes">
        <source>%n others</source>
        <translation>
            <numerusform>其余 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>no word</source>
        <translation>不来自词</translation>
    </message>
    <message>
        <source>worked against it</source>
        <translation>起反作用</translation>
    </message>
    <message>
        <source>in the states on the way</source>
        <translation>途中的状态</translation>
    </message>
    <message>
        <source>letter</source>
        <translation>字母</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>how it got there</source>
        <translation>怎样到达</translation>
    </message>
    <message>
        <source>What if this were cut?</source>
        <translation>如果切断它呢？</translation>
    </message>
    <message>
        <source>Cut: there is no such output any more.</source>
        <translation>已切断：不再有这个输出。</translation>
    </message>
    <message>
        <source>Cut: %1</source>
        <translation>已切断：%1</translation>
    </message>
    <message>
        <source>Cut: %1 was %2 % sure, now %3 %.</source>
        <translation>已切断：%1的把握原为 %2 %，现为 %3 %。</translation>
    </message>
    <message>
        <source>Put it back</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Nothing crosses from one word to another here.</source>
        <translation>这里没有从一个词到另一个词的路。</translation>
    </message>
    <message>
        <source>Cut it</source>
        <translation>切断</translation>
    </message>
    <message>
        <source>Takes this way out, runs again, and shows what it truly did. Ctrl+Z puts it back.</source>
        <translation>去掉这条路，重新运行，并显示它真正起了什么作用。Ctrl+Z 恢复。</translation>
    </message>
    <message>
        <source>number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>percent</source>
        <translation>百分比</translation>
    </message>
    <message>
        <source>And %1 after %2?</source>
        <translation>那么%2之后的%1呢？</translation>
    </message>
    <message>
        <source> Every candidate is read off this same state.</source>
        <translation>每个候选都从这同一个状态读出。</translation>
    </message>
    <message>
        <source>Words and their shares</source>
        <translation>各词及其份额</translation>
    </message>
    <message>
        <source>What it might have been (%)</source>
        <translation>可能的输出（%）</translation>
    </message>
    <message>
        <source>%1, %2 %</source>
        <translation>%1，%2 %</translation>
    </message>
    <message>
        <source>Shows where this candidate would have come from.</source>
        <translation>显示这个候选会从哪里来。</translation>
    </message>
    <message>
        <source>Previous output</source>
        <translation>上一个输出</translation>
    </message>
    <message>
        <source>Where the previous output comes from.</source>
        <translation>上一个输出从哪里来。</translation>
    </message>
    <message>
        <source>Next output</source>
        <translation>下一个输出</translation>
    </message>
    <message>
        <source>Where the next output comes from.</source>
        <translation>下一个输出从哪里来。</translation>
    </message>
    <message>
        <source>What is the last state of %1 made of?</source>
        <translation>%1的最后状态由什么组成？</translation>
    </message>
    <message>
        <source>Click a word at the right of the map to see where it comes from.</source>
        <translation>点击模型地图右侧的词，看它从哪里来。</translation>
    </message>
    <message>
        <source>word %1: %2</source>
        <translation>第 %1 个词：%2</translation>
    </message>
</context>
<context>
    <name>headlight::LessonPaper</name>
    <message>
        <source>Mark them:</source>
        <translation>请圈出：</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1: answers</source>
        <translation>%1：答案</translation>
    </message>
    <message>
        <source>Name: ______________________________    Date: ____________</source>
        <translation>姓名：______________________________    日期：____________</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Sources: %1</source>
        <translation>出处：%1</translation>
    </message>
    <message>
        <source>%1: my answers</source>
        <translation>%1：我的回答</translation>
    </message>
    <message>
        <source>I did not say.</source>
        <translation>我没有回答。</translation>
    </message>
    <message>
        <source>I said: %1</source>
        <translation>我的回答：%1</translation>
    </message>
    <message>
        <source>The answer: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Hints: %1</source>
        <translation>提示：%1</translation>
    </message>
</context>
<context>
    <name>StepWords</name>
    <message>
        <source>%1 and %2</source>
        <translation>%1和%2</translation>
    </message>
    <message>
        <source>%1, %2 and %3</source>
        <translation>%1、%2和%3</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>写出%1</translation>
    </message>
    <message>
        <source>writes %1: looks behind the text</source>
        <translation>写出%1：看向文本之后</translation>
    </message>
    <message>
        <source>writes %1: looks at much at once</source>
        <translation>写出%1：同时看很多处</translation>
    </message>
    <message>
        <source>writes %1: looks at %2</source>
        <translation>写出%1：看%2</translation>
    </message>
</context>
<context>
    <name>StoryTexts</name>
    <message>
        <source>%1 is sure: %2.</source>
        <translation>%1 很有把握：%2。</translation>
    </message>
    <message>
        <source>%1 is still unsure: %2.</source>
        <translation>%1 还没有把握：%2。</translation>
    </message>
    <message>
        <source>%1 looks at %2 %3 and is sure: %4.</source>
        <translation>%1 看着 %2（%3），很有把握：%4。</translation>
    </message>
    <message>
        <source>%1 looks at %2 %3 and is still unsure: %4.</source>
        <translation>%1 看着 %2（%3），还没有把握：%4。</translation>
    </message>
    <message>
        <source>%1 looks at several words, most at %2 %3, and is sure: %4.</source>
        <translation>%1 看着好几个词，看得最多的是 %2（%3），很有把握：%4。</translation>
    </message>
    <message>
        <source>%1 looks at several words, most at %2 %3, and is still unsure: %4.</source>
        <translation>%1 看着好几个词，看得最多的是 %2（%3），还没有把握：%4。</translation>
    </message>
    <message>
        <source>Untrained: what it writes is chance.</source>
        <translation>还没有训练：写出什么全凭偶然。</translation>
    </message>
    <message>
        <source>Its words are the same as a moment before.</source>
        <translation>写出的词与前一个时刻相同。</translation>
    </message>
    <message>
        <source>It writes fewer words than a moment before.</source>
        <translation>写出的词比前一个时刻少。</translation>
    </message>
    <message>
        <source>%1 %2 is not right.</source>
        <translation>%1 %2 不对。</translation>
    </message>
    <message>
        <source>%1 characters read</source>
        <translation>已读 %1 个字符</translation>
    </message>
    <message>
        <source>%1 sentences read</source>
        <translation>已读 %1 句</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>looks at the right word</source>
        <translation>看对了词</translation>
    </message>
    <message>
        <source>how concentrated it looks</source>
        <translation>看得有多集中</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>then</source>
        <translation>那时</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>left</source>
        <translation>左边</translation>
    </message>
    <message>
        <source>right</source>
        <translation>右边</translation>
    </message>
    <message>
        <source>right on unseen %1</source>
        <translation>没见过的句子答对 %1</translation>
    </message>
    <message>
        <source>perplexity %1</source>
        <translation>困惑度 %1</translation>
    </message>
    <message>
        <source>mark: %1</source>
        <translation>标记：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>no marks yet</source>
        <translation>还没有标记</translation>
    </message>
    <message>
        <source>mark %1 of %2</source>
        <translation>标记 %1，共 %2 个</translation>
    </message>
    <message>
        <source>marks %1 to %2 of %3</source>
        <translation>标记 %1 至 %2，共 %3 个</translation>
    </message>
    <message>
        <source>before mark 1 of %1</source>
        <translation>标记 1 之前，共 %1 个</translation>
    </message>
    <message>
        <source>after mark %1 of %2</source>
        <translation>标记 %1 之后，共 %2 个</translation>
    </message>
    <message>
        <source>From update %1 on there are no numbers any more; the loss was %2 before. A smaller learning rate often helps.</source>
        <translation>从第 %1 次更新起，再也没有数值；之前的损失是 %2。把学习率调小往往有用。</translation>
    </message>
    <message>
        <source>It does not learn yet.</source>
        <translation>它还没有学会。</translation>
    </message>
    <message>
        <source>from here on no numbers (step %1, loss was %2)</source>
        <translation>从这里起没有数值（第 %1 步，之前损失为 %2）</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
</context>
<context>
    <name>headlight::WindowPanels</name>
    <message>
        <source>Present this panel</source>
        <translation>演示此面板</translation>
    </message>
</context>
<context>
    <name>headlight::WeightDrag</name>
    <message>
        <source>The padding stands together: click it to see each place.</source>
        <translation>填充合在一起：点击可逐个查看。</translation>
    </message>
    <message>
        <source>This attention was stored: there is no model that could run again.</source>
        <translation>这些注意力是存储下来的：没有可以重新运行的模型。</translation>
    </message>
    <message>
        <source>Weights of whole words are only shown: turn ‘Whole words’ off to change one.</source>
        <translation>整词的权重只供查看：要改动某个权重，请先关闭“整词”。</translation>
    </message>
    <message>
        <source>A mean is only shown, nothing is computed from it. Choose a layer above and change its weight.</source>
        <translation>平均值只供查看，没有任何计算用到它。请在上方选择一层，再改动那一层的权重。</translation>
    </message>
    <message>
        <source>The largest weight of several heads is only shown. Choose a head, or the mean of them.</source>
        <translation>多个头中最大的权重只供查看。请选择一个头，或它们的平均。</translation>
    </message>
    <message>
        <source>This token comes later: from here nothing of it can be seen.</source>
        <translation>这个词元在后面：从这里看不到它。</translation>
    </message>
    <message>
        <source>Here is only one token to look at, so it has all the weight.</source>
        <translation>这里只有一个词元可看，所以全部权重都在它上面。</translation>
    </message>
    <message>
        <source>Set this weight…</source>
        <translation>设定这个权重…</translation>
    </message>
    <message>
        <source>Give this weight another value and see how the output changes.</source>
        <translation>给这个权重换一个值，看看输出如何变化。</translation>
    </message>
    <message>
        <source>Give it &amp;all the weight</source>
        <translation>把全部权重给它(&amp;A)</translation>
    </message>
    <message>
        <source>This row reads this token alone.</source>
        <translation>这一行只读这个词元。</translation>
    </message>
    <message>
        <source>A mask hides this token from here: show it again first.</source>
        <translation>掩码在这里把这个词元遮住了：请先重新显示它。</translation>
    </message>
    <message>
        <source>A mask hides this token from here.</source>
        <translation>掩码在这里把这个词元遮住了。</translation>
    </message>
    <message>
        <source>Drag it up or down to change this weight.</source>
        <translation>上下拖动可改变这个权重。</translation>
    </message>
</context>
<context>
    <name>headlight::MatrixModel</name>
    <message>
        <source>hidden</source>
        <translation>被遮住</translation>
    </message>
</context>
<context>
    <name>headlight::LessonTrainingPage</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Train it here</source>
        <translation>在这里训练</translation>
    </message>
    <message>
        <source>Show the recorded one</source>
        <translation>看录好的那次</translation>
    </message>
    <message>
        <source>Training on this machine…</source>
        <translation>正在这台机器上训练……</translation>
    </message>
    <message>
        <source>Trained on this machine just now.</source>
        <translation>刚刚在这台机器上训练的。</translation>
    </message>
    <message>
        <source>Recorded.</source>
        <translation>这是录好的训练。</translation>
    </message>
    <message>
        <source>Recorded before (%1).</source>
        <translation>这是以前录下的训练（%1）。</translation>
    </message>
    <message>
        <source>What comes is closed until the answer</source>
        <translation>回答之前，后面的内容不显示</translation>
    </message>
    <message>
        <source>The training</source>
        <translation>训练</translation>
    </message>
</context>
<context>
    <name>headlight::LessonVote</name>
    <message>
        <source>first vote</source>
        <translation>第一次举手</translation>
    </message>
    <message>
        <source>The room: %1 of %2 were right.</source>
        <translation>全班 %2 人中 %1 人答对。</translation>
    </message>
    <message>
        <source>Second vote: %1 of %2.</source>
        <translation>讨论后：%2 人中 %1 人。</translation>
    </message>
    <message>
        <source>after talking</source>
        <translation>讨论后</translation>
    </message>
    <message>
        <source>have it right</source>
        <translation>答对</translation>
    </message>
    <message>
        <source>have it otherwise</source>
        <translation>答的不同</translation>
    </message>
    <message>
        <source>Votes of the room</source>
        <translation>全班举手结果</translation>
    </message>
    <message>
        <source>Another class</source>
        <translation>换一个班</translation>
    </message>
    <message>
        <source>Votes of each class are kept apart: this one begins without any</source>
        <translation>各班的举手分开保存：这个班从零开始</translation>
    </message>
    <message>
        <source>Vote again</source>
        <translation>再举一次手</translation>
    </message>
    <message>
        <source>Back to the first vote</source>
        <translation>回到第一次举手</translation>
    </message>
</context>
<context>
    <name>headlight::RecordDialog</name>
    <message>
        <source>Record a lesson</source>
        <translation>录制一节课</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>文件夹(&amp;F)</translation>
    </message>
    <message>
        <source>An empty folder, or that of a lesson</source>
        <translation>空文件夹，或一节课的文件夹</translation>
    </message>
    <message>
        <source>What you typed is not saved in a step. Let it go? It cannot be brought back.</source>
        <translation>你输入的内容还没有保存到步骤中。要放弃吗？放弃后无法恢复。</translation>
    </message>
    <message>
        <source>&amp;Let it go</source>
        <translation>放弃(&amp;L)</translation>
    </message>
    <message>
        <source>&amp;Record what the window shows as a step</source>
        <translation>把窗口里的内容录成一步(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save the words of the chosen step</source>
        <translation>保存所选步骤的文字(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Re&amp;move</source>
        <translation>删除(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Preview</source>
        <translation>预览(&amp;P)</translation>
    </message>
    <message>
        <source>Choose a folder first.</source>
        <translation>请先选择文件夹。</translation>
    </message>
    <message>
        <source>Nothing runs yet.</source>
        <translation>还没有运行结果。</translation>
    </message>
    <message>
        <source>The step shows</source>
        <translation>这一步展示</translation>
    </message>
    <message>
        <source>It asks: choose one</source>
        <translation>提问：选一个</translation>
    </message>
    <message>
        <source>It asks: a number</source>
        <translation>提问：一个数</translation>
    </message>
    <message>
        <source>It asks: type a text</source>
        <translation>提问：输入文字</translation>
    </message>
    <message>
        <source>It asks: which tokens</source>
        <translation>提问：哪些词元</translation>
    </message>
    <message>
        <source>It asks: which square</source>
        <translation>提问：哪一格</translation>
    </message>
    <message>
        <source>It asks: draw the row</source>
        <translation>提问：画出这一行</translation>
    </message>
    <message>
        <source>&amp;Choose…</source>
        <translation>选择(&amp;C)…</translation>
    </message>
    <message>
        <source>S&amp;tep</source>
        <translation>步骤(&amp;T)</translation>
    </message>
    <message>
        <source>T&amp;itle</source>
        <translation>标题(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Words</source>
        <translation>文字(&amp;W)</translation>
    </message>
    <message>
        <source>What a reader is told here</source>
        <translation>这一步告诉读者什么</translation>
    </message>
    <message>
        <source>&amp;Question</source>
        <translation>问题(&amp;Q)</translation>
    </message>
    <message>
        <source>What is asked</source>
        <translation>问什么</translation>
    </message>
    <message>
        <source>A&amp;nswers</source>
        <translation>选项(&amp;N)</translation>
    </message>
    <message>
        <source>One a line; * before the one that is right</source>
        <translation>每行一个；正确的前面加 *</translation>
    </message>
    <message>
        <source>&amp;Afterwards</source>
        <translation>揭晓之后(&amp;A)</translation>
    </message>
    <message>
        <source>What is said after the answer</source>
        <translation>答完之后说什么</translation>
    </message>
    <message>
        <source>The window as it is now, and your words.</source>
        <translation>窗口现在的样子，加上你的文字。</translation>
    </message>
    <message>
        <source>The chosen row of the picture, if there is one, stays closed until the answer.</source>
        <translation>图中选中的行（若有）在回答之前一直遮住。</translation>
    </message>
    <message>
        <source>Right is the number that is chosen in the window, or how sure the chosen row is.</source>
        <translation>答案是窗口中选中的数，或选中那一行有多确定。</translation>
    </message>
    <message>
        <source>Right is the whole output; it stays closed until the answer.</source>
        <translation>答案是整个输出；回答之前一直遮住。</translation>
    </message>
    <message>
        <source>Right is what the chosen row of the picture looks at most (90 %).</source>
        <translation>答案是图中选中的行看得最多的词元（占 90 %）。</translation>
    </message>
    <message>
        <source>Right is the chosen square of the picture.</source>
        <translation>答案是图中选中的那一格。</translation>
    </message>
    <message>
        <source>Right is the chosen row of the picture.</source>
        <translation>答案是图中选中的那一行。</translation>
    </message>
    <message>
        <source>Step %1 is recorded.</source>
        <translation>第 %1 步已录下。</translation>
    </message>
    <message>
        <source>Choose a step of the list first.</source>
        <translation>请先在列表中选一步。</translation>
    </message>
    <message>
        <source>The words of step %1 are saved.</source>
        <translation>第 %1 步的文字已保存。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>&amp;Bring back</source>
        <translation>恢复(&amp;B)</translation>
    </message>
    <message>
        <source>Step %1 is removed.</source>
        <translation>第 %1 步已删除。</translation>
    </message>
</context>
<context>
    <name>LivingLinks</name>
    <message>
        <source>What this part has in common with the state: number by number, multiplied and added.</source>
        <translation>这一部分与状态的共同之处：逐个数相乘，再相加。</translation>
    </message>
</context>
<context>
    <name>headlight::MappingDialog</name>
    <message>
        <source>encoder and decoder</source>
        <translation>编码器和解码器</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>behind each part of a layer</source>
        <translation>在层的每一部分之后</translation>
    </message>
    <message>
        <source>in front of each part</source>
        <translation>在每一部分之前</translation>
    </message>
    <message>
        <source>sine waves</source>
        <translation>正弦波</translation>
    </message>
    <message>
        <source>a table that was learned</source>
        <translation>学得的表</translation>
    </message>
    <message>
        <source>&amp;Embeddings are multiplied by the root of the width</source>
        <translation>嵌入乘以宽度的平方根(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Leave out tensors that nothing asks for</source>
        <translation>忽略没有用到的张量(&amp;L)</translation>
    </message>
    <message>
        <source>It runs: %1 → %2</source>
        <translation>可以运行：%1 → %2</translation>
    </message>
    <message>
        <source>nothing is written</source>
        <translation>没有写出内容</translation>
    </message>
    <message>
        <source>Make %1 run</source>
        <translation>让 %1 运行</translation>
    </message>
    <message>
        <source>It &amp;is</source>
        <translation>类型(&amp;I)</translation>
    </message>
    <message>
        <source>&amp;Heads</source>
        <translation>头数(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Norms stand</source>
        <translation>归一化位置(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Activation</source>
        <translation>激活函数(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Positions</source>
        <translation>位置(&amp;P)</translation>
    </message>
    <message>
        <source>&amp;Vocabulary, a token a line</source>
        <translation>词表，每行一个词元(&amp;V)</translation>
    </message>
    <message>
        <source>Vocabulary of the &amp;output</source>
        <translation>输出的词表(&amp;O)</translation>
    </message>
    <message>
        <source>Token that &amp;starts</source>
        <translation>开始词元(&amp;S)</translation>
    </message>
    <message>
        <source>Token that en&amp;ds</source>
        <translation>结束词元(&amp;D)</translation>
    </message>
    <message>
        <source>none: texts are numbers of tokens</source>
        <translation>无：文本是词元的编号</translation>
    </message>
    <message>
        <source>What is missing, and whether it runs</source>
        <translation>缺少什么，以及能否运行</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>Save the &amp;mapping and open</source>
        <translation>保存映射并打开(&amp;M)</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
    <message>
        <source>A file beside the weights with a token in each line</source>
        <translation>权重旁边每行一个词元的文件</translation>
    </message>
    <message>
        <source>%1 is</source>
        <translation>%1 是</translation>
    </message>
    <message>
        <source>Missing: no tensor of the file fits our %1.</source>
        <translation>缺少：文件中没有张量适合我们的 %1。</translation>
    </message>
    <message>
        <source>Left over: nothing asks for %1.</source>
        <translation>多余：没有用到 %1。</translation>
    </message>
    <message>
        <source>Every number has its tensor. Trying whether it runs …</source>
        <translation>每个数都有对应的张量。正在试运行…</translation>
    </message>
    <message>
        <source>It runs, but what it computes are no numbers: some answer is wrong.</source>
        <translation>可以运行，但算出的不是数：有某个回答不对。</translation>
    </message>
    <message>
        <source>recurrent encoder and decoder</source>
        <translation>循环编码器和解码器</translation>
    </message>
    <message>
        <source>Names and shapes of the tensors say most of it. What no file says, only you know: how many heads there are, where the norms stand, what stands side by side in which order, which vocabulary it is.</source>
        <translation>张量的名称和形状说明了大部分。文件里没有的只有你知道：有多少个头、归一化在哪里、并排的东西按什么顺序、用的是哪个词表。</translation>
    </message>
</context>
<context>
    <name>headlight::GlossaryDialog</name>
    <message>
        <source>In the lessons: </source>
        <translation>出现在这些课里：</translation>
    </message>
</context>
<context>
    <name>headlight::PairRow</name>
    <message>
        <source>Second sentence</source>
        <translation>第二句</translation>
    </message>
    <message>
        <source>empty: the model reads one text</source>
        <translation>留空：模型只读一段文本</translation>
    </message>
    <message>
        <source>A second text that the model reads behind the first, with the signs of its tokenizer between them.</source>
        <translation>模型在第一段之后读的第二段文本，两者之间有其分词器的标记。</translation>
    </message>
    <message>
        <source>Kinds of sentences</source>
        <translation>句子类型</translation>
    </message>
    <message>
        <source>Kinds of sentences (type ids)</source>
        <translation>句子类型（type ids）</translation>
    </message>
    <message>
        <source>Back to what the tokenizer says</source>
        <translation>恢复为分词器给出的类型</translation>
    </message>
    <message>
        <source>Expected small numbers with spaces between them.</source>
        <translation>应为用空格隔开的小整数。</translation>
    </message>
    <message>
        <source>What kind of sentence the model is told that each token is of: a number for each, in their order. Empty: as the tokenizer says.</source>
        <translation>告诉模型每个词元属于哪一类句子：按顺序每个词元一个数。留空：按分词器所给。</translation>
    </message>
</context>
<context>
    <name>TextVector</name>
    <message>
        <source>Sentence embedding</source>
        <translation>句子嵌入</translation>
    </message>
    <message>
        <source>Does the second sentence follow?</source>
        <translation>第二句是否接在第一句之后？</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Pooled vector</source>
        <translation>汇聚向量</translation>
    </message>
    <message>
        <source>The numbers that stand for the text as a whole: texts that mean the same have numbers that point the same way. Compare shows the cosine of two of them.</source>
        <translation>代表整段文本的数：意思相同的文本，其向量方向相同。“比较”显示两段文本的余弦。</translation>
    </message>
    <message>
        <source>What the model thinks of two sentences: whether the second one goes on with the first.</source>
        <translation>模型对两个句子的判断：第二句是否接着第一句。</translation>
    </message>
    <message>
        <source>The score that the model gives the text, or the pair of sentences.</source>
        <translation>模型给这段文本或这对句子的得分。</translation>
    </message>
    <message>
        <source>The numbers that stand for the text as a whole: the row of the first token, through one small layer.</source>
        <translation>代表整段文本的数：第一个词元的行经过一个小层。</translation>
    </message>
    <message>
        <source>yes, %1 %</source>
        <translation>是，%1 %</translation>
    </message>
    <message>
        <source>no, %1 %</source>
        <translation>否，%1 %</translation>
    </message>
    <message>
        <source>%1, as a share %2</source>
        <translation>%1，化为比例 %2</translation>
    </message>
    <message>
        <source>%1 numbers, norm %2</source>
        <translation>%1 个数，范数 %2</translation>
    </message>
    <message>
        <source>Cosine of the two texts: %1 (%2).</source>
        <translation>两段文本的余弦：%1（%2）。</translation>
    </message>
    <message>
        <source>Cosine of the two runs: %1 (%2).</source>
        <translation>两次运行的余弦：%1（%2）。</translation>
    </message>
</context>
<context>
    <name>TensorNames</name>
    <message>
        <source>%1 of %2</source>
        <translation>%2的 %1</translation>
    </message>
    <message>
        <source>%1, as %2</source>
        <translation>%1，即 %2</translation>
    </message>
</context>
<context>
    <name>headlight::OneVectorCanvas</name>
    <message>
        <source>number</source>
        <translation>序号</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>One vector</source>
        <translation>一个向量</translation>
    </message>
    <message>
        <source>number %1: %2</source>
        <translation>第 %1 个数：%2</translation>
    </message>
    <message>
        <source>All that is known of the text stands in %1 numbers. Each output reads them again.</source>
        <translation>对文本所知的一切都在这 %1 个数里。每个输出都重新读它们。</translation>
    </message>
    <message>
        <source>All that is known of the text stands in %1 numbers. They are read once, before the first output.</source>
        <translation>对文本所知的一切都在这 %1 个数里。它们只在第一个输出之前读一次。</translation>
    </message>
    <message>
        <source>One vector, empty</source>
        <translation>一个向量，空</translation>
    </message>
    <message>
        <source>One vector of %1 numbers</source>
        <translation>一个向量，%1 个数</translation>
    </message>
    <message>
        <source>No number selected. Arrow keys choose one.</source>
        <translation>没有选中任何数。用方向键选择。</translation>
    </message>
</context>
<context>
    <name>ModelLines</name>
    <message>
        <source>one vector for the whole text</source>
        <translation>整段文本只有一个向量</translation>
    </message>
    <message>
        <source>no attention, but each step sees that vector</source>
        <translation>没有注意力，但每一步都能看到这个向量</translation>
    </message>
    <message>
        <source>looks back: a dot product compares</source>
        <translation>回头看：用点积比较</translation>
    </message>
    <message>
        <source>a small network compares</source>
        <translation>用一个小网络比较</translation>
    </message>
    <message>
        <source>only directions are compared</source>
        <translation>只比较方向</translation>
    </message>
    <message>
        <source>a dot product compares, half the size</source>
        <translation>用点积比较，规模减半</translation>
    </message>
    <message>
        <source>a learned matrix stands between the two</source>
        <translation>两者之间有一个学到的矩阵</translation>
    </message>
    <message>
        <source>looks at places, whatever stands there</source>
        <translation>只看位置，不管那里是什么</translation>
    </message>
    <message>
        <source>a network of two layers compares</source>
        <translation>用两层网络比较</translation>
    </message>
    <message>
        <source>the dot product, divided by the root of its length</source>
        <translation>点积除以其长度的平方根</translation>
    </message>
    <message>
        <source>attention only: 2 + 2 layers of 4 heads</source>
        <translation>只有注意力：2 + 2 层，每层 4 个头</translation>
    </message>
    <message>
        <source>an invented language, read in both directions</source>
        <translation>一种虚构的语言，双向阅读</translation>
    </message>
    <message>
        <source>the same language, three layers</source>
        <translation>同一种语言，三层</translation>
    </message>
    <message>
        <source>the same language, through a window that it moves</source>
        <translation>同一种语言，透过它移动的窗口</translation>
    </message>
    <message>
        <source>the same language, a learned matrix compares</source>
        <translation>同一种语言，用学到的矩阵比较</translation>
    </message>
    <message>
        <source>the same language, convolutions</source>
        <translation>同一种语言，卷积</translation>
    </message>
    <message>
        <source>adjectives change places</source>
        <translation>形容词换位置</translation>
    </message>
    <message>
        <source>the same sentences, convolutions</source>
        <translation>同样的句子，卷积</translation>
    </message>
    <message>
        <source>the same sentences, attention only</source>
        <translation>同样的句子，只有注意力</translation>
    </message>
    <message>
        <source>translates English into French, real sentences</source>
        <translation>把英语译成法语，真实的句子</translation>
    </message>
    <message>
        <source>goes on with a story, word by word</source>
        <translation>逐词续写故事</translation>
    </message>
    <message>
        <source>guesses hidden words</source>
        <translation>猜出隐藏的词</translation>
    </message>
    <message>
        <source>writes its digits again, sines for places</source>
        <translation>把数字再写一遍，位置用正弦</translation>
    </message>
    <message>
        <source>the same, a learned table of places</source>
        <translation>同上，学到的位置表</translation>
    </message>
    <message>
        <source>the same, without places: it loses the order</source>
        <translation>同上，没有位置：顺序丢失</translation>
    </message>
    <message>
        <source>the same with one head, scores scaled</source>
        <translation>同上，一个头，得分有缩放</translation>
    </message>
    <message>
        <source>the same with one head, scores not scaled</source>
        <translation>同上，一个头，得分不缩放</translation>
    </message>
    <message>
        <source>copies by a memory beside it</source>
        <translation>借助旁边的记忆来复制</translation>
    </message>
</context>
<context>
    <name>MappingOrder</name>
    <message>
        <source>what the decoder reads at each step</source>
        <translation>解码器每一步读入的</translation>
    </message>
    <message>
        <source>what the attention compares</source>
        <translation>注意力比较的</translation>
    </message>
    <message>
        <source>what the output layer reads</source>
        <translation>输出层读入的</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
</context>
<context>
    <name>headlight::OutputLine</name>
    <message>
        <source>%1
without your changes: %2</source>
        <translation>%1
没有你的改动时：%2</translation>
    </message>
</context>
<context>
    <name>headlight::TrainingFilm</name>
    <message>
        <source>What was drawn is not there any more.</source>
        <translation>要画的内容已经不在了。</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> 毫秒</translation>
    </message>
    <message>
        <source>All moments</source>
        <translation>所有时刻</translation>
    </message>
    <message>
        <source>Marks only</source>
        <translation>只要标记</translation>
    </message>
    <message>
        <source>Which moments</source>
        <translation>哪些时刻</translation>
    </message>
    <message>
        <source>A picture for every moment, or only for the first, the last, and each from which on a word of the output stays as it ends.</source>
        <translation>每个时刻一张图片；或者只要第一个、最后一个，以及输出中有一个词从那里起一直保持到最后的时刻。</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 像素</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Of each picture.</source>
        <translation>每张图片的大小。</translation>
    </message>
    <message>
        <source>A moment is seen for</source>
        <translation>每个时刻显示</translation>
    </message>
    <message>
        <source>Of animated pictures: how long it takes to the next one.</source>
        <translation>用于动画图片：多久之后换到下一张。</translation>
    </message>
    <message>
        <source>A mark is seen for</source>
        <translation>每个标记显示</translation>
    </message>
    <message>
        <source>Of animated pictures: longer, so that what changed can be read.</source>
        <translation>用于动画图片：长一些，好让人看清变了什么。</translation>
    </message>
    <message>
        <source>Drawing the moments of the training…</source>
        <translation>正在画训练的各个时刻…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Export the training</source>
        <translation>导出训练</translation>
    </message>
    <message>
        <source>Export the training as an animation</source>
        <translation>将训练导出为动画</translation>
    </message>
    <message>
        <source>Animated picture for slides and the web (*.gif)</source>
        <translation>用于幻灯片和网页的动画图片 (*.gif)</translation>
    </message>
    <message>
        <source>Numbered pictures, one for each moment (*.png)</source>
        <translation>带编号的图片，每个时刻一张 (*.png)</translation>
    </message>
</context>
<context>
    <name>headlight::TensorTree</name>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>已变</translation>
    </message>
    <message>
        <source>other shape</source>
        <translation>形状不同</translation>
    </message>
    <message>
        <source>only here</source>
        <translation>仅在此处</translation>
    </message>
    <message>
        <source>only there</source>
        <translation>仅在另一处</translation>
    </message>
    <message>
        <source>no numbers</source>
        <translation>不是数</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>个数</translation>
    </message>
    <message>
        <source>%1, the same numbers as %2</source>
        <translation>%1，与 %2 数值相同</translation>
    </message>
    <message>
        <source>up to %1 %</source>
        <translation>至多 %1 %</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>变化</translation>
    </message>
    <message>
        <source>only in %1</source>
        <translation>仅在 %1 中</translation>
    </message>
    <message>
        <source>1 tensor</source>
        <translation>1 个张量</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 个张量</translation>
    </message>
</context>
<context>
    <name>headlight::FindPalette</name>
    <message>
        <source>Find</source>
        <translation>查找</translation>
    </message>
    <message>
        <source>Find an action, a picture, a model, a lesson, a word, a number …</source>
        <translation>查找操作、图、模型、课程、词语、数值……</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>查找结果</translation>
    </message>
    <message>
        <source>Nothing is called %1. Nearest to it:</source>
        <translation>没有叫%1的东西。最接近的是：</translation>
    </message>
    <message>
        <source>Nothing is called %1, or nearly so.</source>
        <translation>没有叫%1或与它相近的东西。</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1（%3 项中的 %2 项）</translation>
    </message>
    <message>
        <source>%1 in all</source>
        <translation>共 %1 项</translation>
    </message>
    <message>
        <source>0 found, %1 near</source>
        <translation>找到 0 项，相近 %1 项</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 项</translation>
    </message>
    <message>
        <source>↑ ↓ choose and preview</source>
        <translation>↑ ↓ 选择并预览</translation>
    </message>
    <message>
        <source>Enter open</source>
        <translation>Enter 打开</translation>
    </message>
    <message>
        <source>Esc close</source>
        <translation>Esc 关闭</translation>
    </message>
</context>
<context>
    <name>Find</name>
    <message>
        <source>%1 min</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1, step %2</source>
        <translation>%1，第 %2 步</translation>
    </message>
    <message>
        <source>not of this model</source>
        <translation>此模型没有</translation>
    </message>
    <message>
        <source>Of this model there is nothing that it could show.</source>
        <translation>这个模型没有可供它显示的内容。</translation>
    </message>
    <message>
        <source>Nothing was changed yet.</source>
        <translation>还没有改动。</translation>
    </message>
    <message>
        <source>Nothing was taken back.</source>
        <translation>没有撤销过改动。</translation>
    </message>
    <message>
        <source>No lesson is open.</source>
        <translation>没有打开的课程。</translation>
    </message>
    <message>
        <source>Of stored attention nothing was computed here.</source>
        <translation>保存的注意力不是在这里算出的。</translation>
    </message>
    <message>
        <source>Nothing was left behind.</source>
        <translation>没有留下未保存的会话。</translation>
    </message>
    <message>
        <source>Not possible at the moment.</source>
        <translation>目前无法使用。</translation>
    </message>
    <message>
        <source>Colours: %1</source>
        <translation>颜色：%1</translation>
    </message>
    <message>
        <source>Language: %1</source>
        <translation>语言：%1</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Switch heads off and on</source>
        <translation>关闭和打开注意力头</translation>
    </message>
    <message>
        <source>Mask: which token may look at which</source>
        <translation>掩码：哪个词元可以看哪个</translation>
    </message>
    <message>
        <source>Each head has a switch: without it the model computes anew at once.</source>
        <translation>每个头都有开关：关掉它，模型立即重新计算。</translation>
    </message>
    <message>
        <source>A square for each pair of tokens: where it is off, the one no longer sees the other.</source>
        <translation>每一对词元有一个方格：关掉它，前者就看不到后者。</translation>
    </message>
    <message>
        <source>session, opened lately</source>
        <translation>最近打开的会话</translation>
    </message>
    <message>
        <source>opened lately</source>
        <translation>最近打开</translation>
    </message>
    <message>
        <source>token %1 of the text</source>
        <translation>文本的第 %1 个词元</translation>
    </message>
    <message>
        <source>output %1</source>
        <translation>第 %1 个输出</translation>
    </message>
    <message>
        <source>%1, output %2</source>
        <translation>%1，第 %2 个输出</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>lesson, %1 min</source>
        <translation>课程，%1 分钟</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>Chooses it in every picture.</source>
        <translation>在每幅图里选中它。</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Pictures</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Glossary</source>
        <translation>词汇表</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>lesson</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>picture</source>
        <translation>图</translation>
    </message>
    <message>
        <source>action</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>numbers</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>glossary</source>
        <translation>词汇表</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Training lab</source>
        <translation>训练实验室</translation>
    </message>
    <message>
        <source>Train: %1</source>
        <translation>训练：%1</translation>
    </message>
    <message>
        <source>Watch it learn: %1</source>
        <translation>看它学习：%1</translation>
    </message>
</context>
<context>
    <name>headlight::LessonOverlay</name>
    <message>
        <source>computing…</source>
        <translation>正在计算……</translation>
    </message>
</context>
<context>
    <name>headlight::SpeakerWindow</name>
    <message>
        <source>Time of the lesson</source>
        <translation>课程时间</translation>
    </message>
    <message>
        <source>What the room sees, small</source>
        <translation>教室所见的缩小画面</translation>
    </message>
    <message>
        <source>As if each step of the lesson took the same time</source>
        <translation>按每一步用时相同计算</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Spotlight</source>
        <translation>聚光灯</translation>
    </message>
    <message>
        <source>Black</source>
        <translation>黑屏</translation>
    </message>
    <message>
        <source>White</source>
        <translation>白屏</translation>
    </message>
    <message>
        <source>Vote</source>
        <translation>举手</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Another class</source>
        <translation>换一个班</translation>
    </message>
    <message>
        <source>Votes of each class are kept apart: this one begins without any</source>
        <translation>各班的举手分开保存：这个班从零开始</translation>
    </message>
    <message>
        <source>%1 of %2 min</source>
        <translation>已用 %1 分钟，共 %2 分钟</translation>
    </message>
    <message>
        <source>%1 min behind the plan</source>
        <translation>比计划慢 %1 分钟</translation>
    </message>
    <message>
        <source>%1 min ahead of the plan</source>
        <translation>比计划快 %1 分钟</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>与计划一致</translation>
    </message>
    <message>
        <source>Notes: %1</source>
        <translation>备注：%1</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>接下来：%1</translation>
    </message>
    <message>
        <source>Votes</source>
        <translation>举手</translation>
    </message>
</context>
<context>
    <name>headlight::CostCanvas</name>
    <message>
        <source>multiplications while it learns, counted; the way back of learning comes on top</source>
        <translation>次乘法（训练时，计数所得；反向传播另算）</translation>
    </message>
    <message>
        <source>multiplications while it writes, counted</source>
        <translation>次乘法（生成时，计数所得）</translation>
    </message>
    <message>
        <source>steps that wait for one another, while it learns: the right output is known</source>
        <translation>步要依次等待（训练时：正确的输出事先已知）</translation>
    </message>
    <message>
        <source>steps that wait for one another, while it writes one token after the other</source>
        <translation>步要依次等待（生成时：词元一个接一个写出）</translation>
    </message>
    <message>
        <source>%1 boxes in %2 columns: each column could be computed at once. While it %3, there are %4 columns.</source>
        <translation>%1 个方块排成 %2 列：同一列可以同时计算。%3时是 %4 列。</translation>
    </message>
    <message>
        <source>lighter bars: what if there were %1 tokens and %2 heads: %3, %4 times as many</source>
        <translation>浅色条：假如有 %1 个词元、%2 个头，则为 %3，是现在的 %4 倍</translation>
    </message>
    <message>
        <source>no</source>
        <translation>没有</translation>
    </message>
    <message>
        <source>while it %1: %2</source>
        <translation>%1时：%2</translation>
    </message>
    <message>
        <source>Counted: %1 exponentials of softmax, and as many weights to keep; what if: %2.</source>
        <translation>计数：softmax 的指数运算 %1 次，要保存的权重也一样多；假如那样，则为 %2。</translation>
    </message>
    <message>
        <source>Counted: %1 exponentials of softmax, and as many weights to keep.</source>
        <translation>计数：softmax 的指数运算 %1 次，要保存的权重也一样多。</translation>
    </message>
    <message>
        <source>Counted: from texts of %1 tokens on, scores and mixing cost this model more than its other layers (%2 times its width d = %3).</source>
        <translation>计数：文本达到 %1 个词元时，得分与混合的乘法开始多于这个模型的其他层（是宽度 d = %3 的 %2 倍）。</translation>
    </message>
    <message>
        <source>Counted: at no length do scores and mixing cost this model more than its other layers.</source>
        <translation>计数：无论文本多长，得分与混合的乘法都不会多于这个模型的其他层。</translation>
    </message>
    <message>
        <source>Measured: this run took %1 ms, with everything that is shown of it.</source>
        <translation>实测：这次运行用了 %1 毫秒，包括为显示而记录的一切。</translation>
    </message>
    <message>
        <source>%1 tokens %2 ms</source>
        <translation>%1 个词元 %2 毫秒</translation>
    </message>
    <message>
        <source>Measured, only writing: %1.</source>
        <translation>实测，只生成、不记录：%1。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>Time and cost, none</source>
        <translation>时间与代价：没有内容</translation>
    </message>
    <message>
        <source>What waits for what: %1 steps for %2 tokens</source>
        <translation>谁等谁：%2 个词元，%1 步</translation>
    </message>
    <message>
        <source>Multiplications by part: %1 parts</source>
        <translation>各部分的乘法次数：%1 个部分</translation>
    </message>
    <message>
        <source>There is no run whose steps could be counted.</source>
        <translation>没有可以计数的运行。</translation>
    </message>
    <message>
        <source>%1 was given.</source>
        <translation>%1 是给定的。</translation>
    </message>
    <message>
        <source>%1 was written.</source>
        <translation>%1 是写出的。</translation>
    </message>
    <message>
        <source>%1 multiplications, %2 of all</source>
        <translation>%1 次乘法，占总数的 %2</translation>
    </message>
    <message>
        <source>%1, with the number of its layer</source>
        <translation>%1（数字是层号）</translation>
    </message>
    <message>
        <source>%1, what if %2</source>
        <translation>%1，假如：%2</translation>
    </message>
    <message>
        <source>tokens n, for layers of width d = %1</source>
        <translation>词元数 n（层的宽度 d = %1）</translation>
    </message>
    <message>
        <source>multiplications</source>
        <translation>乘法次数</translation>
    </message>
    <message>
        <source>self-attention 2n²d</source>
        <translation>自注意力 2n²d</translation>
    </message>
    <message>
        <source>recurrent 2nd²</source>
        <translation>循环 2nd²</translation>
    </message>
    <message>
        <source>convolution 3nd²</source>
        <translation>卷积 3nd²</translation>
    </message>
    <message>
        <source>rest of its layer 12nd²</source>
        <translation>同一层的其余部分 12nd²</translation>
    </message>
    <message>
        <source>n = d</source>
        <translation>n = d</translation>
    </message>
    <message>
        <source>n = 6d</source>
        <translation>n = 6d</translation>
    </message>
    <message>
        <source>this text</source>
        <translation>这段文本</translation>
    </message>
</context>
<context>
    <name>headlight::CostView</name>
    <message>
        <source>n = %1</source>
        <translation>n = %1</translation>
    </message>
    <message>
        <source>h = %1</source>
        <translation>h = %1</translation>
    </message>
    <message>
        <source>Which picture</source>
        <translation>看哪张图</translation>
    </message>
    <message>
        <source>What waits for what</source>
        <translation>谁等谁</translation>
    </message>
    <message>
        <source>Each layer at each token, in the first step of time in which all that it needs is there.</source>
        <translation>每个词元处的每一层，都排在它所需要的一切都已具备的最早一步。</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>代价多大</translation>
    </message>
    <message>
        <source>Multiplications by part of the model, counted, and the clock.</source>
        <translation>模型各部分的乘法次数（计数所得），以及实际用时。</translation>
    </message>
    <message>
        <source>While it learns or writes</source>
        <translation>训练时还是生成时</translation>
    </message>
    <message>
        <source>The right output is known: no step waits for a token that is written (teacher forcing).</source>
        <translation>正确的输出事先已知：没有一步要等前一个词元写出来（教师强制）。</translation>
    </message>
    <message>
        <source>Each token is read before the next one is written.</source>
        <translation>写出一个词元、读入它，才能写下一个。</translation>
    </message>
    <message>
        <source>Length of a text to compare with, in tokens</source>
        <translation>用来比较的文本长度（词元数）</translation>
    </message>
    <message>
        <source>What if the text had so many tokens? Lighter bars count it. The run stays as it is.</source>
        <translation>假如文本有这么多词元呢？浅色条给出计数。运行本身不变。</translation>
    </message>
    <message>
        <source>Number of heads to compare with</source>
        <translation>用来比较的头数</translation>
    </message>
    <message>
        <source>What if the same columns were shared by so many heads? As many multiplications, but each head has weights, and exponentials, of its own.</source>
        <translation>假如同样这些列由这么多个头来分呢？乘法次数一样，但每个头各有自己的权重和指数运算。</translation>
    </message>
    <message>
        <source>As it is</source>
        <translation>恢复原样</translation>
    </message>
    <message>
        <source>Length and heads as they are in this run.</source>
        <translation>长度和头数回到这次运行的实际值。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Runs this model in the background on its text at several lengths, and says how long each took. What is typed next ends it.</source>
        <translation>在后台用几种长度的文本运行这个模型，并给出各自的用时。一旦再次输入，测量就会停止。</translation>
    </message>
    <message>
        <source>Type a source to see what it costs to read it.</source>
        <translation>输入原文，看读它要花多大代价。</translation>
    </message>
    <message>
        <source>The attention of this model was stored: nothing is computed that could be counted.</source>
        <translation>这个模型的注意力是事先存下的：没有可以计数的运算。</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>computes</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>multiplications, learns</source>
        <translation>乘法次数（训练）</translation>
    </message>
    <message>
        <source>multiplications, writes</source>
        <translation>乘法次数（生成）</translation>
    </message>
    <message>
        <source>what if, learns</source>
        <translation>假如（训练）</translation>
    </message>
    <message>
        <source>what if, writes</source>
        <translation>假如（生成）</translation>
    </message>
</context>
<context>
    <name>CostWords</name>
    <message>
        <source>It waits for the last layer of its token.</source>
        <translation>它要等这个词元的最后一层。</translation>
    </message>
    <message>
        <source>It waits for the state that asks, and for the whole source.</source>
        <translation>它要等提出查询的状态，还要等整段原文。</translation>
    </message>
    <message>
        <source>It waits for what it is computed from. The right token is known before, so that no written token has to be waited for (teacher forcing).</source>
        <translation>它要等自己的输入算好。正确的词元事先已知，所以不必等前一个词元写出来（教师强制）。</translation>
    </message>
    <message>
        <source>It waits for what it is computed from: at the first layer also for the token that was written before.</source>
        <translation>它要等自己的输入算好：在第一层，还要等前一个词元写出来。</translation>
    </message>
    <message>
        <source>It waits for what it is computed from. What stands in the same column waits for nothing of it: all of that could be computed at the same time.</source>
        <translation>它要等自己的输入算好。同一列的方块互不等待：可以同时计算。</translation>
    </message>
    <message>
        <source>learns</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>writes</source>
        <translation>生成</translation>
    </message>
    <message>
        <source>queries, keys, values</source>
        <translation>查询、键、值</translation>
    </message>
    <message>
        <source>scores</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>mixing values</source>
        <translation>混合值</translation>
    </message>
    <message>
        <source>feed-forward</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>recurrence</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>output layer</source>
        <translation>输出层</translation>
    </message>
    <message>
        <source>other layers</source>
        <translation>其他层</translation>
    </message>
    <message>
        <source>Each token is turned into its query, key and value, and what the heads bring is joined: 4 n d² a layer of self-attention.</source>
        <translation>每个词元变成自己的查询、键和值，各个头的结果再合在一起：每层自注意力 4 n d²。</translation>
    </message>
    <message>
        <source>Each query is compared with each key: n² d a layer, for any number of heads. It grows with the square of the text.</source>
        <translation>每个查询与每个键比较：每层 n² d，与头数无关。它随文本长度的平方增长。</translation>
    </message>
    <message>
        <source>Values are added in the shares of the weights: n² d a layer, as much as the scores.</source>
        <translation>按权重把值加起来：每层 n² d，与得分一样多。</translation>
    </message>
    <message>
        <source>Each token by itself, through a wider layer and back: 2 n d · d_ff a layer.</source>
        <translation>每个词元各自经过更宽的一层再回来：每层 2 n d · d_ff。</translation>
    </message>
    <message>
        <source>Each token changes the state: n d² for each matrix of a gate.</source>
        <translation>每个词元都改变状态：门的每个矩阵 n d²。</translation>
    </message>
    <message>
        <source>Each token with its neighbours, k of them: k n d², twice that with gates.</source>
        <translation>每个词元与相邻的词元一起，共 k 个：k n d²，带门时加倍。</translation>
    </message>
    <message>
        <source>For each token that is written, a number for each token of the vocabulary.</source>
        <translation>每写一个词元，都要为词表中的每个词元算一个数。</translation>
    </message>
    <message>
        <source>What brings vectors from one width to another.</source>
        <translation>把向量从一种宽度变到另一种宽度。</translation>
    </message>
    <message>
        <source>encoder</source>
        <translation>编码器</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>解码器</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>注意力</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, from the end</source>
        <translation>%1，从末尾读起</translation>
    </message>
    <message>
        <source>%1 at %2: step %3 of %4.</source>
        <translation>%2 处的%1：共 %4 步中的第 %3 步。</translation>
    </message>
</context>
<context>
    <name>headlight::KvCacheCanvas</name>
    <message>
        <source>one key-value head for all</source>
        <translation>所有头共用一个键值头</translation>
    </message>
    <message>
        <source>%1 key-value heads, one for each head</source>
        <translation>%1 个键值头，每个头一个</translation>
    </message>
    <message>
        <source>%1 key-value heads, each for %2 heads</source>
        <translation>%1 个键值头，每 %2 个头共用一个</translation>
    </message>
    <message>
        <source>a window of %1 tokens</source>
        <translation>%1 个词元的窗口</translation>
    </message>
    <message>
        <source>; beside them and fixed: %1 of the source</source>
        <translation>；此外原文的键和值固定占 %1</translation>
    </message>
    <message>
        <source>%1 tokens × %2 layers</source>
        <translation>%1 个词元 × %2 层</translation>
    </message>
    <message>
        <source>%1 reads the row of %2 most: %3 of its attention.</source>
        <translation>%1 读得最多的是 %2 这一行：占它注意力的 %3。</translation>
    </message>
    <message>
        <source>All %1 tokens of the first message (%2) are still there, with %3 of it.</source>
        <translation>第一条消息（%2）的 %1 个词元都还在，占其中 %3。</translation>
    </message>
    <message>
        <source>%1 of the %2 tokens of the first message (%3) are still there, with %4 of it.</source>
        <translation>第一条消息（%3）的 %2 个词元中还有 %1 个，占其中 %4。</translation>
    </message>
    <message>
        <source>Cache of keys and values, %1 layers, %2 tokens</source>
        <translation>键和值的缓存，%1 层，%2 个词元</translation>
    </message>
    <message>
        <source>Cache of keys and values, none</source>
        <translation>键和值的缓存：没有内容</translation>
    </message>
    <message>
        <source>This model keeps no keys and values of what it writes.</source>
        <translation>这个模型不保存所写内容的键和值。</translation>
    </message>
    <message>
        <source>New is the row of %1.</source>
        <translation>新增的是 %1 这一行。</translation>
    </message>
    <message>
        <source>Computed from the settings of this model, for a model that would have been made so. Heads that share their keys and values need fewer of them (grouped-query attention); a window forgets what is far behind. What such a model would write is another question.</source>
        <translation>根据这个模型的设置算出，假想它当初就是那样设计的。几个头共用键和值，要保存的就少（分组查询注意力）；窗口则忘掉远处的内容。那样的模型会写出什么，是另一个问题。</translation>
    </message>
    <message>
        <source>%1: a click shows the cache when this token had been read. A row takes %2.</source>
        <translation>%1：点击可看刚读完这个词元时的缓存。一行占 %2。</translation>
    </message>
    <message>
        <source>Value of %1, %2, key-value head %3: %4 numbers</source>
        <translation>%1 的值，%2，第 %3 个键值头：%4 个数</translation>
    </message>
    <message>
        <source>Key of %1, %2, key-value head %3: %4 numbers</source>
        <translation>%1 的键，%2，第 %3 个键值头：%4 个数</translation>
    </message>
    <message>
        <source>It is not there yet: this token is read later.</source>
        <translation>现在还没有：这个词元要到后面才读。</translation>
    </message>
    <message>
        <source>%1 gives it %2 of its attention.</source>
        <translation>%1 把 %2 的注意力给了它。</translation>
    </message>
    <message>
        <source>Values are what is mixed. They were computed when the token was read, and never again.</source>
        <translation>值是用来混合的。它们在读入词元时算出，以后不再重算。</translation>
    </message>
    <message>
        <source>Keys are what queries are compared with. Without a cache, all of them would be computed anew for every token that is written.</source>
        <translation>键用来与查询比较。没有缓存的话，每写一个词元都要把所有的键重算一遍。</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>键</translation>
    </message>
    <message>
        <source>without windows</source>
        <translation>不用窗口</translation>
    </message>
    <message>
        <source>the same in 8 bits</source>
        <translation>同样的内容，用 8 位</translation>
    </message>
    <message>
        <source>one latent for all heads</source>
        <translation>所有头共用一个潜向量</translation>
    </message>
    <message>
        <source>latent</source>
        <translation>潜向量</translation>
    </message>
    <message>
        <source>grouped</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>whole</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>window of %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>after %1 tokens, in float32; %2 in float16</source>
        <translation>读了 %1 个词元之后（float32）；用 float16 则为 %2</translation>
    </message>
    <message>
        <source>after %1 tokens, in %2 as its file has them; here they are computed in float32</source>
        <translation>读了 %1 个词元之后，按它的文件用 %2；这里用 float32 计算</translation>
    </message>
    <message>
        <source>%1 rows that the windows leave (the others are grey)</source>
        <translation>窗口留下的 %1 行（其余为灰色）</translation>
    </message>
    <message>
        <source>%1 × (%2 numbers of the latent + %3 that are turned) × %4 bytes</source>
        <translation>%1 ×（潜向量的 %2 个数 + 旋转的 %3 个数）× %4 字节</translation>
    </message>
    <message>
        <source>%1 × key and value × %2 heads × %3 numbers × %4 bytes</source>
        <translation>%1 × 键和值 × %2 个头 × %3 个数 × %4 字节</translation>
    </message>
    <message>
        <source>The part of the key of %1 that is turned, %2: %3 numbers, for all heads</source>
        <translation>%1 的键中旋转的部分，%2：%3 个数，供所有头使用</translation>
    </message>
    <message>
        <source>Latent of %1, %2: %3 numbers, of which all heads make their keys and values</source>
        <translation>%1 的潜向量，%2：%3 个数，所有头由它算出键和值</translation>
    </message>
    <message>
        <source>It is shared by %1.</source>
        <translation>%1共用它。</translation>
    </message>
    <message>
        <source>Of the source: it was computed once and stays.</source>
        <translation>属于原文：只计算一次，一直保留。</translation>
    </message>
    <message>
        <source>The window of this layer has dropped it: the next token does not look at it, and it is not counted. This program keeps it all the same, and hides it.</source>
        <translation>这一层的窗口已经丢掉它：下一个词元不再看它，也不计入。本程序仍然保存它，只是把它遮住。</translation>
    </message>
    <message>
        <source>turned part</source>
        <translation>旋转的部分</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>kept by then</source>
        <translation>到此保存</translation>
    </message>
    <message>
        <source>Of the source, computed once: they stay</source>
        <translation>原文的行：只计算一次，一直保留</translation>
    </message>
</context>
<context>
    <name>headlight::KvCacheView</name>
    <message>
        <source>window %1</source>
        <translation>窗口 %1</translation>
    </message>
    <message>
        <source>How many tokens have been read</source>
        <translation>已经读了多少个词元</translation>
    </message>
    <message>
        <source>The cache at that moment: each token that is read adds a row to every layer. Arrow keys go there too.</source>
        <translation>那一刻的缓存：每读一个词元，每一层就多一行。方向键也可以前后移动。</translation>
    </message>
    <message>
        <source>Window to compare with, in tokens</source>
        <translation>用来比较的窗口（词元数）</translation>
    </message>
    <message>
        <source>What the cache would take if every layer looked only at so many of the last tokens. The model itself stays as it is.</source>
        <translation>假如每一层只看最后这么多个词元，缓存要占多少。模型本身不变。</translation>
    </message>
    <message>
        <source>Type a source to see what the model keeps of what it reads.</source>
        <translation>输入原文，看模型为读过的内容保存了什么。</translation>
    </message>
    <message>
        <source>This model keeps no keys and values: only a Transformer that writes has such a cache.</source>
        <translation>这个模型不保存键和值：只有会写出文本的 Transformer 才有这样的缓存。</translation>
    </message>
    <message>
        <source>tokens read</source>
        <translation>已读词元</translation>
    </message>
    <message>
        <source>new row</source>
        <translation>新的一行</translation>
    </message>
    <message>
        <source>bytes, float32</source>
        <translation>字节（float32）</translation>
    </message>
    <message>
        <source>bytes, float16</source>
        <translation>字节（float16）</translation>
    </message>
    <message>
        <source>bytes with %1 key-value heads</source>
        <translation>%1 个键值头时的字节</translation>
    </message>
    <message>
        <source>bytes with a window of %1</source>
        <translation>窗口为 %1 时的字节</translation>
    </message>
    <message>
        <source>reads most</source>
        <translation>读得最多</translation>
    </message>
    <message>
        <source>bytes, %1</source>
        <translation>字节（%1）</translation>
    </message>
    <message>
        <source>bytes, 8 bits</source>
        <translation>字节（8 位）</translation>
    </message>
    <message>
        <source>rows in %1</source>
        <translation>%1的行数</translation>
    </message>
    <message>
        <source>bytes in %1</source>
        <translation>%1的字节</translation>
    </message>
    <message>
        <source>bytes without windows</source>
        <translation>不用窗口时的字节</translation>
    </message>
</context>
<context>
    <name>InfluenceWords</name>
    <message>
        <source>embedding</source>
        <translation>嵌入</translation>
    </message>
    <message>
        <source>self-attention</source>
        <translation>自注意力</translation>
    </message>
    <message>
        <source>cross-attention</source>
        <translation>交叉注意力</translation>
    </message>
    <message>
        <source>feed-forward network</source>
        <translation>前馈网络</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积</translation>
    </message>
    <message>
        <source>initial state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>cell</source>
        <translation>单元</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>state</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Of the encoder.</source>
        <translation>属于编码器。</translation>
    </message>
    <message>
        <source>Of the decoder.</source>
        <translation>属于解码器。</translation>
    </message>
    <message>
        <source>What the first layer is given for each token.</source>
        <translation>第一层从每个词元得到的输入。</translation>
    </message>
    <message>
        <source>The sum after this part of the layer: what goes on through the residual connection.</source>
        <translation>本层这一部分之后的和：沿残差连接继续传下去的内容。</translation>
    </message>
    <message>
        <source>What the convolution and its gate made of a small window, with the residual connection.</source>
        <translation>卷积和它的门从一个小窗口得到的结果，已加上残差连接。</translation>
    </message>
    <message>
        <source>What the cell hands on from token to token.</source>
        <translation>单元从一个词元传给下一个词元的内容。</translation>
    </message>
    <message>
        <source>What attention brought from the source.</source>
        <translation>注意力从原文取来的内容。</translation>
    </message>
    <message>
        <source>What the next layer, or the attention, reads.</source>
        <translation>下一层或注意力要读的内容。</translation>
    </message>
</context>
<context>
    <name>headlight::InfluenceCanvas</name>
    <message>
        <source>%1 at %2</source>
        <translation>%2处的%1</translation>
    </message>
    <message>
        <source>the score of %1</source>
        <translation>%1的得分</translation>
    </message>
    <message>
        <source>%1 moves %2: length of the derivative %3</source>
        <translation>%1对%2的影响：导数的长度为 %3</translation>
    </message>
    <message>
        <source>%1 is reached by %2 of %3 inputs</source>
        <translation>%3 个输入中有 %2 个能到达%1</translation>
    </message>
    <message>
        <source>%1, without a step from token to token.</source>
        <translation>%1，不需要在词元之间移动。</translation>
    </message>
    <message>
        <source>%1, each over one step from token to token at most.</source>
        <translation>%1，每个最多经过一步（从词元到词元）。</translation>
    </message>
    <message>
        <source>%1, the farthest over %2 steps from token to token.</source>
        <translation>%1，最远的要经过 %2 步（从词元到词元）。</translation>
    </message>
    <message>
        <source>How much each token still moves %1, on a logarithmic scale.</source>
        <translation>每个词元对%1还有多大影响（对数刻度）。</translation>
    </message>
    <message>
        <source>How much each state moves %1: the length of its derivative.</source>
        <translation>每个状态对%1有多大影响：导数的长度。</translation>
    </message>
    <message>
        <source>Gradients, none</source>
        <translation>梯度：无</translation>
    </message>
    <message>
        <source>Receptive field, %1 layers over %2 tokens</source>
        <translation>感受野：%1 层，%2 个词元</translation>
    </message>
    <message>
        <source>Gradients, %1 layers over %2 tokens</source>
        <translation>梯度：%1 层，%2 个词元</translation>
    </message>
    <message>
        <source>Click it to ask about what was written here.</source>
        <translation>点击它，询问这里写出的内容。</translation>
    </message>
    <message>
        <source>The mean over its tokens. A residual connection hands the gradient on as it is and adds what comes through the layer, so that lower layers get about as much as upper ones; without, each layer multiplies the gradient by its own derivative.</source>
        <translation>在各词元上的平均值。残差连接把梯度原样传下去，再加上经过该层的部分，所以低层得到的与高层差不多；没有残差连接时，每一层都要把梯度乘以自己的导数。</translation>
    </message>
    <message>
        <source>On its way back through a recurrent layer the gradient is multiplied once for each token: below 1 it vanishes, above 1 it explodes. Training then clips it: where its norm is larger than c, it is multiplied by the clip factor c / norm.</source>
        <translation>梯度沿循环层往回传时，每经过一个词元就乘一次：小于 1 就会消失，大于 1 就会爆炸。训练时会裁剪梯度：范数大于 c 时，乘以裁剪系数 c / 范数。</translation>
    </message>
    <message>
        <source>%1 cannot get there.</source>
        <translation>%1无法到达那里。</translation>
    </message>
    <message>
        <source>Steps from token to token: %1.</source>
        <translation>从词元到词元的步数：%1。</translation>
    </message>
    <message>
        <source>mean of the layer</source>
        <translation>该层的平均值</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>距离</translation>
    </message>
</context>
<context>
    <name>headlight::InfluenceView</name>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>How much each state of each layer moves the chosen output.</source>
        <translation>每一层的每个状态对所选输出有多大影响。</translation>
    </message>
    <message>
        <source>By distance</source>
        <translation>按距离</translation>
    </message>
    <message>
        <source>How much each token still moves a state, the farther it is away.</source>
        <translation>词元离得越远，对一个状态还有多大影响。</translation>
    </message>
    <message>
        <source>What gradients are compared by</source>
        <translation>按什么比较梯度</translation>
    </message>
    <message>
        <source>Type a source to see what its tokens move.</source>
        <translation>输入原文，看看其中的词元影响什么。</translation>
    </message>
    <message>
        <source>Of this model no derivatives are known: choose a recurrent model, a Transformer or one of convolutions.</source>
        <translation>这个模型没有可用的导数：请选择循环模型、Transformer 或卷积模型。</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>derivative</source>
        <translation>导数</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
</context>
<context>
    <name>headlight::ScorePartsCanvas</name>
    <message>
        <source>= %1</source>
        <translation>= %1</translation>
    </message>
    <message>
        <source>token · token</source>
        <translation>词元·词元</translation>
    </message>
    <message>
        <source>token · position</source>
        <translation>词元·位置</translation>
    </message>
    <message>
        <source>position · token</source>
        <translation>位置·词元</translation>
    </message>
    <message>
        <source>position · position</source>
        <translation>位置·位置</translation>
    </message>
    <message>
        <source>rest</source>
        <translation>其余</translation>
    </message>
    <message>
        <source>score</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>What the two tokens say to each other, wherever they stand.</source>
        <translation>两个词元之间的关系，与它们站在哪里无关。</translation>
    </message>
    <message>
        <source>What the token of the query says to the place of the key: “this word looks there”.</source>
        <translation>查询的词元与键的位置之间的关系：“这个词看那个位置”。</translation>
    </message>
    <message>
        <source>What the place of the query says to the token of the key: “from here, that word”.</source>
        <translation>查询的位置与键的词元之间的关系：“从这里看那个词”。</translation>
    </message>
    <message>
        <source>What the two places say to each other, whatever stands there.</source>
        <translation>两个位置之间的关系，与那里是什么词元无关。</translation>
    </message>
    <message>
        <source>What biases of the projections and norms and the kinds of sentences add.</source>
        <translation>投影和归一化的偏置以及句子类别所加的部分。</translation>
    </message>
    <message>
        <source>The sum of the others: what the softmax reads.</source>
        <translation>其余各项之和：softmax 读到的数。</translation>
    </message>
    <message>
        <source>%1 looks at %2</source>
        <translation>%1看%2</translation>
    </message>
    <message>
        <source>%1: it may not.</source>
        <translation>%1：不允许。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1: score %2 = %3.</source>
        <translation>%1：得分 %2 = %3。</translation>
    </message>
    <message>
        <source>Scores split into tokens and positions, %1 queries over %2 keys</source>
        <translation>得分拆成词元和位置：%1 个查询，%2 个键</translation>
    </message>
    <message>
        <source>Scores split into tokens and positions, none</source>
        <translation>得分拆成词元和位置：无</translation>
    </message>
    <message>
        <source>hidden by the mask</source>
        <translation>被掩码遮住</translation>
    </message>
    <message>
        <source>Between embedding and projection stands a norm: its scale is held as it was in this run, so that the parts add up exactly.</source>
        <translation>嵌入与投影之间有归一化：它的缩放保持本次运行时的值，所以各部分之和精确相等。</translation>
    </message>
</context>
<context>
    <name>headlight::ScorePartsView</name>
    <message>
        <source>Type a source to see what its tokens and their positions add to a score.</source>
        <translation>输入原文，看看词元和它们的位置各给得分加了多少。</translation>
    </message>
    <message>
        <source>This model does not add positions to its embeddings, so its scores do not split. Choose a Transformer with sinusoids or learned positions.</source>
        <translation>这个模型不把位置加到嵌入上，所以得分无法拆开。请选择使用正弦或学习得到的位置编码的 Transformer。</translation>
    </message>
    <message>
        <source>query</source>
        <translation>查询</translation>
    </message>
    <message>
        <source>key</source>
        <translation>键</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
</context>
<context>
    <name>headlight::ClassPlan</name>
    <message>
        <source>Class plan: %1</source>
        <translation>教案：%1</translation>
    </message>
</context>
<context>
    <name>headlight::LessonFinish</name>
    <message>
        <source>You are through.</source>
        <translation>这一课学完了。</translation>
    </message>
    <message>
        <source>%1 of %2 answers were right.</source>
        <translation>%2 个问题答对了 %1 个。</translation>
    </message>
    <message>
        <source>One was close.</source>
        <translation>有一个很接近。</translation>
    </message>
    <message>
        <source>%1 were close.</source>
        <translation>有 %1 个很接近。</translation>
    </message>
    <message>
        <source>Once more, if you like:</source>
        <translation>想再试一次的话：</translation>
    </message>
    <message>
        <source>Not answered yet.</source>
        <translation>还没有回答。</translation>
    </message>
    <message>
        <source>The next lesson:</source>
        <translation>下一课：</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
</context>
<context>
    <name>headlight::StoryPanel</name>
    <message>
        <source>What changed here</source>
        <translation>这里变了什么</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>To the mark before</source>
        <translation>到前一个标记</translation>
    </message>
    <message>
        <source>The moment before from which on a word of the output stays as it ends (PageUp).</source>
        <translation>前一个这样的时刻：从那里起，输出中的一个词一直保持到最后 (PageUp)。</translation>
    </message>
    <message>
        <source>To the next mark</source>
        <translation>到下一个标记</translation>
    </message>
    <message>
        <source>The next moment from which on a word of the output stays as it ends (PageDown).</source>
        <translation>下一个这样的时刻：从那里起，输出中的一个词一直保持到最后 (PageDown)。</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>The learning rate, and how large the gradients of each layer are.</source>
        <translation>学习率，以及每一层的梯度有多大。</translation>
    </message>
    <message>
        <source>Show the recorded run</source>
        <translation>显示录好的训练</translation>
    </message>
    <message>
        <source>A training of the same kind that came with the program, and learns.</source>
        <translation>程序自带的一次同类训练，它能学会。</translation>
    </message>
    <message>
        <source>The gradient says how each number in the model has to change for a smaller loss; its norm is how long it is.</source>
        <translation>梯度说明模型里的每个数要怎样变，损失才会变小；范数是它的长度。</translation>
    </message>
    <message>
        <source>The norm of the gradient of each layer, at the last update before this moment.</source>
        <translation>这个时刻之前最后一次更新时，每一层梯度的范数。</translation>
    </message>
    <message>
        <source>Gradient norms by layer</source>
        <translation>各层梯度范数</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>gradient norm %1</source>
        <translation>梯度范数 %1</translation>
    </message>
    <message>
        <source>%1 The recorded run learns.</source>
        <translation>%1录好的训练能学会。</translation>
    </message>
    <message>
        <source>Then and now</source>
        <translation>当时与现在</translation>
    </message>
    <message>
        <source>This moment beside the newest one, each with a handle of its own.</source>
        <translation>这一时刻与最新时刻并排，各有自己的手柄。</translation>
    </message>
</context>
<context>
    <name>headlight::LectureDialog</name>
    <message>
        <source>Title of the lecture</source>
        <translation>讲课的标题</translation>
    </message>
    <message>
        <source>Lessons and own steps in one order. PageDown walks through all of it.</source>
        <translation>课程和自己的步骤排成一个顺序。按 PageDown 依次走完。</translation>
    </message>
    <message>
        <source>&amp;Begins at</source>
        <translation>开始于(&amp;B)</translation>
    </message>
    <message>
        <source>When the lecture begins</source>
        <translation>讲课几点开始</translation>
    </message>
    <message>
        <source>&amp;Present</source>
        <translation>演示(&amp;P)</translation>
    </message>
    <message>
        <source>Show it to the room, from the selected entry on</source>
        <translation>从选中的条目起向全班演示</translation>
    </message>
    <message>
        <source>Add a &amp;lesson</source>
        <translation>添加课程(&amp;L)</translation>
    </message>
    <message>
        <source>Add a &amp;step</source>
        <translation>添加步骤(&amp;S)</translation>
    </message>
    <message>
        <source>What the window shows now…</source>
        <translation>窗口现在显示的内容…</translation>
    </message>
    <message>
        <source>Words alone: a break, a question…</source>
        <translation>只有文字：休息、提问…</translation>
    </message>
    <message>
        <source>&amp;Edit…</source>
        <translation>编辑(&amp;E)…</translation>
    </message>
    <message>
        <source>Title and words of a step of your own</source>
        <translation>自己的步骤的标题和文字</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>移除(&amp;R)</translation>
    </message>
    <message>
        <source>Take the selected entry out of the list (Delete). Ctrl+Z brings it back.</source>
        <translation>把选中的条目移出清单（Delete）。Ctrl+Z 可恢复。</translation>
    </message>
    <message>
        <source>&amp;Up</source>
        <translation>上移(&amp;U)</translation>
    </message>
    <message>
        <source>Earlier (Alt+↑)</source>
        <translation>提前（Alt+↑）</translation>
    </message>
    <message>
        <source>&amp;Down</source>
        <translation>下移(&amp;D)</translation>
    </message>
    <message>
        <source>Later (Alt+↓)</source>
        <translation>推后（Alt+↓）</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>Begin another list</source>
        <translation>开始另一份清单</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Sa&amp;ve</source>
        <translation>保存(&amp;V)</translation>
    </message>
    <message>
        <source>Save the list as a file (Ctrl+S)</source>
        <translation>把清单保存为文件（Ctrl+S）</translation>
    </message>
    <message>
        <source>Drag or Alt+↑, Alt+↓ to move; F2 changes the minutes, or a click on them. Enter opens the entry.</source>
        <translation>拖动或按 Alt+↑、Alt+↓ 移动；按 F2 或点击分钟数可改动。按回车打开条目。</translation>
    </message>
    <message>
        <source>Entries of the lecture</source>
        <translation>讲课的条目</translation>
    </message>
    <message>
        <source>not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1，已改动</translation>
    </message>
    <message>
        <source>Lecture list</source>
        <translation>讲课清单</translation>
    </message>
    <message>
        <source>1 entry</source>
        <translation>1 个条目</translation>
    </message>
    <message>
        <source>%1 entries</source>
        <translation>%1 个条目</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>%1 minutes</source>
        <translation>%1 分钟</translation>
    </message>
    <message>
        <source>%1, until %2</source>
        <translation>%1，到 %2</translation>
    </message>
    <message>
        <source>A lesson folder…</source>
        <translation>课程文件夹…</translation>
    </message>
    <message>
        <source>Open a lesson folder</source>
        <translation>打开课程文件夹</translation>
    </message>
    <message>
        <source>A step of your own</source>
        <translation>自己的步骤</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>What the room reads; **strong** and *meant* as in lessons</source>
        <translation>全班看到的文字；**粗体**和*强调*与课程中相同</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>change the list</source>
        <translation>改动清单</translation>
    </message>
    <message>
        <source>change a step</source>
        <translation>改动步骤</translation>
    </message>
    <message>
        <source>The window shows no model yet: open one first, then add it as a step.</source>
        <translation>窗口还没有显示模型：请先打开一个，再添加为步骤。</translation>
    </message>
    <message>
        <source>Open a lecture list</source>
        <translation>打开讲课清单</translation>
    </message>
    <message>
        <source>Save the lecture list</source>
        <translation>保存讲课清单</translation>
    </message>
    <message>
        <source>lecture.%1</source>
        <translation>讲课.%1</translation>
    </message>
    <message>
        <source>Lecture lists (*.%1)</source>
        <translation>讲课清单 (*.%1)</translation>
    </message>
    <message>
        <source>Save the changes of the list ‘%1’?</source>
        <translation>保存对清单“%1”的改动吗？</translation>
    </message>
    <message>
        <source>%1 min behind the plan</source>
        <translation>比计划晚 %1 分钟</translation>
    </message>
    <message>
        <source>%1 min ahead of the plan</source>
        <translation>比计划早 %1 分钟</translation>
    </message>
    <message>
        <source>as planned</source>
        <translation>按计划进行</translation>
    </message>
    <message>
        <source>Entry %1: minute %2 of %3, %4</source>
        <translation>条目 %1：第 %2 分钟，共 %3 分钟，%4</translation>
    </message>
</context>
<context>
    <name>headlight::LectureTable</name>
    <message>
        <source>own step</source>
        <translation>自己的步骤</translation>
    </message>
    <message>
        <source>own lesson</source>
        <translation>自己的课程</translation>
    </message>
    <message>
        <source>cannot be opened</source>
        <translation>无法打开</translation>
    </message>
    <message>
        <source>add an entry</source>
        <translation>添加条目</translation>
    </message>
    <message>
        <source>remove an entry</source>
        <translation>移除条目</translation>
    </message>
    <message>
        <source>move an entry</source>
        <translation>移动条目</translation>
    </message>
    <message>
        <source>change the minutes</source>
        <translation>改动分钟数</translation>
    </message>
    <message>
        <source>what</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>questions</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>minutes</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>at</source>
        <translation>时间</translation>
    </message>
</context>
<context>
    <name>headlight::LectureWalk</name>
    <message>
        <source>Entry %1 of %2</source>
        <translation>第 %1 个条目，共 %2 个</translation>
    </message>
    <message>
        <source>not in the list any more</source>
        <translation>已不在清单中</translation>
    </message>
</context>
<context>
    <name>headlight::SentencesModel</name>
    <message>
        <source>add lines</source>
        <translation>添加句子</translation>
    </message>
    <message>
        <source>remove lines</source>
        <translation>删除句子</translation>
    </message>
    <message>
        <source>change a line</source>
        <translation>改一行</translation>
    </message>
    <message>
        <source>choose the probe</source>
        <translation>选定试句</translation>
    </message>
    <message>
        <source>‘%1’</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1 stands nowhere else</source>
        <translation>%1只在这里出现</translation>
    </message>
    <message>
        <source>%1 stand nowhere else</source>
        <translation>%1都只在这里出现</translation>
    </message>
    <message>
        <source>line %1 says something else for it; both are used</source>
        <translation>第 %1 行对同一句给出了另一种说法；两行都用</translation>
    </message>
    <message>
        <source>stands in line %1 already; used once</source>
        <translation>与第 %1 行重复；只用一次</translation>
    </message>
    <message>
        <source>the probe: kept out of the training</source>
        <translation>试句：不参加训练</translation>
    </message>
    <message>
        <source>longer than %1 words; not used</source>
        <translation>超过 %1 个词；未使用</translation>
    </message>
    <message>
        <source>no %1; not used</source>
        <translation>缺少%1；未使用</translation>
    </message>
    <message>
        <source>too long for a line; not used</source>
        <translation>一行太长；未使用</translation>
    </message>
    <message>
        <source>letters that cannot be read (saved in another encoding than UTF-8?); not used</source>
        <translation>有无法读出的字符（保存时的编码可能不是 UTF-8）；未使用</translation>
    </message>
    <message>
        <source>signs that cannot be seen; not used</source>
        <translation>含有看不见的字符；未使用</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Remove line %1</source>
        <translation>删除第 %1 行</translation>
    </message>
    <message>
        <source>Remove this line (Del)</source>
        <translation>删除这一行（Del）</translation>
    </message>
    <message>
        <source>made</source>
        <translation>生成</translation>
    </message>
</context>
<context>
    <name>headlight::SentencesTable</name>
    <message>
        <source>Train on it after all</source>
        <translation>还是用它训练</translation>
    </message>
    <message>
        <source>Keep this one out as the probe</source>
        <translation>把这一句留作试句</translation>
    </message>
    <message>
        <source>Change it (F2)</source>
        <translation>改这一行（F2）</translation>
    </message>
    <message>
        <source>Remove it (Del)</source>
        <translation>删除（Del）</translation>
    </message>
</context>
<context>
    <name>headlight::SentencesFile</name>
    <message>
        <source>Your sentences cannot be kept at the moment: %1. Save them as a file.</source>
        <translation>目前无法保留你们的句子：%1。请存成文件。</translation>
    </message>
    <message>
        <source>The sentences of last time cannot be read: %1. They were put aside as %2.</source>
        <translation>上次的句子无法读取：%1。已另存为 %2。</translation>
    </message>
</context>
<context>
    <name>headlight::NeededBars</name>
    <message>
        <source>%1 sentences: %2 right</source>
        <translation>%1 句：%2 正确</translation>
    </message>
    <message>
        <source>Nothing was measured yet</source>
        <translation>还没有测量</translation>
    </message>
</context>
<context>
    <name>headlight::NeededPanel</name>
    <message>
        <source>right on sentences it never saw; measured</source>
        <translation>没见过的句子的正确率；实测</translation>
    </message>
    <message>
        <source>right on sentences it never saw; not measured yet</source>
        <translation>没见过的句子的正确率；还没有测量</translation>
    </message>
    <message>
        <source>Measure it</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>停止测量</translation>
    </message>
    <message>
        <source>Trains the same model on so many of these sentences, filled up from the word bank, and asks each the same ones that none of them saw. Fewer sentences are read more often, so that each reads as many in all.</source>
        <translation>用这些句子中的若干句（不够时由词库补足）分别训练同一个模型，再用它们都没见过的同一批句子来问。句子越少，读的遍数越多，因此每次读的总句数相同。</translation>
    </message>
    <message>
        <source>How many are needed?</source>
        <translation>需要多少句？</translation>
    </message>
</context>
<context>
    <name>headlight::WordBankPanel</name>
    <message>
        <source>English and German</source>
        <translation>英语和德语</translation>
    </message>
    <message>
        <source>English and Chinese</source>
        <translation>英语和汉语</translation>
    </message>
    <message>
        <source>English</source>
        <translation>英语</translation>
    </message>
    <message>
        <source>German</source>
        <translation>德语</translation>
    </message>
    <message>
        <source>Chinese</source>
        <translation>汉语</translation>
    </message>
    <message>
        <source>when</source>
        <translation>何时</translation>
    </message>
    <message>
        <source>who</source>
        <translation>谁</translation>
    </message>
    <message>
        <source>does</source>
        <translation>做</translation>
    </message>
    <message>
        <source>which</source>
        <translation>怎样的</translation>
    </message>
    <message>
        <source>what</source>
        <translation>什么</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>不选</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1. Click to leave it out of what is made, or to have it in again.</source>
        <translation>%1。点击后，生成句子时不用它；再点一次恢复。</translation>
    </message>
    <message>
        <source>%1 sentences are possible, %2 stand here. One in ten is kept back and asked at the end.</source>
        <translation>可以组成 %1 句，这里有 %2 句。每十句留出一句，最后用来提问。</translation>
    </message>
    <message>
        <source>In one row no word takes part: switch one on.</source>
        <translation>有一行没有选任何词：请至少选一个。</translation>
    </message>
    <message>
        <source>Combinations of these words that do not stand in the list yet, drawn at random. They show which words mean the same, so it can be measured where the model looks.</source>
        <translation>随机抽取列表里还没有的词语组合。这些句子里哪些词意思相同是已知的，因此可以测量模型看向哪里。</translation>
    </message>
    <message>
        <source>Word bank</source>
        <translation>词库</translation>
    </message>
    <message>
        <source>One pattern, every combination</source>
        <translation>一个句型，所有组合</translation>
    </message>
    <message>
        <source>marked as made</source>
        <translation>会标为“生成”</translation>
    </message>
    <message>
        <source>Make %1 more</source>
        <translation>再生成 %1 句</translation>
    </message>
    <message>
        <source>Another word bank, or one of your own from a file</source>
        <translation>换一个词库，或从文件打开自己的词库</translation>
    </message>
    <message>
        <source>A file of your own…</source>
        <translation>自己的文件…</translation>
    </message>
</context>
<context>
    <name>headlight::ForgetBox</name>
    <message>
        <source>Forget all: data and weights</source>
        <translation>全部忘掉：数据和权重</translation>
    </message>
    <message>
        <source>Deletes these lines and what was trained on them here. Asks first.</source>
        <translation>删除这些句子和这里用它们训练出的一切。会先询问。</translation>
    </message>
    <message>
        <source>Delete %1 lines and what was trained on them here? They cannot be brought back. Names of pupils still stand in models that were saved and in files that were kept: delete those yourself.</source>
        <translation>要删除 %1 行和这里用它们训练出的一切吗？删除后无法恢复。已保存的模型和文件里仍有学生的姓名，需要你自己删除。</translation>
    </message>
    <message>
        <source>Forget all</source>
        <translation>全部忘掉</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>保留</translation>
    </message>
</context>
<context>
    <name>headlight::SentencesPage</name>
    <message>
        <source>Another window has this list: what is written here is not kept; save it as a file.</source>
        <translation>另一个窗口正在使用这个列表：在这里写的不会保留，请存成文件。</translation>
    </message>
    <message>
        <source>Open sentences</source>
        <translation>打开句子</translation>
    </message>
    <message>
        <source>Sentences (*.tsv *.txt *.csv)</source>
        <translation>句子 (*.tsv *.txt *.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Open a word bank</source>
        <translation>打开词库</translation>
    </message>
    <message>
        <source>Word banks (*.json)</source>
        <translation>词库 (*.json)</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>第 %1 行：%2</translation>
    </message>
    <message>
        <source>1 line from %1.</source>
        <translation>从%1读入 1 行。</translation>
    </message>
    <message>
        <source>%1 lines from %2.</source>
        <translation>读入 %1 行，来自%2。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>One is not used: %1.</source>
        <translation>其中一行未使用：%1。</translation>
    </message>
    <message>
        <source>%1 are not used; the first is its %2.</source>
        <translation>其中 %1 行未使用；首先是%2。</translation>
    </message>
    <message>
        <source>%1 more were left out: there is room for %2 lines.</source>
        <translation>另有 %1 行没有读入：最多容纳 %2 行。</translation>
    </message>
    <message>
        <source>there is no room for another line</source>
        <translation>没有空间再加一行</translation>
    </message>
    <message>
        <source>Line %1: %2.</source>
        <translation>第 %1 行：%2。</translation>
    </message>
    <message>
        <source>There is no text on the clipboard.</source>
        <translation>剪贴板上没有文本。</translation>
    </message>
    <message>
        <source>the clipboard</source>
        <translation>剪贴板</translation>
    </message>
    <message>
        <source>Save the sentences</source>
        <translation>保存句子</translation>
    </message>
    <message>
        <source>Sentences (*.tsv)</source>
        <translation>句子 (*.tsv)</translation>
    </message>
    <message>
        <source>%1 lines were saved.</source>
        <translation>已保存 %1 行。</translation>
    </message>
    <message>
        <source>%1 lines were saved; %2 that cannot be read by a training were left out.</source>
        <translation>已保存 %1 行；另有 %2 行训练读不了，没有保存。</translation>
    </message>
    <message>
        <source>%1 were missing of these words; all stand here now.</source>
        <translation>这些词还缺 %1 句；现在全都在这里了。</translation>
    </message>
    <message>
        <source>%1 different sentences are too few to measure it: at least %2 are needed.</source>
        <translation>只有 %1 句不同的句子，不够测量：至少需要 %2 句。</translation>
    </message>
    <message>
        <source>The lines are gone.</source>
        <translation>这些句子已删除。</translation>
    </message>
    <message>
        <source>Our sentences</source>
        <translation>我们的句子</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>A text with a tab between both languages (.tsv, .txt), or a table (.csv). It can be dropped here, too.</source>
        <translation>两种语言之间用制表符分开的文本（.tsv、.txt），或表格（.csv）。也可以拖到这里。</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Lines from the clipboard: both languages with a tab or “ = ” between them, as spreadsheets give them (Ctrl+V).</source>
        <translation>剪贴板上的各行：两种语言之间用制表符或“ = ”分开，就像从电子表格复制出来的那样（Ctrl+V）。</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>As a file with a tab between both languages, for the command line.</source>
        <translation>存成两种语言之间用制表符分开的文件，供命令行使用。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Adds the line (Enter) and goes on with the next one.</source>
        <translation>添加这一行（Enter），接着写下一行。</translation>
    </message>
    <message>
        <source>a sentence of yours …</source>
        <translation>你们的一句话…</translation>
    </message>
    <message>
        <source>and what it means</source>
        <translation>它的意思</translation>
    </message>
    <message>
        <source>A sentence (%1)</source>
        <translation>一句话（%1）</translation>
    </message>
    <message>
        <source>Enter goes on to what it means. A line with “ = ” has both in one.</source>
        <translation>按 Enter 接着写它的意思。含“ = ”的一行两种语言都有。</translation>
    </message>
    <message>
        <source>What it means (%1)</source>
        <translation>它的意思（%1）</translation>
    </message>
    <message>
        <source>Enter adds the line.</source>
        <translation>按 Enter 添加这一行。</translation>
    </message>
    <message>
        <source>Lines of our sentences</source>
        <translation>我们的句子的各行</translation>
    </message>
    <message>
        <source>Names of pupils stay in a model that is saved.</source>
        <translation>保存的模型里会留下学生的姓名。</translation>
    </message>
    <message>
        <source>Del removes a line, Ctrl+Z brings it back.</source>
        <translation>Del 删除一行，Ctrl+Z 恢复。</translation>
    </message>
    <message>
        <source>Train on these</source>
        <translation>用这些句子训练</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>No line yet: type one below, paste some, open or drop a file, or let the word bank make some.</source>
        <translation>还没有句子：在下面输入、粘贴、打开或拖入文件，或者让词库生成一些。</translation>
    </message>
    <message>
        <source>%1 lines, %2 used. Words that stand in one sentence only cannot be learned.</source>
        <translation>%1 行，使用 %2 行。只在一句里出现的词学不会。</translation>
    </message>
    <message>
        <source>At least %1 different sentences are needed; %2 can be used.</source>
        <translation>至少需要 %1 句不同的句子；现在可用 %2 句。</translation>
    </message>
    <message>
        <source>Shows how a model learns these sentences (Ctrl+Enter). One in ten is kept back.</source>
        <translation>看模型怎样学会这些句子（Ctrl+Enter）。每十句留出一句。</translation>
    </message>
    <message>
        <source>No probe yet: the sentence that is tried at every moment and never trained on.</source>
        <translation>还没有试句：试句在每个时刻都拿来试，但从不参加训练。</translation>
    </message>
    <message>
        <source>The probe, never trained on: %1</source>
        <translation>试句（从不参加训练）：%1</translation>
    </message>
    <message>
        <source>Train on it after all</source>
        <translation>还是用它训练</translation>
    </message>
    <message>
        <source>Keep this one out</source>
        <translation>把这一句留出来</translation>
    </message>
    <message>
        <source>The line is used again; another sentence is tried.</source>
        <translation>这一行重新参加训练；改用另一句来试。</translation>
    </message>
    <message>
        <source>The chosen line becomes the probe: it is kept out of the training, and one sees what the model makes of it at every moment.</source>
        <translation>选中的这一行成为试句：它不参加训练，每个时刻都能看到模型怎样处理它。</translation>
    </message>
</context>
<context>
    <name>headlight::TextPage</name>
    <message>
        <source>Making the model…</source>
        <translation>正在建立模型…</translation>
    </message>
    <message>
        <source>Its training begins</source>
        <translation>训练开始</translation>
    </message>
    <message>
        <source>Trains: about %1 left</source>
        <translation>训练中：大约还要 %1</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>From here on no numbers (step %1)</source>
        <translation>从这里起不再是数（第 %1 步）</translation>
    </message>
    <message>
        <source>Waits for the other side</source>
        <translation>等另一边训练完</translation>
    </message>
    <message>
        <source>small recurrent network</source>
        <translation>小型循环网络</translation>
    </message>
    <message>
        <source>small GPT</source>
        <translation>小型 GPT</translation>
    </message>
    <message>
        <source>%1 by %2 (%3 numbers)</source>
        <translation>%1，按%2（%3 个数）</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1，按%2</translation>
    </message>
    <message>
        <source>The same %1 on two texts; both go on from %2 with the same dice.</source>
        <translation>同样的%1，读两篇文本；都从%2写下去，骰子相同。</translation>
    </message>
    <message>
        <source>A %1; it goes on from %2.</source>
        <translation>一个%1；从%2写下去。</translation>
    </message>
    <message>
        <source>So short a text is known by heart: counting %1 letters in a row does as well.</source>
        <translation>这么短的文本已能背下来：只数连续 %1 个字母也一样好。</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>The model would have %1 numbers; at most %2 are allowed: take a smaller width or fewer layers.</source>
        <translation>这个模型会有 %1 个数，最多只能有 %2 个：请减小宽度或层数。</translation>
    </message>
    <message>
        <source>Drop any text file onto a side.</source>
        <translation>把任何文本文件拖到一边。</translation>
    </message>
    <message>
        <source>Drop any text file onto a side; both train in about %1.</source>
        <translation>把任何文本文件拖到一边；两边训练大约要 %1。</translation>
    </message>
    <message>
        <source>Drop any text file onto a side; it trains in about %1.</source>
        <translation>把任何文本文件拖到一边；训练大约要 %1。</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>继续(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>暂停(&amp;P)</translation>
    </message>
    <message>
        <source>What does it learn from which text?</source>
        <translation>从哪篇文本学到什么？</translation>
    </message>
    <message>
        <source>characters</source>
        <translation>字符</translation>
    </message>
    <message>
        <source>words</source>
        <translation>词</translation>
    </message>
    <message>
        <source>byte pairs</source>
        <translation>字节对</translation>
    </message>
    <message>
        <source>Transformer</source>
        <translation>Transformer</translation>
    </message>
    <message>
        <source>recurrent network</source>
        <translation>循环网络</translation>
    </message>
    <message>
        <source>Goes on fr&amp;om</source>
        <translation>开头(&amp;O)</translation>
    </message>
    <message>
        <source>With these letters every sample begins, so that samples can be compared</source>
        <translation>每段样文都以这些字母开头，这样才能互相比较</translation>
    </message>
    <message>
        <source>D&amp;ice</source>
        <translation>骰子(&amp;I)</translation>
    </message>
    <message>
        <source>Seed of the dice that choose each next token: the same number, the same throws</source>
        <translation>选每个下一个词元的骰子的种子：数相同，掷出的也相同</translation>
    </message>
    <message>
        <source>&amp;By</source>
        <translation>按(&amp;B)</translation>
    </message>
    <message>
        <source>What the text is cut into</source>
        <translation>文本切成什么</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>模型(&amp;M)</translation>
    </message>
    <message>
        <source>A Transformer looks back at all that it has read; a recurrent network keeps one state</source>
        <translation>Transformer 回看读过的一切；循环网络只保留一个状态</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>宽度(&amp;W)</translation>
    </message>
    <message>
        <source>Numbers for each token; a model of a text has at most %1 numbers</source>
        <translation>每个词元用多少个数；文本的模型最多有 %1 个数</translation>
    </message>
    <message>
        <source>&amp;Layers</source>
        <translation>层数(&amp;L)</translation>
    </message>
    <message>
        <source>Layers on each other</source>
        <translation>叠在一起的层</translation>
    </message>
    <message>
        <source>&amp;Train</source>
        <translation>训练(&amp;T)</translation>
    </message>
    <message>
        <source>Train on each text, one after the other (Ctrl+Enter)</source>
        <translation>依次用每篇文本训练（Ctrl+Enter）</translation>
    </message>
    <message>
        <source>Pause the training, and go on (Space)</source>
        <translation>暂停训练，再继续（空格键）</translation>
    </message>
    <message>
        <source>&amp;Stop here</source>
        <translation>停在这里(&amp;S)</translation>
    </message>
    <message>
        <source>Stop the training, and keep what there is (Ctrl+.)</source>
        <translation>停止训练，保留已有的结果（Ctrl+.）</translation>
    </message>
    <message>
        <source>T&amp;able</source>
        <translation>表格(&amp;A)</translation>
    </message>
    <message>
        <source>What stands on both sides, as tables</source>
        <translation>两边的内容，以表格显示</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Both sides as PNG, SVG or PDF; the numbers of the side with the keyboard as CSV</source>
        <translation>两边导出为 PNG、SVG 或 PDF；键盘所在一边的数导出为 CSV</translation>
    </message>
    <message>
        <source>A text of your own</source>
        <translation>自己的文本</translation>
    </message>
    <message>
        <source>%1 characters, %2 different</source>
        <translation>%1 个字符，%2 种</translation>
    </message>
    <message>
        <source>There is no text yet: open or drop one.</source>
        <translation>还没有文本：请打开一篇，或拖进来。</translation>
    </message>
    <message>
        <source>Export what it writes</source>
        <translation>导出它写的内容</translation>
    </message>
</context>
<context>
    <name>headlight::TextPicture</name>
    <message>
        <source>this model</source>
        <translation>这个模型</translation>
    </message>
    <message>
        <source>letters alone</source>
        <translation>单个字母</translation>
    </message>
    <message>
        <source>pairs</source>
        <translation>两个连续</translation>
    </message>
    <message>
        <source>%1 in a row</source>
        <translation>%1 个连续</translation>
    </message>
    <message>
        <source>by</source>
        <translation>由谁</translation>
    </message>
    <message>
        <source>characters read</source>
        <translation>已读字符数</translation>
    </message>
    <message>
        <source>what it writes</source>
        <translation>它写的内容</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>What a model writes, empty</source>
        <translation>模型写的内容，空</translation>
    </message>
    <message>
        <source>What the model of %1 writes</source>
        <translation>用%1训练的模型写的内容</translation>
    </message>
    <message>
        <source>%1: perplexity %2 of a character of the last tenth, which nobody learned from. The bar is as long as its logarithm.</source>
        <translation>%1：最后十分之一里每个字符的困惑度是 %2，这部分没有用来学习。条的长度是它的对数。</translation>
    </message>
    <message>
        <source>The training has not come so far.</source>
        <translation>训练还没有到这里。</translation>
    </message>
    <message>
        <source>after %1 characters: %2</source>
        <translation>读了 %1 个字符之后：%2</translation>
    </message>
    <message>
        <source>%1 (perplexity %2)</source>
        <translation>%1（困惑度 %2）</translation>
    </message>
    <message>
        <source>Counting does it too</source>
        <translation>数一数也行</translation>
    </message>
    <message>
        <source>perplexity on the last tenth: as if so many characters were equally likely</source>
        <translation>最后十分之一的困惑度：好像有这么多个字符同样可能</translation>
    </message>
</context>
<context>
    <name>headlight::TextSide</name>
    <message>
        <source>A text file…</source>
        <translation>文本文件…</translation>
    </message>
    <message>
        <source>Open a text</source>
        <translation>打开一篇文本</translation>
    </message>
    <message>
        <source>Texts (*.txt *.md)</source>
        <translation>文本 (*.txt *.md)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>So short a text is known by heart: counting %1 letters in a row does as well (%2 and %3).</source>
        <translation>这么短的文本已能背下来：只数连续 %1 个字母也一样好（%2 和 %3）。</translation>
    </message>
    <message>
        <source>Counting %1 letters in a row does as well (%2 and %3).</source>
        <translation>只数连续 %1 个字母也一样好（%2 和 %3）。</translation>
    </message>
    <message>
        <source>Counting %1 letters in a row does better than the model (%2 and %3).</source>
        <translation>只数连续 %1 个字母比模型还好（%2 和 %3）。</translation>
    </message>
    <message>
        <source>The model does better than any counting here (%1 and %2).</source>
        <translation>模型比这里的任何一种数法都好（%1 和 %2）。</translation>
    </message>
    <message>
        <source>A text</source>
        <translation>一篇文本</translation>
    </message>
    <message>
        <source>Another text</source>
        <translation>另一篇文本</translation>
    </message>
    <message>
        <source>%1 · %2 characters, %3 different</source>
        <translation>%1 · %2 个字符，%3 种</translation>
    </message>
    <message>
        <source>Reading the text, and counting…</source>
        <translation>正在读文本并计数…</translation>
    </message>
    <message>
        <source>Train, and see here what it goes on writing.</source>
        <translation>开始训练，就能在这里看到它写什么。</translation>
    </message>
    <message>
        <source>Drop any text file here, or open one.</source>
        <translation>把任何文本文件拖到这里，或打开一个。</translation>
    </message>
    <message>
        <source>It goes on, after %1 characters read</source>
        <translation>读了 %1 个字符之后，它接着写</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>A text to learn from: one of those that came with the program, or any text file in UTF-8</source>
        <translation>用来学习的文本：程序自带的，或任何 UTF-8 文本文件</translation>
    </message>
    <message>
        <source>Open a text on the left</source>
        <translation>在左边打开一篇文本</translation>
    </message>
    <message>
        <source>Open a text on the right</source>
        <translation>在右边打开一篇文本</translation>
    </message>
    <message>
        <source>What it goes on writing</source>
        <translation>它接着写的内容</translation>
    </message>
    <message>
        <source>Numbers of the left text</source>
        <translation>左边文本的数</translation>
    </message>
    <message>
        <source>Numbers of the right text</source>
        <translation>右边文本的数</translation>
    </message>
</context>
<context>
    <name>TextWords</name>
    <message>
        <source>A harbour&apos;s log</source>
        <translation>港口日志</translation>
    </message>
    <message>
        <source>Recipes</source>
        <translation>菜谱</translation>
    </message>
    <message>
        <source>%1 is larger than %2: take a part of it.</source>
        <translation>%1 大于 %2：请取其中一部分。</translation>
    </message>
    <message>
        <source>%1 is empty: choose a text of some thousand letters.</source>
        <translation>%1 是空的：请选一篇有几千个字母的文本。</translation>
    </message>
    <message>
        <source>Line 1 of %1 begins a text in UTF-16: save it as UTF-8.</source>
        <translation>%1 的第 1 行表明这是 UTF-16 文本：请存为 UTF-8。</translation>
    </message>
    <message>
        <source>Line %1 of %2 has bytes that are no text: save it as plain text in UTF-8.</source>
        <translation>%2 的第 %1 行里有不是文本的字节：请存为 UTF-8 纯文本。</translation>
    </message>
    <message>
        <source>Line 1 of %1 is no text that was written to be read: %2.</source>
        <translation>%1 的第 1 行不是供人阅读的文本：%2。</translation>
    </message>
    <message>
        <source>Line %1 of %2 is not UTF-8: save the file in that encoding.</source>
        <translation>%2 的第 %1 行不是 UTF-8：请用这种编码保存文件。</translation>
    </message>
    <message>
        <source>%1 has %2 letters: at least %3 are needed, so add some text.</source>
        <translation>%1 有 %2 个字母，至少需要 %3 个：请再加一些文本。</translation>
    </message>
</context>
<context>
    <name>headlight::TwoRuns</name>
    <message>
        <source>same moment</source>
        <translation>同一时刻</translation>
    </message>
    <message>
        <source>Both after as many sentences read: one handle</source>
        <translation>两边都读了同样多的句子：一个手柄</translation>
    </message>
    <message>
        <source>both at %1</source>
        <translation>都到 %1</translation>
    </message>
    <message>
        <source>Each where it first had %1 right of what it never saw</source>
        <translation>各自第一次在没见过的句子上对 %1 的地方</translation>
    </message>
    <message>
        <source>Neither run has had %1 right of what it never saw</source>
        <translation>两次训练都没有在没见过的句子上对过 %1</translation>
    </message>
    <message>
        <source>both at the end</source>
        <translation>都到结尾</translation>
    </message>
    <message>
        <source>The last moment of each</source>
        <translation>各自的最后时刻</translation>
    </message>
    <message>
        <source>Stop: trainings left: %1</source>
        <translation>停止：还剩 %1 次训练</translation>
    </message>
    <message>
        <source>Train %1 seeds of each (about %2)</source>
        <translation>各训练 %1 个种子（大约 %2）</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>at</source>
        <translation>看向</translation>
    </message>
    <message>
        <source>left</source>
        <translation>左</translation>
    </message>
    <message>
        <source>right</source>
        <translation>右</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差</translation>
    </message>
    <message>
        <source>Where the two runs stand</source>
        <translation>两次训练停在哪里</translation>
    </message>
    <message>
        <source>Which moments are beside each other</source>
        <translation>把哪些时刻并排</translation>
    </message>
    <message>
        <source>By chance alone, all %1 of the left setting lie above all of the right one in 1 of 20 cases; with one each, in 1 of 2.</source>
        <translation>只凭偶然，左边设置的 %1 个全都高于右边的，20 次里有 1 次；各只训练一个时，2 次里有 1 次。</translation>
    </message>
    <message>
        <source>&amp;Table</source>
        <translation>表格(&amp;T)</translation>
    </message>
    <message>
        <source>The squares that differ, as numbers</source>
        <translation>有差别的方格，以数显示</translation>
    </message>
    <message>
        <source>E&amp;xport…</source>
        <translation>导出(&amp;X)…</translation>
    </message>
    <message>
        <source>Both pictures as PNG, SVG or PDF, or the squares that differ as CSV</source>
        <translation>两张图导出为 PNG、SVG 或 PDF，或把有差别的方格导出为 CSV</translation>
    </message>
    <message>
        <source>Squares that differ</source>
        <translation>有差别的方格</translation>
    </message>
    <message>
        <source>There are no two runs to compare.</source>
        <translation>没有两次训练可以比较。</translation>
    </message>
    <message>
        <source>Export the comparison</source>
        <translation>导出比较</translation>
    </message>
</context>
<context>
    <name>TwoRunsWords</name>
    <message>
        <source>%1 %2</source>
        <translation>%1%2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>At the end, %1 seeds of the left setting have %2 right, %3 of the right one %4</source>
        <translation>到结尾时，左边设置的 %1 个种子对 %2，右边设置的 %3 个种子对 %4</translation>
    </message>
    <message>
        <source>%1: chance alone rarely parts them so.</source>
        <translation>%1：只凭偶然很少会这样分开。</translation>
    </message>
    <message>
        <source>%1: they overlap, so nothing is shown to come from the setting.</source>
        <translation>%1：两者有重叠，所以看不出有什么来自设置。</translation>
    </message>
    <message>
        <source>Nothing differs: the same settings and the same seed.</source>
        <translation>没有什么不同：设置相同，种子也相同。</translation>
    </message>
    <message>
        <source>Only the seed differs.</source>
        <translation>只有种子不同。</translation>
    </message>
    <message>
        <source>%1 (%2, %3)</source>
        <translation>%1（%2、%3）</translation>
    </message>
    <message>
        <source>Other settings: %1. One run of each does not show what comes from them, for another seed gives another picture, too; %2 seeds of each can.</source>
        <translation>其他设置不同：%1。各训练一次看不出什么来自这些设置，因为换一个种子图也会不同；各训练 %2 个种子才行。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Neither run has %1 right at any moment: the end of each is shown.</source>
        <translation>两次训练在任何时刻都没有对过 %1：显示各自的结尾。</translation>
    </message>
    <message>
        <source>The left run has %1 right at no moment: its end is shown.</source>
        <translation>左边的训练从没有对过 %1：显示它的结尾。</translation>
    </message>
    <message>
        <source>The right run has %1 right at no moment: its end is shown.</source>
        <translation>右边的训练从没有对过 %1：显示它的结尾。</translation>
    </message>
    <message>
        <source>%1 right and %2 right</source>
        <translation>分别对 %1 和 %2</translation>
    </message>
    <message>
        <source>The same score, the same picture</source>
        <translation>同样的正确率，同样的图</translation>
    </message>
    <message>
        <source>The same score, another picture</source>
        <translation>同样的正确率，不同的图</translation>
    </message>
    <message>
        <source>1 word of the output differs.</source>
        <translation>输出里有 1 个词不同。</translation>
    </message>
    <message>
        <source>%1 words of the output differ.</source>
        <translation>输出里有 %1 个词不同。</translation>
    </message>
    <message>
        <source>no square differs by more than %1.</source>
        <translation>没有方格相差超过 %1。</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1看向%2</translation>
    </message>
    <message>
        <source>1 square differs by more than %1 (outlined): %2, %3 and %4.</source>
        <translation>1 个方格相差超过 %1（已框出）：%2，%3 和 %4。</translation>
    </message>
    <message>
        <source>%1 squares differ by more than %2 (outlined). Most: %3, %4 and %5.</source>
        <translation>%1 个方格相差超过 %2（已框出）。最大的是%3，%4 和 %5。</translation>
    </message>
    <message>
        <source>The two were not tried with the same sentence, so their pictures cannot be compared.</source>
        <translation>两次训练试的不是同一句，所以图不能比较。</translation>
    </message>
    <message>
        <source>One of the two has no attention: there are no squares to compare.</source>
        <translation>两者之一没有注意力：没有方格可以比较。</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>after %1</source>
        <translation>读了 %1 句之后</translation>
    </message>
    <message>
        <source>%1 right at its end</source>
        <translation>结尾时对 %1</translation>
    </message>
    <message>
        <source>%1 right after %2</source>
        <translation>读了 %2 句之后对 %1</translation>
    </message>
    <message>
        <source>Then</source>
        <translation>那时</translation>
    </message>
    <message>
        <source>Now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>the same in everything else</source>
        <translation>其他都相同</translation>
    </message>
</context>
<context>
    <name>headlight::Lab</name>
    <message>
        <source>What was shown before is still shown.</source>
        <translation>之前显示的内容仍在显示。</translation>
    </message>
    <message>
        <source>Nothing was written. Choose another place and try again.</source>
        <translation>没有写入任何内容。请换一个位置再试。</translation>
    </message>
    <message>
        <source>Our sentences</source>
        <translation>我们的句子</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 对</translation>
    </message>
    <message>
        <source>Train it again here: then the model of each moment is kept.</source>
        <translation>在这里重新训练一次：这样每个时刻的模型都会保留。</translation>
    </message>
    <message>
        <source>A training runs.</source>
        <translation>有一个训练正在进行。</translation>
    </message>
    <message>
        <source>training: preparing</source>
        <translation>训练：准备中</translation>
    </message>
    <message>
        <source>training: paused</source>
        <translation>训练：已暂停</translation>
    </message>
    <message>
        <source>training: %1 of %2 · %3 left</source>
        <translation>训练：第 %1 遍，共 %2 遍 · 还剩 %3</translation>
    </message>
</context>
<context>
    <name>headlight::LabPage</name>
    <message>
        <source>Back to the training</source>
        <translation>回到训练</translation>
    </message>
    <message>
        <source>The probe, the picture and the time line again (Esc)</source>
        <translation>重新显示试句、图和时间线 (Esc)</translation>
    </message>
    <message>
        <source>Fold away</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>What is trained</source>
        <translation>训练什么</translation>
    </message>
    <message>
        <source>The lab · two runs</source>
        <translation>实验室 · 两次训练</translation>
    </message>
    <message>
        <source>The lab · our sentences</source>
        <translation>实验室 · 我们的句子</translation>
    </message>
    <message>
        <source>The lab · a text of your own</source>
        <translation>实验室 · 自己的文本</translation>
    </message>
    <message>
        <source>The moment before, the next one</source>
        <translation>上一个时刻、下一个时刻</translation>
    </message>
    <message>
        <source>The mark before, the next one</source>
        <translation>上一个标记、下一个标记</translation>
    </message>
    <message>
        <source>The first moment, the newest</source>
        <translation>第一个时刻、最新的时刻</translation>
    </message>
    <message>
        <source>Start the training</source>
        <translation>开始训练</translation>
    </message>
    <message>
        <source>Pause the training, go on</source>
        <translation>暂停训练、继续训练</translation>
    </message>
    <message>
        <source>Stop the training, and keep what there is</source>
        <translation>停止训练，保留已有的结果</translation>
    </message>
    <message>
        <source>Into the probe</source>
        <translation>到试句</translation>
    </message>
    <message>
        <source>Open this moment in all pictures</source>
        <translation>在所有图中打开这一时刻</translation>
    </message>
    <message>
        <source>Show or hide ‘What is trained’</source>
        <translation>显示或隐藏“训练什么”</translation>
    </message>
    <message>
        <source>Back to the training, then out of the lab</source>
        <translation>回到训练，再离开实验室</translation>
    </message>
    <message>
        <source>The lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>The lab · %1</source>
        <translation>实验室 · %1</translation>
    </message>
    <message>
        <source>looks at itself</source>
        <translation>看自身</translation>
    </message>
    <message>
        <source>looks at the source</source>
        <translation>看原文</translation>
    </message>
    <message>
        <source>Where it looks now</source>
        <translation>它现在看哪里</translation>
    </message>
    <message>
        <source>Where it looked then</source>
        <translation>它那时看哪里</translation>
    </message>
    <message>
        <source>How sure it is now</source>
        <translation>它现在有多确定</translation>
    </message>
    <message>
        <source>How sure it was then</source>
        <translation>它那时有多确定</translation>
    </message>
    <message>
        <source>What it writes now</source>
        <translation>它现在写什么</translation>
    </message>
    <message>
        <source>What it wrote then</source>
        <translation>它那时写什么</translation>
    </message>
    <message>
        <source>Where it looks</source>
        <translation>它看哪里</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>事先记录</translation>
    </message>
    <message>
        <source>trained before</source>
        <translation>以前训练的</translation>
    </message>
    <message>
        <source>trained on this machine at %1</source>
        <translation>%1 在这台机器上训练</translation>
    </message>
    <message>
        <source>trained on %1</source>
        <translation>%1 训练</translation>
    </message>
    <message>
        <source>untrained</source>
        <translation>未经训练</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>种子 %1</translation>
    </message>
    <message>
        <source>%1 numbers</source>
        <translation>%1 个参数</translation>
    </message>
    <message>
        <source>One handle for both.</source>
        <translation>两边共用一个手柄。</translation>
    </message>
    <message>
        <source>Drag it: both pictures follow.</source>
        <translation>拖动它：两张图都会跟随。</translation>
    </message>
    <message>
        <source>Change the probe by typing; it is taken out of the data.</source>
        <translation>直接输入即可更换试句；它会从数据中取出。</translation>
    </message>
    <message>
        <source>Ctrl+Enter starts.</source>
        <translation>Ctrl+Enter 开始。</translation>
    </message>
    <message>
        <source>Struck: not right. Bold: sure.</source>
        <translation>划掉：不对。粗体：确定。</translation>
    </message>
    <message>
        <source>Space pauses.</source>
        <translation>空格键暂停。</translation>
    </message>
    <message>
        <source>Space goes on.</source>
        <translation>空格键继续。</translation>
    </message>
    <message>
        <source>A mark: from here on, this word stays as it ends.</source>
        <translation>标记：从这里起，这个词一直保持到最后。</translation>
    </message>
    <message>
        <source>Drag the handle; PageDown goes to the next mark.</source>
        <translation>拖动手柄；PageDown 跳到下一个标记。</translation>
    </message>
    <message>
        <source>Memory was full: every second moment went.</source>
        <translation>内存已满：每隔一个时刻舍去了一个。</translation>
    </message>
    <message>
        <source>One run alone</source>
        <translation>只看一次训练</translation>
    </message>
    <message>
        <source>Again with another seed</source>
        <translation>换个种子再训练</translation>
    </message>
    <message>
        <source>The same training from other initial weights; this one stays as a thin line</source>
        <translation>从另一组初始权重开始同样的训练；这一次保留为细线</translation>
    </message>
    <message>
        <source>Keep it…</source>
        <translation>保留…</translation>
    </message>
    <message>
        <source>Write the model of this training, or all of its moments, to a folder or a file</source>
        <translation>把这次训练的模型，或它的所有时刻，写入文件夹或文件</translation>
    </message>
    <message>
        <source>Open this moment</source>
        <translation>打开这一时刻</translation>
    </message>
    <message>
        <source>Show the model as it was here, with the probe, in all pictures of the window (O)</source>
        <translation>用窗口的所有图显示这一时刻的模型和试句 (O)</translation>
    </message>
    <message>
        <source>Show or hide data, model and settings (P)</source>
        <translation>显示或隐藏数据、模型和设置 (P)</translation>
    </message>
    <message>
        <source>Which attention</source>
        <translation>哪个注意力</translation>
    </message>
    <message>
        <source>Each layer and head looks in its own way.</source>
        <translation>每一层、每个头看的方式都不同。</translation>
    </message>
    <message>
        <source>Each moment has a handle.</source>
        <translation>每个时刻各有一个手柄。</translation>
    </message>
    <message>
        <source>Drag either.</source>
        <translation>拖动任意一个。</translation>
    </message>
    <message>
        <source>The lab · then and now</source>
        <translation>实验室 · 当时与现在</translation>
    </message>
</context>
<context>
    <name>headlight::LabPicture</name>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>begins with</source>
        <translation>开头</translation>
    </message>
    <message>
        <source>goes on</source>
        <translation>续写</translation>
    </message>
    <message>
        <source>word</source>
        <translation>词</translation>
    </message>
    <message>
        <source>probability</source>
        <translation>概率</translation>
    </message>
    <message>
        <source>right would be</source>
        <translation>正确的是</translation>
    </message>
    <message>
        <source>Nothing was trained yet: Start (Ctrl+Enter).</source>
        <translation>还没有训练：请开始 (Ctrl+Enter)。</translation>
    </message>
    <message>
        <source>Nothing was asked at this moment.</source>
        <translation>这一时刻没有试句。</translation>
    </message>
    <message>
        <source>Where it looks</source>
        <translation>它看哪里</translation>
    </message>
    <message>
        <source>How sure it is of each word</source>
        <translation>它对每个词有多确定</translation>
    </message>
    <message>
        <source>What it writes</source>
        <translation>它写什么</translation>
    </message>
    <message>
        <source>%1 looks at %2: %3</source>
        <translation>%1看%2：%3</translation>
    </message>
    <message>
        <source>%1: probability %2</source>
        <translation>%1：概率 %2</translation>
    </message>
    <message>
        <source>right would be %1</source>
        <translation>正确的是 %1</translation>
    </message>
    <message>
        <source>begins with %1</source>
        <translation>以%1开头</translation>
    </message>
</context>
<context>
    <name>headlight::NeededSizes</name>
    <message>
        <source>training on %1 sentences</source>
        <translation>正在用 %1 个句子训练</translation>
    </message>
</context>
<context>
    <name>headlight::ProbeOutput</name>
    <message>
        <source>Output at this moment</source>
        <translation>这一时刻的输出</translation>
    </message>
    <message>
        <source>%1: probability %2</source>
        <translation>%1：概率 %2</translation>
    </message>
    <message>
        <source>right would be %1</source>
        <translation>正确的是 %1</translation>
    </message>
    <message>
        <source>%1 (not right)</source>
        <translation>%1（不对）</translation>
    </message>
</context>
<context>
    <name>headlight::ProbeBand</name>
    <message>
        <source>The probe: computing…</source>
        <translation>试句：正在计算…</translation>
    </message>
    <message>
        <source>The probe: a text of yours, at this moment</source>
        <translation>试句：你自己的文本，在这一时刻</translation>
    </message>
    <message>
        <source>The probe: never shown in training</source>
        <translation>试句：训练中从未出现</translation>
    </message>
    <message>
        <source>it has not begun</source>
        <translation>还没有开始</translation>
    </message>
    <message>
        <source>nothing yet</source>
        <translation>还没有输出</translation>
    </message>
    <message>
        <source>becomes</source>
        <translation>变成</translation>
    </message>
    <message>
        <source>Probe</source>
        <translation>试句</translation>
    </message>
    <message>
        <source>A text that the training never sees. Type another one, and the model of this moment reads it.</source>
        <translation>训练从未见过的文本。输入另一个文本，这一时刻的模型就会读它。</translation>
    </message>
</context>
<context>
    <name>headlight::ChatField</name>
    <message>
        <source>In a chat: the answer stays as a message, and you go on; above the last message, another one</source>
        <translation>在聊天中：回答留作消息，由你继续；在最后一条消息之前，则再加一条消息</translation>
    </message>
    <message>
        <source>In a chat: a new line</source>
        <translation>在聊天中：换行</translation>
    </message>
    <message>
        <source>In a chat: to the message above or below, from the first or last line of one</source>
        <translation>在聊天中：从消息的首行或末行到上一条或下一条消息</translation>
    </message>
    <message>
        <source>In a chat: move the message up or down</source>
        <translation>在聊天中：把消息上移或下移</translation>
    </message>
    <message>
        <source>In a chat: remove a message that is empty</source>
        <translation>在聊天中：删除空消息</translation>
    </message>
</context>
<context>
    <name>headlight::ChatCanvas</name>
    <message>
        <source>no bar: the template&apos;s own</source>
        <translation>没有色条：模板自己写的</translation>
    </message>
    <message>
        <source>%1, said by: %2.</source>
        <translation>%1，说话者：%2。</translation>
    </message>
    <message>
        <source>%1, written by the template itself.</source>
        <translation>%1，由模板自己写出。</translation>
    </message>
    <message>
        <source>tokens: %1</source>
        <translation>词元：%1 个</translation>
    </message>
    <message>
        <source>Line %1 of the template: %2</source>
        <translation>模板第 %1 行：%2</translation>
    </message>
    <message>
        <source>Text of the chat template, parts: %1</source>
        <translation>聊天模板的文本，%1 个部分</translation>
    </message>
    <message>
        <source>There are no messages.</source>
        <translation>没有消息。</translation>
    </message>
    <message>
        <source>line of the template that wrote it</source>
        <translation>写出它的模板行</translation>
    </message>
    <message>
        <source>what was written</source>
        <translation>写出的内容</translation>
    </message>
</context>
<context>
    <name>headlight::ChatRows</name>
    <message>
        <source>Add a message</source>
        <translation>添加一条消息</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>聊天模板</translation>
    </message>
    <message>
        <source>Enter: the answer stays, and you go on; above the last message, another one. Shift+Enter: a new line. Alt+Up, Alt+Down: moves it. Backspace in an empty one removes it.</source>
        <translation>Enter：留下回答，由你继续；在最后一条消息之前，则再加一条消息。Shift+Enter：换行。Alt+上、Alt+下：移动。在空消息中按退格键：删除。</translation>
    </message>
    <message>
        <source>Generation prompt</source>
        <translation>生成提示</translation>
    </message>
    <message>
        <source>Keep the answer</source>
        <translation>留下回答</translation>
    </message>
    <message>
        <source>Message %1, %2</source>
        <translation>第 %1 条消息，%2</translation>
    </message>
    <message>
        <source>Move message %1 down</source>
        <translation>把第 %1 条消息下移</translation>
    </message>
    <message>
        <source>Move message %1 up</source>
        <translation>把第 %1 条消息上移</translation>
    </message>
    <message>
        <source>Remove message %1</source>
        <translation>删除第 %1 条消息</translation>
    </message>
    <message>
        <source>Say something</source>
        <translation>说点什么</translation>
    </message>
    <message>
        <source>The answer of the model becomes what the assistant said, and you say what comes next.</source>
        <translation>模型的回答成为助手说过的话，接下来由你说。</translation>
    </message>
    <message>
        <source>The answer of the model</source>
        <translation>模型的回答</translation>
    </message>
    <message>
        <source>Why these words?</source>
        <translation>为什么是这些词？</translation>
    </message>
    <message>
        <source>Choosing: how each word of the answer was chosen, and what would have come instead.</source>
        <translation>选择：回答的每个词是怎样选出来的，否则会是什么。</translation>
    </message>
    <message>
        <source>What it still sees</source>
        <translation>它还看得到什么</translation>
    </message>
    <message>
        <source>The KV cache: what is kept of each word, of the first message as well.</source>
        <translation>KV 缓存：每个词留下了什么，第一条消息也在内。</translation>
    </message>
    <message>
        <source>The chat template: %1</source>
        <translation>聊天模板：%1</translation>
    </message>
    <message>
        <source>The text ends with what begins an answer, so that the model writes one.</source>
        <translation>文本以回答的开头结束，于是模型会写出回答。</translation>
    </message>
    <message>
        <source>Who says message %1</source>
        <translation>第 %1 条消息由谁说</translation>
    </message>
    <message>
        <source>template: as it is asked for</source>
        <translation>模板：按需要选择</translation>
    </message>
</context>
<context>
    <name>headlight::ChatView</name>
    <message>
        <source>The model reads a text as it is: choose Chat beside it.</source>
        <translation>模型按原样读文本：请在文本旁选择“聊天”。</translation>
    </message>
    <message>
        <source>Type a message to see what the template makes of it.</source>
        <translation>输入一条消息，看模板把它变成什么。</translation>
    </message>
    <message>
        <source>line</source>
        <translation>行</translation>
    </message>
    <message>
        <source>of the template</source>
        <translation>模板的内容</translation>
    </message>
    <message>
        <source>said by</source>
        <translation>说话者</translation>
    </message>
    <message>
        <source>what was written</source>
        <translation>写出的内容</translation>
    </message>
</context>
<context>
    <name>headlight::ChoosingBar</name>
    <message>
        <source>A token is drawn from what the stages leave.</source>
        <translation>从各阶段留下的词元中抽取一个。</translation>
    </message>
    <message>
        <source>All of generation_config.json acts, as where the library is called without settings.</source>
        <translation>generation_config.json 全部起作用，就像不带设置调用该库一样。</translation>
    </message>
    <message>
        <source>Another seed, another output; this one stays as a branch.</source>
        <translation>换一个随机种子，得到另一个输出；现在的这个留作分支。</translation>
    </message>
    <message>
        <source>As the file says</source>
        <translation>按文件所说</translation>
    </message>
    <message>
        <source>Back to the most probable token.</source>
        <translation>回到概率最高的词元。</translation>
    </message>
    <message>
        <source>Beam search</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>Draw again</source>
        <translation>再抽一次</translation>
    </message>
    <message>
        <source>Greedy decoding</source>
        <translation>贪心解码</translation>
    </message>
    <message>
        <source>How many outputs are kept side by side.</source>
        <translation>并排保留多少个输出。</translation>
    </message>
    <message>
        <source>How the next token is chosen</source>
        <translation>下一个词元怎样选出</translation>
    </message>
    <message>
        <source>It also says, and that rests: %1.</source>
        <translation>文件还说了这些，没有起作用：%1。</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>More stages</source>
        <translation>更多阶段</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>Settings that are seldom used, and do nothing now.</source>
        <translation>少用的设置，现在不起作用。</translation>
    </message>
    <message>
        <source>The best few outputs are kept side by side.</source>
        <translation>并排保留最好的几个输出。</translation>
    </message>
    <message>
        <source>The most probable token that the stages leave.</source>
        <translation>各阶段留下的词元中概率最高的一个。</translation>
    </message>
    <message>
        <source>The output ends there at the latest.</source>
        <translation>输出最晚在那里结束。</translation>
    </message>
    <message>
        <source>The sum of a finished output is divided by its length to this power.</source>
        <translation>完成的输出的总和除以其长度的这个次方。</translation>
    </message>
    <message>
        <source>Without settings</source>
        <translation>不带设置</translation>
    </message>
    <message>
        <source>beam</source>
        <translation>束搜索</translation>
    </message>
    <message>
        <source>beams</source>
        <translation>束宽</translation>
    </message>
    <message>
        <source>generation_config.json acts: %1.</source>
        <translation>generation_config.json 起作用：%1。</translation>
    </message>
    <message>
        <source>generation_config.json says, and that rests: %1.</source>
        <translation>generation_config.json 说了这些，没有起作用：%1。</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>贪心</translation>
    </message>
    <message>
        <source>length penalty</source>
        <translation>长度惩罚</translation>
    </message>
    <message>
        <source>new tokens at most</source>
        <translation>最多新词元</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>采样</translation>
    </message>
</context>
<context>
    <name>headlight::ChoosingBranchesCanvas</name>
    <message>
        <source>Branches kept</source>
        <translation>保留的分支</translation>
    </message>
    <message>
        <source>Branches kept: %1</source>
        <translation>保留的分支：%1</translation>
    </message>
    <message>
        <source>Each is an output for this text. Click a token at the left for another one.</source>
        <translation>每一行都是这段文本的一个输出。点击左边的词元可得到另一个。</translation>
    </message>
    <message>
        <source>Enter or a click goes to it, Delete forgets it.</source>
        <translation>按 Enter 或点击转到它，按 Delete 忘掉它。</translation>
    </message>
    <message>
        <source>It is the output now.</source>
        <translation>它是现在的输出。</translation>
    </message>
    <message>
        <source>None yet. Choose another token for one.</source>
        <translation>还没有。选另一个词元就会有一个。</translation>
    </message>
    <message>
        <source>least sure of %1, %2</source>
        <translation>最没把握的是%1，%2</translation>
    </message>
    <message>
        <source>stops here</source>
        <translation>到此为止</translation>
    </message>
    <message>
        <source>token %1 instead of %2</source>
        <translation>词元 %1 处不是%2</translation>
    </message>
</context>
<context>
    <name>headlight::ChoosingCanvas</name>
    <message>
        <source>%L1 others</source>
        <translation>其他 %L1 个</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 个词元</translation>
    </message>
    <message>
        <source>%L1 tokens</source>
        <translation>%L1 个词元</translation>
    </message>
    <message>
        <source>After %1: %2.</source>
        <translation>%1 之后：%2。</translation>
    </message>
    <message>
        <source>Choosing a token, none</source>
        <translation>选择词元，没有</translation>
    </message>
    <message>
        <source>Choosing token %1 of %2</source>
        <translation>选择第 %1 个词元，共 %2 个</translation>
    </message>
    <message>
        <source>From scores to the next token, stage by stage</source>
        <translation>从得分到下一个词元，逐个阶段</translation>
    </message>
    <message>
        <source>Nothing is chosen here.</source>
        <translation>这里没有选择。</translation>
    </message>
    <message>
        <source>Token %1 of the output: %2, %3. A click shows how it was chosen.</source>
        <translation>输出的第 %1 个词元：%2，%3。点击可看它怎样选出。</translation>
    </message>
    <message>
        <source>cut</source>
        <translation>剪去</translation>
    </message>
    <message>
        <source>still in</source>
        <translation>还在</translation>
    </message>
</context>
<context>
    <name>headlight::ChoosingView</name>
    <message>
        <source>This model does not write token after token: nothing is chosen step by step.</source>
        <translation>这个模型不逐个词元地写：没有逐步的选择。</translation>
    </message>
    <message>
        <source>Type a source to see how its output is chosen.</source>
        <translation>输入原文，看输出怎样选出。</translation>
    </message>
    <message>
        <source>fell at</source>
        <translation>落选于</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
</context>
<context>
    <name>ChoosingWords</name>
    <message>
        <source>%1 after the stages, %2 before</source>
        <translation>各阶段之后 %1，之前 %2</translation>
    </message>
    <message>
        <source>%1 fell at: %2.</source>
        <translation>%1落选于：%2。</translation>
    </message>
    <message>
        <source>%1 is left: %2 after the stages, %3 before.</source>
        <translation>%1留下了：各阶段之后 %2，之前 %3。</translation>
    </message>
    <message>
        <source>%1 is the most probable one that is left (%2).</source>
        <translation>留下的词元中%1概率最高（%2）。</translation>
    </message>
    <message>
        <source>%1 was written (%2); the most probable one is %3.</source>
        <translation>写出的是%1（%2）；概率最高的是%3。</translation>
    </message>
    <message>
        <source>%L1 tokens have a chance; %L2 survive. What a stage cuts, the others share out among them.</source>
        <translation>%L1 个词元有机会，%L2 个留下。一个阶段剪去的份额由其余词元分得。</translation>
    </message>
    <message>
        <source>A bias took it away.</source>
        <translation>偏置把它去掉了。</translation>
    </message>
    <message>
        <source>All %L1 tokens have a chance.</source>
        <translation>全部 %L1 个词元都有机会。</translation>
    </message>
    <message>
        <source>Another token has to come first.</source>
        <translation>第一个必须是另一个词元。</translation>
    </message>
    <message>
        <source>At temperature 0 only the most probable one stays.</source>
        <translation>温度为 0 时只留下概率最高的一个。</translation>
    </message>
    <message>
        <source>Drawn with %1: it fell on %2 (%3), the most probable one.</source>
        <translation>抽到的数是 %1：落在%2上（%3），它概率最高。</translation>
    </message>
    <message>
        <source>Drawn with %1: it fell on %2 (%3). The most probable one is %4.</source>
        <translation>抽到的数是 %1：落在%2上（%3）。概率最高的是%4。</translation>
    </message>
    <message>
        <source>Enter or a click lets the model go on from it.</source>
        <translation>按 Enter 或点击，让模型从它继续。</translation>
    </message>
    <message>
        <source>It had %1 in front of it.</source>
        <translation>在此之前它有 %1。</translation>
    </message>
    <message>
        <source>It has less than that share of the largest probability.</source>
        <translation>它的概率不到最大概率的这个份额。</translation>
    </message>
    <message>
        <source>It has no score.</source>
        <translation>它没有得分。</translation>
    </message>
    <message>
        <source>It is less probable than that.</source>
        <translation>它的概率比这个低。</translation>
    </message>
    <message>
        <source>It is less probable than the limit, which the entropy moves.</source>
        <translation>它的概率低于随熵移动的界限。</translation>
    </message>
    <message>
        <source>It is not among the most probable ones.</source>
        <translation>它不在概率最高的那些之中。</translation>
    </message>
    <message>
        <source>It is on the list of tokens that do not come first.</source>
        <translation>它在不能排第一的词元列表中。</translation>
    </message>
    <message>
        <source>It is on the list of tokens that never come.</source>
        <translation>它在永不出现的词元列表中。</translation>
    </message>
    <message>
        <source>It surprises more, or less, than what is usual here.</source>
        <translation>它比这里通常的更让人意外，或更不意外。</translation>
    </message>
    <message>
        <source>It was written.</source>
        <translation>写出的就是它。</translation>
    </message>
    <message>
        <source>It would complete a forbidden word.</source>
        <translation>它会补全一个禁用的词。</translation>
    </message>
    <message>
        <source>NaN and ∞ become numbers</source>
        <translation>NaN 和 ∞ 变成数字</translation>
    </message>
    <message>
        <source>The ones above it have that probability already.</source>
        <translation>它上面的那些已经达到这个概率。</translation>
    </message>
    <message>
        <source>The ones above it have that share of the entropy already.</source>
        <translation>它上面的那些已经达到熵的这个份额。</translation>
    </message>
    <message>
        <source>The output has to end here.</source>
        <translation>输出必须在这里结束。</translation>
    </message>
    <message>
        <source>The output may not end yet.</source>
        <translation>输出还不能结束。</translation>
    </message>
    <message>
        <source>The output that won has %1 here (%2). Output shows the tree of all beams.</source>
        <translation>胜出的输出在这里是%1（%2）。“输出”显示全部束的树。</translation>
    </message>
    <message>
        <source>With it, the same tokens in a row would stand there again.</source>
        <translation>有了它，同样的一串词元会再次出现。</translation>
    </message>
    <message>
        <source>With it, tokens in a row that were read would stand there again.</source>
        <translation>有了它，读过的一串词元会再次出现。</translation>
    </message>
    <message>
        <source>You said that %1 comes here. Of itself the model gives it %2.</source>
        <translation>你说这里是%1。模型自己给它 %2。</translation>
    </message>
    <message>
        <source>a limit that falls with the entropy</source>
        <translation>随熵下降的界限</translation>
    </message>
    <message>
        <source>a share of the entropy stays</source>
        <translation>留下熵的一部分</translation>
    </message>
    <message>
        <source>a share of the largest is needed</source>
        <translation>须达到最大概率的一个份额</translation>
    </message>
    <message>
        <source>adds to some scores</source>
        <translation>给某些得分加上一个数</translation>
    </message>
    <message>
        <source>below 1: bolder differences</source>
        <translation>低于 1：差别更大</translation>
    </message>
    <message>
        <source>encoder repetition penalty</source>
        <translation>编码器重复惩罚</translation>
    </message>
    <message>
        <source>epsilon</source>
        <translation>epsilon</translation>
    </message>
    <message>
        <source>eta</source>
        <translation>eta</translation>
    </message>
    <message>
        <source>favours what was read</source>
        <translation>偏向读过的内容</translation>
    </message>
    <message>
        <source>forbidden words</source>
        <translation>禁用的词</translation>
    </message>
    <message>
        <source>forced end</source>
        <translation>强制结束</translation>
    </message>
    <message>
        <source>forced start</source>
        <translation>强制开头</translation>
    </message>
    <message>
        <source>frequency penalty</source>
        <translation>频率惩罚</translation>
    </message>
    <message>
        <source>growing wish to end</source>
        <translation>越来越想结束</translation>
    </message>
    <message>
        <source>it ends at its longest</source>
        <translation>到最长处结束</translation>
    </message>
    <message>
        <source>least length</source>
        <translation>最小长度</translation>
    </message>
    <message>
        <source>least new tokens</source>
        <translation>最少新词元</translation>
    </message>
    <message>
        <source>log softmax</source>
        <translation>log softmax</translation>
    </message>
    <message>
        <source>lowers by how often it was written</source>
        <translation>按写过的次数降低</translation>
    </message>
    <message>
        <source>lowers what stands there already</source>
        <translation>降低已经出现的</translation>
    </message>
    <message>
        <source>lowers what was written</source>
        <translation>降低写过的</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>min-p</translation>
    </message>
    <message>
        <source>never n tokens that were read</source>
        <translation>读过的 n 个词元不再出现</translation>
    </message>
    <message>
        <source>never the same n tokens again</source>
        <translation>同样的 n 个词元不再出现</translation>
    </message>
    <message>
        <source>no end before that</source>
        <translation>在此之前不结束</translation>
    </message>
    <message>
        <source>no n-grams of the source</source>
        <translation>不重复原文的 n-gram</translation>
    </message>
    <message>
        <source>no repeated n-grams</source>
        <translation>不重复 n-gram</translation>
    </message>
    <message>
        <source>only numbers</source>
        <translation>只留数字</translation>
    </message>
    <message>
        <source>presence penalty</source>
        <translation>出现惩罚</translation>
    </message>
    <message>
        <source>probability, %</source>
        <translation>概率，%</translation>
    </message>
    <message>
        <source>raises the end more and more</source>
        <translation>越来越抬高结束</translation>
    </message>
    <message>
        <source>repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>sequence bias</source>
        <translation>序列偏置</translation>
    </message>
    <message>
        <source>suppressed at first</source>
        <translation>开头抑制</translation>
    </message>
    <message>
        <source>suppressed tokens</source>
        <translation>抑制的词元</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>the fewest that reach p stay</source>
        <translation>留下达到 p 的最少几个</translation>
    </message>
    <message>
        <source>the k most probable stay</source>
        <translation>留下概率最高的 k 个</translation>
    </message>
    <message>
        <source>the model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the probabilities stay</source>
        <translation>概率不变</translation>
    </message>
    <message>
        <source>these do not come first</source>
        <translation>这些不排第一</translation>
    </message>
    <message>
        <source>these never come</source>
        <translation>这些永不出现</translation>
    </message>
    <message>
        <source>this token comes first</source>
        <translation>这个词元排第一</translation>
    </message>
    <message>
        <source>top-h</source>
        <translation>top-h</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>top-k</translation>
    </message>
    <message>
        <source>top-p</source>
        <translation>top-p</translation>
    </message>
    <message>
        <source>typical</source>
        <translation>typical</translation>
    </message>
    <message>
        <source>what is less probable goes</source>
        <translation>概率更低的去掉</translation>
    </message>
    <message>
        <source>what surprises as much as usual stays</source>
        <translation>留下意外程度通常的</translation>
    </message>
</context>
<context>
    <name>headlight::ExpertsCanvas</name>
    <message>
        <source>router logit</source>
        <translation>路由 logit</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>length of its output</source>
        <translation>输出的长度</translation>
    </message>
    <message>
        <source>%1 (share %2)</source>
        <translation>%1（份额 %2）</translation>
    </message>
    <message numerus="yes">
        <source>%1 goes to %n of %2 experts: %3.</source>
        <translation>
            <numerusform>%1 交给 %2 个专家中的 %n 个：%3。</numerusform>
        </translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>The shared expert has %1.</source>
        <translation>共享专家的份额是 %1。</translation>
    </message>
    <message>
        <source>Expert %1: logit %2, not chosen.</source>
        <translation>专家 %1：logit 为 %2，没有选中。</translation>
    </message>
    <message>
        <source>Expert %1: logit %2, share %3</source>
        <translation>专家 %1：logit 为 %2，份额为 %3</translation>
    </message>
    <message>
        <source>%1; its output has the length %2, and adds %3.</source>
        <translation>%1；它的输出长度为 %2，加上了 %3。</translation>
    </message>
    <message>
        <source>Experts of layer %1: %2 tokens, %3 experts</source>
        <translation>第 %1 层的专家：%2 个词元，%3 个专家</translation>
    </message>
    <message>
        <source>Experts, none</source>
        <translation>专家，没有</translation>
    </message>
</context>
<context>
    <name>headlight::ExpertsView</name>
    <message>
        <source>Layer whose experts are shown</source>
        <translation>显示哪一层的专家</translation>
    </message>
    <message>
        <source>Ctrl+Up and Ctrl+Down go to the next one.</source>
        <translation>Ctrl+上 和 Ctrl+下 转到另一层。</translation>
    </message>
    <message>
        <source>Type a source to see which experts work on its tokens.</source>
        <translation>输入原文，看哪些专家处理它的词元。</translation>
    </message>
    <message>
        <source>This model has no experts: each layer has one feed-forward network for all tokens. Open a mixture of experts, such as Mixtral or OLMoE.</source>
        <translation>这个模型没有专家：每一层对所有词元用同一个前馈网络。请打开一个混合专家模型，例如 Mixtral 或 OLMoE。</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>token</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>router logit</source>
        <translation>路由 logit</translation>
    </message>
    <message>
        <source>share</source>
        <translation>份额</translation>
    </message>
</context>
<context>
    <name>headlight::AdapterDialog</name>
    <message>
        <source>Open an adapter</source>
        <translation>打开适配器</translation>
    </message>
    <message>
        <source>%1 is an adapter (LoRA): it changes some weights of a model. Choose the model that it was made for; those that it fits are in the list.</source>
        <translation>%1 是适配器（LoRA）：它改动某个模型的一些权重。请选择它所属的模型；列表中是它适合的模型。</translation>
    </message>
    <message>
        <source>%1 is an adapter (LoRA): it changes some weights of a model. Open the model that it was made for; of those that were open lately it fits none.</source>
        <translation>%1 是适配器（LoRA）：它改动某个模型的一些权重。请打开它所属的模型；最近打开过的模型都不适合它。</translation>
    </message>
    <message>
        <source>Its file calls that model %1.</source>
        <translation>它的文件把那个模型叫作 %1。</translation>
    </message>
    <message>
        <source>Models that the adapter fits</source>
        <translation>适配器适合的模型</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>打开(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Another model…</source>
        <translation>另一个模型(&amp;A)…</translation>
    </message>
    <message>
        <source>&amp;Look at its tensors</source>
        <translation>查看其张量(&amp;L)</translation>
    </message>
    <message>
        <source>Lists what it adds to each tensor: a picture, figures and singular values</source>
        <translation>列出它给每个张量加了什么：图、数字和奇异值</translation>
    </message>
    <message>
        <source>Open the model that the adapter lies over</source>
        <translation>打开适配器所属的模型</translation>
    </message>
</context>
<context>
    <name>headlight::ReportDialog</name>
    <message>
        <source>With the &amp;text and the model that are open</source>
        <translation>包含打开的文本和模型(&amp;T)</translation>
    </message>
    <message>
        <source>With the text and the model that are open</source>
        <translation>包含打开的文本和模型</translation>
    </message>
    <message>
        <source>Report a problem</source>
        <translation>报告问题</translation>
    </message>
    <message>
        <source>Whoever mends a problem needs to know this. Write what you did and what you saw in front of it, and give it to whom you have Headlight from. Nothing is sent from here.</source>
        <translation>修复问题的人需要知道这些。请在前面写下你做了什么、看到了什么，再交给为你提供 Headlight 的人。这里不会发送任何内容。</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Adds what is open now as a session, so that it can be opened as it is. It holds your text.</source>
        <translation>把现在打开的内容作为会话附上，以便原样打开。其中包含你的文本。</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>复制(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>保存(&amp;S)…</translation>
    </message>
    <message>
        <source>What I did:</source>
        <translation>我做了什么：</translation>
    </message>
    <message>
        <source>What I saw:</source>
        <translation>我看到了什么：</translation>
    </message>
    <message>
        <source>The last time that Headlight ended unexpectedly</source>
        <translation>Headlight 上次意外退出</translation>
    </message>
    <message>
        <source>What is open</source>
        <translation>打开的内容</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Texts (*.txt)</source>
        <translation>文本 (*.txt)</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>headlight::TextsModel</name>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
</context>
<context>
    <name>headlight::TextsHistogram</name>
    <message>
        <source>%1 to %2: %3 texts</source>
        <translation>%1 到 %2：%3 段文本</translation>
    </message>
    <message>
        <source>mean %1 ± %2</source>
        <translation>平均 %1 ± %2</translation>
    </message>
</context>
<context>
    <name>headlight::TextsView</name>
    <message>
        <source>unlike the other texts</source>
        <translation>与其他文本的不同</translation>
    </message>
    <message>
        <source>share on the previous token</source>
        <translation>前一个词元上的份额</translation>
    </message>
    <message>
        <source>share on the token itself</source>
        <translation>词元自身上的份额</translation>
    </message>
    <message>
        <source>share on the next token</source>
        <translation>后一个词元上的份额</translation>
    </message>
    <message>
        <source>share on the first token</source>
        <translation>第一个词元上的份额</translation>
    </message>
    <message>
        <source>share on separators</source>
        <translation>分隔符上的份额</translation>
    </message>
    <message>
        <source>share on the same word elsewhere</source>
        <translation>别处同一个词上的份额</translation>
    </message>
    <message>
        <source>share of the token that receives most</source>
        <translation>得到最多的词元的份额</translation>
    </message>
    <message>
        <source>entropy, of the largest possible</source>
        <translation>熵（占可能的最大值）</translation>
    </message>
    <message>
        <source>distance, of the longest possible</source>
        <translation>距离（占可能的最大值）</translation>
    </message>
    <message>
        <source>text %1</source>
        <translation>文本 %1</translation>
    </message>
    <message>
        <source>pasted</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>No texts yet</source>
        <translation>还没有文本</translation>
    </message>
    <message>
        <source>%1 · %2 texts</source>
        <translation>%1 · %2 段文本</translation>
    </message>
    <message>
        <source>Open a file with a text in each line (.txt, .tsv, .jsonl), drop it here, or paste lines with Ctrl+V.</source>
        <translation>打开每行一段文本的文件（.txt、.tsv、.jsonl），把它拖到这里，或用 Ctrl+V 粘贴多行。</translation>
    </message>
    <message>
        <source>No text has these words.</source>
        <translation>没有文本含有这些词。</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>&amp;Run all</source>
        <translation>全部运行(&amp;R)</translation>
    </message>
    <message>
        <source>%1 of %2 texts</source>
        <translation>%2 段文本中的 %1 段</translation>
    </message>
    <message>
        <source>%1 texts in %2 s</source>
        <translation>%1 段文本，用时 %2 秒</translation>
    </message>
    <message>
        <source>%1 shown</source>
        <translation>显示 %1 段</translation>
    </message>
    <message>
        <source>%1 could not be read</source>
        <translation>%1 段无法读取</translation>
    </message>
    <message>
        <source>Where the head looked, not why.</source>
        <translation>头看了哪里，而不是为什么。</translation>
    </message>
    <message>
        <source>No.</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Second text</source>
        <translation>第二段文本</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Find in the texts</source>
        <translation>在文本中查找</translation>
    </message>
    <message>
        <source>Search in the list of texts</source>
        <translation>在文本列表中搜索</translation>
    </message>
    <message>
        <source>Shows only texts that have every one of these words</source>
        <translation>只显示含有所有这些词的文本</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>打开(&amp;O)…</translation>
    </message>
    <message>
        <source>Open a list of texts</source>
        <translation>打开文本列表</translation>
    </message>
    <message>
        <source>A file with a text in each line: .txt, .tsv with labels, .jsonl</source>
        <translation>每行一段文本的文件：.txt、带标签的 .tsv、.jsonl</translation>
    </message>
    <message>
        <source>Run all texts</source>
        <translation>运行全部文本</translation>
    </message>
    <message>
        <source>Let the model read every text of the list, and measure what each head looks at. Once more stops it; what is there stays.</source>
        <translation>让模型读取列表中的每段文本，并测量每个头看哪里。再按一次停止；已有的保留。</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>Whose attention is measured; a head that is chosen in Heads is taken over.</source>
        <translation>测量谁的注意力；在“注意力头”中选择的头会被采用。</translation>
    </message>
    <message>
        <source>Number of each text</source>
        <translation>每段文本的数</translation>
    </message>
    <message>
        <source>What of this head stands beside each text</source>
        <translation>每段文本旁边显示这个头的哪个数</translation>
    </message>
    <message>
        <source>Order of the texts</source>
        <translation>文本的顺序</translation>
    </message>
    <message>
        <source>In which order the texts stand</source>
        <translation>文本按什么顺序排列</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>as listed</source>
        <translation>按列表</translation>
    </message>
    <message>
        <source>highest first</source>
        <translation>最高在前</translation>
    </message>
    <message>
        <source>lowest first</source>
        <translation>最低在前</translation>
    </message>
    <message>
        <source>by text</source>
        <translation>按文本</translation>
    </message>
    <message>
        <source>by label</source>
        <translation>按标签</translation>
    </message>
    <message>
        <source>%1 of each tenth</source>
        <translation>每十分之一取 %1 个</translation>
    </message>
    <message>
        <source>no label</source>
        <translation>无标签</translation>
    </message>
    <message>
        <source>log p of the output, mean of its tokens</source>
        <translation>输出的 log p，各词元的均值</translation>
    </message>
    <message>
        <source>%1, largest of the tokens</source>
        <translation>%1，各词元中最大者</translation>
    </message>
    <message>
        <source>Every text of the list is then asked: %1</source>
        <translation>列表打开后，将对每个文本计算：%1</translation>
    </message>
</context>
<context>
    <name>headlight::WordPairsPicture</name>
    <message>
        <source>(bias)</source>
        <translation>（偏置）</translation>
    </message>
    <message>
        <source>what no word brings</source>
        <translation>不由任何词带来的部分</translation>
    </message>
    <message>
        <source>One token makes the vector of each text: no other word is in it by itself. Cosine %1.</source>
        <translation>每段文本的向量只由一个词元得出：其他词都不单独在其中。余弦 %1。</translation>
    </message>
    <message>
        <source>%1 and %2 %3</source>
        <translation>%1 和 %2 %3</translation>
    </message>
    <message>
        <source>All pairs add up to the cosine, %1. Most: %2.</source>
        <translation>所有词对加起来就是余弦 %1。最大的：%2。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>，</translation>
    </message>
    <message>
        <source>%1 and %2: %3 products of units add up to %4; divided by the lengths of both vectors, %5 × %6, that is %7. A vector is %8; what a word brings to it is its own term.</source>
        <translation>%1 和 %2：%3 个维的乘积加起来是 %4；除以两个向量的长度 %5 × %6，得 %7。向量是 %8；一个词带来的就是它自己的那一项。</translation>
    </message>
    <message>
        <source>unit</source>
        <translation>维</translation>
    </message>
    <message>
        <source>part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>part of the cosine</source>
        <translation>余弦的一部分</translation>
    </message>
    <message>
        <source>word of A</source>
        <translation>A 的词</translation>
    </message>
    <message>
        <source>word of B</source>
        <translation>B 的词</translation>
    </message>
    <message>
        <source>Every pair of words has a part in the similarity; the parts add up to it.</source>
        <translation>每一对词都占相似度的一部分；各部分加起来就是它。</translation>
    </message>
    <message>
        <source>words of A</source>
        <translation>A 的词</translation>
    </message>
    <message>
        <source>words of B</source>
        <translation>B 的词</translation>
    </message>
    <message>
        <source>Click a square for its arithmetic.</source>
        <translation>点击一个方格看它怎样算出。</translation>
    </message>
    <message>
        <source>The arithmetic of the chosen pair, unit by unit</source>
        <translation>所选词对的计算，逐维列出</translation>
    </message>
</context>
<context>
    <name>SettingTitle</name>
    <message>
        <source>Score function</source>
        <translation>得分函数</translation>
    </message>
    <message>
        <source>Soft or hard</source>
        <translation>软注意力或硬注意力</translation>
    </message>
    <message>
        <source>Global or local</source>
        <translation>全局或局部</translation>
    </message>
    <message>
        <source>Hidden numbers of the score</source>
        <translation>得分的隐藏维数</translation>
    </message>
    <message>
        <source>Longest source</source>
        <translation>最长的原文</translation>
    </message>
    <message>
        <source>Half width of the window</source>
        <translation>窗口的半宽</translation>
    </message>
    <message>
        <source>Sigma of the Gaussian</source>
        <translation>高斯的 sigma</translation>
    </message>
    <message>
        <source>Beta of the window's edge</source>
        <translation>窗口边缘的 beta</translation>
    </message>
    <message>
        <source>Beta is learned</source>
        <translation>学习 beta</translation>
    </message>
    <message>
        <source>Temperature of the weights</source>
        <translation>权重的温度</translation>
    </message>
    <message>
        <source>Share of soft attention in training</source>
        <translation>训练中软注意力的比例</translation>
    </message>
    <message>
        <source>Weight of the REINFORCE loss</source>
        <translation>REINFORCE 损失的权重</translation>
    </message>
    <message>
        <source>Weight of the entropy</source>
        <translation>熵的权重</translation>
    </message>
    <message>
        <source>Weight of the doubly stochastic loss</source>
        <translation>双随机损失的权重</translation>
    </message>
    <message>
        <source>Embedding in the readout</source>
        <translation>读出层包含嵌入</translation>
    </message>
    <message>
        <source>Heads of the memory</source>
        <translation>记忆的读写头数</translation>
    </message>
    <message>
        <source>Memory begins as learned</source>
        <translation>记忆的初值由学习得到</translation>
    </message>
    <message>
        <source>Slots of the memory</source>
        <translation>记忆的槽数</translation>
    </message>
    <message>
        <source>Tanh of what is added</source>
        <translation>写入内容取 tanh</translation>
    </message>
    <message>
        <source>Width of a slot</source>
        <translation>槽的宽度</translation>
    </message>
    <message>
        <source>Norm of the tokens alone</source>
        <translation>只对词元归一化</translation>
    </message>
    <message>
        <source>Scale of the norm</source>
        <translation>归一化的缩放</translation>
    </message>
    <message>
        <source>Value at the padding</source>
        <translation>填充处的值</translation>
    </message>
    <message>
        <source>Context is scaled</source>
        <translation>缩放上下文</translation>
    </message>
    <message>
        <source>Examples for training</source>
        <translation>训练样本数</translation>
    </message>
    <message>
        <source>Examples kept back</source>
        <translation>保留的样本数</translation>
    </message>
    <message>
        <source>Parts of a batch, side by side</source>
        <translation>一批分成几份并行</translation>
    </message>
    <message>
        <source>Optimiser</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>Step size over time</source>
        <translation>学习率的变化</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>Memory of the mean gradient</source>
        <translation>梯度均值的记忆</translation>
    </message>
    <message>
        <source>Memory of the squared gradient</source>
        <translation>梯度平方的记忆</translation>
    </message>
    <message>
        <source>Added to the divisor</source>
        <translation>加在除数上的数</translation>
    </message>
    <message>
        <source>Updates of warm-up</source>
        <translation>预热的更新次数</translation>
    </message>
    <message>
        <source>Epochs before the first halving</source>
        <translation>首次减半前的轮数</translation>
    </message>
    <message>
        <source>Divided at a plateau by</source>
        <translation>停滞时除以</translation>
    </message>
    <message>
        <source>Smallest step size</source>
        <translation>最小的学习率</translation>
    </message>
    <message>
        <source>Largest norm of the gradients</source>
        <translation>梯度的最大范数</translation>
    </message>
    <message>
        <source>Largest number of the gradients</source>
        <translation>梯度中最大的数</translation>
    </message>
    <message>
        <source>Label smoothing</source>
        <translation>标签平滑</translation>
    </message>
    <message>
        <source>Teacher forcing</source>
        <translation>教师强制</translation>
    </message>
    <message>
        <source>Teacher forcing, per epoch</source>
        <translation>教师强制，每轮乘以</translation>
    </message>
    <message>
        <source>Epochs without progress</source>
        <translation>无进展的轮数上限</translation>
    </message>
    <message>
        <source>Epochs that are averaged</source>
        <translation>取平均的轮数</translation>
    </message>
    <message>
        <source>What a token is</source>
        <translation>词元是什么</translation>
    </message>
    <message>
        <source>Rarer words are unknown</source>
        <translation>出现更少的词视为未知</translation>
    </message>
    <message>
        <source>Longest pair, in tokens</source>
        <translation>句对的最大长度（词元）</translation>
    </message>
    <message>
        <source>Tokens of a window of the text</source>
        <translation>文本窗口的词元数</translation>
    </message>
    <message>
        <source>Merges of byte-pair encoding</source>
        <translation>字节对编码的合并次数</translation>
    </message>
    <message>
        <source>Capitals as small letters</source>
        <translation>大写当作小写</translation>
    </message>
    <message>
        <source>Size of an embedding</source>
        <translation>嵌入的维数</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>单元数</translation>
    </message>
    <message>
        <source>Cell</source>
        <translation>单元类型</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>层数</translation>
    </message>
    <message>
        <source>Both directions</source>
        <translation>双向</translation>
    </message>
    <message>
        <source>Directions are joined by</source>
        <translation>两个方向的合并方式</translation>
    </message>
    <message>
        <source>Layer between encoder and decoder</source>
        <translation>编码器与解码器之间的层</translation>
    </message>
    <message>
        <source>What the decoder begins with</source>
        <translation>解码器从什么开始</translation>
    </message>
    <message>
        <source>Memory is passed on too</source>
        <translation>也传递记忆单元</translation>
    </message>
    <message>
        <source>Residual connections</source>
        <translation>残差连接</translation>
    </message>
    <message>
        <source>Residual from layer</source>
        <translation>残差从第几层开始</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Dropout</translation>
    </message>
    <message>
        <source>Source read backwards</source>
        <translation>倒着读原文</translation>
    </message>
    <message>
        <source>Target written backwards</source>
        <translation>倒着写译文</translation>
    </message>
    <message>
        <source>First numbers</source>
        <translation>初始化方式</translation>
    </message>
    <message>
        <source>Bias of the forget gate</source>
        <translation>遗忘门的偏置</translation>
    </message>
    <message>
        <source>Where the context goes</source>
        <translation>上下文的去处</translation>
    </message>
    <message>
        <source>Layer that asks</source>
        <translation>由第几层提问</translation>
    </message>
    <message>
        <source>Input feeding</source>
        <translation>输入馈送</translation>
    </message>
    <message>
        <source>Context joined with the state</source>
        <translation>上下文与状态合并</translation>
    </message>
    <message>
        <source>State that asks</source>
        <translation>提问所用的状态</translation>
    </message>
    <message>
        <source>Controller</source>
        <translation>控制器</translation>
    </message>
    <message>
        <source>First state</source>
        <translation>初始状态</translation>
    </message>
    <message>
        <source>Selector gate</source>
        <translation>选择门</translation>
    </message>
    <message>
        <source>Readout</source>
        <translation>读出层</translation>
    </message>
    <message>
        <source>State that is read out</source>
        <translation>读出所用的状态</translation>
    </message>
    <message>
        <source>Size of the maxout</source>
        <translation>Maxout 的维数</translation>
    </message>
    <message>
        <source>Layers of the encoder</source>
        <translation>编码器层数</translation>
    </message>
    <message>
        <source>Layers of the decoder</source>
        <translation>解码器层数</translation>
    </message>
    <message>
        <source>Model size</source>
        <translation>模型维数</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>头数</translation>
    </message>
    <message>
        <source>Size of a head</source>
        <translation>每个头的维数</translation>
    </message>
    <message>
        <source>Key and value heads</source>
        <translation>键值头数</translation>
    </message>
    <message>
        <source>Size of the feed-forward layer</source>
        <translation>前馈层维数</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Gated feed-forward layer</source>
        <translation>门控前馈层</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>归一化</translation>
    </message>
    <message>
        <source>Place of the norm</source>
        <translation>归一化的位置</translation>
    </message>
    <message>
        <source>Epsilon of the norm</source>
        <translation>归一化的 epsilon</translation>
    </message>
    <message>
        <source>Bias of the norm</source>
        <translation>归一化的偏置</translation>
    </message>
    <message>
        <source>Norm at the end</source>
        <translation>末尾的归一化</translation>
    </message>
    <message>
        <source>Norm at the beginning</source>
        <translation>开头的归一化</translation>
    </message>
    <message>
        <source>Norm of the embeddings</source>
        <translation>嵌入的归一化</translation>
    </message>
    <message>
        <source>Position encoding</source>
        <translation>位置编码</translation>
    </message>
    <message>
        <source>Size of a position</source>
        <translation>位置的维数</translation>
    </message>
    <message>
        <source>Scale of the positions</source>
        <translation>位置的缩放</translation>
    </message>
    <message>
        <source>First position</source>
        <translation>第一个位置</translation>
    </message>
    <message>
        <source>Longest text</source>
        <translation>最长的文本</translation>
    </message>
    <message>
        <source>Positions begin anywhere</source>
        <translation>位置从随机处开始</translation>
    </message>
    <message>
        <source>Base of the rotation</source>
        <translation>旋转的基数</translation>
    </message>
    <message>
        <source>Rotated numbers of a head</source>
        <translation>每个头旋转的维数</translation>
    </message>
    <message>
        <source>Pairs of the rotation</source>
        <translation>旋转的配对方式</translation>
    </message>
    <message>
        <source>Largest relative distance</source>
        <translation>最大相对距离</translation>
    </message>
    <message>
        <source>Buckets of distances</source>
        <translation>距离的分桶数</translation>
    </message>
    <message>
        <source>Causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>Attention window</source>
        <translation>注意力窗口</translation>
    </message>
    <message>
        <source>Windows by layer</source>
        <translation>各层的窗口</translation>
    </message>
    <message>
        <source>Padding is masked</source>
        <translation>遮住填充</translation>
    </message>
    <message>
        <source>Scores divided by the root of the size</source>
        <translation>得分除以维数的平方根</translation>
    </message>
    <message>
        <source>Scale of the scores</source>
        <translation>得分的缩放</translation>
    </message>
    <message>
        <source>Scale of the scores, by layer</source>
        <translation>各层得分的缩放</translation>
    </message>
    <message>
        <source>Cap of the scores</source>
        <translation>得分的上限</translation>
    </message>
    <message>
        <source>Embeddings are scaled</source>
        <translation>缩放嵌入</translation>
    </message>
    <message>
        <source>Output uses the embeddings</source>
        <translation>输出共用嵌入</translation>
    </message>
    <message>
        <source>Dropout of the weights</source>
        <translation>权重的 Dropout</translation>
    </message>
    <message>
        <source>Dropout of the activations</source>
        <translation>激活的 Dropout</translation>
    </message>
    <message>
        <source>Biases of the attention</source>
        <translation>注意力的偏置</translation>
    </message>
    <message>
        <source>Bias of the projection</source>
        <translation>投影的偏置</translation>
    </message>
    <message>
        <source>Biases of the feed-forward layer</source>
        <translation>前馈层的偏置</translation>
    </message>
    <message>
        <source>Bias of the output</source>
        <translation>输出的偏置</translation>
    </message>
    <message>
        <source>Scale of the output</source>
        <translation>输出的缩放</translation>
    </message>
    <message>
        <source>Queries, keys and values as they are</source>
        <translation>查询、键、值不作投影</translation>
    </message>
    <message>
        <source>Norm of queries and keys</source>
        <translation>查询和键的归一化</translation>
    </message>
    <message>
        <source>Spread of the first numbers</source>
        <translation>初始数的标准差</translation>
    </message>
    <message>
        <source>Kinds of tokens</source>
        <translation>词元类型数</translation>
    </message>
    <message>
        <source>Sublayers side by side</source>
        <translation>子层并行</translation>
    </message>
    <message>
        <source>Layers share their numbers</source>
        <translation>各层共用参数</translation>
    </message>
    <message>
        <source>Heads of the decoder</source>
        <translation>解码器头数</translation>
    </message>
    <message>
        <source>Feed-forward layer of the decoder</source>
        <translation>解码器前馈层维数</translation>
    </message>
    <message>
        <source>Cap of the logits</source>
        <translation>logit 的上限</translation>
    </message>
    <message>
        <source>Width of the kernel</source>
        <translation>卷积核宽度</translation>
    </message>
    <message>
        <source>Weight normalisation</source>
        <translation>权重归一化</translation>
    </message>
    <message>
        <source>Size before the output</source>
        <translation>输出前的维数</translation>
    </message>
    <message>
        <source>Scale of the encoder's gradients</source>
        <translation>编码器梯度的缩放</translation>
    </message>
    <message>
        <source>Layers with attention</source>
        <translation>带注意力的层</translation>
    </message>
</context>
<context>
    <name>headlight::HeadsMeasures</name>
    <message>
        <source>zero</source>
        <translation>零</translation>
    </message>
    <message>
        <source>What the head has found becomes zeros.</source>
        <translation>这个头得到的结果变为零。</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Its mean over the tokens of this text takes the place.</source>
        <translation>换成它在这段文本各词元上的平均值。</translation>
    </message>
    <message>
        <source>other text</source>
        <translation>另一段文本</translation>
    </message>
    <message>
        <source>What it finds in another text takes the place.</source>
        <translation>换成它在另一段文本中得到的结果。</translation>
    </message>
    <message>
        <source>What takes the place of a head&apos;s findings</source>
        <translation>用什么代替头得到的结果</translation>
    </message>
    <message>
        <source>Zeros are unlike anything the model has learned; a mean or another text is milder.</source>
        <translation>零与模型学过的一切都不同；平均值或另一段文本更温和。</translation>
    </message>
    <message>
        <source>Another text …</source>
        <translation>另一段文本……</translation>
    </message>
    <message>
        <source>Another text</source>
        <translation>另一段文本</translation>
    </message>
    <message>
        <source>The second text of a similarity, and what a head finds instead.</source>
        <translation>相似度的第二段文本，或代替头的结果的那段文本。</translation>
    </message>
    <message>
        <source>Unit of the embedding</source>
        <translation>嵌入的维</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>正在测量……</translation>
    </message>
    <message>
        <source>%1 of %2 heads</source>
        <translation>%2 个头中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of %2 heads, %3 s to go</source>
        <translation>%2 个头中的 %1 个，还需 %3 秒</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 heads.</source>
        <translation>已停止：测了 %2 个头中的 %1 个。</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>停止(&amp;S)</translation>
    </message>
    <message>
        <source>Go &amp;on</source>
        <translation>继续(&amp;O)</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>head</source>
        <translation>头</translation>
    </message>
    <message>
        <source>looks at</source>
        <translation>看向</translation>
    </message>
    <message>
        <source>pattern</source>
        <translation>规律</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Heads, sorted: %1</source>
        <translation>排序后的头：%1</translation>
    </message>
    <message>
        <source>Named by the largest share from %1 on; broad from an entropy of %2 on.</source>
        <translation>按最大的份额命名（从 %1 起）；熵从 %2 起为平均分布。</translation>
    </message>
    <message>
        <source>Without %1: %2 (%3).</source>
        <translation>去掉%1：%2（%3）。</translation>
    </message>
    <message>
        <source>No other head is worth as much.</source>
        <translation>没有别的头作用这么大。</translation>
    </message>
    <message>
        <source>%1 of %2 texts</source>
        <translation>%1 / %2 段文本</translation>
    </message>
    <message>
        <source>%1 of %2 texts, %3 s to go</source>
        <translation>%1 / %2 段文本，还需 %3 秒</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 texts.</source>
        <translation>在 %1 / %2 段文本后停止。</translation>
    </message>
    <message>
        <source>deviation</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>first in texts</source>
        <translation>居首的文本数</translation>
    </message>
    <message>
        <source>It comes first in %1 of %2 texts.</source>
        <translation>它在 %2 段文本中的 %1 段里居首。</translation>
    </message>
    <message>
        <source>On the mean no other head is worth as much.</source>
        <translation>平均来看，没有别的头作用这么大。</translation>
    </message>
</context>
<context>
    <name>HeadsShown</name>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>with values</source>
        <translation>连同值</translation>
    </message>
    <message>
        <source>ALTI</source>
        <translation>ALTI</translation>
    </message>
    <message>
        <source>all layers</source>
        <translation>所有层</translation>
    </message>
    <message>
        <source>entropy</source>
        <translation>熵</translation>
    </message>
    <message>
        <source>distance</source>
        <translation>距离</translation>
    </message>
    <message>
        <source>effect when off</source>
        <translation>关闭的影响</translation>
    </message>
    <message>
        <source>a pair of words</source>
        <translation>一对词</translation>
    </message>
    <message>
        <source>Where the heads look: shares of each row.</source>
        <translation>头看向哪里：每一行的份额。</translation>
    </message>
    <message>
        <source>What the heads bring: weight × length of the value behind the output matrix (Kobayashi et al. 2020).</source>
        <translation>头带来什么：权重 × 经输出矩阵之后的值的长度（Kobayashi 等，2020）。</translation>
    </message>
    <message>
        <source>What a layer brings of each token, the token&apos;s own way included; last, all layers as one (Ferrando et al. 2022).</source>
        <translation>一层从每个词元带来多少，包括词元自己的路径；最后是所有层合为一体（Ferrando 等，2022）。</translation>
    </message>
    <message>
        <source>All layers as one, the residual as half of each (Abnar &amp; Zuidema 2020): no values, no feed-forward networks.</source>
        <translation>所有层合为一体，残差占每层的一半（Abnar 与 Zuidema，2020）：不含值，也不含前馈网络。</translation>
    </message>
    <message>
        <source>How spread the weight of a row is: 0 one token, 1 all alike.</source>
        <translation>一行的权重有多分散：0 为一个词元，1 为完全相同。</translation>
    </message>
    <message>
        <source>How far a head looks, as a share of the text.</source>
        <translation>头看得多远，占文本长度的份额。</translation>
    </message>
    <message>
        <source>The text is run again without each head: how much the target changes.</source>
        <translation>依次去掉每个头重新运行文本：目标变化多少。</translation>
    </message>
    <message>
        <source>How much each head looks from one word at another.</source>
        <translation>每个头从一个词看向另一个词的程度。</translation>
    </message>
    <message>
        <source>The share of its weight that a head gives there.</source>
        <translation>头给那里的权重份额。</translation>
    </message>
    <message>
        <source>How spread the weight of each head is</source>
        <translation>每个头的权重有多分散</translation>
    </message>
    <message>
        <source>How far each head looks</source>
        <translation>每个头看得多远</translation>
    </message>
    <message>
        <source>Share of the weight: %1</source>
        <translation>权重的份额：%1</translation>
    </message>
    <message>
        <source>Where a head looks, not why: other weights can give the same output.</source>
        <translation>这是头看向哪里，而不是为什么：别的权重也可能给出同样的输出。</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>brings</source>
        <translation>带来</translation>
    </message>
    <message>
        <source>Heads that look from %1 to %2</source>
        <translation>从%1看向%2的头</translation>
    </message>
    <message>
        <source>By weight %1 is first, by what it brings %2.</source>
        <translation>按权重%1居首，按带来的内容%2居首。</translation>
    </message>
    <message>
        <source>effect</source>
        <translation>影响</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>余弦</translation>
    </message>
    <message>
        <source>without it</source>
        <translation>去掉后</translation>
    </message>
    <message>
        <source>What each head is worth: the change when it is switched off in this text</source>
        <translation>每个头的作用：在这段文本中关闭它引起的变化</translation>
    </message>
    <message>
        <source>Later layers repair: effects understate what a head does.</source>
        <translation>后面的层会弥补：这些影响低估了头的作用。</translation>
    </message>
    <message>
        <source>without the first token</source>
        <translation>不含首个词元</translation>
    </message>
    <message>
        <source>Where the heads look besides the first token, often a place to rest.</source>
        <translation>除了首个词元（往往是歇脚处）之外，头看向哪里。</translation>
    </message>
    <message>
        <source>What each head is worth: the mean change when it is switched off, over %1 texts</source>
        <translation>每个头的作用：关掉它时的平均变化，%1 段文本</translation>
    </message>
</context>
<context>
    <name>headlight::TargetChip</name>
    <message>
        <source>like itself</source>
        <translation>与自身相似</translation>
    </message>
    <message>
        <source>best − second</source>
        <translation>第一 − 第二</translation>
    </message>
    <message>
        <source>logit of %1</source>
        <translation>%1的 logit</translation>
    </message>
    <message>
        <source>log p of %1</source>
        <translation>%1的 log p</translation>
    </message>
    <message>
        <source>similarity to the second text</source>
        <translation>与第二段文本的相似度</translation>
    </message>
    <message>
        <source>unit %1 of the embedding</source>
        <translation>嵌入的第 %1 维</translation>
    </message>
    <message>
        <source>What the heads are measured by: the target of all analyses. A single logit also counts what raises every token.</source>
        <translation>用什么衡量头：所有分析的目标。单个 logit 也包括抬高每个词元的部分。</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>As usual: %1</source>
        <translation>默认：%1</translation>
    </message>
    <message>
        <source>Like itself</source>
        <translation>与自身相似</translation>
    </message>
    <message>
        <source>Cosine with the embedding as it was: 1 where nothing is lost.</source>
        <translation>与原来嵌入的余弦：没有损失时为 1。</translation>
    </message>
    <message>
        <source>Similarity to a second text</source>
        <translation>与第二段文本的相似度</translation>
    </message>
    <message>
        <source>Cosine with the embedding of another text.</source>
        <translation>与另一段文本的嵌入的余弦。</translation>
    </message>
    <message>
        <source>One unit of the embedding</source>
        <translation>嵌入的一个维</translation>
    </message>
    <message>
        <source>Difference of two tokens</source>
        <translation>两个词元之差</translation>
    </message>
    <message>
        <source>Logit of a token</source>
        <translation>一个词元的 logit</translation>
    </message>
    <message>
        <source>log p of a token</source>
        <translation>一个词元的 log p</translation>
    </message>
    <message>
        <source>%1, over %2 texts</source>
        <translation>%1，%2 段文本</translation>
    </message>
    <message>
        <source>Over my texts: %1 (%2)</source>
        <translation>对我的文本：%1（%2）</translation>
    </message>
    <message>
        <source>Of this text</source>
        <translation>对这段文本</translation>
    </message>
    <message>
        <source>Mean and deviation over the list of texts.</source>
        <translation>文本列表上的平均值和标准差。</translation>
    </message>
</context>
</TS>
