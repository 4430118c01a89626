import type { ConnectorCheck, ConnectorHealth } from '@airdeck/contracts/connectors/schema';

export type HealthRow = ConnectorCheck & { id: string };

export const kindWords: Readonly<Record<ConnectorCheck['kind'], string>> = {
  test: 'Test',
  events: 'Events',
  metrics: 'Metrics',
};

/** Tests and fetches as one history, newest first. */
export function healthRows({ tests, fetches }: ConnectorHealth): HealthRow[] {
  return [...tests, ...fetches]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map((check, index) => ({ ...check, id: `${check.at} ${check.kind} ${index}` }));
}
