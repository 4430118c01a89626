import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EntryCard } from './entry-card.tsx';

type Props = {
  title: string;
  section?: string;
  text: ReactNode;
  /** The one way on. */
  to: '/login' | '/forgot-password' | '/logout' | '/home';
  label: string;
  mails?: boolean;
};

/** A screen that only says why it cannot go on, and where to go instead. */
export function EntryMessage({ title, section, text, to, label, mails = false }: Props) {
  return (
    <EntryCard title={title} {...(section === undefined ? {} : { section })} text={text} mails={mails}>
      <div>
        <Button component={Link} to={to} preload={false}>
          {label}
        </Button>
      </div>
    </EntryCard>
  );
}
