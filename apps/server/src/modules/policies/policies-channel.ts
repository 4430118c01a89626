/** Announces the id of a tenant whose policies changed, to every process. */
export const POLICIES_CHANNEL = 'airdeck_policies';
