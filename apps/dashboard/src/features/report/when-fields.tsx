import { NativeSelect, Select, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../language/translate.ts';
import { BROWSER_ZONE, searchZones, zoneOptions } from '../../lib/time-zones.ts';
import classes from './report.module.css';
import type { ScheduleFields } from './schedule-fields.ts';
import { periodIds, periodWords, reachesWith, reachWords } from './schedule-words.ts';

const SHOWN_ZONES = 60;

type Props = {
  fields: ScheduleFields;
  problem: string | undefined;
  onEdit: (part: Partial<ScheduleFields>) => void;
};

/** How often, at which time of day, over which time, and by whose clock. */
export function WhenFields({ fields, problem, onEdit }: Props) {
  const { period, clock, coversDays, time_zone: zone } = fields;
  // A schedule goes on without a browser, so its zone has a name.
  const zones = useMemo(() => zoneOptions(zone).filter(({ value }) => value !== BROWSER_ZONE), [zone]);
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('How often')}
        value={period}
        data={periodIds.map((each) => ({ value: each, label: periodWords[each].label }))}
        onChange={(event) => onEdit({ period: periodIds.find((each) => each === event.currentTarget.value) ?? period })}
      />
      <TextInput
        type="time"
        label={periodWords[period].at}
        value={clock}
        error={problem}
        onChange={(event) => onEdit({ clock: event.currentTarget.value })}
      />
      <NativeSelect
        label={t('Events of')}
        value={coversDays === null ? '' : String(coversDays)}
        data={[
          { value: '', label: periodWords[period].covers },
          ...reachesWith(coversDays).map((days) => ({ value: String(days), label: reachWords(days) })),
        ]}
        onChange={({ currentTarget: { value } }) => onEdit({ coversDays: value === '' ? null : Number(value) })}
      />
      <Select
        label={t('Time zone')}
        description={t('Days begin and end by its clocks.')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        searchable
        allowDeselect={false}
        limit={SHOWN_ZONES}
        nothingFoundMessage={t('No time zone has this name.')}
        data={zones}
        filter={({ options, search }) =>
          searchZones(
            options.filter((option) => 'value' in option),
            search,
          )
        }
        value={zone}
        onChange={(value) => {
          if (value !== null) onEdit({ time_zone: value });
        }}
      />
    </div>
  );
}
