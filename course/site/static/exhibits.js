// The three exhibits. The build has put the numbers of each, from its notebook, into its place on
// the page, and there a call of showExhibit: what comes after it is not laid out before, so nothing
// jumps. Without scripts the place shows a picture.
const IN_CHINESE = document.documentElement.lang.startsWith("zh");
const say = (english, chinese) => (IN_CHINESE ? chinese : english);

// An element with attributes (a function listens to its event) and children.
function make(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(4).filter((child) => child !== null));
  return element;
}

// Numbers as PyTorch prints them, with a true minus sign.
const digits = (value, places = 4) => value.toFixed(places).replace("-", "−");
const signed = (value) => (value < 0 ? "−" : "+") + Math.abs(value).toFixed(3);
// A number with four decimals, or with two where there is little room.
const number = (value) => [make("span.long", {}, digits(value)), make("span.short", {}, digits(value, 2))];
const vector = (row) => ["(", row.map((value, i) => (i ? [", ", number(value)] : number(value))), ")"];
const screen = (color) => color.map((level) => Math.round(255 * Math.min(Math.max(level, 0), 1)));
const css = (color) => `rgb(${screen(color).join(" ")})`;
const levels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
const plus = (one, two, factor = 1) => one.map((value, i) => value + factor * two[i]);
const distance = (one, two) => Math.hypot(...one.map((value, i) => value - two[i]));
const button = (text, press) => make("button", { type: "button", click: press }, text);

const swatch = (color) => make("span.swatch", { style: `background: ${css(color)}` });

// A square of one colour, on it a disc of the colour that people gave a name, and what both are.
function patch(color, disc, name, square, circle) {
  const style = `background: ${disc ?? "transparent"}`;
  const field = make(".square", { style: `background: ${css(color)}` }, make(disc ? ".disc.seen" : ".disc", { style }));
  const legend = [make("span", {}, `■ ${square}`), make("span", {}, disc ? `● ${circle}` : "\u00a0")];
  return make("figure", {}, field, make("figcaption", {}, make("strong", {}, name), legend));
}

