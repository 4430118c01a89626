import type { PolicyRule } from '@airdeck/contracts/policies/schema';
import type { PolicyBacktestResult } from '@airdeck/contracts/policies/trial-schema';
import { formatDuration } from '@airdeck/domain/duration';
import { Button, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { ProblemNote } from '../../../components/problem-note.tsx';
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
  { value: '1', label: 'Last 24 hours' },
  { value: '3', label: 'Last 3 days' },
  { value: '7', label: 'Last 7 days' },
  { value: '14', label: 'Last 14 days' },
  { value: '31', label: 'Last 31 days' },
];
const openTimes = [
  { value: '3600', label: '1 hour' },
  { value: '28800', label: '8 hours' },
  { value: '86400', label: '1 day' },
  { value: '604800', label: '7 days' },
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
          label="Events of"
          data={ranges}
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
        />
        <NativeSelect
          label="A case stays open for"
          data={openTimes}
          value={openFor}
          onChange={(event) => setOpenFor(event.currentTarget.value)}
        />
        <Button loading={backtest.isPending} disabled={blocked !== undefined} onClick={run}>
          Backtest
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
  return (
    <div className={classes.stack}>
      {stale ? <p className={classes.words}>The policy was changed since; run it again.</p> : null}
      <dl className={classes.figures} aria-label="Outcome of the backtest">
        <Figure label="Matching events" value={matched_events} />
        <Figure label="Cases" value={cases} note={`each open ${lengthWords(openForS)}`} />
        <Figure label="Groups" value={groups} note="cases if none were closed" />
      </dl>
      {partial ? (
        <p className={classes.warning} role="status">
          There was too much to read: this holds up to <RelativeTime time={complete_until} />. Take a shorter time, or
          narrow the source.
        </p>
      ) : null}
      {quiet === undefined || quiet === 0 ? null : <Hidden suppressed={suppressed} quietS={quiet} />}
      {matched_events === 0 ? null : <HourChart byHour={result.by_hour} start={start} end={end} />}
      <SampleEvents events={result.sample} />
      <p className={classes.words}>
        <Count value={scanned_events} /> events looked at in {formatDuration(duration_ms / 1000, locale)}.
      </p>
    </div>
  );
}

function Hidden({ suppressed, quietS }: { suppressed: PolicyBacktestResult['suppressed']; quietS: number }) {
  return (
    <p className={classes.text}>
      Staying quiet for {lengthWords(quietS)} would have hidden{' '}
      <strong>
        <Count value={suppressed.cases} /> {suppressed.cases === 1 ? 'case' : 'cases'}
      </strong>{' '}
      with <Count value={suppressed.events} /> {suppressed.events === 1 ? 'event' : 'events'}, had every case been
      closed at once.
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
