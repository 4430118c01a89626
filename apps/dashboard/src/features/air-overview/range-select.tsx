import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { rangeNames } from '../../components/range-names.ts';
import { t } from '../../language/translate.ts';
import { type RangePreset, rangePresets } from '../../lib/range-presets.ts';
import { DayRangeDialog } from '../../ui/day-range-dialog.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import { DEFAULT_RANGE, type OverviewSearch } from './overview-range.ts';

const CUSTOM = 'custom';

const YEAR_DAYS = 366;

type Props = { search: OverviewSearch; onChange: (search: OverviewSearch) => void };

/** Which period the figures are of. */
export function RangeSelect({ search, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const reader = useReader();
  const day = (text: string) =>
    dateFormat({ locale: reader.locale, timeZone: 'UTC' }, { dateStyle: 'medium' }).format(
      new Date(`${text}T00:00:00Z`),
    );
  const { from, to } = search;
  const isRange = from !== undefined && to !== undefined;
  return (
    <>
      <NativeSelect
        aria-label={t('Period')}
        value={isRange ? CUSTOM : (search.range ?? DEFAULT_RANGE)}
        data={[
          ...rangePresets.map((preset) => ({ value: preset, label: rangeNames[preset] })),
          { value: CUSTOM, label: isRange ? `${day(from)} – ${day(to)}` : t('Custom range…') },
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === CUSTOM) setChoosing(true);
          else onChange({ range: value === DEFAULT_RANGE ? undefined : (value as RangePreset) });
        }}
      />
      {isRange ? (
        <Button variant="default" onClick={() => setChoosing(true)}>
          {t('Change range')}
        </Button>
      ) : null}
      {choosing ? (
        <DayRangeDialog
          title={t('Period')}
          action={t('Show this period')}
          first={{ from: from ?? '', to: to ?? '' }}
          maxDays={YEAR_DAYS}
          onClose={() => setChoosing(false)}
          onSave={(range) => {
            setChoosing(false);
            onChange(range);
          }}
        />
      ) : null}
    </>
  );
}
