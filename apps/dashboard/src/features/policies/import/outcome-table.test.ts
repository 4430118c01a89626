import { expect, test } from 'vitest';
import { csvOf, textOf } from './outcome-table.ts';
import type { Outcome } from './outcomes.ts';

const outcome: Outcome = {
  ...{ kind: 'failed', file: 'rules/all.yml', document: 12, id: '', title: 'Odd, "very"', reason: 'Line 3: no.' },
  policyId: null,
};
const hostile: Outcome = { ...outcome, kind: 'there', title: '=cmd|calc', reason: undefined, document: undefined };

test('a saved list has a line per rule, and whatever a rule is called is no formula', () => {
  expect(csvOf([outcome, hostile]).split('\r\n')).toEqual([
    '\uFEFFstatus,file,document,title,id,reason,policy_id',
    'failed,rules/all.yml,12,"Odd, ""very""",,Line 3: no.,',
    'already_there,rules/all.yml,,"\'=cmd|calc",,,',
    '',
  ]);
});

test('a copied list says of each rule what became of it, where it stands and why', () => {
  expect(textOf([outcome, hostile], (kind) => (kind === 'failed' ? 'Failed' : 'Already there'))).toBe(
    'Failed · rules/all.yml, rule 12 · Odd, "very" · Line 3: no.\nAlready there · rules/all.yml · =cmd|calc',
  );
});
