import { type ErrorCode, errorCodes } from '@airdeck/contracts/error-codes';
import { objectives } from '@airdeck/contracts/operations/objectives';
import type { Route } from '@airdeck/contracts/route';
import { type RouteId, routeTable } from '@airdeck/contracts/route-table';
import { describe, expect, it } from 'vitest';
import { objectivesOf } from './answer-objectives.ts';

describe('what an answer says of the promises', () => {
  it.each([
    ['a fault of ours is bad, and no measure of speed', 503, 1, [['api_answers', false]]],
    ['what the caller did wrong says nothing', 404, 1, []],
    ['too many calls say nothing', 429, 1, []],
    [
      'an answer in time is good twice',
      200,
      10,
      [
        ['api_answers', true],
        ['api_speed', true],
      ],
    ],
    [
      'a late one is good and slow',
      200,
      objectives.api_speed.withinMs + 1,
      [
        ['api_answers', true],
        ['api_speed', false],
      ],
    ],
  ])('%s', (_name, status, ms, expected) => {
    expect(objectivesOf({ routeId: 'cases.list', status, ms })).toEqual(expected);
  });

  it('counts deliveries of events apart, and neither probes nor files nor open streams', () => {
    expect(objectivesOf({ routeId: 'sources.ingest', status: 503, ms: 1 })).toEqual([['events_taken', false]]);
    expect(objectivesOf({ routeId: 'system.ready', status: 503, ms: 1 })).toEqual([]);
    expect(objectivesOf({ routeId: undefined, status: 500, ms: 1 })).toEqual([]);
    const streams = Object.entries<Route>(routeTable).filter(([, { summary }]) => summary.startsWith('Server-sent'));
    expect(streams.map(([id]) => id)).toEqual(['stream.subscribe', 'search.tail']);
    for (const [id] of streams) {
      for (const status of [200, 500]) {
        expect(objectivesOf({ routeId: id as RouteId, status, ms: 3_600_000 })).toEqual([]);
      }
    }
  });

  it('tells by the code whose fault it is: a vendor that fails, a fence that stands and a stop are none of ours', () => {
    const faults = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => errorCodes[code].status >= 500);
    const says = (code: ErrorCode) =>
      objectivesOf({ routeId: 'actions.run-now', status: errorCodes[code].status, code, ms: 1 });
    expect(Object.fromEntries(faults.map((code) => [code, says(code).length === 0 ? 'nothing' : 'bad']))).toEqual({
      MARKETPLACE_UNAVAILABLE: 'nothing',
      ACTION_FAILED: 'nothing',
      ACTION_TIMED_OUT: 'nothing',
      DRAINING: 'nothing',
      RESTORE_FENCE_UP: 'nothing',
      INTERNAL: 'bad',
      OVERLOADED: 'bad',
      SCANNER_UNAVAILABLE: 'bad',
      STORE_UNAVAILABLE: 'bad',
    });
    expect(says('STORE_UNAVAILABLE')).toEqual([['api_answers', false]]);
    const delivery = { routeId: 'sources.ingest', status: 503, ms: 1 } as const;
    expect(objectivesOf({ ...delivery, code: 'STORE_UNAVAILABLE' })).toEqual([['events_taken', false]]);
    expect(objectivesOf({ ...delivery, code: 'DRAINING' })).toEqual([]);
  });

  it.each(['ACTION_FAILED', 'ACTION_TIMED_OUT'] as const)('counts %s where it was us and no vendor', (code) => {
    const answer = { routeId: 'actions.run-now', status: errorCodes[code].status, code, ms: 1 } as const;
    expect(objectivesOf({ ...answer, isOurs: true })).toEqual([['api_answers', false]]);
    expect(objectivesOf({ ...answer, isOurs: false })).toEqual([]);
  });

  it('counts what waits for a vendor for its answers and not for its speed', () => {
    const ms = objectives.api_speed.withinMs + 1;
    const routes = ['actions.run-now', 'connectors.test', 'marketplace.activate', 'sso.test'] as const;
    for (const routeId of routes) {
      for (const each of [ms, 1])
        expect(objectivesOf({ routeId, status: 200, ms: each })).toEqual([['api_answers', true]]);
      expect(objectivesOf({ routeId, status: 500, code: 'INTERNAL', ms })).toEqual([['api_answers', false]]);
    }
  });

  it('counts a file that is made for an answer, which is no open stream', () => {
    expect(objectivesOf({ routeId: 'audit.export', status: 500, ms: 1 })).toEqual([['api_answers', false]]);
  });

  it('counts what is called under /auth for its answers and not for its speed: a password is hashed slowly on purpose', () => {
    const ms = objectives.api_speed.withinMs + 1;
    expect(objectivesOf({ routeId: 'auth', status: 500, ms })).toEqual([['api_answers', false]]);
    expect(objectivesOf({ routeId: 'auth', status: 200, ms })).toEqual([['api_answers', true]]);
    expect(objectivesOf({ routeId: 'auth', status: 401, ms })).toEqual([]);
  });
});
