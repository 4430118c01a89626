import { Title } from '@mantine/core';
import { createContext, type ReactNode, use } from 'react';
import { useDocumentTitle } from '../lib/document-title.ts';
import classes from './message-page.module.css';

type Props = { title: string; section?: string; children: ReactNode; actions?: ReactNode };

/** True inside the dashboard's frame, which has the main landmark already. */
export const InFrame = createContext(false);

/** A screen that is only words: what happened and the way on. */
export function MessagePage({ title, section, children, actions }: Props) {
  useDocumentTitle(section ?? title);
  const Root = use(InFrame) ? 'div' : 'main';
  return (
    <Root className={classes.root}>
      <Title order={1}>{title}</Title>
      <div className={classes.text}>{children}</div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </Root>
  );
}
