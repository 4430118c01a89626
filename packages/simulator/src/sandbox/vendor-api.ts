import type { FastifyInstance } from 'fastify';
import type { VendorFailures } from './disturbances.ts';

/**
 * One vendor's API in the sandbox, served below `/<id>`. Made anew for every sandbox by a factory, so that what it
 * remembers is its own. Adding a vendor is one file that exports such a factory, and its entry in `sandbox.ts`.
 */
export type VendorApi = {
  /** The definition id of its connector: `okta`. */
  readonly id: string;
  readonly failures: VendorFailures;
  register(app: FastifyInstance, context: VendorContext): void;
  /** What it remembers, as JSON, shown at `GET /sandbox/state`. Never a credential. */
  state?(): unknown;
  /** Back to how it began. */
  reset?(): void;
};

export type VendorContext = {
  /** Credential callers must present. */
  readonly key: string;
  readonly now: () => Date;
  /** Where this vendor's API is reached, for links to next pages: `http://127.0.0.1:4600/okta`. Known once it listens. */
  readonly url: () => string;
};
