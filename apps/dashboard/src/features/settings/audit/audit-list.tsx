import type { AuditRecord } from '@airdeck/contracts/audit/schema';
import { Button, UnstyledButton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { memo, useEffect, useId, useRef, useState } from 'react';
import { Person } from '../../../components/person.tsx';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { StatusBadge } from '../../../components/status-badge.tsx';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { JsonTree } from '../../../ui/json-tree.tsx';
import { KeyFacts } from '../../../ui/key-facts.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import classes from './audit.module.css';
import { type AuditNames, actorName, targetWords } from './audit-names.ts';
import { actorText, kindWord, outcomeLooks, targetText, timesRepeated } from './audit-words.ts';

type More = { has: boolean; loading: boolean; problem: Error | null; load: () => void };
type Props = { records: readonly AuditRecord[]; names: AuditNames; more: More };

/** Records, newest first; the end of the list asks for older ones, and a row shows what was recorded. */
export function AuditList({ records, names, more }: Props) {
  return (
    <section className={classes.frame} aria-label={t('Audit records')}>
      <div className={classes.head} aria-hidden="true">
        <span />
        <span>{t('When')}</span>
        <span>{t('Who')}</span>
        <span>{t('Did')}</span>
        <span>{t('To')}</span>
        <span>{t('Outcome')}</span>
      </div>
      <ol className={classes.list}>
        {records.map((record) => (
          <RecordRow key={record.sequence} record={record} names={names} />
        ))}
      </ol>
      <div className={classes.foot}>
        <span role="status">
          {plural(records.length, '{count} record', '{count} records')}
          {more.has ? t(' so far') : t(', that is all')}
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
        {problem === null ? t('Load older') : t('Try again')}
      </Button>
    </div>
  );
}

type RecordProps = { record: AuditRecord; names: AuditNames };

/** Memoised: older pages do not draw again when the next one comes. */
const RecordRow = memo(function RecordRow({ record, names }: RecordProps) {
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
          <Actor of={record.actor} names={names} />
        </span>
        <span className={`air-mono ${classes.did}`}>{record.action}</span>
        <span className={classes.to} title={targetText(record.target)}>
          <Target of={record} names={names} />
        </span>
        <span className={classes.outcome}>
          <StatusBadge look={outcomeLooks[record.outcome]} variant="plain" />
          <Repeated data={record.data} />
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

function Actor({ of, names }: { of: AuditRecord['actor']; names: AuditNames }) {
  const name = actorName(of, names);
  const title = of.id === null ? of.name : t('{name}, id {id}', { name: of.name, id: of.id });
  return <span title={title}>{name ?? <Person username={of.name} />}</span>;
}

function Target({ of, names }: { of: AuditRecord; names: AuditNames }) {
  const { kind, name } = targetWords(of, names);
  return (
    <>
      {kind}
      {name === undefined ? null : <span className={classes.target}> {name}</span>}
    </>
  );
}

/** The same refused again within a minute is counted, and has one record for all of them. */
function Repeated({ data }: { data: unknown }) {
  const times = timesRepeated(data);
  return times === 0 ? null : (
    <span className={classes.repeated}>{plural(times, 'once more', 'and {count} more')}</span>
  );
}

function RecordBody({ record }: { record: AuditRecord }) {
  const mono = (text: string | null) => (text === null ? null : <span className="air-mono">{text}</span>);
  const copied = (what: string, text: string | null) =>
    text === null ? null : (
      <span className={classes.copied}>
        {mono(text)}
        <CopyButton value={text} label={t('Copy {what}', { what })} />
      </span>
    );
  return (
    <>
      <KeyFacts
        facts={[
          { label: t('Record'), value: String(record.sequence) },
          { label: t('Time'), value: mono(record.at) },
          { label: t('Actor'), value: actorText(record.actor) },
          { label: t('Actor id'), value: copied(t('actor id'), record.actor.id) },
          { label: t('Target'), value: kindWord(record.target.kind) },
          { label: t('Target id'), value: copied(t('target id'), record.target.id) },
          ...(record.code === null ? [] : [{ label: t('Refused because'), value: mono(record.code) }]),
          { label: t('Request id'), value: copied(t('request id'), record.request_id) },
          { label: t('Hash'), value: mono(record.hash) },
        ]}
      />
      {hasData(record.data) ? (
        <JsonTree value={record.data} label={t('Data of record {sequence}', { sequence: record.sequence })} />
      ) : null}
    </>
  );
}

function hasData(data: unknown): boolean {
  if (data === null || data === undefined) return false;
  return typeof data !== 'object' || Object.keys(data).length > 0;
}
