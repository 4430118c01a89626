import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createEgress, type GuardedEgress } from '@airdeck/connector-kit/egress';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../config/config.ts';
import { createMarketplaceClient, type MarketplaceClient } from './marketplace-client.ts';
import { marketplaceEnv } from './marketplace-fixture.ts';
import { createMarketplaceStandIn, type Recorded, type StandIn } from './marketplace-stand-in.ts';

const REQUEST = 'the request';
let standIn: StandIn;
let egress: GuardedEgress;
let client: MarketplaceClient;
let clock: number;
let logged: object[];

beforeEach(async () => {
  standIn = await createMarketplaceStandIn();
  egress = createEgress({ allowLoopback: [standIn], totalTimeoutMs: 2000 });
  clock = Date.now();
  logged = [];
  client = clientOf(egress);
});
afterEach(async () => {
  await egress.close();
  await standIn.close();
});

function clientOf(through: GuardedEgress, change: Record<string, string> = {}): MarketplaceClient {
  const config = readConfig({ ...marketplaceEnv(standIn), ...change }, '0.0.0').azureMarketplace;
  if (config === undefined) throw new Error('The marketplace is not configured.');
  const log = { warn: (fields: object, message: string) => void logged.push({ ...fields, message }) };
  return createMarketplaceClient({ config, egress: through, ids: v7, now: () => new Date(clock), log });
}
const buy = () => standIn.buy({ email: 'ana@contoso.example' });
const unavailable = { code: 'MARKETPLACE_UNAVAILABLE' };

