import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sigmaImportedSchema } from '@airdeck/contracts/policies/import-schema';
import { policyListSchema } from '@airdeck/contracts/policies/schema';
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPoliciesServer, sigmaRule } from './policies-server-fixture.ts';

let policies: Awaited<ReturnType<typeof createPoliciesServer>>;

beforeAll(async () => {
  policies = await createPoliciesServer();
}, 120_000);
afterAll(() => policies.close());

const workspace = () => policies.workspace();

describe('importing Sigma', () => {
  const id = '11111111-1111-4111-8111-111111111111';

  test('rule by rule, switched off, with author and text; again only where asked to', async () => {
    const { call, tenant } = await workspace();
    const second = sigmaRule('22222222-2222-4222-8222-222222222222', 'First rule');
    const text = `${sigmaRule(id, 'First rule')}---\n${second}`;
    const files = [
      { name: 'two.yml', text },
      { name: 'bad.yml', text: 'title: [' },
      { name: 'modifier.yml', text: sigmaRule(v7(), 'Odd').replace('contains', 'sounds_like') },
      { name: 'again.yml', text: sigmaRule(id, 'Same id') },
      { name: 'anchor.yml', text: `a: &a [x]\nb: *a\n` },
    ];
    const dry = sigmaImportedSchema.parse((await call('POST', '/import', { files, dry_run: true })).body);
    expect(dry.rules.map(({ status }) => status)).toEqual([
      'imported',
      'imported',
      'failed',
      'failed',
      'failed',
      'failed',
    ]);
    expect(dry.rules[0]?.rule?.origin?.author).toBe('A. Author');
    expect((await call('GET', '')).body.total).toBe(0);

    const done = sigmaImportedSchema.parse((await call('POST', '/import', { files })).body);
    expect(done).toMatchObject({ imported: 2, skipped: 0, failed: 4 });
    const list = policyListSchema.parse((await call('GET', '?origin=sigma')).body);
    expect(list.rules.map(({ rule, author, enabled }) => [rule.name, author, enabled])).toEqual([
      ['First rule', 'A. Author', false],
      ['First rule (2)', 'A. Author', false],
    ]);
    const kept = await call('GET', `/${done.rules[1]?.policy_id}/source_text`);
    expect(kept.body).toMatchObject({ format: 'sigma', file: 'two.yml' });
    expect(kept.body.text.trim()).toBe(second.trim());

    const skipped = sigmaImportedSchema.parse((await call('POST', '/import', { files: files.slice(0, 1) })).body);
    expect(skipped).toMatchObject({ imported: 0, skipped: 2 });
    // What is there already can be told from what cannot be run here, and looked at, before anything is stored.
    const known = sigmaImportedSchema.parse((await call('POST', '/import', { files, dry_run: true })).body);
    expect(known.rules.map(({ status, policy_id: policy }) => [status, policy])).toEqual([
      ...done.rules.slice(0, 2).map(({ policy_id: policy }) => ['skipped', policy]),
      ...Array.from({ length: 4 }, () => ['failed', null]),
    ]);
    const again = { files, dry_run: true, replace: true };
    const renewed = sigmaImportedSchema.parse((await call('POST', '/import', again)).body);
    expect(renewed.rules.slice(0, 2)).toMatchObject([
      { status: 'imported', policy_id: null },
      { status: 'imported', policy_id: null },
    ]);
    const newer = [{ name: 'new.yml', text: sigmaRule(id, 'First rule').replace('denied', 'refused') }];
    const replaced = sigmaImportedSchema.parse((await call('POST', '/import', { files: newer, replace: true })).body);
    expect(replaced.rules[0]).toMatchObject({ status: 'imported', policy_id: done.rules[0]?.policy_id });
    const versions = await call('GET', `/${done.rules[0]?.policy_id}/versions`);
    expect(versions.body.map(({ change }: { change: string }) => change)).toEqual(['imported', 'imported']);
    const { rows } = await policies.server.stores.database.tenant(tenant, (tx) =>
      sql<{ data: unknown }>`select data from audit_record where action = 'policy.import' order by sequence`.execute(
        tx,
      ),
    );
    expect(rows[0]?.data).toMatchObject({ imported: 2, failed: 4 });
  });

  test('who wrote a rule and under which licence stays with its policy, whatever a change says of it', async () => {
    const { call } = await workspace();
    const files = [{ name: 'one.yml', text: sigmaRule(v7(), 'Written elsewhere') }];
    const done = sigmaImportedSchema.parse((await call('POST', '/import', { files })).body);
    const at = `/${done.rules[0]?.policy_id}`;
    const { rule } = (await call('GET', at)).body;
    expect(rule.origin).toMatchObject({ author: 'A. Author' });
    const { origin, ...nameless } = rule;
    const changes = [
      { ...nameless, description: 'Ours now' },
      { ...rule, description: 'Mine', origin: { ...origin, author: 'Me', license: '' } },
    ];
    for (const change of changes) {
      const changed = await call('PUT', at, { rule: change, enabled: true });
      expect(changed).toMatchObject({ status: 200, body: { rule: { description: change.description, origin } } });
    }
    const same = await call('PUT', at, { rule: { ...nameless, description: 'Mine' } });
    expect(same.body.version).toBe(3);
    const back = await call('POST', `${at}/roll_back`, { version: 1 });
    expect(back.body.rule).toEqual(rule);
    const versions = await call('GET', `${at}/versions`);
    expect(versions.body.map((each: { rule: { origin?: unknown } }) => each.rule.origin)).toEqual(
      Array.from({ length: 4 }, () => origin),
    );
  });

  test('the text that is kept of a correlation is imported elsewhere as it is', async () => {
    const here = await workspace();
    const base = sigmaRule('33333333-3333-4333-8333-333333333333', 'Failed sign-in');
    const many = `title: Many failures
id: 44444444-4444-4444-8444-444444444444
correlation:
  type: event_count
  rules: [failed_signin]
  timespan: 10m
  condition: { gte: 10 }
`;
    const files = [
      { name: 'many.yml', text: many },
      { name: 'base.yml', text: `name: failed_signin\n${base}` },
    ];
    const done = sigmaImportedSchema.parse((await here.call('POST', '/import', { files })).body);
    expect(done).toMatchObject({ imported: 1, skipped: 1, failed: 0 });
    const { text } = (await here.call('GET', `/${done.rules[0]?.policy_id}/source_text`)).body;
    expect(text.endsWith(many)).toBe(true);

    const there = await workspace();
    const pasted = { files: [{ name: 'pasted.yml', text }] };
    const again = sigmaImportedSchema.parse((await there.call('POST', '/import', pasted)).body);
    expect(again).toMatchObject({ imported: 1, skipped: 1, failed: 0 });
    const kept = await there.call('GET', `/${again.rules[1]?.policy_id}/source_text`);
    expect(sigmaImportedSchema.parse((await there.call('POST', '/import', pasted)).body)).toMatchObject({
      imported: 0,
      failed: 0,
    });
    expect(kept.body.text).toContain('name: failed_signin');
  });

  test('a bomb costs its sender an answer, not the server', async () => {
    const { call } = await workspace();
    const levels = Array.from(
      { length: 9 },
      (_, n) =>
        `${'abcdefghi'[n]}: &${'abcdefghi'[n]} [${
          n === 0
            ? 'x'
            : Array(9)
                .fill(`*${'abcdefghi'[n - 1]}`)
                .join(',')
        }]`,
    );
    const deep = `${'['.repeat(100_000)}`;
    const files = [
      { name: 'laughs.yml', text: levels.join('\n') },
      { name: 'deep.yml', text: deep },
    ];
    const answer = sigmaImportedSchema.parse((await call('POST', '/import', { files })).body);
    expect(answer).toMatchObject({ imported: 0, failed: 2 });
  });
});

