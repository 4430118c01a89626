const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Numbers as the store reads them out of texts: no spaces, no hexadecimal, nothing infinite. */
export function numberOf(text: string): number | undefined {
  if (text.length > 64 || !NUMBER.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
