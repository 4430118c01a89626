/**
 * Token buckets by name. A bucket holds `burst` tokens and gets `perSecond` of them back. Whoever finds one token may take
 * several, and the bucket owes the rest: if all had to be there, a flood of small takers would never leave enough for a large one.
 *
 * No timers: a bucket is reckoned when it is asked. It is kept in one of two generations and moves to the young one whenever it
 * is asked; a generation lasts as long as one that owes all it may owe takes to fill. So one that nobody asked for a
 * whole generation is full, and is forgotten without anybody noticing. Where more than `namesMax` were asked meanwhile, a generation ends early:
 * somebody may then get more than their pace, and memory stays bounded.
 */
export type Pace = { readonly perSecond: number; readonly burst: number };

export type TokenBuckets = {
  hasSome(name: string): boolean;
  /** What is there; less than nothing where tokens are owed. */
  left(name: string): number;
  /** Ask before. Fewer than none gives some back. */
  take(name: string, tokens: number): void;
  /** How many names are remembered. */
  size(): number;
};

type Bucket = { tokens: number; atMs: number };
type Dependencies = {
  pace: Pace;
  /** So many tokens may be owed before somebody who owes more is forgotten too early. Default: a burst. */
  owedMax?: number;
  namesMax: number;
  /** Only ever grows. */
  nowMs: () => number;
};

export function createTokenBuckets({ pace, owedMax = pace.burst, namesMax, nowMs }: Dependencies): TokenBuckets {
  const { perSecond, burst } = pace;
  const generationMs = ((burst + owedMax) * 1_000) / perSecond;
  let young = new Map<string, Bucket>();
  let old = new Map<string, Bucket>();
  let endsAtMs = nowMs() + generationMs;

  function bucketOf(name: string): Bucket {
    const now = nowMs();
    if (now >= endsAtMs || young.size >= namesMax) {
      [old, young] = [young, new Map()];
      endsAtMs = now + generationMs;
    }
    let bucket = young.get(name);
    if (bucket === undefined) {
      bucket = old.get(name) ?? { tokens: burst, atMs: now };
      young.set(name, bucket);
      old.delete(name);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.atMs) * perSecond) / 1_000);
    bucket.atMs = now;
    return bucket;
  }

  return {
    hasSome: (name) => bucketOf(name).tokens >= 1,
    left: (name) => bucketOf(name).tokens,
    take(name, tokens) {
      bucketOf(name).tokens -= tokens;
    },
    size: () => young.size + old.size,
  };
}
