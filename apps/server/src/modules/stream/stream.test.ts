import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, createTestServer, type TestServer } from '../../http/test-server.ts';

const by = { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null } as const;

let server: TestServer;
let origin: string;
let tenant: string;
let other: string;
let actor: Actor;

beforeAll(async () => {
  server = await createTestServer();
  origin = await server.composition.app.server.listen({ host: '127.0.0.1', port: 0 });
  tenant = await server.createTenant();
  other = await server.createTenant();
  actor = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst', [other]: 'Analyst' } });
});
afterAll(() => server?.close());

/** An open stream: what came so far, and whether it has ended. */
async function open(tenantId: string, who = actor) {
  const leave = new AbortController();
  const answer = await fetch(`${origin}/api/tenants/${tenantId}/stream`, {
    headers: who.headers,
    signal: leave.signal,
  });
  const stream = {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: '',
    ended: false,
    leave: () => leave.abort(),
  };
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) stream.text += decoder.decode(chunk as Uint8Array, { stream: true });
  };
  read().then(
    () => {
      stream.ended = true;
    },
    () => {
      stream.ended = true;
    },
  );
  return stream;
}

function announce(tenantId: string, id: string, status?: string) {
  return server.stores.database.tenant(tenantId, (tx) =>
    server.composition.changes.announce(tx, {
      tenant: tenantId,
      kind: 'case',
      id,
      ...(status === undefined ? {} : { status }),
    }),
  );
}

describe('live stream', () => {
  it('tells a tenant what changed in it, and nothing of another', async () => {
    const [mine, theirs] = [await open(tenant), await open(other)];
    expect(mine).toMatchObject({ status: 200, type: 'text/event-stream; charset=utf-8' });
    const [first, second] = [v7(), v7()];
    await announce(tenant, first, 'open');
    await announce(other, second);
    await expect
      .poll(() => mine.text)
      .toContain(`event: case\ndata: {"id":"${first}","kind":"case","status":"open"}\n\n`);
    await expect.poll(() => theirs.text).toContain(second);
    expect(mine.text).not.toContain(second);
    expect(theirs.text).not.toContain(first);
    mine.leave();
    theirs.leave();
    await expect.poll(() => server.composition.hub.openStreams()).toBe(0);
  });

  it('says nothing about what was rolled back', async () => {
    const stream = await open(tenant);
    const [undone, done] = [v7(), v7()];
    const failing = server.stores.database.tenant(tenant, async (tx) => {
      await server.composition.changes.announce(tx, { tenant, kind: 'run', id: undone });
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await announce(tenant, done);
    await expect.poll(() => stream.text).toContain(done);
    expect(stream.text).not.toContain(undone);
    stream.leave();
  });

  it('ends at once when the membership does', async () => {
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const [stream, staying] = [await open(tenant, leaver), await open(tenant)];
    await server.stores.database.system((tx) =>
      server.composition.tenants.removeMembership(tx, { tenant, user: leaver.id }, by),
    );
    await expect.poll(() => stream.ended).toBe(true);
    expect(staying.ended).toBe(false);
    staying.leave();
  });

  it('ends at once when the session does', async () => {
    const leaver = await server.createActor({ home: tenant, roles: { [tenant]: 'Analyst' } });
    const stream = await open(tenant, leaver);
    await server.composition.identity.users.endSessions(leaver.id);
    await expect.poll(() => stream.ended).toBe(true);
  });

  it('does not give one user endless streams', async () => {
    const greedy = await server.createActor({ home: tenant, roles: { [tenant]: 'ReadOnly' } });
    const streams = [];
    for (let n = 0; n < 21; n++) streams.push(await open(tenant, greedy));
    expect(streams.map((stream) => stream.status).filter((status) => status === 503)).toHaveLength(1);
    for (const stream of streams) stream.leave();
  });
});
