import type { Sandbox } from '@airdeck/simulator/sandbox/sandbox';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { trustedTenantScope } from '../../tenant-scope.ts';
import type { ConnectorsService, NewConnector } from '../connectors/connectors-service.ts';
import type { ContractService } from '../contract/contract-port.ts';
import type { Files } from '../files/files-port.ts';
import type { LocalUsers } from '../identity/local-users.ts';
import type { ApiKeysService } from '../me/api-keys-port.ts';
import { addShippedPlaybooks } from '../playbooks/library/library-seed.ts';
import type { PlaybooksService } from '../playbooks/playbooks-service.ts';
import { blockGuessingAddress } from '../playbooks/starter-playbooks.ts';
import type { PoliciesService } from '../policies/policies-service.ts';
import type { AddRuleResponse } from '../rule-responses/rule-responses-module.ts';
import type { SourcesService } from '../sources/sources-service.ts';
import type { TenantsService } from '../tenants/tenants-port.ts';
import { demoTenants } from './demo-company.ts';
import { demoConnections } from './demo-connections.ts';
import { createDemoContract } from './demo-contracts.ts';
import { type DemoFile, readDemoFile, writeDemoFile } from './demo-file.ts';
import { demoMemberships, planDemoWorkspace, tenantId } from './demo-plan.ts';

const KEY_LIFETIME_MS = 180 * 24 * 3_600_000;
const by = { actor: { kind: 'system', id: null, name: 'Demo workspace' }, requestId: null } as const;

/** What the workspace is made with: the same services people use. */
export type DemoServices = {
  db: Pick<Database, 'system'>;
  issuer: string;
  users: Pick<LocalUsers, 'create'>;
  tenants: Pick<TenantsService, 'createTenant' | 'createUser' | 'addMembership' | 'findUser'>;
  apiKeys: Pick<ApiKeysService, 'create'>;
  policies: Pick<PoliciesService, 'addShipped'>;
  playbooks: Pick<PlaybooksService, 'create'>;
  connectors: Pick<ConnectorsService, 'create' | 'moveTo'>;
  sources: Pick<SourcesService, 'createSource'>;
  addRuleResponse: AddRuleResponse;
  contract: Pick<ContractService, 'set' | 'addFile' | 'setBilling'>;
  files: Pick<Files, 'put'>;
};

type Dependencies = DemoServices & {
  dataDir: string;
  sandboxUrl: string;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
};

/**
 * Creates the demo workspace once, and finds it again at every later start. The plan with all ids and secrets is on disk
 * before the first row, and the rows are one transaction: a start that died in between is simply repeated.
 */
export async function ensureDemoWorkspace(deps: Dependencies): Promise<{ file: DemoFile; isNew: boolean }> {
  const known = await readDemoFile(deps.dataDir);
  const first = known?.users[0];
  if (known && first && (await deps.db.system((tx) => deps.tenants.findUser(tx, first.id)))) {
    await followSandbox(deps, known);
    return { file: known, isNew: false };
  }
  const plan = known ?? planDemoWorkspace(deps);
  await writeDemoFile(deps.dataDir, plan);
  // Side by side, because their passwords are hashed; all have ended before one that failed ends the start.
  const signIns = plan.users.map((user) => createSignIn(deps, user));
  await Promise.allSettled(signIns);
  const subjects = new Map(await Promise.all(signIns));
  const file = await deps.db.system(async (tx) => {
    await createPeople(deps, tx, plan, subjects);
    for (const tenant of plan.tenants) {
      await createContent(deps, tx, plan, tenant.id);
      await createDemoContract(deps, tx, tenant, by);
    }
    const complete: DemoFile = {
      ...plan,
      users: await createKeys(deps, tx, plan),
      sources: await createSources(deps, tx, plan),
    };
    // Before the commit: tokens that only this file knows must not outlive a crash that loses the file.
    await writeDemoFile(deps.dataDir, complete);
    return complete;
  });
  return { file, isNew: true };
}

async function createSignIn({ users }: Dependencies, user: DemoFile['users'][number]): Promise<[string, string]> {
  const { subject } = await users.create({
    externalId: user.id,
    email: user.email,
    password: user.password,
    fullname: user.fullname,
    totpSecret: user.totp_secret,
  });
  return [user.id, subject];
}

