import { IconCircleCheck, IconCircleMinus, IconCircleX } from '@tabler/icons-react';
import { plural } from '../../../language/plural.ts';
import { t } from '../../../language/translate.ts';
import classes from './publish.module.css';
import type { PublishedTo } from './publish-run.ts';

type Status = PublishedTo['status'];

const looks = {
  created: { icon: IconCircleCheck, color: 'var(--air-success)', word: t('Published') },
  updated: { icon: IconCircleCheck, color: 'var(--air-success)', word: t('Renewed') },
  unchanged: { icon: IconCircleMinus, color: 'var(--air-idle)', word: t('Had it already') },
  kept: { icon: IconCircleMinus, color: 'var(--air-idle)', word: t('Kept its own version') },
  refused: { icon: IconCircleX, color: 'var(--air-critical)', word: t('Refused') },
} as const satisfies Record<Status, unknown>;

/** So many customers of which it is so. */
const counted: Readonly<Record<Status, (count: number) => string>> = {
  created: (count) => plural(count, '{count} published', '{count} published##several'),
  updated: (count) => plural(count, '{count} renewed', '{count} renewed##several'),
  unchanged: (count) => plural(count, '{count} had it already', '{count} had it already##several'),
  kept: (count) => plural(count, '{count} kept its own version', '{count} kept their own version'),
  refused: (count) => plural(count, '{count} refused', '{count} refused##several'),
};

/** What needs somebody first. */
const statuses: readonly Status[] = ['refused', 'created', 'updated', 'kept', 'unchanged'];

type Props = {
  done: readonly PublishedTo[];
  /** By tenant. */
  names: ReadonlyMap<string, string>;
  /** Customers that were not reached any more. */
  left: number;
};

/** What came of publishing, customer by customer. */
export function PublishOutcome({ done, names, left }: Props) {
  const counts = statuses
    .map((status) => ({ status, count: done.filter((one) => one.status === status).length }))
    .filter(({ count }) => count > 0)
    .map(({ status, count }) => counted[status](count));
  const parts = [...counts, ...(left > 0 ? [plural(left, '{count} not reached', '{count} not reached##several')] : [])];
  const sorted = done.toSorted((one, other) => statuses.indexOf(one.status) - statuses.indexOf(other.status));
  return (
    <section className={classes.frame} aria-label={t('What came of it')}>
      <p className={classes.summary} role="status">
        {parts.join(', ')}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.list} aria-label={t('Customers')} tabIndex={0}>
        <ul>
          {sorted.map(({ tenant, status, reason }) => {
            const { icon: Icon, color, word } = looks[status];
            return (
              <li key={tenant} className={classes.row}>
                <span className={classes.name}>
                  {names.get(tenant) ?? tenant}
                  {reason === undefined ? null : <span className={classes.reason}>{reason}</span>}
                </span>
                <span className={classes.state}>
                  <Icon size={16} color={color} aria-hidden />
                  {word}
                </span>
              </li>
            );
          })}
        </ul>
      </section>
    </section>
  );
}
