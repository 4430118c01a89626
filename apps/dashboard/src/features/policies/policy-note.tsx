import type { Icon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './policy-note.module.css';

/** Something about a policy that has to be known before it is read or changed. */
export function PolicyNote({ icon: Icon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <div className={classes.note} role="note">
      <Icon size={16} aria-hidden />
      <span>
        <strong>{title}</strong>
        {children}
      </span>
    </div>
  );
}
