import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { describe, expect, it } from 'vitest';
import { trustedTenantScope } from '../tenant-scope.ts';
import type { Granted } from './authorization.ts';
import { type CallLimits, callCosts, callLimits } from './call-limits.ts';
import { addressName, createCallQuotas, isCounted, isUrgent } from './call-quotas.ts';

const SECOND_MS = 1_000;
const ADDRESS = '192.0.2.1';
const limits: CallLimits = {
  urgent: { perSecond: 4, burst: 20 },
  person: { perSecond: 2, burst: 10 },
  tenant: { perSecond: 3, burst: 15 },
  address: { perSecond: 8, burst: 40 },
  stranger: { perSecond: 1, burst: 5 },
  atOnce: { perTenant: 4, besideOthers: 2, overPace: 1, waitingPerTenant: 3 },
};

const company = { username: 'else', fullname: 'Else', homeTenant: 'company', via: 'session' } as const;

function setUp(changed: Partial<CallLimits> = {}) {
  let now = 0;
  let others = 0;
  const told: object[] = [];
  const log = { warn: (fields: object) => void told.push(fields) };
  const quotas = createCallQuotas({ limits: { ...limits, ...changed }, nowMs: () => now, log });
  const ask = (id: RouteId, granted: Granted, address = ADDRESS) =>
    quotas.refused({ id, route: routeTable[id] }, granted, address);
  /** Somebody else is there all the time, from elsewhere, unless a test is about being alone. */
  const refused: typeof ask = (id, granted, address) => {
    ask('me.get', { caller: { ...company, userId: `somebody ${others++}` } }, `203.0.113.${others % 250}`);
    return ask(id, granted, address);
  };
  return {
    quotas,
    told,
    ask,
    refused,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    /** How many calls one after the other are let in. */
    letIn: (granted: Granted, { id = 'cases.list', address }: { id?: RouteId; address?: string } = {}) => {
      let calls = 0;
      while (calls < 1_000 && refused(id, granted, address) === undefined) calls++;
      return calls;
    },
  };
}

/** Somebody in a tenant; without one, on a route that needs none. */
function somebody(userId: string, tenant?: string, apiKey?: string): Granted {
  const scope = tenant === undefined ? {} : { scope: trustedTenantScope(tenant) };
  const key = apiKey === undefined ? {} : { apiKey: { id: apiKey, tenant: 'a', role: 'Analyst' as const } };
  const via = apiKey === undefined ? 'session' : 'api_key';
  return { caller: { userId, username: userId, fullname: userId, homeTenant: 'a', via, ...key }, ...scope };
}

describe('the number of calls', () => {
  it('of a person is limited: a burst, then the pace', () => {
    const { letIn, pass } = setUp();
    expect(letIn(somebody('ann', 'a'))).toBe(10);
    pass(2 * SECOND_MS);
    expect(letIn(somebody('ann', 'a'))).toBe(4);
  });

  it('of a person counts in all tenants together', () => {
    const { letIn } = setUp();
    letIn(somebody('ann', 'a'));
    expect(letIn(somebody('ann', 'b'))).toBe(0);
    expect(letIn(somebody('ann'), { id: 'me.get' })).toBe(0);
  });

  it('of a tenant is limited however many people and keys it has, and other tenants have theirs', () => {
    const { letIn } = setUp();
    const all = ['ann', 'ben', 'cleo', 'dan'].map((name) => letIn(somebody(name, 'a')));
    expect(all).toEqual([10, 5, 0, 0]);
    expect(letIn(somebody('eve', 'b'))).toBe(10);
  });

  it('of an API key is its own: a program does not take those of the person it belongs to', () => {
    const { letIn } = setUp();
    expect(letIn(somebody('ann', 'a', 'key-1'))).toBe(10);
    expect(letIn(somebody('ann', 'a'))).toBe(5);
  });

  it('of an address is limited for people of many tenants, and wider', () => {
    const { letIn } = setUp();
    const calls = [1, 2, 3, 4, 5].map((n) => letIn(somebody(`person ${n}`, `tenant ${n}`)));
    expect(calls).toEqual([10, 10, 10, 10, 0]);
    expect(letIn(somebody('person 5', 'tenant 5'), { address: '192.0.2.2' })).toBe(10);
  });

  it('of strangers of an address takes nothing from people who are known there', () => {
    const { letIn } = setUp();
    expect(letIn({}, { id: 'system.openapi' })).toBe(5);
    expect(letIn(somebody('ann', 'a'))).toBe(10);
  });

  it('that is refused takes from no wider limit: a person who goes on leaves the tenant its calls', () => {
    const { letIn, refused } = setUp();
    letIn(somebody('ann', 'a'));
    for (let n = 0; n < 1_000; n++) refused('cases.list', somebody('ann', 'a'));
    expect(letIn(somebody('ben', 'a'))).toBe(5);
    for (let n = 0; n < 1_000; n++) refused('cases.list', somebody('cleo', 'a'));
    expect(letIn(somebody('dan', 'b'))).toBe(10);
    expect(letIn(somebody('eve', 'c'))).toBe(10);
  });

  it('counts a dear call for several', () => {
    const { letIn } = setUp();
    expect(callCosts['search.run']).toBe(10);
    expect(letIn(somebody('ann', 'a'), { id: 'search.run' })).toBe(1);
    expect(letIn(somebody('ann', 'a'))).toBe(0);
    expect(letIn(somebody('ben', 'a'))).toBe(5);
  });

  it('owes less for the dearest call than the narrowest limit of the product holds', () => {
    const bursts = [callLimits.person, callLimits.tenant, callLimits.address, callLimits.stranger].map(
      ({ burst }) => burst,
    );
    expect(Math.min(...bursts)).toBeGreaterThan(Math.max(...Object.values(callCosts)));
  });
});

