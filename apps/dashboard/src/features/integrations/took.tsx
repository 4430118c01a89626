import { formatDuration } from '@airdeck/domain/duration';
import { t } from '../../language/translate.ts';
import { numberFormat, useReader } from '../../ui/reader.ts';

/** How long a call to a vendor took; below a second in milliseconds, where most of them are. */
export function Took({ ms }: { ms: number }) {
  const reader = useReader();
  return ms < 1000
    ? t('{count} ms', { count: numberFormat(reader).format(Math.round(ms)) })
    : formatDuration(ms / 1000, reader.locale);
}
