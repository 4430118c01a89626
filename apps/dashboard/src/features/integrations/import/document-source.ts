/** As large as the server takes one. */
export const DOCUMENT_MAX_BYTES = 5 * 1_048_576;

/** Why a description cannot be uploaded; undefined when it can. What is in it the server reads. */
export function documentProblem({ size }: Pick<Blob, 'size'>): string | undefined {
  if (size === 0) return 'It is empty.';
  if (size > DOCUMENT_MAX_BYTES) return `It has ${sizeText(size)}; at most 5 MB can be read.`;
  return undefined;
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1_048_576).toFixed(1)} MB`;
}
