import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { Egress } from '@airdeck/connector-kit/egress';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { EngineError, StepFailure } from '@airdeck/engine/errors';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorsService } from '../connectors/connectors-service.ts';
import type { ActionCatalogue } from './action-catalogue.ts';

export type ActionCall = {
  scope: TenantScope;
  actionName: string;
  /** Null takes the tenant's default connector of the integration. */
  connectorId: string | null;
  input: unknown;
  idempotencyKey: string;
  signal: AbortSignal;
  /** Awaited before the first request that could change something leaves the process. */
  beforeCall: () => Promise<void>;
};

/** Runs one attempt of an action on a tenant's connector. Throws `StepFailure` with the one shape of vendor errors. */
export interface ActionRunner {
  run(call: ActionCall): Promise<JsonObject>;
}

type Dependencies = {
  db: Pick<Database, 'tenant'>;
  catalogue: Pick<ActionCatalogue, 'find' | 'checkInput'>;
  connectors: Pick<ConnectorsService, 'open'>;
  egress: Egress;
  now: () => Date;
};

export function createActionRunner(deps: Dependencies): ActionRunner {
  return {
    async run(call) {
      const { scope } = call;
      const action = deps.catalogue.find(call.actionName);
      if (!action) throw new StepFailure('ACTION_UNKNOWN', `There is no action ${call.actionName}.`);
      const [problem] = deps.catalogue.checkInput(call.actionName, call.input);
      if (problem) throw new StepFailure('ACTION_INPUT_INVALID', `${problem.path} ${problem.message}`);
      const wanted = { definitionId: action.definition_id, connectorId: call.connectorId };
      const connector = await deps.db.tenant(scope.tenantId, (tx) => deps.connectors.open(tx, scope, wanted));
      if (!connector) {
        throw new StepFailure(
          'CONNECTOR_UNAVAILABLE',
          `No working ${action.vendor} ${action.product} connector is configured.`,
        );
      }
      try {
        return await action.run({
          tenant: scope.tenantId,
          config: connector.config,
          input: call.input as JsonObject,
          egress: withCallMark(deps.egress, call.beforeCall),
          signal: call.signal,
          now: deps.now,
          idempotencyKey: call.idempotencyKey,
        });
      } catch (error) {
        // A lost lease is the engine's own refusal to call out, not the vendor's.
        if (error instanceof EngineError) throw error;
        throw asStepFailure(error, connector.secrets);
      }
    },
  };
}

/** A request that may have reached the vendor without an answer has an unknown outcome. */
const unansweredCodes: ReadonlySet<string> = new Set(['TIMEOUT', 'CONNECT_FAILED', 'ABORTED', 'BODY_TOO_LARGE']);

function asStepFailure(error: unknown, secrets: readonly string[]): StepFailure {
  const failure = toVendorFailure(error, createRedactor(secrets));
  return new StepFailure(failure.code, failure.message, {
    retryable: failure.retryable,
    outcomeUnknown: unansweredCodes.has(failure.code),
    ...(failure.retry_after_s === undefined ? {} : { retryAfterMs: failure.retry_after_s * 1000 }),
    cause: error,
  });
}
