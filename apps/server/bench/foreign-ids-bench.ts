/**
 * Whether the time of an answer tells that an id is another tenant's: each route is asked in turns for a thing of another
 * tenant and for what does not exist. Every answer must be 404, and the owner must find the thing.
 */
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { v7 } from 'uuid';
import { percentile } from './bench-load.ts';
import { openConnection, requestFor } from './http-load.ts';

type Member = { tenant: string; token: string };
/** `owner` is a member of another tenant than `asking`. */
export type ForeignIdsStand = { url: string; asking: Member; owner: Member };
export type ForeignIdsResult = { foreign_p50_ms: number; unknown_p50_ms: number; most_apart_ms: number };

type Kind = { made: { path: string; body: object }; asked: readonly RouteId[] };

const kinds: readonly Kind[] = [
  { made: { path: '/case', body: { alert_name: 'Theirs' } }, asked: ['cases.get', 'cases.export'] },
  {
    made: {
      path: '/soar/rules',
      body: {
        rule: {
          name: 'Theirs',
          description: '',
          type: 'custom',
          severity: 'low',
          logic: {
            rule_type: 'filter_and_group',
            filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'failure' }],
            group_by: ['src_ip'],
            source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
          },
        },
      },
    },
    asked: ['policies.get', 'policies.versions'],
  },
  {
    made: {
      path: '/soar/actions_activity',
      body: { action_name: 'http_request.get', action_input: { path: '/x' }, connector_id: null },
    },
    asked: ['actions-activity.get', 'actions-activity.cancel'],
  },
];

export async function runForeignIdsBench(stand: ForeignIdsStand, pairs: number): Promise<ForeignIdsResult> {
  const connection = openConnection(stand.url);
  const all = { foreign: [] as number[], unknown: [] as number[], apart: [] as number[] };
  try {
    for (const { made, asked } of kinds) {
      const id = await create(stand, made);
      for (const route of asked) {
        const times = await timesOf(route, { stand, connection, id, pairs });
        all.foreign.push(...times.foreign);
        all.unknown.push(...times.unknown);
        all.apart.push(Math.abs(percentile(times.foreign, 0.5) - percentile(times.unknown, 0.5)));
      }
    }
  } finally {
    connection.close();
  }
  return {
    foreign_p50_ms: percentile(all.foreign, 0.5),
    unknown_p50_ms: percentile(all.unknown, 0.5),
    most_apart_ms: Math.max(...all.apart),
  };
}

async function create({ url, owner }: ForeignIdsStand, { path, body }: Kind['made']): Promise<string> {
  const answer = await fetch(`${url}/api/tenants/${owner.tenant}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json', 'X-AIR-confirm': 'true' },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`POST ${path} answered with ${answer.status}: ${text}`);
  const { id, details } = JSON.parse(text) as { id?: string; details?: { context: { action_uuid: string } } };
  const found = id ?? details?.context.action_uuid;
  if (found === undefined) throw new Error(`POST ${path} made nothing with an id: ${text}`);
  return found;
}

type Asked = {
  stand: ForeignIdsStand;
  connection: ReturnType<typeof openConnection>;
  id: string;
  pairs: number;
};

async function timesOf(route: RouteId, { stand, connection, id, pairs }: Asked) {
  const { method, path } = routeTable[route];
  const ask = async ({ tenant, token }: Member, one: string) => {
    const place = path.replace('{tenant}', tenant).replace('{id}', one);
    return await connection.ask(requestFor(stand.url, place, token, method === 'POST' ? {} : undefined));
  };
  const refused = async (one: string): Promise<number> => {
    const { status, ms } = await ask(stand.asking, one);
    if (status !== 404) throw new Error(`${route} answered with ${status} instead of 404.`);
    return ms;
  };
  const own = await ask(stand.owner, id);
  // A run that has ended cannot be cancelled.
  if (own.status >= 400 && own.status !== 409) throw new Error(`${route} answers its owner with ${own.status}.`);
  const times = { foreign: [] as number[], unknown: [] as number[] };
  for (let pair = 0; pair < pairs; pair++) {
    // In turns, and each first in half of them: what warms up or comes in between meets both alike.
    const order = pair % 2 === 0 ? (['foreign', 'unknown'] as const) : (['unknown', 'foreign'] as const);
    for (const kind of order) times[kind].push(await refused(kind === 'foreign' ? id : v7()));
  }
  return times;
}