// 1. IDs fetch rows; one-hot rows multiply.
function lookUp({ words, ids, table, colors }) {
  const ROW = 34; // the height of a row in exhibits.css
  const paint = (id) => `--token: ${colors[id]}`;
  const chip = (id) => make("span.chip", { style: paint(id) }, `${id}`, make("span", {}, words[id]));

  // A matrix; `owners` has the token of each row, or null, whose row is pale.
  function matrix(name, rows, owners, { index = false, whole = false } = {}) {
    const cells = (row, owner) =>
      row.map((value) => make(whole && value ? "td.one" : "td", {}, whole ? `${value}` : number(value)));
    const lines = rows.map((row, i) =>
      make(owners[i] === null ? "tr.pale" : "tr", { style: owners[i] === null ? "" : paint(owners[i]) },
        index ? make("th", { scope: "row" }, `${i}`) : null, cells(row)));
    const shape = make("span.shape", {}, `${rows.length}×${rows[0].length}`);
    const caption = make("caption", {}, make("span", {}, name), shape);
    return make(whole ? "table.matrix.whole" : "table.matrix", {}, caption, make("tbody", {}, lines));
  }

  // Arrows between two columns of rows, each in the colour of its token.
  function arrows(pairs, left, right) {
    const height = ROW * Math.max(left, right);
    const y = (row, rows) => (height - ROW * rows) / 2 + ROW * (row + 0.5);
    const lines = pairs.map(([from, to, id]) =>
      `<path d="M4 ${y(from, left)}L38 ${y(to, right)}" stroke="${colors[id]}" marker-end="url(#head-${id})"/>`);
    const heads = colors.map((color, id) =>
      `<marker id="head-${id}" viewBox="0 0 8 8" refX="4" refY="4" markerWidth="4.5" markerHeight="4.5" orient="auto">
       <path d="M0 0L8 4L0 8z" fill="${color}"/></marker>`);
    const frame = make(".arrows", { "aria-hidden": "true" });
    frame.innerHTML = `<svg viewBox="0 0 46 ${height}" preserveAspectRatio="none" width="46" height="${height}">
      <defs>${heads.join("")}</defs>${lines.join("")}</svg>`;
    return frame;
  }

  // On a phone the result stands under the table, and its rows come around the right edge.
  function loops(pairs, bottom) {
    const frame = make(".loops", { "aria-hidden": "true" });
    const lines = pairs.map(([from, to, id]) => {
      const [start, end] = [ROW * (from + 0.5 - words.length) + bottom, ROW * (to + 0.5)];
      return `<path d="M2 ${start}C32 ${start} 32 ${end} 6 ${end}" stroke="${colors[id]}" marker-end="url(#head-${id})"/>`;
    });
    frame.innerHTML = `<svg width="30" height="1">${lines.join("")}</svg>`;
    return frame;
  }

  const stage = make(".stage");
  const problem = make("p.moral.problem", { role: "status" });
  const typed = make("input", { id: "exhibit-ids", autocomplete: "off", input: () => show() });
  const set = (next) => { typed.value = next.join(", "); show(); };
  // IDs, and words as their IDs; whatever else was typed stays text.
  const read = () => typed.value.normalize("NFKC").split(/[\s,;!?、"'()[\]]+|[.。](?!\d)/).filter(Boolean).map((text) => {
    const id = words.findIndex((word, i) => (/^\d+$/.test(text) ? Number(text) === i : text.toLowerCase() === word));
    return id < 0 ? text : id;
  });

  function show() {
    const asked = read();
    const known = asked.filter(Number.isInteger);
    const chosen = known.slice(-6);
    const isNumber = (text) => /^[-+\d.]+$/.test(text);
    const unknown = asked.filter((id) => !Number.isInteger(id)).slice(0, 3);
    const strange = unknown.map((text) => (isNumber(text) ? text.replace(/^-/, "−") : `“${text.slice(0, 20)}”`));
    const remedy = unknown.every(isNumber)
      ? say(`the IDs are whole numbers, 0 to ${words.length - 1}`, `ID 是 0 到 ${words.length - 1} 的整数`)
      : say(`the words are ${words.join(", ")}`, `可用的词是 ${words.join("、")}`);
    problem.textContent = strange.length ? say(
      `There ${strange.length > 1 ? "are no rows" : "is no row"} ${strange.join(", ")}: ${remedy}.${chosen.length ? " The others:" : ""}`,
      `没有 ${strange.join("、")} 这一行：${remedy}。${chosen.length ? "其余的：" : ""}`)
      : known.length > 6 ? say(`The last six are shown; all ${known.length} are counted.`, `只画出最后六个，次数按全部 ${known.length} 个算。`)
        : known.length ? "" : say("Choose a word.", "请选一个词。");
    stage.classList.toggle("stale", !chosen.length); // it shows what was asked before
    if (!chosen.length) return;
    const onehot = chosen.map((id) => words.map((_, i) => Number(i === id)));
    // Every product, also those by zero; then their sums.
    const products = onehot.map((row) => table.map((values, i) => values.map((value) => row[i] * value)));
    const product = products.map((block) => block.reduce((sum, row) => plus(sum, row)));
    const all = known.length * table.flat().length; // of those that are not shown, too
    const byZero = all - known.length * table[0].length;
    const owners = words.map((_, id) => (chosen.includes(id) ? id : null));
    const line = (id) => say(`row ${id}`, `第 ${id} 行`);
    const latest = chosen.at(-1);
    const terms = words.map((_, id) => `${Number(id === latest)} × ${line(id)}`).join(" + ");
    const there = chosen.map((id, i) => [i, id, id]);
    const back = chosen.map((id, i) => [id, i, id]);
    const blocks = onehot.map((row, i) =>
      make(".block", { style: paint(chosen[i]) }, row.map((factor) => table[0].map(() => make(factor ? "i.one" : "i")))));
    stage.replaceChildren(
      make("p.count", {}, make("span", {}, say("Look up: ", "查表："), make("b", {}, "0"), say(" multiplications", " 次乘法")),
        make("span", {}, say("Multiply: ", "相乘："), make("b", {}, `${all}`), say(", of which ", " 次乘法，其中 "),
          make("b", {}, `${byZero}`), say(" by zero", " 次乘以 0")),
        make("strong", {}, say("The same rows, both times.", "两次得到的行相同。"))),
      make("p.name", {}, say("Look up", "查表"), make("span", {}, say(
        "an embedding layer: each ID fetches a copy of its row", "嵌入层的做法：每个 ID 把自己那一行抄一份"))),
      make(".way", {},
        make(".ids", {}, chosen.map(chip)), arrows(there, chosen.length, words.length),
        matrix(say("table", "表"), table, owners, { index: true }), arrows(back, words.length, chosen.length),
        make(".copies", {}, matrix(say("result", "结果"), chosen.map((id) => table[id]), chosen))),
      make("p.name", {}, say("Multiply", "相乘"), make("span", {}, say(
        "a linear layer: the ID as zeros and one 1 (one-hot), each times a row of the table, all added up",
        "线性层的做法：把 ID 写成一行数，只有一个是 1，其余是 0（独热），每个数乘以表里对应的一行，再加起来"))),
      make("p.sum", {}, chip(latest), say(" becomes ", " 写成 "), onehot.at(-1).join(" "), say(": ", "："),
        `${terms} = ${line(latest)}`),
      make(".way", {},
        matrix(say("one-hot", "独热行"), onehot, chosen, { whole: true }),
        make(".signed", {}, make(".sign", {}, "×"), matrix(say("table", "表"), table, owners, { index: true })),
        make(".signed", {}, make(".sign", {}, "="), matrix(say("product", "乘积"), product, chosen))),
      make("p.key", {}, say("Every multiplication:", "每一次乘法："), make("i"), say(" times 0", " 乘以 0"), make("i.one"), say(" times 1", " 乘以 1")),
      make(".blocks", { "aria-hidden": "true" }, blocks),
      make("p.moral", {}, say("The embedding layer skips the zeros.", "嵌入层跳过了零。")));
    const copies = stage.querySelector(".copies");
    requestAnimationFrame(() => { // once it has its place, which depends on the IDs
      const [low, top] = [stage.querySelector(".matrix").getBoundingClientRect().bottom, copies.getBoundingClientRect().top];
      copies.append(loops(back, low - top));
    });
  }

  set(ids);
  return [
    make(".controls", {}, words.map((word, id) =>
      make("button.chip", { type: "button", style: paint(id), click: () => set([...read(), id]) },
        `${id}`, make("span", {}, word))),
      make("span.field", {}, make("label", { for: typed.id }, say("IDs", "ID")), typed),
      button(say("Clear", "清空"), () => set([]))),
    problem,
    stage,
  ];
}