describe('who is alone', () => {
  it('may make a hundred times as many calls, until somebody of another tenant is there, and again a while after', () => {
    const { ask, pass } = setUp();
    const letIn = (granted: Granted) => {
      let calls = 0;
      while (calls < 3_000 && ask('cases.list', granted) === undefined) calls++;
      return calls;
    };
    const [ann, eve] = [somebody('ann', 'a'), somebody('eve', 'b')];
    expect(letIn(ann)).toBeGreaterThanOrEqual(900);
    expect(letIn(ann)).toBe(0);
    pass(6 * SECOND_MS);
    ask('cases.list', eve, '192.0.2.2');
    expect(letIn(ann)).toBe(10);
    pass(16 * SECOND_MS);
    expect(letIn(ann)).toBeGreaterThanOrEqual(900);
  });

  it('is nobody whose tenant has company: people of one tenant are not others to each other', () => {
    const { ask } = setUp();
    ask('cases.list', somebody('ann', 'a'));
    let calls = 0;
    while (calls < 100 && ask('cases.list', somebody('ben', 'a')) === undefined) calls++;
    expect(calls).toBe(100);
  });
});

describe('a refusal', () => {
  it('names the limit and when to come back, at different times for those refused in one moment', () => {
    const { letIn, refused } = setUp();
    letIn(somebody('ann', 'a'));
    letIn(somebody('ben', 'a'));
    const errors = [1, 2, 3, 4].map(() => refused('cases.list', somebody('ann', 'a'))?.error);
    expect(errors.map((error) => error?.code)).toEqual(Array(4).fill('RATE_LIMITED'));
    expect(new Set(errors.map((error) => error?.retryAfterS))).toEqual(new Set([1, 2, 3]));
    expect(errors[0]?.message).toMatch(/^You made/);
    expect(refused('cases.list', somebody('cleo', 'a'))?.error.message).toMatch(/^This tenant/);
  });

  it('is made once and given again, so that its answer can be prepared', () => {
    const { letIn, refused } = setUp();
    letIn(somebody('ann', 'a'));
    const errors = Array.from({ length: 300 }, () => refused('cases.list', somebody('ann', 'a'))?.error);
    expect(new Set(errors).size).toBe(3);
  });

  it('is given at the pace of what somebody may call, a second late at most, and at once again after a while', () => {
    const { letIn, refused, pass } = setUp();
    const lateness = (granted: Granted, count = 6) =>
      Array.from({ length: count }, () => refused('cases.list', granted)?.afterMs);
    letIn(somebody('ann', 'a'));
    // Two a second, the first of which `letIn` saw.
    expect(lateness(somebody('ann', 'a'))).toEqual([0, 500, 1_000, 1_000, 1_000, 1_000]);
    letIn(somebody('ben', 'a'));
    expect(lateness(somebody('cleo', 'a'), 2)).toEqual([0, expect.closeTo(333, 0)]);
    letIn(somebody('ann', 'a'));
    pass(4 * SECOND_MS);
    letIn(somebody('ann', 'a'));
    expect(lateness(somebody('ann', 'a'), 2)).toEqual([0, 500]);
  });

  it('of an address or of strangers is given at once: others may be behind it', () => {
    const { letIn, refused } = setUp();
    letIn({}, { id: 'system.openapi' });
    const refusals = Array.from({ length: 9 }, () => refused('system.openapi', {}));
    expect(new Set(refusals.map((refusal) => refusal?.afterMs))).toEqual(new Set([0]));
  });

  it('is given at once where very many are late already', () => {
    const { letIn, refused } = setUp();
    letIn(somebody('ann', 'a'));
    const late = Array.from({ length: 3_000 }, () => refused('cases.list', somebody('ann', 'a'))?.afterMs ?? 0);
    expect(late.filter((ms) => ms > 0)).toHaveLength(1_000);
  });

  it('is counted, and told at most once a minute with a tenant of those who make too many', () => {
    const { letIn, refused, told, pass, quotas } = setUp();
    letIn(somebody('ann', 'a'));
    for (let n = 1; n < 50; n++) refused('cases.list', somebody('ann', 'a'));
    expect(quotas.counts()).toEqual({ person: 50, tenant: 0, address: 0, stranger: 0, at_once: 0 });
    expect(told).toEqual([expect.objectContaining({ limit: 'person', tenant: 'a' })]);
    pass(61 * SECOND_MS);
    letIn(somebody('ann', 'a'));
    expect(told).toHaveLength(2);
  });
});

