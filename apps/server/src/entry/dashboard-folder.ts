import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built dashboard is, seen from the bundle and from the sources. */
export function dashboardFolder(from: string): string {
  const candidates = ['../../dashboard/dist/', '../../../dashboard/dist/'].map((path) =>
    fileURLToPath(new URL(path, from)),
  );
  return candidates.find((folder) => existsSync(folder)) ?? candidates[0] ?? '';
}
