import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { compilePolicies, evaluate } from '@airdeck/detection/policy-set';
import { importSigma } from '@airdeck/detection/sigma/sigma-import';
import { parseRecord } from '@airdeck/event-parsers/parse-record';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './main.ts';
import type { Surroundings } from './surroundings.ts';

let folder: string;
let results: string[];
let words: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-policy-'));
  results = [];
  words = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const surroundings: Surroundings = {
  env: {},
  fetch: () => Promise.reject(new Error('no network here')),
  now: () => Date.parse('2026-11-21T12:00:00Z'),
  wait: async () => undefined,
  result: (line) => results.push(line),
  say: (line) => words.push(line),
  interrupted: new AbortController().signal,
};

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const rule = `title: Failed sign-ins
id: 11111111-1111-4111-8111-111111111111
author: A. Author
logsource: { product: acme }
detection:
  sel: { result|contains: denied }
  condition: sel
`;

const counting = {
  name: 'Many failures',
  description: '',
  type: 'custom',
  severity: 'high',
  logic: {
    rule_type: 'filter_and_group',
    filter_criteria: [{ field: 'result', operator: 'equals', value: 'denied' }],
    group_by: ['user'],
    threshold: { count: 3, within_s: 60 },
    source: { source_type: 'log', connector_definition_id: 'acme', event_type: '' },
  },
};

function event(seconds: number, user: string, result = 'denied'): string {
  const time = new Date(Date.parse('2026-11-21T10:00:00Z') + seconds * 1000).toISOString();
  return JSON.stringify({ time, integration: 'acme', event_type: 'login', user, result });
}

async function policyTest(rulePath: string, lines: readonly string[]): Promise<number> {
  const events = file('events.ndjson', lines.join('\n'));
  return await runCommand(['policy', 'test', '--rule', rulePath, '--events', events, '--json'], surroundings);
}

describe('policy test', () => {
  it('answers line by line and sums up', async () => {
    expect(await policyTest(file('rule.yml', rule), [event(0, 'ana'), '', event(1, 'bo', 'fine'), 'no event'])).toBe(0);
    expect(results.map((line) => JSON.parse(line))).toEqual([
      { line: 1, matched: true },
      { line: 3, matched: false },
      { line: 4, matched: false },
      { summary: { events: 3, matched: 1, cases: [{ group: {}, events: 1 }] } },
    ]);
  });

  it('opens a case per group whose threshold fills, in event time whatever the order of the lines', async () => {
    const lines = [
      ...[50, 0, 10].map((seconds) => event(seconds, 'ana')),
      ...[0, 40, 90].map((seconds) => event(seconds, 'bo')),
      event(300, 'ana'),
    ];
    expect(await policyTest(file('policy.json', JSON.stringify(counting)), lines)).toBe(0);
    expect(JSON.parse(results.at(-1) ?? '')).toEqual({
      summary: { events: 7, matched: 7, cases: [{ group: { user: 'ana' }, events: 4 }] },
    });
  });

  it('follows the steps of a correlation in event time, whatever the order of the lines', async () => {
    const second = rule
      .replace('Failed sign-ins', 'Sign-ins')
      .replaceAll('11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222')
      .replace('result|contains: denied', 'result: fine');
    const correlation = `title: Failures, then a sign-in
correlation:
  type: temporal_ordered
  rules: [11111111-1111-4111-8111-111111111111, 22222222-2222-4222-8222-222222222222]
  group-by: [user]
  timespan: 1m
`;
    const lines = [
      ...[event(40, 'ana', 'fine'), event(0, 'ana'), event(10, 'ana')],
      ...[event(0, 'bo', 'fine'), event(10, 'bo')],
      ...[event(0, 'cy'), event(61, 'cy', 'fine')],
    ];
    const path = file('correlation.yml', [rule, second, correlation].join('---\n'));
    expect(await policyTest(path, lines)).toBe(0);
    expect(JSON.parse(results.at(-1) ?? '')).toEqual({
      summary: { events: 7, matched: 7, cases: [{ group: { user: 'ana' }, events: 2 }] },
    });
  });

  it.each([
    ['bad.yml', 'title: [', /Line 1/],
    ['modifier.yml', rule.replace('contains', 'sounds_like'), /sounds_like/],
    ['two.yml', `${rule}---\n${rule.replace('11111111', '22222222')}`, /several rules/],
    ['bad.json', '{', /not JSON/],
    [
      'empty.json',
      JSON.stringify({ ...counting, logic: { ...counting.logic, filter_criteria: [] } }),
      /filter_criteria/,
    ],
    [
      'regex.json',
      JSON.stringify({ rule: counting }).replace('"equals","value":"denied"', '"regex","value":"("'),
      /RE2 syntax/,
    ],
  ])('%s is wrong input, with the reason', async (name, content, reason) => {
    expect(await policyTest(file(name, content), [event(0, 'ana')])).toBe(2);
    expect(results).toHaveLength(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ message: expect.stringMatching(reason) });
  });

  it('names a file that is not there', async () => {
    expect(await policyTest(join(folder, 'nowhere.yml'), [])).toBe(2);
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ error: 'FILE_UNREADABLE' });
  });
});

