import { formatDuration } from '@airdeck/domain/duration';
import { useNow } from '../../ui/use-now.ts';
import { lapseS } from './lapse.ts';

type Props = {
  start: string | null;
  /** Null while it goes on. */
  end: string | null;
};

/** How long something took, or has been going on. */
export function Duration({ start, end }: Props) {
  const now = useNow();
  return <span style={{ whiteSpace: 'nowrap' }}>{formatDuration(lapseS(start, end, now))}</span>;
}
