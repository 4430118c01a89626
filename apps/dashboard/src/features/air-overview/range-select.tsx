import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { dateFormat, useReader } from '../../ui/reader.ts';
import {
  DEFAULT_RANGE,
  type OverviewSearch,
  overviewSearch,
  type RangePreset,
  rangeNames,
  rangePresets,
} from './overview-range.ts';

const CUSTOM = 'custom';

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
        aria-label="Period"
        value={isRange ? CUSTOM : (search.range ?? DEFAULT_RANGE)}
        data={[
          ...rangePresets.map((preset) => ({ value: preset, label: rangeNames[preset] })),
          { value: CUSTOM, label: isRange ? `${day(from)} – ${day(to)}` : 'Custom range…' },
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === CUSTOM) setChoosing(true);
          else onChange({ range: value === DEFAULT_RANGE ? undefined : (value as RangePreset) });
        }}
      />
      {isRange ? (
        <Button variant="default" onClick={() => setChoosing(true)}>
          Change range
        </Button>
      ) : null}
      {choosing ? (
        <RangeDialog
          from={from ?? ''}
          to={to ?? ''}
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

type DialogProps = {
  from: string;
  to: string;
  onClose: () => void;
  onSave: (range: { from: string; to: string }) => void;
};

const YEAR_DAYS = 366;

function RangeDialog({ from: first, to: last, onClose, onSave }: DialogProps) {
  const [range, setRange] = useState({ from: first, to: last });
  const [problem, setProblem] = useState<string>();
  const save = (event: FormEvent) => {
    event.preventDefault();
    const read = overviewSearch(range);
    const days = (Date.parse(range.to) - Date.parse(range.from)) / 86_400_000 + 1;
    if (read.from === undefined) setProblem('Enter a first day, and a last day that is not before it.');
    else if (days > YEAR_DAYS) setProblem('At most a year.');
    else onSave(range);
  };
  return (
    <Dialog title="Period" onClose={onClose}>
      <form onSubmit={save} noValidate>
        <Stack gap="md">
          <Group grow align="flex-start">
            <TextInput
              type="date"
              label="First day"
              value={range.from}
              error={problem}
              data-autofocus
              onChange={({ currentTarget: { value } }) => setRange({ ...range, from: value })}
            />
            <TextInput
              type="date"
              label="Last day"
              value={range.to}
              onChange={({ currentTarget: { value } }) => setRange({ ...range, to: value })}
            />
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit">Show this period</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
