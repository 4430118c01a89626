import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EventsError } from '../../storage/events-store.ts';
import { createTestDatabase, type TestDatabase } from '../../storage/test-database.ts';
import { eventRow } from '../../storage/test-events.ts';
import { countEvents, eventPages } from './event-pages.ts';
import type { ExportRow } from './export-row.ts';
import { type FileState, reportFile } from './report-file.ts';
import type { EventCondition } from './reports-port.ts';

const TENANT = randomUUID();
const OTHER = randomUUID();
const START = Date.parse('2026-11-20T00:00:00.000Z');
const DAY_MS = 86_400_000;
const signal = new AbortController().signal;

let stores: TestDatabase;

beforeAll(async () => {
  stores = await createTestDatabase();
});
afterAll(() => stores?.close());

function wanted(condition: Partial<EventCondition> = {}, tenant = TENANT) {
  const range = { start: new Date(START), end: new Date(START + DAY_MS) };
  return { tenant, signal, condition: { sql: '1', params: {}, range, ...condition } };
}

async function pagesOf(...args: Parameters<typeof eventPages>): Promise<(readonly ExportRow[])[]> {
  const pages: (readonly ExportRow[])[] = [];
  for await (const page of eventPages(...args)) pages.push(page);
  return pages;
}

async function fileOf(format: 'csv' | 'ndjson' | 'parquet', limits?: { rowsMax: number; bytesMax: number }) {
  const state: FileState = { rows: 0, bytes: 0, cutBy: null };
  const chunks: Uint8Array[] = [];
  const pages = eventPages({ events: stores.events }, wanted({ sql: "integration = 'odd'" }));
  const options = { format, pages, state, progress: async () => undefined, ...(limits && { limits }) };
  for await (const chunk of reportFile(options)) chunks.push(chunk);
  return { state, bytes: Buffer.concat(chunks) };
}

describe('the events of a search', () => {
  it('come once each, newest first, with many of one millisecond and long gaps between them', async () => {
    const dense = Array.from({ length: 6_000 }, (_, n) =>
      eventRow({ tenant: TENANT, integration: 'dense', time: START + Math.floor(n / 3_000), message: `d${n}` }),
    );
    const sparse = Array.from({ length: 50 }, (_, n) =>
      eventRow({ tenant: TENANT, integration: 'dense', time: START + n * 1_500_000, message: `s${n}` }),
    );
    const foreign = Array.from({ length: 500 }, () =>
      eventRow({ tenant: OTHER, integration: 'dense', time: START + 5 }),
    );
    await stores.events.insert([...dense, ...sparse, ...foreign]);
    const search = wanted({ sql: 'integration = {p0:String}', params: { p0: 'dense' } });
    const pages = await pagesOf({ events: stores.events }, search);
    const rows = pages.flat();
    expect(rows).toHaveLength(6_050);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(6_050);
    expect(rows.map(({ time_ms }) => time_ms)).toEqual(rows.map(({ time_ms }) => time_ms).sort((a, b) => b - a));
    expect(await countEvents({ events: stores.events }, search)).toBe(6_050);
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(2_500);
  });

  it('are asked for in smaller parts when a page is too much for the store, and fail when nothing is small enough', async () => {
    const sizes: unknown[] = [];
    const events = {
      query: async <T>(query: { params?: Record<string, unknown> }): Promise<T[]> => {
        sizes.push(query.params?.report_size);
        if (Number(query.params?.report_size) > 100) throw new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'too much');
        return [];
      },
    };
    expect(await pagesOf({ events }, wanted())).toEqual([]);
    expect(sizes).toContain(625);
    const never = {
      query: () => Promise.reject(new EventsError('EVENTS_QUERY_TOO_EXPENSIVE', 'too much')),
    };
    await expect(pagesOf({ events: never }, wanted())).rejects.toMatchObject({ code: 'EVENTS_QUERY_TOO_EXPENSIVE' });
  });
});

const odd = [
  {
    message: '=cmd|calc',
    user: 'a,b',
    fields: { n: '9007199254740993', nested: { deep: [1, -5] } },
    raw: 'line\nbreak',
  },
  { message: 'naïve 日本語 😀', user: '"q"', fields: {}, raw: '' },
];

