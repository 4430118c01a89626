import type { FoundEvent } from '@airdeck/contracts/search/schema';
import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { plural } from '../../language/plural.ts';
import { t } from '../../language/translate.ts';
import classes from './event-panel.module.css';
import { columnValues, fieldValues, type NamedValue } from './event-values.ts';
import { PivotMenu } from './pivot-menu.tsx';

/** From this many fields on a search is offered; fewer are seen at a glance. */
const SEARCHED_FIELDS = 12;
const LONG_VALUE = 400;

/** Columns, then every original field, each value with where it leads. */
export function EventFields({ event }: { event: FoundEvent }) {
  const [wanted, setWanted] = useState('');
  const columns = columnValues(event);
  const fields = fieldValues(event);
  const text = wanted.trim().toLowerCase();
  const matches = ({ name, values }: NamedValue) =>
    text === '' || name.toLowerCase().includes(text) || values.some((value) => value.toLowerCase().includes(text));
  const shown = { columns: columns.filter(matches), fields: fields.filter(matches) };
  return (
    <>
      {columns.length + fields.length < SEARCHED_FIELDS ? null : (
        <TextInput
          size="xs"
          mb="xs"
          aria-label={t('Find in this event')}
          placeholder={t('Find a field or value')}
          value={wanted}
          leftSection={<IconSearch size={14} aria-hidden />}
          rightSection={
            wanted === '' ? null : <CloseButton size="xs" aria-label={t('Clear')} onClick={() => setWanted('')} />
          }
          onChange={(each) => setWanted(each.currentTarget.value)}
        />
      )}
      <Values title={t('Common columns')} values={shown.columns} origin={event} />
      <Values title={t('Original fields')} values={shown.fields} origin={event} />
      {shown.columns.length + shown.fields.length === 0 ? (
        <p className={classes.nothing}>{t('Nothing in this event has “{text}”.', { text: wanted.trim() })}</p>
      ) : null}
    </>
  );
}

type ValuesProps = { title: string; values: readonly NamedValue[]; origin: FoundEvent };

function Values({ title, values, origin }: ValuesProps) {
  const titleId = useId();
  if (values.length === 0) return null;
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.title}>
        {title}
      </h3>
      <dl className={classes.values}>
        {values.map(({ name, values: several }) => (
          <div key={name} className={classes.pair}>
            <dt title={name}>{name}</dt>
            <dd>
              {[...new Set(several)].map((value) => (
                <Value key={value} name={name} value={value} origin={origin} />
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Value({ name, value, origin }: { name: string; value: string; origin: FoundEvent }) {
  const [whole, setWhole] = useState(false);
  const isLong = value.length > LONG_VALUE;
  return (
    <div className={classes.value}>
      <span className={classes.text}>
        {value === '' ? t('(empty)') : whole || !isLong ? value : `${value.slice(0, LONG_VALUE)}… `}
        {isLong ? (
          <button type="button" className={classes.more} onClick={() => setWhole(!whole)}>
            {whole
              ? t('less##text')
              : plural(value.length - LONG_VALUE, '{count} more character', '{count} more characters')}
          </button>
        ) : null}
      </span>
      <PivotMenu field={name} value={value} origin={origin} />
    </div>
  );
}
