/** A file of one or more Sigma rules. */
type RuleFile = { readonly name: string; readonly text: string };

/** What one call takes with room to spare: its body may have a megabyte. */
const PORTION_BYTES = 700_000;
const PORTION_FILES = 500;

/**
 * Files of Sigma rules in portions that fit into one call each, in their order. A correlation is understood only together
 * with the rules it names: files that belong together are in one portion, unless they are too large for one.
 */
export function sigmaPortions<T extends RuleFile>(files: readonly T[]): T[][] {
  const sizes = files.map(sizeOf);
  const bytesOf = (places: readonly number[]) => places.reduce((sum, at) => sum + (sizes[at] ?? 0), 0);
  const portions: number[][] = [];
  let bytes = 0;
  for (const unit of unitsOf(files)) {
    const isWhole = unit.length <= PORTION_FILES && bytesOf(unit) <= PORTION_BYTES;
    for (const places of isWhole ? [unit] : unit.map((at) => [at])) {
      const size = bytesOf(places);
      const last = portions.at(-1);
      if (last !== undefined && bytes + size <= PORTION_BYTES && last.length + places.length <= PORTION_FILES) {
        last.push(...places);
        bytes += size;
      } else {
        portions.push([...places]);
        bytes = size;
      }
    }
  }
  // Of rules that have the same name the first is meant.
  return portions.map((places) => places.sort((a, b) => a - b).flatMap((at) => files[at] ?? []));
}

/** Bytes in the body of a call. */
function sizeOf(file: RuleFile): number {
  return new TextEncoder().encode(JSON.stringify(file)).length + 1;
}

/** Places of files that belong together; most belong to no other. */
function unitsOf(files: readonly RuleFile[]): number[][] {
  const placeByName = new Map<string, number>();
  for (const [at, { text }] of files.entries()) {
    for (const name of ownNames(text)) if (!placeByName.has(name)) placeByName.set(name, at);
  }
  const units = files.map((_, at) => [at]);
  for (const [at, { text }] of files.entries()) {
    for (const name of namesInCorrelations(text)) {
      const [one, other] = [units[at], units[placeByName.get(name) ?? at]];
      if (one === undefined || other === undefined || one === other) continue;
      const [from, into] = one.length < other.length ? [one, other] : [other, one];
      for (const place of from) {
        into.push(place);
        units[place] = into;
      }
    }
  }
  return [...new Set(units)].map((places) => places.sort((a, b) => a - b));
}

/**
 * Ids and names of the rules in a file. Read from its lines, because thousands of files are: the fields of a rule start
 * its lines. What is written otherwise is sent in its order, as if it belonged to nothing.
 */
function ownNames(text: string): string[] {
  return [...text.matchAll(/^["']?(?:id|name)["']?[ \t]*:[ \t]+(.+)$/gm)].map(([, value = '']) => plain(value));
}

/** Whatever may be a name in a file with a correlation: a value, or an element of a list. */
function namesInCorrelations(text: string): string[] {
  if (!/^["']?correlation["']?[ \t]*:/m.test(text)) return [];
  return text
    .split(/[\r\n,[\]{}]/)
    .map((part) => plain(part.replace(/^[ \t]*(?:-[ \t]+)?(?:["']?[\w-]+["']?[ \t]*:(?:[ \t]+|$))?/, '')));
}

/** A value without its quotes and without the comment behind it. */
function plain(value: string): string {
  const quoted = /^\s*(["'])(.*?)\1/.exec(value);
  return (quoted?.[2] ?? value.replace(/(?:^|\s)#.*$/, '')).trim();
}
