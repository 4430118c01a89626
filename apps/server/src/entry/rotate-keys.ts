/**
 * Gives the installation a new key for connectors' secrets, in its key file, and prints its id. Run by
 * whoever owns the installation, also while the server runs: it notices the new key by itself and, within the hour, gives
 * every tenant a new data key under it and seals the secrets anew (see `modules/connectors/key-renewal.ts`).
 */
import { existsSync } from 'node:fs';
import { processConfig } from '../config/process-config.ts';
import { addKey } from '../modules/connectors/key-file.ts';

async function main(): Promise<void> {
  const { connectorKeysFile: path } = processConfig();
  if (!existsSync(path)) {
    throw new Error(
      `There is no key file ${path}. AIRDECK_DATA_DIR has to be the data folder of the installation, or CONNECTOR_KEYS_FILE its key file.`,
    );
  }
  process.stdout.write(`${await addKey(path)}\n`);
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
