import { v7 } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Question } from '../../http/confirmation.ts';
import { EventsError, type EventsQuery } from '../../storage/events-store.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import { failedLogin, guessingRule } from '../detection/detection-fixture.ts';
import { type BreadthDependencies, confirmBreadth, confirmBreadthOfAll, createMeasuring } from './policy-breadth.ts';

/** Measurements that wait for the event store, which answers when a test says so. */
let asked: EventsQuery[];
let answers: (() => void)[];
let timeUp: AbortController;
let deps: BreadthDependencies;
let questions: string[];

beforeEach(() => {
  asked = [];
  answers = [];
  questions = [];
  timeUp = new AbortController();
  deps = {
    events: {
      query: <T>(query: EventsQuery) => {
        asked.push(query);
        return new Promise<T[]>((resolve, reject) => {
          answers.push(() => resolve([]));
          // As the store does.
          query.signal?.addEventListener('abort', () => reject(query.signal?.reason));
        });
      },
    },
    now: () => new Date(),
    measuring: createMeasuring(),
    timeout: () => timeUp.signal,
  };
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
const confirm = async ({ text }: Question) => {
  questions.push(text.map(({ message }) => message).join(' '));
};
const told = { title: { message: '' }, action_label: { message: '' } } as Pick<Question, 'title' | 'action_label'>;

const working = (name: string, tenant = v7()) => ({ scope: trustedTenantScope(tenant), rule: guessingRule(), name });
const several = (all: ReturnType<typeof working>[], signal = new AbortController().signal) =>
  confirmBreadthOfAll(deps, all, { ...told, object: 'x', confirm, signal });
const single = (tenant: string, signal = new AbortController().signal) =>
  confirmBreadth(deps, trustedTenantScope(tenant), { rule: guessingRule(), object: 'x', confirm, signal });

describe('measuring how much policies match', () => {
  test('is done for a few at a time whoever asks, so that many calls do not keep the event store busy', async () => {
    const calls = Array.from({ length: 6 }, () => [several([working('One')]), single(v7())]).flat();
    await settled();
    expect(asked).toHaveLength(4);
    while (answers.length > 0) {
      answers.shift()?.();
      await settled();
      expect(answers.length).toBeLessThanOrEqual(4);
    }
    await Promise.all(calls);
    expect(asked).toHaveLength(12);
  });

  test('leaves turns to other tenants, and refuses a tenant whose calls would wait without end', async () => {
    const tenant = v7();
    const calls = Array.from({ length: 20 }, () => single(tenant).catch((error: unknown) => error));
    await settled();
    expect(asked).toHaveLength(2);
    const other = single(v7());
    await settled();
    expect(asked).toHaveLength(3);
    while (answers.length > 0) {
      answers.shift()?.();
      await settled();
    }
    await other;
    const refused = (await Promise.all(calls)).filter((outcome) => outcome !== undefined);
    expect(refused).toHaveLength(8);
    expect(refused[0]).toMatchObject({ code: 'STORE_UNAVAILABLE', message: expect.stringContaining('Try again') });
  });

  test.each([
    ['several', (signal: AbortSignal) => several([working('One'), working('Two')], signal)],
    ['one', (signal: AbortSignal) => single(v7(), signal)],
  ])('of %s ends with the call: nobody waits for it any more', async (_name, begin) => {
    const gone = new AbortController();
    const call = begin(gone.signal);
    await settled();
    gone.abort(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    await settled();
    expect(asked).toHaveLength(1);
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(questions).toEqual([]);
  });

  test('ends when its time is up, also in the middle of one: what was not measured is asked about', async () => {
    const call = several(['One', 'Two', 'Three'].map((name) => working(name)));
    await settled();
    answers.shift()?.();
    await settled();
    timeUp.abort(new Error('time is up'));
    await call;
    expect(asked).toHaveLength(2);
    expect(questions).toEqual([expect.stringMatching(/^Two: .* not be measured in time\. Three: .* in time\./)]);
  });

  describe('with expressions that take long', () => {
    const slow = guessingRule({ filter_criteria: [{ field: 'message', operator: 'regex', value: '[ab]{0,300}c' }] });
    const scope = trustedTenantScope(v7());
    const sample = Array.from({ length: 100 }, (_, n) => failedLogin(scope, n, { message: 'ab'.repeat(1_000) }));
    const measure = (afterSample: () => void, signal = new AbortController().signal) => {
      const rows: unknown[][] = [[{ hour: 0, events: 2_000, candidates: 2_000 }], sample];
      deps.events.query = <T>() => {
        if (rows.length === 1) afterSample();
        return Promise.resolve((rows.shift() ?? []) as T[]);
      };
      return confirmBreadth(deps, scope, { rule: slow, object: 'x', confirm, signal });
    };

    test('ends when the time is up, and asks', async () => {
      await measure(() => timeUp.abort());
      expect(questions).toEqual([expect.stringContaining('could not be measured in time')]);
    });

    test('ends with the call', async () => {
      const gone = new AbortController();
      await expect(measure(() => setImmediate(() => gone.abort(new Error('gone'))), gone.signal)).rejects.toThrow(
        'gone',
      );
      expect(questions).toEqual([]);
    });
  });

  test('that cannot be done is no question: nobody could answer it', async () => {
    deps.events.query = () => Promise.reject(new EventsError('EVENTS_UNAVAILABLE', 'down'));
    await expect(several([working('One')])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(questions).toEqual([]);
  });
});
