import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

export function inRoot(...parts) {
  return join(root, ...parts);
}
