/** Tenants that set rules for the sign-in of their people, on a server that has an issuer of everybody as well. */
import type { Actor } from '../../http/test-server.ts';
import type { Person } from '../sso/issuer-fixture.ts';
import { by, call } from '../users/users-fixture.ts';
import { createSsoServer, type SsoServer } from './sso-workplaces-fixture.ts';

export type SsoRequiredFixture = Awaited<ReturnType<typeof createSsoRequiredFixture>>;
export type Workplace = Awaited<ReturnType<typeof createWorkplace>>;

export async function createSsoRequiredFixture() {
  const sso = await createSsoServer({ installation: 'two' });
  const { server, social } = sso;
  let created = 0;

  return {
    ...sso,
    workplace: () => createWorkplace({ server, social }, ++created),

    person: (tenant: string, role: 'Admin' | 'Analyst'): Promise<Actor> =>
      server.createActor({ home: tenant, roles: { [tenant]: role } }),

    addAdmin: (tenant: string, { id }: { id: string }): Promise<void> =>
      server.stores.database.system((tx) =>
        server.composition.tenants.addMembership(tx, { tenant, user: id, role: 'Admin' }, by),
      ),

    setRules({ tenant, admin }: Workplace, sso_required: boolean, break_glass: readonly Actor[]) {
      const payload = { sign_in: { sso_required, break_glass: break_glass.map(({ email }) => email) } };
      return call(server, admin, { method: 'PATCH', url: `/api/tenants/${tenant}/settings`, payload });
    },

    async signedIn(actor: Actor) {
      const browser = social.browser();
      await browser.signIn(actor);
      return browser;
    },

    mayCall: async (actor: Pick<Actor, 'headers'>) =>
      (await server.inject({ url: '/me', ...actor })).statusCode === 200,
  };
}

/** A tenant with an Admin and a connection, and a member who came through it. */
async function createWorkplace({ server, social }: Pick<SsoServer, 'server' | 'social'>, number: number) {
  const tenant = await server.createTenant();
  const admin = await server.createActor({ home: tenant, roles: { [tenant]: 'Admin' } });
  const domain = `required${number}.example`;
  const join = { enabled: true, default_role: 'ReadOnly' } as const;
  const connection = await social.connect(admin, { tenant, name: 'one', domains: [domain], join });
  const employee: Person = { subject: `employee-${number}`, email: `employee@${domain}`, email_verified: true };
  return { tenant, admin, connection, employee };
}
