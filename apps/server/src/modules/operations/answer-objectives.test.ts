import { objectives } from '@airdeck/contracts/operations/objectives';
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
    expect(objectivesOf({ routeId: 'stream.subscribe', status: 500, ms: 1 })).toEqual([]);
    expect(objectivesOf({ routeId: undefined, status: 500, ms: 1 })).toEqual([]);
  });
});