describe('import sigma', () => {
  async function importAt(path: string, ...more: string[]): Promise<number> {
    return await runCommand(['import', 'sigma', path, '--json', ...more], surroundings);
  }
  const answers = () => results.map((line) => JSON.parse(line) as { title: string; status: string; reason?: string });

  it('says rule by rule what can be taken, from a folder', async () => {
    mkdirSync(join(folder, 'deep'));
    file('a.yml', rule);
    file('deep/b.yaml', rule);
    file('notes.txt', 'no rule');
    expect(await importAt(folder, '--dry-run')).toBe(0);
    expect(answers()).toEqual([
      { id: '11111111-1111-4111-8111-111111111111', title: 'Failed sign-ins', status: 'imported' },
      {
        id: '11111111-1111-4111-8111-111111111111',
        title: 'Failed sign-ins',
        status: 'failed',
        reason: expect.stringContaining('a.yml'),
      },
    ]);
  });

  it('reads a zip, packed or not', async () => {
    const zip = zipOf([
      { name: 'rules/a.yml', content: rule, packed: true },
      { name: 'rules/b.yml', content: rule.replace('11111111', '22222222'), packed: false },
      { name: 'README.md', content: 'no rule', packed: true },
    ]);
    expect(await importAt(file('rules.zip', zip), '--dry-run', '--tenant', 't1')).toBe(0);
    expect(answers().map(({ status }) => status)).toEqual(['imported', 'imported']);
  });

  it('does not unpack a zip without end, nor follow one that lies about its places', async () => {
    const bomb = zipOf([{ name: 'a.yml', content: ' '.repeat(5_000_000), packed: true }]);
    expect(await importAt(file('bomb.zip', bomb), '--dry-run')).toBe(2);
    const whole = zipOf([{ name: 'a.yml', content: rule, packed: true }]);
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      expect([0, 1, 2]).toContain(await importAt(file('damaged.zip', damaged), '--dry-run'));
    }
    expect(await importAt(file('no.zip', 'no zip at all'), '--dry-run')).toBe(2);
  });

  it('stores what a tenant’s server takes, in portions it takes at once, and passes on what it says', async () => {
    const sent: { url: string; authorization: string | null; files: { name: string; text: string }[] }[] = [];
    const server: Surroundings = {
      ...surroundings,
      env: { AIRDECK_TOKEN: 'aird_key', AIRDECK_URL: 'http://127.0.0.1:4000' },
      fetch: async (url, init) => {
        const body = JSON.parse(String(init?.body)) as { files: { name: string; text: string }[] };
        sent.push({
          url: String(url),
          authorization: new Headers(init?.headers).get('authorization'),
          files: body.files,
        });
        const rules = body.files.map(({ name: fileName }) => ({
          ...{ file: fileName, id: '1', title: 'T', policy_id: null },
          ...(fileName === 'b.yml' ? { status: 'skipped', reason: 'There already.' } : { status: 'imported' }),
        }));
        return Response.json({ rules, imported: 0, skipped: 0, failed: 0 });
      },
    };
    file('a.yml', rule);
    file('b.yml', rule);
    const long = Array.from({ length: 2_000 }, () => `${rule}description: ${'x'.repeat(500)}\n`).join('---\n');
    file('c.yml', long);
    file('d.yml', 'x'.repeat(300_000));
    expect(await runCommand(['import', 'sigma', folder, '--json', '--tenant', 't1'], server)).toBe(0);
    expect(new Set(sent.map(({ url }) => url))).toEqual(
      new Set(['http://127.0.0.1:4000/api/tenants/t1/soar/rules/import']),
    );
    expect(sent.every(({ authorization }) => authorization === 'Bearer aird_key')).toBe(true);
    expect(sent.every(({ files }) => JSON.stringify(files).length < 900_000)).toBe(true);
    const pieces = sent.flatMap(({ files }) => files.filter(({ name: fileName }) => fileName === 'c.yml'));
    expect(pieces.map(({ text }) => text.split('title:').length - 1).reduce((sum, count) => sum + count, 0)).toBe(
      2_000,
    );
    expect(answers()[1]).toEqual({ id: '1', title: 'T', status: 'skipped', reason: 'There already.' });
    const failed = answers().filter(({ status }) => status === 'failed');
    expect(failed).toMatchObject([{ reason: expect.stringContaining('256000') }]);
  });

  describe('a collection of more than one portion', () => {
    const counted = rule.replace('title: Failed sign-ins', 'title: Failed sign-in\nname: failed_signin');
    const correlation = `title: Many failures
id: 33333333-3333-4333-8333-333333333333
correlation:
  type: event_count
  rules: [failed_signin]
  timespan: 10m
  condition: { gte: 10 }
`;
    const numbered = (at: number) => rule.replace('11111111', String(40_000_000 + at));
    let calls: number;
    beforeEach(() => {
      calls = 0;
    });
    /** Imports what it is sent, as the real one does; refuses every call after so many. */
    const server = (callsMax = Number.POSITIVE_INFINITY): Surroundings => ({
      ...surroundings,
      env: { AIRDECK_TOKEN: 'aird_key', AIRDECK_URL: 'http://127.0.0.1:4000' },
      fetch: async (_url, init) => {
        calls += 1;
        if (calls > callsMax) return Response.json({ message: 'Busy.', code: 'OVERLOADED' }, { status: 503 });
        const { files } = JSON.parse(String(init?.body)) as { files: { name: string; text: string }[] };
        const rules = importSigma(files).map((outcome) => {
          const { file: fileName, id, title, status } = outcome;
          const about = { file: fileName, id, title, status, policy_id: null };
          return outcome.status === 'imported' ? about : { ...about, reason: outcome.reason };
        });
        return Response.json({ rules, imported: 0, skipped: 0, failed: 0 });
      },
    });
    const both = async () => {
      expect(await importAt(folder, '--dry-run')).toBe(0);
      const dry = answers();
      results = [];
      expect(await runCommand(['import', 'sigma', folder, '--json', '--tenant', 't1'], server())).toBe(0);
      return { dry, real: answers() };
    };

    it('has correlations with what they count, over files far from each other', async () => {
      file('a.yml', correlation);
      for (let at = 0; at < 520; at += 1) file(`f${at}.yml`, numbered(at));
      file('z.yml', counted);
      const { dry, real } = await both();
      expect(calls).toBe(2);
      expect(real.find(({ title }) => title === 'Many failures')).toMatchObject({ status: 'imported' });
      expect(real.find(({ title }) => title === 'Failed sign-in')).toMatchObject({ status: 'skipped' });
      expect(dry).toEqual(real);
    });

    it('has them together in one long file as well', async () => {
      const filler = Array.from({ length: 300 }, (_, at) => `${numbered(at)}description: ${'x'.repeat(4_000)}\n`);
      file('all.yml', [counted, ...filler, correlation].join('---\n'));
      const { dry, real } = await both();
      expect(real.filter(({ status }) => status === 'imported')).toHaveLength(301);
      expect(real.find(({ title }) => title === 'Many failures')).toMatchObject({ status: 'imported' });
      expect(dry).toEqual(real);
    });

    it('is tried as it would be sent: a rule that is there again later is skipped then', async () => {
      for (let at = 0; at < 520; at += 1) file(`f${String(at).padStart(3, '0')}.yml`, numbered(at % 510));
      expect(await importAt(folder, '--dry-run')).toBe(0);
      const again = answers().slice(510);
      expect(again).toHaveLength(10);
      expect(again[0]).toMatchObject({ status: 'skipped', reason: expect.stringContaining('f000.yml') });
      results = [];
      expect(await importAt(folder, '--dry-run', '--replace')).toBe(0);
      expect(answers().every(({ status }) => status === 'imported')).toBe(true);
    });

    it('that stops half-way says what was stored before', async () => {
      for (let at = 0; at < 520; at += 1) file(`f${at}.yml`, numbered(at));
      expect(await runCommand(['import', 'sigma', folder, '--json', '--tenant', 't1'], server(1))).toBe(1);
      expect(answers().filter(({ status }) => status === 'imported')).toHaveLength(500);
      expect(JSON.parse(results.at(-1) ?? '')).toEqual({ error: 'OVERLOADED', message: 'Busy.' });
      expect(words).toEqual(['Before it stopped: 500 imported, switched off, 0 are skipped, 0 failed.']);
    });
  });

  describe('over policies that are on and would match nearly everything', () => {
    const confirm = { title: 'Renew policies that are on?', text: 'Widened: 90 %.', action_label: 'Renew' };
    let sent: (string | null)[];
    beforeEach(() => {
      sent = [];
      file('a.yml', rule);
    });
    /** Asks each time unless a call confirms. */
    const server = (isStubborn = false): Surroundings => ({
      ...surroundings,
      env: { AIRDECK_TOKEN: 'aird_key', AIRDECK_URL: 'http://127.0.0.1:4000' },
      fetch: async (_url, init) => {
        const header = new Headers(init?.headers).get('x-air-confirm');
        sent.push(header);
        if (isStubborn || header !== 'true')
          return Response.json({ message: 'Please confirm.', code: 'CONFIRMATION_REQUIRED', confirm }, { status: 449 });
        const rules = [{ file: 'a.yml', id: '1', title: 'T', policy_id: null, status: 'imported' }];
        return Response.json({ rules, imported: 1, skipped: 0, failed: 0 });
      },
    });
    const replacing = (at: Surroundings, ...more: string[]) =>
      runCommand(['import', 'sigma', folder, '--replace', '--tenant', 't1', ...more], at);

    it('says what the server asks, and how to go on', async () => {
      expect(await replacing(server())).toBe(1);
      expect(words.join('\n')).toContain('Widened: 90 %. Nothing of this portion was imported');
      expect(words.join('\n')).toContain('--confirm');
      expect(sent).toEqual([null]);
    });

    it('goes on with --confirm, after the question was asked, and says what it was', async () => {
      expect(await replacing(server(), '--confirm')).toBe(0);
      expect(sent).toEqual([null, 'true']);
      expect(results).toEqual(['imported T']);
      expect(words[0]).toBe('Confirmed: Widened: 90 %.');
    });

    it('confirms once: what is asked again is another question', async () => {
      expect(await replacing(server(true), '--confirm')).toBe(1);
      expect(sent).toEqual([null, 'true']);
      expect(words.join('\n')).toContain('Nothing of this portion was imported: it was confirmed');
    });
  });

  it('is a no when nothing can be taken, and wrong input without a tenant', async () => {
    expect(await importAt(file('a.yml', 'title: ['), '--dry-run')).toBe(1);
    expect(await importAt(file('a.yml', rule))).toBe(2);
  });
});

