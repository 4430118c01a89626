import type { SsoConnection, SsoDomain, SsoDomainCheck } from '@airdeck/contracts/settings/schema';
import type { Actor, TestServer } from '../../http/test-server.ts';
import { CLIENT, type IssuerFixture, type Person } from '../sso/issuer-fixture.ts';
import type { Names } from '../sso/names-fixture.ts';
import { type Browser, createBrowser } from './test-browser.ts';

export type ExternalResult = { step: string; reason?: string; purpose: Record<string, string> };

export type Join = Partial<SsoConnection['join']>;

/** The way through another provider, step by step, as browser and issuer take it. */
export function createSocialFixture(server: TestServer, issuers: IssuerFixture, names?: Names) {
  /** Sets the records the tenant is asked for, and has them looked up. */
  async function prove(admin: Actor, tenant: string, domains: readonly string[]): Promise<void> {
    const { headers } = admin;
    const path = `/api/tenants/${tenant}/settings/sso_domains`;
    const wanted = (await server.inject({ url: path, headers })).json<SsoDomain[]>();
    for (const { domain, record } of wanted.filter((each) => domains.includes(each.domain))) {
      names?.records.set(record.name, [[record.value]]);
      const payload = { domain };
      const checked = await server.inject({ method: 'POST', url: `${path}/check`, headers, payload });
      if (checked.json<SsoDomainCheck>().ok !== true) throw new Error(checked.body);
    }
  }

  async function start(browser: Browser, connection: string, purpose: object = { for: 'sign_in' }): Promise<string> {
    const answer = await browser.post('/auth/external/start', { connection, purpose });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json<{ url: string }>().url;
  }

  /** Brings the answer of the issuer back; `change` tampers with it on the way. */
  async function callback(browser: Browser, back: string, change: (url: URL) => void = () => undefined) {
    const url = new URL(back);
    change(url);
    return await browser.get(`${url.pathname}${url.search}`);
  }

  async function result(browser: Browser): Promise<ExternalResult> {
    return (await browser.post('/auth/external/result')).json<ExternalResult>();
  }

  return {
    prove,
    start,
    callback,
    result,
    browser: () => createBrowser(server),

    async signIn(
      { connection, person, purpose }: { connection: string; person: Person | null; purpose?: object },
      browser = createBrowser(server),
    ) {
      const url = await start(browser, connection, purpose);
      await callback(browser, await issuers.authorize(url, person));
      return { browser, ...(await result(browser)) };
    },

    /** A connection of a tenant, made through the API; its domains are proved where the fixture has name servers. */
    async connect(
      admin: Actor,
      { tenant, name, domains = [], join = {} }: { tenant: string; name: string; domains?: string[]; join?: Join },
    ): Promise<SsoConnection> {
      const answer = await server.inject({
        method: 'POST',
        url: `/api/tenants/${tenant}/settings/sso`,
        headers: admin.headers,
        payload: {
          kind: 'oidc',
          label: `Issuer ${name}`,
          issuer: issuers.issuer(name),
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          domains,
          join: { enabled: false, default_role: null, groups_claim: 'groups', group_roles: [], ...join },
        },
      });
      if (answer.statusCode !== 201) throw new Error(answer.body);
      if (names !== undefined) await prove(admin, tenant, domains);
      return answer.json<SsoConnection>();
    },

    /** Who the browser is for the API. */
    async me(browser: Browser) {
      const token = await browser.token();
      const answer = await server.inject({ url: '/me', headers: { authorization: `Bearer ${token}` } });
      return answer.json<{
        code?: string;
        user: { id: string; email: string; locale: string; mfa_enabled: boolean; social: boolean };
        tenant_roles: Record<string, string>;
      }>();
    },
  };
}
