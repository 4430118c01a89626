import type { FastifyInstance } from 'fastify';
import type { VendorFailures } from './disturbances.ts';
import type { SandboxMemory } from './sandbox-state.ts';

export type SandboxVendor = 'abuseipdb' | 'fortigate';

/** One vendor's API in the sandbox, served below `/<id>`. Adding a vendor is one file of this shape and one list entry. */
export type VendorApi = {
  readonly id: SandboxVendor;
  readonly failures: VendorFailures;
  register(app: FastifyInstance, context: VendorContext): void;
};

export type VendorContext = {
  readonly memory: SandboxMemory;
  /** Credential callers must present. */
  readonly key: string;
  readonly now: () => Date;
};
