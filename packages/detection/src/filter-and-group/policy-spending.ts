/**
 * What a policy's comparisons may cost.
 *
 * A regular expression needs time for every character times every part, as `a{1000}` needs no more than eight characters to
 * have a thousand of them. Texts that are looked for inside of a field need it for every character times their number. So the
 * parts are bounded, and so is the text: the more a policy looks for, the less of a field it is held against.
 */

/** Of one policy: its comparisons share what may be spent on an event. */
export type Spending = {
  /** Parts of the regular expressions compiled so far. */
  size: number;
  readonly maximum: number;
  /** Texts looked for inside of fields so far; those that take longer count more than once. */
  searches: number;
};

/** Parts of all expressions of a policy that is saved or tried. */
const MAX_SIZE = 1_500;
/** Of one that was saved before there was a bound: it goes on with little text, unless compiling it would take too long. */
const MAX_SIZE_KEPT = 20_000;
/** Characters times parts: some tens of milliseconds for an expression made to be slow. */
const MAX_WORK = 1_500_000;
/** As elsewhere where people's patterns run. */
const MAX_CHARS = 50_000;
/** Beginning with a text takes as long as so many characters of one. */
const TEXT_CHARS = 8;
/** Characters times texts looked for: some tens of milliseconds as well. */
const MAX_SEARCH_WORK = 50_000_000;
/** As many look through the largest event without coming near it. */
const FREE_SEARCHES = 50;
/** As long as one character takes one part of an expression. */
const SEARCHES_PER_WORK = 40;

export const createSpending = (): Spending => ({ size: 0, maximum: MAX_SIZE, searches: 0 });
export const createKeptSpending = (): Spending => ({ size: 0, maximum: MAX_SIZE_KEPT, searches: 0 });

type Beginning = { readonly texts: readonly string[]; readonly work: number };

/**
 * The beginning of the texts of a field, as much as the policy's expressions are held against, and the work that is for
 * `size` parts of them. A text that is cut ends there for the expression: `$` fits at the cut.
 */
export function beginningFor(texts: readonly string[], spending: Pick<Spending, 'size'>, size: number): Beginning {
  const { beginning, chars } = cut(texts, Math.min(MAX_CHARS, Math.floor(MAX_WORK / spending.size)));
  return { texts: beginning, work: chars * size };
}

/** Whether all of the policy's searches together are done before anybody notices, whatever the text. */
export function isCheap({ searches }: Pick<Spending, 'searches'>): boolean {
  return searches <= FREE_SEARCHES;
}

/** The beginning for `searches` of the texts the policy looks for inside of fields: all of most texts. */
export function searchedFor(
  texts: readonly string[],
  spending: Pick<Spending, 'searches'>,
  searches: number,
): Beginning {
  const { beginning, chars } = cut(texts, Math.floor(MAX_SEARCH_WORK / spending.searches));
  return { texts: beginning, work: Math.ceil((chars * searches) / SEARCHES_PER_WORK) };
}

function cut(texts: readonly string[], most: number): { beginning: readonly string[]; chars: number } {
  let left = most;
  const beginning: string[] = [];
  for (const text of texts) {
    if (left <= 0) break;
    beginning.push(text.length > left ? text.slice(0, left) : text);
    left -= text.length + TEXT_CHARS;
  }
  return { beginning, chars: most - Math.max(0, left) };
}
