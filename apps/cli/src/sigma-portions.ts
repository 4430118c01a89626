import type { SigmaFile } from '@airdeck/detection/sigma/sigma-import';
import { SigmaProblem } from '@airdeck/detection/sigma/sigma-problem';
import { splitDocuments } from '@airdeck/detection/sigma/sigma-yaml';
import { sigmaPortions } from '@airdeck/domain/sigma-portions';

const FILE_CHARS = 200_000;

/**
 * Files in portions that one call takes, in their order, correlations together with the rules they name; a file that is too
 * long for one comes document by document under its own name.
 */
export function portionsOf(files: readonly SigmaFile[]): SigmaFile[][] {
  return sigmaPortions(files.flatMap(piecesOf));
}

function piecesOf(file: SigmaFile): SigmaFile[] {
  if (file.text.length <= FILE_CHARS) return [file];
  try {
    const texts = splitDocuments(file.text);
    return texts.length === 0 ? [file] : texts.map((text) => ({ name: file.name, text }));
  } catch (error) {
    if (error instanceof SigmaProblem) return [file];
    throw error;
  }
}
