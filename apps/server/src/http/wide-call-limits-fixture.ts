import { type CallLimits, callLimits } from './call-limits.ts';

const wide = { perSecond: 100_000, burst: 1_000_000 };

/** As many at once as in the product; only their number is not limited. */
export const wideCallLimits: CallLimits = {
  ...{ person: wide, tenant: wide, address: wide, stranger: wide, urgent: wide },
  // The same whoever else called lately.
  atOnce: { ...callLimits.atOnce, besideOthers: callLimits.atOnce.perTenant },
};
