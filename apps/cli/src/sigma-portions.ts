import type { SigmaFile } from '@airdeck/detection/sigma/sigma-import';
import { SigmaProblem } from '@airdeck/detection/sigma/sigma-problem';
import { splitDocuments } from '@airdeck/detection/sigma/sigma-yaml';

/** Below the server's bounds, with room for what JSON adds to a text. */
const PORTION_BYTES = 700_000;
const PORTION_FILES = 500;
const FILE_CHARS = 200_000;

/**
 * Files in portions that one call takes, in their order; a file that is too long for one comes in pieces of whole documents
 * under its own name.
 */
export function portionsOf(files: readonly SigmaFile[]): SigmaFile[][] {
  const portions: SigmaFile[][] = [];
  let bytes = 0;
  for (const file of files.flatMap(piecesOf)) {
    const size = Buffer.byteLength(JSON.stringify(file));
    const last = portions.at(-1);
    if (last !== undefined && bytes + size <= PORTION_BYTES && last.length < PORTION_FILES) {
      last.push(file);
      bytes += size;
    } else {
      portions.push([file]);
      bytes = size;
    }
  }
  return portions;
}

function piecesOf(file: SigmaFile): SigmaFile[] {
  if (file.text.length <= FILE_CHARS) return [file];
  const pieces: string[] = [];
  for (const part of partsOf(file.text)) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length <= FILE_CHARS)
      pieces[pieces.length - 1] = `${last}\n---\n${part}`;
    else pieces.push(part);
  }
  return pieces.map((text) => ({ name: file.name, text }));
}

function partsOf(text: string): string[] {
  try {
    return splitDocuments(text);
  } catch (error) {
    if (error instanceof SigmaProblem) return [text];
    throw error;
  }
}
