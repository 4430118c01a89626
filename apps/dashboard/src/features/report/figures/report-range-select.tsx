import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { rangeNames } from '../../../components/range-names.ts';
import { t } from '../../../language/translate.ts';
import { presetTimes, rangeOfDays } from '../../../lib/day-presets.ts';
import { rangePresets } from '../../../lib/range-presets.ts';
import { DayRangeDialog } from '../../../ui/day-range-dialog.tsx';
import { dateFormat, useReader } from '../../../ui/reader.ts';
import type { FigureReportSearch } from './figure-report-search.ts';
import { presetOf, searchOf } from './report-times.ts';

const CUSTOM = 'custom';
const OWN = 'own';
const YEAR_DAYS = 366;

type Props = { search: FigureReportSearch; now: Date; onChange: (search: FigureReportSearch) => void };

/** Which time a report is over. */
export function ReportRangeSelect({ search, now, onChange }: Props) {
  const [choosing, setChoosing] = useState(false);
  const reader = useReader();
  const at = { now, timeZone: reader.timeZone };
  const preset = presetOf(search, at);
  const day = (time: string | undefined, offsetMs: number) =>
    time === undefined
      ? t('today')
      : dateFormat(reader, { dateStyle: 'medium' }).format(new Date(Date.parse(time) + offsetMs));
  // The end is the midnight after the last day.
  const own = `${day(search.start_time, 0)} – ${day(search.end_time, -1)}`;
  return (
    <>
      <NativeSelect
        aria-label={t('Period')}
        value={preset ?? OWN}
        data={[
          ...rangePresets.map((value) => ({ value, label: rangeNames[value] })),
          ...(preset === undefined ? [{ value: OWN, label: own }] : []),
          { value: CUSTOM, label: t('Custom range…') },
        ]}
        onChange={({ currentTarget: { value } }) => {
          const chosen = rangePresets.find((each) => each === value);
          if (value === CUSTOM) setChoosing(true);
          else if (chosen !== undefined) onChange(searchOf(presetTimes(chosen, now, reader.timeZone), at));
        }}
      />
      {preset === undefined ? (
        <Button variant="default" onClick={() => setChoosing(true)}>
          {t('Change range')}
        </Button>
      ) : null}
      {choosing ? (
        <DayRangeDialog
          title={t('Period')}
          action={t('Show this period')}
          first={{ from: '', to: '' }}
          maxDays={YEAR_DAYS}
          onClose={() => setChoosing(false)}
          onSave={(range) => {
            setChoosing(false);
            onChange(searchOf(rangeOfDays(range, now, reader.timeZone), at));
          }}
        />
      ) : null}
    </>
  );
}
