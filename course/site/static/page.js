// Paper is white: by night, too, a page is printed as by day.
const page = document.documentElement.dataset;
let onScreen;
matchMedia("print").addEventListener("change", (printing) => {
  if (printing.matches) onScreen = page.theme;
  page.theme = printing.matches ? "light" : onScreen;
});

// Whether a word is likely another with one letter more, less or changed, or two that changed places.
function isSlip(word, known) {
  if (word === known) return false;
  let start = 0;
  while (word[start] === known[start]) start++;
  const [one, two] = [word.slice(start), known.slice(start)];
  const isTransposed = one[0] === two[1] && one[1] === two[0] && one.slice(2) === two.slice(2);
  // Few miss the first letter, and “like” is no slip for “lime”.
  const isChanged = word.length > 4 && one.slice(1) === two.slice(1);
  return isTransposed || (start > 0 && (one.slice(1) === two || one === two.slice(1) || isChanged));
}

// Let a line of code, as HTML, break within what has no spaces and is long: behind an opening bracket,
// or before a dot.
function addBreaks(line) {
  const addBreak = (part) => (part === "." ? "<wbr>." : part[0] === "<" ? part : `${part}<wbr>`);
  return line.replace(/(?:<[^>]*>|[^\s<])+/g, (word) =>
    word.replace(/<[^>]*>/g, "").length > 20 ? word.replace(/<[^>]*>|[([{]|\.(?=(?:<[^>]*>)*[a-z])/gi, addBreak) : word);
}

// The box that opens over a page shows the first results as one types; Enter leads to all of them.
function showHitsInBox(chinese) {
  const box = document.querySelector("#pst-search-dialog");
  const input = box.querySelector("input");
  const field = document.querySelector("#search input");
  if (field) { // the search page has one of its own
    input.addEventListener("focus", () => (box.close(), field.select()));
    return;
  }
  const message = document.createElement("p");
  if (location.protocol === "file:") {
    message.textContent = chinese ? "离线时不能搜索，请用网站上的搜索。" : "The search works on the website, not in the copy to read offline.";
    return (document.querySelector("#search") ?? box).append(message);
  }
  message.setAttribute("role", "status");
  const hits = document.createElement("ul");
  box.append(message, hits);
  hits.addEventListener("click", () => box.close()); // a hit may be on this page

  // Pagefind and its index are loaded once the box is opened.
  const folder = new URL(`${page.content_root}${chinese ? "../" : ""}pagefind/`, location);
  let loaded;
  const load = () => (loaded ??= new Promise((resolve, reject) => {
    const words = document.createElement("script");
    Object.assign(words, { src: `${folder}words-${chinese ? "zh" : "en"}.js`, onload: resolve, onerror: reject });
    document.head.append(words);
  }).then(() => import(`${folder}any/pagefind.js`)).then(async (pagefind) => (await pagefind.options({}), pagefind)));
  input.addEventListener("focus", load);

  // A hit leads to the part that the search page shows first: of the three best ones, the first.
  function hitOf({ url, meta, sub_results: parts }) {
    const weigh = (part) => part.weighted_locations.reduce((sum, { balanced_score: score }) => sum + score, 0);
    const third = parts.map(weigh).sort((a, b) => b - a).slice(0, 3).at(-1);
    const part = parts.find((one) => weigh(one) >= third) ?? { url, title: meta.title, excerpt: meta.description };
    return [part.url, part.title === meta.title ? meta.title : `${meta.title} › ${part.title}`, part.excerpt];
  }

  async function show() {
    const text = input.value.trim();
    const pagefind = await load();
    const found = text ? await pagefind.search(text) : { results: [], message: [] };
    // Pagefind has one object for a page: to ask for an old search would change what the new one shows.
    if (text !== input.value.trim()) return;
    const pages = await Promise.all(found.results.slice(0, 6).map((result) => result.data()));
    if (text !== input.value.trim()) return;
    const links = pages.map(hitOf);
    const count = found.results.length;
    if (count > pages.length)
      links.push([`${input.form.action}?q=${encodeURIComponent(text)}`, chinese ? `全部 ${count} 个结果` : `All ${count} results`, ""]);
    message.replaceChildren(...found.message);
    hits.replaceChildren(...links.map(([href, title, excerpt]) => {
      const hit = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href, textContent: title });
      link.append(Object.assign(document.createElement("span"), { innerHTML: excerpt }));
      hit.append(link);
      return hit;
    }));
  }
  // The arrows go through the hits, Enter opens one, and Escape closes the box.
  box.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing || !(step || event.key === "Escape")) return;
    event.preventDefault();
    if (!step) return box.close();
    const stops = [input, ...hits.querySelectorAll("a")];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  // Chinese is searched once its letters have become characters.
  input.addEventListener("input", (event) => event.isComposing || show());
  input.addEventListener("compositionend", show);
}

