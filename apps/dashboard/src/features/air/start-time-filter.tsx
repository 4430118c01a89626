import { NativeSelect } from '@mantine/core';
import { t } from '../../language/translate.ts';
import { useReader } from '../../ui/reader.ts';
import { useNow } from '../../ui/use-now.ts';
import { startLabel, startOf, startPresets } from './start-time.ts';

type Props = { startTime: string | undefined; onChange: (startTime: string | undefined) => void };

/** Since when the cases were opened; a time the presets do not know, from a link, is offered as it is. */
export function StartTimeFilter({ startTime, onChange }: Props) {
  const now = useNow();
  const reader = useReader();
  const presets = startPresets.map(({ label, days }) => ({ label, value: startOf(days, now, reader) }));
  const isPreset = startTime === undefined || presets.some(({ value }) => value === startTime);
  return (
    <NativeSelect
      aria-label={t('Opened##time')}
      w={150}
      value={startTime ?? ''}
      onChange={(event) => onChange(event.currentTarget.value === '' ? undefined : event.currentTarget.value)}
      data={[
        { label: t('Any time'), value: '' },
        ...presets,
        ...(isPreset ? [] : [{ label: startLabel(startTime, now, reader), value: startTime }]),
      ]}
    />
  );
}
