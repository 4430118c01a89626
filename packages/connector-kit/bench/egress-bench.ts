/**
 * What the guard adds to an outgoing call: the same request through it and through a plain agent of the same HTTP client,
 * in turns, to a server on this machine. Once on kept connections, once on a new one for every call, where the guard
 * resolves, classifies and pins. Every answer is checked.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { performance } from 'node:perf_hooks';
import { Agent } from 'undici';
import { createEgress } from '../src/egress.ts';

export type EgressBenchOptions = { readonly calls: number };

export type EgressBenchResult = {
  readonly kept_plain_p50_ms: number;
  readonly kept_guarded_p50_ms: number;
  readonly kept_added_p50_ms: number;
  readonly fresh_plain_p50_ms: number;
  readonly fresh_guarded_p50_ms: number;
  readonly fresh_added_p50_ms: number;
};

type Call = (path: string) => Promise<string>;

const ANSWER = JSON.stringify({ ok: true, filler: 'x'.repeat(1000) });
const WARM_UP = 200;

export async function runEgressBench({ calls }: EgressBenchOptions): Promise<EgressBenchResult> {
  const server = createServer((request, response) => {
    if (request.url === '/fresh') response.setHeader('connection', 'close');
    response.end(ANSWER);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const agent = new Agent({ connections: 16 });
  const egress = createEgress({ allowLoopback: [{ host: '127.0.0.1', port }], ownNetworks: async () => [] });
  const plain: Call = async (path) => {
    const answer = await agent.request({ origin, path, method: 'GET' });
    return await answer.body.text();
  };
  const guarded: Call = async (path) =>
    (await egress.request({ tenant: 'bench', method: 'GET', url: `${origin}${path}` })).text;
  try {
    const kept = await compare('/kept', { plain, guarded, calls });
    const fresh = await compare('/fresh', { plain, guarded, calls: Math.ceil(calls / 4) });
    return {
      kept_plain_p50_ms: kept.plain,
      kept_guarded_p50_ms: kept.guarded,
      kept_added_p50_ms: kept.guarded - kept.plain,
      fresh_plain_p50_ms: fresh.plain,
      fresh_guarded_p50_ms: fresh.guarded,
      fresh_added_p50_ms: fresh.guarded - fresh.plain,
    };
  } finally {
    await egress.close();
    await agent.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Medians in milliseconds. In turns, so that whatever the machine does meanwhile meets both alike. */
async function compare(
  path: string,
  { plain, guarded, calls }: { plain: Call; guarded: Call; calls: number },
): Promise<{ plain: number; guarded: number }> {
  const times = { plain: [] as number[], guarded: [] as number[] };
  for (let call = 0; call < WARM_UP + calls; call++) {
    const pair = { plain: await timed(plain, path), guarded: await timed(guarded, path) };
    if (call < WARM_UP) continue;
    times.plain.push(pair.plain);
    times.guarded.push(pair.guarded);
  }
  return { plain: median(times.plain), guarded: median(times.guarded) };
}

async function timed(call: Call, path: string): Promise<number> {
  const startedAt = performance.now();
  const text = await call(path);
  const took = performance.now() - startedAt;
  if (text !== ANSWER) throw new Error('The answer is not what was sent.');
  return took;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
