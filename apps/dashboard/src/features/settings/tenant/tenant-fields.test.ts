import type { SsoConnection } from '@airdeck/contracts/settings/schema';
import { describe, expect, test } from 'vitest';
import { breakGlassOptions } from './break-glass.ts';
import { colourOf, readLogo } from './logo-file.ts';
import { membersText } from './members-text.ts';
import { PAGE_ROWS, pageOf } from './paged-rows.ts';
import { daysProblem } from './retention-days.ts';
import { serverSsoProblems, ssoFieldsOf, ssoInputOf, ssoProblemsOf } from './sso-fields.ts';
import { tenantSettingsSearch } from './tenant-settings-search.ts';

describe('the address', () => {
  test('keeps what it knows and drops the rest', () => {
    expect(
      tenantSettingsSearch({
        panel: 'audit',
        q: 'ana',
        page: '2',
        user: 'x',
        role: 'Admin',
        filters: { actor: ' ana ', outcome: 'maybe', action: '', target: ['a'] },
        startTime: '2026-11-01',
        endTime: 'soon',
      }),
    ).toEqual({ panel: 'audit', q: 'ana', page: 2, filters: { actor: 'ana' }, startTime: '2026-11-01T00:00:00.000Z' });
    expect(tenantSettingsSearch({ panel: 'secrets', filters: 'x' })).toEqual({});
  });
});

describe('pages of a long list', () => {
  const rows = Array.from({ length: 1000 }, (_, index) => index);
  test.each([
    [1, 1, 0, PAGE_ROWS],
    [20, 20, 950, PAGE_ROWS],
    [99, 20, 950, PAGE_ROWS],
  ])('page %s of a thousand is page %s', (wanted, page, first, count) => {
    const shown = pageOf(rows, wanted);
    expect([shown.page, shown.rows[0], shown.rows.length, shown.total]).toEqual([page, first, count, 1000]);
  });
  test('nothing is one empty page', () => {
    expect(pageOf([], 3)).toEqual({ rows: [], page: 1, pages: 1, first: 0, total: 0 });
  });
});

test.each([
  ['30', undefined],
  [' 90 ', undefined],
  ['91', 'The plan keeps events for 90 days at most.'],
  ['0', 'At least one day.'],
  ['-1', 'Enter a whole number of days.'],
  ['1e2', 'Enter a whole number of days.'],
  ['', 'Enter a whole number of days.'],
])('retention of %j days under a plan of 90: %s', (text, problem) => {
  expect(daysProblem(text, 90)).toBe(problem);
});

describe('a logo', () => {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
  test('is judged by its bytes, not by its name', async () => {
    expect(await readLogo(new File(['<svg/>'], 'logo.png', { type: 'image/png' }))).toHaveProperty('problem');
    expect(await readLogo(new File([], 'logo.png'))).toHaveProperty('problem');
    expect(await readLogo(new File([new Uint8Array([...png, 1, 255])], 'x.txt'))).toEqual({
      logo: 'data:image/png;base64,iVBORw0KGgoB/w==',
    });
  });
  test('of 64 kB is taken, one byte more is not', async () => {
    const sized = (bytes: number) => new File([new Uint8Array(png), new Uint8Array(bytes - png.length)], 'x.png');
    expect(await readLogo(sized(65_536))).toHaveProperty('logo');
    expect(await readLogo(sized(65_537))).toHaveProperty('problem');
  });
});

test.each([
  ['#0B7285', '#0b7285'],
  [' 0b7285 ', '#0b7285'],
  ['#fff', undefined],
  ['red', undefined],
  ['#0b7285;x', undefined],
])('%j is the colour %s', (text, colour) => {
  expect(colourOf(text)).toBe(colour);
});

describe('a single sign-on connection', () => {
  const saved: SsoConnection = {
    id: '01920000-0000-7000-8000-000000000077',
    kind: 'oidc',
    label: 'Our ID',
    issuer: 'https://id.example.com',
    client_id: 'air',
    client_secret_set_at: '2026-11-01T00:00:00.000Z',
    domains: ['example.com'],
    join: {
      enabled: true,
      default_role: null,
      groups_claim: 'groups',
      group_roles: [{ group: 'soc', role: 'Analyst' }],
    },
    enabled: true,
    redirect_uri: 'https://air.example/auth/external/callback',
    updated_at: '2026-11-01T00:00:00.000Z',
  };
  test('saved as it was leaves the secret alone', () => {
    const input = ssoInputOf(ssoFieldsOf(saved));
    expect(input).not.toHaveProperty('client_secret');
    expect(input).toMatchObject({ label: 'Our ID', domains: ['example.com'], join: saved.join });
    expect(ssoProblemsOf(ssoFieldsOf(saved), saved)).toEqual({});
  });
  test('at another issuer needs the secret again', () => {
    const moved = { ...ssoFieldsOf(saved), issuer: 'https://evil.example' };
    expect(ssoProblemsOf(moved, saved)).toHaveProperty('client_secret');
    expect(ssoProblemsOf({ ...moved, client_secret: 'new' }, saved)).toEqual({});
  });
  test('says what is missing, and that nobody could join without a role', () => {
    expect(Object.keys(ssoProblemsOf({ ...ssoFieldsOf(undefined), join: true }, undefined)).toSorted()).toEqual([
      'client_id',
      'issuer',
      'join',
      'label',
    ]);
    expect(ssoProblemsOf({ ...ssoFieldsOf(saved), issuer: 'javascript:alert(1)' }, undefined)).toHaveProperty('issuer');
  });
  test('puts what the server says beside its field', () => {
    expect(
      serverSsoProblems([
        { path: 'body.domains.0', message: 'A domain such as example.com.' },
        { path: 'body.join.group_roles.1.role', message: 'Bad.' },
        { path: 'params.id', message: 'Elsewhere.' },
      ]),
    ).toEqual({ domains: 'A domain such as example.com.', join: 'Bad.' });
  });
});

test('break-glass accounts are active Admins with an authenticator, and those named before', () => {
  const person = { uname: 'a@x.example', fullname: 'A', role: 'Admin', status: 'active', mfa_enabled: true } as const;
  const people = [
    person,
    { ...person, uname: 'b@x.example', mfa_enabled: false },
    { ...person, uname: 'c@x.example', role: 'Analyst' as const },
    { ...person, uname: 'd@x.example', status: 'disabled' as const },
  ];
  expect(breakGlassOptions(people, ['gone@x.example']).map(({ value }) => value)).toEqual([
    'a@x.example',
    'gone@x.example',
  ]);
});

test('members are counted by what they can do', () => {
  const of = (status: 'active' | 'invited' | 'disabled', role: 'Admin' | 'Analyst') => ({ status, role });
  expect(membersText([of('active', 'Admin'), of('active', 'Analyst')])).toBe('2, 1 of them Admin');
  expect(membersText([of('active', 'Admin'), of('invited', 'Admin'), of('disabled', 'Admin')])).toBe(
    '1, 1 of them Admin; 1 invited, 1 disabled',
  );
});
