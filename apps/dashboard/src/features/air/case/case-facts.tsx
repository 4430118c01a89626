import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ReferenceList } from '../../../components/reference-list.tsx';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { caseQueries } from '../../../queries/cases.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Count } from '../../../ui/count.tsx';
import { type Fact, KeyFacts } from '../../../ui/key-facts.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { PersonOrNobody } from '../person-or-nobody.tsx';
import { valueText } from '../value-text.ts';
import classes from './case.module.css';
import { closeReasonWords } from './close-reasons.ts';
import { TagsEditor } from './tags-editor.tsx';
import type { CaseUpdater } from './use-case-update.ts';

/** What the case is about, and when what happened. */
export function CaseFacts({ of, updater }: { of: CaseDetail; updater: CaseUpdater }) {
  const values = Object.entries(of.meta_data_fields).map(([label, value]) => ({
    label,
    value: <GroupValue name={label} text={valueText(value)} />,
  }));
  return (
    <Panel title={t('Facts')}>
      {values.length === 0 ? null : (
        <div className={classes.groupValues}>
          <KeyFacts facts={values} />
        </div>
      )}
      <KeyFacts facts={factsOf(of)} />
      <TagsEditor of={of} updater={updater} />
    </Panel>
  );
}

function EventCount({ of }: { of: CaseDetail }) {
  return (
    <span className="air-figures">
      <Count value={of.event_count} />
    </span>
  );
}

function factsOf(of: CaseDetail): Fact[] {
  return [
    { label: t('Events'), value: <EventCount of={of} /> },
    { label: t('Sources'), value: of.log_sources.join(', ') },
    { label: t('Policy'), value: <PolicyName of={of} /> },
    ...originFacts(of),
    { label: t('First event'), value: <RelativeTime time={of.opened_at} /> },
    { label: t('Opened##time'), value: <RelativeTime time={of.time_opened} /> },
    {
      label: t('Acknowledged##time'),
      value:
        of.time_acknowledged === null ? null : (
          <Done at={of.time_acknowledged} by={of.acknowledged_by_username} since={of.time_opened} />
        ),
    },
    {
      label: t('Closed##time'),
      value:
        of.time_closed === null ? null : (
          <>
            <Done at={of.time_closed} by={of.closed_by_username} since={of.time_opened} />
            {of.close_reason === null ? null : <div>{closeReasonWords[of.close_reason].label}</div>}
          </>
        ),
    },
  ];
}

/** Whose work the rule is, by which license, and where to read about it: the licenses of shared rules ask for it. */
function originFacts({ policy_origin: origin }: CaseDetail): Fact[] {
  if (origin === null) return [];
  const { author, license, references } = origin;
  return [
    ...(author === '' ? [] : [{ label: t('Author'), value: author }]),
    ...(license === '' ? [] : [{ label: t('License'), value: license }]),
    ...(references.length === 0 ? [] : [{ label: t('References'), value: <ReferenceList items={references} /> }]),
  ];
}

function GroupValue({ name, text }: { name: string; text: string }) {
  return (
    <span className={classes.groupValue}>
      <span className="air-mono">{text}</span>
      <CopyButton value={text} label={t('Copy {name}', { name })} />
    </span>
  );
}

/** When, by whom, and how long after opening. */
function Done({ at, by, since }: { at: string; by: string | null; since: string }) {
  const { locale } = useReader();
  const seconds = (Date.parse(at) - Date.parse(since)) / 1000;
  return (
    <>
      <RelativeTime time={at} />
      <div className={classes.faint}>
        {tx('{person} after {duration}', {
          person: <PersonOrNobody username={by} nobody={t('Automation')} />,
          duration: formatDuration(seconds, locale),
        })}
      </div>
    </>
  );
}

function PolicyName({ of }: { of: CaseDetail }) {
  if (of.policy_id === null) return <>{of.alert_type === 'manual' ? t('Opened by hand') : '–'}</>;
  return <LoadedPolicyName id={of.policy_id} known={of.alert_name} />;
}

/** The name of today; until it has loaded, and when the policy is gone, the one the case was opened with. */
function LoadedPolicyName({ id, known }: { id: string; known: string }) {
  const policy = useQuery(caseQueries.policy(useTenantApi(), id));
  return (
    <>
      <Link to="/air/policy-management" search={{ policy: id }}>
        {policy.data?.rule.name ?? known}
      </Link>
      {policy.data?.enabled === false ? <span className={classes.faint}> {t('(switched off)')}</span> : null}
    </>
  );
}
