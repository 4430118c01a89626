import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { historyBetween } from '@airdeck/simulator/history';
import type { RawRecord } from '@airdeck/simulator/raw-record';
import { createTimeline } from '@airdeck/simulator/timeline';
import type { Database } from '../../storage/database.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { CasesService } from '../cases/cases-service.ts';
import type { HttpDoor } from '../ingestion/http-door.ts';
import { liveTenants } from './demo-feed.ts';
import type { DemoFile } from './demo-file.ts';
import { tenantId } from './demo-plan.ts';

const DAYS = 7;
const DAY_MS = 86_400_000;
/** Far fewer records than live: a week must not keep a laptop busy. */
const SHARE_OF_LIVE = 0.01;
/** From the last record to the opened case, about as long as live. */
const DETECTION_DELAY_MS = 800;
const LONGEST_SCENARIO_MS = 600_000;
const SCENARIO_EVERY_MINUTES = 9 * 60;
/** The newest cases stay open, so that there is something to do. */
const STAYS_OPEN_MS = 18 * 3_600_000;

/** The services of a server whose clock this module sets. */
export type PastServer = { http: HttpDoor; cases: Pick<CasesService, 'list' | 'update'> };

type Dependencies = {
  file: DemoFile;
  db: Pick<Database, 'tenant'>;
  end: Date;
  /** Stops between two deliveries. */
  signal: AbortSignal;
  /** Composes the working half of the server on a clock of the past; its cases start no responses. */
  pastServer: (clock: () => Date) => PastServer;
};

/**
 * A week before the first start: the simulator's records go through the real doors, parsers and policies of a server whose
 * clock is set back, and people acknowledge and close what opened, so that a new workspace has figures to show.
 */
export async function writeDemoHistory(deps: Dependencies): Promise<void> {
  let clock = deps.end;
  const server = deps.pastServer(() => clock);
  const start = new Date(deps.end.getTime() - DAYS * DAY_MS);
  for (const live of liveTenants) {
    const tenant = tenantId(deps.file, live.key);
    const timeline = createTimeline({
      seed: tenant,
      ratePerSecond: live.ratePerSecond * SHARE_OF_LIVE,
      scenarios: { everyMinutes: SCENARIO_EVERY_MINUTES },
    });
    for await (const records of historyBetween(timeline, { start, end: deps.end, batchSize: 2_000 })) {
      for (const stretch of stretches(records)) {
        clock = new Date((stretch.at(-1)?.time ?? clock.getTime()) + DETECTION_DELAY_MS);
        if (deps.signal.aborted) return;
        await deliver(deps.file, server.http, tenant, stretch);
        await setImmediate();
      }
    }
    await workThrough(deps, server, tenant, (at) => {
      clock = at;
    });
  }
}

/** Cut where an attack begins and ends, because its case opens when its last record came in and not hours later. */
function stretches(records: readonly RawRecord[]): RawRecord[][] {
  const first = records.findIndex((record) => record.scenario !== undefined);
  if (first < 0) return [[...records]];
  const until = (records[first]?.time ?? 0) + LONGEST_SCENARIO_MS;
  const last = records.findLastIndex((record) => record.scenario !== undefined && record.time < until);
  const rest = records.slice(last + 1);
  const attack = [records.slice(0, first), records.slice(first, last + 1)].filter((stretch) => stretch.length > 0);
  return rest.length > 0 ? [...attack, ...stretches(rest)] : attack;
}

async function deliver(file: DemoFile, door: HttpDoor, tenant: string, records: readonly RawRecord[]): Promise<void> {
  for (const kind of ['ndjson', 'syslog'] as const) {
    const lines = records
      .filter((record) => (record.transport === 'http') === (kind === 'ndjson'))
      .map((record) => record.line);
    const source = file.sources.find((candidate) => candidate.tenant === tenant && candidate.kind === kind);
    if (lines.length === 0 || !source) continue;
    await door.deliver({
      tenantId: tenant,
      sourceId: source.id,
      headers: {
        authorization: `Bearer ${source.token}`,
        'content-type': kind === 'ndjson' ? 'application/x-ndjson' : 'text/plain',
      },
      stream: Readable.from([Buffer.from(lines.join('\n'))]),
    });
  }
}

/** Older cases were looked at after some minutes and closed after some hours; how long differs from case to case. */
async function workThrough(
  { db, file, end }: Dependencies,
  { cases }: PastServer,
  tenant: string,
  setClock: (at: Date) => void,
): Promise<void> {
  const scope = trustedTenantScope(tenant);
  const analyst = file.users.find((user) => user.tenant === tenant) ?? file.users[0];
  if (!analyst) return;
  const by = { actor: { kind: 'user', id: analyst.id, name: analyst.email }, requestId: null } as const;
  const query = { limit: 100, page: 1, sort: 'time_opened', status: ['open' as const] } as const;
  const open = await db.tenant(tenant, (tx) => cases.list(tx, scope, { ...query, status: [...query.status] }));
  for (const [index, { id, time_opened }] of open.cases.entries()) {
    const opened = Date.parse(time_opened);
    if (end.getTime() - opened < STAYS_OPEN_MS) continue;
    const minutesToLook = 4 + ((index * 7) % 23);
    const minutesToClose = 35 + ((index * 37) % 160);
    setClock(new Date(opened + minutesToLook * 60_000));
    await db.tenant(tenant, (tx) =>
      cases.update(tx, scope, { id, update: { alert_status: 'acknowledged', assignee: analyst.email }, by }),
    );
    setClock(new Date(opened + minutesToClose * 60_000));
    const close_reason = index % 4 === 3 ? 'false_positive' : 'true_positive';
    await db.tenant(tenant, (tx) =>
      cases.update(tx, scope, { id, update: { alert_status: 'closed', close_reason }, by }),
    );
  }
}
