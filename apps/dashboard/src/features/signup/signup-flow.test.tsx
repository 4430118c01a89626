import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { otherTenant, ownTenant, userWith } from '../../session/fixtures.ts';
import { IdentityError, type TicketPreview } from '../../session/identity-provider.ts';
import { beginSignupFlow, endSignupFlow, signupFlow } from '../../session/signup-flow.ts';
import { failure, type Given, showApp, visit } from '../../test-app.tsx';

afterEach(endSignupFlow);

const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const heading = (name: string | RegExp) => screen.findByRole('heading', { level: 1, name });
const preview: TicketPreview = {
  email: 'bo@contoso.example',
  fullname: 'Bo Lind',
  tenantName: 'Northwind Traders',
  account: 'new',
};
const joined = () => Response.json({ tenant: ownTenant, tenant_name: 'Northwind Traders', role: 'Analyst' });

describe('the rule of the layout', () => {
  test.each([
    ['/signup/invite?__clerk_ticket=SECRET', '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Finvite'],
    ['/signup/azure?token=SECRET', '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Fazure'],
    ['/signup/azure/?token=SECRET', '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Fazure'],
    [
      '/signup/azure/callback/second-factor?token=SECRET',
      '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Fazure%2Fcallback%2Fsecond-factor',
    ],
    ['/signup/azure/confirm?token=SECRET', '/signup/azure/confirm'],
    [
      '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Finvite&attempt_search=%3F__clerk_ticket%3DSECRET',
      '/signup/switch-accounts?attempt_pathname=%2Fsignup%2Finvite',
    ],
  ])('signed in, %s leads to %s, and the secret stays in no address', async (address, expected) => {
    const { at, seen } = await visit(address);
    expect(at).toBe(expected);
    expect(seen).not.toContain('SECRET');
    expect(Object.values(signupFlow())).toEqual(['SECRET']);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/home',
    '/login',
    '/signup',
    '/signup/../login',
    '/signup/invite/../../login',
    '/signup/invite?x=1',
    '/SIGNUP/invite',
    'javascript:alert(1)',
    '',
  ])('an attempt at %j is not ours and leads home', async (attempt) => {
    expect((await visit(`/signup/switch-accounts?attempt_pathname=${encodeURIComponent(attempt)}`)).at).toBe('/home');
  });

  test.each([
    ['/signup/invite?__clerk_ticket=SECRET', '/signup/invite'],
    ['/signup/azure/?token=SECRET', '/signup/azure'],
    ['/signup/azure/confirm?token=SECRET', '/signup/azure'],
    ['/signup/azure/', '/login'],
    ['/signup/azure/confirm', '/login'],
    ['/signup/switch-accounts?attempt_pathname=%2Fsignup%2Finvite', '/signup/invite'],
    ['/signup/switch-accounts?attempt_pathname=https%3A%2F%2Fevil.example', '/login'],
  ])('signed out, %s leads to %s', async (address, expected) => {
    const { at, seen } = await visit(address, { signedIn: false });
    expect(at).toBe(expected);
    expect(seen).not.toContain('SECRET');
  });
});

