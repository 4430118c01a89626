import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addParse } from './commands/parse.ts';
import { runCommand } from './main.ts';
import type { Surroundings } from './surroundings.ts';

let folder: string;
let results: string[];
let words: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'airdeck-parse-'));
  results = [];
  words = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const surroundings: Surroundings = {
  env: {},
  fetch: () => Promise.reject(new Error('parse needs no network')),
  now: () => Date.parse('2026-11-21T12:00:00Z'),
  wait: async () => undefined,
  result: (line) => results.push(line),
  say: (line) => words.push(line),
  interrupted: new AbortController().signal,
};

function file(content: string): string {
  const path = join(folder, 'lines.log');
  writeFileSync(path, content);
  return path;
}

const events = () => results.map((line) => JSON.parse(line) as Record<string, unknown>);
const sshd = '<38>Nov 21 11:59:58 web-1 sshd[7]: Failed password for ana from 203.0.113.9 port 1786 ssh2';

describe('airdeck parse', () => {
  it('writes one event per line, with line number, format and columns', async () => {
    expect(await runCommand(['parse', file(`${sshd}\r\n\nplain words\n`)], surroundings)).toBe(0);
    const [first, second] = events();
    expect(results).toHaveLength(2);
    expect(first).toMatchObject({
      line: 1,
      integration: 'sshd',
      event_type: 'authentication',
      format: 'sshd',
      envelope: 'rfc3164',
      time: '2026-11-21T11:59:58.000Z',
      time_source: 'event',
      host: 'web-1',
      user: 'ana',
      src_ip: '203.0.113.9',
      action: 'login',
      outcome: 'failure',
      raw: sshd,
      fields: { auth_method: 'password', src_port: 1786 },
    });
    expect(second).toMatchObject({ line: 3, format: 'raw', integration: 'generic', message: 'plain words' });
  });

  it('reads standard input, also when it cuts a character in two', async () => {
    const bytes = Buffer.from('{"user":"zoë"}\n{"user":"bo"}');
    async function* input() {
      yield bytes.subarray(0, 12);
      yield bytes.subarray(12);
    }
    const program = new Command('airdeck');
    addParse(program, surroundings, input());
    await program.parseAsync(['parse', '-'], { from: 'user' });
    expect(events().map(({ user }) => user)).toEqual(['zoë', 'bo']);
  });

  it('asks the named format first, and refuses one that does not exist', async () => {
    const path = file('a=1 b=2 c=3');
    expect(await runCommand(['parse', '--format', 'key_value', path], surroundings)).toBe(0);
    expect(events()).toMatchObject([{ format: 'key_value', fields: { a: '1', b: '2', c: '3' } }]);
    expect(await runCommand(['parse', '--format', 'morse', path], surroundings)).toBe(2);
    expect(words.join('')).toContain('cef');
  });

  it('says which file it cannot read', async () => {
    expect(await runCommand(['parse', '--json', join(folder, 'none')], surroundings)).toBe(2);
    expect(events()).toMatchObject([{ error: 'FILE_UNREADABLE' }]);
  });
});
