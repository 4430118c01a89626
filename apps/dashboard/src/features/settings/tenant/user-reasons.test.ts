import type { TenantUser } from '@airdeck/contracts/users/schema';
import { describe, expect, test } from 'vitest';
import { userReasons } from './user-reasons.ts';

const user = (uname: string, change: Partial<TenantUser> = {}): TenantUser => ({
  id: uname,
  fullname: uname,
  uname,
  role: 'Analyst',
  status: 'active',
  mfa_enabled: true,
  last_sign_in_at: null,
  from_provider: false,
  ...change,
});
const me = user('me', { role: 'Admin' });
const other = user('other');

describe('what can be done to somebody', () => {
  test('everything, to a colleague', () => {
    const reasons = userReasons(other, { me: 'me', everybody: [me, other] });
    expect(Object.values(reasons).every((reason) => reason === undefined)).toBe(true);
  });

  test('nothing, to who comes from the provider: their own tenant would be changed', () => {
    const lent = user('lent', { from_provider: true, role: 'Admin' });
    const reasons = Object.values(userReasons(lent, { me: 'me', everybody: [me, lent] }));
    expect(reasons.every((reason) => reason?.includes('provider'))).toBe(true);
  });

  test('the only Admin of its own stays, also with one lent by the provider or disabled beside', () => {
    const lent = user('lent', { from_provider: true, role: 'Admin' });
    const closed = user('closed', { status: 'disabled', role: 'Admin' });
    const reasons = userReasons(me, { me: 'lent', everybody: [me, lent, closed] });
    expect(reasons).toMatchObject({
      role: expect.stringContaining('only Admin'),
      status: expect.stringContaining('only Admin'),
      remove: expect.stringContaining('only Admin'),
    });
    expect(reasons.password).toBeUndefined();
  });

  test('nobody is called the only Admin where not everybody is known', () => {
    const first = [me, ...Array.from({ length: 999 }, (_, index) => user(`other ${index}`))];
    expect(
      Object.values(userReasons(me, { me: 'who', everybody: first })).every((reason) => reason === undefined),
    ).toBe(true);
  });

  test('nobody changes the own role, closes the own account or resets the own password here', () => {
    const second = user('second', { role: 'Admin' });
    const reasons = Object.values(userReasons(me, { me: 'me', everybody: [me, second] }));
    expect(reasons.every((reason) => reason?.startsWith('This is you'))).toBe(true);
  });

  test('who is invited can change role and be withdrawn, and has no account to close', () => {
    const invited = user('new', { status: 'invited' });
    const reasons = userReasons(invited, { me: 'me', everybody: [me, invited] });
    expect([reasons.role, reasons.remove]).toEqual([undefined, undefined]);
    expect(reasons.status).toBe(reasons.password);
    expect(reasons.status).toContain('not been accepted');
  });
});
