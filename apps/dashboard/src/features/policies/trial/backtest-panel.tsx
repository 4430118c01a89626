import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { PolicyBacktestResult } from '@airdeck/contracts/policies/trial-schema';
import { formatDuration } from '@airdeck/domain/duration';
import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
import { plural } from '../../../language/plural.ts';
import { tx } from '../../../language/rich-text.ts';
import { t } from '../../../language/translate.ts';
import { policyMutations } from '../../../queries/policies.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { Count } from '../../../ui/count.tsx';
import { useReader } from '../../../ui/reader.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { lengthWords } from '../criteria/counting-words.ts';
import { isSameRule } from '../draft/policy-draft.ts';
import { HourChart } from './hour-chart.tsx';
import { SampleEvents } from './sample-events.tsx';
import classes from './trial.module.css';

const DAY_MS = 86_400_000;
const ranges = [
  { value: '1', label: t('Last 24 hours') },
  { value: '3', label: t('Last 3 days') },
  { value: '7', label: t('Last 7 days') },
  { value: '14', label: t('Last 14 days') },
  { value: '31', label: t('Last 31 days') },
];
const openTimes = [
  { value: '3600', label: t('1 hour') },
  { value: '28800', label: t('8 hours') },
  { value: '86400', label: t('1 day') },
  { value: '604800', label: t('7 days') },
];

type Props = { rule: PolicyRule; blocked: string | undefined };

/** Holds what is being written against the tenant's past events. */
export function BacktestPanel({ rule, blocked }: Props) {
  const [days, setDays] = useState('7');
  const [openFor, setOpenFor] = useState('3600');
  const backtest = useMutation(policyMutations.backtest(useTenantApi()));
  const run = () => {
    const now = Date.now();
    backtest.mutate({
      rule,
      start_time: new Date(now - Number(days) * DAY_MS).toISOString(),
      end_time: new Date(now).toISOString(),
      case_open_for_s: Number(openFor),
    });
  };
  const asked = backtest.variables;
  return (
    <div className={classes.stack}>
      <div className={classes.choices}>
        <NativeSelect
          label={t('Events of')}
          data={ranges}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <NativeSelect
          label={t('A case stays open for')}
          data={openTimes}
          value={openFor}
          onChange={(event) => setOpenFor(event.currentTarget.value)}
        />
        <Button loading={backtest.isPending} disabled={blocked !== undefined} onClick={run}>
          {t('Backtest')}
        </Button>
      </div>
      {blocked === undefined ? null : <p className={classes.words}>{blocked}</p>}
      <ProblemNote error={backtest.error} />
      {backtest.data === undefined || asked === undefined ? null : (
        <Outcome
          result={backtest.data}
          start={Date.parse(asked.start_time)}
          end={Date.parse(asked.end_time)}
          openForS={asked.case_open_for_s}
          quiet={asked.rule.logic.suppress_for_s}
          stale={!isSameRule(asked.rule, rule)}
        />
      )}
    </div>
  );
}

type OutcomeProps = {
  result: PolicyBacktestResult;
  start: number;
  end: number;
  openForS: number;
  quiet: number | undefined;
  stale: boolean;
};

function Outcome({ result, start, end, openForS, quiet, stale }: OutcomeProps) {
  const { locale } = useReader();
  const { matched_events, cases, groups, suppressed, scanned_events, duration_ms, partial, complete_until } = result;
  const { complete_from: from = '' } = result;
  const reach = Date.parse(from);
  return (
    <div className={classes.stack}>
      {stale ? <p className={classes.words}>{t('The policy was changed since; run it again.')}</p> : null}
      <dl className={classes.figures} aria-label={t('Outcome of the backtest')}>
        <Figure label={t('Matching events')} value={matched_events} />
        <Figure label={t('Cases')} value={cases} note={t('each open {time}', { time: lengthWords(openForS) })} />
        <Figure label={t('Groups')} value={groups} note={t('cases if none were closed')} />
      </dl>
      {reach > start ? (
        <p className={classes.warning} role="status">
          {tx('The plan of this tenant reaches back to {time}: nothing before was looked at.', {
            time: <RelativeTime time={from} />,
          })}
        </p>
      ) : null}
      {partial ? (
        <p className={classes.warning} role="status">
          {tx('There was too much to read: this holds up to {time}. Take a shorter time, or narrow the source.', {
            time: <RelativeTime time={complete_until} />,
          })}
        </p>
      ) : null}
      {quiet === undefined || quiet === 0 ? null : <Hidden suppressed={suppressed} quietS={quiet} />}
      {matched_events === 0 ? null : (
        <HourChart byHour={result.by_hour} start={reach > start ? reach : start} end={end} />
      )}
      <SampleEvents events={result.sample} />
      <p className={classes.words}>
        {tx('{count} events looked at in {time}.', {
          count: <Count value={scanned_events} />,
          time: formatDuration(duration_ms / 1000, locale),
        })}
      </p>
    </div>
  );
}

function Hidden({ suppressed, quietS }: { suppressed: PolicyBacktestResult['suppressed']; quietS: number }) {
  return (
    <p className={classes.text}>
      {tx('Staying quiet for {time} would have hidden {cases} with {events}, had every case been closed at once.', {
        time: lengthWords(quietS),
        cases: <strong>{plural(suppressed.cases, '{count} case', '{count} cases')}</strong>,
        events: plural(suppressed.events, '{count} event', '{count} events'),
      })}
    </p>
  );
}

function Figure({ label, value, note }: { label: string; value: number; note?: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{label}</dt>
      <dd className={classes.figureValue}>
        <Count value={value} />
      </dd>
      {note === undefined ? null : <dd className={classes.figureNote}>{note}</dd>}
    </div>
  );
}
