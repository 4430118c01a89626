import type { ActionContext } from '@airdeck/connector-kit/definition';
import type { GuardedEgress } from '@airdeck/connector-kit/egress';
import { createEgress } from '@airdeck/connector-kit/egress';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Sandbox, SandboxVendor } from '@airdeck/simulator/sandbox/sandbox';
import { sandboxVendors, startSandbox } from '@airdeck/simulator/sandbox/sandbox';

/** The credential of every vendor in the sandbox: `sandboxKeys.okta`. */
export const sandboxKeys = Object.fromEntries(sandboxVendors.map((id) => [id, `${id}-key-for-tests`])) as Record<
  SandboxVendor,
  string
>;

/** The sandbox and the real egress module with the sandbox as its only exception. For tests of connectors. */
export async function startVendorFixture(): Promise<{
  sandbox: Sandbox;
  egress: GuardedEgress;
  close(): Promise<void>;
}> {
  const sandbox = await startSandbox({ port: 0, keys: sandboxKeys });
  const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port: sandbox.port }], totalTimeoutMs: 5000 });
  return {
    sandbox,
    egress,
    async close() {
      await egress.close();
      await sandbox.close();
    },
  };
}

export function actionContext(
  egress: ActionContext['egress'],
  parts: { config: JsonObject; input?: JsonObject; signal?: AbortSignal },
): ActionContext {
  return {
    tenant: 'tenant-for-tests',
    config: parts.config,
    egress,
    signal: parts.signal ?? new AbortController().signal,
    now: () => new Date('2026-11-20T12:00:00Z'),
    input: parts.input ?? {},
    idempotencyKey: 'run:action:0',
  };
}

/** What a call failed with, or undefined: for tables of failures. */
export async function failureOf(work: Promise<unknown>): Promise<{ code: string; message: string } | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return { code, message };
  }
}
