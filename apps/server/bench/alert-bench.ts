/**
 * From an alert to the first action of its automation: a policy opens a case, the automation of the policy calls an action
 * of an imported integration, and the call arrives at a service of this machine, all while ordinary events come in.
 */
import type { ImportedIntegration, OpenapiDocument } from '@airdeck/contracts/openapi/schema';
import { starterPolicies } from '../src/modules/policies/starter-policies.ts';
import { createSender, percentile } from './bench-load.ts';
import type { BenchVendor } from './bench-vendor.ts';
import { guesses, underLoad } from './guesses-under-load.ts';

export type AlertStand = { url: string; member: { tenant: string; token: string } };

export type AlertBenchOptions = AlertStand & {
  vendor: BenchVendor;
  seconds: number;
  /** Background load of each round. */
  rates: readonly number[];
};

export type AlertBenchRound = {
  action_p50_ms: number;
  action_p99_ms: number;
  actions: number;
  background_per_s: number;
};

const CALLED_WITHIN_MS = 10_000;
const CONNECTIONS = 8;

/**
 * One result for each rate: milliseconds from the acknowledgement of the events that complete an alert to the arrival of
 * the action's call. Throws unless every alert led to exactly one call.
 */
export async function runAlertBench(options: AlertBenchOptions): Promise<AlertBenchRound[]> {
  await automate(options);
  const { id: source, token } = await asked<{ id: string; token: string }>(options, {
    path: `/api/${options.member.tenant}/event/sources/new`,
    body: { name: 'Bench', kind: 'ndjson' },
  });
  const { url, member } = options;
  const sender = createSender({ url, tenant: member.tenant, source, token }, CONNECTIONS);
  const rounds: AlertBenchRound[] = [];
  // Nothing is compiled yet.
  await measure(options, sender, { network: '198.18', eventsPerS: 500, seconds: 5 });
  for (const [round, eventsPerS] of options.rates.entries()) {
    const seconds = options.seconds;
    rounds.push(await measure(options, sender, { network: `203.${round}`, eventsPerS, seconds }));
  }
  sender.close();
  return rounds;
}

type Round = { network: string; eventsPerS: number; seconds: number };

async function measure(
  { vendor }: AlertBenchOptions,
  sender: ReturnType<typeof createSender>,
  { network, eventsPerS, seconds }: Round,
): Promise<AlertBenchRound> {
  const calls = new Map<string, number[]>();
  vendor.onChange(({ at, text }) => {
    const { name } = JSON.parse(text) as { name: string };
    calls.set(name, [...(calls.get(name) ?? []), at]);
  });
  const alerts: { address: string; at: number }[] = [];
  const background = await underLoad(sender, { eventsPerS, seconds }, async (turn) => {
    const address = `${network}.${113 + (turn >> 8)}.${turn & 255}`;
    const { status } = await sender.send(guesses(address), 'text/plain');
    if (status !== 202) throw new Error(`A burst was answered with ${status}.`);
    alerts.push({ address, at: performance.now() });
  });
  await untilCalled(calls, alerts.length);
  const latencies = alerts.map(({ address, at }) => {
    const [called, ...again] = calls.get(address) ?? [];
    if (called === undefined || again.length > 0) {
      throw new Error(`The action for ${address} was called ${called === undefined ? 0 : again.length + 1} times.`);
    }
    return Math.max(0, called - at);
  });
  if (calls.size !== alerts.length) throw new Error(`${alerts.length} alerts, ${calls.size} actions.`);
  return {
    action_p50_ms: Math.round(percentile(latencies, 0.5)),
    action_p99_ms: Math.round(percentile(latencies, 0.99)),
    actions: latencies.length,
    background_per_s: background,
  };
}

async function untilCalled(calls: ReadonlyMap<string, unknown>, wanted: number): Promise<void> {
  const until = performance.now() + CALLED_WITHIN_MS;
  while (calls.size < wanted && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The policy's automation calls an operation that one may repeat, of an API this machine answers. */
async function automate(options: AlertBenchOptions): Promise<void> {
  const { vendor, member } = options;
  const path = `/api/tenants/${member.tenant}`;
  const document = await asked<OpenapiDocument>(options, {
    ...{ path: `${path}/openapi/documents`, type: 'application/octet-stream' },
    body: JSON.stringify(blocking(vendor.url)),
  });
  const imported = await asked<ImportedIntegration>(options, {
    path: `${path}/openapi/integrations`,
    body: {
      document_id: document.id,
      operations: document.operations.map(({ key }) => key),
      base_url: vendor.url,
      credential: { kind: 'none' },
    },
  });
  const connector = await asked<{ id: string }>(options, {
    ...{ path: `${path}/connectors`, method: 'PUT' },
    body: { definition_id: imported.definition_id, name: 'Gate', config: { base_url: vendor.url } },
  });
  const rule = starterPolicies.find(({ name }) => name === 'SSH password guessing');
  const policy = await asked<{ id: string }>(options, { path: `${path}/soar/rules`, body: { rule, enabled: true } });
  await asked(options, {
    path: `${path}/soar/rule_responses`,
    body: {
      rule_id: policy.id,
      response_name: 'Block it',
      response_type: 'action',
      definition_id: imported.actions[0],
      connector_id: connector.id,
      inputs: { name: '{{ group.src_ip }}' },
      enabled: true,
    },
  });
}

function blocking(url: string): object {
  const schema = { type: 'object', properties: { name: { type: 'string', description: 'Address to block.' } } };
  const operation = {
    operationId: 'block',
    summary: 'Block an address',
    requestBody: { content: { 'application/json': { schema } } },
    responses: { 200: { description: 'Done.', content: { 'application/json': { schema: { type: 'object' } } } } },
  };
  return {
    openapi: '3.0.3',
    info: { title: 'Gate', version: '1' },
    servers: [{ url }],
    paths: { '/things/block': { post: operation } },
  };
}

type Call = { path: string; method?: 'PUT'; body: unknown; type?: string };

async function asked<T>({ url, member }: AlertStand, { path, method, body, type }: Call): Promise<T> {
  const answer = await fetch(`${url}${path}`, {
    method: method ?? 'POST',
    headers: {
      authorization: `Bearer ${member.token}`,
      'content-type': type ?? 'application/json',
      // An automation that changes something is asked about.
      'X-AIR-confirm': 'true',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}