describe('a file', () => {
  beforeAll(async () => {
    const rows = odd.map((one, n) => eventRow({ tenant: TENANT, integration: 'odd', time: START + n, ...one }));
    await stores.events.insert([...rows, eventRow({ tenant: OTHER, integration: 'odd', time: START })]);
  });

  it('as NDJSON has every event with its original fields', async () => {
    const { state, bytes } = await fileOf('ndjson');
    const lines = bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.map(({ message }) => message)).toEqual(['naïve 日本語 😀', '=cmd|calc']);
    expect(lines[1]).toMatchObject({
      time: '2026-11-20T00:00:00.000Z',
      user: 'a,b',
      raw: 'line\nbreak',
      fields: { n: '9007199254740993', nested: { deep: [1, -5] } },
    });
    expect(state).toEqual({ rows: 2, bytes: bytes.length, cutBy: null });
  });

  it('as CSV has a head, a line for each event, and no formula', async () => {
    const { bytes } = await fileOf('csv');
    const text = bytes.toString();
    expect(text.startsWith('\uFEFFtime,received_at,integration,event_type,severity,message,')).toBe(true);
    expect(text).toContain('"\'=cmd|calc",');
    expect(text.split('\r\n')).toHaveLength(4);
  });

  it('as Parquet is read by another program, every type and character as it was', async () => {
    const { state, bytes } = await fileOf('parquet');
    expect(state.bytes).toBe(bytes.length);
    const rows = await readParquet(bytes, 'message, user, raw, fields, toString(time) as t');
    expect(rows).toEqual([
      { message: 'naïve 日本語 😀', user: '"q"', raw: '', fields: '{}', t: expect.stringContaining('00:00:00.001') },
      expect.objectContaining({ message: '=cmd|calc', user: 'a,b', raw: 'line\nbreak' }),
    ]);
  });

  it('ends at its limit of rows and says so, but not when there are just as many', async () => {
    expect((await fileOf('ndjson', { rowsMax: 1, bytesMax: 1e9 })).state).toMatchObject({ rows: 1, cutBy: 'rows' });
    expect((await fileOf('ndjson', { rowsMax: 2, bytesMax: 1e9 })).state).toMatchObject({ rows: 2, cutBy: null });
  });
});

describe('a hundred thousand events', () => {
  const rows = 100_000;

  /** Made as they are asked for; counts how many pages are alive between reader and file. */
  async function* made(alive: { now: number; most: number }) {
    for (let from = 0; from < rows; from += 2_500) {
      alive.now++;
      alive.most = Math.max(alive.most, alive.now);
      yield Array.from({ length: 2_500 }, (_, n): ExportRow => exportRow(from + n));
      alive.now--;
    }
  }

  it.each(['csv', 'ndjson', 'parquet'] as const)(
    'as %s pass through with one page at a time in memory',
    async (format) => {
      const state: FileState = { rows: 0, bytes: 0, cutBy: null };
      const alive = { now: 0, most: 0 };
      let largest = 0;
      const chunks: Uint8Array[] = [];
      for await (const chunk of reportFile({ format, pages: made(alive), state, progress: async () => undefined })) {
        largest = Math.max(largest, chunk.length);
        if (format === 'parquet') chunks.push(chunk);
      }
      expect(state).toMatchObject({ rows, cutBy: null });
      expect(alive.most).toBe(1);
      // A part of the file at a time, never the whole.
      expect(largest).toBeLessThan(state.bytes / 4);
      if (format !== 'parquet') return;
      const counted = 'count() as n, uniqExact(id) as ids, sum(length(raw)) as bytes, min(time) < max(time) as spread';
      expect(await readParquet(Buffer.concat(chunks), counted)).toEqual([
        { n: rows, ids: rows, bytes: expect.any(Number), spread: 1 },
      ]);
    },
  );
});

function exportRow(n: number): ExportRow {
  const id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
  return {
    ...{ id, time_ms: START + n, received_ms: START + n, integration: 'sshd', event_type: 'authentication' },
    ...{
      severity: 'low',
      action: 'login',
      outcome: 'failure',
      host: `web-${n % 40}`,
      user: 'root',
      src_ip: '192.0.2.7',
    },
    ...{ dst_ip: '', connector_id: '', message: `Failed password ${n}`, fields_json: '{"a":1}', raw: `<38>line ${n}` },
  };
}

/** By the embedded store, in a process of its own: nothing of ours has a part in reading it. */
async function readParquet(bytes: Buffer, select: string): Promise<unknown[]> {
  const folder = await mkdtemp(join(tmpdir(), 'airdeck-parquet-'));
  try {
    await writeFile(join(folder, 'report.parquet'), bytes);
    const sql = `select ${select} from file('${join(folder, 'report.parquet')}', Parquet) settings output_format_json_quote_64bit_integers=0`;
    const script = `import { query } from 'chdb'; process.stdout.write(query(${JSON.stringify(sql)}, 'JSONEachRow'));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      maxBuffer: 50_000_000,
    });
    return stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