// 2. Amounts of five words, and the nearest name.
function mix({ words, amounts, table, names }) {
  const known = Object.entries(names).map(([name, hex]) => [name, hex, levels(hex)]);
  const result = make(".result");
  const total = make(".amount.total");
  const rows = words.map((word, i) => {
    const slider = make("input", { type: "range", min: 0, max: 1, step: 0.05, id: `exhibit-${word}`, input: show });
    const amount = make("output", { for: slider.id });
    const line = make(".amount", {}, swatch(table[i]), make("label", { for: slider.id }, word), slider,
      amount, make("span.vector", {}, vector(table[i])));
    return { slider, amount, line };
  });

  function show() {
    const factors = rows.map(({ slider }) => Number(slider.value));
    const color = table.reduce((sum, row, i) => plus(sum, row, factors[i]), [0, 0, 0]);
    const [name, hex] = known.reduce((best, next) => (distance(next[2], color) < distance(best[2], color) ? next : best));
    rows.forEach(({ amount, line }, i) => {
      amount.textContent = factors[i].toFixed(2);
      line.classList.toggle("zero", factors[i] === 0);
    });
    const used = factors.filter((factor) => factor !== 0);
    const note = used.length === 1 && used[0] === 1
      ? say("One word, whole: the row is one-hot, and this is a look-up.", "只有一个词，整个都要：这一行是独热行，等于查表。")
      : color.some((level) => level > 1)
        ? say("More than a screen can show: it is cut off at 1.", "超出屏幕的范围，显示时截到 1。")
        : used.length ? say("No look-up gives this.", "查表得不到它。") : say("Nothing of anything: black.", "什么都不要，就是黑色。");
    total.replaceChildren(swatch(color), make("span", {}, say("mixture", "混合")), make("span"), make("span", {}, "="),
      make("span.vector", {}, vector(color)));
    result.replaceChildren(patch(color, hex, name, say("your mixture", "你的混合"), say(
      `the nearest of ${known.length} names`, `${known.length} 个名字里最近的`)), make("p.moral", { role: "status" }, note));
  }

  const set = (next) => { rows.forEach(({ slider }, i) => { slider.value = next[i]; }); show(); };
  const one = words.map((_, i) => Number(i === 0));
  const parts = words.map((word, i) => [amounts[i], word]).filter(([amount]) => amount);
  set(amounts);
  return [make(".pair", {}, make("div", {}, rows.map(({ line }) => line), total, make(".controls", {},
    button(parts.map((part) => part.join(" ")).join(" + "), () => set(amounts)),
    button(say(`${words[0]} alone`, `只要 ${words[0]}`), () => set(one)),
    button(say("as much of each", "各取一样多"), () => set(words.map(() => 1 / words.length))))), result)];
}

