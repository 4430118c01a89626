import { Button, SegmentedControl } from '@mantine/core';
import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import classes from './import.module.css';
import type { ImportedRule } from './import-run.ts';

const PAGE = 100;
type Status = ImportedRule['status'];

const looks = {
  imported: { icon: IconCircleCheck, color: 'var(--air-success)', will: 'Will be imported', was: 'Imported' },
  skipped: { icon: IconCircleMinus, color: 'var(--air-idle)', will: 'Will be skipped', was: 'Skipped' },
  failed: { icon: IconCircleX, color: 'var(--air-critical)', will: 'Not readable', was: 'Failed' },
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
    <section className={classes.outcome} aria-label={dryRun ? 'What would be imported' : 'What was imported'}>
      <p className={classes.summary} role="status">
        {rules.length === 0
          ? 'There is no rule in it.'
          : statuses
              .filter((status) => number(status) > 0)
              .map((status) => `${number(status)} ${looks[status][word].toLowerCase()}`)
              .join(', ')}
      </p>
      {rules.length < 2 ? null : (
        <SegmentedControl
          size="xs"
          aria-label="Rules to show"
          value={shown}
          data={[
            { value: 'all', label: `All ${rules.length}` },
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
        <section className={classes.rules} aria-label="Rules" tabIndex={0}>
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
              Show {Math.min(PAGE, listed.length - count)} more
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