// A picture opens as large as the window, by a click, a finger, or a key; a moving one plays again.
document.addEventListener("DOMContentLoaded", () => {
  const chinese = document.documentElement.lang.startsWith("zh");
  const full = document.createElement("dialog");
  full.className = "full-size";
  full.setAttribute("aria-label", chinese ? "大图" : "The picture, large");
  full.innerHTML = `<button autofocus>${chinese ? "关闭" : "Close"}</button><img alt="">`;
  full.addEventListener("click", () => full.close());
  document.body.append(full);

  async function open(picture) {
    const shown = full.querySelector("img");
    shown.alt = picture.alt;
    shown.className = picture.naturalWidth > picture.naturalHeight ? "wide" : "";
    // An address of its own: else it would be where the picture on the page is, at its end.
    shown.src = await fetch(picture.src)
      .then((file) => file.blob())
      .then(URL.createObjectURL)
      .catch(() => picture.src);
    full.showModal();
  }

  // What a question's code prints opens, and with it the answer under it.
  for (const output of document.querySelectorAll("details.below-input")) {
    const answer = output.closest(".cell").nextElementSibling;
    if (!answer?.matches(".answer")) continue;
    output.addEventListener("toggle", () => (answer.open = output.open));
    answer.classList.add("with-output");
  }

  // Each line of code, that a long one may go on under its own start, rather behind a bracket than
  // within a name; Pygments opens no tag in one line that it closes in another.
  for (const code of document.querySelectorAll("div.highlight:not(.cell_output *) pre")) {
    code.innerHTML = code.innerHTML.replace(/[^\n]*\n|[^\n]+$/g, (line) => {
      const indent = line.replace(/<[^>]*>/g, "").search(/\S|$/);
      return `<span class="line" style="--indent: ${indent}">${addBreaks(line)}</span>`;
    });
  }

  for (const toggle of document.querySelectorAll(".toctree-l1 summary")) {
    toggle.setAttribute("aria-label", chinese ? "短文" : "Notes");
  }

  // On a phone a list covers the page: it closes once a link in it has been pressed.
  for (const drawer of document.querySelectorAll("dialog[id$=sidebar-modal]")) {
    drawer.addEventListener("click", ({ target }) => target.closest("a") && drawer.close());
  }

  showHitsInBox(chinese);

  // The other language opens at the part that is being read: the address's, if it is in the window.
  const twin = document.querySelector(".course-links a[hreflang]");
  twin.addEventListener("click", () => {
    const parts = [...document.querySelectorAll("[id^=part-]")];
    const top = (part) => part.getBoundingClientRect().top;
    const target = document.querySelector(":target")?.closest("section")?.querySelector(":scope > [id^=part-]");
    const isInWindow = target && top(target) >= 0 && top(target) < innerHeight;
    const here = isInWindow ? target : parts.findLast((part) => top(part) < innerHeight / 4);
    twin.hash = here?.id ?? "";
  });

  for (const picture of document.querySelectorAll("article img:not(.chapter img)")) {
    const button = document.createElement("button");
    button.className = "opens";
    button.title = chinese ? "放大" : "Enlarge";
    button.dataset.hint = chinese ? "点一下放大 ⤢" : "Tap to enlarge ⤢"; // shown on a phone
    picture.replaceWith(button);
    button.append(picture);
    button.addEventListener("click", () => open(picture));
  }
});
