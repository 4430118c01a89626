import { pageLanguage, t } from '../../../language/translate.ts';

/** As large as the server takes one. */
export const DOCUMENT_MAX_BYTES = 5 * 1_048_576;

/** Why a description cannot be uploaded; undefined when it can. What is in it the server reads. */
export function documentProblem({ size }: Pick<Blob, 'size'>): string | undefined {
  if (size === 0) return t('It is empty.');
  if (size > DOCUMENT_MAX_BYTES) return t('It has {size}; at most 5 MB can be read.', { size: sizeText(size) });
  return undefined;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1_048_576) return t('{ceil} kB', { ceil: Math.round(bytes / 1024) });
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return t('{value} MB', { value: new Intl.NumberFormat(pageLanguage(), oneDecimal).format(bytes / 1_048_576) });
}
