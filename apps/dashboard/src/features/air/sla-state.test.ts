import type { Case } from '@airdeck/contracts/cases/schema';
import { expect, it } from 'vitest';
import { slaState } from './sla-state.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 10, minute));
const time = (minute: number) => at(minute).toISOString();

const running = {
  sla: { respond_by: time(20), resolve_by: time(40), waiting_since: null, stood_s: 0, breached: false },
  time_opened: time(0),
  time_acknowledged: null,
  time_closed: null,
};

type Parts = Partial<Pick<Case, 'time_acknowledged' | 'time_closed'>> & { sla?: Partial<Case['sla']> };

it.each<[string, Parts, number, string]>([
  ['a response is due first', {}, 10, 'running respond 20'],
  ['soon, with a quarter left', {}, 15, 'soon respond 20'],
  ['late', {}, 21, 'late respond 20'],
  ['not soon yet, as it stood still most of the time', { sla: { stood_s: 600 } }, 15, 'running respond 20'],
  ['soon, with a quarter left of what it ran', { sla: { stood_s: 600 } }, 18, 'soon respond 20'],
  ['closing is due once there was a response', { time_acknowledged: time(3) }, 10, 'running resolve 40'],
  ['closing alone has a target', { sla: { respond_by: null } }, 31, 'soon resolve 40'],
  [
    'a response alone has a target, and there was one',
    { sla: { resolve_by: null }, time_acknowledged: time(3) },
    5,
    'none',
  ],
  ['no targets', { sla: { respond_by: null, resolve_by: null } }, 5, 'none'],
  ['stands still', { sla: { waiting_since: time(5) } }, 59, 'waiting'],
  ['closed in time', { time_closed: time(5) }, 59, 'met'],
  ['closed late', { sla: { breached: true }, time_closed: time(45) }, 59, 'missed'],
])('%s', (_name, { sla, ...parts }, now, expected) => {
  const state = slaState({ ...running, ...parts, sla: { ...running.sla, ...sla } }, at(now));
  const told = 'due' in state ? `${state.kind} ${state.due} ${state.at.getUTCMinutes()}` : state.kind;
  expect(told).toBe(expected);
});

it('is told of an answer of the release before, which does not say how long it stood still', () => {
  const { stood_s: _stood, ...before } = running.sla;
  expect(slaState({ ...running, sla: before as Case['sla'] }, at(15))).toMatchObject({ kind: 'soon', due: 'respond' });
});