describe('an invitation', () => {
  test('makes the account, joins, and asks for an authenticator next', async () => {
    const made: unknown[] = [];
    const me = userWith();
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      me: { ...me, user: { ...me.user, mfa_enabled: false } },
      account: {
        previewTicket: async () => preview,
        listConnections: async () => [],
        signUpWithTicket: async (given) => {
          made.push(given);
          shown.state.signedIn = true;
          return 'signed_in';
        },
        beginTotp: async () => ({ secret: 'ABCD', uri: 'otpauth://totp/x?secret=ABCD' }),
      },
      answers: { 'POST /signup/invite': joined },
    });
    await heading('Join Northwind Traders');
    expect(shown.at()).toBe('/signup/invite');
    expect(screen.getByLabelText<HTMLInputElement>('E-mail address').readOnly).toBe(true);
    type('Password', 'a longer password');
    press('Create the account');
    await heading('Set up your authenticator');
    expect(made).toEqual([{ ticket: 'SECRET', fullname: 'Bo Lind', password: 'a longer password' }]);
    expect(signupFlow()).toEqual({});
  });

  test('when joining fails after the account was made, only joining is repeated', async () => {
    let fails = true;
    let made = 0;
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      account: {
        previewTicket: async () => preview,
        listConnections: async () => [],
        signUpWithTicket: async () => {
          made += 1;
          shown.state.signedIn = true;
          return 'signed_in';
        },
      },
      answers: { 'POST /signup/invite': () => (fails ? failure(503, 'OVERLOADED', 'Busy.') : joined()) },
    });
    await heading('Join Northwind Traders');
    type('Password', 'a longer password');
    press('Create the account');
    expect((await screen.findByRole('alert')).textContent).toContain('Busy.');
    fails = false;
    press('Join');
    await waitFor(() => expect(shown.at()).toMatch(/^\/home/));
    expect(made).toBe(1);
  });

  test('of a new installation asks for the address too', async () => {
    const made: unknown[] = [];
    showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      account: {
        previewTicket: async () => ({ ...preview, email: '', fullname: '', tenantName: 'AIRdeck' }),
        listConnections: async () => [],
        signUpWithTicket: async (given) => {
          made.push(given);
          throw new IdentityError('PASSWORD_WEAK');
        },
      },
    });
    await heading('Set up AIRdeck');
    type('E-mail address', 'first@air.example');
    type('Full name', 'First Admin');
    type('Password', 'passwordpassword');
    press('Create the account');
    expect((await screen.findByRole('alert')).textContent).toContain('12 to 128');
    expect(made).toEqual([
      { ticket: 'SECRET', email: 'first@air.example', fullname: 'First Admin', password: 'passwordpassword' },
    ]);
  });

  test('to an address with an account is accepted by signing in', async () => {
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      account: { previewTicket: async () => ({ ...preview, account: 'existing' }), listConnections: async () => [] },
      answers: { 'POST /signup/invite': joined },
    });
    await heading('Join Northwind Traders');
    type('Password', 'p');
    press('Sign in');
    await waitFor(() => expect(shown.at()).toMatch(/^\/home\?tenant=/));
    expect(shown.state.asked).toContain('POST /signup/invite');
  });

  test('is still there after a new password its owner has to set first', async () => {
    let password: 'new_password' | 'signed_in' = 'new_password';
    const joins: unknown[] = [];
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      identity: {
        signInWithPassword: async () => {
          if (password === 'signed_in') shown.state.signedIn = true;
          return password;
        },
      },
      account: {
        previewTicket: async () => ({ ...preview, account: 'existing' }),
        listConnections: async () => [],
        resetPassword: async () => undefined,
      },
      answers: {
        'POST /signup/invite': ({ body }) => {
          joins.push(body);
          return joined();
        },
      },
    });
    await heading('Join Northwind Traders');
    type('Password', 'the old password');
    press('Sign in');
    await heading('A new password is required');
    type('Code from the mail', '12345678');
    type('New password', 'a longer password');
    press('Set the password');
    await heading('Join Northwind Traders');
    expect(shown.at()).toBe('/signup/invite');

    password = 'signed_in';
    type('Password', 'a longer password');
    press('Sign in');
    await waitFor(() => expect(joins).toHaveLength(1));
    expect(joins[0]).toMatchObject({ ticket: 'SECRET' });
  });

  test('to a tenant that asks for single sign-on offers its connections and no password', async () => {
    const begun: unknown[] = [];
    showApp('/signup/invite?__clerk_ticket=SECRET', {
      signedIn: false,
      account: {
        previewTicket: async () => ({
          ...preview,
          role: 'Analyst',
          onlyConnections: [{ id: 'c1', kind: 'oidc', label: 'Northwind' }],
        }),
        listConnections: async () => [{ id: 'google', kind: 'google', label: 'Google' }],
        startExternal: async (...given) => void begun.push(given),
      },
    });
    await heading('Join Northwind Traders');
    expect(document.body.textContent).toContain(`The invitation is for ${preview.email}, with the role Analyst.`);
    press('Join with Northwind');
    await waitFor(() => expect(begun).toEqual([['c1', { for: 'invitation', ticket: 'SECRET' }]]));
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Join with Google' })).toBeNull();
  });

  test.each([
    ['/signup/invite', 'This link is not complete'],
    ['/signup/invite?__clerk_ticket=OLD', 'This invitation is not valid any more'],
  ])('%s: %s', async (address, title) => {
    showApp(address, {
      signedIn: false,
      account: { previewTicket: () => Promise.reject(new IdentityError('TICKET_INVALID')) },
    });
    await heading(title);
  });
});

