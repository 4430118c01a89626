import { Button, CloseButton, NativeSelect, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { filtersOf } from '../../../lib/search-params.ts';
import { DayRangeDialog } from '../../../ui/day-range-dialog.tsx';
import { dateFormat, type Reader, useReader } from '../../../ui/reader.ts';
import { useNow } from '../../../ui/use-now.ts';
import type { SearchChange, TenantSettingsSearch } from '../tenant/tenant-settings-search.ts';
import { ActionFilter } from './action-filter.tsx';
import classes from './audit.module.css';
import { daysToTimes, startBefore, timePresets } from './audit-filter.ts';
import { useTyped } from './use-typed.ts';

const CUSTOM = 'custom';

type Filters = NonNullable<TenantSettingsSearch['filters']>;

type Props = {
  search: TenantSettingsSearch;
  /** Actions of the records that are shown. */
  seen: ReadonlySet<string>;
  onChange: (part: SearchChange) => void;
  /** Undefined while nothing is filtered. */
  onClear: (() => void) | undefined;
};

/** Who, what, to what, how it ended and when. The address holds all of it. */
export function AuditFilters({ search, seen, onChange, onClear }: Props) {
  const filters = search.filters ?? {};
  const set = (part: Partial<Filters>) => onChange({ filters: filtersOf({ ...filters, ...part }) as Filters });
  const field = (name: 'actor' | 'action' | 'target') => ({
    value: filters[name] ?? '',
    onChange: (value: string) => set({ [name]: value === '' ? undefined : value }),
  });
  return (
    <search className={classes.filters}>
      <TextFilter label={t('Who')} placeholder={t('Who: name or id')} {...field('actor')} />
      <ActionFilter seen={seen} {...field('action')} />
      <TextFilter label={t('Target')} placeholder={t('Target: kind or id')} {...field('target')} />
      <NativeSelect
        aria-label={t('Outcome')}
        value={filters.outcome ?? ''}
        data={[
          { value: '', label: t('Any outcome') },
          { value: 'ok', label: t('Done') },
          { value: 'refused', label: t('Refused') },
        ]}
        onChange={(event) => {
          const chosen = (['ok', 'refused'] as const).find((each) => each === event.currentTarget.value);
          set({ outcome: chosen });
        }}
      />
      <TimeFilter search={search} onChange={onChange} />
      {onClear === undefined ? null : (
        <Button variant="subtle" color="gray" leftSection={<IconX size={14} aria-hidden />} onClick={onClear}>
          {t('Clear')}
        </Button>
      )}
    </search>
  );
}

type TextProps = { label: string; placeholder: string; value: string; onChange: (value: string) => void };

function TextFilter({ label, placeholder, value, onChange }: TextProps) {
  const { text, type } = useTyped(value, onChange);
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholder}
      maxLength={200}
      value={text}
      rightSection={
        text === '' ? null : (
          <CloseButton
            size="sm"
            aria-label={t('Clear {label}', { label: label.toLowerCase() })}
            onClick={() => type('')}
          />
        )
      }
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

function TimeFilter({ search: { startTime, endTime }, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const now = useNow();
  const reader = useReader();
  const [asking, setAsking] = useState(false);
  const presets = timePresets.map(({ label, hours }) => ({ label, value: startBefore(hours, now) }));
  const none = startTime === undefined && endTime === undefined;
  const preset = endTime === undefined ? presets.find(({ value }) => value === startTime) : undefined;
  const own = none || preset !== undefined ? [] : [{ value: 'own', label: rangeLabel({ startTime, endTime }, reader) }];
  return (
    <>
      <NativeSelect
        aria-label={t('Time')}
        value={none ? '' : (preset?.value ?? 'own')}
        data={[{ value: '', label: t('Any time') }, ...presets, ...own, { value: CUSTOM, label: t('Choose days…') }]}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (value === CUSTOM) setAsking(true);
          else if (value !== 'own') onChange({ startTime: value === '' ? undefined : value, endTime: undefined });
        }}
      />
      {asking ? (
        <DayRangeDialog
          title={t('Records of these days')}
          action={t('Show these days')}
          first={{ from: '', to: '' }}
          onClose={() => setAsking(false)}
          onSave={(days) => {
            const times = daysToTimes(days, reader);
            if (times !== undefined) onChange(times);
            setAsking(false);
          }}
        />
      ) : null}
    </>
  );
}

function rangeLabel({ startTime: start, endTime: end }: Props['search'], reader: Reader): string {
  const date = dateFormat(reader, { dateStyle: 'medium' });
  const day = (time: string, offsetMs: number) => date.format(Date.parse(time) + offsetMs);
  if (start === undefined) return end === undefined ? '' : t('Until {day}', { day: day(end, -1) });
  // The end is the midnight after the last day.
  return end === undefined ? t('Since {day}', { day: day(start, 0) }) : `${day(start, 0)} – ${day(end, -1)}`;
}
