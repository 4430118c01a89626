import { ApiError } from '@airdeck/api-client/api-error';
import type { ApiClient } from '@airdeck/api-client/client';
import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { userWith } from '../session/fixtures.ts';
import { preferenceMutations } from './notification-preferences.ts';

const known = userWith().user.notification_preferences;
const change = { webhook_url: 'hooks', kinds: { run_failed: { mail: true } } };
const whole = { ...known, webhook_url: 'hooks' };

/** A server that refuses these parts the first time. */
function server(...refused: string[]) {
  const sent: unknown[] = [];
  const call = async (_route: string, { body }: { body: { notification_preferences: unknown } }) => {
    sent.push(body.notification_preferences);
    if (sent.length > 1) return userWith();
    throw new ApiError({
      ...{ category: 'client', code: 'VALIDATION_FAILED', message: '', status: 400, endpoint: '/me', method: 'PATCH' },
      details: refused.map((path) => ({ path: `body.${path}`, message: '' })),
    });
  };
  const { mutationFn } = preferenceMutations.save({ call } as unknown as ApiClient, new QueryClient());
  const save = mutationFn as (variables: { change: typeof change; whole: typeof whole }) => Promise<unknown>;
  return { sent, saved: () => save({ change, whole }) };
}

test.each([
  'notification_preferences.digest',
  'notification_preferences.quiet_hours',
  'notification_preferences.kinds.run_failed.in_app',
])('a server that misses %s, which was left out, is sent all of them', async (missing) => {
  const { sent, saved } = server('notification_preferences.webhook_url', missing);
  await saved();
  expect(sent).toEqual([change, whole]);
});

test.each([
  ['a part of it', 'notification_preferences.webhook_url'],
  ['a switch', 'notification_preferences.kinds.run_failed.mail'],
  ['all of it', 'notification_preferences'],
  ['something else', 'timezone'],
])('what is wrong with what was sent is not sent again: %s', async (_what, wrong) => {
  const { sent, saved } = server(wrong);
  await expect(saved()).rejects.toThrow(ApiError);
  expect(sent).toEqual([change]);
});
