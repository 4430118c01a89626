import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../lib/document-title.ts';
import classes from './page-header.module.css';

type Props = {
  title: string;
  /** "Section" of the document title; the title when left out. */
  section?: string;
  /** One line that says what the screen is for. */
  purpose?: ReactNode;
  /** Badges beside the title: state, severity. */
  state?: ReactNode;
  /** Primary action last. */
  actions?: ReactNode;
  /** Above the title: where this belongs. */
  eyebrow?: ReactNode;
};

/** Title of a screen (the one h1), its purpose and its actions; also sets the document title. */
export function PageHeader({ title, section, purpose, state, actions, eyebrow }: Props) {
  useDocumentTitle(section ?? title);
  return (
    <header className={classes.root}>
      <div className={classes.words}>
        {eyebrow === undefined ? null : <div className={classes.eyebrow}>{eyebrow}</div>}
        <Group gap="xs" align="center" wrap="wrap">
          <Title order={1} className={classes.title}>
            {title}
          </Title>
          {state}
        </Group>
        {purpose === undefined ? null : (
          <Text size="sm" c="dimmed" className={classes.purpose}>
            {purpose}
          </Text>
        )}
      </div>
      {actions === undefined ? null : <div className={classes.actions}>{actions}</div>}
    </header>
  );
}
