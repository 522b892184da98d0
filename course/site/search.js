// What stands between Pagefind and its interface. Pagefind finds the pages that have every word, and
// for a word that no page has, those that share a beginning with it, be it one letter. Here each word
// is looked for by itself, and a page is the better the more of the words it has, rare ones above
// all, and the more of them are in its title or are among its search words (CONTRIBUTING.md).
import * as pagefind from "../pagefind.js";
export * from "../pagefind.js";

Intl.Segmenter = undefined; // Chinese is cut here; in a worker, Pagefind would cut it again
const ranking = { pageLength: 0.1, metaWeights: { title: 10, words: 10, parts: 2, description: 0 } };
export const preload = () => {}; // what Pagefind has loaded before changes what it finds
export const options = (others) => pagefind.options({ ...others, noWorker: true, ranking });

const IN_CHINESE = document.documentElement.lang.startsWith("zh");
const ALL_WORDS = [...WORDS];
const SHOWN = 5; // pages at least, where so many have some of the words
// A question's small words, which are not looked for.
const SMALL = new Set("a am an and are as at be can could do does for from has have how i if in is it its me my not of on or should so that the there this to use using vs was we what when where which why will with without would you your 吗 呢 和 与 的 是 什么 哪些 如何 怎么 怎样 为什么".split(" "));
const ENDING = /(?<=...)(?:i[sz]ation|ations?|ings?|ed|e?s|e|ers?|ies|y)$/;

// Latin letters and digits alone, as Pagefind joins what a hyphen or a dot parts.
const joined = (word) => word.toLowerCase().replace(/[^\p{L}\d_]+/gu, "");
// What a kindred word has for such an ending: “training” is kin to “trained”, “scatter” not to “scater”.
const ENDING_OF_KIN = /^(?:(?:i[sz])?(?:ations?|at(?:e[ds]?|ing|ors?)|ings?|ed|e?s|e|[eo]rs?)|ies|y|(?:it)?ions?|ive|ic|i?[ct]?al|ity|ly|(?:me|[aei])?(?:ble|n[ct]e?))?$/;
// Whether a word of the index is this one or begins with it; in English, where Pagefind cuts endings,
// also without an s, or with another ending.
const isInIndex = (word) => !/^[a-z]{3}/.test(joined(word)) || ALL_WORDS.some((known) => isBeginningOrKin(joined(word), known));
function isBeginningOrKin(word, known) {
  if (IN_CHINESE || known.startsWith(word)) return known.startsWith(word);
  const base = word.replace(ENDING, "");
  return known.startsWith(word.replace(/s$/, "")) || (known.startsWith(base) && ENDING_OF_KIN.test(known.slice(base.length)));
}

// “Colour” and “color” are one word: both are looked for.
const american = (text) => text.replace(/(?<=\w{3})our/g, "or").replace(/grey/g, "gray").replace(/(?<=\w{3})is(?=(?:e[drs]?|ers?|ing|ations?)\b)/g, "iz");
const stem = (word) => american(word).replace(ENDING, "");
const BRITISH_WORDS = ALL_WORDS.filter((word) => american(word) !== word);
const spellings = (word) => [...new Set([word, american(word), BRITISH_WORDS.find((known) => stem(known) === stem(word)) ?? word])].filter(isInIndex);
const isKnown = (word) => spellings(word).length > 0;

// The word of the index of which this one is a slip. Among other words it is one of a title or search
// word: of “mixture of experts”, no page means “expects”.
const NAMING_WORDS = new Set(Object.values(NAMES).join(" ").toLowerCase().match(/[a-z]+/g));
const undouble = (word) => word.replace(/(.)\1/g, "$1");
const mend = (word, isAmongOthers) => word.length > 4 && ALL_WORDS.find((known) =>
  (!isAmongOthers || NAMING_WORDS.has(known)) && (isSlip(word, known) || undouble(word) === undouble(known)));

// Each browser cuts Chinese in its own way; here it is cut into terms of the glossary and words of the
// index, as few as can be with few single characters. The last word may be typed in part.
function cutChinese(text) {
  const isWord = (part) => WORDS.has(part) || TERMS.has(part);
  const isBeginning = (part, end) => end === text.length && part.length === 2 && ALL_WORDS.some((known) => known.startsWith(part));
  const cuts = [{ cost: 0, words: [] }]; // of each beginning of the text, the best
  for (let end = 1; end <= text.length; end++) {
    for (let start = 0; start < end; start++) {
      const part = text.slice(start, end);
      if (part.length > 1 && !isWord(part) && !isBeginning(part, end)) continue;
      const cost = cuts[start].cost + (part.length > 1 ? 1 : 2);
      if (!(cuts[end]?.cost <= cost)) cuts[end] = { cost, words: [...cuts[start].words, part] };
    }
  }
  return ` ${cuts.at(-1).words.join(" ")} `;
}

