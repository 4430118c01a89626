import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { userWith } from '../../session/fixtures.ts';
import { IdentityError, type RedirectOutcome } from '../../session/identity-provider.ts';
import { endSignupFlow, signupFlow } from '../../session/signup-flow.ts';
import { type Given, showApp, visit } from '../../test-app.tsx';

afterEach(endSignupFlow);

const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
const inside = () => screen.findByLabelText('Breadcrumbs');

async function signInAs(email: string) {
  await heading(/Sign in/);
  type('E-mail address', email);
  type('Password', 'correct horse battery');
  press('Sign in');
}

describe('signing in', () => {
  test('a recovery code does instead of the app, and leads where the visitor wanted to go', async () => {
    const codes: string[] = [];
    const given: Given = { signedIn: false, identity: { signInWithPassword: async () => 'second_factor' } };
    const shown = showApp('/login?redirect=%2Fsettings%2Fprofile', given);
    shown.app.identity.verifyRecoveryCode = async (code) => {
      codes.push(code);
      shown.state.signedIn = true;
    };
    await signInAs('ana@northwind.example');
    fireEvent.click(await screen.findByRole('button', { name: 'Use a recovery code' }));
    type('Recovery code', '  abcd-efgh ');
    press('Verify');
    await inside();
    expect(codes).toEqual(['abcd-efgh']);
    expect(shown.at()).toBe('/settings/profile');
  });

  test('a demo account signs in with the code of the moment it is pressed, not the one on the screen', async () => {
    const codes: string[] = [];
    let code = '111111';
    const account = {
      email: 'ana@demo.example',
      fullname: 'Ana Demo',
      password: 'p',
      role: 'Admin',
      tenant_name: 'Demo',
    };
    const shown = showApp('/login', {
      signedIn: false,
      stage: 'local',
      mockData: true,
      identity: { signInWithPassword: async () => 'second_factor' },
      answers: { 'GET /demo/accounts': () => Response.json([{ ...account, code, seconds_left: 20, usable_in_s: 0 }]) },
    });
    shown.app.identity.verifyTotp = async (given) => {
      codes.push(given);
      shown.state.signedIn = true;
    };
    const button = await screen.findByRole('button', { name: /Ana Demo/ });
    code = '222222';
    fireEvent.click(button);
    await inside();
    expect(codes).toEqual(['222222']);
  });

  test('a demo account whose codes are used up says when the next one counts, and none is guessed with', async () => {
    let usable_in_s = 0;
    const signIns: string[] = [];
    const account = { email: 'ana@demo.example', fullname: 'Ana Demo', password: 'p', role: 'Admin' };
    showApp('/login', {
      signedIn: false,
      stage: 'local',
      mockData: true,
      identity: {
        signInWithPassword: async ({ email }) => {
          signIns.push(email);
          return 'second_factor';
        },
      },
      answers: {
        'GET /demo/accounts': () =>
          Response.json([{ ...account, tenant_name: 'Demo', code: '111111', seconds_left: 20, usable_in_s }]),
      },
    });
    const button = await screen.findByRole<HTMLButtonElement>('button', { name: /Ana Demo/ });
    usable_in_s = 20;
    fireEvent.click(button);
    await screen.findByText(/^next code in \d+ s$/);
    expect(button.disabled).toBe(true);
    expect(screen.queryByText('111111')).toBeNull();
    expect(signIns).toEqual([]);
  });

  test('an organisation with its own sign-in: the way is shown for the address that was typed', async () => {
    const started: unknown[] = [];
    showApp('/login', {
      signedIn: false,
      identity: { signInWithPassword: () => Promise.reject(new IdentityError('SSO_REQUIRED')) },
      account: {
        listConnections: async (email) => (email === undefined ? [] : [{ id: 'c1', kind: 'oidc', label: 'Northwind' }]),
        startExternal: async (...given) => void started.push(given),
      },
    });
    await heading(/Sign in/);
    type('E-mail address', 'ana@northwind.example');
    fireEvent.blur(screen.getByLabelText('E-mail address'));
    const button = await screen.findByRole('button', { name: 'Sign in with Northwind' });
    type('Password', 'p');
    press('Sign in');
    expect((await screen.findByRole('alert')).textContent).toContain('signs in through its own account');
    fireEvent.click(button);
    await waitFor(() => expect(started).toEqual([['c1', { for: 'sign_in', redirect: undefined }]]));
  });

  test('a new password an administrator asked for is set with the mailed code', async () => {
    const resets: unknown[] = [];
    const { at } = showApp('/login', {
      signedIn: false,
      identity: { signInWithPassword: async () => 'new_password' },
      account: { resetPassword: async (given) => void resets.push(given) },
    });
    await signInAs('ana@northwind.example');
    await heading('A new password is required');
    expect(at()).toBe('/new-password-required');
    type('Code from the mail', '1234 5678');
    type('New password', 'a longer password');
    press('Set the password');
    await screen.findByText('Your password is set. Sign in with it.');
    expect(resets).toEqual([{ email: 'ana@northwind.example', code: '12345678', password: 'a longer password' }]);
    expect(screen.getByLabelText<HTMLInputElement>('E-mail address').value).toBe('ana@northwind.example');
  });

  test('what the sign-in was asked for is still known after a new password', async () => {
    const { at } = showApp('/login?redirect=%2Fsettings%2Fprofile', {
      signedIn: false,
      identity: { signInWithPassword: async () => 'new_password' },
      account: { resetPassword: async () => undefined },
    });
    await signInAs('ana@northwind.example');
    await heading('A new password is required');
    expect(screen.getByRole('link', { name: 'Back to sign-in' }).getAttribute('href')).toBe(
      '/login?redirect=%2Fsettings%2Fprofile',
    );
    type('Code from the mail', '12345678');
    type('New password', 'a longer password');
    press('Set the password');
    await screen.findByText('Your password is set. Sign in with it.');
    expect(at()).toBe('/login?redirect=%2Fsettings%2Fprofile');
  });

  test('double pressing signs in once', async () => {
    let calls = 0;
    showApp('/login', {
      signedIn: false,
      identity: {
        signInWithPassword: () => {
          calls += 1;
          return new Promise(() => undefined);
        },
      },
    });
    await signInAs('ana@northwind.example');
    fireEvent.submit(screen.getByLabelText('Password'));
    expect(calls).toBe(1);
  });
});

