import { PASSWORD_MAX, PASSWORD_MIN, type PasswordProblem } from '@airdeck/contracts/access/password-problems';
import { isCommonPassword } from './common-passwords.ts';
import { followsKeys, guessesFor, isOneThingRepeated, together } from './password-guesses.ts';

/** Shorter parts of an address are in too many honest passwords. */
const ADDRESS_PART_MIN = 4;

/** What everybody knows who sees the sign-in page, however it is written. */
const contextWords = ['airdeck'] as const;

/** Phrases that became known after the list of leaked ones was made, or as examples. */
const knownPhrases: ReadonlySet<string> = new Set(['correcthorsebatterystaple', 'changemenow', 'mypassword']);

/** Why this password is not taken; undefined when it is. */
export function passwordProblem(password: string, email: string): PasswordProblem | undefined {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) return 'length';
  if (isOneThingRepeated(password)) return 'repeated';
  const lower = password.toLowerCase();
  const joined = together(lower);
  const guesses = guessesFor(password);
  const [name = '', host = ''] = email.toLowerCase().split('@');
  if (name.length >= ADDRESS_PART_MIN && lower.includes(name)) return 'address';
  if (addressWords(name, host).some((word) => guesses.has(word))) return 'address';
  if (contextWords.some((word) => joined.includes(word))) return 'product';
  if (followsKeys(password)) return 'keys';
  for (const guess of guesses) if (knownPhrases.has(guess) || isCommonPassword(guess)) return 'common';
  return undefined;
}

/** What somebody makes of an address who tries it: its parts, alone and together. */
function addressWords(name: string, host: string): string[] {
  const parts = name.split(/[._+-]/u);
  const labels = host.split('.').slice(0, -1);
  const words = [...parts, parts.join(''), parts.toReversed().join(''), ...labels, together(name + host)];
  return [
    ...new Set([...words, ...parts.flatMap((part) => labels.flatMap((label) => [part + label, `${part}@${label}`]))]),
  ].filter((word) => word.length >= ADDRESS_PART_MIN);
}
