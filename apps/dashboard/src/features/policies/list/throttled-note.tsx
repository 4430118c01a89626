import type { Policy } from '@airdeck/contracts/policies/schema';
import { IconHandStop } from '@tabler/icons-react';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { PolicyNote } from '../policy-note.tsx';

/** Of a policy that opened more cases than anybody can look at. */
export function ThrottledNote({ until }: { until: Policy['throttled_until'] }) {
  if (until === null) return null;
  return (
    <PolicyNote icon={IconHandStop} title={t('It opens too many cases')}>
      {tx(
        'What else it finds is collected in one case, which starts nothing, and this ends {time}. Narrow what it looks for, or what it groups by: with a change it begins anew.',
        { time: <RelativeTime time={until} /> },
      )}
    </PolicyNote>
  );
}
