import { Button } from '@mantine/core';
import { IconArrowUp, IconRefresh } from '@tabler/icons-react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import classes from './bulk.module.css';
import type { HeldRows } from './held-rows.ts';

/** Waits above rows that are being read: what has come in since, and takes them to where they belong by now. */
export function HeldRowsButton({ held }: { held: HeldRows<unknown> }) {
  if (!held.isOther) return null;
  const Icon = held.newer === 0 ? IconRefresh : IconArrowUp;
  return (
    <div className={classes.newer} aria-live="polite">
      <Button variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={held.show}>
        {held.newer === 0 ? t('Show changes') : plural(held.newer, '{count} new case', '{count} new cases')}
      </Button>
    </div>
  );
}