describe('a forgotten password', () => {
  test('address, code, new password; nothing of it ever stands in the address', async () => {
    const seen: string[] = [];
    const { at, router } = showApp('/forgot-password', {
      signedIn: false,
      account: {
        requestPasswordReset: async () => undefined,
        checkResetCode: async () => undefined,
        resetPassword: async () => undefined,
      },
    });
    router.history.subscribe(({ location }) => seen.push(location.href));
    await heading('Forgot your password?');
    type('E-mail address', 'ana@northwind.example');
    press('Send the code');
    await heading('Enter the code');
    type('Code from the mail', 'Your code: 12345678');
    press('Continue');
    await heading('Choose a new password');
    type('New password', 'a longer password');
    press('Set the password');
    await heading(/Sign in/);
    expect(at()).toBe('/login');
    expect(seen.join(' ')).not.toMatch(/northwind|1234/);
  });

  test('what the sign-in was asked for is still known at the end, also by a mailed link', async () => {
    const { at } = showApp('/login?redirect=%2Fsettings%2Fprofile', {
      signedIn: false,
      account: {
        requestPasswordReset: async () => undefined,
        checkResetCode: async () => undefined,
        resetPassword: async () => undefined,
      },
    });
    await heading(/Sign in/);
    fireEvent.click(screen.getByRole('link', { name: 'Forgot your password?' }));
    await heading('Forgot your password?');
    type('E-mail address', 'ana@northwind.example');
    press('Send the code');
    await heading('Enter the code');
    type('Code from the mail', '12345678');
    press('Continue');
    await heading('Choose a new password');
    expect(at()).toBe('/reset-password?redirect=%2Fsettings%2Fprofile');
    type('New password', 'a longer password');
    press('Set the password');
    await heading(/Sign in/);
    expect(at()).toBe('/login?redirect=%2Fsettings%2Fprofile');

    const secret = 'code=12345678&email=ana%40northwind.example';
    const mailed = await visit(`/reset-password?${secret}&redirect=%2Fsettings%2Fprofile`, { signedIn: false });
    expect(mailed.at).toBe('/reset-password?redirect=%2Fsettings%2Fprofile');
  });

  test('a wrong code is told in the form, and the person stays', async () => {
    const { at } = showApp('/confirm-code?email=ana%40northwind.example', {
      signedIn: false,
      account: { checkResetCode: () => Promise.reject(new IdentityError('LOCKED', { retryAfterS: 900 })) },
    });
    await heading('Enter the code');
    type('Code from the mail', '12345678');
    press('Continue');
    expect((await screen.findByRole('alert')).textContent).toContain('15 min');
    expect(at()).toBe('/confirm-code');
  });

  test('a mailed link is stripped from the address bar, also going back', async () => {
    const { at, router } = showApp('/reset-password?code=12345678&email=ana%40northwind.example', { signedIn: false });
    await heading('Choose a new password');
    expect(at()).toBe('/reset-password');
    expect(router.history.length).toBe(1);
  });

  test.each([
    ['/reset-password', 'This link is not complete'],
    ['/reset-password?code=12345678', 'This link is not complete'],
    ['/reset-password?email=ana%40northwind.example', 'This link is not complete'],
    ['/reset-password?code=12345678&email=nobody', 'This link is not complete'],
    ['/reset-password?code=1&email=a%40b.example%0d%0aBcc%3Ac%40d.example', 'This link is not complete'],
    ['/confirm-code', 'Whose code is it?'],
    ['/confirm-code?email=%3Cscript%3E', 'Whose code is it?'],
    ['/confirm-code?email=%5B%22a%40b.example%22%5D', 'Whose code is it?'],
  ])('%s says what is missing and leads back', async (address, title) => {
    showApp(address, { signedIn: false });
    await heading(title);
    expect(screen.getByRole('link', { name: 'Ask for a code' }).getAttribute('href')).toBe('/forgot-password');
  });
});

