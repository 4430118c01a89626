import { isRefusedWith } from '@airdeck/api-client/api-error';
import type { RefusalReason } from '@airdeck/contracts/refusal-texts';
import { Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { t } from '../language/translate.ts';
import type { FieldWords } from '../lib/rebased-fields.ts';
import classes from './load-again.module.css';

type Props = {
  /** Why it could not be saved. */
  error: unknown;
  reload: { isPending?: boolean; mutate: () => void };
  /** After it was loaded again: what somebody else saved and saving now would replace. Undefined until then. */
  theirs: FieldWords | undefined;
  /** Name of who saved it, where that is known. */
  by?: string | undefined;
};

/**
 * Only where somebody else changed what is edited: nothing else that stands against saving goes away by loading it again.
 * Once it is loaded, it says what of theirs is about to be replaced.
 */
export function LoadAgain({ error, reload, theirs, by }: Props) {
  if (isOvertaken(error)) {
    return (
      <Group>
        <Button variant="default" loading={reload.isPending === true} onClick={() => reload.mutate()}>
          {t('Load it again, keep what I typed')}
        </Button>
      </Group>
    );
  }
  return theirs === undefined ? null : <Replaced theirs={theirs} by={by} />;
}

function Replaced({ theirs, by }: { theirs: FieldWords; by: string | undefined }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The button that was pressed is gone, and the focus with it.
    if (document.activeElement === document.body) root.current?.focus();
  }, []);
  const fields = Object.entries(theirs);
  return (
    <div ref={root} tabIndex={-1} role="note" className={classes.replaced}>
      {fields.length === 0 ? (
        t('Loaded again. Saving replaces nothing that others changed.')
      ) : (
        <>
          {by === undefined
            ? t('Saved meanwhile, and replaced if you save:')
            : t('{by} saved meanwhile, and it is replaced if you save:', { by })}
          <ul>
            {fields.map(([label, words]) => (
              <li key={label}>
                <span className={classes.label}>{label}</span> {words === '' ? t('(empty)') : words}
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const CHANGED = 'FIELD_DIFFERENT_NOW' satisfies RefusalReason;

/** Whether the server named what the change was made from as being different by now. */
function isOvertaken(error: unknown): boolean {
  return isRefusedWith(error, 'CONFLICT') && error.details.some(({ reason }) => reason === CHANGED);
}
