import type { SearchFields } from '@airdeck/contracts/search/schema';
import { ActionIcon, CloseButton, TextInput, UnstyledButton } from '@mantine/core';
import { IconChevronRight, IconColumns3, IconEqual, IconEqualNot } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import { Count } from '../../ui/count.tsx';
import { numberFormat, useReader } from '../../ui/reader.ts';
import classes from './field-sidebar.module.css';
import { useSearchActions } from './search-actions.ts';

type Field = SearchFields['fields'][number];

/** Fields of what was found, each with its most frequent values, from which the search is narrowed. */
export function FieldSidebar({ of }: { of: SearchFields }) {
  const [wanted, setWanted] = useState('');
  const { columns } = useSearchActions();
  const matching = of.fields.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()));
  const shown = matching.filter(({ name }) => columns.includes(name));
  const others = matching.filter(({ name }) => !columns.includes(name));
  return (
    <div className={classes.root}>
      <TextInput
        size="xs"
        aria-label={t('Find a field')}
        placeholder={t('Find a field')}
        value={wanted}
        rightSection={
          wanted === '' ? null : <CloseButton size="xs" aria-label={t('Clear')} onClick={() => setWanted('')} />
        }
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <p className={classes.sample}>
        {of.sample.complete
          ? plural(of.sample.events, 'Values of {count} event.', 'Values of all {count} events.')
          : plural(of.sample.events, 'Values of the newest {count} event.', 'Values of the newest {count} events.')}
      </p>
      <FieldList title={t('Shown as columns')} fields={shown} sample={of.sample.events} />
      <FieldList title={t('Other fields')} fields={others} sample={of.sample.events} />
      {matching.length === 0 && wanted.trim() !== '' ? (
        <p className={classes.sample}>{t('No field has this in its name.')}</p>
      ) : null}
      {of.more_fields ? <p className={classes.sample}>{t('There are more fields than are listed here.')}</p> : null}
    </div>
  );
}

function FieldList({ title, fields, sample }: { title: string; fields: readonly Field[]; sample: number }) {
  if (fields.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.title}>{title}</h3>
      <ul className={classes.list}>
        {fields.map((field) => (
          <FieldItem key={field.name} field={field} sample={sample} />
        ))}
      </ul>
    </section>
  );
}

function FieldItem({ field, sample }: { field: Field; sample: number }) {
  const [open, setOpen] = useState(false);
  const valuesId = useId();
  const { columns, toggleColumn } = useSearchActions();
  const isColumn = columns.includes(field.name);
  return (
    <li className={classes.field}>
      <div className={classes.head}>
        <UnstyledButton
          className={classes.name}
          aria-expanded={open}
          aria-controls={open ? valuesId : undefined}
          onClick={() => setOpen(!open)}
        >
          <IconChevronRight size={14} className={classes.chevron} data-open={open || undefined} aria-hidden />
          <span className={classes.text} title={field.name}>
            {field.name}
          </span>
          <span className={classes.count}>
            <Share count={field.count} of={sample} />
          </span>
        </UnstyledButton>
        <ActionIcon
          size={24}
          aria-pressed={isColumn}
          aria-label={t('Column {name}', { name: field.name })}
          title={isColumn ? t('Remove column') : t('Show as column')}
          className={classes.column}
          onClick={() => toggleColumn(field.name)}
        >
          <IconColumns3 size={14} />
        </ActionIcon>
      </div>
      {open ? (
        <div id={valuesId}>
          {field.top.length === 0 ? (
            <p className={classes.sample}>{t('Its values are lists or objects.')}</p>
          ) : (
            <TopValues field={field} sample={sample} />
          )}
        </div>
      ) : null}
    </li>
  );
}

function TopValues({ field, sample }: { field: Field; sample: number }) {
  const { addFilter } = useSearchActions();
  return (
    <ul className={classes.values}>
      {field.top.map(({ value, count }) => (
        <li key={value} className={classes.value}>
          <span className={classes.share} style={{ width: `${sample === 0 ? 0 : (count / sample) * 100}%` }} />
          <span className={classes.text} title={value}>
            {value === '' ? t('(empty)') : value}
          </span>
          <span className={classes.count}>
            <Count value={count} />
          </span>
          <ActionIcon
            size={24}
            aria-label={t('Only {field} {value}', { field: field.name, value })}
            title={t('Only this value')}
            onClick={() => addFilter(field.name, 'is', value)}
          >
            <IconEqual size={14} />
          </ActionIcon>
          <ActionIcon
            size={24}
            aria-label={t('Not {field} {value}', { field: field.name, value })}
            title={t('Not this value')}
            onClick={() => addFilter(field.name, 'is_not', value)}
          >
            <IconEqualNot size={14} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

/** "98 %", and never "0 %" or "100 %" of what is only nearly so. */
function Share({ count, of }: { count: number; of: number }) {
  const reader = useReader();
  if (of === 0) return null;
  const share = count / of;
  const text = (value: number) => numberFormat(reader, { style: 'percent', maximumFractionDigits: 0 }).format(value);
  if (share > 0 && share < 0.01) return `< ${text(0.01)}`;
  return text(share < 1 ? Math.min(share, 0.99) : 1);
}