test('a rule of Sigma with characters that the store does not take is taken without them', async () => {
  const { call } = await workspace();
  const id = v7();
  const text = sigmaRule(id, '"Odd \\0 \\ud83d"').replace('denied', '"deni\\0ed"');
  const long = sigmaRule(v7(), `"${'x'.repeat(199)}\u{1f600}"`);
  const files = [
    { name: 'odd.yml', text },
    { name: 'long.yml', text: long },
  ];
  const headers = { 'idempotency-key': v7() };
  for (const more of [{ dry_run: true }, {}]) {
    const answer = sigmaImportedSchema.parse((await call('POST', '/import', { files, ...more }, { headers })).body);
    expect(answer.rules.map(({ status }) => status)).toEqual(['imported', 'imported']);
    headers['idempotency-key'] = v7();
  }
});

const sigmaFolder = join(resolve(process.env.AIRDECK_SHARED_DATA ?? '../shared/data'), 'sigma');

// Rules of publishers are not part of the project; without them this says "skipped".
describe.skipIf(!existsSync(join(sigmaFolder, 'index.json')))('published rules (from AIRDECK_SHARED_DATA)', () => {
  test('all become policies, switched off, with their author', async () => {
    const { call } = await workspace();
    const index = JSON.parse(readFileSync(join(sigmaFolder, 'index.json'), 'utf8')) as {
      file: string;
      author: string;
    }[];
    const files = index.map(({ file }) => ({ name: file, text: readFileSync(join(sigmaFolder, file), 'utf8') }));
    const answers = [];
    for (let from = 0; from < files.length; from += 200) {
      const portion = { files: files.slice(from, from + 200) };
      answers.push(...sigmaImportedSchema.parse((await call('POST', '/import', portion)).body).rules);
    }
    expect(answers.filter(({ status }) => status === 'failed')).toEqual([]);
    expect(answers.filter(({ reason }) => reason?.includes('regular expression'))).toEqual([]);
    expect(answers.filter(({ status }) => status === 'imported').length).toBeGreaterThan(150);
    const { total, facets } = policyListSchema.parse((await call('GET', '?origin=sigma&enabled=false')).body);
    expect(total).toBe(answers.filter(({ status }) => status === 'imported').length);
    expect(facets.source[0]?.count).toBeGreaterThan(50);
    const { rules } = policyListSchema.parse((await call('GET', '?page_size=100')).body);
    expect(rules.every(({ author }) => index.some((one) => one.author === author))).toBe(true);
  });
});
