/**
 * Tenants that a provider manages. All changes of one provider's customers and of its people's roles there happen one
 * after the other (`TenantChanges.lock` on the provider), so that a new customer gets everybody and a new role every
 * customer. Records go to the provider's chain and to that of the customer.
 */
import { type Role, roleLabels } from '@airdeck/contracts/access/roles';
import type {
  Customer,
  customerCreateSchema,
  customerUpdateSchema,
  ProviderRole,
} from '@airdeck/contracts/customers/schema';
import type { ToldPart } from '@airdeck/contracts/filled-text';
import type { SkuInfo } from '@airdeck/contracts/me/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import type { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Question } from '../../http/confirmation.ts';
import { overtaken } from '../../http/overtaken.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { AuditEntry, AuditLog } from '../audit/audit-log.ts';
import type { Invitations } from '../invitations/invitations-port.ts';
import type { TenantChanges } from '../tenants/tenant-changes.ts';
import type { ChangedBy, TenantsService } from '../tenants/tenants-port.ts';
import {
  type CustomerRow,
  countCustomers,
  deleteProviderRole,
  findCustomer,
  findPerson,
  grantEverybodyIn,
  grantInCustomers,
  hasCustomerNamed,
  isProvider,
  listCustomers,
  listPeopleWithRole,
  type ProviderPerson,
  putProviderRole,
} from './customers-repository.ts';

export type CustomersDependencies = {
  audit: Pick<AuditLog, 'recordAll'>;
  tenants: Pick<TenantsService, 'createTenant' | 'endWorkOfReader' | 'removeFromManaged'>;
  tenantChanges: TenantChanges;
  invitations: Pick<Invitations, 'invite'>;
};

export type CustomersService = ReturnType<typeof createCustomersService>;

type RoleChange = { username: string; role: Role | null };

export function createCustomersService(deps: CustomersDependencies) {
  return {
    /** Throws NOT_A_PROVIDER. Every call below is for tenants that passed it. */
    async requireProvider(tx: Tx, provider: TenantScope): Promise<void> {
      if (!(await isProvider(tx, provider))) throw new AppError('NOT_A_PROVIDER');
    },

    list: async (tx: Tx, provider: TenantScope): Promise<Customer[]> =>
      (await listCustomers(tx, provider)).map(onTheWire),

    roles: async (tx: Tx, provider: TenantScope): Promise<ProviderRole[]> =>
      (await listPeopleWithRole(tx, provider)).map(({ username, fullname, role }) => ({ username, fullname, role })),

    create: (tx: Tx, provider: TenantScope, wanted: z.output<typeof customerCreateSchema>, by: ChangedBy) =>
      createCustomer(deps, tx, provider, { wanted, by }),

    /** The customer as a scope of its own. Throws NOT_FOUND for a tenant this provider does not manage. */
    customer: async (tx: Tx, provider: TenantScope, id: string): Promise<TenantScope> =>
      trustedTenantScope((await customerOf(tx, provider, id)).id),

    async update(
      tx: Tx,
      provider: TenantScope,
      { id, replaces, ...change }: z.output<typeof customerUpdateSchema> & { id: string },
      by: ChangedBy,
    ): Promise<Customer> {
      await deps.tenantChanges.lock(tx, provider);
      const customer = trustedTenantScope((await customerOf(tx, provider, id)).id);
      await deps.tenantChanges.lock(tx, customer);
      const before = await customerOf(tx, provider, id);
      // Who had no answer may ask again: the plan is theirs by then.
      const isDone = change.sku_info !== undefined && isSamePlan(change.sku_info, before.sku_info);
      if (replaces !== undefined && !isDone && !isSamePlan(replaces, before.sku_info)) {
        throw overtaken('body.replaces', {
          message: 'Somebody else changed this plan in the meantime. Load it again and look before you save.',
        });
      }
      if (change.name !== undefined) await requireFreeName(tx, provider, { name: change.name, except: id });
      await deps.tenantChanges.update(tx, customer, { name: change.name, skuInfo: change.sku_info });
      const after = await customerOf(tx, provider, id);
      const data = differences(before, after);
      await deps.audit.recordAll(tx, [
        { ...entry(provider, by), action: 'customer.update', target: { kind: 'tenant', id }, data },
        { ...entry(customer, by), action: 'tenant.update', target: { kind: 'tenant', id }, data },
      ]);
      return onTheWire(after);
    },

    /** What has to be confirmed before `setRole`. Throws NOT_FOUND. */
    async roleQuestion(tx: Tx, provider: TenantScope, change: RoleChange): Promise<Question> {
      const person = await personOf(tx, provider, change);
      return question(person, change.role, await countCustomers(tx, provider));
    },

    async setRole(tx: Tx, provider: TenantScope, change: RoleChange, by: ChangedBy): Promise<void> {
      await deps.tenantChanges.lock(tx, provider);
      const person = await personOf(tx, provider, change);
      const records =
        change.role === null
          ? await takeRole(deps, tx, provider, { person, by })
          : await giveRole(deps, tx, provider, { person, role: change.role, by });
      await deps.audit.recordAll(tx, records);
    },
  };
}

