/** As many letters as fit into an avatar. */
const AVATAR_LETTERS = 3;

/**
 * Initials of an e-mail style username (spec §3): the first letter of each dot-separated part before the at-sign, upper
 * case. Parts without a letter are skipped; empty when there is none to take.
 */
export function initialsOf(username: string): string {
  const [local = ''] = username.split('@', 1);
  return local
    .split('.')
    .map((part) => /\p{L}/u.exec(part)?.[0] ?? '')
    .join('')
    .toUpperCase();
}

/** The same where there is room for three letters: of more, the first and the last. */
export function avatarInitialsOf(username: string): string {
  const letters = [...initialsOf(username)];
  return (letters.length > AVATAR_LETTERS ? [letters[0], letters.at(-1)] : letters).join('');
}
