import type { ConnectorCheck, ConnectorHealth } from '@airdeck/contracts/connectors/schema';
import { t } from '../../language/translate.ts';

export type HealthRow = ConnectorCheck & { id: string };

export const kindWords: Readonly<Record<ConnectorCheck['kind'], string>> = {
  test: t('Test##one'),
  events: t('Events'),
  metrics: t('Metrics'),
};

/** Tests and fetches as one history, newest first. */
export function healthRows({ tests, fetches }: ConnectorHealth): HealthRow[] {
  return [...tests, ...fetches]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .map((check, index) => ({ ...check, id: `${check.at} ${check.kind} ${index}` }));
}
