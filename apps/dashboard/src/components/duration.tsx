import { formatDuration } from '@airdeck/domain/duration';
import { useReader } from '../ui/reader.ts';
import { useNow } from '../ui/use-now.ts';
import { lapseS } from './lapse.ts';

type Props = {
  start: string | null;
  /** Null while it goes on. */
  end: string | null;
};

/** How long something took, or has been going on. */
export function Duration({ start, end }: Props) {
  const now = useNow();
  const { locale } = useReader();
  return <span style={{ whiteSpace: 'nowrap' }}>{formatDuration(lapseS(start, end, now), locale)}</span>;
}
