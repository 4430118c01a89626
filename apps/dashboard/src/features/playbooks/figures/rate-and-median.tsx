import type { PlaybookFigures } from '@airdeck/contracts/playbooks/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { t } from '../../../language/translate.ts';
import { useReader } from '../../../ui/reader.ts';
import { successText } from './success-rate.ts';

/** "96 %, 4.2 s"; nothing where none of the newest runs has ended. */
export function RateAndMedian({ figures }: { figures: PlaybookFigures }) {
  const { locale } = useReader();
  const { success_rate, median_duration_s, runs_30d } = figures;
  if (success_rate === null) {
    return runs_30d === 0 ? t('No run has ended in the last 30 days.') : t('None of the newest runs has ended.');
  }
  return `${successText(success_rate, locale)}, ${formatDuration(median_duration_s, locale)}`;
}
