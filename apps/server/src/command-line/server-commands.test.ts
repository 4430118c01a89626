/** `airdeck query`, `import sigma` and `audit verify` against the server, with keys it gave out. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Role } from '@airdeck/contracts/access/roles';
import { auditVerdictSchema } from '@airdeck/contracts/audit/schema';
import { policyListSchema } from '@airdeck/contracts/policies/schema';
import { foundEventSchema } from '@airdeck/contracts/search/schema';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callLimits } from '../http/call-limits.ts';
import { type Actor, createTestServer, type TestServer } from '../http/test-server.ts';
import { eventRow } from '../storage/test-events.ts';
import { type Airdeck, createAirdeck, type Ended, jsonOf, launcher } from './airdeck-fixture.ts';

const identitySecret = 'the same one for both processes of these tests';
const MINUTE_MS = 60_000;

let server: TestServer;
let airdeck: Airdeck;
let url: string;
let tenant: string;
let foreign: string;
let admin: Actor;
let key: string;
const others: Server[] = [];

beforeAll(async () => {
  airdeck = await createAirdeck();
  server = await createTestServer({ identitySecret });
  url = await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  [tenant, foreign] = [await server.createTenant(), await server.createTenant()];
  admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  key = await keyOf('Admin');
  await airdeck.write({ 'one.yml': rule(1) });
});
afterAll(async () => {
  for (const other of others) {
    other.close();
    other.closeAllConnections();
  }
  await server?.close();
  await airdeck?.close();
});

const keyOf = (role: Role, of = tenant, owner = admin) => server.createApiKey(owner, { tenant: of, role });

/** With the address of the server and the key of an Admin, where nothing else is said. */
function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> {
  return airdeck.run(args, { AIRDECK_URL: url, AIRDECK_TOKEN: key, ...env });
}

