import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AskedFor } from './asked-for.ts';
import { EntryCard } from './entry-card.tsx';

type Props = {
  title: string;
  section?: string;
  text: ReactNode;
  /** The one way on. */
  to: '/login' | '/forgot-password' | '/logout' | '/home';
  /** Kept on the way to a sign-in. */
  askedFor?: AskedFor;
  label: string;
  mails?: boolean;
};

/** A screen that only says why it cannot go on, and where to go instead. */
export function EntryMessage({ title, section, text, to, askedFor = {}, label, mails = false }: Props) {
  return (
    <EntryCard title={title} {...(section === undefined ? {} : { section })} text={text} mails={mails}>
      <div>
        <Button
          renderRoot={(props) =>
            to === '/home' ? (
              <Link to={to} preload={false} {...props} />
            ) : (
              <Link to={to} search={askedFor} preload={false} {...props} />
            )
          }
        >
          {label}
        </Button>
      </div>
    </EntryCard>
  );
}