// The words of a text, without small ones if there are others. On a Chinese page “embedding” would
// find EmbeddingBag first, and the index is cut at each _. A Chinese keyboard also types wide letters.
function wordsOf(text) {
  text = text.replace(/[，。？！、]/g, " ").normalize("NFKC");
  if (IN_CHINESE)
    text = text.replace(/(?<![\w.])embeddings?(?![\w.])/gi, "嵌入").replace(/[\u4e00-\u9fff]+/g, cutChinese).replaceAll("_", " ");
  const words = text.toLowerCase().split(/\s+/).map((word) => word.replace(/^[^\p{L}\d]+|[^\p{L}\d]+$/gu, "")).filter(Boolean);
  const large = words.filter((word) => !SMALL.has(word));
  return [...new Set(large.length ? large : words)];
}

// Words side by side, between spaces, and no space within Chinese.
const sideBySide = (words) => ` ${words.join(" ")} `.replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, "");
// The same, to compare them in one spelling.
const line = (words) => american(sideBySide(words));
// Whether a title holds the words: Chinese ones need no spaces around them.
const hasWords = (title, words) => title.includes(line(words).replace(/^ (?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff]) $/g, ""));
const PAGES = Object.fromEntries(Object.entries(NAMES).map(([id, [title, ...searchWords]]) =>
  [id, { title: title && line(wordsOf(title)), names: searchWords.map(wordsOf).filter((words) => words.length) }]));

// What Pagefind finds for the words, each in any of its spellings; between quotes, side by side.
async function find(words, options, quote = "") {
  const terms = quote ? [] : words.filter((word) => TERMS.has(word));
  if (terms.length && words.length === 1) return findTerm(terms[0], options);
  const parts = words.flatMap((word) => TERMS.get(word) ?? word);
  const spelled = parts.reduce((lists, word) => lists.flatMap((list) => spellings(word).map((spelling) => [...list, spelling])), [[]]);
  const finds = await Promise.all(spelled.map((list) => pagefind.search(quote + list.join(" ") + quote, options)));
  const best = new Map();
  for (const result of finds.flatMap(({ results }) => results))
    if (!(best.get(result.id)?.score >= result.score)) best.set(result.id, result);
  for (const term of terms) {
    const ids = new Set((await findTerm(term, options)).results.map(({ id }) => id));
    for (const id of best.keys()) if (!ids.has(id)) best.delete(id);
  }
  return { ...finds[0], results: [...best.values()].sort((a, b) => b.score - a.score) };
}

// By its id, each page on which words stand side by side; a result leads there, and has no score.
async function findSideBySide(words, options) {
  const { results } = await pagefind.search(`"${words.join(" ")}"`, options);
  return new Map(results.map((result) => [result.id, result]));
}

// A result whose page leads to the parts in which so many words that are sought stand side by side, if
// there are any below its title.
function leadToRun(result, length) {
  const hasRun = ({ locations }) => locations.some((place, i) => locations[i + length - 1] === place + length - 1);
  const shorten = (page) => {
    const parts = page.sub_results.filter(hasRun);
    const isUnderTitleAlone = parts.every(({ url }) => url === page.url);
    return { ...page, sub_results: isUnderTitleAlone ? page.sub_results : parts };
  };
  return { ...result, data: () => result.data().then(shorten) };
}

// What Pagefind finds for a term of the glossary, which it knows by its parts: the pages that have it,
// or that are named by it.
async function findTerm(term, options) {
  const parts = TERMS.get(term);
  const found = await pagefind.search(parts.join(" "), options);
  const places = await findSideBySide(parts, options);
  const isNamed = ({ id }) => PAGES[id].names.some((name) => name.includes(term));
  const pages = found.results.filter((result) => places.has(result.id) || isNamed(result));
  return { ...found, results: pages.map((result) => leadToRun(result, parts.length)) };
}
const isNowhere = async (words) => !(await find(words, {}, '"')).results.length;

// Whether no page has these Chinese characters side by side, of which not all are words.
const isTorn = async (text, words) =>
  /^[\u4e00-\u9fff]{2,7}$/.test(text) && sideBySide(words).trim() === text && words.some((word) => word.length < 2) && isNowhere(words);

// Whether none of them is a word.
async function isNonsense(text) {
  const characters = cutChinese(text).trim().split(" ");
  return /^[\u4e00-\u9fff]{2,}$/.test(text) && characters.every((word) => word.length < 2) && isNowhere(characters);
}

// Whether no page has two words side by side that were typed so, and of which none names a page.
const areApart = async (text, words) =>
  /^[a-z]+ [a-z]+$/i.test(text) && words.length === 2 && !words.some((word) => NAMING_WORDS.has(word)) && isNowhere(words);

let latest = 0;
export async function search(typed, options) {
  const number = (latest += 1);
  const text = typed.trim().replace(/[\u4e00-\u9fff]/g, (letter) => SIMPLIFIED[letter] ?? letter);
  const { words, slips, areAllKnown } = readWords(text);
  const found = words.length ? await find(words, options) : { results: [] };
  const isFindable = words.length && !(IN_CHINESE && (await isNonsense(text)));
  const results = isFindable ? await leadToQuotation(text, words, await rank(words, found.results, options), options) : [];
  const isNamed = results.length && PAGES[results[0].id].names.some((name) => line(name) === line(words));
  const haveAll = areAllKnown && (isNamed || (found.results.length && !(await isTorn(text, words))));
  const message = results.length ? await messageOnHits(text, words, slips, haveAll) : await messageOnNone(text);
  const told = document.querySelector("#told"); // on the search page
  if (told && number === latest) {
    told.replaceChildren(...message);
    told.hidden = !message.length;
  }
  return { ...found, results, message };
}

