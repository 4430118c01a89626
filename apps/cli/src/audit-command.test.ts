import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditVerdictOnWire, auditVerdictSchema } from '@airdeck/contracts/audit/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './main.ts';
import type { Surroundings } from './surroundings.ts';

const TENANT = '0195f3a0-0000-7000-8000-00000000000a';
const intact: AuditVerdictOnWire = { intact: true, records: 42, head: 'abcd', broken: null };
const broken: AuditVerdictOnWire = {
  ...{ intact: false, records: 16, head: null },
  broken: { sequence: 17, reason: 'changed' },
};

let results: string[];
let words: string[];
let calls: { url: string; authorization: string | null }[];
let answers: Response[];
let folder: string;
let refusesConnections: boolean;

beforeEach(() => {
  [results, words, calls, answers] = [[], [], [], []];
  refusesConnections = false;
  folder = mkdtempSync(join(tmpdir(), 'airdeck-audit-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function verify(
  flags: readonly string[] = [],
  env: Record<string, string> = { AIRDECK_TOKEN: 'aird_key', AIRDECK_URL: 'http://server.test' },
): Promise<number> {
  const surroundings: Surroundings = {
    env,
    fetch: async (input, init) => {
      calls.push({ url: String(input), authorization: new Headers(init?.headers).get('authorization') });
      if (refusesConnections) throw new TypeError('fetch failed');
      return answers.shift() ?? Response.error();
    },
    now: () => 0,
    wait: async () => undefined,
    result: (line) => results.push(line),
    say: (line) => words.push(line),
    interrupted: new AbortController().signal,
  };
  return runCommand(['audit', 'verify', '--tenant', TENANT, ...flags], surroundings);
}

// What is answered has to be what the contract says.
const says = (verdict: AuditVerdictOnWire) => Response.json(auditVerdictSchema.parse(verdict));

describe('airdeck audit verify', () => {
  it('says that a chain is intact, and what its end is for whoever notes it down elsewhere', async () => {
    answers = [says(intact)];
    expect(await verify()).toBe(0);
    expect(results).toEqual(['The audit log is intact: 42 records. Hash of the last: abcd']);
    expect(calls).toEqual([
      { url: `http://server.test/api/tenants/${TENANT}/audit/verify`, authorization: 'Bearer aird_key' },
    ]);
  });

  it.each([
    ['changed', 'The audit log is broken: record 17 was changed. The 16 before it are intact.'],
    ['missing', 'The audit log is broken: record 17 is missing. The 16 before it are intact.'],
    ['unlinked', 'The audit log is broken: record 17 does not follow the one before it. The 16 before it are intact.'],
    [
      'head_mismatch',
      'The audit log is broken: record 17 is not the one the chain ends with: records at the end were taken out. The 16 before it are intact.',
    ],
  ] as const)('ends with 1 for a chain that is broken (%s), so that a schedule notices', async (reason, line) => {
    answers = [says({ ...broken, broken: { sequence: 17, reason } })];
    expect(await verify()).toBe(1);
    expect(results).toEqual([line]);
  });

  it('gives a program the verdict as it is', async () => {
    answers = [says(broken)];
    expect(await verify(['--json'])).toBe(1);
    expect(results.map((line) => JSON.parse(line))).toEqual([broken]);
  });

  it('ends with 3 where there is no verdict, or a schedule would take a server that is away for a broken chain', async () => {
    answers = [
      Response.json({ code: 'FORBIDDEN', message: 'Only an Admin may.', request_id: 'r' }, { status: 403 }),
      Response.json({ intact: true }),
    ];
    expect(await verify()).toBe(3);
    expect(words).toEqual(['Only an Admin may.']);
    expect(await verify(['--json'])).toBe(3);
    expect(results.map((line) => (JSON.parse(line) as { error: string }).error)).toEqual(['ANSWER_UNREADABLE']);
    const path = join(folder, 'demo.json');
    writeFileSync(path, 'damaged');
    expect(await verify(['--json'], { AIRDECK_DATA_DIR: folder })).toBe(3);
    expect(JSON.parse(results.at(-1) ?? '')).toMatchObject({ error: 'DEMO_UNREADABLE', path });
    refusesConnections = true;
    expect(await verify()).toBe(3);
    expect(words.at(-1)).toBe('No server answers at http://server.test. Is it running (npm start)?');
  });

  it('ends with 2 for what was written wrong, as every command', async () => {
    answers = [Response.json({ code: 'VALIDATION_FAILED', message: 'No id.', request_id: 'r' }, { status: 400 })];
    expect(await verify()).toBe(2);
    expect(await verify([], { AIRDECK_URL: 'http://server.test' })).toBe(2);
  });

  it('says what its exit codes mean where a schedule is written', async () => {
    expect(await verify(['--help'])).toBe(0);
    expect(results.join('\n')).toMatch(/0 .*intact, 1 .*broken, 2 .*wrong, 3 /);
  });

  it('uses the key of an Admin of the demo: nobody else may look', async () => {
    const user = { email: 'a@example.com', password: 'p', totp_secret: 's', tenant: TENANT };
    const demo = {
      ...{ url: 'http://demo.test', ports: { syslog_tcp: 1 }, tenants: [], sources: [] },
      users: [
        { ...user, role: 'SystemManager', api_key: 'aird_manager' },
        { ...user, role: 'Admin', api_key: 'aird_admin' },
      ],
    };
    writeFileSync(join(folder, 'demo.json'), JSON.stringify(demo));
    answers = [says(intact)];
    expect(await verify([], { AIRDECK_DATA_DIR: folder })).toBe(0);
    expect(calls).toMatchObject([{ authorization: 'Bearer aird_admin' }]);
  });
});
