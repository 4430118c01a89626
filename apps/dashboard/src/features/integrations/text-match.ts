/** Whether every word is somewhere in the texts, whatever the case or the accents. */
export function hasWords(q: string | undefined, texts: readonly string[]): boolean {
  const text = plain(texts.join('\n'));
  return plain(q ?? '')
    .split(/\s+/)
    .every((word) => text.includes(word));
}

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}
