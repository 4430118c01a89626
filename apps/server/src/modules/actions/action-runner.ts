import { withCallMark } from '@airdeck/connector-kit/call-mark';
import type { ActionDefinition } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { SecretError } from '@airdeck/connector-kit/secrets';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';
import { productName } from '@airdeck/domain/product-name';
import { EngineError, StepFailure } from '@airdeck/engine/errors';
import type { Database } from '../../storage/database.ts';
import type { Tx } from '../../storage/schema.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorsService, OpenedConnector } from '../connectors/connectors-service.ts';
import type { ActionCatalogue } from './action-catalogue.ts';
import { resultOfAnswers, resultOfFailure, withAnswers } from './call-result.ts';
import { type CircuitBreakers, FAILURES_IN_A_ROW, type Pass, type Refusal } from './circuit-breaker.ts';
import { fromOwnStore } from './own-store.ts';
import { redactedValue } from './redacted-value.ts';

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
  circuits: Pick<CircuitBreakers, 'enter'>;
  now: () => Date;
};

export function createActionRunner(deps: Dependencies): ActionRunner {
  return {
    async run(call) {
      const { scope } = call;
      const { action, connector } = await openConnector(deps, call);
      const redact = createRedactor(connector.secrets);
      const pass = passFor(deps, scope, connector);
      const { egress, wasAnswered } = withAnswers(deps.egress, pass.answered);
      const begunAtMs = deps.now().getTime();
      try {
        const output = await action.run({
          tenant: scope.tenantId,
          config: connector.config,
          input: call.input as JsonObject,
          egress: withCallMark(egress, call.beforeCall),
          signal: call.signal,
          now: deps.now,
          idempotencyKey: call.idempotencyKey,
        });
        pass.report(resultOfAnswers(wasAnswered()));
        // Vendors echo credentials in answers too, and an output is stored and shown.
        return redactedValue(output, redact) as JsonObject;
      } catch (error) {
        const tookMs = deps.now().getTime() - begunAtMs;
        pass.report(resultOfFailure(error, { wasAnswered: wasAnswered(), tookMs, signal: call.signal }));
        // A lost lease is the engine's own refusal to call out, not the vendor's.
        if (error instanceof EngineError) throw error;
        throw asStepFailure(error, redact);
      }
    },
  };
}

/** Before anything is sent: a call that is refused had no effect, and costs none of its attempts. */
function passFor({ circuits }: Pick<Dependencies, 'circuits'>, scope: TenantScope, connector: OpenedConnector): Pass {
  const entered = circuits.enter({
    tenantId: scope.tenantId,
    connectorId: connector.id,
    version: connector.changedAt.toISOString(),
  });
  if ('report' in entered) return entered;
  throw new StepFailure('CIRCUIT_OPEN', wordsOf(entered), {
    retryable: true,
    isPostponed: true,
    retryAfterMs: entered.refusedForMs,
  });
}

function wordsOf({ refusedForMs, isProbing }: Refusal): string {
  const next = isProbing
    ? 'One call is being tried now.'
    : `The next call is tried in ${Math.ceil(refusedForMs / 1000)} s.`;
  return `This integration did not answer ${FAILURES_IN_A_ROW} times in a row. ${next}`;
}

/** The action as its tenant knows it, and the connector it acts on; nothing is opened for an input that does not fit. */
async function openConnector(
  { db, catalogue, connectors }: Pick<Dependencies, 'db' | 'catalogue' | 'connectors'>,
  { scope, actionName, connectorId, input, signal }: ActionCall,
): Promise<{ action: ActionDefinition; connector: OpenedConnector }> {
  try {
    const open = async (tx: Tx) => {
      const action = await catalogue.find(actionName, tx, scope);
      if (!action) throw new StepFailure('ACTION_UNKNOWN', `There is no action ${actionName}.`);
      const [problem] = catalogue.checkInput(action, input);
      if (problem) throw new StepFailure('ACTION_INPUT_INVALID', `${problem.path} ${problem.message}`);
      const connector = await connectors.open(tx, scope, { definitionId: action.definition_id, connectorId });
      if (connector) return { action, connector };
      throw new StepFailure('CONNECTOR_UNAVAILABLE', `No working ${productName(action)} connector is configured.`);
    };
    return await fromOwnStore(() => db.tenant(scope.tenantId, open), signal);
  } catch (error) {
    if (error instanceof SecretError) throw new StepFailure('CONNECTOR_UNAVAILABLE', error.message, { cause: error });
    // What nobody thought of is the engine's to tell: it is logged there, and its words are not for who reads a run.
    throw error;
  }
}

function asStepFailure(error: unknown, redact: (text: string) => string): StepFailure {
  const failure = toVendorFailure(error, redact);
  return new StepFailure(failure.code, failure.message, {
    retryable: failure.retryable,
    outcomeUnknown: failure.outcome_unknown,
    ...(failure.retry_after_s === undefined ? {} : { retryAfterMs: failure.retry_after_s * 1000 }),
    cause: error,
  });
}
