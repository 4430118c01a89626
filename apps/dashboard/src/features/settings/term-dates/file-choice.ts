import { limits } from '@airdeck/contracts/limits';
import { t } from '../../../language/translate.ts';
import { fileSize } from '../../../lib/file-download.ts';

const MEGABYTE = 1_048_576;

/** Why a file cannot be added; undefined when it can. The server looks inside, too. */
export function fileProblem(file: Pick<File, 'name' | 'type' | 'size'>): string | undefined {
  if (file.type !== 'application/pdf') return t('{name} is not a PDF.', { name: file.name });
  if (file.size === 0) return t('{name} is empty.', { name: file.name });
  if (file.size > limits.contractFileMaxBytes) {
    return t('{name} is {fileSize}; at most {value} MB can be added.', {
      name: file.name,
      fileSize: fileSize(file.size),
      value: limits.contractFileMaxBytes / MEGABYTE,
    });
  }
  return undefined;
}
