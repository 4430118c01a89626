import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../lib/document-title.ts';
import classes from './message-page.module.css';

type Props = { title: string; section?: string; children: ReactNode; actions?: ReactNode };

/** A screen that is only words: what happened and the way on. */
export function MessagePage({ title, section, children, actions }: Props) {
  useDocumentTitle(section ?? title);
  return (
    <div className={classes.root}>
      <Title order={1}>{title}</Title>
      <div className={classes.text}>{children}</div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
