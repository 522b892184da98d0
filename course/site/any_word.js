// Pagefind's search finds the pages that have every word. Where these are fewer than three, others
// follow that have some of the words, those with many and rare ones first.
import * as pagefind from "../pagefind.js";
export * from "../pagefind.js";

export async function search(text, options) {
  const found = await pagefind.search(text, options);
  const words = [...new Set(text.split(/\s+/))];
  if (words.length < 2 || found.results.length > 2) return found;
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
  return { ...found, results: [...found.results, ...ranked.slice(0, 5).map(({ result }) => result)] };
}