describe('choosing the account', () => {
  test('goes on as who is signed in', async () => {
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      account: { previewTicket: async () => preview },
      answers: { 'POST /signup/invite': joined },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Continue as Ana Souza' }));
    await waitFor(() => expect(shown.at()).toMatch(/^\/home/));
    expect(shown.state.asked).toContain('POST /signup/invite');
  });

  test('an invitation that is not valid any more is told so, with the way home', async () => {
    showApp('/signup/invite?__clerk_ticket=OLD', {
      account: { previewTicket: () => Promise.reject(new IdentityError('TICKET_INVALID')) },
    });
    await heading('This invitation is not valid any more');
    expect(screen.getByRole('link', { name: 'Go home' }).getAttribute('href')).toBe('/home');
  });

  test('an invitation for somebody else is refused in words, and another account may be used', async () => {
    const shown = showApp('/signup/invite?__clerk_ticket=SECRET', {
      account: { previewTicket: async () => preview, listConnections: async () => [] },
      answers: {
        'POST /signup/invite': () => failure(403, 'TICKET_FOR_ANOTHER', 'This invitation is for another account.'),
      },
    });
    fireEvent.click(await screen.findByRole('button', { name: 'Continue as Ana Souza' }));
    expect((await screen.findByRole('alert')).textContent).toContain('for another account');
    press('Use another account');
    await heading('Join Northwind Traders');
    expect([shown.state.signedIn, shown.at()]).toEqual([false, '/signup/invite']);
  });
});

