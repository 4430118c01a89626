import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { SecretError } from '@airdeck/connector-kit/secrets';
import { toVendorFailure } from '@airdeck/connector-kit/vendor-error';
import type { Database } from '../../storage/database.ts';
import type { TenantScope } from '../../tenant-scope.ts';
import type { ConnectorsService, OpenedConnector } from '../connectors/connectors-service.ts';

const CALLS_TIMEOUT_MS = 60_000;

export type CallResult<T> = { ok: true; value: T } | { ok: false; code: string; message: string };

type Call<T> = {
  /** Null takes the tenant's default one. */
  connectorId: string | null;
  signal: AbortSignal;
  /** Beside those of the connector. */
  secrets?: readonly string[];
  /** Shorter than the usual limit. */
  timeoutMs?: number;
  work: (context: ConnectorContext, connectorId: string) => Promise<T>;
};

export type GraylogCalls = <T>(scope: TenantScope, call: Call<T>) => Promise<CallResult<T>>;

/** Works on a tenant's Graylog through its connector. What goes wrong there is an answer, in words without secrets. */
export function createGraylogCalls(deps: {
  db: Pick<Database, 'tenant'>;
  connectors: Pick<ConnectorsService, 'open'>;
  egress: Egress;
  now: () => Date;
}): GraylogCalls {
  async function open(scope: TenantScope, connectorId: string | null): Promise<OpenedConnector | undefined> {
    return await deps.db.tenant(scope.tenantId, (tx) =>
      deps.connectors.open(tx, scope, { definitionId: 'graylog', connectorId }),
    );
  }

  return async (scope, { connectorId, signal, secrets = [], timeoutMs = CALLS_TIMEOUT_MS, work }) => {
    const redactors: ((text: string) => string)[] = [];
    try {
      const connector = await open(scope, connectorId);
      if (connector === undefined) {
        const message = 'There is no Graylog connector that works: it was deleted, paused or switched off.';
        return { ok: false, code: 'CONNECTOR_UNAVAILABLE', message };
      }
      redactors.push(createRedactor([...connector.secrets, ...secrets]));
      const context = {
        tenant: scope.tenantId,
        config: connector.config,
        egress: deps.egress,
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
        now: deps.now,
      };
      return { ok: true, value: await work(context, connector.id) };
    } catch (error) {
      if (error instanceof SecretError) return { ok: false, code: 'CONNECTOR_UNAVAILABLE', message: error.message };
      const failure = toVendorFailure(error, (text) => redactors.reduce((seen, redact) => redact(seen), text));
      // Ours to mend, not Graylog's doing: whoever works on it tries again.
      if (failure.code === 'CONNECTOR_FAILED') throw error;
      return { ok: false, code: failure.code, message: failure.message };
    }
  };
}
