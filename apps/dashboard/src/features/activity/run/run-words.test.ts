import { expect, test } from 'vitest';
import { playbookRun, step } from '../../playbooks/playbook-fixtures.ts';
import { mayHappenTwice, retryText } from './again-words.ts';
import { itemsToShow } from './items-to-show.ts';
import { itemsWords } from './items-words.ts';
import { runSearch } from './run-search.ts';

test('a list tells how far it is, and names failures only where there are some', () => {
  expect(itemsWords(null)).toBeUndefined();
  expect(itemsWords({ total: 12, ended: 7, failed: 1 })).toBe('7 of 12, 1 failed');
  expect(itemsWords({ total: 12, ended: 12, failed: 0 })).toBe('12 of 12');
  expect(itemsWords({ total: 0, ended: 0, failed: 0 })).toBe('An empty list');
});

test('failed items come first, then those that go on; the order of the list decides the rest', () => {
  const items = (['success', 'pending', 'error', 'running', 'error', 'success'] as const).map((status, index) => ({
    index,
    status,
  }));
  expect(itemsToShow(items).map(({ index }) => index)).toEqual([2, 4, 3, 1, 0, 5]);
});

test('who retries what may have happened already is warned first', () => {
  for (const all of [true, false]) {
    expect(retryText({ all, twice: true })).toMatch(/^It is not known .* a second time\./);
    expect(retryText({ all, twice: false })).not.toContain('second time');
  }
  expect(retryText({ all: true, twice: false })).toContain('does the rest once more');
});

test('what may happen twice is what is redone and may have had its effect, however the run ended', () => {
  const ran = (unknown: 'error' | 'success') => {
    const run = playbookRun(1, {
      summary: {
        status: 'cancelled',
        actions_summary: [
          step('first', { status: 'error' }),
          step('tell', { status: unknown, outcome_unknown: true }),
          step('last'),
        ],
      },
    });
    const action = { kind: 'action', action: 'slack.post_message', input: {} } as const;
    run.playbook.definition.actions = [
      { ...action, id: 'last', depends_on: ['tell'] },
      { ...action, id: 'tell', depends_on: ['first'] },
      { ...action, id: 'first' },
    ];
    return run;
  };
  expect(mayHappenTwice(ran('error'))).toBe(true);
  expect(mayHappenTwice(ran('error'), 'last')).toBe(true);
  // A list that went on is taken over, unless it begins before it.
  expect(mayHappenTwice(ran('success'))).toBe(false);
  expect(mayHappenTwice(ran('success'), 'last')).toBe(false);
  expect(mayHappenTwice(ran('success'), 'first')).toBe(true);
  expect(mayHappenTwice(playbookRun(1), undefined, 'OUTCOME_UNKNOWN')).toBe(true);
  // These are left only on what had no effect yet, or may be repeated.
  for (const code of ['TIMEOUT', 'STEP_TIMED_OUT', 'ABORTED', 'VENDOR_REJECTED'])
    expect(mayHappenTwice(playbookRun(1), undefined, code)).toBe(false);
});

test('an answer without its question, or half of one, is dropped from the address', () => {
  const prompt = '01920000-0000-7000-8000-000000000B01';
  expect(runSearch({ prompt, answer: 'signed' })).toEqual({ prompt: prompt.toLowerCase(), answer: 'signed' });
  expect(runSearch({ answer: 'signed' })).toEqual({});
  expect(runSearch({ prompt: 'x', answer: 'signed' })).toEqual({});
  expect(runSearch({ prompt, answer: 'x'.repeat(1001) })).toEqual({ prompt: prompt.toLowerCase() });
});
