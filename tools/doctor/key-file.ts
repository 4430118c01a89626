import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { askSealedData } from '../../apps/server/src/entry/ask-sealed-data.ts';
import { keysIn } from '../../apps/server/src/modules/connectors/key-file.ts';
import { runningPostgresUrl } from '../../apps/server/src/storage/embedded-postgres.ts';
import { systemErrorCode } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

const NAME = 'key file';

type Place = {
  connectorKeysFile: string;
  dataDir: string;
  /** Undefined where the database is that of the data folder. */
  databaseUrl: string | undefined;
  /** For tests. */
  ask?: (databaseUrl: string) => Promise<boolean>;
};

/** The keys of the connectors' secrets can be read, or made where there are none. Nothing is created by looking. */
export async function checkKeyFile(place: Place): Promise<Finding> {
  const path = resolve(place.connectorKeysFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    return code === 'ENOENT' ? await checkMissing(path, place) : found(NAME, `${path} cannot be read (${code}).`, '');
  }
  try {
    const { keys } = keysIn(text, path);
    return found(NAME, undefined, `${path}, ${keys.size} ${keys.size === 1 ? 'key' : 'keys'}`);
  } catch (error) {
    return found(NAME, error instanceof Error ? error.message : String(error), '');
  }
}

async function checkMissing(path: string, place: Place): Promise<Finding> {
  const isSealed = await holdsSealed(place);
  // The first start makes the two together, where the secret is not given.
  if (isSealed ?? existsSync(join(place.dataDir, 'identity.secret'))) {
    const where =
      'a copy of the file, or what stands under connector-keys.json in the file airdeck backup --keys wrote';
    const otherwise =
      'A start without it makes other keys; then the secrets of connectors, single sign-on and Slack have to be entered again';
    const problem = `${path} is gone, and what this installation has sealed opens only with it. Before the next start put back ${where}. ${otherwise}.`;
    return found(NAME, problem, '');
  }
  const unknown =
    isSealed === undefined
      ? '. The database could not be asked whether it was used before: one that was needs the keys it was used with'
      : '';
  return checkPlace(path, place.dataDir, unknown);
}

/** Undefined where the database is not there to be asked; that of a folder answers only while a server runs on it. */
async function holdsSealed({ dataDir, databaseUrl, ask = askSealedData }: Place): Promise<boolean | undefined> {
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))) return false;
  try {
    const url = databaseUrl ?? runningPostgresUrl(dataDir);
    return url === undefined ? undefined : await ask(url);
  } catch {
    // A database that does not answer is a finding of its own, with the reason.
    return undefined;
  }
}

function checkPlace(path: string, dataDir: string, unknown: string): Finding {
  const inOrder = found(NAME, undefined, `${path} will be created${unknown}`);
  // The data folder has a finding of its own, and is made where it is missing.
  if (dirname(path) === resolve(dataDir)) return inOrder;
  try {
    accessSync(dirname(path), constants.W_OK | constants.X_OK);
    return inOrder;
  } catch {
    const advice = 'Choose another place with CONNECTOR_KEYS_FILE.';
    return found(NAME, `${path} cannot be created: ${dirname(path)} is not there or is not writable. ${advice}`, '');
  }
}
