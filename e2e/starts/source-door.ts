import { type ClientRequest, request } from 'node:http';
import type { ErrorBody } from '@airdeck/contracts/error-codes';
import { searchLimits } from '@airdeck/contracts/search/schema';
import type { IngestAnswer, SourceKind } from '@airdeck/contracts/sources/schema';
import type { DemoFile } from '../src/airdeck-process.ts';
import { apiOf, userOf } from '../src/api.ts';

const DAY_MS = 86_400_000;

/** Where events go in, and with what. */
export type DoorPlace = { url: string; tenant: string; id: string; token: string };

/** A source of its own, so that nothing of the simulator is counted with it. */
export type Door = DoorPlace & {
  /** Events of the source that were accepted and counted. */
  events(): Promise<number>;
  /** Events of the source that a search finds, and how many of them are different: the store itself is looked at. */
  found(): Promise<{ events: number; different: number }>;
  /** The messages of those events, as often as they are there. */
  messages(): Promise<string[]>;
};

export async function newDoor(demo: DemoFile, kind: SourceKind): Promise<Door> {
  const admin = userOf(demo, 'Admin');
  const api = apiOf(demo, admin);
  const { tenant } = admin;
  const { id, token } = await api.call('sources.create', { params: { tenant }, body: { name: 'Trial', kind } });
  return doorAt(demo, { tenant, id, token });
}

/** The same source after a restart, which may have moved to another port. */
export function doorAt(demo: DemoFile, { tenant, id, token }: Pick<Door, 'tenant' | 'id' | 'token'>): Door {
  const api = apiOf(demo, userOf(demo, 'Admin'));

  async function messages(): Promise<string[]> {
    const found: string[] = [];
    const now = Date.now();
    let cursor: string | undefined;
    do {
      const body = {
        query: `_source_id:${id}`,
        time_range: { start: new Date(now - DAY_MS).toISOString(), end: new Date(now + DAY_MS).toISOString() },
        limit: searchLimits.eventsMax,
        live: false,
        ...(cursor === undefined ? {} : { cursor }),
      };
      const answer = await api.call('search.run', { params: { tenant }, body });
      found.push(...answer.events.map(({ message }) => message));
      cursor = answer.cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  }

  return {
    url: demo.url,
    tenant,
    id,
    token,
    messages,
    async events() {
      const sources = await api.call('sources.list', { params: { tenant } });
      return sources.find((source) => source.id === id)?.events_24h ?? 0;
    },
    async found() {
      const texts = await messages();
      return { events: texts.length, different: new Set(texts).size };
    },
  };
}

export async function post(
  door: DoorPlace,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Partial<IngestAnswer & ErrorBody> }> {
  const answer = await fetch(addressOf(door), { method: 'POST', headers: { ...headersOf(door), ...headers }, body });
  return { status: answer.status, body: (await answer.json()) as Partial<IngestAnswer & ErrorBody> };
}

/** What a shipper goes by: the status, and when it may come again. */
export async function offer(door: Door, body: string): Promise<{ status: number; retryAfter: string | null }> {
  const answer = await fetch(addressOf(door), { method: 'POST', headers: headersOf(door), body });
  await answer.arrayBuffer();
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

/** The head of a delivery; the server says when it has read it (`continue`), and the body is the caller's to send. */
export function beginPost(door: DoorPlace, bytes: number): ClientRequest {
  const headers = { ...headersOf(door), 'content-length': bytes, expect: '100-continue' };
  const begun = request(addressOf(door), { method: 'POST', headers });
  begun.flushHeaders();
  return begun;
}

function addressOf({ url, tenant, id }: DoorPlace): string {
  return `${url}/api/${tenant}/event/ingest/${id}`;
}

function headersOf({ token }: DoorPlace): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
}

/** Lines that differ from those of every other mark. */
export function bodyOf(mark: string, count: number): string {
  return Array.from({ length: count }, (_, n) => JSON.stringify({ event_type: 'trial', message: `${mark} ${n}` })).join(
    '\n',
  );
}
