/**
 * The work on notifications in Graylog. A rule says what is wanted (its notification attached, or everything gone), and one
 * job per rule brings Graylog there; nothing else writes to it.
 *
 * States of a rule's notification: `working` while a job is wanted or under way; then `attached`, or `missing`, `changed`,
 * `failed` with the reason, which a person repairs. A rule that is being deleted goes with its notification, or stays as
 * `failed` and starts nothing.
 *
 * What always holds:
 * - The wish is committed together with its job, and the job ends in the transaction that settles the wish. A wish that
 *   comes before that finds the job alive and changes `work_version`, so that it begins anew; one that comes after it gets a
 *   job of its own.
 * - Every step may be repeated: what is there already is found by its title, which holds the rule's id. A worker that dies
 *   between two steps is followed by another one that begins anew and finds what the first has made.
 * - A rule that failed is tried again with the next look at its Graylog; what somebody changed there waits for a person.
 */
import { attachTo, ensureNotification, removeNotifications } from '@airdeck/connectors/graylog/alert-notification';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import type { EnqueueJobInput, JobContext, JobHandler, SqlClient } from '@airdeck/engine/interfaces';
import { z } from 'zod';
import { AppError } from '../../http/app-error.ts';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import { type TenantScope, trustedTenantScope } from '../../tenant-scope.ts';
import type { Enqueue } from '../activity/enqueue-port.ts';
import type { AlertSource, AlertSources } from './alert-source.ts';
import {
  askForWork,
  changeRule,
  deleteRule,
  lockRule,
  lockRules,
  type RuleRow,
  rulesOfConnector,
} from './automation-rules-repository.ts';
import type { GraylogCalls } from './graylog-calls.ts';
import { changeOf, failureOf, notificationOf, notificationTitle, type Standing } from './notification-facts.ts';

export const NOTIFICATION_JOB = 'automation-rules.notification';

/** People wait for it. */
const PRIORITY = 10;
const system = { actor: { kind: 'system', id: null, name: 'Automation' }, requestId: null } as const;
const payloadSchema = z.object({ rule_id: z.string() });

export type WorkDependencies = {
  db: Pick<Database, 'tenant' | 'system'>;
  alertSources: AlertSources;
  graylog: GraylogCalls;
  connectorName: (tx: Tx, scope: TenantScope, id: string) => Promise<string | undefined>;
  enqueue: Enqueue;
  /** The engine's view of a transaction. */
  engineClient: (tx: Tx) => SqlClient;
  now: () => Date;
};

/** Together with its job, in the transaction that makes the wish. */
export type WantWork = (
  tx: Tx,
  scope: TenantScope,
  ids: readonly string[],
  wish?: { rewrite?: boolean; deleting?: true },
) => Promise<void>;

type Begun = { rule: RuleRow; source: AlertSource | undefined };
type Result = Standing | 'gone';

