import type { Steps } from './steps.ts';

/** A file of one or more Sigma rules; the name is for people. */
export type SigmaFile = { readonly name: string; readonly text: string };

/** What one call takes of one file. Characters as the API counts them; bytes as JSON, with room for what is around it. */
export const sigmaPieceLimits = { chars: 256_000, bytes: 1_038_000 } as const;

export const SIGMA_DOCUMENTS_MAX = 10_000;

/** Above it a file is sent document by document. */
const WHOLE_CHARS = 200_000;

/**
 * A file, or one document of a file that is too long for one call, under the name of that file. It is answered with one
 * rule for each of its documents, and with one where it has none.
 */
export type SigmaPiece = SigmaFile & {
  /** Number in the file of its first document, from 1. */
  readonly from: number;
  readonly documents: number;
  /** In the body of a call; none where it is not sent. */
  readonly bytes: number;
  /** What keeps it from being sent. */
  readonly problem?: 'too_many_documents' | 'too_long' | 'too_large';
};

/**
 * The documents of a file as texts; undefined where there are too many. A separator stands at the start of a line, where no
 * value of a rule can.
 */
export function* documentSteps(text: string): Steps<string[] | undefined> {
  const separator = /^(?:---|\.\.\.)(?=\s|$)/gm;
  const documents: string[] = [];
  let [from, parts] = [0, 1];
  for (let found = separator.exec(text); found !== null; found = separator.exec(text)) {
    if (parts === SIGMA_DOCUMENTS_MAX) return undefined;
    parts += 1;
    const part = text.slice(from, found.index);
    if (hasContent(part)) documents.push(part);
    from = separator.lastIndex;
    yield;
  }
  const last = text.slice(from);
  if (hasContent(last)) documents.push(last);
  return documents;
}

/** A file as it is sent: as it is, or cut where it is too long. */
export function* pieceSteps({ name, text }: SigmaFile): Steps<SigmaPiece[]> {
  const documents = yield* documentSteps(text);
  if (documents === undefined && text.length > WHOLE_CHARS)
    return [{ name, text, from: 1, documents: 1, bytes: 0, problem: 'too_many_documents' }];
  if (documents === undefined || documents.length === 0 || text.length <= WHOLE_CHARS)
    return [pieceOf({ name, text, from: 1, documents: Math.max(1, documents?.length ?? 1) })];
  const pieces: SigmaPiece[] = [];
  for (const [at, document] of documents.entries()) {
    pieces.push(pieceOf({ name, text: document, from: at + 1, documents: 1 }));
    yield;
  }
  return pieces;
}

function pieceOf(piece: Omit<SigmaPiece, 'bytes' | 'problem'>): SigmaPiece {
  const { name, text } = piece;
  if (text.length > sigmaPieceLimits.chars) return { ...piece, bytes: 0, problem: 'too_long' };
  const bytes = new TextEncoder().encode(JSON.stringify({ name, text })).length + 1;
  return bytes > sigmaPieceLimits.bytes ? { ...piece, bytes: 0, problem: 'too_large' } : { ...piece, bytes };
}

/** More than comments. Line by line: over several lines at once, nothing but empty lines would take forever. */
function hasContent(part: string): boolean {
  return /^[^\S\r\n\u2028\u2029]*[^\s#]/m.test(part);
}
