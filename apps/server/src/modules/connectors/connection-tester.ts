import type { ConnectorDefinition } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { createRedactor } from '@airdeck/connector-kit/redaction';
import { toVendorFailure, VendorError } from '@airdeck/connector-kit/vendor-error';
import type { ConnectionTestResult } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Told } from '@airdeck/contracts/filled-text';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { storableJson, storableText } from '@airdeck/domain/storable-json';
import type { TenantScope } from '../../tenant-scope.ts';
import { redactedValue } from '../actions/redacted-value.ts';

const TEST_TIMEOUT_MS = 30_000;
/** What a vendor tells of itself is shown, not collected. */
const METADATA_MAX_CHARS = 8_192;
const MESSAGE_MAX_CHARS = 1_000;

/** `code` and `retryAfterS` say more about a failure to whoever plans the next try. */
export type Tested = ConnectionTestResult & {
  code: string | null;
  retryable: boolean;
  retryAfterS: number | undefined;
};

export type TestCall = {
  scope: TenantScope;
  definition: ConnectorDefinition;
  /** Secrets in the clear, and which of it they are. */
  config: JsonObject;
  secrets: readonly string[];
  signal: AbortSignal;
};

/** Tests a connection and turns whatever happens into a result. Never throws, never lets a secret through. */
export type ConnectionTester = (call: TestCall) => Promise<Tested>;

export function createConnectionTester(deps: { egress: Egress; now: () => Date }): ConnectionTester {
  return async ({ scope, definition, config, secrets, signal }) => {
    if (!definition.testConnection) {
      return {
        ...wentWell,
        status: 'skipped',
        ...refusal('CONNECTOR_NOTHING_TO_TEST', { name: definition.name }),
        duration_ms: 0,
      };
    }
    const redact = createRedactor(secrets);
    const began = performance.now();
    const took = () => Math.round(performance.now() - began);
    try {
      const { message, metadata } = await definition.testConnection({
        tenant: scope.tenantId,
        config,
        egress: deps.egress,
        signal: AbortSignal.any([signal, AbortSignal.timeout(TEST_TIMEOUT_MS)]),
        now: deps.now,
      });
      return {
        ...wentWell,
        status: 'success',
        message: kept(redact(message)),
        metadata: bounded(redactedValue(metadata, redact) as JsonObject),
        duration_ms: took(),
      };
    } catch (error) {
      const { code, message, retryable, retry_after_s: retryAfterS } = toVendorFailure(error, redact);
      const told = toldOfFailure(error, message);
      return { status: 'error', ...told, metadata: {}, duration_ms: took(), code, retryable, retryAfterS };
    }
  };
}

const wentWell = { metadata: {}, code: null, retryable: false, retryAfterS: undefined };

/** Our own words; what vendors say stays as it is, and what a secret was taken out of. */
export function toldOfFailure(error: unknown, message: string): Told {
  const isOurs = error instanceof EgressError || error instanceof VendorError;
  const said = kept(message);
  if (isOurs && error.message === said) return error.told;
  return { message: said, reason: undefined, values: undefined };
}

function kept(message: string): string {
  return storableText(message.slice(0, MESSAGE_MAX_CHARS));
}

function bounded(metadata: JsonObject): JsonObject {
  const text = storableJson(metadata);
  return text.length <= METADATA_MAX_CHARS ? (JSON.parse(text) as JsonObject) : {};
}
