import type { RouteId } from '@airdeck/contracts/route-table';
import type { Config } from '../config/config.ts';

const health: readonly RouteId[] = ['system.live', 'system.ready'];

/** Rows of the route table a process of that role serves; undefined = all of them, and the dashboard. */
export function routesOf(role: Config['role']): readonly RouteId[] | undefined {
  if (role === 'worker') return health;
  if (role === 'ingest') return [...health, 'sources.ingest'];
  // Whoever sends events through the same address as people is served there as well.
  return undefined;
}
