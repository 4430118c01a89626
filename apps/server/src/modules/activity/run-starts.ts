import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDefinition } from '@airdeck/contracts/playbooks/schema';
import { type Definition, singleActionDefinition } from '@airdeck/engine/definition';
import type { Engine, Run, SqlClient, StartedRun } from '@airdeck/engine/interfaces';
import { findRun, findRunByKey } from '@airdeck/engine/reads';
import { AppError } from '../../http/app-error.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ActionCatalogue } from '../actions/action-catalogue.ts';
import type { RunnablePlaybook } from '../playbooks/playbooks-port.ts';
import type { EnginePool } from './engine-pool.ts';
import { type RunTrigger, readTrigger } from './run-trigger.ts';
import { refusingInvalid, requireStartable, traitsFor } from './startable.ts';

export type RunStartDependencies = {
  engine: Pick<Engine, 'startRun'>;
  enginePool: Pick<EnginePool, 'client'>;
  /** What the engine must know of an action to repeat it safely; undefined when there is no such action. */
  traitsOf: ActionCatalogue['traits'];
  actions: Pick<ActionCatalogue, 'find' | 'checkInput'>;
};

/** A playbook with the stored one it is of, where it is of one; or one action. */
type StartedThing =
  | ({ kind: 'playbook'; name: string; definition: PlaybookDefinition } & Partial<
      Pick<RunnablePlaybook, 'playbookId' | 'version'>
    >)
  | { kind: 'action'; name: string };

type RunStart = {
  scope: TenantScope;
  what: StartedThing;
  inputs: JsonObject;
  trigger: RunTrigger;
  /**
   * Id of the API key it is asked for with. Beside the trigger and not in it: the release before reads no trigger with
   * more in it than it knows, and expressions of playbooks read all of it.
   */
  startedWith?: string | undefined;
  dedupKey: string;
  runAt?: Date | undefined;
  dryRun?: boolean;
};

export type StartRunOf = (tx: Tx, start: RunStart) => Promise<StartedRun>;

/**
 * The one door to the engine for everything that starts something. A second start with the same key answers with the run of
 * the first; throws IDEMPOTENCY_KEY_REUSED when that was asked for something else (`request_hash` of the trigger).
 */
export function createRunStarts(deps: RunStartDependencies): StartRunOf {
  return async (tx, { scope, what, inputs, trigger, startedWith, dedupKey, runAt, dryRun }) => {
    const sql = deps.enginePool.client(tx);
    await requireStartable(deps.actions, tx, scope, { what, inputs });
    const definition = what.kind === 'playbook' ? what.definition : singleActionDefinition({ name: what.name });
    const traits = await traitsFor(definition, (name) => deps.traitsOf(name, tx, scope));
    const request = { ...trigger, ...playbookOf(what) };
    return await startOnce(sql, { tenantId: scope.tenantId, trigger: request }, () =>
      refusingInvalid(() =>
        deps.engine.startRun(sql, {
          tenantId: scope.tenantId,
          kind: what.kind === 'playbook' ? 'playbook' : 'adhoc',
          name: what.name,
          // Same grammar; the contract's optional fields may be present as undefined, which JSON drops when it is stored.
          definition: definition as Definition,
          traits,
          inputs: what.kind === 'playbook' ? inputs : { input: inputs },
          trigger: request,
          subject: trigger.case_id,
          dedupKey,
          ...(startedWith === undefined ? {} : { startedWith }),
          ...(runAt === undefined ? {} : { runAt }),
          ...(dryRun === true ? { dryRun } : {}),
        }),
      ),
    );
  };
}

/** Throws IDEMPOTENCY_KEY_REUSED when what the key has started was asked for otherwise. */
export async function startOnce(
  sql: SqlClient,
  { tenantId, trigger }: { tenantId: string; trigger: RunTrigger },
  start: () => Promise<StartedRun>,
): Promise<StartedRun> {
  const started = await start();
  if (started.created) return started;
  const known = await findRun(sql, { tenantId, runId: started.runId });
  if (known && readTrigger(known.trigger).request_hash !== trigger.request_hash) {
    throw new AppError('IDEMPOTENCY_KEY_REUSED');
  }
  return started;
}

/**
 * The run a key has started, so that it is answered with it whatever would be refused by now. Throws IDEMPOTENCY_KEY_REUSED
 * when that was asked for something else.
 */
export async function runOfKey(
  sql: SqlClient,
  { tenantId, dedupKey, requestHash }: { tenantId: string; dedupKey: string; requestHash: string },
): Promise<Run | undefined> {
  const run = await findRunByKey(sql, { tenantId, dedupKey });
  if (run && readTrigger(run.trigger).request_hash !== requestHash) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return run;
}

/** What each of these keys has started, and with which request; keys that have started nothing are missing. */
export async function runsOfKeys(
  sql: SqlClient,
  { tenantId, dedupKeys }: { tenantId: string; dedupKeys: readonly string[] },
): Promise<ReadonlyMap<string, { runId: string; requestHash: string | undefined }>> {
  const { rows } = await sql.query<{ dedup_key: string; id: string; trigger: unknown }>(
    'select dedup_key, id, trigger from engine.run where tenant_id = $1 and dedup_key = any($2::text[])',
    [tenantId, dedupKeys],
  );
  const found = rows.map(({ dedup_key: key, id: runId, trigger }) => {
    const { request_hash: requestHash } = readTrigger(trigger);
    return [key, { runId, requestHash }] as const;
  });
  return new Map(found);
}

function playbookOf(what: StartedThing): Pick<RunTrigger, 'playbook_id' | 'playbook_version'> {
  if (what.kind !== 'playbook' || what.playbookId == null) return {};
  return { playbook_id: what.playbookId, playbook_version: what.version ?? 0 };
}
