import { Button, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import classes from './import.module.css';
import type { ImportedRule } from './import-run.ts';

const PAGE = 100;
type Status = ImportedRule['status'];

const looks = {
  imported: { icon: IconCircleCheck, color: 'var(--air-success)' },
  skipped: { icon: IconCircleMinus, color: 'var(--air-idle)' },
  failed: { icon: IconCircleX, color: 'var(--air-critical)' },
} as const satisfies Record<Status, unknown>;

/** Of one rule, of several as a filter, and of so many. */
type Words = { readonly one: string; readonly several: string; readonly counted: (count: number) => string };

const words: Readonly<Record<'will' | 'was', Readonly<Record<Status, Words>>>> = {
  will: {
    imported: {
      one: t('Will be imported'),
      several: t('Will be imported##several'),
      counted: (count) => plural(count, '{count} will be imported', '{count} will be imported##several'),
    },
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
    skipped: {
      one: t('Skipped'),
      several: t('Skipped##several'),
      counted: (count) => plural(count, '{count} skipped', '{count} skipped##several'),
    },
    failed: {
      one: t('Failed'),
      several: t('Failed'),
      counted: (count) => t('{count} failed', { count }),
    },
  },
};
const statuses: readonly Status[] = ['imported', 'skipped', 'failed'];

type Props = { rules: readonly ImportedRule[]; dryRun: boolean; onLeave: () => void };

/** What becomes of each rule, or became of it. */
export function ImportedRules({ rules, dryRun, onLeave }: Props) {
  const [shown, setShown] = useState<Status | 'all'>('all');
  const [count, setCount] = useState(PAGE);
  const listed = shown === 'all' ? rules : rules.filter(({ status }) => status === shown);
  const number = (status: Status) => rules.filter((rule) => rule.status === status).length;
  const wordsOf = words[dryRun ? 'will' : 'was'];
  return (
    <section className={classes.outcome} aria-label={dryRun ? t('What would be imported') : t('What was imported')}>
      <p className={classes.summary} role="status">
        {rules.length === 0
          ? t('There is no rule in it.')
          : statuses
              .filter((status) => number(status) > 0)
              .map((status) => wordsOf[status].counted(number(status)))
              .join(', ')}
      </p>
      {rules.length < 2 ? null : (
        <SegmentedControl
          size="xs"
          aria-label={t('Rules to show')}
          value={shown}
          data={[
            { value: 'all', label: t('All {count}', { count: rules.length }) },
            ...statuses
              .filter((status) => number(status) > 0)
              .map((status) => ({ value: status, label: `${wordsOf[status].several} ${number(status)}` })),
          ]}
          onChange={(value) => {
            setShown(statuses.find((status) => status === value) ?? 'all');
            setCount(PAGE);
          }}
        />
      )}
      {rules.length === 0 ? null : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.rules} aria-label={t('Rules')} tabIndex={0}>
          <ul>
            {listed.slice(0, count).map((rule, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two rules may have the same file, id and title
              <li key={index} className={classes.rule}>
                <Rule rule={rule} word={wordsOf[rule.status].one} onLeave={onLeave} />
              </li>
            ))}
          </ul>
          {listed.length > count ? (
            <Button variant="subtle" size="xs" onClick={() => setCount(count + PAGE)}>
              {t('Show {count} more', { count: Math.min(PAGE, listed.length - count) })}
            </Button>
          ) : null}
        </section>
      )}
    </section>
  );
}

function Rule({ rule, word, onLeave }: { rule: ImportedRule; word: string; onLeave: () => void }) {
  const { icon: Icon, color } = looks[rule.status];
  const title = rule.title === '' ? rule.file : rule.title;
  return (
    <>
      <Icon size={16} color={color} aria-label={word} role="img" />
      <span className={classes.ruleWords}>
        {rule.policy_id === null ? (
          <span>{title}</span>
        ) : (
          <Link to="/air/policy-management" search={{ policy: rule.policy_id }} onClick={onLeave}>
            {title}
          </Link>
        )}
        {rule.reason === undefined ? null : <span className={classes.reason}>{rule.reason}</span>}
        {rule.file === '' || rule.file === title ? null : <span className={classes.file}>{rule.file}</span>}
      </span>
    </>
  );
}
