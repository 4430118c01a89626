import { ActionIcon, SegmentedControl } from '@mantine/core';
import {
  IconCircleCheck,
  IconCircleDashedCheck,
  IconCircleMinus,
  IconCircleX,
  IconDownload,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { numberFormat, useReader } from '../../../ui/reader.ts';
import { Tip } from '../../../ui/tip.tsx';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import classes from './import.module.css';
import { csvOf, placeOf, textOf } from './outcome-table.ts';
import { type Outcome, type OutcomeKind, outcomeKinds } from './outcomes.ts';

const looks = {
  imported: { icon: IconCircleCheck, color: 'var(--air-success)' },
  there: { icon: IconCircleDashedCheck, color: 'var(--air-idle)' },
  skipped: { icon: IconCircleMinus, color: 'var(--air-idle)' },
  failed: { icon: IconCircleX, color: 'var(--air-critical)' },
} as const satisfies Record<OutcomeKind, unknown>;

/** Of one rule, of several as a filter, and of so many. */
type Words = { readonly one: string; readonly several: string; readonly counted: (count: number) => string };

const there: Words = {
  one: t('Already there'),
  several: t('Already there##several'),
  counted: (count) => plural(count, '{count} already there', '{count} already there##several'),
};
const words: Readonly<Record<'will' | 'was', Readonly<Record<OutcomeKind, Words>>>> = {
  will: {
    imported: {
      one: t('Will be imported'),
      several: t('Will be imported##several'),
      counted: (count) => plural(count, '{count} will be imported', '{count} will be imported##several'),
    },
    there,
    skipped: {
      one: t('Will be skipped'),
      several: t('Will be skipped##several'),
      counted: (count) => plural(count, '{count} will be skipped', '{count} will be skipped##several'),
    },
    failed: {
      one: t('Not readable'),
      several: t('Not readable##several'),
      counted: (count) => plural(count, '{count} not readable', '{count} not readable##several'),
    },
  },
  was: {
    imported: {
      one: t('Imported##policy'),
      several: t('Imported##several'),
      counted: (count) => plural(count, '{count} imported', '{count} imported##several'),
    },
    there,
    skipped: {
      one: t('Skipped'),
      several: t('Skipped##several'),
      counted: (count) => plural(count, '{count} skipped', '{count} skipped##several'),
    },
    failed: {
      one: t('Failed'),
      several: t('Failed'),
      counted: (count) => plural(count, '{count} failed', '{count} failed##several'),
    },
  },
};

type Props = {
  outcomes: readonly Outcome[];
  dryRun: boolean;
  /** Whether more may come: what is read then is not a result yet. */
  growing: boolean;
  /** Where the page may be left for a rule; beside it otherwise, as what is on its way here would be lost with it. */
  onLeave: (() => void) | undefined;
};

/** What becomes of each rule, or became of it. */
export function OutcomeList({ outcomes, dryRun, growing, onLeave }: Props) {
  const [chosen, setChosen] = useState<OutcomeKind | 'all'>('all');
  const numbers = numberFormat(useReader());
  const isPhone = useIsPhone();
  const counts = useMemo(
    () =>
      outcomeKinds
        .map((kind) => ({ kind, count: outcomes.filter((outcome) => outcome.kind === kind).length }))
        .filter(({ count }) => count > 0),
    [outcomes],
  );
  const shown = counts.some(({ kind }) => kind === chosen) ? chosen : 'all';
  const listed = useMemo(
    () => (shown === 'all' ? outcomes : outcomes.filter(({ kind }) => kind === shown)),
    [outcomes, shown],
  );
  const wordsOf = words[dryRun ? 'will' : 'was'];
  return (
    <section className={classes.outcome} aria-label={dryRun ? t('What would be imported') : t('What was imported')}>
      <p className={classes.summary} role="status">
        {outcomes.length === 0
          ? t('There is no rule in it.')
          : counts.map(({ kind, count }) => wordsOf[kind].counted(count)).join(', ')}
      </p>
      {outcomes.length < 2 ? null : (
        <div className={classes.outcomeBar}>
          <SegmentedControl
            className={classes.kinds ?? ''}
            size="xs"
            // Five of them beside each other are wider than a phone.
            orientation={isPhone ? 'vertical' : 'horizontal'}
            aria-label={t('Rules to show')}
            value={shown}
            data={[
              { value: 'all', label: t('All {count}', { count: numbers.format(outcomes.length) }) },
              ...counts.map(({ kind, count }) => ({
                value: kind,
                label: `${wordsOf[kind].several} ${numbers.format(count)}`,
              })),
            ]}
            onChange={(value) => setChosen(outcomeKinds.find((kind) => kind === value) ?? 'all')}
          />
          {growing ? null : <Keeping outcomes={listed} dryRun={dryRun} />}
        </div>
      )}
      {outcomes.length === 0 ? null : (
        <Rows key={shown} outcomes={listed} wordOf={(kind) => wordsOf[kind].one} onLeave={onLeave} />
      )}
    </section>
  );
}

/** Copies or saves what the list shows. */
function Keeping({ outcomes, dryRun }: { outcomes: readonly Outcome[]; dryRun: boolean }) {
  const text = useMemo(() => textOf(outcomes, (kind) => words[dryRun ? 'will' : 'was'][kind].one), [outcomes, dryRun]);
  const save = () =>
    saveFile(
      new Blob([csvOf(outcomes)], { type: 'text/csv;charset=utf-8' }),
      dryRun ? 'sigma-check.csv' : 'sigma-import.csv',
    );
  return (
    <span className={classes.keeping}>
      <CopyButton value={text} label={t('Copy this list')} />
      <Tip label={t('Save this list as CSV')}>
        <ActionIcon size={24} aria-label={t('Save this list as CSV')} onClick={save}>
          <IconDownload size={14} aria-hidden />
        </ActionIcon>
      </Tip>
    </span>
  );
}

/** Pixels of a row with a reason of one line; the others are measured. */
const ROW_PX = 61;

type RowsProps = Pick<Props, 'outcomes' | 'onLeave'> & { wordOf: (kind: OutcomeKind) => string };

/** Of thousands only those in sight are drawn. */
function Rows({ outcomes, wordOf, onLeave }: RowsProps) {
  const scroller = useRef<HTMLElement>(null);
  const [used, setUsed] = useState<number>();
  const rows = useVirtualizer({
    count: outcomes.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
    // What has the focus stays, so that the keyboard goes on from where it was.
    rangeExtractor: (range) => withUsed(range, used),
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section ref={scroller} className={classes.rules} aria-label={t('Rules')} tabIndex={0}>
      <ul style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => {
          const outcome = outcomes[index];
          return outcome === undefined ? null : (
            <li
              key={key}
              ref={rows.measureElement}
              data-index={index}
              className={classes.rule}
              style={{ transform: `translateY(${start}px)` }}
              aria-posinset={index + 1}
              aria-setsize={outcomes.length}
              onFocus={() => setUsed(index)}
            >
              <Rule outcome={outcome} word={wordOf(outcome.kind)} onLeave={onLeave} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function withUsed(range: Range, used: number | undefined): number[] {
  const drawn = defaultRangeExtractor(range);
  if (used === undefined || used >= range.count || drawn.includes(used)) return drawn;
  return [...drawn, used].toSorted((a, b) => a - b);
}

function Rule({ outcome, word, onLeave }: { outcome: Outcome; word: string } & Pick<Props, 'onLeave'>) {
  const { icon: Icon, color } = looks[outcome.kind];
  const { file, reason, policyId } = outcome;
  const title = outcome.title === '' ? file : outcome.title;
  const place = placeOf(outcome);
  return (
    <>
      <Icon size={16} color={color} aria-label={word} role="img" />
      <span className={classes.ruleWords}>
        {policyId === null ? (
          <span>{title}</span>
        ) : (
          <Link
            to="/air/policy-management"
            search={{ policy: policyId }}
            {...(onLeave === undefined ? { target: '_blank' } : { onClick: onLeave })}
          >
            {title}
          </Link>
        )}
        {reason === undefined ? null : <span className={classes.reason}>{reason}</span>}
        {place === '' || place === title ? null : <span className={classes.file}>{place}</span>}
      </span>
    </>
  );
}
