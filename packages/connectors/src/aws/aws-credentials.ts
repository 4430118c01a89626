/**
 * What calls are signed with: the connector's own access key, or the short-lived session of the role it takes on.
 *
 * Sessions are kept in memory only, by tenant and a digest of the whole configuration, so that another tenant, key or role
 * never meets a kept one. One request at a time per key; whoever asks meanwhile waits for it. A session is used until five
 * minutes before its end or until AWS refuses it (`forget`). A crash forgets all of them, which costs one request each.
 */
import { createHash } from 'node:crypto';
import type { ConnectorContext } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { refusal } from '@airdeck/contracts/refusal-texts';
import { configText, configTextOr } from '../config-values.ts';
import { type XmlElement, xmlText } from '../xml.ts';
import type { AwsCredentials } from './aws-signing.ts';

/** Asks STS for a session, signed with the connector's own key. Resolves to the result element. */
type AssumeRole = (
  context: ConnectorContext,
  credentials: AwsCredentials,
  parameters: Readonly<Record<string, string>>,
) => Promise<XmlElement>;

export interface AwsCredentialSource {
  of(context: ConnectorContext): Promise<AwsCredentials>;
  /** Forgets the session, if `refused` is still the kept one. False when there is nothing that could be renewed. */
  forget(context: ConnectorContext, refused: AwsCredentials): boolean;
}

type Session = AwsCredentials & { readonly usableUntilMs: number };

const MAX_SESSIONS = 2000;
const SESSION_S = 3600;
const MARGIN_MS = 300_000;
const REQUEST_TIMEOUT_MS = 15_000;
const SESSION_NAME = 'airdeck';

export function createAwsCredentials(assumeRole: AssumeRole): AwsCredentialSource {
  const kept = new Map<string, Session>();
  const underWay = new Map<string, Promise<Session>>();

  function keep(key: string, session: Session): void {
    kept.set(key, session);
    const oldest = kept.size > MAX_SESSIONS ? kept.keys().next() : undefined;
    if (oldest?.done === false) kept.delete(oldest.value);
  }

  function startOnce(key: string, context: ConnectorContext): Promise<Session> {
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const started = requestSession(assumeRole, context)
      .then((session) => {
        keep(key, session);
        return session;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, started);
    // Whoever waits gets the failure; that all of them gave up meanwhile is not a failure of the process.
    started.catch(() => undefined);
    return started;
  }

  return {
    async of(context) {
      if (configTextOr(context.config, 'role_arn', '') === '') return ownCredentials(context);
      const key = fingerprint(context);
      const session = kept.get(key);
      if (session !== undefined && session.usableUntilMs > context.now().getTime()) return session;
      return untilAborted(startOnce(key, context), context.signal);
    },
    forget(context, refused) {
      if (refused.sessionToken === undefined) return false;
      const key = fingerprint(context);
      if (kept.get(key)?.sessionToken === refused.sessionToken) kept.delete(key);
      return true;
    },
  };
}

function ownCredentials({ config }: Pick<ConnectorContext, 'config'>): AwsCredentials {
  return {
    accessKeyId: configText(config, 'access_key_id'),
    secretAccessKey: configText(config, 'secret_access_key'),
  };
}

/** Not the caller's signal: others may be waiting for the same session. */
async function requestSession(assumeRole: AssumeRole, context: ConnectorContext): Promise<Session> {
  const externalId = configTextOr(context.config, 'external_id', '');
  const result = await assumeRole(
    { ...context, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) },
    ownCredentials(context),
    {
      RoleArn: configText(context.config, 'role_arn'),
      RoleSessionName: SESSION_NAME,
      DurationSeconds: String(SESSION_S),
      ...(externalId === '' ? {} : { ExternalId: externalId }),
    },
  );
  const [accessKeyId, secretAccessKey, sessionToken, expiration] = (
    ['AccessKeyId', 'SecretAccessKey', 'SessionToken', 'Expiration'] as const
  ).map((name) => xmlText(result, 'Credentials', name) ?? '');
  const expiresMs = Date.parse(expiration ?? '');
  // They go into headers: what could not stand in one is no credential.
  if (!isToken(accessKeyId) || !isToken(secretAccessKey) || !isToken(sessionToken) || Number.isNaN(expiresMs)) {
    throw new VendorError('VENDOR_ANSWER_UNREADABLE', 'AWS answered without a usable session for the role.');
  }
  const startedMs = context.now().getTime();
  // A session that is short, or a clock that is wrong, must not leave none at all.
  const usableUntilMs = Math.max(expiresMs - MARGIN_MS, startedMs + (expiresMs - startedMs) / 2);
  return { accessKeyId, secretAccessKey, sessionToken, usableUntilMs };
}

function isToken(text: string | undefined): text is string {
  return text !== undefined && /^[\x21-\x7e]{1,16384}$/.test(text);
}

/** A digest, so that no secret is a key of a map that shows up in a heap dump or a debugger. */
function fingerprint({ tenant, config }: ConnectorContext): string {
  const fields = Object.entries(config).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([tenant, fields]))
    .digest('base64');
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) throw cancelled();
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(cancelled());
  });
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

function cancelled(): EgressError {
  return new EgressError('ABORTED', refusal('EGRESS_SESSION_CANCELLED'));
}
