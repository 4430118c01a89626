/** A description of an API: uploaded, chosen from, imported, connected by the form that comes of it, and its actions started. */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultValues } from '../../apps/dashboard/src/components/schema-form/form-schema.ts';
import { schemaProblems } from '../../apps/dashboard/src/components/schema-form/schema-problems.ts';
import {
  changeOf,
  draftOf as connectorDraftOf,
  draftProblems,
  newConnectorOf,
  newDraft,
  noProblems,
} from '../../apps/dashboard/src/features/integrations/connector-draft.ts';
import {
  type CredentialChoice,
  draftOf,
  hasProblems,
  type ImportDraft,
  importOf,
  importProblems,
} from '../../apps/dashboard/src/features/integrations/import/import-draft.ts';
import { selectable, withChosen } from '../../apps/dashboard/src/features/integrations/import/operation-rows.ts';
import { actionQueries } from '../../apps/dashboard/src/queries/actions.ts';
import { actionRunMutations } from '../../apps/dashboard/src/queries/activity.ts';
import { connectorMutations, connectorQueries } from '../../apps/dashboard/src/queries/connectors.ts';
import { integrationQueries } from '../../apps/dashboard/src/queries/integrations.ts';
import { importedQueries, importMutations } from '../../apps/dashboard/src/queries/openapi.ts';
import { type Filling, filledForm } from './filled-form.ts';
import { confirmed, type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

const parameter = (name: string, place: string, schema: JsonObject, more: JsonObject = {}) => ({
  ...{ name, in: place, schema, ...(place === 'path' ? { required: true } : {}) },
  ...more,
});
const answer = { 200: { description: 'ok', content: { 'application/json': { schema: { type: 'object' } } } } };

/** One operation for each way an input can be asked for. */
const everyInput = {
  '/hosts/{id}': {
    parameters: [parameter('id', 'path', { type: 'string', pattern: '^[a-z]{2,8}$' })],
    get: { operationId: 'getHost', tags: ['Hosts'], responses: answer },
    delete: { operationId: 'deleteHost', tags: ['Hosts'], responses: answer },
  },
  '/hosts': {
    get: {
      operationId: 'listHosts',
      parameters: [
        parameter('state', 'query', { type: 'string', enum: ['up', 'down'] }),
        parameter('limit', 'query', { type: 'integer', minimum: 10, maximum: 500, default: 50 }),
        parameter('ratio', 'query', { type: 'number', exclusiveMinimum: 0 }),
        parameter('deep', 'query', { type: 'boolean', default: false }),
        parameter('tags', 'query', { type: 'array', items: { type: 'string' }, minItems: 1, uniqueItems: true }),
        parameter('kinds', 'query', { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }),
        parameter('since', 'query', { type: 'string', format: 'date-time' }),
        parameter('day', 'query', { type: 'string', format: 'date' }),
        parameter('address', 'query', { type: 'string', format: 'ipv4' }),
        parameter('mail', 'query', { type: 'string', format: 'email' }),
        parameter('key', 'query', { type: 'string', format: 'uuid' }),
        parameter('page', 'query', { type: 'string', format: 'uri' }),
        parameter('X-Trace', 'header', { type: 'string', minLength: 3, maxLength: 9 }),
      ],
      responses: answer,
    },
    post: {
      operationId: 'addHost',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['name', 'owner'],
              properties: {
                name: { type: 'string', minLength: 1 },
                owner: {
                  type: 'object',
                  required: ['mail'],
                  properties: { mail: { type: 'string' }, level: { type: 'integer', enum: [1, 2, 3] } },
                },
                labels: { type: 'object', additionalProperties: { type: 'string' } },
                ports: { type: 'array', items: { type: 'integer' }, maxItems: 3 },
                disks: { type: 'array', items: { type: 'object', properties: { size: { type: 'number' } } } },
                note: { type: 'string', nullable: true },
                extra: {},
              },
            },
          },
        },
      },
      responses: answer,
    },
    put: {
      operationId: 'replaceHosts',
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
      },
      responses: answer,
    },
  },
  '/search': {
    post: {
      operationId: 'search',
      requestBody: {
        content: {
          'application/x-www-form-urlencoded': {
            schema: { type: 'object', required: ['q'], properties: { q: { type: 'string' }, n: { type: 'integer' } } },
          },
        },
      },
      responses: answer,
    },
  },
};

const schemes: Readonly<Record<string, JsonObject | undefined>> = {
  'no credentials': undefined,
  'a key in a header': { type: 'apiKey', in: 'header', name: 'X-Key' },
  'a key in the query': { type: 'apiKey', in: 'query', name: 'key' },
  'a bearer token': { type: 'http', scheme: 'bearer' },
  'a password': { type: 'http', scheme: 'basic' },
  OAuth: { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} } } },
};

function descriptionWith(scheme: JsonObject | undefined, info: JsonObject = {}): JsonObject {
  return {
    openapi: '3.0.3',
    info: { title: 'Inventory', version: '7', ...info },
    servers: [{ url: 'https://inventory.example/v1' }],
    ...(scheme === undefined ? {} : { security: [{ own: [] }], components: { securitySchemes: { own: scheme } } }),
    paths: everyInput,
  };
}

function upload(description: JsonObject): Promise<OpenapiDocument> {
  const { queryClient, tenantApi } = product;
  const content = new Blob([JSON.stringify(description)]);
  const reading = importMutations.read(tenantApi);
  const { signal } = new AbortController();
  return queryClient.getMutationCache().build(queryClient, reading).execute({ content, signal });
}