const all = Object.keys(routeTable) as RouteId[];

describe('what has to work while there are too many calls', () => {
  const urgent = all.filter((id) => isUrgent(routeTable[id]) && isCounted(routeTable[id])).sort();

  it('is what stops something, or is answered so that it goes on', () => {
    expect(urgent).toMatchInlineSnapshot(`
      [
        "actions-activity.cancel",
        "playbook-activity.cancel",
        "prompts.answer",
        "search-reports.cancel",
        "settings.update",
      ]
    `);
  });

  it.each(urgent)('%s works on when nothing else is left, in no line', async (id) => {
    const { letIn, refused, quotas } = setUp();
    letIn(somebody('ann', 'a'));
    letIn(somebody('ben', 'a'));
    expect(refused(id, somebody('ann', 'a'))).toBeUndefined();
    const stuck = fill(quotas, 'a');
    await expect(run(quotas, id, somebody('ann', 'a'))).resolves.toBe(id);
    await stuck.end();
  });

  it('has a number of its own for each person, which nobody else of the tenant can use up', () => {
    const { letIn, pass } = setUp();
    const urgently = (granted: Granted) => letIn(granted, { id: 'settings.update' });
    expect(urgently(somebody('ann', 'a'))).toBe(20);
    expect(letIn(somebody('ann', 'a'), { id: 'prompts.answer' })).toBe(0);
    expect(letIn(somebody('ann', 'a'))).toBe(10);
    expect(['ben', 'cleo', 'dan', 'eve'].map((name) => urgently(somebody(name, 'a')))).toEqual([20, 20, 20, 20]);
    pass(SECOND_MS);
    expect(urgently(somebody('ann', 'a'))).toBe(4);
  });

  it('counts for all keys of a person together, and leaves that person theirs', () => {
    const { letIn } = setUp();
    const urgently = (granted: Granted) => letIn(granted, { id: 'playbook-activity.cancel' });
    expect(urgently(somebody('ann', 'a', 'key-1'))).toBe(20);
    expect(urgently(somebody('ann', 'a', 'key-2'))).toBe(0);
    expect(urgently(somebody('ann', 'a'))).toBe(20);
  });
});

describe('what is never refused for the number of calls', () => {
  const uncounted = all.filter((id) => !isCounted(routeTable[id])).sort();

  it('is what strangers need of a process that is busy, and the door for events, which has bounds of its own', () => {
    expect(uncounted).toMatchInlineSnapshot(`
      [
        "sources.ingest",
        "system.config",
        "system.live",
        "system.ready",
      ]
    `);
  });

  it.each(uncounted)('%s works on when nothing is left', async (id) => {
    const { letIn, refused, quotas } = setUp();
    letIn(somebody('ann', 'a'));
    letIn(somebody('ben', 'a'));
    letIn({}, { id: 'system.openapi' });
    expect(refused(id, somebody('ann', 'a'))).toBeUndefined();
    expect(refused(id, {})).toBeUndefined();
    const stuck = fill(quotas, 'a');
    await expect(run(quotas, id, somebody('ann', 'a'))).resolves.toBe(id);
    await stuck.end();
  });
});

