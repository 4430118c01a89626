import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { recoveryCodesText } from '../../components/account/recovery-codes.tsx';
import { ownTenant, userWith } from '../../session/fixtures.ts';
import { IdentityError } from '../../session/identity-provider.ts';
import { failure, type Given, openApp, showApp, visit } from '../../test-app.tsx';
import { AuthenticatorMissing, finishSetUp, type SetUpTask } from './finish-set-up.ts';

const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const withMfa = (mfa_enabled: boolean) => {
  const me = userWith();
  return { ...me, user: { ...me.user, mfa_enabled } };
};

test.each([
  ['/onboarding', false, '/onboarding/setup-totp'],
  ['/setup-totp?redirect=%2Fsettings%2Fprofile', false, '/onboarding/setup-totp?redirect=%2Fsettings%2Fprofile'],
  ['/onboarding/confirm-totp', false, '/onboarding/setup-totp'],
  ['/onboarding/setting-up', false, '/onboarding/setup-totp'],
  ['/onboarding/setup-totp?redirect=%2Fsettings%2Fprofile', true, '/settings/profile'],
  ['/onboarding/setup-totp?redirect=%2F%2Fevil.example', true, '/home'],
  ['/onboarding/confirm-totp', true, '/home'],
])('%s with an authenticator: %s, leads to %s', async (address, mfa, expected) => {
  expect((await visit(address, { me: withMfa(mfa) })).at).toBe(expected);
});

test('a visitor sets up nothing', async () => {
  expect((await visit('/onboarding/setup-totp?redirect=%2Fhome', { signedIn: false })).at).toBe(
    '/login?redirect=%2Fhome',
  );
});

test('the whole set-up: key, code, recovery codes that must be saved, and then the dashboard', async () => {
  let enrolled = false;
  const given: Given = {
    me: () => Response.json(withMfa(enrolled)),
    account: {
      beginTotp: async () => ({ secret: 'ABCDEFGH', uri: 'otpauth://totp/AIRdeck:ana?secret=ABCDEFGH' }),
      confirmTotp: async (code) => {
        if (code !== '123456') throw new IdentityError('CODE_WRONG');
        enrolled = true;
        return ['aaaa-1111', 'bbbb-2222'];
      },
    },
    answers: { [`GET /api/tenants/${ownTenant}`]: () => Response.json({}) },
  };
  const { at } = showApp('/settings/profile', given);
  await heading('Set up your authenticator');
  await screen.findByText('ABCD EFGH');
  expect(await screen.findByRole('img', { name: /QR code/ })).toBeTruthy();
  press('It is in my app');
  await heading('Enter the app’s code');
  const digits = () => screen.getAllByLabelText<HTMLInputElement>(/^Digit/);
  fireEvent.paste(digits()[0] as HTMLInputElement, { clipboardData: { getData: () => '000000' } });
  expect((await screen.findByRole('alert')).textContent).toContain('not right');
  fireEvent.paste(digits()[0] as HTMLInputElement, { clipboardData: { getData: () => '123456' } });
  await heading('Save your recovery codes');
  expect(screen.getByText('bbbb-2222')).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' }).disabled).toBe(true);
  fireEvent.click(screen.getByLabelText('I have saved them'));
  press('Continue');
  await waitFor(() => expect(at()).toBe('/settings/profile'));
}, 20_000);

test('an authenticator that could not be begun says so and can be tried again', async () => {
  let healthy = false;
  showApp('/onboarding/setup-totp', {
    me: withMfa(false),
    account: {
      beginTotp: async () => {
        if (!healthy) throw new IdentityError('UNREACHABLE');
        return { secret: 'ABCD', uri: 'otpauth://totp/x?secret=ABCD' };
      },
    },
  });
  expect((await screen.findByRole('alert')).textContent).toContain('cannot be reached');
  healthy = true;
  press('Try again');
  await screen.findByText('ABCD');
});

async function finish(given: Given, redirect?: string) {
  const { app } = openApp('/home', given);
  const tasks: SetUpTask[] = [];
  let now = 0;
  const run = finishSetUp({
    context: app,
    redirect,
    signal: new AbortController().signal,
    onTask: (task) => tasks.push(task),
    deps: {
      now: () => now,
      random: () => 0,
      wait: async (milliseconds) => {
        now += milliseconds;
      },
    },
  });
  return { tasks, app, end: await run.catch((error: unknown) => error) };
}

test('setting up waits until the server counts the authenticator', async () => {
  let asked = 0;
  const { tasks, app, end } = await finish(
    {
      me: () => {
        asked += 1;
        return Response.json(withMfa(asked > 3));
      },
      answers: { [`GET /api/tenants/${ownTenant}`]: () => Response.json({}) },
    },
    '//evil.example',
  );
  expect(tasks).toEqual(['sign_in', 'authenticator', 'account', 'tenant']);
  expect([asked, end, app.session.get()?.currentTenant]).toEqual([4, '/home', ownTenant]);
});

test('setting up gives up when it never does, and when the tenant stays closed', async () => {
  expect((await finish({ me: withMfa(false) })).end).toBeInstanceOf(AuthenticatorMissing);
  const closed = await finish({
    me: withMfa(true),
    answers: {
      [`GET /api/tenants/${ownTenant}`]: () => failure(403, 'MFA_REQUIRED', 'Set up an authenticator app first.'),
    },
  });
  expect(closed.end).toMatchObject({ code: 'MFA_REQUIRED' });
});

test('the file of the codes says whose they are', () => {
  const text = recoveryCodesText({ product: 'AIRdeck', account: 'ana@northwind.example', codes: ['a', 'b'] });
  expect(text.split('\n')).toEqual(
    expect.arrayContaining(['Recovery codes of ana@northwind.example for AIRdeck', 'a', 'b']),
  );
});
