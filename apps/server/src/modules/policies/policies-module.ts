import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { validatePolicy } from '@airdeck/detection/policy-set';
import { AppError } from '../../http/app-error.ts';
import type { Handlers, TenantContext } from '../../http/handlers.ts';
import { hashOf, keyedCreation } from '../../http/keyed-creation.ts';
import type { Database } from '../../storage/database.ts';
import type { EventsStore } from '../../storage/events-store.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { changedBy } from '../audit/audit-actor.ts';
import { createCallLimit, requireLeft } from '../connectors/call-limit.ts';
import type { KeyedAnswers } from '../keyed-answers/keyed-answers.ts';
import type { PolicyRow } from './policies-repository.ts';
import { createPoliciesService, type PoliciesService, type ServiceDependencies } from './policies-service.ts';
import { backtest } from './policy-backtest.ts';
import {
  type BreadthDependencies,
  confirmBreadth,
  confirmBreadthOfAll,
  createMeasuring,
  startsMatching,
} from './policy-breadth.ts';
import { assertSound } from './policy-checks.ts';
import { dryImport, importPolicies, replacedAtWork } from './policy-import.ts';
import { publicationsOf } from './policy-publications.ts';
import { type AuthorizePublishing, type PublishingDependencies, publishPolicy } from './policy-publishing.ts';
import { tryPolicy } from './policy-trial.ts';
import { createSigmaReader } from './sigma-reader.ts';

type RouteIds =
  | 'policies.list'
  | 'policies.get'
  | 'policies.create'
  | 'policies.update'
  | 'policies.delete'
  | 'policies.versions'
  | 'policies.roll-back'
  | 'policies.source-text'
  | 'policies.import'
  | 'policies.validate'
  | 'policies.test'
  | 'policies.backtest'
  | 'policies.publications'
  | 'policies.publish';

export type PoliciesModule = { service: PoliciesService; handlers: Handlers<RouteIds> };

type Dependencies = ServiceDependencies & {
  db: Pick<Database, 'tenant' | 'read' | 'system'>;
  events: Pick<EventsStore, 'query'>;
  authorizeElsewhere: AuthorizePublishing;
  keyedAnswers: Pick<KeyedAnswers, 'once' | 'answered'>;
  tenantName: PublishingDependencies['tenantName'];
  /** How many days back the tenant's events are there to be looked at. */
  reachDays: (tx: Tx, scope: TenantScope) => Promise<number>;
};

/** By tenant and process. A person who types asks for the problems every half second. */
const perMinute = { validations: 600, trials: 120, backtests: 30, imports: 120, publications: 20 } as const;
/** Each keeps the event store busy for seconds. */
const BACKTESTS_AT_ONCE = 2;
const DAY_MS = 86_400_000;

export function createPoliciesModule(deps: Dependencies): PoliciesModule {
  const service = createPoliciesService(deps);
  const measuring = createMeasuring();
  const parts = { ...deps, service, measuring, timeout: (ms: number) => AbortSignal.timeout(ms) };
  return {
    service,
    handlers: {
      ...readingHandlers(parts),
      ...changingHandlers(parts),
      ...trialHandlers(parts),
      ...importHandlers(parts),
    },
  };
}

type Parts = Dependencies & BreadthDependencies & { service: PoliciesService };

function readingHandlers({ db, service }: Parts) {
  return {
    'policies.list': ({ query }, { scope }) => db.read(scope.tenantId, (tx) => service.list(tx, scope, query)),
    'policies.get': ({ params }, { scope }) => db.read(scope.tenantId, (tx) => service.get(tx, scope, params.id)),
    'policies.versions': ({ params }, { scope }) =>
      db.read(scope.tenantId, (tx) => service.versions(tx, scope, params.id)),
    'policies.source-text': ({ params }, { scope }) =>
      db.read(scope.tenantId, (tx) => service.sourceText(tx, scope, params.id)),
    'policies.publications': ({ params: { id } }, { scope, caller }) => publicationsOf(db, scope, { id, caller }),
  } satisfies Partial<Handlers<RouteIds>>;
}

