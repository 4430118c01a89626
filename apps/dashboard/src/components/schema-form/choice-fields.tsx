import type { JsonObject } from '@airdeck/contracts/fields';
import { Checkbox, NativeSelect } from '@mantine/core';
import { t } from '../../language/translate.ts';
import { type FieldProps, helpOf, placeholderOf, wrapperOf } from './field-props.ts';
import { objectOf } from './form-schema.ts';
import classes from './schema-form.module.css';

/** Values of an enumeration by the text that stands for them, and what people read for it; a select knows only texts. */
function optionsOf(schema: JsonObject): { value: string; label: string; of: unknown }[] {
  const list = Array.isArray(schema.enum) ? schema.enum : [];
  const names = objectOf(schema.value_names);
  return list.flatMap((of: unknown) =>
    of === null ? [] : [{ value: String(of), label: nameIn(names, String(of)), of }],
  );
}

function nameIn(names: JsonObject, value: string): string {
  const name = Object.hasOwn(names, value) ? names[value] : undefined;
  return typeof name === 'string' ? name : value;
}

export function ChoiceField(props: FieldProps) {
  const { field, value, onChange, onLeave } = props;
  const options = optionsOf(field.schema);
  const chosen = options.find((option) => option.of === value);
  const standard = options.find(({ value: text }) => text === placeholderOf(field))?.label;
  const none = field.required
    ? t('Choose…')
    : standard === undefined
      ? t('Not set')
      : t('Default: {standard}', { standard });
  return (
    <NativeSelect
      {...wrapperOf(props)}
      value={chosen?.value ?? ''}
      data={[
        // A required choice cannot be taken back.
        { value: '', label: none, disabled: field.required && chosen !== undefined },
        ...options.map(({ value: text, label }) => ({ value: text, label })),
      ]}
      onChange={({ currentTarget }) => onChange(options.find((option) => option.value === currentTarget.value)?.of)}
      onBlur={onLeave}
    />
  );
}

export function BooleanField({ field, id, value, problem, disabled, onChange, onLeave }: FieldProps) {
  return (
    <Checkbox
      id={id}
      label={field.label}
      description={helpOf(field)}
      error={problem}
      disabled={disabled}
      checked={value === true}
      onChange={(event) => onChange(event.currentTarget.checked)}
      onBlur={onLeave}
    />
  );
}

/** Any of an enumeration, in its order. */
export function ChoicesField(props: FieldProps) {
  const { field, id, value, problem, disabled, onChange, onLeave } = props;
  const options = optionsOf(objectOf(field.schema.items));
  const chosen = Array.isArray(value) ? value.map(String) : [];
  return (
    <Checkbox.Group
      label={field.label}
      description={helpOf(field)}
      error={problem}
      value={chosen}
      onChange={(texts) => onChange(options.flatMap((option) => (texts.includes(option.value) ? [option.of] : [])))}
    >
      <div className={classes.boxes}>
        {options.map((option, index) => (
          <Checkbox
            key={option.value}
            // The first stands for the group where focus is sent to it.
            {...(index === 0 ? { id } : {})}
            size="xs"
            value={option.value}
            label={option.label}
            disabled={disabled}
            onBlur={onLeave}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}
