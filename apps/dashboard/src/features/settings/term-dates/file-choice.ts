import { limits } from '@airdeck/contracts/limits';
import { fileSize } from '../../../lib/file-download.ts';

const MEGABYTE = 1_048_576;

/** Why a file cannot be added; undefined when it can. The server looks inside, too. */
export function fileProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (file.type !== 'application/pdf') return `${file.name} is not a PDF.`;
  if (file.size === 0) return `${file.name} is empty.`;
  if (file.size > limits.contractFileMaxBytes) {
    return `${file.name} is ${fileSize(file.size)}; at most ${limits.contractFileMaxBytes / MEGABYTE} MB can be added.`;
  }
  return undefined;
}
