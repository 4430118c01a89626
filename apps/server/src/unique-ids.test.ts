import { randomBytes } from 'node:crypto';
import { validate, version } from 'uuid';
import { expect, it } from 'vitest';
import { createIds } from './unique-ids.ts';

it('makes different version 7 ids, each with random bytes of its own', () => {
  const ids = createIds(randomBytes);
  const made = Array.from({ length: 5000 }, ids);
  expect(made.every((id) => validate(id) && version(id) === 7)).toBe(true);
  expect(new Set(made).size).toBe(5000);
  expect(new Set(made.map((id) => id.slice(-12))).size).toBe(5000);
});
