import { NativeSelect, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './editor.module.css';
import { lengthParts, lengthUnits, readLength, type TypedLength } from './length-value.ts';

type Props = {
  label: string;
  help?: string;
  /** NaN while what is typed is no number. */
  seconds: number;
  problem: string | undefined;
  onChange: (seconds: number) => void;
};

const unitWords: Readonly<Record<TypedLength['unit'], string>> = {
  seconds: t('seconds'),
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
};

/** A length of time as a number and a unit. */
export function LengthField({ label, help, seconds, problem, onChange }: Props) {
  const id = useId();
  // `from` is what was last seen, and not what reads back: too many digits never do, and would be drawn anew for ever.
  const [{ typed, from }, setTyped] = useState(() => ({ typed: lengthParts(seconds), from: seconds }));
  // Set by another hand than this field's.
  if (!Object.is(from, seconds)) setTyped({ typed: lengthParts(seconds), from: seconds });
  const isTooLong = !Object.is(readLength(typed), seconds);
  const change = (next: TypedLength) => {
    const read = readLength(next);
    setTyped({ typed: next, from: read });
    onChange(read);
  };
  return (
    <div className={classes.length}>
      <TextInput
        id={id}
        label={label}
        description={help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        inputMode="numeric"
        autoComplete="off"
        maxLength={9}
        value={typed.amount}
        error={problem ?? (isTooLong ? t('This is longer than it may be.') : undefined)}
        onChange={(event) => change({ ...typed, amount: event.currentTarget.value.trim() })}
      />
      <NativeSelect
        aria-label={t('Unit of {name}', { name: label.toLowerCase() })}
        data={lengthUnits.map((unit) => ({ value: unit, label: unitWords[unit] }))}
        value={typed.unit}
        onChange={(event) => {
          const unit = lengthUnits.find((each) => each === event.currentTarget.value);
          if (unit !== undefined) change({ ...typed, unit });
        }}
      />
    </div>
  );
}
