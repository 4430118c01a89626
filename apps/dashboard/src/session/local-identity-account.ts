/** What the built-in provider offers beyond the plain sign-in; see `identity-provider.ts`. Loaded when first needed. */
import { parseRole } from '@airdeck/contracts/access/roles';
import {
  type AccountSecurity,
  type ActiveSession,
  type ExternalConnection,
  type ExternalPurpose,
  type IdentityAccount,
  IdentityError,
  type IdentityErrorCode,
  type Passkey,
  type RedirectOutcome,
  type SignInStep,
} from './identity-provider.ts';
import { type Answer, callIdentity } from './local-identity-calls.ts';
import { createPasskey, type PasskeyContainer, presentPasskey } from './passkey-ceremony.ts';

export type LocalAccountDeps = {
  fetch: typeof globalThis.fetch;
  /** The session changed hands: the token at hand is not good any more. */
  onSignedIn: () => void;
  /** Leaves this page for another address. */
  leaveTo: (url: string) => void;
  passkeys: () => PasskeyContainer | undefined;
};

export function createLocalIdentityAccount(deps: LocalAccountDeps): IdentityAccount {
  const get = (path: string) => callIdentity(deps.fetch, { method: 'GET', path: `/auth${path}` });
  const post = (path: string, body: Answer = {}, refused: IdentityErrorCode = 'UNEXPECTED') =>
    callIdentity(deps.fetch, { method: 'POST', path: `/auth${path}`, body, refused });
  const signedInBy = async (answer: Promise<Answer>): Promise<SignInStep> => {
    if ((await answer).twoFactorRedirect === true) return 'second_factor';
    deps.onSignedIn();
    return 'signed_in';
  };

  return {
    requestPasswordReset: async (email) => void (await post('/forgot-password', { email })),
    checkResetCode: async ({ email, code }) => void (await post('/confirm-code', { email, code }, 'CODE_WRONG')),
    resetPassword: async ({ email, code, password }) =>
      void (await post('/reset-password', { email, code, password }, 'CODE_WRONG')),

    listConnections: async (email) => {
      const query = email === undefined ? '' : `?${new URLSearchParams({ email }).toString()}`;
      return list(await get(`/connections${query}`), 'connections').flatMap(connectionOf);
    },
    async startExternal(connection, purpose) {
      const { url } = await post('/external/start', { connection, purpose: purposeBody(purpose) });
      deps.leaveTo(httpUrl(url));
    },
    completeRedirect: () => completeRedirect(deps, post),
    async signInWithPasskey() {
      const { options } = await post('/passkey/sign-in/options');
      const response = await presentPasskey(deps.passkeys(), options);
      await signedInBy(post('/passkey/sign-in', { response }, 'PASSKEY_FAILED'));
    },

    async previewTicket(ticket) {
      const answer = await post('/ticket', { ticket }, 'TICKET_INVALID');
      const role = parseRole(text(answer.role));
      return {
        email: text(answer.email),
        fullname: text(answer.fullname),
        tenantName: text(answer.tenant_name),
        ...(role === undefined ? {} : { role }),
        account: answer.account === 'existing' ? 'existing' : 'new',
        ...(Array.isArray(answer.only_connections)
          ? { onlyConnections: list(answer, 'only_connections').flatMap(connectionOf) }
          : {}),
      };
    },
    signUpWithTicket: ({ ticket, fullname, password, email }) =>
      signedInBy(
        post(
          '/sign-up/ticket',
          { ticket, fullname, password, ...(email === undefined ? {} : { email }) },
          'TICKET_INVALID',
        ),
      ),
    signUpWithEmail: async ({ email, fullname, password, purchaseToken }) =>
      void (await post('/sign-up/email', { email, fullname, password, purchase_token: purchaseToken })),
    verifyEmail: ({ email, code }) => signedInBy(post('/sign-up/verify', { email, code }, 'CODE_WRONG')),

    security: async () => securityOf(await get('/account')),
    prove: async (given) =>
      void (await post('/prove', { ...given }, 'code' in given ? 'CODE_WRONG' : 'CREDENTIALS_WRONG')),
    changePassword: async ({ currentPassword, newPassword }) =>
      void (await post(
        '/password/change',
        { current_password: currentPassword, new_password: newPassword },
        'CREDENTIALS_WRONG',
      )),
    async beginTotp() {
      const { secret, uri } = await post('/totp/begin');
      return { secret: needed(secret), uri: needed(uri) };
    },
    async confirmTotp(code) {
      const answer = await post('/totp/confirm', { code }, 'CODE_WRONG');
      // The token at hand still says that there is no second factor.
      deps.onSignedIn();
      return recoveryCodesOf(answer);
    },
    regenerateRecoveryCodes: async () => recoveryCodesOf(await post('/recovery-codes/regenerate')),
    async addPasskey(name) {
      const { options } = await post('/passkey/register/options');
      const response = await createPasskey(deps.passkeys(), options);
      await post('/passkey/register', { response, name }, 'PASSKEY_FAILED');
    },
    removePasskey: async (id) => void (await post('/passkey/remove', { id })),
    unlinkExternal: async (id) => void (await post('/external/unlink', { id }, 'ONLY_WAY_IN')),
    listSessions: async () => list(await get('/sessions'), 'sessions').map(sessionOf),
    revokeSessions: async (which) =>
      void (await post('/sessions/revoke', which === 'others' ? { others: true } : { id: which.id })),
  };
}