/** The form of an import, with everything chosen that can be. */
function chosenDraft(document: OpenapiDocument, replaced?: ImportedIntegration): ImportDraft {
  const draft = draftOf(document, replaced);
  return { ...draft, chosen: withChosen(draft.chosen, document.operations, true) };
}

function importThe(document: OpenapiDocument, draft: ImportDraft, replaced?: ImportedIntegration) {
  const { queryClient, tenantApi, intent } = product;
  expect(hasProblems(importProblems(draft))).toBe(false);
  const { mutationFn } = importMutations.make(tenantApi, queryClient, intent);
  return confirmed((controls) => mutationFn(importOf(document, draft, replaced), controls));
}

async function connect({ definition_id: id }: ImportedIntegration, filling: Filling, name: string): Promise<void> {
  const { queryClient, tenantApi, intent } = product;
  const integration = await queryClient.fetchQuery({ ...integrationQueries.detail(tenantApi, id), staleTime: 0 });
  const connectors = await queryClient.fetchQuery({ ...connectorQueries.list(tenantApi), staleTime: 0 });
  const begun = newDraft(integration, connectors);
  const draft = { ...begun, config: filledForm(integration.config_schema, begun.config, filling) };
  expect(draftProblems(draft, integration)).toEqual(noProblems);
  const creating = connectorMutations.create(tenantApi, queryClient, intent);
  const made = await queryClient
    .getMutationCache()
    .build(queryClient, creating)
    .execute(newConnectorOf(draft, integration));
  const shown = connectorDraftOf(made);
  expect(Object.keys(shown.config).toSorted()).toEqual(Object.keys(draft.config).toSorted());
  expect(draftProblems(shown, integration)).toEqual(noProblems);
  const renamed = { ...shown, name };
  const updating = connectorMutations.update(tenantApi, queryClient);
  const saved = await queryClient
    .getMutationCache()
    .build(queryClient, updating)
    .execute({ id: made.id, body: { ...changeOf(shown, renamed), last_updated: made.last_updated } });
  expect(connectorDraftOf(saved)).toEqual(renamed);
}

/** "Run later": all of it is checked now, and nothing is called. */
async function startLater(id: string, filling: Filling): Promise<void> {
  const { queryClient, tenantApi, intent } = product;
  const action = await queryClient.fetchQuery(actionQueries.detail(tenantApi, queryClient, id));
  const input = filledForm(action.input_schema, defaultValues(action.input_schema), filling);
  expect([id, schemaProblems(action.input_schema, input)]).toEqual([id, []]);
  const later = new Date(Date.now() + 86_400_000).toISOString();
  const body = { action_name: id, action_input: input, connector_id: null, time_scheduled: later };
  const { mutationFn } = actionRunMutations.start(tenantApi, queryClient, intent);
  const { summary } = await confirmed((controls) => mutationFn(body, controls));
  expect(summary.status).toBe('pending');
}

describe.each(Object.keys(schemes))('a description with %s', (scheme) => {
  test('is imported, connected, and every action of it can be started', async () => {
    const document = await upload(descriptionWith(schemes[scheme], { title: `With ${scheme}` }));
    const imported = await importThe(document, chosenDraft(document));
    expect(imported.actions).toHaveLength(selectable(document.operations).length);
    expect(imported.actions).toHaveLength(6);
    for (const filling of ['required', 'all'] as const) {
      await connect(imported, filling, `${filling} with ${scheme}`);
      for (const action of imported.actions) await startLater(action, filling);
    }
  });
});

const choices: readonly CredentialChoice[] = ['none', 'bearer', 'basic', 'header', 'query'];

test('versions keep the name and the actions, whichever way they sign in in place of what the description says', async () => {
  const { queryClient, tenantApi } = product;
  const document = await upload(descriptionWith(schemes['a bearer token'], { title: 'Versions' }));
  // One import is made of the first choice: how many are made in a minute is bounded.
  const [begun = 'none', ...others] = choices;
  const first = await importThe(document, { ...chosenDraft(document), name: 'Named here', credential: begun });
  await connect(first, 'all', begun);
  let now = first;
  for (const credential of others) {
    const keyName = { header: 'X-Own-Key', query: 'own_key' }[credential as 'header'] ?? '';
    now = await importThe(document, { ...chosenDraft(document, now), credential, keyName }, now);
    expect(now).toMatchObject({ id: first.id, name: 'Named here', actions: first.actions });
    await connect(now, 'all', credential);
  }
  expect(now.version).toBe(choices.length);
  const list = await queryClient.fetchQuery({ ...importedQueries.list(tenantApi), staleTime: 0 });
  expect(list.find(({ id }) => id === first.id)).toEqual(now);
});

test('what a description says at the longest is taken as it is shown, and an address that is too long is asked for', async () => {
  const titled = { title: 'T'.repeat(300), version: '1'.repeat(90), description: 'd'.repeat(5000) };
  const servers = [{ url: `https://inventory.example/${'p'.repeat(600)}` }];
  const document = await upload({ ...descriptionWith(undefined, titled), servers });
  const begun = chosenDraft(document);
  expect(Object.entries(importProblems(begun)).filter(([, problem]) => problem !== undefined)).toEqual([
    ['baseUrl', expect.any(String)],
  ]);
  const baseUrl = `https://inventory.example/${'p'.repeat(474)}`;
  const imported = await importThe(document, { ...begun, baseUrl });
  expect(imported.name).toBe(begun.name);
});
