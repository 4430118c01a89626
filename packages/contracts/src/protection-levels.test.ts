/**
 * The levels of docs/security.md ("What is sensitive"), held against every field of the contract by its name. What is new and
 * named like a secret or like a person has to be given a place here, with the reason why that is no breach of its level.
 */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Route } from './route.ts';
import { routeTable } from './route-table.ts';

const secretName =
  /secret|token|password|credential|(?:^|_)key$|private|recovery|otp|passphrase|signature|cookie|session_id/i;
const personName = /e_?mail|phone|user_?name|full_?name|first_name|last_name|address|user_agent|^ip$|login/i;

/** Secrets are shown to nobody after they were set: these are shown once, to who made them, or are none. */
const inAnswers: Readonly<Record<string, string>> = {
  'system.config: analytics_key': 'for browsers, by its nature',
  'system.config: identity_publishable_key': 'for browsers, by its nature',
  'system.demo-accounts: password': 'stage local only: the same for everybody, printed at the start',
  'api-keys.create: key': 'shown once, to its owner',
  'sso.list: client_secret_set_at': 'a time',
  'sso.create: client_secret_set_at': 'a time',
  'sso.update: client_secret_set_at': 'a time',
  'notifications.webhook-secret: secret': 'shown once, to its owner',
  'playbooks.library: key': 'names a playbook of the library',
  'playbooks.add-from-library: key': 'names a playbook of the library',
  'openapi.upload: credentials': 'names of the schemes an imported API asks for',
  'openapi.upload: operations.key': 'names an operation',
  'sources.list: token_hint': 'the last four characters',
  'sources.create: token_hint': 'the last four characters',
  'sources.create: token': 'shown once, to who made the source',
  'sources.update: token_hint': 'the last four characters',
  'sources.rotate-token: token_hint': 'the last four characters',
  'sources.rotate-token: token': 'shown once, to who replaced it',
};

/** Addresses stand in logs of proxies and in histories of browsers. */
const inAddresses: Readonly<Record<string, string>> = {
  'users.remove: username': 'as specified: the address of a member, by an Admin; in no log of ours',
  'users.reset-password: username': 'as specified: the address of a member, by an Admin; in no log of ours',
  'marketplace.details: token':
    'the landing token, as the marketplace gives it: of use once, taken out of the address at once',
  'marketplace.activate: token': 'the same',
  'sources.ingest: token': 'for senders that can set no header; puts events in and reads nothing',
};

/** What strangers may read is of the level "public". */
const toStrangers: Readonly<Record<string, readonly string[]>> = {
  'system.config': [
    ...['analytics_host', 'analytics_key', 'api_base_url', 'error_reporting_dsn', 'identity_publishable_key'],
    ...['mock_data', 'product_name', 'product_short_name', 'release', 'target_stage'],
  ],
  'system.live': ['live'],
  'system.ready': ['checks', 'checks.message', 'checks.name', 'checks.ok', 'ready'],
};
/** Not found at any stage but `local`, where there are no people but those of the demo. */
const onlyLocal: readonly string[] = ['system.demo-accounts', 'system.outbox'];

const routes = Object.entries(routeTable) as [string, Route][];

describe('fields of the contract', () => {
  it('are looked at in their depth', () => {
    const schema = z.object({ a: z.array(z.object({ b: z.union([z.object({ c: z.string() }), z.null()]) })) });
    expect(fieldsOf(schema, 'output')).toEqual(['a', 'a.b', 'a.b.c']);
    expect(fieldsOf(z.record(z.string(), z.object({ d: z.string() })), 'output')).toEqual(['d']);
    expect(routes.flatMap(([, { response }]) => fieldsOf(response, 'output')).length).toBeGreaterThan(1_000);
  });

  it('answer with no secret but where the table says why', () => {
    const found = routes.flatMap(([id, { response }]) =>
      fieldsOf(response, 'output').flatMap((field) => (secretName.test(lastOf(field)) ? [`${id}: ${field}`] : [])),
    );
    expect(found.toSorted()).toEqual(Object.keys(inAnswers).toSorted());
  });

  it('put neither secrets nor people into addresses but where the table says why', () => {
    const found = routes.flatMap(([id, { params, query }]) =>
      [...fieldsOf(params, 'input'), ...fieldsOf(query, 'input')].flatMap((field) =>
        secretName.test(field) || personName.test(field) ? [`${id}: ${field}`] : [],
      ),
    );
    expect(found.toSorted()).toEqual(Object.keys(inAddresses).toSorted());
  });

  it('tell strangers nothing of customers and people', () => {
    const answers = routes.flatMap(([id, { access, response }]): [string, string[]][] => {
      const fields = access.kind === 'public' ? fieldsOf(response, 'output') : [];
      return fields.length === 0 || onlyLocal.includes(id) ? [] : [[id, fields.toSorted()]];
    });
    expect(Object.fromEntries(answers)).toEqual(toStrangers);
    expect(
      Object.values(toStrangers)
        .flat()
        .filter((field) => personName.test(lastOf(field))),
    ).toEqual([]);
  });
});

type JsonSchema = {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly [keyword: string]: unknown;
};

/** Every name of every object inside, with dots; each definition once on a way, so that circles end. */
function fieldsOf(schema: Route['response'] | z.ZodType | undefined, io: 'input' | 'output'): string[] {
  if (schema === undefined || typeof schema === 'string') return [];
  const root = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  const found = new Set<string>();
  const walk = (node: unknown, path: string, way: readonly unknown[]): void => {
    if (typeof node !== 'object' || node === null || way.includes(node)) return;
    const { $ref, properties = {}, ...rest } = node as JsonSchema;
    const below = [...way, node];
    if ($ref !== undefined) walk($ref === '#' ? root : root.$defs?.[$ref.slice('#/$defs/'.length)], path, below);
    for (const [name, inner] of Object.entries(properties)) {
      const at = path === '' ? name : `${path}.${name}`;
      found.add(at);
      walk(inner, at, below);
    }
    for (const keyword of ['items', 'additionalProperties']) walk(rest[keyword], path, below);
    for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
      for (const inner of Array.isArray(rest[keyword]) ? rest[keyword] : []) walk(inner, path, below);
    }
  };
  walk(root, '', []);
  return [...found];
}

function lastOf(field: string): string {
  return field.slice(field.lastIndexOf('.') + 1);
}
