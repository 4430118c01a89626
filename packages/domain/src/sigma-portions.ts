import { pieceSteps, type SigmaFile, type SigmaPiece } from './sigma-documents.ts';
import { atOnce, type Steps } from './steps.ts';

/** What one call takes with room to spare: its body may have a megabyte. */
const PORTION_BYTES = 700_000;
const PORTION_FILES = 500;

/** The same as `portionSteps`, at once. */
export function sigmaPortions(files: readonly SigmaFile[]): SigmaPiece[][] {
  return atOnce(portionSteps(files));
}

/**
 * Files of Sigma rules in portions that fit into one call each, in their order; one that is too long for a call comes
 * document by document. A correlation is understood only together with the rules it names: what belongs together is in one
 * portion, unless it is too large for one. Of the pieces no call takes, each says why.
 */
export function* portionSteps(files: readonly SigmaFile[]): Steps<SigmaPiece[][]> {
  const pieces: SigmaPiece[] = [];
  for (const file of files) {
    for (const piece of yield* pieceSteps(file)) pieces.push(piece);
    yield;
  }
  const bytesOf = (places: readonly number[]) => places.reduce((sum, at) => sum + (pieces[at]?.bytes ?? 0), 0);
  const portions: number[][] = [];
  let bytes = 0;
  for (const unit of yield* unitSteps(pieces)) {
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
  return portions.map((places) => places.sort((a, b) => a - b).flatMap((at) => pieces[at] ?? []));
}

/** Places of pieces that belong together; most belong to no other. */
function* unitSteps(pieces: readonly SigmaPiece[]): Steps<number[][]> {
  const placeByName = new Map<string, number>();
  const sent = [...pieces.entries()].filter(([, { problem }]) => problem === undefined);
  for (const [at, { text }] of sent) {
    for (const name of ownNames(text)) if (!placeByName.has(name)) placeByName.set(name, at);
    yield;
  }
  const units = pieces.map((_, at) => [at]);
  for (const [at, { text }] of sent) {
    for (const name of namesInCorrelations(text)) {
      const [one, other] = [units[at], units[placeByName.get(name) ?? at]];
      if (one === undefined || other === undefined || one === other) continue;
      const [from, into] = one.length < other.length ? [one, other] : [other, one];
      for (const place of from) {
        into.push(place);
        units[place] = into;
      }
    }
    yield;
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
  return (quoted?.[2] ?? value.replace(/(?:^|\s)#.*$/s, '')).trim();
}
