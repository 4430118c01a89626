const MAX_INITIALS = 3;

/**
 * Initials of an e-mail style username (spec §3): first letters of the dot-separated parts before the at-sign, upper
 * case. Empty parts are skipped; at most three letters. Empty when there is no letter to take.
 */
export function initialsOf(username: string): string {
  const local = username.split('@', 1)[0] ?? '';
  return local
    .split('.')
    .map((part) => [...part.trim()][0] ?? '')
    .join('')
    .toUpperCase()
    .slice(0, MAX_INITIALS);
}
