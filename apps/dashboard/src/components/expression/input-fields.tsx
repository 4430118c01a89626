import type { JsonObject } from '@airdeck/contracts/fields';
import { SegmentedControl } from '@mantine/core';
import { useRef, useState } from 'react';
import { t } from '../../language/translate.ts';
import { type FormField, fieldId, formFields, objectOf, withValue } from '../schema-form/form-schema.ts';
import { SchemaForm } from '../schema-form/schema-form.tsx';
import classes from './expression.module.css';
import { ExpressionField } from './expression-field.tsx';
import { hasExpression, holdsExpression } from './expression-text.ts';
import { asExpression, asValue } from './expression-value.ts';
import { type FieldProblem, problemsAt } from './field-problems.ts';
import type { ReferenceGroup } from './references.ts';

export type InputFieldsProps = {
  schema: JsonObject;
  value: JsonObject;
  onChange: (value: JsonObject, field: string) => void;
  onLeave: () => void;
  /** What expressions can read; asked for when somebody wants to pick. */
  references: () => readonly ReferenceGroup[];
  /** Those below `under` are shown at their fields. */
  problems: readonly FieldProblem[];
  /** Where the value stands in what has the problems: `input`. */
  under: string;
  idPrefix: string;
  /** Empty texts begin as expressions: where most of what is entered comes from elsewhere. */
  expressionsFirst?: boolean;
};

/** Fields of an action's input: each either a value, or an expression that gives one when it runs. */
export function InputFields(props: InputFieldsProps) {
  const { schema, value, under } = props;
  return (
    <div className={classes.fields}>
      {formFields(schema).map((field) => {
        if (field.kind === 'group' && !hasExpression(value[field.name])) {
          return (
            <fieldset key={field.name} className={classes.group}>
              <legend className={classes.label}>{field.label}</legend>
              <InputFields
                {...props}
                schema={field.schema}
                value={objectOf(value[field.name])}
                under={`${under}.${field.name}`}
                idPrefix={`${props.idPrefix}-${field.name}`}
                onChange={(next, name) =>
                  props.onChange(
                    withValue(value, field.name, Object.keys(next).length === 0 ? undefined : next),
                    `${field.name}.${name}`,
                  )
                }
              />
            </fieldset>
          );
        }
        return <InputField key={field.name} {...props} field={field} />;
      })}
    </div>
  );
}

/** Kinds whose own control shows an expression as well as any text. */
const textKinds: ReadonlySet<FormField['kind']> = new Set(['text', 'long-text', 'lines', 'pairs', 'json', 'groups']);

/** Kinds that are one text, whoever writes it. */
const oneText: ReadonlySet<FormField['kind']> = new Set(['text', 'long-text', 'ip']);

function InputField({
  field,
  value,
  onChange,
  onLeave,
  references,
  problems,
  under,
  idPrefix,
  expressionsFirst = false,
}: InputFieldsProps & { field: FormField }) {
  const given = value[field.name];
  const [wanted, setWanted] = useState<'value' | 'expression'>(() =>
    hasExpression(given) || (expressionsFirst && given === undefined && oneText.has(field.kind))
      ? 'expression'
      : 'value',
  );
  // What only an expression can be, as after undo, shows as one.
  const mode = hasExpression(given) && !textKinds.has(field.kind) ? 'expression' : wanted;
  const problem = problemsAt(problems, `${under}.${field.name}`)[0]?.message;
  const set = (next: unknown) => onChange(withValue(value, field.name, next), field.name);
  const choice = useRef<HTMLDivElement>(null);
  const choose = (next: string) => {
    if (next === mode) return;
    setWanted(next === 'expression' ? 'expression' : 'value');
    set(next === 'expression' ? asExpression(given) : asValue(given));
    // The choice stands elsewhere in the other kind of field, and the focus would be lost with the one that goes.
    requestAnimationFrame(() => choice.current?.querySelector<HTMLElement>('input:checked')?.focus());
  };
  const toggle = (
    <SegmentedControl
      ref={choice}
      size="xs"
      className={classes.mode ?? ''}
      aria-label={t('{label} as', { label: field.label })}
      data={[
        { value: 'value', label: t('Value') },
        { value: 'expression', label: t('Expression') },
      ]}
      value={mode}
      onChange={choose}
    />
  );
  if (mode === 'expression') {
    return (
      <ExpressionField
        id={fieldId(idPrefix, field.name)}
        label={field.label}
        help={field.help}
        references={references}
        problem={problem}
        aside={toggle}
        placeholder="{{ … }}"
        value={typeof given === 'string' ? given : ''}
        onChange={set}
        onLeave={onLeave}
      />
    );
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only listens for the focus leaving the field inside
    <div className={classes.valueField} onBlur={onLeave}>
      <span className={classes.valueMode}>{toggle}</span>
      <SchemaForm
        schema={{
          type: 'object',
          properties: { [field.name]: field.schema },
          // A text with an expression in it is not judged as a value.
          required: field.required && !holdsExpression(given) ? [field.name] : [],
        }}
        value={given === undefined ? {} : { [field.name]: given }}
        onChange={(next) => set(next[field.name])}
        problems={problem === undefined ? [] : [{ path: field.name, message: problem }]}
        idPrefix={idPrefix}
      />
    </div>
  );
}
