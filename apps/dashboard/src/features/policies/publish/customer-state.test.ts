import type { PolicyPublication } from '@airdeck/contracts/policies/publication-schema';
import { describe, expect, it } from 'vitest';
import { chosenAtFirst, inShort, stateOf, whyNot } from './customer-state.ts';
import { publication } from './publication-fixtures.ts';

const none = publication(1);
const current = publication(2, { is_current: true });
const behind = publication(3, { is_current: false });
const overridden = publication(4, { is_current: false, overridden: true });
const locked: PolicyPublication = { ...publication(5, { is_current: false }), can_publish: false };
const all = [none, current, behind, overridden, locked];

describe('a customer', () => {
  it('that changed its copy has changed it, however the rule compares', () => {
    expect(all.map(stateOf)).toEqual(['none', 'current', 'behind', 'overridden', 'behind']);
    expect(stateOf(publication(1, { is_current: true, overridden: true }))).toBe('overridden');
  });

  it('can be chosen where publishing would do something', () => {
    expect(all.filter((one) => whyNot(one) === undefined)).toEqual([none, behind]);
  });
});

it('only renewals that may be made are chosen at first', () => {
  expect([...chosenAtFirst(all)]).toEqual([behind.tenant]);
});

it('how they stand in short leaves out what there is none of', () => {
  expect(inShort(all)).toBe('1 up to date, 2 behind, 1 changed there, 1 not published');
  expect(inShort([none])).toBe('1 not published');
});
