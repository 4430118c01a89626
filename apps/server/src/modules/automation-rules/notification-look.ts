/** Looks at every Graylog with rules now and then: people change things there too. */
import { inspectNotifications } from '@airdeck/connectors/graylog/alert-notification';
import type { JobHandler } from '@airdeck/engine/interfaces';
import { z } from 'zod';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import { changeRule, connectorsWithRules, lockRule, rulesOfConnector } from './automation-rules-repository.ts';
import { changeOf, notificationOf, standingOf } from './notification-facts.ts';
import { notificationJob, type WantWork, type WorkDependencies } from './notification-work.ts';

export const LOOK_JOB = 'automation-rules.look';
export const DUE_LOOKS_JOB = { kind: 'automation-rules.due', expression: '11 */5 * * * *' } as const;

const CONNECTORS_AT_ONCE = 1000;
/** Runs of people come first. */
const PRIORITY = -10;
const payloadSchema = z.object({ connector_id: z.string() });

type Dependencies = Pick<WorkDependencies, 'db' | 'alertSources' | 'graylog' | 'enqueue' | 'now'> & { want: WantWork };

export function createNotificationLook(deps: Dependencies): { dueJob: JobHandler; job: JobHandler } {
  const { db, alertSources, graylog } = deps;

  /** A Graylog that cannot be reached says nothing about its notifications. */
  async function look(scope: TenantScope, connectorId: string, signal: AbortSignal): Promise<void> {
    const { rules, source } = await db.tenant(scope.tenantId, async (tx) => ({
      rules: await rulesOfConnector(tx, scope, connectorId),
      source: await alertSources.find(tx, scope, connectorId),
    }));
    const expected = rules.map((rule) => ({
      notification: notificationOf(rule, source),
      definitionId: rule.definition_id,
    }));
    const done = await graylog(scope, {
      ...{ connectorId, signal, secrets: source === undefined ? [] : [source.token] },
      work: (context) => inspectNotifications(context, expected),
    });
    if (!done.ok) return;
    await db.tenant(scope.tenantId, async (tx) => {
      for (const [place, rule] of rules.entries()) {
        const found = done.value[place];
        const latest = await lockRule(tx, scope, rule.id);
        if (found === undefined || latest?.work_version !== rule.work_version) continue;
        // What lost its job gets another one; what was wanted and failed is wanted still.
        if (latest.notification_state === 'working') await deps.enqueue(tx, notificationJob(scope, rule.id));
        else if (latest.notification_state === 'failed') await deps.want(tx, scope, [rule.id]);
        else await changeRule(tx, scope, rule.id, changeOf(standingOf(found, source), deps.now()));
      }
    });
  }

  return {
    job: {
      run: ({ tenantId, payload, signal }) =>
        look(trustedTenantScope(tenantId), payloadSchema.parse(payload).connector_id, signal),
    },
    dueJob: {
      async run() {
        let after: string | undefined;
        for (;;) {
          const due = await db.system(async (tx) => {
            const some = await connectorsWithRules(tx, { after, limit: CONNECTORS_AT_ONCE });
            for (const { tenant_id: tenantId, connector_id: connectorId } of some) {
              const payload = { connector_id: connectorId };
              const job = { tenantId, kind: LOOK_JOB, payload, dedupKey: connectorId };
              await deps.enqueue(tx, { ...job, priority: PRIORITY, maxAttempts: 1 });
            }
            return some;
          });
          if (due.length < CONNECTORS_AT_ONCE) return;
          after = due.at(-1)?.connector_id;
        }
      },
    },
  };
}
