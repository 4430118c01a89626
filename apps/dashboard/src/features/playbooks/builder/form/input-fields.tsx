import type { JsonObject } from '@airdeck/contracts/fields';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import {
  type FormField,
  fieldId,
  formFields,
  objectOf,
  withValue,
} from '../../../../components/schema-form/form-schema.ts';
import { SchemaForm } from '../../../../components/schema-form/schema-form.tsx';
import { hasExpression, holdsExpression } from '../document/expression-text.ts';
import { type PlacedProblem, problemsAt } from '../document/problem-places.ts';
import { ExpressionField } from './expression-field.tsx';
import { asExpression, asValue } from './expression-value.ts';
import classes from './form.module.css';

type Props = {
  schema: JsonObject;
  value: JsonObject;
  onChange: (value: JsonObject, field: string) => void;
  onLeave: () => void;
  actionId: string;
  /** Of the step; those below `under` are shown at their fields. */
  problems: readonly PlacedProblem[];
  /** Where the value stands in the step: `input`. */
  under: string;
  idPrefix: string;
};

/** Fields of an action's input: each either a value, or an expression that gives one when the playbook runs. */
export function InputFields(props: Props) {
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

function InputField({
  field,
  value,
  onChange,
  onLeave,
  actionId,
  problems,
  under,
  idPrefix,
}: Props & { field: FormField }) {
  const given = value[field.name];
  const [wanted, setWanted] = useState<'value' | 'expression'>(hasExpression(given) ? 'expression' : 'value');
  // What only an expression can be, as after undo, shows as one.
  const mode = hasExpression(given) && !textKinds.has(field.kind) ? 'expression' : wanted;
  const problem = problemsAt(problems, `${under}.${field.name}`)[0]?.message;
  const set = (next: unknown) => onChange(withValue(value, field.name, next), field.name);
  const choose = (next: string) => {
    if (next === mode) return;
    setWanted(next === 'expression' ? 'expression' : 'value');
    set(next === 'expression' ? asExpression(given) : asValue(given));
  };
  const toggle = (
    <SegmentedControl
      size="xs"
      className={classes.mode ?? ''}
      aria-label={`${field.label} as`}
      data={[
        { value: 'value', label: 'Value' },
        { value: 'expression', label: 'Expression' },
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
        actionId={actionId}
        problem={problem}
        aside={toggle}
        placeholder="{{ inputs.… }}"
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
