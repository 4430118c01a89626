import { randomUUID } from 'node:crypto';
import type { Role } from '@airdeck/contracts/access/roles';
import type { StoredEvent } from '@airdeck/contracts/events/event';
import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { v7 } from 'uuid';
import { repeatOnConflict } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { createTestDatabase, quietLog } from '../../storage/test-database.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { createAuditService } from '../audit/audit-service.ts';
import { createCasesModule } from '../cases/cases-module.ts';
import { createKeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import { silentNotices } from '../notifications/notifications-port.ts';
import { aroundPolicies } from '../policies/policies-fixture.ts';
import { createPoliciesModule } from '../policies/policies-module.ts';
import type { OpenedCase } from '../rule-responses/rule-responses-port.ts';
import type { Change } from '../stream/changes.ts';
import { silentFeed } from '../stream/changes.ts';
import { assignableAmong, membersAmong } from '../tenants/member-names.ts';
import { createDetectionModule } from './detection-module.ts';
import { createEventMatching } from './event-matching.ts';
import { groupSuppressions } from './group-suppression.ts';
import { createPolicyLoader } from './policy-loader.ts';

/** Policies, detection and cases as the server wires them, on a database of their own, for tests. */
export async function createDetectionFixture(limits: { casesPerHour?: number; freeMatchesMax?: number } = {}) {
  const stores = await createTestDatabase();
  const db = stores.database;
  const clock = { now: new Date('2026-03-01T12:00:00.000Z') };
  const opened: OpenedCase[] = [];
  const announced: Change[] = [];
  const changes = {
    announce: (_tx: unknown, change: Change) => {
      announced.push(change);
      return Promise.resolve();
    },
  };
  const responses = {
    onCaseOpened: (_tx: unknown, one: OpenedCase) => {
      opened.push(one);
      return Promise.resolve();
    },
  };
  const now = () => clock.now;
  const audit = createAuditService({ now });
  const keyedAnswers = createKeyedAnswers({ db, secret: 'for tests', now });
  const policies = createPoliciesModule({
    db,
    now,
    ids: v7,
    audit,
    keyedAnswers,
    ...aroundPolicies(stores.events),
    ...limits,
  });
  const cases = createCasesModule({
    ...{ db, now, ids: v7, audit, changes, feed: silentFeed, notices: silentNotices },
    ...{ groups: groupSuppressions, membersAmong, assignableAmong },
  });
  const { freeMatchesMax } = limits;
  const detectionDeps = {
    ...{ db, policies: policies.service, cases: cases.openings, responses, now, log: quietLog },
    ...(freeMatchesMax === undefined ? {} : { freeMatchesMax }),
  };
  const newProcess = () => {
    const load = createPolicyLoader({ db, policies: policies.service });
    const matching = createEventMatching({ load, now, log: quietLog });
    const module = createDetectionModule({ ...detectionDeps, keeper: matching });
    return {
      ...module,
      match: matching.match,
      /** All that is over; returns how many matches that was. */
      async purge() {
        const { matches, ...others } = module.purges;
        const gone = await matches();
        for (const purge of Object.values(others)) await purge();
        return gone;
      },
    };
  };
  const detection = newProcess();

  return {
    db,
    clock,
    opened,
    announced,
    audit,
    policies,
    cases,
    detection,
    /** Another process on the same database. */
    secondProcess: newProcess,
    async newTenant(): Promise<TenantScope> {
      const id = v7();
      const skuInfo = JSON.stringify({
        sku_name: 'test',
        is_mdr_enabled: false,
        is_search_enabled: true,
        retention_length_days: 30,
        search_length_days: 30,
      });
      await db.system((tx) =>
        tx
          .insertInto('tenant')
          .values({ id, name: 'Example Ltd', managed_by: null, sku_info: skuInfo, created_at: now() })
          .execute(),
      );
      return trustedTenantScope(id);
    },
    /** Somebody of this name who may sign in and has a role in the tenant. */
    async addMember(scope: TenantScope, uname: string, role: Role = 'Analyst'): Promise<void> {
      const user = { uname, fullname: uname, email: uname, locale: 'en-US', status: 'active' } as const;
      const identity = { identity_issuer: 'https://id.example.com', identity_subject: uname };
      await db.system(async (tx) => {
        await tx
          .insertInto('app_user')
          .values({ id: v7(), ...user, ...identity, home_tenant_id: scope.tenantId })
          .onConflict((on) => on.column('uname').doNothing())
          .execute();
        const { id } = await tx
          .selectFrom('app_user')
          .select('id')
          .where('uname', '=', uname)
          .executeTakeFirstOrThrow();
        await tx.insertInto('membership').values({ tenant_id: scope.tenantId, user_id: id, role }).execute();
      });
    },
    async removeMember(tx: Tx, scope: TenantScope, uname: string): Promise<void> {
      const ofName = tx.selectFrom('app_user').select('id').where('uname', '=', uname);
      await tx
        .deleteFrom('membership')
        .where('tenant_id', '=', scope.tenantId)
        .where('user_id', 'in', ofName)
        .execute();
    },
    createPolicy: (scope: TenantScope, rule: PolicyRule) =>
      db.tenant(scope.tenantId, (tx) =>
        policies.service.create(
          tx,
          scope,
          { rule },
          { actor: { kind: 'system', id: null, name: 'Test' }, requestId: null },
        ),
      ),
    /** What the ingest path does with a batch. */
    async ingest(events: readonly StoredEvent[], process = detection): Promise<void> {
      const matches = await process.match(events);
      await repeatOnConflict(() => db.system((tx) => process.apply(tx, matches)));
    },
    casesOf: async (scope: TenantScope) => {
      const query = { limit: 100, page: 1, sort: 'time_opened' } as const;
      return (await db.tenant(scope.tenantId, (tx) => cases.service.list(tx, scope, query))).cases;
    },
    detailOf: (scope: TenantScope, id: string) => db.tenant(scope.tenantId, (tx) => cases.service.get(tx, scope, id)),
    async close() {
      await detection.stop();
      await stores.close();
    },
  };
}

export type DetectionFixture = Awaited<ReturnType<typeof createDetectionFixture>>;

const EPOCH_S = Date.parse('2026-02-22T16:45:00.000Z') / 1000;

/** A failed SSH sign-in `atS` seconds into the scenario. */
export function failedLogin(scope: TenantScope, atS: number, parts: Partial<StoredEvent> = {}): StoredEvent {
  return {
    id: randomUUID(),
    tenant: scope.tenantId,
    source: randomUUID(),
    batch: randomUUID(),
    connector_id: '',
    received_at: Date.parse('2026-03-01T12:00:00.000Z'),
    time: (EPOCH_S + atS) * 1000,
    time_source: 'event',
    integration: 'sshd',
    event_type: 'authentication',
    severity: '',
    message: 'Failed password for root from 203.0.113.7 port 1786 ssh2',
    host: 'web-1',
    user: 'root',
    src_ip: '203.0.113.7',
    dst_ip: '',
    action: 'login',
    outcome: 'failure',
    fields: { program: 'sshd' },
    raw: 'Failed password for root from 203.0.113.7 port 1786 ssh2',
    ...parts,
  };
}

/** The rule of the scenario: five failures of one address within five minutes, unless said otherwise. */
export function guessingRule(logic: Partial<PolicyRule['logic']> = {}): PolicyRule {
  return {
    name: 'SSH password guessing',
    description: 'Many failures from one address.',
    type: 'custom',
    severity: 'high',
    logic: {
      rule_type: 'filter_and_group',
      filter_criteria: [{ field: 'outcome', operator: 'equals', value: 'failure' }],
      group_by: ['src_ip'],
      threshold: { count: 5, within_s: 300 },
      source: { source_type: 'log', connector_definition_id: 'sshd', event_type: 'authentication' },
      ...logic,
    },
  };
}

/** `count` failures, `stepS` seconds apart. */
export function burstOf(
  scope: TenantScope,
  { count, fromS = 0, stepS = 2, ...parts }: { count: number; fromS?: number; stepS?: number } & Partial<StoredEvent>,
): StoredEvent[] {
  return Array.from({ length: count }, (_, index) => failedLogin(scope, fromS + index * stepS, parts));
}
