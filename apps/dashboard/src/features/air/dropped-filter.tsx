import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { t } from '../../language/translate.ts';
import classes from './case-list.module.css';

/** A filter that came with the address: it can be taken away, not chosen here. */
export function DroppedFilter({ label, onDrop }: { label: string; onDrop: () => void }) {
  return (
    <Button
      variant="default"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={t('Take away: {label}', { label })}
      title={label}
      onClick={onDrop}
    >
      <span className={classes.dropped}>{label}</span>
    </Button>
  );
}
