import { UnstyledButton } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { Tip } from '../../ui/tip.tsx';
import classes from './air-overview.module.css';

/** Says what a figure means. */
export function Hint({ text }: { text: string }) {
  return (
    <Tip label={text}>
      <UnstyledButton className={classes.hint} data-hint aria-label={text}>
        <IconInfoCircle size={14} aria-hidden />
      </UnstyledButton>
    </Tip>
  );
}
