import { describe, expect, it } from 'vitest';
import { passwordProblem } from './password-policy.ts';

const email = 'Ana.Lima@example.com';

describe('a password is refused when it', () => {
  it.each([
    ['is short', 'short-1-pass'.slice(0, 11)],
    ['is longer than can be hashed in bounded time', 'x1'.repeat(65)],
    ['is one character repeated', 'aaaaaaaaaaaaaaaa'],
    ['is one short block repeated', 'ab1ab1ab1ab1'],
    ['contains the name in the address, in any case', 'my ANA.LIMA password'],
    ['contains the name of the product, however it is written', 'my Air-Deck sign-in'],
    ['is a common one', 'qwertyuiopasdf'],
    ['is a common one in capitals', 'PasswordPassword'],
    ['is a common one with more tacked on', 'Administrator2026!'],
    ['is a common one with blanks', 'correct horse battery staple'],
    ['is a row of digits', '123456789012'],
  ])('%s', (_why, password) => {
    expect(passwordProblem(password, email)).toMatch(/\.$/);
  });
});

it.each([
  'tulip-margin-orbit-42',
  '            spaces count too',
  'пароль-длинный-очень',
  `${'x1'.repeat(10)}different end`,
])('takes %s', (password) => {
  expect(passwordProblem(password, email)).toBeUndefined();
});

it('does not let a short name in the address forbid ordinary words', () => {
  expect(passwordProblem('tulip-margin-orbit-42', 'tu@example.com')).toBeUndefined();
});