describe('a purchase', () => {
  const details = {
    subscription_id: 's',
    subscription_name: 'Contoso security',
    offer_id: 'o',
    plan_id: 'premium',
    quantity: 20,
    status: 'PendingFulfillmentStart',
    is_test: false,
    beneficiary_email: 'ana.souza@northwind.example',
    purchaser_email: null,
    is_for_caller: true,
    tenant: null,
    user_linked: false,
  };
  const path = '/external_providers/azure_marketplace';

  test('is activated once for the account that is signed in', async () => {
    const sent: unknown[] = [];
    const shown = showApp('/signup/azure/confirm?token=SEC%2BRET', {
      answers: {
        [`GET ${path}/signup_details`]: () => Response.json(details),
        [`POST ${path}/activate`]: ({ url, body }) => {
          sent.push([url.searchParams.get('token'), body]);
          return Response.json({ tenant: ownTenant, tenant_name: 'Contoso' });
        },
      },
    });
    await heading('Confirm your purchase');
    expect(shown.at()).toBe('/signup/azure/confirm');
    type('Name of the tenant', 'Contoso');
    const button = screen.getByRole('button', { name: 'Activate' });
    fireEvent.click(button);
    fireEvent.submit(screen.getByLabelText('Name of the tenant'));
    await waitFor(() => expect(shown.at()).toMatch(/^\/home/));
    expect(sent).toEqual([['SEC+RET', { tenant_name: 'Contoso' }]]);
    expect(signupFlow()).toEqual({});
  });

  test.each([
    [{ is_for_caller: false, beneficiary_email: 'bo@contoso.example' }, 'belongs to bo@contoso.example'],
    [{ tenant: { id: ownTenant, name: 'Contoso' } }, 'belongs to the tenant Contoso already'],
    [{ status: 'Unsubscribed' }, 'has ended'],
  ])('%j cannot be activated here', async (given, words) => {
    beginSignupFlow({ token: 'SECRET' });
    showApp('/signup/azure/confirm', {
      answers: { [`GET ${path}/signup_details`]: () => Response.json({ ...details, ...given }) },
    });
    expect((await screen.findByRole('alert')).textContent).toContain(words);
    expect(screen.queryByRole('button', { name: 'Activate' })).toBeNull();
  });

  test('that has its tenant and user goes straight on', async () => {
    const { at } = await visit('/signup/azure/confirm?token=SECRET', {
      answers: {
        [`GET ${path}/signup_details`]: () =>
          Response.json({ ...details, tenant: { id: ownTenant, name: 'Contoso' }, user_linked: true }),
      },
    });
    expect(at).toBe(`/home?tenant=${ownTenant}`);
  });

  test('that has its tenant and user opens that one, whichever was worked in before', async () => {
    const { app } = await visit('/signup/azure/confirm?token=SECRET', {
      me: userWith(),
      answers: {
        [`GET ${path}/signup_details`]: () =>
          Response.json({ ...details, tenant: { id: otherTenant, name: 'Contoso Health' }, user_linked: true }),
      },
    });
    expect(app.session.get()?.currentTenant).toBe(otherTenant);
  });

  test('that cannot be read says so, and trying again works', async () => {
    let healthy = false;
    showApp('/signup/azure/confirm?token=SECRET', {
      answers: {
        [`GET ${path}/signup_details`]: () =>
          healthy
            ? Response.json(details)
            : failure(400, 'MARKETPLACE_TOKEN_INVALID', 'Open it again from the portal.'),
      },
    });
    await screen.findByText(/Unable to load your Azure details/);
    healthy = true;
    press('Try again');
    await heading('Confirm your purchase');
  });

  test('a new account proves its address before anything is shown', async () => {
    const asked: unknown[] = [];
    const shown = showApp('/signup/azure/?token=SECRET', {
      signedIn: false,
      me: () => failure(404, 'ACCOUNT_NOT_FOUND', 'There is no account for this sign-in yet.'),
      account: {
        security: async () => ({
          email: 'bo@contoso.example',
          hasPassword: true,
          hasTotp: false,
          recoveryCodesLeft: undefined,
          passkeys: [],
          external: [],
        }),
        listConnections: async () => [{ id: 'm', kind: 'microsoft', label: 'Microsoft' }],
        signUpWithEmail: async (given) => void asked.push(given),
        verifyEmail: async (given) => {
          asked.push(given);
          shown.state.signedIn = true;
          return 'signed_in';
        },
      },
      answers: { [`GET ${path}/signup_details`]: () => Response.json(details) },
    });
    await screen.findByRole('button', { name: 'Continue with Microsoft' });
    type('Full name', 'Bo Lind');
    type('Work e-mail address', 'bo@contoso.example');
    type('Password', 'a longer password');
    press('Create the account');
    await heading('Confirm your address');
    type('Code from the mail', '12345678');
    press('Confirm');
    await heading('Confirm your purchase');
    // Typed before, so it is only there to be changed.
    expect(await screen.findByDisplayValue('Bo Lind')).toBe(screen.getByLabelText('Your full name'));
    expect(asked).toEqual([
      { email: 'bo@contoso.example', fullname: 'Bo Lind', password: 'a longer password', purchaseToken: 'SECRET' },
      { email: 'bo@contoso.example', code: '12345678' },
    ]);
  });

  test('a first-factor result completes the redirect; an unknown step is not found', async () => {
    let completed = 0;
    const account: Given['account'] = {
      completeRedirect: async () => {
        completed += 1;
        return { step: 'failed', reason: new IdentityError('EXTERNAL_SIGN_IN_FAILED'), redirect: undefined };
      },
    };
    for (const address of ['/signup/azure/callback/first-factor?token=S', '/signup/azure/callback?token=S']) {
      expect((await visit(address, { signedIn: false, account })).at).toBe('/login');
    }
    expect(completed).toBe(2);
    showApp('/signup/azure/callback/whatever?token=S', { signedIn: false });
    await heading("We couldn't find the page you were looking for");
  });
});
