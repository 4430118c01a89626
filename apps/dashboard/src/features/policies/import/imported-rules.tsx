import { Button, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './import.module.css';
import type { ImportedRule } from './import-run.ts';

const PAGE = 100;
type Status = ImportedRule['status'];

const looks = {
  imported: { icon: IconCircleCheck, color: 'var(--air-success)', will: t('Will be imported'), was: t('Imported') },
  skipped: { icon: IconCircleMinus, color: 'var(--air-idle)', will: t('Will be skipped'), was: t('Skipped') },
  failed: { icon: IconCircleX, color: 'var(--air-critical)', will: t('Not readable'), was: t('Failed') },
} as const satisfies Record<Status, unknown>;
const statuses: readonly Status[] = ['imported', 'skipped', 'failed'];

type Props = { rules: readonly ImportedRule[]; dryRun: boolean; onLeave: () => void };

/** What becomes of each rule, or became of it. */
export function ImportedRules({ rules, dryRun, onLeave }: Props) {
  const [shown, setShown] = useState<Status | 'all'>('all');
  const [count, setCount] = useState(PAGE);
  const listed = shown === 'all' ? rules : rules.filter(({ status }) => status === shown);
  const number = (status: Status) => rules.filter((rule) => rule.status === status).length;
  const word = dryRun ? 'will' : 'was';
  return (
    <section className={classes.outcome} aria-label={dryRun ? t('What would be imported') : t('What was imported')}>
      <p className={classes.summary} role="status">
        {rules.length === 0
          ? t('There is no rule in it.')
          : statuses
              .filter((status) => number(status) > 0)
              .map((status) => `${number(status)} ${looks[status][word].toLowerCase()}`)
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
              .map((status) => ({ value: status, label: `${looks[status][word]} ${number(status)}` })),
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
                <Rule rule={rule} word={looks[rule.status][word]} onLeave={onLeave} />
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
