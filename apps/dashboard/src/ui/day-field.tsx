import { dateFormats } from '@airdeck/domain/display-time';
import { ActionIcon, TextInput } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { useRef } from 'react';
import { t } from '../language/translate.ts';
import { useReader } from './reader.ts';
import { readDay, typedDay } from './typed-day.ts';

/** Where the browser opens its calendar; nothing to see or to reach by itself. */
const unseen = { position: 'absolute', inset: 0, width: '100%', opacity: 0, pointerEvents: 'none' } as const;

type Props = {
  label: string;
  /** As typed: `readDay` says which day it is, `typedDay` how one begins. */
  value: string;
  onChange: (text: string) => void;
  problem: string | undefined;
  /** The last day that can be picked, as `yyyy-mm-dd`. */
  latest?: string | undefined;
  /** Has the focus when its dialog opens. */
  first?: boolean;
};

/**
 * A day, typed as the profile's locale writes it. A date field of the browser would follow the browser's language instead,
 * so it only lends its calendar.
 */
export function DayField({ label, value, onChange, problem, latest, first = false }: Props) {
  const { locale } = useReader();
  const native = useRef<HTMLInputElement>(null);
  return (
    <TextInput
      label={label}
      value={value}
      error={problem}
      placeholder={dateFormats[locale]}
      autoComplete="off"
      {...(first ? { 'data-autofocus': true } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
      rightSection={
        'showPicker' in HTMLInputElement.prototype ? (
          <>
            <input
              ref={native}
              type="date"
              style={unseen}
              value={readDay(value, locale).day ?? ''}
              max={latest}
              tabIndex={-1}
              aria-hidden
              onChange={({ currentTarget: { value: day } }) => onChange(day === '' ? '' : typedDay(day, locale))}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('{label}: calendar', { label })}
              onClick={() => native.current?.showPicker()}
            >
              <IconCalendar size={16} aria-hidden />
            </ActionIcon>
          </>
        ) : undefined
      }
    />
  );
}