/** Something else than our server. */
async function listener(answer: RequestListener): Promise<string> {
  const other = createServer(answer).listen(0, '127.0.0.1');
  others.push(other);
  await once(other, 'listening');
  return `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
}

function rule(n: number, title = `Denied sign-ins ${n}`): string {
  return `title: ${title}
id: 11111111-1111-4111-8111-${String(n).padStart(12, '0')}
author: A. Author
logsource: { product: acme }
detection:
  sel: { result|contains: denied }
  condition: sel
`;
}

const query = (of = tenant) => ['query', '*', '--tenant', of];
const importing = (of = tenant) => ['import', 'sigma', 'one.yml', '--tenant', of];
const verify = (of = tenant) => ['audit', 'verify', '--tenant', of];
const each = [query, importing, verify];

/** A broken audit log ends with 1, so a verdict that could not be had does not. */
const codeOf = (command: () => string[]) => (command === verify ? 3 : 1);

describe('every command that asks the server', () => {
  it('ends with a sentence for a key nobody gave out', async () => {
    const env = { AIRDECK_TOKEN: `aird_${'x'.repeat(40)}` };
    const message = 'The token is not valid or has expired. Sign in again.';
    for (const command of each) {
      expect(await run(command(), env)).toEqual({ code: codeOf(command), results: [], words: [message] });
    }
    const forPrograms = await run([...verify(), '--json'], env);
    expect(forPrograms).toMatchObject({ code: 3, words: [] });
    expect(jsonOf(forPrograms.results)).toEqual([{ error: 'TOKEN_INVALID', message }]);
  });

  it('learns nothing of other tenants, and not whether they exist', async () => {
    const nobody = '00000000-0000-4000-8000-0000000000ff';
    const words = ['You have no access to this tenant.'];
    for (const command of each) {
      expect(await run(command(foreign))).toEqual({ code: codeOf(command), results: [], words });
    }
    expect(await run(query(nobody))).toEqual({ code: 1, results: [], words });
  });

  it.each([
    ['query', 'ReadOnly', query],
    ['import', 'ReadOnly', importing],
    ['audit', 'SystemManager', verify],
  ] as const)('%s is refused with the key of a %s', async (_name, role, command) => {
    const ended = await run(command(), { AIRDECK_TOKEN: await keyOf(role) });
    expect(ended).toEqual({ code: codeOf(command), results: [], words: ['Your role does not allow this.'] });
  });

  it('says so when nobody answers, something else does, or an answer breaks off, and shows nobody our code', async () => {
    const page = await listener((_request, answer) => void answer.end('<html>Welcome</html>'));
    const cut = await listener((_request, answer) => {
      answer.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      answer.write('{"rules":', () => answer.destroy());
    });
    for (const [command, address, words] of [
      [query, page, 'The server answered something else than a search.'],
      [importing, cut, 'The server answered something else than an import.'],
      [verify, page, 'The server answered something else than a verdict.'],
      [verify, 'http://127.0.0.1:1', 'No server answers at http://127.0.0.1:1. Is it running (npm start)?'],
    ] as const) {
      const code = codeOf(command);
      expect(await run(command(), { AIRDECK_URL: address })).toEqual({ code, results: [], words: [words] });
    }
  });

  it('ends at the first Ctrl-C', async () => {
    const calls: unknown[] = [];
    const silent = await listener((request) => void calls.push(request));
    const env = { ...process.env, AIRDECK_URL: silent, AIRDECK_TOKEN: key };
    const child = spawn(process.execPath, [launcher, ...query()], { cwd: airdeck.folder, env });
    const ended = once(child, 'exit');
    await expect.poll(() => calls.length, { timeout: 60_000 }).toBe(1);
    child.kill('SIGINT');
    expect(await ended).toEqual([null, 'SIGINT']);
  });
});

describe('airdeck query', () => {
  const texts = (lines: readonly string[]) => jsonOf(lines).map(({ message }) => message);

  beforeAll(async () => {
    const now = Date.now();
    const needle = (text: string, minutesAgo: number) =>
      eventRow({ tenant, message: `needle ${text}`, severity: 'high', time: now - minutesAgo * MINUTE_MS });
    await server.stores.events.insert([
      ...[needle('first', 9), needle('second', 8), needle('third', 7), needle('of last week', 6 * 24 * 60)],
      eventRow({ tenant, message: 'hostile \u001b[31mred\nand more' }),
      eventRow({ tenant: foreign, message: 'needle of somebody else' }),
      ...Array.from({ length: 2_100 }, (_, n) =>
        eventRow({ tenant, integration: 'bulk', message: `line ${n}`, time: now - 60 * MINUTE_MS + n }),
      ),
    ]);
  });

  it('prints what the server found, newest first, and how much that is, as its launcher starts it', async () => {
    const env = { AIRDECK_URL: url, AIRDECK_TOKEN: key };
    const { code, results, words } = await airdeck.run(['query', 'needle', '--tenant', tenant], env, launcher);
    const line = (text: string) =>
      expect.stringMatching(
        `^[\\d-]+T[\\d:.]+Z {2}high {6}sshd:authentication {2}web-1\\.example\\.com {2}needle ${text}$`,
      );
    expect(code).toBe(0);
    expect(results).toEqual([line('third'), line('second'), line('first')]);
    expect(words).toEqual([expect.stringMatching(/^3 found since [\dT:.-]+Z\.$/), '3 shown.']);
  });

  it('gives programs events as the contract has them, in the order and of the time they ask for', async () => {
    const asked = ['--last', '7d', '--sort', 'oldest', '--limit', '2', '--json'];
    const { code, results } = await run(['query', 'needle', '--tenant', tenant, ...asked]);
    expect(code).toBe(0);
    for (const one of jsonOf(results)) expect(foundEventSchema.parse(one)).toMatchObject({ integration: 'sshd' });
    expect(texts(results)).toEqual(['needle of last week', 'needle first']);
  });

  it('goes on over pages without gap or repetition, and waits where they are more calls than a key may make', async () => {
    const { stores } = server;
    // Two pages at once, and the third after nine seconds at the earliest.
    const person = { perSecond: 1, burst: 12 };
    const busy = await createTestServer({ besides: { stores, identitySecret }, callLimits: { ...callLimits, person } });
    const neighbour = await server.createActor({ home: foreign, roles: { [foreign]: 'Admin' } });
    // Who is alone has calls enough.
    const isThere = () => busy.inject({ url: `/api/tenants/${foreign}/soar/rules`, headers: neighbour.headers });
    const meanwhile: Promise<unknown>[] = [];
    const statuses: number[] = [];
    busy.composition.app.server.server.on('request', (_request, answer: ServerResponse) => {
      meanwhile.push(isThere());
      answer.once('finish', () => statuses.push(answer.statusCode));
    });
    const address = await busy.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
    await isThere();
    const asked = ['--sort', 'oldest', '--limit', '2050', '--json'];
    const ended = await run(['query', 'integration:bulk', '--tenant', tenant, ...asked], { AIRDECK_URL: address });
    await Promise.all(meanwhile);
    await busy.close();
    expect(ended.code).toBe(0);
    expect(texts(ended.results)).toEqual(Array.from({ length: 2_050 }, (_, n) => `line ${n}`));
    expect(ended.words.at(-1)).toBe('2050 shown; there are more.');
    expect(statuses).toContain(429);
  });

  it('shows a terminal nothing it would obey, and a program every letter', async () => {
    const people = await run(['query', 'hostile', '--tenant', tenant]);
    expect(people.results).toEqual([expect.stringMatching(/ {2}hostile ·\[31mred and more$/)]);
    const programs = await run(['query', 'hostile', '--tenant', tenant, '--json']);
    expect(programs.results.join('')).not.toContain('\u001b');
    expect(texts(programs.results)).toEqual(['hostile \u001b[31mred\nand more']);
  });

  it('points at the place where a query does not parse', async () => {
    const text = 'needle and (user:root';
    const people = await run(['query', text, '--tenant', tenant]);
    expect(people).toMatchObject({ code: 2, results: [] });
    expect(people.words.slice(1, 3)).toEqual([`  ${text}`, `  ${' '.repeat(text.indexOf('('))}^`]);
    const programs = await run(['query', text, '--tenant', tenant, '--json']);
    expect(programs).toMatchObject({ code: 2, words: [] });
    expect(jsonOf(programs.results)).toEqual([
      { error: 'QUERY_INVALID', message: expect.stringContaining(people.words[0] ?? '–') },
    ]);
  });

  it('says how far back the plan searches, and that a plan is without search', async () => {
    const clipped = await run(['query', 'needle', '--tenant', tenant, '--last', '52w']);
    expect(clipped.words).toContain('The plan searches 30 days back.');
    const without = await server.createTenant({ skuInfo: { is_search_enabled: false } });
    const owner = await server.createActor({ home: without, roles: { [without]: 'Admin' } });
    const refused = await run(query(without), { AIRDECK_TOKEN: await keyOf('Admin', without, owner) });
    const words = ['The plan of this tenant does not include this.'];
    expect(refused).toEqual({ code: 1, results: [], words });
  });
});

describe('airdeck import sigma', () => {
  let own: string;
  let analyst: string;

  beforeAll(async () => {
    own = await server.createTenant();
    analyst = await keyOf('Analyst', own, await server.createActor({ home: own, roles: { [own]: 'Admin' } }));
  });

  const importAt = (path: string, ...more: string[]) =>
    run(['import', 'sigma', path, '--tenant', own, ...more], { AIRDECK_TOKEN: analyst });

  async function policies(q: string) {
    const address = `/api/tenants/${own}/soar/rules?${new URLSearchParams({ q, page_size: '100' })}`;
    const answer = await server.inject({ url: address, headers: { authorization: `Bearer ${analyst}` } });
    return policyListSchema.parse(answer.json()).rules;
  }

  it('stores the rules of a folder switched off, and says of each what the dry run said it would', async () => {
    await airdeck.write({
      'rules/a.yml': rule(11, 'Folder one'),
      'rules/broken.yml': 'title: [',
      'rules/deep/b.yaml': `${rule(12, 'Folder two')}---\n${rule(13, 'Folder three')}`,
      'rules/notes.txt': 'no rule',
      'rules/odd.yml': rule(14, 'Folder odd').replace('contains', 'sounds_like'),
    });
    const dry = await importAt('rules', '--dry-run', '--json');
    expect(await policies('Folder')).toEqual([]);
    const stored = await importAt('rules', '--json');
    expect([dry.code, stored.code]).toEqual([0, 0]);
    expect(stored.results).toEqual(dry.results);
    expect(jsonOf(stored.results)).toEqual([
      { id: expect.stringMatching(/11$/), title: 'Folder one', status: 'imported' },
      { id: '', title: '', status: 'failed', reason: expect.stringContaining('Line 1') },
      { id: expect.stringMatching(/12$/), title: 'Folder two', status: 'imported' },
      { id: expect.stringMatching(/13$/), title: 'Folder three', status: 'imported' },
      expect.objectContaining({ status: 'failed', reason: expect.stringContaining('sounds_like') }),
    ]);
    expect(stored.words).toEqual(['3 imported, switched off, 0 are skipped, 2 failed.']);
    const made = (await policies('Folder')).map(({ rule: { name }, enabled }) => [name, enabled]);
    expect(made.toSorted()).toEqual([
      ['Folder one', false],
      ['Folder three', false],
      ['Folder two', false],
    ]);
  });

  it('skips a rule that is there, and with --replace gives its policy the new text', async () => {
    await airdeck.write({ 'again.yml': rule(21, 'Once') });
    expect(await importAt('again.yml')).toEqual({
      ...{ code: 0, results: ['imported Once'] },
      words: ['1 imported, switched off, 0 are skipped, 0 failed.'],
    });
    await airdeck.write({ 'again.yml': rule(21, 'Once').replace('denied', 'refused') });
    expect(await importAt('again.yml')).toEqual({
      ...{ code: 0, results: ['skipped  Once: A policy of this rule is there already: "Once".'] },
      words: ['0 imported, switched off, 1 are skipped, 0 failed.'],
    });
    expect(JSON.stringify(await policies('Once'))).toContain('denied');
    expect(await importAt('again.yml', '--replace')).toEqual({
      ...{ code: 0, results: ['imported Once: Policy "Once" has its new rule.'] },
      words: ['1 imported, new ones switched off, 0 are skipped, 0 failed.'],
    });
    expect(JSON.stringify(await policies('Once'))).toContain('refused');
  });

  it('stops at a rule that matches nearly everything where its policy is on, and goes on with --confirm', async () => {
    await server.stores.events.insert(
      Array.from({ length: 2_000 }, () =>
        eventRow({ tenant: own, integration: 'acme', fields: { result: 'accepted' } }),
      ),
    );
    await airdeck.write({ 'wide.yml': rule(22, 'Wide') });
    await importAt('wide.yml');
    const [{ id } = { id: '' }] = await policies('Wide');
    const headers = { authorization: `Bearer ${analyst}` };
    const address = `/api/tenants/${own}/soar/rules/${id}`;
    expect((await server.inject({ method: 'PUT', url: address, headers, payload: { enabled: true } })).statusCode).toBe(
      200,
    );
    await airdeck.write({ 'wide.yml': rule(22, 'Wide').replace('denied', 'accepted') });
    expect(await importAt('wide.yml', '--replace')).toEqual({
      ...{ code: 1, results: [] },
      words: [expect.stringMatching(/^Wide: 100% .* Nothing of this portion was imported: .*--confirm/)],
    });
    expect(JSON.stringify(await policies('Wide'))).not.toContain('accepted');
    expect(await importAt('wide.yml', '--replace', '--confirm')).toEqual({
      ...{ code: 0, results: ['imported Wide: Policy "Wide" has its new rule and stays on.'] },
      words: [
        expect.stringMatching(/^Confirmed: Wide: 100%/),
        '1 imported, new ones switched off, 0 are skipped, 0 failed.',
      ],
    });
    expect(JSON.stringify(await policies('Wide'))).toContain('accepted');
  });

  it('is a no when nothing could be taken, and wrong input when nothing could be read or sent', async () => {
    await airdeck.write({ 'no.yml': 'title: [', 'fine.yml': rule(31, 'Never stored') });
    expect(await importAt('no.yml')).toEqual({
      ...{ code: 1, results: [expect.stringMatching(/^failed {3}no\.yml: Line 1/)] },
      words: ['0 imported, switched off, 0 are skipped, 1 failed.'],
    });
    expect(await importAt('nowhere.yml')).toEqual({ code: 2, results: [], words: ['nowhere.yml cannot be read.'] });
    expect(await importAt('fine.yml', '--license', 'x'.repeat(501))).toEqual({
      ...{ code: 2, results: [] },
      words: ['The request is not valid.', expect.stringMatching(/^body\.license: /)],
    });
    expect(await policies('Never')).toEqual([]);
  });

  it('stores a collection of several portions, and a file that fits into none keeps nothing out', async () => {
    const name = (n: number) => `many/${String(n).padStart(3, '0')}.yml`;
    const many = Array.from({ length: 510 }, (_, n) => [name(n), rule(1_000 + n, `Many ${n}`)]);
    await airdeck.write({ ...Object.fromEntries(many), 'many/255-no-text.yml': '\0'.repeat(200_000) });
    const { code, results, words } = await importAt('many', '--json');
    expect({ code, words }).toEqual({ code: 0, words: ['510 imported, switched off, 0 are skipped, 1 failed.'] });
    expect(jsonOf(results).filter(({ status }) => status !== 'imported')).toEqual([
      { id: '', title: '', status: 'failed', reason: expect.stringMatching(/bytes\.$/) },
    ]);
    expect((await policies('Many 50')).map(({ rule: { name: stored } }) => stored)).toContain('Many 509');
  });
});

describe('airdeck audit verify', () => {
  let owner: pg.Client;

  beforeAll(async () => {
    owner = new pg.Client({ connectionString: server.stores.url });
    await owner.connect();
  });
  afterAll(() => owner?.end());

  async function newTenant() {
    const own = await server.createTenant();
    const person = await server.createActor({ home: own, roles: { [own]: 'Admin' } });
    const env = { AIRDECK_TOKEN: await keyOf('Admin', own, person) };
    return { own, check: (...more: string[]) => run([...verify(own), ...more], env) };
  }

  /** What somebody with the database's own password can do. */
  async function tamper(statement: string, own: string): Promise<void> {
    await owner.query('alter table audit_record disable trigger all');
    const { rowCount } = await owner.query(statement, [own]);
    await owner.query('alter table audit_record enable trigger all');
    expect(rowCount).toBe(1);
  }

  async function verdict(checked: Promise<Ended>) {
    const { code, results } = await checked;
    return { code, ...auditVerdictSchema.parse(jsonOf(results)[0]) };
  }

  it('counts the records of an intact log, and names the last hash of the database', async () => {
    const { own, check } = await newTenant();
    const { rows } = await owner.query<{ sequence: number; hash: string }>(
      'select sequence::int, hash from audit_record where tenant_id = $1 order by sequence desc limit 1',
      [own],
    );
    const { sequence: records = 0, hash: head = '' } = rows[0] ?? {};
    expect(records).toBeGreaterThan(1);
    expect(await check()).toEqual({
      ...{ code: 0, words: [] },
      results: [`The audit log is intact: ${records} records. Hash of the last: ${head}`],
    });
    expect(await verdict(check('--json'))).toEqual({ code: 0, intact: true, records, head, broken: null });
  });

  it.each([
    ['changed', 'was changed', `update audit_record set actor_name = 'eve' where tenant_id = $1 and sequence = 2`],
    ['missing', 'is missing', 'delete from audit_record where tenant_id = $1 and sequence = 2'],
  ])('ends with 1 and the place where a record of the database is %s', async (reason, words, statement) => {
    const { own, check } = await newTenant();
    await tamper(statement, own);
    const sentence = `The audit log is broken: record 2 ${words}. The 1 before it are intact.`;
    expect(await check()).toEqual({ code: 1, results: [sentence], words: [] });
    const broken = { sequence: 2, reason };
    expect(await verdict(check('--json'))).toEqual({ code: 1, intact: false, records: 1, head: null, broken });
  });

  it('ends with 1 when records at the end were taken out', async () => {
    const { own, check } = await newTenant();
    const last = '(select max(sequence) from audit_record where tenant_id = $1)';
    await tamper(`delete from audit_record where tenant_id = $1 and sequence = ${last}`, own);
    const { code, results } = await check();
    expect({ code, results }).toEqual({ code: 1, results: [expect.stringContaining('at the end were taken out')] });
  });
});
