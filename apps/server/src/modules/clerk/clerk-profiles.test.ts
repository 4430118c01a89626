import { expect, it } from 'vitest';
import { userJson } from './clerk-fixture.ts';
import { createClerkProfiles } from './clerk-profiles.ts';
import { clerkUserSchema } from './clerk-schemas.ts';

it('a change Clerk did not tell us of is seen within half a minute, also when the clock was set back', async () => {
  let at = Date.parse('2026-11-21T12:00:00.000Z');
  let email = 'first@example.com';
  const findUser = async (id: string) => clerkUserSchema.parse(userJson({ id, email }));
  const profiles = createClerkProfiles({ client: { findUser }, now: () => new Date(at) });
  const seen = async () => (await profiles.find('user_1'))?.email;
  expect(await seen()).toBe('first@example.com');
  email = 'second@example.com';
  at += 29_999;
  expect(await seen()).toBe('first@example.com');
  at += 1;
  expect(await seen()).toBe('second@example.com');
  email = 'third@example.com';
  at -= 3_600_000;
  expect(await seen()).toBe('third@example.com');
});
