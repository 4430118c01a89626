import { describe, expect, test } from 'vitest';
import { connectionTo } from './connection-fixture.ts';
import { GOOGLE_ISSUER, microsoftIssuer } from './issuer-address.ts';
import { proofOf } from './proof-claims.ts';

const OTHER = 'https://login.example.com';
const MICROSOFT = microsoftIssuer('0b0c1d2e-0000-4000-8000-000000000001');

function proof(issuer: string, claims: Record<string, unknown>, mapped: readonly string[] = []) {
  const connection = connectionTo(issuer);
  const groupRoles = mapped.map((group) => ({ group, role: 'Analyst' as const }));
  const join = { ...connection.join, groupRoles };
  return proofOf({ ...connection, join }, { iss: issuer, sub: 's', email: 'Ana@Example.com', ...claims });
}

describe('an address counts as verified', () => {
  test.each<[string, string, Record<string, unknown>, boolean]>([
    ['when the issuer says so', OTHER, { email_verified: true }, true],
    ['in words too', OTHER, { email_verified: 'true' }, true],
    ['not when it says nothing', OTHER, {}, false],
    ['not when it says no', OTHER, { email_verified: false }, false],
    ['not by a number', OTHER, { email_verified: 1 }, false],
    ['not by what only Microsoft sends', OTHER, { xms_edov: true }, false],
    ['at Microsoft only when the domain is the directory’s own', MICROSOFT, { email_verified: true }, false],
    ['at Microsoft by its own claim', MICROSOFT, { xms_edov: true }, true],
    ['at Microsoft by its own claim as a number', MICROSOFT, { xms_edov: '1' }, true],
    ['not without an address', OTHER, { email: undefined, email_verified: true }, false],
    ['not for what is no address', OTHER, { email: 'ana', email_verified: true }, false],
  ])('%s', (_name, issuer, claims, verified) => expect(proof(issuer, claims).emailVerified).toBe(verified));
});

test('Google answers for a domain only where it says whose it is', () => {
  const verified = { email_verified: true };
  expect(proof(GOOGLE_ISSUER, verified).domainProved).toBe(false);
  expect(proof(GOOGLE_ISSUER, { ...verified, hd: 'other.example' }).domainProved).toBe(false);
  expect(proof(GOOGLE_ISSUER, { ...verified, hd: 'example.com' }).domainProved).toBe(true);
  expect(proof(OTHER, verified).domainProved).toBe(true);
});

test('a name with characters that no store takes is taken without them, and a subject with one is none', () => {
  expect(proof(OTHER, { name: 'Ana\0 Souza' }).name).toBe('Ana\ufffd Souza');
  expect(() => proof(OTHER, { sub: 'a\0b' })).toThrow(expect.objectContaining({ reason: 'ANSWER_INVALID' }));
});

describe('ids in a directory of Microsoft', () => {
  const tid = '0b0c1d2e-0000-4000-8000-000000000001';
  const oid = '0b0c1d2e-0000-4000-8000-0000000000aa';

  test('are taken from a token of that directory, in lower case', () => {
    expect(proof(MICROSOFT, { tid, oid: oid.toUpperCase() }).directory).toEqual({ tenant: tid, object: oid });
  });

  test.each<[string, string, Record<string, unknown>]>([
    ['of another issuer, which may claim anything', OTHER, { tid, oid }],
    ['of another directory', microsoftIssuer('0b0c1d2e-0000-4000-8000-000000000002'), { tid, oid }],
    ['that is not complete', MICROSOFT, { tid }],
    ['that holds no ids', MICROSOFT, { tid, oid: [oid] }],
    ['whose ids are none', MICROSOFT, { tid, oid: 'ana' }],
  ])('are none in a token %s', (_name, issuer, claims) => expect(proof(issuer, claims).directory).toBeNull());
});

test('what has another shape than expected counts as absent', () => {
  expect(proof(OTHER, { name: 7, groups: [1, 'a', null, { b: 1 }], email: ['x@example.com'] })).toMatchObject({
    name: '',
    groups: ['a'],
    email: null,
  });
  expect(proof(OTHER, { groups: 'only' }).groups).toEqual(['only']);
});

describe('groups', () => {
  const many = Array.from({ length: 1000 }, (_, n) => `group-${n}`);

  test.each<[string, Record<string, unknown>, readonly string[] | null]>([
    ['there are none', { groups: [] }, []],
    ['there is one', { groups: 'soc' }, ['soc']],
    ['others are named', { groups: ['other'] }, ['other']],
    ['nothing is said of them', {}, []],
    ['there are more than fit a token', { _claim_names: { groups: 'src1' } }, null],
    ['there are more than fit an address', { hasgroups: true }, null],
    ['other claims are more than fit', { _claim_names: { roles: 'src1' } }, []],
    ['they are no names', { groups: [{ id: 'soc' }] }, null],
    ['the claim holds something else', { groups: 7 }, null],
  ])('that are mapped are told apart from none when %s', (_name, claims, groups) =>
    expect(proof(OTHER, claims, ['soc']).groups).toEqual(groups),
  );

  test('that nobody maps need not be said', () => expect(proof(OTHER, {}).groups).toEqual([]));

  test('are as many as we keep, with every one that is mapped', () => {
    const { groups } = proof(OTHER, { groups: [...many, ...many, 'soc', 'leads'] }, ['leads', 'soc']);
    expect(groups).toHaveLength(500);
    expect(groups).toEqual(expect.arrayContaining(['soc', 'leads']));
  });
});

test.each([{ sub: '' }, { sub: 7 }, { sub: 'x'.repeat(256) }, { iss: undefined }])(
  'no identity comes of %j',
  (claims) => {
    expect(() => proof(OTHER, claims)).toThrow();
  },
);
