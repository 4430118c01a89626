import { PASSWORD_MAX, PASSWORD_MIN } from './sign-in-provider.ts';

/** Shorter beginnings of an address are in too many honest passwords. */
const ADDRESS_PART_MIN = 4;
/** `aaaaaaaaaaaa`, `123123123123`, `abcdabcdabcd`. */
const ONE_THING_REPEATED = /^(.{1,4})\1+$/u;

/** What everybody knows who sees the sign-in page, however it is written. */
const contextWords = ['airdeck'] as const;

/** Long enough and still the first ones anybody tries; compared without case, blanks and what is tacked on at the end. */
const commonPasswords: ReadonlySet<string> = new Set([
  'password1234',
  'passwordpassword',
  'mypassword123',
  'thisismypassword',
  'passw0rd1234',
  'p@ssw0rd1234',
  'p@ssword1234',
  '123456789012',
  '1234567890123',
  '12345678901234',
  '1234567890qwertyuiop',
  '012345678901',
  '0987654321098',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertyuiopasdf',
  'qwertyuiopasdfghjkl',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwerty123456',
  '123456qwerty',
  'qwertyqwerty',
  'qwertz123456',
  'azertyuiop123',
  'asdfghjkl123',
  'asdfghjklzxcvbnm',
  'zxcvbnm12345',
  '1q2w3e4r5t6y',
  '1q2w3e4r5t6y7u8i',
  'q1w2e3r4t5y6',
  '1qaz2wsx3edc',
  '1qaz2wsx3edc4rfv',
  '!qaz2wsx3edc',
  'zaq12wsxcde3',
  'abcdefghijkl',
  'abcdefghijklmnop',
  'abcdefghijklmnopqrstuvwxyz',
  'abcd12345678',
  'abc123456789',
  'a1b2c3d4e5f6',
  'iloveyou1234',
  'iloveyouforever',
  'letmein12345',
  'welcome12345',
  'welcome123456',
  'administrator',
  'administrator1',
  'admin1234567',
  'admin12345678',
  'changeme1234',
  'changemenow123',
  'changeme123456',
  'superman1234',
  'football1234',
  'baseball1234',
  'sunshine1234',
  'princess1234',
  'monkey123456',
  'dragon123456',
  'master123456',
  'summer202500',
  'winter202500',
  'trustno1trustno1',
  'correcthorsebatterystaple',
  'correct horse battery staple',
  'unbelievable',
  'qazwsxedcrfv',
]);
const commonBeginnings: ReadonlySet<string> = new Set([...commonPasswords].map(beginning));

/** Why this password is not taken, as a sentence for its owner; undefined when it is. */
export function passwordProblem(password: string, email: string): string | undefined {
  if (password.length < PASSWORD_MIN || password.length > PASSWORD_MAX) {
    return `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`;
  }
  const lower = password.toLowerCase();
  if (ONE_THING_REPEATED.test(lower)) return 'A password needs more than one thing repeated.';
  const [name = ''] = email.toLowerCase().split('@');
  if (name.length >= ADDRESS_PART_MIN && lower.includes(name)) {
    return 'A password must not contain the name in your e-mail address.';
  }
  const together = lower.replaceAll(/[\s._-]/gu, '');
  if (contextWords.some((word) => together.includes(word))) {
    return 'A password must not contain the name of this product.';
  }
  if (commonPasswords.has(lower) || commonBeginnings.has(beginning(lower))) {
    return 'This is one of the passwords that are tried first. Choose another one.';
  }
  return undefined;
}

/** Without blanks, and without the digits and signs people append to be let through. */
function beginning(password: string): string {
  const letters = password.replaceAll(' ', '');
  const kept = letters.replace(/[\d!?.,;:*#$%&@_-]+$/u, '');
  // All digits and signs: nothing would be left to compare.
  return kept.length >= 6 ? kept : letters;
}
