import { Autocomplete } from '@mantine/core';
import { useMemo } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './audit.module.css';
import { actionChoices, isWholeNoun } from './audit-actions.ts';
import { useTyped } from './use-typed.ts';

type Props = {
  value: string;
  onChange: (value: string) => void;
  /** Actions of records that are shown. */
  seen: ReadonlySet<string>;
};

/** Which action, to choose or to type: what it begins with is enough. */
export function ActionFilter({ value, onChange, seen }: Props) {
  const { text, type } = useTyped(value, onChange);
  const choices = useMemo(() => actionChoices(seen), [seen]);
  return (
    <Autocomplete
      aria-label={t('Action')}
      placeholder={t('Any action')}
      maxLength={200}
      data={choices}
      value={text}
      onChange={type}
      maxDropdownHeight={320}
      comboboxProps={{ width: 260, position: 'bottom-start' }}
      renderOption={({ option }) => (
        <span className="air-mono">
          {option.value}
          {isWholeNoun(option.value) ? <span className={classes.all}>{t('all of them')}</span> : null}
        </span>
      )}
      clearable
      clearButtonProps={{ 'aria-label': t('Clear action') }}
    />
  );
}