describe('coming back from another provider', () => {
  const back = (outcome: RedirectOutcome, given: Given = {}) =>
    showApp('/validate?oauth_callback=true', {
      ...given,
      account: { completeRedirect: async () => outcome, ...given.account },
    });

  test('signed in: goes where it was asked to', async () => {
    const { at } = back({ step: 'signed_in', redirect: '/settings/profile' });
    await inside();
    expect(at()).toBe('/settings/profile');
  });

  test('signed in with an evil way on: goes home', async () => {
    const { at } = await visit('/validate?oauth_callback=true', {
      account: { completeRedirect: async () => ({ step: 'signed_in', redirect: 'https://evil.example' }) },
    });
    expect(at).toBe('/home');
  });

  test('a second factor is asked for on the sign-in page', async () => {
    const { at } = back({ step: 'second_factor', redirect: '/settings/profile' }, { signedIn: false });
    await heading('Enter your code');
    expect(at()).toBe('/login?redirect=%2Fsettings%2Fprofile');
  });

  test('an account nobody knows here is told so', async () => {
    const { at } = back({ step: 'no_account', redirect: undefined }, { signedIn: false });
    await heading('Account not found');
    expect(at()).toBe('/account-not-found');
  });

  test('a failure is told on the sign-in page', async () => {
    const reason = new IdentityError('EXTERNAL_SIGN_IN_FAILED');
    const { at } = back({ step: 'failed', reason, redirect: '/settings/profile' }, { signedIn: false });
    expect((await screen.findByRole('alert')).textContent).toContain('did not work');
    expect(at()).toBe('/login?redirect=%2Fsettings%2Fprofile');
  });

  test('a failure of who was invited is told where the invitation is still there', async () => {
    const reason = new IdentityError('TICKET_FOR_ANOTHER');
    const { at } = back(
      { step: 'failed', reason, redirect: '/signup/invite?__clerk_ticket=SECRET' },
      {
        signedIn: false,
        account: {
          previewTicket: async () => ({
            email: 'bo@contoso.example',
            fullname: '',
            tenantName: 'Northwind',
            account: 'new',
          }),
          listConnections: async () => [{ id: 'c1', kind: 'google', label: 'Google' }],
        },
      },
    );
    expect((await screen.findByRole('alert')).textContent).toContain('another e-mail address than the invitation');
    expect(at()).toBe('/signup/invite');
    await screen.findByRole('button', { name: 'Join with Google' });
    expect(signupFlow()).toEqual({ ticket: 'SECRET' });
  });

  test('a failure of who has bought something leads back to the purchase', async () => {
    const reason = new IdentityError('EXTERNAL_SIGN_IN_FAILED');
    const { at } = back(
      { step: 'failed', reason, redirect: '/signup/azure/confirm?token=SECRET' },
      { signedIn: false, account: { listConnections: async () => [{ id: 'c1', kind: 'google', label: 'Google' }] } },
    );
    expect((await screen.findByRole('alert')).textContent).toContain('did not work');
    expect(at()).toBe('/signup/azure');
  });

  test('an invitation is accepted, and its ticket stands in no address', async () => {
    const tickets: unknown[] = [];
    const me = userWith();
    const { at, seen } = await visit('/validate?oauth_callback=true', {
      me,
      account: {
        completeRedirect: async () => ({ step: 'signed_in', redirect: '/signup/invite?__clerk_ticket=SECRET' }),
      },
      answers: {
        'POST /signup/invite': ({ body }) => {
          tickets.push(body);
          return Response.json({ tenant: me.user.tenant, tenant_name: 'Northwind', role: 'Analyst' });
        },
      },
    });
    expect(at).toBe(`/home?tenant=${me.user.tenant}`);
    expect(tickets).toEqual([{ ticket: 'SECRET' }]);
    expect(seen).not.toContain('SECRET');
    expect(signupFlow()).toEqual({});
  });
});

test.each([
  [{ mfa_enabled: false, social: false }, '/onboarding/setup-totp?redirect=%2Fsettings%2Fprofile'],
  [{ mfa_enabled: false, social: true }, '/settings/profile'],
  [{ mfa_enabled: true, social: false }, '/settings/profile'],
])('a user with %j goes to %s', async (given, expected) => {
  const me = userWith();
  for (const address of ['/validate?redirect=%2Fsettings%2Fprofile', '/settings/profile']) {
    expect((await visit(address, { me: { ...me, user: { ...me.user, ...given } } })).at).toBe(expected);
  }
});

test.each([
  ['prod', "We couldn't find the page you were looking for"],
  ['local', 'Outbox'],
] as const)('at stage %s the outbox is: %s', async (stage, title) => {
  showApp('/outbox', {
    signedIn: false,
    stage,
    answers: { 'GET /demo/outbox': () => Response.json([]) },
  });
  await heading(title);
});
