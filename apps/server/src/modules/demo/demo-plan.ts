import { hasRole } from '@airdeck/contracts/access/roles';
import { sandboxVendors } from '@airdeck/simulator/sandbox/sandbox';
import { newTotpSecret } from '../identity/totp.ts';
import { type DemoTenantKey, demoTenants, demoUsers } from './demo-company.ts';
import type { DemoFile } from './demo-file.ts';

const SECRET_BYTES = 18;

/** Ids, passwords and secrets of a new demo workspace, made before anything is stored, so that a crash repeats nothing. */
export function planDemoWorkspace(deps: { ids: () => string; randomBytes: (size: number) => Buffer }): DemoFile {
  const secret = () => deps.randomBytes(SECRET_BYTES).toString('base64url');
  const tenants = demoTenants.map(({ name }) => ({ id: deps.ids(), name }));
  return {
    url: '',
    ports: { http: 0, syslog_tcp: 0, syslog_udp: 0, sandbox: 0 },
    tenants,
    users: demoUsers.map((user) => ({
      id: deps.ids(),
      email: user.email,
      fullname: user.fullname,
      password: secret(),
      totp_secret: newTotpSecret(deps.randomBytes),
      role: user.roles[user.home] ?? 'ReadOnly',
      tenant: tenantId({ tenants }, user.home),
      api_key: '',
    })),
    sandbox_keys: newSandboxKeys(deps.randomBytes),
    sources: [],
  };
}

/** One for every vendor of the sandbox, in the form of the strictest of them. */
export function newSandboxKeys(randomBytes: (size: number) => Buffer): DemoFile['sandbox_keys'] {
  return Object.fromEntries(sandboxVendors.map((vendor) => [vendor, randomBytes(16).toString('hex')]));
}

export function tenantId(file: Pick<DemoFile, 'tenants'>, key: DemoTenantKey): string {
  const index = demoTenants.findIndex((tenant) => tenant.key === key);
  const tenant = file.tenants[index];
  if (!tenant) throw new Error(`The demo file has no tenant for ${key}.`);
  return tenant.id;
}

/** Memberships of the demo users, highest role first. */
export function demoMemberships(file: DemoFile) {
  return demoUsers
    .flatMap((user, index) =>
      Object.entries(user.roles).map(([key, role]) => ({
        user: file.users[index]?.id ?? '',
        tenant: tenantId(file, key as DemoTenantKey),
        role,
      })),
    )
    .sort((a, b) => (hasRole(a.role, b.role) ? -1 : 1));
}
