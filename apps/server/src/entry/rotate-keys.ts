/**
 * Gives the installation a new key for connectors' secrets, in the key file of the data folder, and prints its id. Run by
 * whoever owns the installation, also while the server runs: it notices the new key by itself and, within the hour, gives
 * every tenant a new data key under it and seals the secrets anew (see `modules/connectors/key-renewal.ts`).
 */
import { join } from 'node:path';
import { readConfig } from '../config/config.ts';
import { openKeyFile } from '../modules/connectors/key-file.ts';

const config = readConfig(process.env, '0.0.0');
const keys = await openKeyFile(join(config.dataDir, 'connector-keys.json'));
process.stdout.write(`${await keys.addKey()}\n`);
