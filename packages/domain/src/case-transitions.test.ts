import { caseStatuses } from '@airdeck/contracts/statuses';
import { expect, test } from 'vitest';
import { canTransitionCase } from './case-transitions.ts';

test('a case moves only along the table; a closed one can only be reopened', () => {
  const allowed = caseStatuses.flatMap((from) =>
    caseStatuses.filter((to) => canTransitionCase(from, to)).map((to) => `${from} -> ${to}`),
  );
  expect(allowed).toEqual([
    'open -> acknowledged',
    'open -> closed',
    'acknowledged -> open',
    'acknowledged -> closed',
    'closed -> open',
  ]);
});
