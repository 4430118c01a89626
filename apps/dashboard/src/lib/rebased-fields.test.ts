import { expect, test } from 'vitest';
import { overwritten, rebasedFields } from './rebased-fields.ts';

const owners = { group: 'owners', role: 'Admin' };
const soc = { group: 'soc', role: 'Analyst' };
const leads = { group: 'leads', role: 'SystemManager' };

test('a field that was typed into stays as typed, all others are as somebody else left them', () => {
  const before = { label: 'Our ID', issuer: 'https://a.example' };
  const typed = { ...before, label: 'Renamed' };
  expect(rebasedFields(before, typed, { label: 'Other', issuer: 'https://b.example' })).toEqual({
    label: 'Renamed',
    issuer: 'https://b.example',
  });
});

test('of what somebody else saved only that is replaced which is not kept', () => {
  const before = { Name: 'Our ID', Issuer: 'a', Kind: 'oidc', Claim: 'groups' };
  const now = { Name: 'Other', Issuer: 'b', Kind: 'google', Claim: 'groups' };
  expect(overwritten(before, { Name: 'Renamed', Issuer: 'b', Kind: 'google', Claim: 'teams' }, now)).toEqual({
    Name: 'Other',
  });
});

test('what a colleague took from a list does not come back with what was added to it', () => {
  const before = { rows: [owners, soc] };
  expect(rebasedFields(before, { rows: [owners, soc, leads] }, { rows: [soc] })).toEqual({ rows: [soc, leads] });
  expect(rebasedFields(before, { rows: [owners] }, { rows: [owners, soc, leads] })).toEqual({ rows: [owners, leads] });
  expect(rebasedFields(before, { rows: [owners, leads] }, { rows: [owners, leads] })).toEqual({
    rows: [owners, leads],
  });
});
