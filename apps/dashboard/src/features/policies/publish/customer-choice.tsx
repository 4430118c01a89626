import type { PolicyPublication } from '@airdeck/contracts/policies/publication-schema';
import { Button, Checkbox, TextInput } from '@mantine/core';
import {
  IconArrowBarToUp,
  IconCircleCheck,
  IconCircleDashed,
  IconLock,
  IconPencil,
  IconSearch,
} from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { plainLetters } from '../../../lib/plain-letters.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type CustomerState, stateOf, stateWords, whyNot } from './customer-state.ts';
import classes from './publish.module.css';

const looks: Readonly<Record<CustomerState, { icon: typeof IconLock; color: string }>> = {
  none: { icon: IconCircleDashed, color: 'var(--air-idle)' },
  behind: { icon: IconArrowBarToUp, color: 'var(--air-medium)' },
  current: { icon: IconCircleCheck, color: 'var(--air-success)' },
  overridden: { icon: IconPencil, color: 'var(--air-accent)' },
};

/** Fewer are in sight at once. */
const SEARCH_FROM = 7;
const PAGE = 100;

type Props = {
  customers: readonly PolicyPublication[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
};

/** Which customers, and how each of them stands to the policy. */
export function CustomerChoice({ customers, chosen, onChange }: Props) {
  const [q, setQ] = useState('');
  const [count, setCount] = useState(PAGE);
  const wanted = plainLetters(q.trim());
  const found = customers.filter(({ name }) => plainLetters(name).includes(wanted));
  const free = found.filter((customer) => whyNot(customer) === undefined);
  const chosenHere = free.filter(({ tenant }) => chosen.has(tenant)).length;
  const choose = (tenants: readonly PolicyPublication[], isChosen: boolean) => {
    const next = new Set(chosen);
    for (const { tenant } of tenants) {
      if (isChosen) next.add(tenant);
      else next.delete(tenant);
    }
    onChange(next);
  };
  return (
    <>
      {customers.length < SEARCH_FROM ? null : (
        <TextInput
          type="search"
          aria-label={t('Search customers')}
          placeholder={t('Search customers')}
          value={q}
          leftSection={<IconSearch size={16} aria-hidden />}
          onChange={(event) => {
            setQ(event.currentTarget.value);
            setCount(PAGE);
          }}
        />
      )}
      <div className={classes.frame}>
        <div className={classes.head}>
          <Checkbox
            label={wanted === '' ? t('All that can be published to') : t('All of these that can be published to')}
            checked={free.length > 0 && chosenHere === free.length}
            indeterminate={chosenHere > 0 && chosenHere < free.length}
            disabled={free.length === 0}
            onChange={() => choose(free, chosenHere < free.length)}
          />
          <span className={classes.faint} aria-live="polite">
            {t('{chosen} of {count} chosen', { chosen: chosen.size, count: customers.length })}
          </span>
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={classes.list} aria-label={t('Customers')} tabIndex={0}>
          {found.length === 0 ? <p className={classes.nothing}>{t('No customer has this in its name.')}</p> : null}
          <ul>
            {found.slice(0, count).map((customer) => (
              <li key={customer.tenant} className={classes.row}>
                <Customer
                  customer={customer}
                  chosen={chosen.has(customer.tenant)}
                  onChange={(isChosen) => choose([customer], isChosen)}
                />
              </li>
            ))}
          </ul>
          {found.length > count ? (
            <Button variant="subtle" size="xs" onClick={() => setCount(count + PAGE)}>
              {t('Show {count} more', { count: Math.min(PAGE, found.length - count) })}
            </Button>
          ) : null}
        </section>
      </div>
    </>
  );
}

type CustomerProps = { customer: PolicyPublication; chosen: boolean; onChange: (chosen: boolean) => void };

function Customer({ customer, chosen, onChange }: CustomerProps) {
  const state = stateOf(customer);
  const { icon: Icon, color } = customer.can_publish ? looks[state] : { icon: IconLock, color: 'var(--air-idle)' };
  const reason = whyNot(customer);
  return (
    <>
      <Checkbox
        classNames={{ label: classes.customer ?? '' }}
        label={customer.name}
        description={<Facts customer={customer} reason={reason} />}
        checked={chosen}
        disabled={reason !== undefined}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.state}>
        <Icon size={16} color={color} aria-hidden />
        {stateWords[state]}
      </span>
    </>
  );
}

function Facts({ customer: { copy }, reason }: { customer: PolicyPublication; reason: string | undefined }) {
  return (
    <>
      {copy === null ? null : (
        <>
          {copy.published_version === null
            ? t('An older version')
            : t('Version {version}', { version: copy.published_version })}
          {copy.published_at === null ? null : (
            <>
              , <RelativeTime time={copy.published_at} />
            </>
          )}
          {copy.enabled ? t(' · on there') : t(' · off there')}
          {reason === undefined ? null : ' · '}
        </>
      )}
      {reason}
    </>
  );
}
