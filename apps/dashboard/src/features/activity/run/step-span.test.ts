import { expect, test } from 'vitest';
import { step } from '../../playbooks/playbook-fixtures.ts';
import { spanOf } from './step-span.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds)).toISOString();
const now = new Date(at(40));
const run = { time_created: at(0), time_finished: at(20) };
const during = (from: number, to: number | null) =>
  step('a', { time_started: at(from), time_finished: to === null ? null : at(to) });

test('a step lies where it ran in its run, so that what ran side by side lies above each other', () => {
  expect(spanOf(during(5, 15), run, now)).toEqual({ left: 25, width: 50 });
  expect(spanOf(during(5, 10), run, now)).toEqual({ left: 25, width: 25 });
  expect(spanOf(during(0, 20), run, now)).toEqual({ left: 0, width: 100 });
});

test('what goes on reaches to now, as its run does', () => {
  expect(spanOf(during(10, null), { ...run, time_finished: null }, now)).toEqual({ left: 25, width: 75 });
  // A clock that goes behind the server's draws nothing backwards.
  expect(spanOf(during(10, null), { ...run, time_finished: null }, new Date(at(5)))).toEqual({ left: 100, width: 0 });
});

test('what did not begin, and what an earlier run did, has no place', () => {
  expect(spanOf(step('a', { time_started: null, time_finished: at(3) }), run, now)).toBeUndefined();
  expect(spanOf({ ...during(5, 15), reused: true }, run, now)).toBeUndefined();
});

test('of a run that took no time a step takes all of it, and nothing reaches beyond its run', () => {
  const moment = { time_created: at(0), time_finished: at(0) };
  expect(spanOf(during(0, 0), moment, now)).toEqual({ left: 0, width: 100 });
  expect(spanOf(during(15, 30), run, now)).toEqual({ left: 75, width: 25 });
});
