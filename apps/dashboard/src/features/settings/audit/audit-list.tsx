import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { Person } from '../../../components/person.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './audit.module.css';
import { outcomeLooks, targetText } from './audit-words.ts';

type More = { has: boolean; loading: boolean; problem: Error | null; load: () => void };
type Props = { records: readonly AuditRecord[]; more: More };

/** Records, newest first; the end of the list asks for older ones, and a row shows what was recorded. */
export function AuditList({ records, more }: Props) {
  return (
    <section className={classes.frame} aria-label="Audit records">
      <div className={classes.head} aria-hidden="true">
        <span />
        <span>When</span>
        <span>Who</span>
        <span>Did</span>
        <span>To</span>
        <span>Outcome</span>
      </div>
      <ol className={classes.list}>
        {records.map((record) => (
          <RecordRow key={record.sequence} record={record} />
        ))}
      </ol>
      <div className={classes.foot}>
        <span role="status">
          {records.length} {records.length === 1 ? 'record' : 'records'}
          {more.has ? ' so far' : ', that is all'}
        </span>
        {more.has ? <LoadMore {...more} /> : null}
      </div>
    </section>
  );
}

/** Loads by itself when it comes into sight; the button is for keyboards, and after a failure. */
function LoadMore({ loading, problem, load }: More) {
  const end = useRef<HTMLDivElement>(null);
  const asks = !loading && problem === null;
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    const node = end.current;
    if (node === null || !asks || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) latest.current();
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [asks]);
  return (
    <div ref={end} className={classes.more}>
      <ProblemNote error={problem} />
      <Button variant="default" size="compact-sm" loading={loading} onClick={load}>
        {problem === null ? 'Load older' : 'Try again'}
      </Button>
    </div>
  );
}

/** Memoised: older pages do not draw again when the next one comes. */
const RecordRow = memo(function RecordRow({ record }: { record: AuditRecord }) {
  const [open, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <li className={classes.item} data-refused={record.outcome === 'refused' || undefined}>
      <UnstyledButton
        className={classes.row}
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={() => setOpen(!open)}
      >
        <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
        <span className={classes.when}>
          <RelativeTime time={record.at} />
        </span>
        <span className={classes.who}>
          <Person username={record.actor.name} />
        </span>
        <span className={`air-mono ${classes.did}`}>{record.action}</span>
        <span className={classes.to} title={targetText(record.target)}>
          {targetText(record.target)}
        </span>
        <span className={classes.outcome}>
          <StatusBadge look={outcomeLooks[record.outcome]} variant="plain" />
        </span>
      </UnstyledButton>
      {open ? (
        <div id={bodyId} className={classes.body}>
          <RecordBody record={record} />
        </div>
      ) : null}
    </li>
  );
});

function RecordBody({ record }: { record: AuditRecord }) {
  const mono = (text: string | null) => (text === null ? null : <span className="air-mono">{text}</span>);
  return (
    <>
      <KeyFacts
        facts={[
          { label: 'Record', value: String(record.sequence) },
          { label: 'Time', value: mono(record.at) },
          { label: 'Actor', value: `${record.actor.name} (${record.actor.kind})` },
          { label: 'Actor id', value: mono(record.actor.id) },
          { label: 'Target', value: mono(targetText(record.target)) },
          ...(record.code === null ? [] : [{ label: 'Refused because', value: mono(record.code) }]),
          { label: 'Request id', value: mono(record.request_id) },
          { label: 'Hash', value: mono(record.hash) },
        ]}
      />
      {hasData(record.data) ? <JsonTree value={record.data} label={`Data of record ${record.sequence}`} /> : null}
    </>
  );
}

function hasData(data: unknown): boolean {
  if (data === null || data === undefined) return false;
  return typeof data !== 'object' || Object.keys(data).length > 0;
}
