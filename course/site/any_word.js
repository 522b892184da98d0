// Pagefind's search finds the pages that have every word. Where these are fewer than three, others
// follow that have some of the words, those with many and rare ones first. A page comes first whose
// title holds what is asked, or a search word of which (CONTRIBUTING.md) is just that; the front page
// and that for teachers come last.
import * as pagefind from "../pagefind.js";
export * from "../pagefind.js";

// Letters and digits in small letters, with a space before each word, and none within Chinese.
const plain = (text) => ` ${text.toLowerCase().replace(/[^\p{L}\d]+/gu, " ").trim()}`.replace(/(?<=[\u4e00-\u9fff]) (?=[\u4e00-\u9fff])/g, "");

function order(results, text) {
  const asked = plain(text).replace(/^ (?=[\u4e00-\u9fff])/, "");
  const place = ({ id }) => {
    const [title, ...searchWords] = NAMES[id];
    const isNamed = plain(title).includes(asked) || searchWords.some((words) => plain(words).trim() === asked.trim());
    return isNamed ? 0 : title ? 1 : 2;
  };
  return results.toSorted((one, two) => place(one) - place(two));
}

// Whether no page has these Chinese characters side by side, of which not all are words.
const isTorn = async (text) =>
  /^[\u4e00-\u9fff ]+$/.test(text) && /(^| ).( |$)/.test(text) && text.length < 8 && !(await pagefind.search(`"${text}"`)).results.length;

export async function search(text, options) {
  const found = await pagefind.search(text, options);
  const words = [...new Set(text.split(/\s+/))];
  if (words.length < 2) return { ...found, results: order(found.results, text) };
  if (!found.results.length || (await isTorn(text))) tellSomeWords();
  if (found.results.length > 2) return { ...found, results: order(found.results, text) };
  const isFound = new Set(found.results.map(({ id }) => id));
  const others = new Map();
  for (const word of words) {
    const { results } = await pagefind.search(word, options);
    for (const result of results) {
      const other = others.get(result.id) ?? { score: 0, best: 0 };
      const score = (result.score / results[0].score) * Math.log(1 + 40 / results.length);
      others.set(result.id, other);
      other.score += score;
      if (score > other.best) Object.assign(other, { best: score, result });
    }
  }
  const ranked = [...others.values()].filter(({ result }) => !isFound.has(result.id)).sort((a, b) => b.score - a.score);
  const withSome = ranked.slice(0, 5).map(({ result }) => result);
  return { ...found, results: [...order(found.results, text), ...order(withSome, text)] };
}
