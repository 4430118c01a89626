/** Tenants whose people come in through a connection of their own, on a server with issuers. */
import { createTestServer } from '../../http/test-server.ts';
import { sqlClient } from '../../storage/database.ts';
import { CLIENT, createIssuerFixture, type Person } from '../sso/issuer-fixture.ts';
import { createNames } from '../sso/names-fixture.ts';
import { auditOf, by, invitationTo } from '../users/users-fixture.ts';
import { createSocialFixture, type Join } from './social-fixture.ts';

const REDIRECT_URI = 'http://localhost:4000/auth/external/callback';

export type SsoServer = Awaited<ReturnType<typeof createSsoServer>>;
export type SsoWorkplaces = Awaited<ReturnType<typeof createSsoWorkplaces>>;
export type Workplace = Awaited<ReturnType<typeof createWorkplace>>;

/** As Entra ID tells of somebody in more groups than fit a token. */
export const inVeryMany = ({ groups: _left, ...person }: Person): Person => ({
  ...person,
  _claim_names: { groups: 'src1' },
});
export const byGroup: Join = {
  enabled: true,
  group_roles: [
    { group: 'soc', role: 'Analyst' },
    { group: 'leads', role: 'SystemManager' },
    { group: 'owners', role: 'Admin' },
  ],
};

export async function createSsoWorkplaces() {
  const sso = await createSsoServer();
  const { server, social } = sso;
  const { database } = server.stores;
  let created = 0;
  const nextNumber = () => ++created;

  return {
    ...sso,
    workplace: (join: Join = {}) => createWorkplace({ server, social, nextNumber }, join),

    async rolesOf({ connection }: Workplace, person: Person) {
      const done = await social.signIn({ connection: connection.id, person });
      if (done.step !== 'signed_in') return done;
      return { ...done, roles: (await social.me(done.browser)).tenant_roles };
    },

    /** The ticket as the mail carries it. */
    async invite({ tenant }: Workplace, email: string): Promise<{ rows: string }> {
      await database.system((tx) =>
        server.composition.invitations.invite(tx, { tenant, email, fullname: 'Invited', role: 'Analyst', by }),
      );
      return { rows: (await invitationTo(server, email)).ticket };
    },

    auditOf: (tenant: string, action: string) => auditOf(server, tenant, action),

    sql: (text: string, values: readonly unknown[] = []) => database.system((tx) => sqlClient(tx).query(text, values)),
  };
}

/** Issuers, and a server that reaches them; `installation` names the one that is everybody's there. */
export async function createSsoServer({ installation }: { installation?: string } = {}) {
  const issuers = await createIssuerFixture(['one', 'two', 'three', 'four'], REDIRECT_URI);
  const names = createNames();
  const server = await createTestServer({
    sandbox: { host: issuers.host, port: issuers.port },
    resolveTxt: names.resolveTxt,
    env:
      installation === undefined
        ? {}
        : { SSO_ISSUER: issuers.issuer(installation), SSO_CLIENT_ID: CLIENT.id, SSO_CLIENT_SECRET: CLIENT.secret },
  });
  return {
    issuers,
    server,
    social: createSocialFixture(server, issuers, names),
    async close() {
      await server.close();
      await issuers.stop();
    },
  };
}

/** A tenant with an Admin and a connection to the first issuer, for addresses of a domain of its own. */
async function createWorkplace(
  { server, social, nextNumber }: Pick<SsoServer, 'server' | 'social'> & { nextNumber: () => number },
  join: Join,
) {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const domain = `t${nextNumber()}.example`;
  const connection = await social.connect(admin, { tenant, name: 'one', domains: [domain], join });
  const employee = (given: Partial<Person> = {}): Person => {
    const number = nextNumber();
    const subject = `subject-${number}`;
    return { subject, email: `${subject}@${domain}`, email_verified: true, name: `Employee ${number}`, ...given };
  };
  return { tenant, admin, domain, connection, employee };
}