async function createCustomer(
  deps: CustomersDependencies,
  tx: Tx,
  provider: TenantScope,
  { wanted, by }: { wanted: z.output<typeof customerCreateSchema>; by: ChangedBy },
): Promise<Customer> {
  const { name, sku_info: skuInfo, admin } = wanted;
  await deps.tenantChanges.lock(tx, provider);
  await requireFreeName(tx, provider, { name });
  const id = await deps.tenants.createTenant(tx, { name, managedBy: provider.tenantId, skuInfo }, by);
  // Before the provider's people join, one of whom may be the very person.
  await deps.invitations.invite(tx, { tenant: id, email: admin.email, fullname: admin.fullname, role: 'Admin', by });
  const customer = trustedTenantScope(id);
  const joined = await grantEverybodyIn(tx, provider, id);
  const target = { kind: 'tenant', id } as const;
  await deps.audit.recordAll(tx, [
    {
      ...entry(provider, by),
      action: 'customer.create',
      target,
      data: { name, sku_name: skuInfo.sku_name, admin: admin.email },
    },
    ...joined.map(({ user, role }) => membershipSet(customer, { user, role, by })),
  ]);
  return onTheWire(await customerOf(tx, provider, id));
}

async function giveRole(
  deps: CustomersDependencies,
  tx: Tx,
  provider: TenantScope,
  { person, role, by }: { person: ProviderPerson; role: Role; by: ChangedBy },
): Promise<AuditEntry[]> {
  const granted = { user: person.id, role };
  await putProviderRole(tx, provider, granted);
  const changed = await grantInCustomers(tx, provider, granted);
  await deps.tenants.endWorkOfReader(tx, { ...granted, tenants: changed }, by);
  return [
    {
      ...entry(provider, by),
      action: 'provider_role.set',
      target: { kind: 'user', id: person.id },
      data: { from: person.role, to: role, tenants: changed.length },
    },
    ...changed.map((tenant) => membershipSet(trustedTenantScope(tenant), { ...granted, by })),
  ];
}

async function takeRole(
  deps: CustomersDependencies,
  tx: Tx,
  provider: TenantScope,
  { person, by }: { person: ProviderPerson; by: ChangedBy },
): Promise<AuditEntry[]> {
  const user = person.id;
  await deleteProviderRole(tx, provider, user);
  const { left, records } = await deps.tenants.removeFromManaged(tx, { tenant: provider.tenantId, user }, by);
  return [
    {
      ...entry(provider, by),
      action: 'provider_role.remove',
      target: { kind: 'user', id: user },
      data: { from: person.role, tenants: left.length },
    },
    ...records,
  ];
}

