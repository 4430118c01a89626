import type { Engine } from '@airdeck/engine/interfaces';
import { AppError } from '../../http/app-error.ts';
import type { TenantContext } from '../../http/handlers.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import { auditActor } from '../audit/audit-actor.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { EnginePool } from './engine-pool.ts';

type Dependencies = {
  engine: Pick<Engine, 'cancelRun'>;
  enginePool: Pick<EnginePool, 'client'>;
  audit: Pick<AuditLog, 'record'>;
};

export type Canceller = Pick<TenantContext, 'caller' | 'requestId'>;

/** A person cancels a run, of a playbook or of one action. Throws RUN_FINISHED when there is nothing to cancel. */
export async function cancelRun(
  { engine, enginePool, audit }: Dependencies,
  tx: Tx,
  scope: TenantScope,
  runId: string,
  { caller, requestId }: Canceller,
): Promise<void> {
  const request = { tenantId: scope.tenantId, runId, by: caller.username };
  const { changed } = await engine.cancelRun(enginePool.client(tx), request);
  if (!changed) throw new AppError('RUN_FINISHED');
  // After the engine, which locks the run and whatever its own records hold.
  await audit.record(tx, {
    tenant: scope.tenantId,
    actor: auditActor(caller),
    action: 'run.cancel',
    target: { kind: 'run', id: runId },
    outcome: 'ok',
    request_id: requestId,
  });
}
