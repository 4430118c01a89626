import { Button } from '@mantine/core';
import { IconArrowUp, IconRefresh } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import classes from './bulk.module.css';
import type { HeldRows } from './held-rows.ts';

/** Waits above rows that are being read: what has come in since, and takes them to where they belong by now. */
export function HeldRowsButton({ held }: { held: HeldRows<unknown> }) {
  if (!held.isOther) return null;
  const { opened, more } = held;
  const Icon = opened + more === 0 ? IconRefresh : IconArrowUp;
  return (
    <div className={classes.newer} aria-live="polite">
      <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={held.show}>
        {opened > 0
          ? plural(opened, '{count} new case', '{count} new cases')
          : more > 0
            ? t('{count} more', { count: more })
            : t('Show changes')}
      </Button>
    </div>
  );
}