export function createNotificationWork(deps: WorkDependencies): { want: WantWork; job: JobHandler } {
  const { db, alertSources, graylog, now } = deps;

  const want: WantWork = async (tx, scope, ids, wish) => {
    await askForWork(tx, scope, ids, wish);
    for (const id of ids) await deps.enqueue(tx, notificationJob(scope, id));
  };

  /** Undefined when there is nothing to do; the job is over then. */
  async function begin(scope: TenantScope, id: string, job: JobContext): Promise<Begun | undefined> {
    return await db.system(async (tx) => {
      await lockRules(tx, scope);
      const rule = await lockRule(tx, scope, id);
      if (rule?.notification_state !== 'working') {
        await job.completeIn(deps.engineClient(tx));
        return undefined;
      }
      const name = rule.deleting ? undefined : await deps.connectorName(tx, scope, rule.connector_id);
      const source = name === undefined ? undefined : await sourceFor(tx, scope, rule, { id: rule.connector_id, name });
      return { rule, source };
    });
  }

  /** Whatever else sends to a source that had to be replaced is wanted anew. */
  async function sourceFor(tx: Tx, scope: TenantScope, rule: RuleRow, connector: { id: string; name: string }) {
    const { source, isNew } = await alertSources.ensure(tx, scope, connector, system);
    await changeRule(tx, scope, rule.id, { source_id: source.id });
    if (!isNew) return source;
    const others = (await rulesOfConnector(tx, scope, connector.id)).filter(
      (other) => other.id !== rule.id && !other.deleting,
    );
    for (const { id } of others) {
      await changeRule(tx, scope, id, { source_id: source.id });
      await want(tx, scope, [id], { rewrite: true });
    }
    return source;
  }

  async function setUp(scope: TenantScope, rule: RuleRow, source: AlertSource, signal: AbortSignal): Promise<Standing> {
    const { connector_id: connectorId, definition_id: definitionId } = rule;
    const done = await graylog(scope, {
      ...{ connectorId, signal, secrets: [source.token] },
      work: async (context) => {
        // One that another worker made may hold anything.
        const rewrite = rule.rewrite || rule.notification_id === null;
        const id = await ensureNotification(context, notificationOf(rule, source), { rewrite });
        await db.tenant(scope.tenantId, (tx) => changeRule(tx, scope, rule.id, { notification_id: id }));
        return await attachTo(context, definitionId, id);
      },
    });
    if (!done.ok) return failureOf(done);
    return { state: 'attached', reason: null, ...(done.value.title === null ? {} : { title: done.value.title }) };
  }

  async function takeAway(scope: TenantScope, rule: RuleRow, signal: AbortSignal): Promise<Result> {
    const { connector_id: connectorId, definition_id: definitionId } = rule;
    const done = await graylog(scope, {
      ...{ connectorId, signal },
      work: (context) => removeNotifications(context, { title: notificationTitle(rule), definitionId }),
    });
    return done.ok ? 'gone' : { state: 'failed', reason: done.message };
  }

  async function result(scope: TenantScope, { rule, source }: Begun, signal: AbortSignal): Promise<Result> {
    if (rule.deleting) return await takeAway(scope, rule, signal);
    if (source === undefined) return { state: 'failed', reason: outcomeTexts.NOTIFICATION_CONNECTOR_GONE };
    return await setUp(scope, rule, source, signal);
  }

  /** False when something else was wanted meanwhile. */
  async function settle(scope: TenantScope, rule: RuleRow, came: Result, job: JobContext): Promise<boolean> {
    return await db.system(async (tx) => {
      const latest = await lockRule(tx, scope, rule.id);
      if (latest !== undefined && latest.work_version !== rule.work_version) return false;
      if (came === 'gone') await deleteRule(tx, scope, rule.id);
      else await changeRule(tx, scope, rule.id, { ...changeOf(came, now()), rewrite: false });
      await job.completeIn(deps.engineClient(tx));
      return true;
    });
  }

  const job: JobHandler = {
    async run(context) {
      const scope = trustedTenantScope(context.tenantId);
      const { rule_id: id } = payloadSchema.parse(context.payload);
      for (let settled = false; !settled; ) {
        const begun = await begin(scope, id, context);
        if (begun === undefined) return;
        const came = await result(scope, begun, context.signal).catch(toldAs);
        // A stop is no failure of the rule's: the next worker does it.
        context.signal.throwIfAborted();
        settled = await settle(scope, begun.rule, came, context);
      }
    },
  };

  return { want, job };
}

export function notificationJob({ tenantId }: TenantScope, ruleId: string): EnqueueJobInput {
  const payload = { rule_id: ruleId };
  return { tenantId, kind: NOTIFICATION_JOB, payload, dedupKey: ruleId, priority: PRIORITY, maxAttempts: 5 };
}

/** What is refused on purpose is for people to read; everything else is for the engine to try again. */
function toldAs(error: unknown): Standing {
  if (error instanceof AppError) return { state: 'failed', reason: error.message };
  throw error;
}