// 3. Words whose rows add up to a colour.
function paintNames({ table, very, names, unseen }) {
  const CHANNELS = [say("red", "红"), say("green", "绿"), say("blue", "蓝")];
  const { canvas, ...words } = table; // canvas is in every name, and no word to choose
  const rows = new Map(Object.entries(words));
  // All but those of the survey's words that nobody wants on a button.
  const hidden = ["?", "poo", "poop", "puke", "shit", "vomit"];
  const offered = [...rows.keys()].filter((word) => !hidden.includes(word));
  const result = make("div");
  const steps = make("ol.steps");
  const typed = make("input", { id: "exhibit-name", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 60, input: () => show() });
  const set = (name) => {
    if (name.length <= typed.maxLength) {
      typed.value = name;
      show();
    } else result.querySelector(".moral").textContent = say(
      `No room for another word: a name has ${typed.maxLength} characters at most.`, `放不下了：名字最多 ${typed.maxLength} 个字符。`);
  };

  const shorten = (name) => name.replace(/(very ){3,}/g, (many) => `very × ${many.length / 5} `);

  // The rows to add up, as they are shown: each word's, and times 1.5 for a `very` before it.
  function parts(name) {
    const added = [{ word: "canvas", row: canvas }];
    let often = 0;
    for (const word of name.split(" ").filter(Boolean)) {
      if (word === "very") often += 1;
      else {
        const amount = very ** often;
        const said = often ? `${shorten("very ".repeat(often))}(×${Number(amount.toFixed(2))}) ` : "";
        added.push({ word, said, row: rows.get(word)?.map((value) => amount * value) });
        often = 0;
      }
    }
    return added.map((part) => ({ ...part, row: part.row?.map((value) => Math.round(1000 * value) / 1000) }));
  }

  // The last rows; those before them as their sum.
  function lastSix(added) {
    if (added.length < 7) return added;
    const before = added.slice(0, -5);
    const words = before.length - 1;
    const row = before.map((part) => part.row).reduce((sum, next) => plus(sum, next));
    return [{ word: say(`canvas and ${words} words`, `canvas 和 ${words} 个词`), row }, ...added.slice(-5)];
  }

  // A name as its words alone, so that commas, hyphens and full-width letters make no other.
  const clean = (text) => text.normalize("NFKC").toLowerCase().replace(/\bgray(ish)?\b/g, "grey$1").replaceAll("’", "'").split(/[^\p{L}\d']+/u).filter(Boolean).join(" ");
  const named = new Map(Object.entries(names).map(([name, color]) => [clean(name), color]));
  const unread = new Set(unseen.map(clean));
  const used = new Set([...named.keys()].flatMap((name) => name.split(" ")));

  // What was meant by a word that has no row: two words of three letters or more, or one with a slip.
  const known = ["very", ...offered];
  function nearest(word) {
    for (let i = 3; i <= word.length - 3; i += 1)
      if ([word.slice(0, i), word.slice(i)].every((part) => known.includes(part))) return `${word.slice(0, i)} ${word.slice(i)}`;
    return word.length > 2 ? known.find((other) => isSlip(word, other)) : undefined;
  }

  // How much of a channel is added or taken away: 1 is nine tenths of the room, or less if a number
  // is larger.
  const drawBars = (numbers, largest) => numbers.map((value, i) => make(`span.bar.channel-${i}`, {
    style: `--size: ${0.9 * Math.abs(value) / Math.max(largest, 1)}; --side: ${Math.sign(value)}`,
  }, signed(value)));

  function show() {
    const name = clean(typed.value);
    const lost = [...new Set(parts(name).filter(({ row }) => !row).map(({ word }) => word))];
    const shown = lastSix(parts(name).filter(({ row }) => row));
    const sum = shown.reduce((total, { row }) => plus(total, row), [0, 0, 0]);
    const largest = Math.max(...[...shown.flatMap(({ row }) => row), ...sum].map(Math.abs));
    let color = [0, 0, 0];
    steps.replaceChildren(...shown.map(({ word, said, row }) => {
      color = plus(color, row);
      const before = said ? make("span.soft", {}, said) : null;
      return make("li", {}, swatch(color), make("span.word", {}, before, word), drawBars(row, largest));
    }), make("li.total", {}, swatch(color), make("span.word", {}, say("sum", "合计")), drawBars(sum, largest)));
    const people = named.get(name);
    const slip = lost.find((word) => nearest(word));
    const note = !name ? say("Type a colour.", "输入一种颜色吧。")
      : /[\u3400-\u9fff]/.test(name) ? say("The names are English: try “red”.", "颜色名都是英文的，请用英文，例如 red。")
      : slip ? say(`“${slip}” has no row, and is left out: try “${nearest(slip)}”?`, `“${slip}”没有自己的行，跳过。是不是“${nearest(slip)}”？`)
      : lost.includes("canvas") ? say("Every name begins on the canvas: leave that word out.", "每个名字都从画布开始，不用写 canvas。")
      : lost.some((word) => used.has(word)) ? say(`“${lost.join("”, “")}”: in fewer than three of the names, so without a row, and left out.`,
        `“${lost.join("”“")}”在名字里出现不到三次，没有自己的行，跳过。`)
      : lost.length ? say(`“${lost.join("”, “")}”: in none of the names, so without a row, and left out.`,
        `“${lost.join("”“")}”不在任何名字里，没有自己的行，跳过。`)
        : /\bvery$/.test(name) ? say("Very what? A word is missing.", "very 什么？后面还缺一个词。")
          : !people ? say("None of the names that people gave.", "不在人们起的那些名字里。")
            : unread.has(name) ? say("The table has never read this name.", "这张表从没读过这个名字。")
              : say("One of the names it learned from.", "训练时读过这个名字。");
    const off = color.some((level) => level < 0 || level > 1);
    const cut = off ? say(" The sum is cut off at 0 and 1.", "合计超出屏幕的范围，显示时截到 0 和 1。") : "";
    result.replaceChildren(patch(color, people, shorten(name) || "canvas", say("what the table paints", "表调出的颜色"),
      say("what people named", "人们这样称呼的颜色")), make("p.moral", { role: "status" }, note + cut));
  }

  const wishes = ["pale rose", "very dark green", "dusty pink", "vivid green", "very very light blue", "red yellow"];
  set(wishes[0]);
  return [
    make(".controls", {}, make("label", { for: typed.id }, say("A colour in words", "用词说一种颜色")), typed),
    make(".controls", {}, wishes.map((wish) => button(wish, () => set(wish)))),
    make(".pair", {}, make("div", {},
      make(".channels", { "aria-hidden": "true" }, make("span", {}, say("painted so far", "调到这里")), CHANNELS.map((text) => make("span", {}, text))), steps,
      make("details", {}, make("summary", {}, say("Words to choose from", "可以用的词")),
        make(".controls", {}, offered.map((word) => button(word, () => set(`${typed.value} ${word}`.trim())))))),
      make(".result", {}, result, make(".back", {},
        button(say("⌫ last word", "⌫ 退一个词"), () => set(typed.value.replace(/\s*\S+\s*$/, "")))))),
  ];
}

const EXHIBITS = { look_up: lookUp, mix, paint: paintNames };
function showExhibit(place) {
  const numbers = JSON.parse(place.querySelector("script").textContent);
  place.replaceChildren(...EXHIBITS[place.dataset.exhibit](numbers));
  place.classList.add("live");
}
