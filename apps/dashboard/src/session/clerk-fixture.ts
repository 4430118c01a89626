/**
 * Clerk's Frontend API for tests, as far as we use it: what its published description says of paths, forms, statuses and
 * required properties, over users in memory. It answers the real script of Clerk, in place of the network.
 */

export const HOST = 'clerk.example.com';
export const PUBLISHABLE_KEY = `pk_live_${btoa(`${HOST}$`)}`;

type Json = Record<string, unknown>;
export type FixtureUser = {
  id: string;
  email: string;
  password: string;
  totp?: string;
  backupCodes?: string[];
  trusted?: boolean;
  pwned?: boolean;
  mailedCode?: string;
};
type Answer = { status: number; body: Json };
type SignIn = ReturnType<typeof signInJson>;
type SignUp = ReturnType<typeof signUpJson>;

export function createClerkApi() {
  const state = {
    users: new Map<string, FixtureUser>(),
    /** Tickets that were not used, and whose they are. */
    tickets: new Map<string, string>(),
    /** What the other provider answers next: whose account it is. */
    external: undefined as string | undefined,
    sessions: new Map<string, FixtureUser>(),
    signIn: undefined as SignIn | undefined,
    signUp: undefined as SignUp | undefined,
    offline: false,
    calls: [] as string[],
    mailed: [] as string[],
    answers: [] as Json[],
  };
  let count = 0;
  const next = (prefix: string) => `${prefix}_${++count}`;

  const failed = (status: number, code: string): Answer => ({
    status,
    body: { errors: [{ code, message: code, long_message: code, meta: {} }], clerk_trace_id: 'trace' },
  });
  const userOf = (email: string) => [...state.users.values()].find((user) => user.email === email);
  const client = (): Json =>
    clientJson({
      signIn: state.signIn,
      signUp: state.signUp,
      sessions: [...state.sessions].map(([id, user]) => sessionJson(id, user)),
    });
  const answer = (response: unknown): Answer => {
    if (response !== undefined) state.answers.push(response as Json);
    return { status: 200, body: { response, client: client() } };
  };

  function complete(signIn: SignIn, user: FixtureUser): Answer {
    const id = next('sess');
    state.sessions.set(id, user);
    Object.assign(signIn, { status: 'complete', created_session_id: id });
    state.signIn = undefined;
    return answer(signIn);
  }

  function afterFirstFactor(signIn: SignIn, user: FixtureUser): Answer {
    const factors = [
      ...(user.totp === undefined ? [] : [{ strategy: 'totp' }]),
      ...(user.backupCodes === undefined ? [] : [{ strategy: 'backup_code' }]),
    ];
    if (factors.length > 0) {
      Object.assign(signIn, { status: 'needs_second_factor', supported_second_factors: factors });
      return answer(signIn);
    }
    if (user.trusted !== false) return complete(signIn, user);
    const mailed = [{ strategy: 'email_code', email_address_id: `idn_${user.id}`, safe_identifier: user.email }];
    Object.assign(signIn, {
      status: 'needs_client_trust',
      client_trust_state: 'new',
      supported_second_factors: mailed,
    });
    return answer(signIn);
  }

  function createSignIn(form: Json): Answer {
    if (form.transfer === 'true') {
      const user = userOf(String(state.signUp?.email_address));
      if (user === undefined) return failed(404, 'external_account_not_found');
      return complete(signInJson(next('sia'), user.email), user);
    }
    if (String(form.strategy).startsWith('oauth_')) {
      const url = `https://login.example.com/authorize?state=${next('state')}`;
      state.signIn = signInJson(next('sia'), null);
      Object.assign(state.signIn, { first_factor_verification: oauthJson('unverified', url) });
      return answer(state.signIn);
    }
    const user = userOf(String(form.identifier));
    if (user === undefined) return failed(422, 'form_identifier_not_found');
    state.signIn = signInJson(next('sia'), user.email, `idn_${user.id}`);
    if (form.password === undefined) return answer(state.signIn);
    if (form.password !== user.password) return failed(422, 'form_password_incorrect');
    if (user.pwned === true) return failed(422, 'form_password_pwned');
    return afterFirstFactor(state.signIn, user);
  }

  function changeSignIn(action: string, form: Json): Answer {
    const { signIn } = state;
    const user = signIn === undefined ? undefined : userOf(String(signIn.identifier));
    if (signIn === undefined || user === undefined) return failed(404, 'client_not_found');
    switch (action) {
      case 'prepare_first_factor':
      case 'prepare_second_factor':
        user.mailedCode = '424242';
        state.mailed.push(`${String(form.strategy)} ${user.email}`);
        return answer(signIn);
      case 'attempt_first_factor':
        if (form.code !== user.mailedCode) return failed(422, 'form_code_incorrect');
        Object.assign(signIn, { status: 'needs_new_password' });
        return answer(signIn);
      case 'attempt_second_factor':
        return isSecondFactor(user, form) ? complete(signIn, user) : failed(422, 'form_code_incorrect');
      case 'reset_password':
        if (signIn.status !== 'needs_new_password') return failed(422, 'form_code_incorrect');
        if (String(form.password).length < 12) return failed(422, 'form_password_length_too_short');
        Object.assign(user, { password: String(form.password), pwned: false });
        return afterFirstFactor(signIn, user);
      default:
        return failed(404, 'resource_not_found');
    }
  }

  function finishSignUp(signUp: SignUp, user: FixtureUser): Answer {
    state.users.set(user.id, user);
    const id = next('sess');
    state.sessions.set(id, user);
    Object.assign(signUp, { status: 'complete', missing_fields: [], created_session_id: id, created_user_id: user.id });
    state.signUp = undefined;
    return answer(signUp);
  }

  function createSignUp(form: Json): Answer {
    if (form.transfer === 'true') {
      if (state.external === undefined) return failed(404, 'external_account_not_found');
      const user = { id: next('user'), email: state.external, password: '' };
      return finishSignUp(signUpJson(next('sua'), user.email), user);
    }
    const email = form.strategy === 'ticket' ? state.tickets.get(String(form.ticket)) : String(form.email_address);
    if (email === undefined) return failed(400, 'ticket_invalid_code');
    if (userOf(email) !== undefined) return failed(422, 'form_identifier_exists');
    state.signUp = signUpJson(next('sua'), email);
    if (form.password === undefined) return answer(state.signUp);
    if (String(form.password).length < 12) return failed(422, 'form_password_length_too_short');
    const user = { id: next('user'), email, password: String(form.password) };
    if (form.strategy === 'ticket') {
      state.tickets.delete(String(form.ticket));
      return finishSignUp(state.signUp, user);
    }
    state.users.set(user.id, user);
    Object.assign(state.signUp, { missing_fields: [], unverified_fields: ['email_address'] });
    return answer(state.signUp);
  }

  function changeSignUp(action: string, form: Json): Answer {
    const { signUp } = state;
    const user = userOf(String(signUp?.email_address));
    if (signUp === undefined || user === undefined) return failed(404, 'client_not_found');
    if (action === 'prepare_verification') {
      user.mailedCode = '131313';
      return answer(signUp);
    }
    return form.code === user.mailedCode ? finishSignUp(signUp, user) : failed(422, 'form_code_incorrect');
  }

  function aboutSession(id: string, action: string): Answer {
    const user = state.sessions.get(id);
    if (user === undefined) return failed(404, 'session_not_found');
    if (action === 'tokens') return { status: 200, body: { object: 'token', jwt: tokenOf(id, user) } };
    if (action === 'remove' || action === 'end') state.sessions.delete(id);
    return answer(sessionJson(id, user));
  }

  function aboutMe(path: string, form: Json): Answer {
    const [user] = state.sessions.values();
    if (user === undefined) return failed(401, 'signed_out');
    const totp = { object: 'totp', id: 'totp_1', verified: false, created_at: 1, updated_at: 1 };
    if (path === '/me/totp') {
      return answer({ ...totp, secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/AIRdeck?secret=JBSWY3DPEHPK3PXP' });
    }
    if (path === '/me/totp/attempt_verification') {
      if (form.code !== '111111') return failed(422, 'form_code_incorrect');
      Object.assign(user, { totp: '111111', backupCodes: ['aaaa1111', 'bbbb2222'] });
      return answer({ ...totp, secret: null, uri: null, verified: true, backup_codes: user.backupCodes });
    }
    return failed(404, 'resource_not_found');
  }

  function route(method: string, path: string, form: Json): Answer {
    if (path === '/environment') return { status: 200, body: environmentJson() };
    if (path === '/client') {
      if (method === 'DELETE') state.sessions.clear();
      return { status: 200, body: { response: client(), client: null } };
    }
    const [, kind, action = ''] = /^\/client\/(sign_ins|sign_ups)(?:\/[^/]+)?(?:\/(\w+))?$/.exec(path) ?? [];
    if (kind === 'sign_ins') return action === '' ? createSignIn(form) : changeSignIn(action, form);
    if (kind === 'sign_ups') return action === '' ? createSignUp(form) : changeSignUp(action, form);
    if (path === '/client/sessions' && method === 'DELETE') {
      state.sessions.clear();
      return answer(client());
    }
    const [, session = '', what = ''] = /^\/client\/sessions\/([^/]+)\/(\w+)/.exec(path) ?? [];
    return session === '' ? aboutMe(path, form) : aboutSession(session, what);
  }

  return {
    ...state,
    state,
    addUser(user: Omit<FixtureUser, 'id'>): FixtureUser {
      const added = { id: next('user'), ...user };
      state.users.set(added.id, added);
      return added;
    },
    /** The browser comes back from the other provider, which vouched for the address. */
    returnFrom(email: string): void {
      state.external = email;
      const user = userOf(email);
      if (state.signIn === undefined) throw new Error('nothing was begun');
      if (user === undefined) {
        Object.assign(state.signIn, { first_factor_verification: oauthJson('transferable', null) });
        return;
      }
      Object.assign(state.signIn, { identifier: email, first_factor_verification: oauthJson('verified', null) });
      const { signIn } = state;
      afterFirstFactor(signIn, user);
      // Clerk still tells the page that comes back what became of it.
      state.signIn = signIn;
    },
    fetch: async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const url = new URL(input instanceof Request ? input.url : String(input));
      if (url.hostname !== HOST) throw new Error(`Something asked ${url.hostname}.`);
      if (state.offline) throw new TypeError('Failed to fetch');
      const method = url.searchParams.get('_method') ?? init?.method ?? 'GET';
      const path = url.pathname.replace(/^\/v1/, '');
      state.calls.push(`${method} ${path}`);
      const { status, body } = route(method, path, formOf(init?.body));
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  };
}

function isSecondFactor(user: FixtureUser, { strategy, code }: Json): boolean {
  if (strategy === 'totp') return code === user.totp;
  if (strategy === 'email_code') return code === user.mailedCode;
  const at = user.backupCodes?.indexOf(String(code)) ?? -1;
  if (at !== -1) user.backupCodes?.splice(at, 1);
  return at !== -1;
}

function formOf(body: unknown): Json {
  return typeof body === 'string' || body instanceof URLSearchParams
    ? Object.fromEntries(new URLSearchParams(body))
    : {};
}

function oauthJson(status: string, url: string | null) {
  return {
    object: 'verification_oauth',
    status,
    strategy: 'oauth_microsoft',
    external_verification_redirect_url: url,
    expire_at: Date.now() + 600_000,
  };
}

export function signInJson(id: string, identifier: string | null, emailId = 'idn_0') {
  return {
    object: 'sign_in_attempt',
    id,
    status: identifier === null ? 'needs_identifier' : 'needs_first_factor',
    supported_identifiers: ['email_address'],
    supported_first_factors: [
      { strategy: 'password' },
      { strategy: 'reset_password_email_code', email_address_id: emailId, safe_identifier: identifier ?? '' },
    ],
    supported_second_factors: null,
    first_factor_verification: null,
    second_factor_verification: null,
    identifier,
    user_data: null,
    created_session_id: null,
    abandon_at: Date.now() + 600_000,
  };
}

export function signUpJson(id: string, email: string) {
  return {
    object: 'sign_up_attempt',
    id,
    status: 'missing_requirements',
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: ['password'],
    unverified_fields: [] as string[],
    verifications: { email_address: null, phone_number: null, web3_wallet: null, external_account: null },
    username: null,
    email_address: email,
    phone_number: null,
    web3_wallet: null,
    password_enabled: false,
    first_name: null,
    last_name: null,
    unsafe_metadata: {},
    public_metadata: {},
    custom_action: false,
    external_id: null,
    created_session_id: null,
    created_user_id: null,
    abandon_at: Date.now() + 600_000,
    legal_accepted_at: null,
  };
}

function clientJson(of: { signIn: unknown; signUp: unknown; sessions: readonly { id: string }[] }) {
  return {
    object: 'client',
    id: 'client_1',
    sessions: of.sessions,
    sign_in: of.signIn ?? null,
    sign_up: of.signUp ?? null,
    last_active_session_id: of.sessions.at(-1)?.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: null,
    captcha_bypass: false,
    created_at: 1,
    updated_at: Date.now(),
  };
}

function sessionJson(id: string, user: FixtureUser) {
  return {
    object: 'session',
    id,
    status: 'active',
    expire_at: Date.now() + 3_600_000,
    abandon_at: Date.now() + 7_200_000,
    last_active_at: Date.now(),
    last_active_token: { object: 'token', jwt: tokenOf(id, user) },
    last_active_organization_id: null,
    actor: null,
    factor_verification_age: [0, user.totp === undefined ? -1 : 0],
    tasks: null,
    user: userJson(user),
    public_user_data: { first_name: null, last_name: null, identifier: user.email, has_image: false, image_url: '' },
    created_at: 1,
    updated_at: 1,
  };
}

export function userJson(user: FixtureUser) {
  const hasTotp = user.totp !== undefined;
  const at = 1_700_000_000_000;
  const verification = {
    object: 'verification_otp',
    status: 'verified',
    strategy: 'email_code',
    attempts: 1,
    expire_at: at,
  };
  const address = {
    id: `idn_${user.id}`,
    object: 'email_address',
    email_address: user.email,
    reserved: false,
    verification,
    linked_to: [],
    created_at: at,
    updated_at: at,
  };
  return {
    id: user.id,
    object: 'user',
    username: null,
    first_name: 'Pat',
    last_name: 'Doe',
    has_image: false,
    image_url: '',
    primary_email_address_id: address.id,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    password_enabled: true,
    two_factor_enabled: hasTotp,
    totp_enabled: hasTotp,
    backup_code_enabled: user.backupCodes !== undefined,
    email_addresses: [address],
    phone_numbers: [],
    web3_wallets: [],
    passkeys: [],
    external_accounts: [],
    saml_accounts: [],
    enterprise_accounts: [],
    organization_memberships: [],
    public_metadata: {},
    unsafe_metadata: {},
    external_id: null,
    last_sign_in_at: at,
    banned: false,
    locked: false,
    lockout_expires_in_seconds: null,
    verification_attempts_remaining: 5,
    created_at: at,
    updated_at: at,
    delete_self_enabled: true,
    create_organization_enabled: false,
    last_active_at: at,
    mfa_enabled_at: null,
    mfa_disabled_at: null,
    legal_accepted_at: null,
  };
}

/** Only its shape and claims are read here; the server's tests verify signed ones. */
function tokenOf(session: string, user: FixtureUser): string {
  const part = (value: Json) =>
    btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');
  const iat = Math.floor(Date.now() / 1000);
  const claims = {
    iss: `https://${HOST}`,
    sub: user.id,
    sid: session,
    sts: 'active',
    iat,
    nbf: iat - 10,
    exp: iat + 60,
  };
  return `${part({ alg: 'RS256', kid: 'ins_1', typ: 'JWT' })}.${part(claims)}.${part({ s: 1 })}`;
}

function environmentJson() {
  const social = { enabled: true, required: false, authenticatable: true, not_selectable: false, deprecated: false };
  return {
    auth_config: { object: 'auth_config', id: 'aconf_1', single_session_mode: true, claimed_at: null },
    display_config: { object: 'display_config', id: 'display_config_1', instance_environment_type: 'production' },
    user_settings: {
      social: {
        oauth_microsoft: { ...social, strategy: 'oauth_microsoft', name: 'Microsoft', logo_url: null },
        oauth_google: { ...social, enabled: false, strategy: 'oauth_google', name: 'Google', logo_url: null },
      },
      attributes: {},
      enterprise_sso: { enabled: true, self_serve_sso: false },
      actions: { delete_self: true, create_organization: false },
      sign_in: { second_factor: { required: false } },
      sign_up: { mode: 'public', captcha_enabled: false, progressive: true },
      password_settings: { min_length: 12, max_length: 72 },
      passkey_settings: {},
      username_settings: {},
    },
    organization_settings: { enabled: false, domains: {}, actions: {} },
    commerce_settings: { billing: { user: { enabled: false }, organization: { enabled: false } } },
    maintenance_mode: false,
  };
}
