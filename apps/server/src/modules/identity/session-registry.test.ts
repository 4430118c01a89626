import type { Pool } from 'pg';
import { expect, it } from 'vitest';
import { createSessionRegistry } from './session-registry.ts';

it('a session that ended unheard is over within a second, also when the clock was set back', async () => {
  let at = Date.parse('2026-11-21T12:00:00.000Z');
  let rowCount = 1;
  const pool = { query: async () => ({ rowCount }) } as unknown as Pool;
  const sessions = createSessionRegistry({ pool, now: () => new Date(at) });
  expect(await sessions.isLive('forward')).toBe(true);
  at += 999;
  expect(await sessions.isLive('back')).toBe(true);
  rowCount = 0;
  expect(await sessions.isLive('forward')).toBe(true);
  at += 1;
  expect(await sessions.isLive('forward')).toBe(false);
  expect(await sessions.isLive('back')).toBe(true);
  at -= 3_600_000;
  expect(await sessions.isLive('back')).toBe(false);
});