type Post = (path: string, body?: Answer, refused?: IdentityErrorCode) => Promise<Answer>;

async function completeRedirect(deps: LocalAccountDeps, post: Post): Promise<RedirectOutcome> {
  let answer: Answer;
  try {
    answer = await post('/external/result', {}, 'EXTERNAL_SIGN_IN_FAILED');
  } catch (error) {
    if (error instanceof IdentityError) return { step: 'failed', reason: error, redirect: undefined };
    throw error;
  }
  const redirect = wayOn(answer.purpose);
  switch (answer.step) {
    case 'signed_in':
      deps.onSignedIn();
      return { step: 'signed_in', redirect };
    case 'second_factor':
    case 'no_account':
      return { step: answer.step, redirect };
    default:
      return { step: 'failed', reason: new IdentityError(codeOfReason(answer.reason)), redirect };
  }
}

/** Reasons that somebody can do something about; the person can only try the others again. */
const reasonCodes: Readonly<Record<string, IdentityErrorCode>> = {
  GROUPS_MISSING: 'GROUPS_MISSING',
  EMAIL_UNVERIFIED: 'EMAIL_UNVERIFIED',
  EMAIL_TAKEN: 'EMAIL_TAKEN',
  SSO_REQUIRED: 'SSO_REQUIRED',
  TICKET_FOR_ANOTHER: 'TICKET_FOR_ANOTHER',
  TICKET_INVALID: 'TICKET_INVALID',
  USER_DISABLED: 'ACCOUNT_DISABLED',
};

function codeOfReason(reason: unknown): IdentityErrorCode {
  const known = typeof reason === 'string' && Object.hasOwn(reasonCodes, reason) ? reasonCodes[reason] : undefined;
  return known ?? 'EXTERNAL_SIGN_IN_FAILED';
}

function purposeBody(purpose: ExternalPurpose): Answer {
  if (purpose.for === 'sign_in' && purpose.redirect === undefined) return { for: 'sign_in' };
  return { ...purpose };
}

function wayOn(given: unknown): string | undefined {
  const purpose = record(given);
  if (purpose.for === 'invitation')
    return `/signup/invite?${new URLSearchParams({ __clerk_ticket: text(purpose.ticket) })}`;
  if (purpose.for === 'marketplace')
    return `/signup/azure/confirm?${new URLSearchParams({ token: text(purpose.token) })}`;
  return typeof purpose.redirect === 'string' ? purpose.redirect : undefined;
}

function securityOf(answer: Answer): AccountSecurity {
  return {
    email: text(answer.email),
    hasPassword: answer.has_password === true,
    hasTotp: answer.has_totp === true,
    recoveryCodesLeft: typeof answer.recovery_codes_left === 'number' ? answer.recovery_codes_left : 0,
    passkeys: list(answer, 'passkeys').map(passkeyOf),
    external: list(answer, 'external').map((entry) => ({
      id: needed(entry.id),
      label: text(entry.label),
      account: text(entry.account),
    })),
  };
}

function passkeyOf(entry: Answer): Passkey {
  return {
    id: needed(entry.id),
    name: text(entry.name),
    createdAt: text(entry.created_at),
    lastUsedAt: typeof entry.last_used_at === 'string' ? entry.last_used_at : undefined,
  };
}

function sessionOf(entry: Answer): ActiveSession {
  return {
    id: needed(entry.id),
    isCurrent: entry.current === true,
    startedAt: text(entry.started_at),
    lastSeenAt: text(entry.last_seen_at),
    address: text(entry.address),
    userAgent: text(entry.user_agent),
  };
}

/** A kind this release does not know is still a way in; only its picture is unknown. */
function connectionOf(entry: Answer): ExternalConnection[] {
  if (typeof entry.id !== 'string') return [];
  const kind = entry.kind === 'microsoft' || entry.kind === 'google' ? entry.kind : 'oidc';
  return [{ id: entry.id, kind, label: text(entry.label) }];
}

function recoveryCodesOf(answer: Answer): readonly string[] {
  const codes = answer.recovery_codes;
  if (!Array.isArray(codes)) throw new IdentityError('UNEXPECTED');
  return codes.map(needed);
}

/** The page is left for web addresses only, whatever the answer says. */
function httpUrl(value: unknown): string {
  const address = needed(value);
  if (!/^https?:\/\//i.test(address)) throw new IdentityError('UNEXPECTED');
  return address;
}

function list(answer: Answer, name: string): readonly Answer[] {
  const entries = answer[name];
  if (!Array.isArray(entries)) throw new IdentityError('UNEXPECTED');
  return entries.map(record);
}

function record(value: unknown): Answer {
  return typeof value === 'object' && value !== null ? (value as Answer) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function needed(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw new IdentityError('UNEXPECTED');
  return value;
}
