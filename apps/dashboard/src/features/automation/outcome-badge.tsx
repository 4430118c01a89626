import type { ResponseHistoryEntry } from '@airdeck/contracts/rule-responses/schema';
import { IconAlertTriangle, IconHandStop, IconPlayerSkipForward } from '@tabler/icons-react';
import { RunStatusBadge, StatusBadge } from '../../components/status-badge.tsx';
import { t } from '../../language/translate.ts';

const skipped = { word: t('Condition not met'), color: 'var(--air-text-2)', icon: IconPlayerSkipForward };
const notStarted = { word: t('Could not start'), color: 'var(--air-critical)', icon: IconAlertTriangle };
const stopped = { word: t('Stopped: too many'), color: 'var(--air-critical)', icon: IconHandStop };

/** What came of asking it to answer a case: the state of its run, or why there is none. */
export function OutcomeBadge({ entry }: { entry: Pick<ResponseHistoryEntry, 'outcome' | 'status'> }) {
  if (entry.outcome === 'skipped') return <StatusBadge look={skipped} variant="plain" />;
  if (entry.outcome === 'failed') return <StatusBadge look={notStarted} variant="plain" />;
  if (entry.outcome === 'stopped') return <StatusBadge look={stopped} variant="plain" />;
  return <RunStatusBadge status={entry.status ?? 'pending'} variant="plain" />;
}
