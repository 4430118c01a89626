import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { failureAdvice } from './failure-advice.ts';

/** Codes of the table of `docs/playbooks.md`, as people look them up. */
function documentedCodes(): string[] {
  const guide = readFileSync(new URL('../../../../../docs/playbooks.md', import.meta.url), 'utf8');
  const [, section = ''] = guide.split('## How an action or a run can end badly');
  const rows = (section.split('\n## ', 1)[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, code = '']) => code));
}

const codes = documentedCodes();

test('the table of the guide is read', () => {
  expect(codes).toContain('OUTCOME_UNKNOWN');
  expect(codes.length).toBeGreaterThan(30);
});

test.each(codes)('%s has advice of its own, whoever could try it again', (code) => {
  const advice = failureAdvice({ code, retryable: false });
  expect(advice).not.toBe(failureAdvice({ code: 'SOMETHING_NEW', retryable: false }));
  expect(failureAdvice({ code, retryable: true })).toBe(advice);
});

test('only where nobody knows is it said that nobody knows: the others had no effect, or may be repeated', () => {
  const unsure = [...codes, 'ABORTED'].filter((code) =>
    failureAdvice({ code, retryable: false }).includes('not known'),
  );
  expect(unsure).toEqual(['OUTCOME_UNKNOWN']);
});

test.each(['CONNECTOR_FAILED', 'WORKER_LOST', 'BODY_TOO_LARGE'])(
  '%s is not said to pass by itself, as nothing tries it again',
  (code) => {
    expect(failureAdvice({ code, retryable: false })).not.toMatch(/by itself/);
  },
);
