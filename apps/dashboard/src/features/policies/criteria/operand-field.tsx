import type { FieldCriterion } from '@airdeck/contracts/policies/schema';
import { Autocomplete, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import classes from './criteria.module.css';
import { useCriteria } from './criteria-context.ts';
import { operatorTable, valuesOf, withValues } from './operators.ts';
import { useValueSuggestions } from './use-value-suggestions.ts';

/** More values than this are lines of a text: a thousand tags can neither be read nor drawn quickly. */
const MAX_TAGS = 40;

type Props = {
  criterion: FieldCriterion;
  /** "condition 2.1", for readers. */
  name: string;
  problem: boolean;
  onChange: (criterion: FieldCriterion) => void;
};

/** What a field is compared with: values as tags, a number, another field, or nothing. */
export function OperandField(props: Props) {
  const { criterion, name, onChange } = props;
  const { operand } = operatorTable[criterion.operator];
  if (operand === 'none') return null;
  if (operand === 'presence') {
    return (
      <NativeSelect
        className={classes.operand ?? ''}
        aria-label={t('Whether the field of {name} is there', { name })}
        data-part="value"
        value={criterion.value === false ? 'no' : 'yes'}
        data={[
          { value: 'yes', label: t('Yes') },
          { value: 'no', label: t('No') },
        ]}
        onChange={(event) => onChange({ ...criterion, value: event.currentTarget.value === 'yes' })}
      />
    );
  }
  if (criterion.value_field !== undefined) return <OtherField {...props} />;
  if (operand === 'number') return <NumberField {...props} />;
  return valuesOf(criterion).length > MAX_TAGS ? <ManyValues {...props} /> : <Values {...props} />;
}

function OtherField({ criterion, name, problem, onChange }: Props) {
  const { fieldNames } = useCriteria();
  return (
    <Autocomplete
      className={classes.operand ?? ''}
      classNames={{ input: classes.mono ?? '' }}
      aria-label={t('Field that {name} compares with', { name })}
      placeholder={t('another field')}
      data-part="value"
      maxLength={200}
      limit={60}
      data={[...fieldNames]}
      value={criterion.value_field ?? ''}
      error={problem}
      onChange={(value_field) => onChange({ ...criterion, value_field })}
    />
  );
}

function NumberField({ criterion, name, problem, onChange }: Props) {
  return (
    <TextInput
      className={classes.operand ?? ''}
      aria-label={t('Number of {name}', { name })}
      data-part="value"
      inputMode="decimal"
      autoComplete="off"
      value={valuesOf(criterion)[0] ?? ''}
      error={problem}
      onChange={(event) => onChange({ ...criterion, value: event.currentTarget.value })}
    />
  );
}

function Values({ criterion, name, problem, onChange }: Props) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(false);
  const suggested = useValueSuggestions(criterion.field, typed, active);
  const values = valuesOf(criterion);
  const { example } = operatorTable[criterion.operator];
  return (
    <TagsInput
      className={classes.operand ?? ''}
      classNames={{ inputField: classes.valueInput ?? '', pill: classes.pill ?? '' }}
      aria-label={t('Values of {name}', { name })}
      data-part="value"
      placeholder={values.length === 0 ? (example ?? t('value, then Enter')) : ''}
      // A value may hold any character; pasted lines are one value each.
      splitChars={['\n']}
      isDuplicate={(value, current) => current.includes(value)}
      data={[...suggested]}
      filter={({ options }) => options}
      value={values}
      searchValue={typed}
      onSearchChange={setTyped}
      error={problem}
      onFocus={() => setActive(true)}
      onBlur={() => setActive(false)}
      onChange={(texts) => onChange(withValues(criterion, texts))}
    />
  );
}

function ManyValues({ criterion, name, problem, onChange }: Props) {
  const values = valuesOf(criterion);
  return (
    <Textarea
      className={classes.operand ?? ''}
      classNames={{ input: classes.mono ?? '' }}
      aria-label={t('Values of {name}, one per line', { name })}
      description={t('{count} values, one per line', { count: values.length })}
      inputWrapperOrder={['input', 'description']}
      data-part="value"
      rows={6}
      spellCheck={false}
      defaultValue={values.join('\n')}
      error={problem}
      onBlur={(event) => {
        const lines = event.currentTarget.value.split('\n').filter((line) => line !== '');
        onChange(withValues(criterion, [...new Set(lines)]));
      }}
    />
  );
}
