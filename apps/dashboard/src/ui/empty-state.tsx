import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './state-block.module.css';

type Props = {
  title: string;
  /** What to do next, in one sentence. */
  children: ReactNode;
  /** The one button. */
  action?: ReactNode;
};

/** What stands where there is nothing: says why, and teaches the next step. */
export function EmptyState({ title, children, action }: Props) {
  return (
    <div className={classes.root}>
      <Title order={2} className={classes.title}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" maw={440}>
        {children}
      </Text>
      {action}
    </div>
  );
}
