/**
 * An installation with its own stores and an archive, under load, for a test that ends it with SIGKILL. Says each thing
 * that was acknowledged as a line of JSON on standard output, and how far the archive is.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pino } from 'pino';
import { v7 } from 'uuid';
import { readConfig } from '../../config/config.ts';
import { createTestServer } from '../../http/test-server.ts';
import { openKeyFile } from '../../modules/connectors/key-file.ts';
import { blockGuessingAddress } from '../../modules/playbooks/starter-playbooks.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { startStores } from '../stores.ts';

export type Told =
  | { kind: 'workspace'; tenant: string }
  | { kind: 'events'; names: string[]; at: number }
  | { kind: 'case' | 'run'; id: string; at: number }
  | { kind: 'archive'; state: string; securedUntil: string | null; at: number };

const [dataDir = '', archive = '', periods = '{}'] = process.argv.slice(2);
const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;
const EVENTS = 20;

const tell = (told: Told) => process.stdout.write(`${JSON.stringify(told)}\n`);

const config = readConfig({ AIRDECK_DATA_DIR: dataDir, ARCHIVE_FOLDER: archive, LOG_LEVEL: 'silent' }, '0.0.0');
const running = await startStores(config, pino({ level: 'silent' }), JSON.parse(periods));
const { db: database, databaseUrl: url, events } = running.stores;
const connection = { url: '', user: '', password: '', placement: { database: 'airdeck' } };
const stores = { url, database, events, eventsConnection: connection, close: async () => undefined };
const identitySecret = (await readFile(join(dataDir, 'identity.secret'), 'utf8')).trim();
const keys = await openKeyFile(join(dataDir, 'connector-keys.json'));
const server = await createTestServer({ besides: { stores, identitySecret }, keys });

const tenant = await server.createTenant();
const scope = trustedTenantScope(tenant);
const { work } = server.composition;
const settings = { base_url: 'https://firewall.example.com', api_token: 'a secret of the firewall' };
const playbook = await database.tenant(tenant, async (tx) => {
  await work.connectors.create(tx, scope, { definitionId: 'fortigate', name: 'Firewall', config: settings }, by);
  return await work.playbooks.create(tx, scope, blockGuessingAddress, by);
});
const manager = await server.createActor({ home: tenant, roles: { [tenant]: 'SystemManager' } });

async function post(path: string, payload: object | string, headers: Record<string, string>) {
  const json = typeof payload === 'string' ? {} : { 'content-type': 'application/json' };
  const answer = await server.inject({ method: 'POST', url: path, headers: { ...json, ...headers }, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

const source = await post(`/api/${tenant}/event/sources/new`, { name: 'Shipper', kind: 'ndjson' }, manager.headers);
const door = `/api/${tenant}/event/ingest/${String(source.body.id)}`;
const shipper = {
  authorization: `Bearer ${String(source.body.token)}`,
  'content-type': 'application/x-ndjson',
};
tell({ kind: 'workspace', tenant });

async function repeat(work: () => Promise<void>): Promise<void> {
  for (;;) await work();
}

await Promise.all([
  repeat(async () => {
    const names = Array.from({ length: EVENTS }, () => v7());
    const { status } = await post(door, names.map((host) => JSON.stringify({ host })).join('\n'), shipper);
    if (status === 202) tell({ kind: 'events', names, at: Date.now() });
    await wait(20);
  }),
  repeat(async () => {
    const path = `/api/tenants/${tenant}/soar/playbook_activity`;
    const run = await post(path, { playbook_id: playbook, inputs: { ip: '203.0.113.7' } }, manager.headers);
    const { summary } = run.body as { summary?: { workflow_uuid: string } };
    if (summary !== undefined) tell({ kind: 'run', id: summary.workflow_uuid, at: Date.now() });
    else throw new Error(JSON.stringify(run));
    await wait(200);
  }),
  repeat(async () => {
    const opened = await post(`/api/tenants/${tenant}/case`, { alert_name: 'By hand' }, manager.headers);
    if (opened.status >= 300) throw new Error(JSON.stringify(opened));
    tell({ kind: 'case', id: String(opened.body.alert_id ?? opened.body.id), at: Date.now() });
    await wait(200);
  }),
  repeat(async () => {
    const figures = running.stores.archive?.figures();
    const { state = '', secured_until: securedUntil = null } = figures ?? {};
    tell({ kind: 'archive', state, securedUntil, at: Date.now() });
    await wait(100);
  }),
]);
