import type { JobHandler } from '@airdeck/engine/interfaces';

/** Done for all tenants at once, when the clock says so. */
export type ClockedJob = { readonly kind: string; readonly expression: string; readonly handler: JobHandler };
