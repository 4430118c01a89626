import { Button, Menu } from '@mantine/core';
import { IconCalendar, IconCheck, IconChevronDown, IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../language/translate.ts';
import { useReader } from '../../ui/reader.ts';
import { AbsoluteRangeDialog } from './absolute-range-dialog.tsx';
import { presetOf, rangePresets, rangeText, type TimeRange, windowOf } from './time-range.ts';

type Props = {
  range: TimeRange;
  /** When the search ran: what relative ranges are reckoned from. */
  now: Date;
  onChange: (range: TimeRange) => void;
};

const check = <IconCheck size={16} aria-hidden />;

/** When: the presets, or two moments. */
export function RangePicker({ range, now, onChange }: Props) {
  const reader = useReader();
  const [absolute, setAbsolute] = useState(false);
  const chosen = presetOf(range);
  const text = rangeText(range, now, reader);
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            h={36}
            leftSection={<IconClock size={16} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            aria-label={t('Time range: {range}', { range: text })}
          >
            {text}
          </Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflowY: 'auto' }}>
          {rangePresets.map(({ name, label, start, end }) => (
            <Menu.RadioItem
              key={name}
              value={name}
              checked={chosen?.name === name}
              checkIcon={check}
              closeMenuOnClick
              onChange={() => onChange({ start, end })}
            >
              {label}
            </Menu.RadioItem>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconCalendar size={16} aria-hidden />} onClick={() => setAbsolute(true)}>
            {t('From … to …')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {absolute ? (
        <AbsoluteRangeDialog
          shown={windowOf(range, now, reader.timeZone)}
          now={now}
          onClose={() => setAbsolute(false)}
          onSave={({ start, end }) => {
            setAbsolute(false);
            onChange({ start: start.toISOString(), end: end.toISOString() });
          }}
        />
      ) : null}
    </>
  );
}
