import { NativeSelect } from '@mantine/core';
import { useReader } from '../../ui/reader.ts';
import { useNow } from '../../ui/use-now.ts';
import { rangeNames } from '../range-names.ts';
import { startLabel, startOf, startPresets } from './start-time.ts';

type Props = {
  label: string;
  /** What it is called when nothing is chosen. */
  anyTime: string;
  startTime: string | undefined;
  onChange: (startTime: string | undefined) => void;
};

/** Since when cases were opened; a time the presets do not know, from a link, is offered as it is. */
export function StartTimeFilter({ label, anyTime, startTime, onChange }: Props) {
  const now = useNow();
  const reader = useReader();
  const presets = startPresets.map((each) => ({ label: rangeNames[each], value: startOf(each, now, reader) }));
  const isPreset = startTime === undefined || presets.some(({ value }) => value === startTime);
  return (
    <NativeSelect
      aria-label={label}
      miw={150}
      value={startTime ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      data={[
        { label: anyTime, value: '' },
        ...presets,
        ...(isPreset ? [] : [{ label: startLabel(startTime, now, reader), value: startTime }]),
      ]}
    />
  );
}