async function createPeople(
  deps: Dependencies,
  tx: Tx,
  plan: DemoFile,
  subjects: ReadonlyMap<string, string>,
): Promise<void> {
  for (const tenant of demoTenants) {
    await deps.tenants.createTenant(
      tx,
      {
        id: tenantId(plan, tenant.key),
        name: tenant.name,
        managedBy: tenant.managedBy && tenantId(plan, tenant.managedBy),
        skuInfo: tenant.plan,
        isProvider: tenant.key === 'provider',
      },
      by,
    );
  }
  for (const user of plan.users) {
    await deps.tenants.createUser(
      tx,
      {
        id: user.id,
        uname: user.email,
        fullname: user.fullname,
        email: user.email,
        homeTenant: user.tenant,
        locale: 'en-US',
        identity: { issuer: deps.issuer, subject: subjects.get(user.id) ?? '' },
      },
      by,
    );
  }
  for (const membership of demoMemberships(plan)) await deps.tenants.addMembership(tx, membership, by);
}

/** Policies, playbooks, connectors to the sandbox, and the response that ties them together. */
async function createContent(deps: Dependencies, tx: Tx, plan: DemoFile, tenant: string): Promise<void> {
  const scope = trustedTenantScope(tenant);
  for (const connector of sandboxConnectors(deps.sandboxUrl, plan)) {
    await deps.connectors.create(tx, scope, { ...connector, checkSoon: true }, by);
  }
  const playbooks = await addShippedPlaybooks(deps.playbooks, tx, scope, by);
  const policies = await deps.policies.addShipped(tx, scope, by);
  const response = {
    rule_id: policies.get('SSH password guessing') ?? '',
    response_name: blockGuessingAddress.metadata.name,
    response_type: 'playbook' as const,
    definition_id: playbooks['block-guessing-address'],
    connector_id: null,
    inputs: { ip: '{{ group.src_ip }}', case_reference: '{{ case.reference }}' },
    enabled: true,
    created_by: 'Automation',
    owner_user_id: null,
  };
  await deps.addRuleResponse(tx, scope, response, by);
}

const connectedFromTheStart = [
  { definitionId: 'abuseipdb', name: 'AbuseIPDB (sandbox)' },
  { definitionId: 'fortigate', name: 'FortiGate HQ (sandbox)' },
  { definitionId: 'graylog', name: 'Graylog (sandbox)' },
] as const;

/** A sandbox on another port than before is another host to the connectors, whose secrets are sealed for one host. */
async function followSandbox(deps: Dependencies, file: DemoFile): Promise<void> {
  await deps.db.system(async (tx) => {
    for (const tenant of file.tenants.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      for (const connector of sandboxConnectors(deps.sandboxUrl, file)) {
        await deps.connectors.moveTo(tx, trustedTenantScope(tenant.id), connector, by);
      }
    }
  });
}

function sandboxConnectors(url: string, { sandbox_keys: keys }: DemoFile): NewConnector[] {
  const connections = demoConnections({ url, keys: keys as Sandbox['keys'] });
  return connectedFromTheStart.map(({ definitionId, name }) => {
    const config = connections.find(({ definition_id }) => definition_id === definitionId)?.config ?? {};
    return { definitionId, name, config };
  });
}

async function createKeys(deps: Dependencies, tx: Tx, plan: DemoFile): Promise<DemoFile['users']> {
  const users: DemoFile['users'] = [];
  const expires_at = new Date(deps.now().getTime() + KEY_LIFETIME_MS).toISOString();
  for (const user of plan.users) {
    const { id: userId, email: username, fullname, tenant, role } = user;
    const owner = { userId, username, fullname, homeTenant: tenant, via: 'session' } as const;
    const { key } = await deps.apiKeys.create(tx, owner, { name: 'Demo', tenant, role, expires_at }, null);
    users.push({ ...user, api_key: key });
  }
  return users;
}

/** Every tenant can be sent to over HTTP; syslog without a token goes to the first customer. */
async function createSources(deps: Dependencies, tx: Tx, plan: DemoFile): Promise<DemoFile['sources']> {
  const sources: DemoFile['sources'] = [];
  for (const tenant of plan.tenants) {
    const scope = trustedTenantScope(tenant.id);
    for (const kind of ['ndjson', 'syslog'] as const) {
      const name = kind === 'ndjson' ? 'Cloud services' : 'Servers and firewalls';
      const syslogDefault = kind === 'syslog' && tenant.id === tenantId(plan, 'foods');
      const { id, token } = await deps.sources.createSource(tx, scope, { name, kind, syslogDefault }, by);
      sources.push({ id, tenant: tenant.id, kind, token });
    }
  }
  return sources;
}
