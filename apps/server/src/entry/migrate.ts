/**
 * What `airdeck migrate` runs: what a start does to the stores, without the start, so that a migration that takes long can be
 * run before the processes of a new release. Words go to standard error, the ids of what was applied to standard output.
 */
import { processConfig } from '../config/process-config.ts';
import { createEventsStore } from '../storage/events-store.ts';
import { migrationList } from '../storage/migration-list.ts';
import { migrate } from '../storage/migrations.ts';
import { endOnSignals, operatorLog as log, operatorMessage } from './backup/operator-output.ts';
import { reachStores } from './backup/store-access.ts';
import { explainStoreError } from './store-error.ts';

async function main(): Promise<void> {
  const config = processConfig();
  const started = performance.now();
  const stores = await reachStores(config, log);
  try {
    const { databaseUrl, eventsUrl } = config.stores;
    const database = { url: stores.databaseUrl, migrations: migrationList, log };
    const { applied, alreadyThere } = await migrate(database).catch((error: unknown) => {
      throw explainStoreError(error, { variable: 'DATABASE_URL', address: databaseUrl });
    });
    for (const id of applied) console.log(id);
    const events = createEventsStore({ ...stores.events, log });
    try {
      await events.prepare();
    } catch (error) {
      throw explainStoreError(error, { variable: 'EVENTS_URL', address: eventsUrl });
    } finally {
      await events.close();
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.error(`Done in ${seconds} s: ${applied.length} migrations applied, ${alreadyThere} were there.`);
  } finally {
    await stores.stop();
  }
}

endOnSignals();
await main().catch((error: unknown) => {
  console.error(operatorMessage(error));
  process.exitCode = 1;
});
