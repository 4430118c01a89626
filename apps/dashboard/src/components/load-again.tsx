import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { RefusalReason } from '@airdeck/contracts/refusal-texts';
import { Button, Group } from '@mantine/core';
import { t } from '../language/translate.ts';

type Props = {
  /** Why it could not be saved. */
  error: unknown;
  reload: { isPending?: boolean; mutate: () => void };
};

/** Only where somebody else changed what is edited: nothing else that stands against saving goes away by loading it again. */
export function LoadAgain({ error, reload }: Props) {
  if (!isOvertaken(error)) return null;
  return (
    <Group>
      <Button variant="default" loading={reload.isPending === true} onClick={() => reload.mutate()}>
        {t('Load it again, keep what I typed')}
      </Button>
    </Group>
  );
}

const CHANGED = 'FIELD_DIFFERENT_NOW' satisfies RefusalReason;

/** Whether the server named what the change was made from as being different by now. */
function isOvertaken(error: unknown): boolean {
  return isRefusedWith(error, 'CONFLICT') && error.details.some(({ reason }) => reason === CHANGED);
}
