import type { Policy } from '@airdeck/contracts/policies/schema';
import { IconFilterX } from '@tabler/icons-react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { PolicyNote } from '../policy-note.tsx';

/** Of a policy that waits for more groups than are kept. */
export function DroppedNote({ matches }: { matches: Policy['dropped_matches'] }) {
  if (matches === 0) return null;
  return (
    <PolicyNote icon={IconFilterX} title={t('It waits for too many groups')}>
      {plural(
        matches,
        'What it groups by is new nearly every time, so its groups never fill. Since yesterday {count} matching event was given up, the oldest first. Narrow what it looks for, or group by something that comes again.',
        'What it groups by is new nearly every time, so its groups never fill. Since yesterday {count} matching events were given up, the oldest first. Narrow what it looks for, or group by something that comes again.',
      )}
    </PolicyNote>
  );
}