function question(person: ProviderPerson, role: Role | null, customers: number): Question {
  const { fullname, username } = person;
  const who = `${fullname} (${username})`;
  const isOne = customers === 1;
  const object = `${person.id} ${role}`;
  if (role !== null) {
    return {
      object,
      title: refusal('ASK_PROVIDER_ROLE', { name: fullname, role: labelOf(role) }),
      text: [
        isOne
          ? refusal('ASK_PROVIDER_ROLE_TEXT_ONE', { who, role: labelOf(role) })
          : refusal('ASK_PROVIDER_ROLE_TEXT', { who, role: labelOf(role), count: customers }),
      ],
      action_label: refusal('ASK_LABEL_GIVE_ROLE'),
    };
  }
  const lost = labelOf(person.role);
  return {
    object,
    title: refusal('ASK_PROVIDER_ROLE_LOST', { name: fullname, role: lost }),
    text: [
      isOne
        ? refusal('ASK_PROVIDER_ROLE_LOST_TEXT_ONE', { who, role: lost })
        : refusal('ASK_PROVIDER_ROLE_LOST_TEXT', { who, role: lost, count: customers }),
    ],
    action_label: refusal('ASK_LABEL_TAKE_ROLE'),
  };
}

function labelOf(role: Role | null): ToldPart[] {
  return role === null ? [] : [{ message: roleLabels[role] }];
}

async function personOf(tx: Tx, provider: TenantScope, { username, role }: RoleChange): Promise<ProviderPerson> {
  const person = await findPerson(tx, provider, username);
  if (person === undefined) throw new AppError('NOT_FOUND', { message: 'This person is no member of your tenant.' });
  if (role === null && person.role === null) {
    throw new AppError('NOT_FOUND', { message: 'This person has no role in your customers.' });
  }
  return person;
}

async function customerOf(tx: Tx, provider: TenantScope, id: string): Promise<CustomerRow> {
  const row = await findCustomer(tx, provider, id);
  if (row === undefined) throw new AppError('NOT_FOUND', { message: 'You manage no such tenant.' });
  return row;
}

async function requireFreeName(
  tx: Tx,
  provider: TenantScope,
  wanted: { name: string; except?: string },
): Promise<void> {
  if (!(await hasCustomerNamed(tx, provider, wanted))) return;
  throw new AppError('CONFLICT', refusal('CUSTOMER_NAME_TAKEN', { name: wanted.name }));
}

function isSamePlan(one: SkuInfo, other: SkuInfo): boolean {
  const { sku_name, is_mdr_enabled, is_search_enabled, retention_length_days, search_length_days } = one;
  return (
    sku_name === other.sku_name &&
    is_mdr_enabled === other.is_mdr_enabled &&
    is_search_enabled === other.is_search_enabled &&
    retention_length_days === other.retention_length_days &&
    search_length_days === other.search_length_days
  );
}

function entry({ tenantId }: TenantScope, by: ChangedBy) {
  return { tenant: tenantId, actor: by.actor, outcome: 'ok', request_id: by.requestId } as const;
}

function membershipSet(
  customer: TenantScope,
  { user, role, by }: { user: string; role: Role; by: ChangedBy },
): AuditEntry {
  return {
    ...entry(customer, by),
    action: 'membership.set',
    target: { kind: 'user', id: user },
    data: { role, source: 'provider' },
  };
}

function differences(before: CustomerRow, after: CustomerRow): Record<string, unknown> {
  const name = before.name === after.name ? {} : { name: { from: before.name, to: after.name } };
  const isSame = JSON.stringify(before.sku_info) === JSON.stringify(after.sku_info);
  return { ...name, ...(isSame ? {} : { sku_info: { from: before.sku_info, to: after.sku_info } }) };
}

function onTheWire({ created_at, ...row }: CustomerRow): Customer {
  return { ...row, created_at: created_at.toISOString() };
}