describe('the client of the marketplace', () => {
  it('gets one access token for calls that come together, and keeps it until shortly before its end', async () => {
    const { token } = buy();
    await Promise.all(Array.from({ length: 10 }, () => client.resolve(token, REQUEST)));
    expect(standIn.calls('token')).toHaveLength(1);
    clock += (3599 - 121) * 1000;
    await client.resolve(token, REQUEST);
    expect(standIn.calls('token')).toHaveLength(1);
    clock += 2000;
    await client.resolve(token, REQUEST);
    expect(standIn.calls('token')).toHaveLength(2);
  });

  it('replaces a token that is refused, once', async () => {
    const { token } = buy();
    await client.resolve(token, REQUEST);
    standIn.revokeAccessTokens();
    await client.resolve(token, REQUEST);
    expect(standIn.calls('token')).toHaveLength(2);
    standIn.fail('resolve', { status: 401 }, 2);
    await expect(client.resolve(token, REQUEST)).rejects.toMatchObject(unavailable);
    expect(standIn.calls('token')).toHaveLength(3);
    expect(standIn.calls('resolve')).toHaveLength(5);
  });

  it('names the version, the request and itself on every call, and the landing token in its header only', async () => {
    const { token, subscription } = buy();
    const { id } = subscription;
    await client.resolve(token, REQUEST);
    await client.activate({ id, planId: 'standard', quantity: 20 }, REQUEST);
    await client.findSubscription(id, REQUEST);
    const calls = [...standIn.calls('resolve'), ...standIn.calls('activate'), ...standIn.calls('subscription')];
    expect(calls).toHaveLength(3);
    for (const { query, headers } of calls) {
      expect(query.get('api-version')).toBe('2018-08-31');
      expect(headers['x-ms-correlationid']).toBe(REQUEST);
      expect(headers['x-ms-requestid']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(calls[0]?.headers['x-ms-marketplace-token']).toBe(token);
    expect(new Set(calls.map(({ headers }) => headers['x-ms-requestid'])).size).toBe(3);
  });

  it('sends nothing before the time the marketplace asked it to wait for is over', async () => {
    const { token } = buy();
    standIn.fail('resolve', { status: 429, headers: { 'retry-after': '30' } });
    await expect(client.resolve(token, REQUEST)).rejects.toMatchObject(unavailable);
    await expect(client.resolve(token, REQUEST)).rejects.toMatchObject({ ...unavailable, retryAfterS: 30 });
    expect(standIn.calls('resolve')).toHaveLength(1);
    clock += 30_000;
    await client.resolve(token, REQUEST);
  });

  it.each([
    ['403', { status: 403 }],
    ['500 with an error that is no JSON', { status: 500, body: '<html>no</html>' }],
    ['500 with an empty body', { status: 500, body: '' }],
    ['another shape', { status: 200, body: '[]' }],
    ['a status nobody knows', { status: 200, body: '{"id":"x","subscription":{"saasSubscriptionStatus":"Odd"}}' }],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example/' } }],
    ['far too much', { status: 200, body: JSON.stringify({ id: 'x'.repeat(300_000) }) }],
    ['a connection that is cut', { gone: 'cut' as const }],
    ['silence', { gone: 'silent' as const }],
  ])('takes %s for no answer, and logs nothing it sent', async (_what, failure) => {
    const { token } = buy();
    standIn.fail('resolve', failure);
    await expect(client.resolve(token, REQUEST)).rejects.toMatchObject(unavailable);
    expect(logged).toMatchObject([{ call: 'resolve', request_id: REQUEST }]);
    expect(JSON.stringify(logged)).not.toContain(token.slice(0, 20));
    expect(JSON.stringify(logged)).not.toContain('access-');
  });

  it.each([400, 404])('takes %d for a landing token that is not valid', async (status) => {
    standIn.fail('resolve', { status });
    await expect(client.resolve('x', REQUEST)).rejects.toMatchObject({ code: 'MARKETPLACE_TOKEN_INVALID' });
  });

  it('does not repeat its own secret when it is refused', async () => {
    const wrong = clientOf(egress, { AZURE_MARKETPLACE_CLIENT_SECRET: 'not the secret' });
    await expect(wrong.resolve('x', REQUEST)).rejects.toMatchObject(unavailable);
    expect(logged).toMatchObject([{ call: 'get access token', status: 401 }]);
    expect(JSON.stringify(logged)).not.toContain('not the secret');
  });

  it('reaches only what the egress allows', async () => {
    const strict = createEgress();
    await expect(clientOf(strict).resolve('x', REQUEST)).rejects.toMatchObject(unavailable);
    expect(standIn.recorded).toEqual([]);
    await strict.close();
  });

  it.each([404, 409])('takes %d to its answer of an operation for a newer change', async (status) => {
    const { subscription } = buy();
    const { operation } = standIn.begin(subscription, { action: 'ChangePlan' });
    standIn.fail('answer', { status });
    const of = { subscription: subscription.id, operation: operation.id, status: 'Success' } as const;
    expect(await client.answerOperation(of, REQUEST)).toBe('conflict');
  });
});

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
};
type Parameter = { name: string; in: string; required?: boolean };
type Described = {
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
};
type Description = {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
};

const shared = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../../shared/data');
const descriptionPath = resolve(shared, 'specs/marketplace_saas_v2.json');
const present = existsSync(descriptionPath);

describe.skipIf(!present)(
  `stand-in and client against the public description${present ? '' : ' (AIRDECK_SHARED_DATA not found)'}`,
  () => {
    const description = present ? (JSON.parse(readFileSync(descriptionPath, 'utf8')) as Description) : undefined;

    it('use its paths, parameters and models only', async () => {
      if (description === undefined) return;
      const { subscription, token } = buy();
      const { operation } = standIn.begin(subscription, { action: 'ChangePlan' });
      const of = { subscription: subscription.id, operation: operation.id };
      await client.resolve(token, REQUEST);
      await client.activate({ id: subscription.id, planId: 'standard', quantity: 20 }, REQUEST);
      await client.findSubscription(subscription.id, REQUEST);
      await client.findOperation(of, REQUEST);
      await client.answerOperation({ ...of, status: 'Success' }, REQUEST);
      const api = standIn.recorded.filter(({ path }) => path.startsWith('/api/'));
      expect(api).toHaveLength(5);
      expect(api.flatMap((call) => problemsOf(description, call))).toEqual([]);
    });

    it('would be found out', async () => {
      if (description === undefined) return;
      const { token } = buy();
      await client.resolve(token, REQUEST);
      const [call] = standIn.calls('resolve');
      if (call === undefined) throw new Error('Nothing was called.');
      const { 'x-ms-marketplace-token': _token, ...headers } = call.headers;
      const broken = { ...call, headers, answer: { id: 7, surprise: true } };
      expect(problemsOf(description, broken)).toEqual([
        'header x-ms-marketplace-token is missing',
        'answer.id: integer expected string',
        'answer.surprise is not described',
      ]);
    });
  },
);

function problemsOf(description: Description, call: Recorded): string[] {
  const path = call.path.replace(/^\/api/, '');
  const found = Object.entries(description.paths).find(([template]) => matches(template, path));
  const described = found?.[1][call.method.toLowerCase()];
  if (described === undefined) return [`${call.method} ${path} is not described`];
  const sent = described.requestBody?.content['application/json']?.schema;
  const answered = Object.entries(described.responses).find(([status]) => status.startsWith('2'))?.[1];
  const model = answered?.content?.['application/json']?.schema;
  return [
    ...missingParameters(described, call),
    ...(sent === undefined ? [] : differences(description, sent, { at: 'body', value: JSON.parse(call.body) })),
    ...(model === undefined || call.answer === undefined
      ? []
      : differences(description, model, { at: 'answer', value: call.answer })),
  ];
}

function matches(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

function missingParameters({ parameters = [] }: Described, { query, headers }: Recorded): string[] {
  return parameters
    .filter(({ required }) => required === true)
    .filter(({ name, in: place }) => {
      if (place === 'query') return !query.has(name);
      return place === 'header' && headers[name.toLowerCase()] === undefined;
    })
    .map(({ name, in: place }) => `${place} ${name} is missing`);
}

function differences(
  description: Description,
  schema: Schema,
  { at, value }: { at: string; value: unknown },
): string[] {
  if (schema.$ref !== undefined) {
    const named = description.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined ? [`${at}: no such model`] : differences(description, named, { at, value });
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) return [`${at}: ${String(value)} is not one of them`];
  if (schema.type !== undefined && schema.type !== typeOf(value)) {
    return [`${at}: ${typeOf(value)} expected ${schema.type}`];
  }
  if (Array.isArray(value) && schema.items !== undefined) {
    const { items } = schema;
    return value.flatMap((item: unknown) => differences(description, items, { at: `${at}[]`, value: item }));
  }
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return [];
  const { properties, required = [] } = schema;
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) => {
      const property = properties[name];
      const where = `${at}.${name}`;
      return property === undefined
        ? [`${where} is not described`]
        : differences(description, property, { at: where, value: inner });
    }),
  ];
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (Number.isInteger(value)) return 'integer';
  return typeof value;
}
