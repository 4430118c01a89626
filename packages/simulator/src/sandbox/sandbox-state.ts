import type { FirewallState } from './fortigate-api.ts';
import type { ReceivedHook } from './hook-receiver.ts';

/** One call a vendor's API received. Credentials are left out: the state is readable without one. */
export type ReceivedCall = {
  readonly at: string;
  readonly vendor: string;
  readonly method: string;
  /** Path and query as sent, below the vendor's prefix. */
  readonly path: string;
  readonly body: unknown;
  readonly status: number;
};

/** Everything the sandbox shows at `GET /sandbox/state`: the calls, and by its id what each vendor remembers. */
export type SandboxState = Readonly<Record<string, unknown>> & {
  readonly calls: readonly ReceivedCall[];
  readonly hooks: readonly ReceivedHook[];
  readonly fortigate: FirewallState;
};

export type CallLog = {
  list(): readonly ReceivedCall[];
  add(call: ReceivedCall): void;
  clear(): void;
};

/** Calls kept; older ones are forgotten so that a demo can run for weeks. */
const MAX_CALLS = 2000;

export function createCallLog(): CallLog {
  const calls: ReceivedCall[] = [];
  return {
    list: () => [...calls],
    add(call) {
      calls.push(call);
      if (calls.length > MAX_CALLS) calls.splice(0, calls.length - MAX_CALLS);
    },
    clear: () => void calls.splice(0),
  };
}

/** Names of body fields that are credentials wherever they stand: of OAuth forms and sign-ins. */
const credentialFields: ReadonlySet<string> = new Set(['client_secret', 'client_assertion', 'assertion', 'password']);

/** A received path or body, without the vendor's key and without fields that are credentials by name. */
export function withoutCredentials(value: unknown, key: string): unknown {
  if (typeof value === 'string') return value.replaceAll(key, '[credential]');
  if (Array.isArray(value)) return value.map((item) => withoutCredentials(item, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]): [string, unknown] => [
      name,
      credentialFields.has(name) ? '[credential]' : withoutCredentials(item, key),
    ]),
  );
}
