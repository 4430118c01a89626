import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { describedBy, FieldFrame } from '../../../../components/expression/field-frame.tsx';
import { t } from '../../../../language/translate.ts';
import { useReader } from '../../../../ui/reader.ts';
import { type DurationUnit, durationParts, durationUnits, secondsOf } from './duration-value.ts';
import classes from './form.module.css';

type Props = {
  id: string;
  label: string;
  /** Undefined where none is set. */
  seconds: number | undefined;
  onChange: (seconds: number | undefined) => void;
  onLeave: () => void;
  help?: string;
  problem: string | undefined;
};

/** A time span as a number and a unit; empty, there is none. */
export function DurationField({ id, label, seconds, onChange, onLeave, help, problem }: Props) {
  const sign = decimalSign(useReader().locale);
  // `from` is what was last seen, and not what reads back: -1 never does, and would be drawn anew for ever.
  const [{ typed, from }, setTyped] = useState(() => ({ typed: typedOf(seconds, sign), from: seconds }));
  // Set by another hand than this field's.
  if (!Object.is(from, seconds)) setTyped({ typed: typedOf(seconds, sign), from: seconds });
  const told = problem ?? (isWrong(typed, sign) ? t('This is no length of time.') : undefined);
  const change = (next: Typed) => {
    if (!isWrong(next, sign)) {
      const read = readTyped(next, sign);
      setTyped({ typed: next, from: read });
      onChange(read);
    } else if (isWrong(typed, sign)) {
      // What came in wrong is mended a character at a time.
      setTyped({ typed: next, from });
    }
    // Otherwise half a number is not kept; the field shows what there is.
  };
  return (
    <FieldFrame id={id} label={label} help={help} problem={told}>
      <div className={classes.duration}>
        <TextInput
          id={id}
          {...describedBy(id, { help, problem: told })}
          inputMode="decimal"
          autoComplete="off"
          value={typed.amount}
          onChange={(event) => change({ ...typed, amount: event.currentTarget.value.trim() })}
          onBlur={onLeave}
        />
        <NativeSelect
          aria-label={t('Unit of {label}', { label: label.toLowerCase() })}
          data={durationUnits.map((unit) => ({ value: unit, label: unitWords[unit] }))}
          value={typed.unit}
          onChange={(event) => {
            const unit = durationUnits.find((each) => each === event.currentTarget.value);
            if (unit !== undefined) change({ ...typed, unit });
          }}
        />
      </div>
    </FieldFrame>
  );
}

const unitWords: Readonly<Record<DurationUnit, string>> = {
  seconds: t('seconds'),
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
};

/** What stands before the fraction where the reader is at home; a point is read everywhere. */
function decimalSign(locale: string): string {
  return new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
}

type Typed = { amount: string; unit: DurationUnit };

function typedOf(seconds: number | undefined, sign: string): Typed {
  if (seconds === undefined) return { amount: '', unit: 'minutes' };
  const { amount, unit } = durationParts(seconds);
  return { amount: String(amount).replace('.', sign), unit };
}

function readTyped({ amount, unit }: Typed, sign: string): number | undefined {
  const number = Number(amount.replace(sign, '.'));
  return amount === '' || !Number.isFinite(number) || number < 0 ? undefined : secondsOf(number, unit);
}

/** Something stands there that is no length of time. */
function isWrong(typed: Typed, sign: string): boolean {
  return typed.amount !== '' && readTyped(typed, sign) === undefined;
}