describe('how many calls of a tenant are worked on at once', () => {
  it('is bounded; the others wait in the order they came, and other tenants do not', async () => {
    const { quotas } = setUp();
    const stuck = fill(quotas, 'a');
    const order: string[] = [];
    const waiting = ['first', 'second'].map((name) =>
      run(quotas, 'cases.list', somebody('ann', 'a'), async () => order.push(name)),
    );
    await expect(run(quotas, 'cases.list', somebody('eve', 'b'))).resolves.toBe('cases.list');
    expect(order).toEqual([]);
    await stuck.end();
    await Promise.all(waiting);
    expect(order).toEqual(['first', 'second']);
  });

  it.each([
    ['in a tenant', somebody('ann', 'a')],
    ['of one person that name no tenant', somebody('ann')],
  ])('%s is smaller while other tenants call, until a while after', async (_, ann) => {
    const { quotas, ask, pass } = setUp();
    const eve = somebody('eve', 'b');
    let working = 0;
    const ends: (() => void)[] = [];
    const begin = () =>
      run(quotas, 'cases.list', ann, async () => {
        working += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
        working -= 1;
      });
    const endAll = async (calls: Promise<unknown>[]) => {
      const all = Promise.all(calls);
      for (let n = 0; n < calls.length; n++) {
        ends.shift()?.();
        await new Promise(setImmediate);
      }
      await all;
    };
    ask('cases.list', ann);
    const alone = [1, 2, 3, 4, 5].map(begin);
    await new Promise(setImmediate);
    expect(working).toBe(4);
    ask('cases.list', eve, '192.0.2.2');
    await endAll(alone);
    const beside = [1, 2, 3, 4, 5].map(begin);
    await new Promise(setImmediate);
    expect(working).toBe(2);
    pass(16 * SECOND_MS);
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(working).toBe(4);
    await endAll(beside);
    expect(working).toBe(0);
  });

  it('is one of a tenant that calls more than its pace allows, until it calls less for a moment', async () => {
    const { quotas, letIn, pass } = setUp();
    let working = 0;
    const ends: (() => void)[] = [];
    const begin = () =>
      run(quotas, 'cases.list', somebody('ann', 'a'), async () => {
        working += 1;
        await new Promise<void>((resolve) => ends.push(resolve));
      });
    letIn(somebody('ann', 'a'));
    expect(quotas.isOverPace('a')).toBe(false);
    letIn(somebody('ben', 'a'));
    expect([quotas.isOverPace('a'), quotas.isOverPace('b')]).toEqual([true, false]);
    const calls = [1, 2, 3].map(begin);
    await new Promise(setImmediate);
    expect(working).toBe(1);
    pass(SECOND_MS);
    expect(quotas.isOverPace('a')).toBe(false);
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(working).toBe(3);
    for (const end of ends) end();
    await Promise.all(calls);
  });

  it('has a line that ends: what comes then is refused, and told when to come back', async () => {
    const { quotas } = setUp();
    const stuck = fill(quotas, 'a');
    const waiting = [1, 2, 3].map(() => run(quotas, 'cases.list', somebody('ann', 'a')));
    await expect(run(quotas, 'cases.list', somebody('ann', 'a'))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterS: expect.any(Number),
    });
    expect(quotas.counts().at_once).toBe(1);
    await stuck.end();
    await Promise.all(waiting);
  });

  it('forgets who goes away while waiting', async () => {
    const { quotas } = setUp();
    const stuck = fill(quotas, 'a');
    const left = new AbortController();
    const work = () => Promise.reject(new Error('nobody waits for it'));
    const counted = { id: 'cases.list', route: routeTable['cases.list'] } as const;
    const waiting = quotas.inTurn(counted, somebody('ann', 'a'), { signal: left.signal, work });
    left.abort(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    await stuck.end();
  });

  it.each(['log-report.csv', 'activity-report.csv', 'executive-reports.csv'] as const)(
    'holds back %s: a file that is made as a whole is work like any other',
    async (id) => {
      const { quotas } = setUp();
      const stuck = fill(quotas, 'a');
      let isDone = false;
      const done = run(quotas, id, somebody('ann', 'a')).then(() => {
        isDone = true;
      });
      await new Promise(setImmediate);
      expect(isDone).toBe(false);
      await stuck.end();
      await done;
    },
  );

  it.each(['search.run', 'actions.run-now', 'stream.subscribe', 'search.tail', 'audit.export'] as const)(
    'does not hold back %s, which waits elsewhere or stays open',
    async (id) => {
      const { quotas } = setUp();
      const stuck = fill(quotas, 'a');
      await expect(run(quotas, id, somebody('ann', 'a'))).resolves.toBe(id);
      await stuck.end();
    },
  );
});

describe('an address', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:1:2:3::', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['unix', 'unix'],
  ])('%s counts as %s: a network of IPv6 is one sender', (ip, name) => {
    expect(addressName(ip)).toBe(name);
  });
});

type Quotas = ReturnType<typeof createCallQuotas>;

function run(quotas: Quotas, id: RouteId, granted: Granted, work: () => Promise<unknown> = async () => id) {
  const route: Route = routeTable[id];
  return quotas.inTurn({ id, route }, granted, { signal: new AbortController().signal, work });
}

/** Takes all places of a tenant until it is ended. */
function fill(quotas: Quotas, tenant: string) {
  let end: () => void = () => undefined;
  const until = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stuck = [1, 2, 3, 4].map(() => run(quotas, 'cases.list', somebody('slow', tenant), () => until));
  return {
    async end() {
      end();
      await Promise.all(stuck);
    },
  };
}
