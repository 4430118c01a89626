import { ApiError } from '@airdeck/api-client/api-error';
import { describe, expect, test } from 'vitest';
import { type AuditDownload, downloadAudit } from '../../../queries/audit.ts';
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

describe('the file', () => {
  const asked: { url: string; token: string | null }[] = [];
  const download = (answers: Response[], change: Partial<AuditDownload> = {}): AuditDownload => ({
    identity: { getToken: async (options) => (options?.refresh === true ? 'fresh' : 'old') },
    baseUrl: 'https://air.test',
    fetch: async (url, init) => {
      asked.push({ url: String(url), token: new Headers(init?.headers).get('authorization') });
      const answer = answers.shift();
      if (answer === undefined) throw new TypeError('no connection');
      return answer;
    },
    tenantId: 't1',
    filter: { actor: 'ana' },
    format: 'csv',
    signal: new AbortController().signal,
    onProgress: () => undefined,
    ...change,
  });

  test('has the filter, the name the server gave, and its token in no address', async () => {
    asked.length = 0;
    const headers = {
      'content-disposition': 'attachment; filename="audit-t1-2026-11-21.csv"',
      'content-type': 'text/csv',
    };
    const { file, name } = await downloadAudit(download([new Response('a,b\n1,2\n', { headers })]));
    expect([name, await file.text(), file.type]).toEqual(['audit-t1-2026-11-21.csv', 'a,b\n1,2\n', 'text/csv']);
    expect(asked).toEqual([
      { url: 'https://air.test/api/tenants/t1/audit/export?actor=ana&format=csv', token: 'Bearer old' },
    ]);
  });

  test('is asked for once more with a fresh token', async () => {
    asked.length = 0;
    await downloadAudit(download([new Response(null, { status: 401 }), new Response('x')]));
    expect(asked.map(({ token }) => token)).toEqual(['Bearer old', 'Bearer fresh']);
  });

  test('takes no path from the server as its name', async () => {
    const headers = { 'content-disposition': 'attachment; filename="../../x.sh"' };
    const { name } = await downloadAudit(download([new Response('x', { headers })]));
    expect(name).toBe('audit-t1.csv');
  });

  test('that breaks off is a failure, not a shorter file', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('a,b\n'));
        controller.error(new TypeError('terminated'));
      },
    });
    await expect(downloadAudit(download([new Response(body)]))).rejects.toMatchObject({ category: 'network' });
  });

  test('refused says why', async () => {
    const refused = Response.json({ message: 'Already under way.', code: 'RATE_LIMITED' }, { status: 429 });
    const failed = downloadAudit(download([refused]));
    await expect(failed).rejects.toBeInstanceOf(ApiError);
    await expect(failed).rejects.toMatchObject({ code: 'RATE_LIMITED', message: 'Already under way.' });
  });
});
