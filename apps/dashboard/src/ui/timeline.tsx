import { UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { t } from '../language/translate.ts';
import { JsonTree } from './json-tree.tsx';
import { RelativeTime } from './relative-time.tsx';
import classes from './timeline.module.css';

export type TimelineEntry = {
  id: string;
  /** ISO time. */
  at: string;
  icon: ReactNode;
  /** CSS colour of the icon, from the tokens; neutral when left out. */
  color?: string;
  /** Who or what did it. */
  actor: string;
  /** Verb and object, such as "closed the case as false positive". */
  text: ReactNode;
  /** Words somebody wrote, shown in a box. */
  note?: string;
  /** Shown as JSON when opened. */
  payload?: unknown;
};

/** What happened, in the order given: one component for case, run and audit. */
export function Timeline({ entries, label }: { entries: readonly TimelineEntry[]; label: string }) {
  return (
    <ol className={classes.root} aria-label={label}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} />
      ))}
    </ol>
  );
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const [open, setOpen] = useState(false);
  return (
    <li className={classes.entry}>
      <span className={classes.icon} style={{ color: entry.color }} aria-hidden="true">
        {entry.icon}
      </span>
      <div className={classes.body}>
        <div className={classes.line}>
          <span>
            <strong className={classes.actor}>{entry.actor}</strong> {entry.text}
          </span>
          <RelativeTime time={entry.at} className={classes.time ?? ''} />
        </div>
        {entry.note === undefined ? null : <p className={classes.note}>{entry.note}</p>}
        {entry.payload === undefined ? null : (
          <>
            <UnstyledButton className={classes.toggle} aria-expanded={open} onClick={() => setOpen(!open)}>
              <IconChevronRight size={14} data-open={open || undefined} className={classes.chevron} aria-hidden />
              {t('Details')}
            </UnstyledButton>
            {open ? <JsonTree value={entry.payload} label={t('Details')} /> : null}
          </>
        )}
      </div>
    </li>
  );
}
