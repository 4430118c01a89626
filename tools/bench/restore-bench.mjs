import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import { inRoot } from '../run/root.mjs';
import { metricOf } from './metrics.mjs';
import { makeDataDir, startServer } from './running-server.mjs';
import { createSource } from './server-benches.mjs';
import { importSource } from './sources.mjs';

const BATCH = 500;
const BACKGROUND_EVENTS_PER_S = 1_000;
const GB = 1e9;

/** Of a tenant whose plan has searching: what is stored is asked of the event store, not of a counter. */
const ADMIN = 'marcus.bell@meridian-foods.example';
const DAY_MS = 86_400_000;

/**
 * A backup of a server that takes events meanwhile, put back into an empty folder. Throws unless exactly the events of before
 * are found again; those of meanwhile have a source of their own, so that they make up for none.
 */
export async function runRestore({ full }) {
  const dataDir = makeDataDir();
  const at = (name) => join(dataDir.path, name);
  try {
    const { source, before, backupS } = await backedUp(at, full);
    const restoreS = await airdeck(['restore', at('backup'), '--keys', at('keys.json')], at('new'));
    // Its demo would be another one: the file with the ids of the first stays in the old folder.
    const restored = await startServer(at('new'), { MOCK_DATA: 'false' });
    try {
      const found = await countOf({ ...source, url: restored.url });
      if (found !== before)
        throw new Error(`${before} events were stored before the backup began, and ${found} are back.`);
    } finally {
      await restored.stop();
    }
    const gigabytes = (await unpackedBytes(at('backup'))) / GB;
    return {
      restored_events: metricOf([before], 'events'),
      restored_gb: metricOf([gigabytes], 'GB'),
      backup_s: metricOf([backupS], 's'),
      backup_s_per_gb: metricOf([backupS / gigabytes], 's/GB'),
      restore_s: metricOf([restoreS], 's'),
      restore_s_per_gb: metricOf([restoreS / gigabytes], 's/GB'),
    };
  } finally {
    dataDir.remove();
  }
}

async function backedUp(at, full) {
  const { runIngestBench } = await importSource('apps/server/bench/ingest-bench.ts');
  const server = await startServer(at('old'));
  try {
    const source = await createSource(server, ADMIN);
    const countStored = () => countOf(source);
    for (let rounds = 0; rounds < (full ? 25 : 3); rounds++) {
      await runIngestBench({ ...source, countStored, events: 100_000 });
    }
    const before = await countStored();
    const ending = new AbortController();
    const [backupS] = await Promise.all([
      airdeck(['backup', at('backup'), '--keys', at('keys.json')], at('old')).finally(() => ending.abort()),
      sendEvents(await createSource(server, ADMIN, 'Meanwhile'), ending.signal),
    ]);
    return { source, before, backupS };
  } finally {
    await server.stop();
  }
}

async function sendEvents(source, signal) {
  const { createSender, ndjsonBatch } = await importSource('apps/server/bench/bench-load.ts');
  const sender = createSender(source, 2);
  try {
    for (let from = 0; !signal.aborted; from += BATCH) {
      const { status } = await sender.send(ndjsonBatch(from, BATCH, Date.now()));
      if (status !== 202) throw new Error(`Events were answered with ${status} during the backup.`);
      await wait((BATCH * 1_000) / BACKGROUND_EVENTS_PER_S);
    }
  } finally {
    sender.close();
  }
}

/** Events of the source that a search finds. */
async function countOf({ url, tenant, source, apiKey }) {
  const range = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  const answer = await fetch(`${url}/api/tenants/${tenant}/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `_source_id:${source}`,
      time_range: { start: range[0], end: range[1] },
      ...{ limit: 1, live: false },
    }),
  });
  if (!answer.ok) throw new Error(`The search was answered with ${answer.status}: ${await answer.text()}`);
  const { total } = await answer.json();
  if (total.relation !== 'eq') throw new Error(`The events of the source were counted up to ${total.value} only.`);
  return total.value;
}

/** Seconds the command took; throws with its words when it failed. */
async function airdeck(words, folder) {
  const started = performance.now();
  const child = spawn(process.execPath, [inRoot('apps/cli/bin/airdeck.mjs'), ...words], {
    env: { ...process.env, AIRDECK_DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said = (said + text).slice(-5_000);
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`airdeck ${words[0]} ended with ${code}:\n${said}`);
  return (performance.now() - started) / 1_000;
}

/** Of rows and events as they are written: what a restore has to take in. */
async function unpackedBytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.gz')) continue;
    const file = createReadStream(join(entry.parentPath ?? entry.path, entry.name)).pipe(createGunzip());
    for await (const chunk of file) bytes += chunk.length;
  }
  return bytes;
}
