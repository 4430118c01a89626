/**
 * How far the time of an event may be from when it came, before its sender's clock is thought to be wrong. Lines wait in
 * queues for minutes and hours, so the past is given more than the future, which nobody has seen.
 */
export const clockTolerance = { aheadMs: 5 * 60_000, behindMs: 86_400_000 } as const;
