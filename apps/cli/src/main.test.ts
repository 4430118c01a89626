import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from './main.ts';
import type { Surroundings } from './surroundings.ts';

let folder: string;
let results: string[];
let words: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-cli-'));
  results = [];
  words = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function surroundings(stage = 'local'): Surroundings {
  return {
    env: { AIRDECK_DATA_DIR: folder },
    fetch: async () => Response.json({ target_stage: stage }),
    now: () => 0,
    wait: async () => undefined,
    result: (line) => results.push(line),
    say: (line) => words.push(line),
    interrupted: new AbortController().signal,
  };
}

function writeDemo(content: unknown): void {
  writeFileSync(join(folder, 'demo.json'), JSON.stringify(content));
}

const demo = {
  url: 'http://127.0.0.1:4000',
  ports: { http: 4000, syslog_tcp: 5514, syslog_udp: 5514, sandbox: 4010 },
  tenants: [{ id: 't1', name: 'Meridian Foods' }],
  users: [
    { email: 'ana@example.org', password: 'p', totp_secret: 'GEZDGNBV', role: 'Analyst', tenant: 't1', api_key: 'k' },
  ],
  sources: [],
};

describe('the airdeck command', () => {
  it('shows its commands, and only those that exist', async () => {
    expect(await runCommand(['--help'], surroundings())).toBe(0);
    const commands = [...results.join('\n').matchAll(/^ {2}([a-z]+) (?:\[|\s)/gm)].map((match) => match[1]);
    expect(commands).toEqual([
      'start',
      'doctor',
      'migrate',
      'backup',
      'restore',
      'token',
      'simulate',
      'parse',
      'policy',
      'import',
      'query',
      'audit',
      'help',
    ]);
  });

  it.each([
    ['an unknown command', ['destroy']],
    ['no command', []],
    ['a missing option', ['token']],
    ['an unknown option', ['token', '--mail', 'x']],
    ['a migration of something', ['migrate', 'monday']],
    ['a backup to nowhere', ['backup']],
    ['an audit log of nobody', ['audit', 'verify']],
    ['a restore of nothing', ['restore']],
    ['a restore that lifts the fence as well', ['restore', 'monday', '--lift-fence']],
  ])('takes %s as wrong input', async (_, argv) => {
    expect(await runCommand(argv, surroundings())).toBe(2);
    expect(words.join('')).not.toBe('');
  });

  it.each([
    ['audit', 'Name a command of audit: verify.'],
    ['policy', 'Name a command of policy: test.'],
    ['import', 'Name a command of import: sigma.'],
  ])('names the commands of %s when none of them is given', async (group, message) => {
    expect(await runCommand([group], surroundings())).toBe(2);
    expect(words).toEqual([message]);
  });

  it('reports errors as JSON on stdout when a program asks for it', async () => {
    expect(await runCommand(['token', '--email', 'ana@example.org', '--json'], surroundings())).toBe(1);
    expect(results.map((line) => JSON.parse(line))).toEqual([
      { error: 'DEMO_MISSING', message: expect.stringContaining('demo.json is not there') },
    ]);
    expect(words).toEqual([]);
  });

  it('takes an unknown demo user as wrong input and names the known ones', async () => {
    writeDemo(demo);
    expect(await runCommand(['token', '--email', 'bob@example.org'], surroundings())).toBe(2);
    expect(words).toEqual(['There is no demo user "bob@example.org"; there is ana@example.org.']);
  });

  it('gives no token away when the running server is not at stage local', async () => {
    writeDemo(demo);
    expect(await runCommand(['token', '--email', 'ana@example.org', '--json'], surroundings('dev'))).toBe(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ error: 'STAGE_NOT_LOCAL' });
  });

  it('says which file is not what it should be', async () => {
    writeDemo({ url: 'http://127.0.0.1:4000', users: 'none' });
    expect(await runCommand(['token', '--email', 'ana@example.org', '--json'], surroundings())).toBe(1);
    expect(JSON.parse(results[0] ?? '')).toMatchObject({ error: 'DEMO_UNREADABLE', path: join(folder, 'demo.json') });
  });
});