function changingHandlers(parts: Parts) {
  const { db, service, ids, now } = parts;
  const mayPublish = createCallLimit({ now, perMinute: perMinute.publications });

  /** Outside of any transaction: the measurement asks the event store. */
  async function confirmIfBroad(context: TenantContext, id: string, rule: PolicyRule): Promise<void> {
    assertSound(rule);
    const { scope, confirm, signal } = context;
    await confirmBreadth(parts, scope, { rule, object: `${id} ${hashOf(rule)}`, confirm, signal });
  }

  return {
    'policies.create': async ({ body }, context) => {
      const { scope } = context;
      const request = keyedCreation('policy', context, { scope, body, ids });
      // What was made by this very call was asked about, and its confirmation is used up.
      const isMade = () => db.read(scope.tenantId, (tx) => service.isMadeBy(tx, scope, request));
      if (body.enabled && !(await isMade())) await confirmIfBroad(context, 'new', body.rule);
      return await db.tenant(scope.tenantId, (tx) => service.add(tx, scope, { ...body, request }, changedBy(context)));
    },
    'policies.update': async ({ params: { id }, body }, context) => {
      const { scope } = context;
      const { enabled, rule, based_on: basedOn, note } = body;
      const before = await db.read(scope.tenantId, (tx) => service.get(tx, scope, id));
      const isStale = basedOn !== undefined && basedOn !== before.version;
      const after = { enabled: enabled ?? before.enabled, rule: rule ?? before.rule };
      const measured = !isStale && startsMatching(before, after) ? after.rule : undefined;
      if (measured !== undefined) await confirmIfBroad(context, id, measured);
      const update = { id, enabled, rule, basedOn, note, measured };
      return await db.tenant(scope.tenantId, (tx) => service.update(tx, scope, update, changedBy(context)));
    },
    'policies.delete': async ({ params }, context) => {
      const { scope } = context;
      await db.tenant(scope.tenantId, (tx) => service.remove(tx, scope, params.id, changedBy(context)));
      return undefined;
    },
    'policies.roll-back': async ({ params: { id }, body: { version } }, context) => {
      const { scope } = context;
      const { before, rule } = await db.read(scope.tenantId, async (tx) => ({
        before: await service.get(tx, scope, id),
        rule: await service.ruleOfVersion(tx, scope, { id, version }),
      }));
      const measured = before.enabled ? rule : undefined;
      if (measured !== undefined) await confirmIfBroad(context, id, measured);
      const to = { id, version, measured };
      return await db.tenant(scope.tenantId, (tx) => service.rollBack(tx, scope, to, changedBy(context)));
    },
    'policies.publish': ({ body }, context) => {
      requireLeft(mayPublish, context.scope);
      const { raw, confirm, signal } = context;
      const order = { ...body, request: raw.request, confirm, signal };
      return publishPolicy(parts, context.scope, order, changedBy(context));
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function trialHandlers({ db, events, now, reachDays }: Parts) {
  const mayValidate = createCallLimit({ now, perMinute: perMinute.validations });
  const mayTry = createCallLimit({ now, perMinute: perMinute.trials });
  const mayBacktest = createCallLimit({ now, perMinute: perMinute.backtests });
  let running = 0;
  return {
    'policies.validate': async ({ body }, { scope }) => {
      requireLeft(mayValidate, scope);
      const problems = validatePolicy(body.rule).map(({ path, message }) => ({ path, message }));
      return { valid: problems.length === 0, problems };
    },
    'policies.test': async ({ body }, { scope }) => {
      requireLeft(mayTry, scope);
      assertSound(body.rule);
      return await tryPolicy(body.rule, body.events, now().getTime());
    },
    'policies.backtest': async ({ body }, { scope, signal }) => {
      requireLeft(mayBacktest, scope);
      assertSound(body.rule);
      if (running >= BACKTESTS_AT_ONCE) {
        throw new AppError('OVERLOADED', {
          message: 'Other backtests are running. Try again shortly.',
          retryAfterS: 10,
        });
      }
      running += 1;
      try {
        const { rule, start_time, end_time, case_open_for_s: caseOpenForS } = body;
        const days = await db.read(scope.tenantId, (tx) => reachDays(tx, scope));
        const reach = new Date(now().getTime() - days * DAY_MS);
        const order = { rule, start: new Date(start_time), end: new Date(end_time), caseOpenForS, reach };
        return await backtest({ events, elapsedMs: () => performance.now() }, scope, order, signal);
      } finally {
        running -= 1;
      }
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

function importHandlers(parts: Parts) {
  const { db, now } = parts;
  const sigma = createSigmaReader();
  const mayImport = createCallLimit({ now, perMinute: perMinute.imports });
  return {
    'policies.import': async ({ body }, context) => {
      const { scope } = context;
      requireLeft(mayImport, scope);
      const { files, license, replace } = body;
      const documents = await sigma.read({ files, ...(license === undefined ? {} : { license }) });
      const read = { documents, replace };
      if (body.dry_run) return await db.read(scope.tenantId, (tx) => dryImport(tx, scope, read));
      const request = { route: 'policies.import', tenant: scope.tenantId, context, asked: body } as const;
      const before = await db.read(scope.tenantId, async (tx) => ({
        isAnswered: (await parts.keyedAnswers.answered(tx, request)) !== undefined,
        replaced: replace ? await replacedAtWork(tx, scope, documents) : [],
      }));
      if (!before.isAnswered) await confirmReplacing(parts, before.replaced, context);
      const measured = new Map(before.replaced.map(({ id, rule }) => [id, rule]));
      return await db.tenant(scope.tenantId, (tx) =>
        parts.keyedAnswers.once(tx, request, () =>
          importPolicies(parts, tx, scope, { ...read, measured }, changedBy(context)),
        ),
      );
    },
  } satisfies Partial<Handlers<RouteIds>>;
}

async function confirmReplacing(parts: Parts, replaced: readonly PolicyRow[], context: TenantContext): Promise<void> {
  const { scope, confirm, signal } = context;
  const working = replaced.map(({ rule }) => ({ scope, rule, name: rule.name }));
  await confirmBreadthOfAll(parts, working, {
    object: hashOf(replaced.map(({ id, rule }) => [id, rule])),
    title: refusal('ASK_POLICY_RENEW'),
    action_label: refusal('ASK_LABEL_RENEW'),
    confirm,
    signal,
  });
}
