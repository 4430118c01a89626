import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { keysIn } from '../../apps/server/src/modules/connectors/key-file.ts';
import { systemErrorCode } from '../../apps/server/src/storage/storage-start-error.ts';
import { type Finding, found } from './finding.ts';

const NAME = 'key file';

/** The keys of the connectors' secrets can be read, or made where there are none. Nothing is created by looking. */
export function checkKeyFile({ connectorKeysFile, dataDir }: { connectorKeysFile: string; dataDir: string }): Finding {
  const path = resolve(connectorKeysFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = systemErrorCode(error);
    return code === 'ENOENT' ? checkPlace(path, dataDir) : found(NAME, `${path} cannot be read (${code}).`, '');
  }
  try {
    const { keys } = keysIn(text, path);
    return found(NAME, undefined, `${path}, ${keys.size} ${keys.size === 1 ? 'key' : 'keys'}`);
  } catch (error) {
    return found(NAME, error instanceof Error ? error.message : String(error), '');
  }
}

function checkPlace(path: string, dataDir: string): Finding {
  const inOrder = found(NAME, undefined, `${path} will be created`);
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