type Packed = { readonly name: string; readonly content: string; readonly packed: boolean };

function zipOf(files: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, content, packed } of files) {
    const bytes = packed ? deflateRawSync(content) : Buffer.from(content);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(packed ? 8 : 0, 4);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(Buffer.byteLength(content), 18);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, tail, Buffer.from(name)]));
    locals.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const shared = resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data');
const sigma = join(shared, 'sigma');
const receivedAt = surroundings.now();

function sample(...path: string[]): string | undefined {
  try {
    return readFileSync(join(shared, ...path), 'utf8');
  } catch {
    return undefined;
  }
}

type Indexed = { file: string; id: string; author: string; matching_events?: number[] };
type Fires = { id: string; rule: string; matches: [file: string, line: number][] };

function taken(path: string) {
  const [outcome] = importSigma([{ name: path, text: readFileSync(path, 'utf8') }]);
  if (outcome?.status !== 'imported') throw new Error(`${path}: ${outcome?.reason ?? 'nothing'}`);
  return { id: outcome.id, rule: outcome.policy };
}

// Rules and events of publishers are not part of the project; without them these say "skipped".
describe.skipIf(sample('sigma', 'index.json') === undefined)('published rules (from AIRDECK_SHARED_DATA)', () => {
  it('each fits the recorded events its publisher says it fits, and no other of them', () => {
    const index = JSON.parse(sample('sigma', 'index.json') ?? '[]') as Indexed[];
    const regression = index.filter(({ file: path }) => path.startsWith('regression/'));
    expect(regression).toHaveLength(98);
    const wrong = regression.filter(({ file: path, matching_events: expected }) => {
      const policy = taken(join(sigma, path));
      const set = compilePolicies([policy]);
      const text = readFileSync(join(sigma, path.replace('rule.yml', 'events.json')), 'utf8');
      const events = JSON.parse(text) as Record<string, unknown>[];
      const hits = events.flatMap((one, at) => (evaluate(set, parseRecord(one, { receivedAt })).length > 0 ? at : []));
      return JSON.stringify(hits) !== JSON.stringify(expected);
    });
    expect(wrong.map(({ file: path }) => path)).toEqual([]);
  });

  it('fires on the 88 lines of 5,676 that it should, and on nothing else', () => {
    const expected = JSON.parse(sample('sigma', 'fires_on_events', 'expected.json') ?? '[]') as Fires[];
    const set = compilePolicies(expected.map(({ rule: path }) => taken(join(sigma, 'fires_on_events', path))));
    const windows = join(shared, 'events', 'windows');
    let events = 0;
    const hits = readdirSync(windows).flatMap((name) =>
      readFileSync(join(windows, name), 'utf8')
        .trim()
        .split('\n')
        .flatMap((line, at) => {
          events += 1;
          return evaluate(set, parseRecord(line, { receivedAt })).map(
            ({ policyId }) => `${policyId} ${name} ${at + 1}`,
          );
        }),
    );
    const wanted = expected.flatMap(({ id, matches }) => matches.map(([name, line]) => `${id} ${name} ${line}`));
    expect(events).toBe(5676);
    expect(wanted).toHaveLength(88);
    expect(hits.sort()).toEqual(wanted.sort());
  });

  it('60 rules of every shape are taken, with their author', () => {
    const rules = (JSON.parse(sample('sigma', 'index.json') ?? '[]') as Indexed[]).filter(({ file: path }) =>
      path.startsWith('rules/'),
    );
    const files = rules.map(({ file: path }) => ({ name: path, text: readFileSync(join(sigma, path), 'utf8') }));
    const outcomes = importSigma(files);
    expect(outcomes.filter(({ status }) => status !== 'imported')).toEqual([]);
    expect(outcomes).toHaveLength(60);
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome.status === 'imported') expect(outcome.policy.origin?.author).toBe(rules[at]?.author);
    }
  });
});
