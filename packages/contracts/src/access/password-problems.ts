/** Why a password is not taken, and how its owner is told. Lengths count UTF-16 units, as fields of browsers do. */
export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 128;

export const passwordProblems = {
  length: `A password has ${PASSWORD_MIN} to ${PASSWORD_MAX} characters.`,
  repeated: 'This password is one short thing repeated. Add something else.',
  address: 'A password must not be made of your e-mail address.',
  product: 'A password must not contain the name of this product.',
  keys: 'This password follows the keyboard or the alphabet. Choose another one.',
  common: 'This password, or one much like it, is known from leaks and is tried first. Choose another one.',
} as const;

export type PasswordProblem = keyof typeof passwordProblems;

export function isPasswordProblem(value: unknown): value is PasswordProblem {
  return typeof value === 'string' && Object.hasOwn(passwordProblems, value);
}
