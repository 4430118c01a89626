/**
 * Actions of a tenant with 100,000 runs and a catalogue of a thousand: the start of one, the pages that list them, and what
 * two hundred polled connectors cost. Every answer is asserted.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ActionActivity } from '@airdeck/contracts/activity/schema';
import type { ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { percentile } from './bench-load.ts';
import type { BenchVendor } from './bench-vendor.ts';

type Member = { tenant: string; token: string };

export type ActionsStand = {
  url: string;
  member: Member;
  /** Members of the tenants whose connectors are polled. */
  pollers: Member[];
  runs: number;
};

export type ActionsBenchOptions = ActionsStand & {
  vendor: BenchVendor;
  /** Processor seconds the server and its stores have used so far. */
  cpuSeconds: () => number;
  starts: number;
  pollSeconds: number;
};

const CATALOGUE = 1000;
/** Of one import. */
const OPERATIONS = 100;
const CONNECTORS = 200;
const LOOKS = 60;

export async function runActionsBench(options: ActionsBenchOptions): Promise<Record<string, number>> {
  const imported = await fillCatalogue(options);
  const lists = await measureLists(options, imported.length * OPERATIONS);
  const starts = await measureStarts(options, imported[0]);
  return { ...lists, ...starts, ...(await measurePolling(options)) };
}

async function asked<T>({ url }: ActionsStand, { tenant, token }: Member, call: Call): Promise<T> {
  const answer = await fetch(`${url}/api/tenants/${tenant}${call.path}`, {
    method: call.method ?? 'GET',
    headers: {
      authorization: `Bearer ${token}`,
      ...(call.body === undefined ? {} : { 'content-type': call.type ?? 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${call.method ?? 'GET'} ${call.path} answered with ${answer.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

type Call = { path: string; method?: string; body?: unknown; type?: string };

async function fillCatalogue(options: ActionsBenchOptions): Promise<ImportedIntegration[]> {
  const imported: ImportedIntegration[] = [];
  for (let n = 0; n < CATALOGUE / OPERATIONS; n++) {
    const document = await asked<OpenapiDocument>(options, options.member, {
      ...{ path: '/openapi/documents', method: 'POST', type: 'application/octet-stream' },
      body: JSON.stringify(describedApi(n, options.vendor.url)),
    });
    imported.push(
      await asked<ImportedIntegration>(options, options.member, {
        ...{ path: '/openapi/integrations', method: 'POST' },
        body: {
          document_id: document.id,
          operations: document.operations.map(({ key }) => key),
          base_url: options.vendor.url,
          credential: { kind: 'none' },
        },
      }),
    );
  }
  return imported;
}

function describedApi(n: number, url: string): object {
  const operation = (at: number) => ({
    post: {
      operationId: `change_${at}`,
      summary: `Change number ${at} of service ${n}`,
      description: 'Changes one thing and says what it was before.',
      requestBody: {
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { name: { type: 'string', description: 'What to change.' }, count: { type: 'integer' } },
            },
          },
        },
      },
      responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  });
  return {
    openapi: '3.0.3',
    info: { title: `Service ${n}`, version: '1' },
    servers: [{ url }],
    paths: Object.fromEntries(Array.from({ length: OPERATIONS }, (_, at) => [`/things/${at}`, operation(at)])),
  };
}

async function measureLists(options: ActionsBenchOptions, imported: number) {
  const catalogue = await looks(async () => {
    const actions = await asked<unknown[]>(options, options.member, { path: '/soar/available_actions' });
    if (actions.length < imported) throw new Error(`The catalogue has ${actions.length} entries.`);
  });
  let page = 0;
  const activity = await looks(async () => {
    const filters = ['', '&status=error', '&type=standalone', '&q=okta'];
    page += 1;
    const path = `/soar/actions_activity?limit=25${filters[page % filters.length]}`;
    const listed = await asked<ActionActivity[]>(options, options.member, { path });
    if (listed.length !== 25) throw new Error(`${path} has ${listed.length} entries.`);
  });
  return { catalogue_p95_ms: percentile(catalogue, 0.95), activity_p95_ms: percentile(activity, 0.95) };
}

async function looks(look: () => Promise<void>): Promise<number[]> {
  await look();
  const times: number[] = [];
  for (let n = 0; n < LOOKS; n++) {
    const from = performance.now();
    await look();
    times.push(performance.now() - from);
  }
  return times;
}

/** From the call that starts an action to its own call at the vendor, one after the other. */
async function measureStarts(options: ActionsBenchOptions, integration: ImportedIntegration | undefined) {
  const [action] = integration?.actions ?? [];
  if (integration === undefined || action === undefined) throw new Error('Nothing was imported.');
  const connector = await asked<{ id: string }>(options, options.member, {
    ...{ path: '/connectors', method: 'PUT' },
    body: { definition_id: integration.definition_id, name: 'Things', config: { base_url: options.vendor.url } },
  });
  const times: number[] = [];
  for (let n = 0; n < options.starts; n++) {
    const arrived = options.vendor.nextChange();
    const from = performance.now();
    await asked(options, options.member, {
      ...{ path: '/soar/actions_activity', method: 'POST' },
      body: { action_name: action, action_input: { name: `n${n}` }, connector_id: connector.id },
    });
    times.push((await arrived) - from);
    await wait(20);
  }
  return { start_p50_ms: percentile(times, 0.5), start_p99_ms: percentile(times, 0.99) };
}

/** Share of one processor that the server and its stores take beyond what they take without connectors. */
async function measurePolling(options: ActionsBenchOptions) {
  const idle = await share(options, options.pollSeconds / 3);
  for (let n = 0; n < CONNECTORS; n++) {
    const poller = options.pollers[n % options.pollers.length];
    if (poller === undefined) throw new Error('Nobody has connectors.');
    await asked(options, poller, {
      ...{ path: '/connectors', method: 'PUT' },
      body: {
        ...{ definition_id: 'okta', name: `Okta ${n}`, events_enabled: true },
        config: { base_url: options.vendor.url, api_token: 'bench' },
      },
    });
  }
  // The first round comes at once; then each takes its turn in the minute.
  await wait(70_000);
  const before = options.vendor.polls();
  const busy = await share(options, options.pollSeconds);
  const polls = options.vendor.polls() - before;
  if (polls < (CONNECTORS * options.pollSeconds) / 60 / 1.3) throw new Error(`Only ${polls} polls were made.`);
  return {
    idle_percent: idle * 100,
    polled_percent: busy * 100,
    polling_adds_percent: (busy - idle) * 100,
    polls_per_s: polls / options.pollSeconds,
  };
}

async function share({ cpuSeconds }: ActionsBenchOptions, seconds: number): Promise<number> {
  const [from, cpu] = [performance.now(), cpuSeconds()];
  await wait(seconds * 1000);
  return (cpuSeconds() - cpu) / ((performance.now() - from) / 1000);
}
