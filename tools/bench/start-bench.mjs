import { setTimeout as wait } from 'node:timers/promises';
import { metricOf } from './metrics.mjs';
import { memoryOfTree, sumOf } from './process-tree.mjs';
import { makeDataDir, startServer } from './running-server.mjs';

/** On an empty folder the demo writes its past for the first minute. */
const IDLE_FOR_MS = 90_000;

/** From the command to ready, on an empty folder and on one that was used before; then memory after a quiet while. */
export async function runStartBench({ full }) {
  const rounds = full ? 7 : 3;
  const [first, again, stops] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    const dataDir = makeDataDir();
    try {
      for (const seconds of [first, again]) {
        const server = await startServer(dataDir.path);
        seconds.push(server.readyAfterS);
        stops.push(await server.stop());
      }
    } finally {
      dataDir.remove();
    }
  }
  return {
    first_start: metricOf(first, 's'),
    start: metricOf(again, 's'),
    stop: metricOf(stops, 's'),
    ...(process.platform === 'linux' ? await idleMemory() : {}),
  };
}

async function idleMemory() {
  const dataDir = makeDataDir();
  const server = await startServer(dataDir.path);
  try {
    await wait(IDLE_FOR_MS);
    const processes = memoryOfTree(server.pid);
    for (const { command, rss_mb: rss, pss_mb: pss } of processes) {
      console.error(`    ${pss.toFixed(0).padStart(5)} MB PSS ${rss.toFixed(0).padStart(5)} MB RSS  ${command}`);
    }
    const node = processes.filter((one) => one.isNode);
    return {
      idle_node_own: metricOf([sumOf(node, 'own_mb')], 'MB'),
      idle_node_pss: metricOf([sumOf(node, 'pss_mb')], 'MB'),
      idle_node_rss: metricOf([sumOf(node, 'rss_mb')], 'MB'),
      idle_all_pss: metricOf([sumOf(processes, 'pss_mb')], 'MB'),
      idle_all_rss: metricOf([sumOf(processes, 'rss_mb')], 'MB'),
    };
  } finally {
    await server.stop();
    dataDir.remove();
  }
}
