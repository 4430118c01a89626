import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';

/** Ways a vendor misbehaves, for demonstrations and tests. Each is used up by the calls it hits. */
export const disturbanceKinds = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'unavailable',
  'html',
  'cut_json',
  'error_in_200',
  'redirect',
  'slow',
] as const;
export type DisturbanceKind = (typeof disturbanceKinds)[number];

/** As it is asked for. Fastify's own checks would load a compiler of schemas at every start, for this alone. */
export const disturbanceSchema = z
  .strictObject({
    vendor: z.string(),
    kind: z.enum(disturbanceKinds),
    /** Calls it hits, default 1. */
    times: z.int().min(1).max(1_000).optional(),
    /** Milliseconds a slow answer waits, default 1000. */
    delay_ms: z.int().min(0).max(120_000).optional(),
    /** Hits only calls whose path below the vendor's prefix begins so: the API, but not the call for its token. */
    path: z.string().max(500).optional(),
  })
  .readonly();
export type Disturbance = z.infer<typeof disturbanceSchema>;

/** A call as a disturbance sees it; `path` is below the vendor's prefix. */
export type DisturbedCall = { readonly vendor: string; readonly path: string; readonly failures: VendorFailures };

/** A vendor's own words for each kind, in the shape it publishes. */
export type VendorFailures = Partial<
  Record<DisturbanceKind, { status: number; headers?: Record<string, string>; body: unknown }>
>;

export type Disturbances = {
  add(disturbance: Disturbance): void;
  clear(): void;
  /** Answers in the vendor's place when a disturbance is due; false when the call should go on as usual. */
  apply(call: DisturbedCall, reply: FastifyReply): Promise<boolean>;
};

const html = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Please sign in</body></html>';

const commonFailures: VendorFailures = {
  unavailable: { status: 503, headers: { 'content-type': 'text/html' }, body: '<h1>503 Service Unavailable</h1>' },
  html: { status: 200, headers: { 'content-type': 'text/html' }, body: html },
  cut_json: { status: 200, headers: { 'content-type': 'application/json' }, body: '{"data": {"ipAddr' },
  redirect: { status: 302, headers: { location: 'http://198.51.100.99/login' }, body: '' },
};

export function createDisturbances(): Disturbances {
  const due: { disturbance: Disturbance; left: number }[] = [];
  return {
    add: (disturbance) => void due.push({ disturbance, left: disturbance.times ?? 1 }),
    clear: () => void due.splice(0),

    async apply({ vendor, path, failures }, reply) {
      const index = due.findIndex(
        ({ disturbance }) => disturbance.vendor === vendor && path.startsWith(disturbance.path ?? ''),
      );
      const entry = due[index];
      if (entry === undefined) return false;
      entry.left -= 1;
      if (entry.left <= 0) due.splice(index, 1);
      if (entry.disturbance.kind === 'slow') {
        await wait(entry.disturbance.delay_ms ?? 1000);
        return false;
      }
      const failure = failures[entry.disturbance.kind] ?? commonFailures[entry.disturbance.kind];
      if (failure === undefined) return false;
      reply.code(failure.status).headers(failure.headers ?? {});
      await reply.send(failure.body);
      return true;
    },
  };
}