// The words of a text that are looked for, its slips, which are mended, and whether there are no other
// words that no page has.
function readWords(text) {
  // Of “t-SNE”, the t is not looked for.
  const asked = wordsOf(text).flatMap((word) => (isKnown(word) ? [word] : word.split(/[^\p{L}\d]+/u).filter((part) => part.length > 1)));
  const mended = new Map(asked.map((word) => [word, isKnown(word) ? word : mend(word, asked.length > 1)]));
  const words = asked.flatMap((word) => (isKnown(word) ? [word] : wordsOf(mended.get(word) || "")));
  const slips = asked.filter((word) => mended.get(word) && mended.get(word) !== word);
  return { words, slips, areAllKnown: asked.length <= words.length };
}

// What is told above the pages found, as text and links.
async function messageOnHits(text, words, slips, haveAll) {
  const mended = sideBySide(words).trim();
  if (slips.length) return [say(
    `No page has “${slips.join("”, “")}”; these ${haveAll ? "are results for" : "have some of"} “${mended}”.`,
    `没有一页用到“${slips.join("”“")}”；下面是“${mended}”的${haveAll ? "" : "部分"}结果。`)];
  if (!haveAll) return [say("No page has all of these words; these have some.", "没有一页包含全部这些词；下面的页面含有其中一部分。")];
  if (await areApart(text, words)) return [say("No page has these two words side by side.", "没有一页把这两个词连在一起用。")];
  return [];
}

// What is told where no page is found.
async function messageOnNone(text) {
  const link = await twinSearch(text);
  if (link) return [say("No page has that. ", "没有找到。"), link];
  return [say("No page has that: try another word, or its beginning.", "没有找到。换一个词，或者只输入开头。")];
}

// Lead to where a text stands on a page. Pages that have a longer text, such as an error's message, or
// one with small words, come first.
async function leadToQuotation(text, words, results, options) {
  const textWords = text.replace(/^\w+Error: /, "").split(/\s+/);
  if (textWords.length < 2) return results;
  const places = await findSideBySide(textWords, options);
  const isQuotation = ({ id }) => places.has(id);
  if (textWords.length < 4 && textWords.length === words.length)
    return results.map((result) => (isQuotation(result) ? leadToRun(result, words.length) : result));
  const led = results.map((result) => ({ ...result, ...places.get(result.id) }));
  return [...led.filter(isQuotation), ...led.filter((result) => !isQuotation(result))];
}

// The pages that have the words, and more that have some until there are enough, best first.
async function rank(words, withAll, options) {
  const pages = new Map(withAll.map((result) => [result.id, { result, score: 0, best: Infinity }]));
  const rarity = new Map();
  for (const word of words) {
    const { results } = words.length > 1 ? await find([word], options) : { results: withAll };
    rarity.set(american(word), Math.log(1 + 40 / (results.length + 1)) * (/^[\u4e00-\u9fff]$/.test(word) ? 0.3 : 1));
    for (const result of results) {
      const page = pages.get(result.id) ?? { score: 0, best: -1 };
      const score = rarity.get(american(word)) * (result.score / results[0].score || 0);
      pages.set(result.id, page);
      page.score += score;
      if (score > page.best) Object.assign(page, { best: score, result });
    }
  }
  const weigh = (some) => some.reduce((sum, word) => sum + rarity.get(american(word)), 0);
  for (const [id, page] of pages) {
    const { title, names } = PAGES[id];
    if (!title) page.score *= 0.3; // the front page, and that for teachers
    const named = names.filter((name) => line(words).includes(line(name)) && name.every((word) => rarity.has(american(word))));
    page.score += (hasWords(title, words) ? weigh(words) : 0) + Math.max(0, ...named.map(weigh));
  }
  const count = Math.max(withAll.length, SHOWN);
  return [...pages.values()].sort((a, b) => b.score - a.score).slice(0, count).map(({ result }) => result);
}

// A link to the same search in the other edition, for words of its language: Chinese ones, or English
// ones that its pages have.
async function twinSearch(text) {
  if (IN_CHINESE === /[\u4e00-\u9fff]/.test(text)) return;
  if (IN_CHINESE) {
    const english = await fetch(new URL("../words-en.js", import.meta.url)).then((file) => file.text());
    if (!wordsOf(text).every((word) => english.includes(`"${joined(word)}`))) return;
  }
  const link = document.createElement("a");
  link.href = new URL(`../../${say("zh/", "")}search.html?q=${encodeURIComponent(text)}`, import.meta.url);
  link.textContent = say(`Search the Chinese edition for “${text}”`, `在英文版里搜索“${text}”`);
  return link;
}

function say(english, chinese) {
  return IN_CHINESE ? chinese : english;
}
