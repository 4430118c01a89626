import { createApiClient } from '@airdeck/api-client/client';
import { expect, test } from 'vitest';
import { downloadAudit } from '../../../queries/audit.ts';
import { anyReader } from '../../../ui/reader.ts';
import { auditFilterOf, daysToTimes, startBefore } from './audit-filter.ts';
import { sizeText, targetText, verdictText } from './audit-words.ts';

test('the filter is what the route takes, and nothing of other parts of the screen', () => {
  expect(
    auditFilterOf({ panel: 'audit', q: 'ana', filters: { actor: 'ana', outcome: 'refused' }, startTime: 's' }),
  ).toEqual({ actor: 'ana', outcome: 'refused', start_time: 's' });
});

test('a preset is the same list within the hour', () => {
  const at = (time: string) => startBefore(24, new Date(time));
  expect(at('2026-11-21T10:05:00Z')).toBe('2026-11-20T10:00:00.000Z');
  expect(at('2026-11-21T10:55:00Z')).toBe(at('2026-11-21T10:05:00Z'));
});

test('days include the last one, and the wrong way around is none', () => {
  const reader = { ...anyReader, timeZone: 'America/New_York' };
  expect(daysToTimes({ from: '2026-11-20', to: '2026-11-20' }, reader)).toEqual({
    startTime: '2026-11-20T05:00:00.000Z',
    endTime: '2026-11-21T05:00:00.000Z',
  });
  expect(daysToTimes({ from: '2026-11-21', to: '2026-11-20' }, reader)).toBeUndefined();
  expect(daysToTimes({ from: '', to: '2026-11-20' }, reader)).toBeUndefined();
});

test('a verdict names the record that does not fit', () => {
  const intact = { intact: true, records: 1204, head: 'h', broken: null };
  expect(verdictText(intact, anyReader)).toBe(
    'Intact. All 1,204 records are as they were written, and none is missing.',
  );
  const broken = { intact: false, records: 9, head: null, broken: { sequence: 7, reason: 'changed' as const } };
  expect(verdictText(broken, anyReader)).toBe('Not intact. Record 7 was changed after it was written.');
  expect(sizeText(1)).toBe('1 kB');
  expect(targetText({ kind: 'sso_connection', id: 'x' })).toBe('Sign-in connection x');
});

test('the file has the filter, and the name the server gave or one of its own', async () => {
  const asked: string[] = [];
  const names = ['attachment; filename="audit-t1-2026-11-21.csv"', 'attachment'];
  const api = createApiClient({
    baseUrl: 'https://air.test',
    getToken: async () => 'token',
    fetch: async (url) => {
      asked.push(String(url));
      const headers = { 'content-disposition': names.shift() ?? '', 'content-type': 'text/csv' };
      return new Response('a,b\n1,2\n', { headers });
    },
    onUnauthorized: () => undefined,
    newId: () => 'id',
  });
  const download = () =>
    downloadAudit(
      { api, tenantId: 't1' },
      { filter: { actor: 'ana' }, format: 'csv', signal: new AbortController().signal, onProgress: () => undefined },
    );
  const { file, name } = await download();
  expect([name, await file.text()]).toEqual(['audit-t1-2026-11-21.csv', 'a,b\n1,2\n']);
  expect((await download()).name).toBe('audit-t1.csv');
  expect(asked[0]).toBe('https://air.test/api/tenants/t1/audit/export?actor=ana&format=csv');
});
