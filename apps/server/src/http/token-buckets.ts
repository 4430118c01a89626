/**
 * Token buckets by name. A bucket holds `burst` tokens and gets `perSecond` of them back; what is taken beyond them is refused
 * and costs nothing.
 *
 * No timers: a bucket is reckoned when it is asked. It is kept in one of two generations and moves to the young one whenever it
 * is asked; a generation lasts as long as an empty bucket takes to fill. So one that nobody asked for a whole generation is
 * full, and is forgotten without anybody noticing. Where more than `namesMax` were asked meanwhile, a generation ends early:
 * somebody may then get more than their pace, and memory stays bounded.
 */
export type Pace = { readonly perSecond: number; readonly burst: number };

export type TokenBuckets = {
  has(name: string, tokens: number): boolean;
  /** Takes them; ask `has` before. */
  take(name: string, tokens: number): void;
  /** How many names are remembered. */
  size(): number;
};

type Bucket = { tokens: number; atMs: number };
type Dependencies = {
  pace: Pace;
  namesMax: number;
  /** Only ever grows. */
  nowMs: () => number;
};

export function createTokenBuckets({ pace, namesMax, nowMs }: Dependencies): TokenBuckets {
  const { perSecond, burst } = pace;
  const generationMs = (burst / perSecond) * 1_000;
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
    has: (name, tokens) => bucketOf(name).tokens >= tokens,
    take(name, tokens) {
      bucketOf(name).tokens -= tokens;
    },
    size: () => young.size + old.size,
  };
}
