import type { JsonObject } from '@airdeck/contracts/fields';
import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { t } from '../../language/translate.ts';
import { BooleanField, ChoiceField, ChoicesField } from './choice-fields.tsx';
import { type FieldProps, helpOf } from './field-props.ts';
import { defaultValues, type FieldKind, fieldId, formFields, objectOf, withValue } from './form-schema.ts';
import classes from './schema-form.module.css';
import { problemOf, type SchemaProblem, schemaProblems } from './schema-problems.ts';
import { SecretField } from './secret-field.tsx';
import {
  AddressField,
  JsonField,
  LinesField,
  LongTextField,
  NumberField,
  OneLineField,
  PairsField,
} from './text-fields.tsx';

type Props = {
  /** An object schema of the subset definitions use. */
  schema: JsonObject;
  /** Starts with `defaultValues(schema)`. */
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  /** Shown at once: what a submit or the server found. Take them away with the next change. */
  problems?: readonly SchemaProblem[];
  disabled?: boolean;
  /** Unique in the document; ids of the controls begin with it. */
  idPrefix: string;
};

/** Fields for a JSON schema. What is wrong with a field is said once it was left, and goes as soon as it is right. */
export function SchemaForm({ schema, value, onChange, problems = [], disabled = false, idPrefix }: Props) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const found = schemaProblems(schema, value).filter(({ path }) => left.has(path));
  const known = {
    // What a submit or the server says comes first: it is about what was sent.
    problems: [...problems, ...found],
    disabled,
    idPrefix,
    onLeave: (path: string) => setLeft((before) => (before.has(path) ? before : new Set([...before, path]))),
  };
  return <FieldList schema={schema} under="" value={value} onChange={onChange} known={known} />;
}

/** What is the same for all fields of a form. */
type Known = {
  problems: readonly SchemaProblem[];
  disabled: boolean;
  idPrefix: string;
  onLeave: (path: string) => void;
};

type ListProps = {
  schema: JsonObject;
  /** Path of the object. */
  under: string;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
  known: Known;
};

const singleFields: Readonly<Record<Exclude<FieldKind, 'group' | 'groups'>, ComponentType<FieldProps>>> = {
  boolean: BooleanField,
  choice: ChoiceField,
  choices: ChoicesField,
  ip: AddressField,
  json: JsonField,
  lines: LinesField,
  'long-text': LongTextField,
  number: NumberField,
  pairs: PairsField,
  secret: SecretField,
  text: OneLineField,
};

function FieldList({ schema, under, value, onChange, known }: ListProps) {
  return (
    <div className={classes.fields}>
      {formFields(schema, under).map((field) => {
        const props: FieldProps = {
          field,
          id: fieldId(known.idPrefix, field.path),
          value: value[field.name],
          problem: problemOf(field, known.problems),
          disabled: known.disabled,
          onChange: (next) => onChange(withValue(value, field.name, next)),
          onLeave: () => known.onLeave(field.path),
        };
        if (field.kind === 'group') return <GroupField key={field.name} {...props} known={known} />;
        if (field.kind === 'groups') return <GroupsField key={field.name} {...props} known={known} />;
        const Field = singleFields[field.kind];
        return <Field key={field.name} {...props} />;
      })}
    </div>
  );
}

type NestedProps = FieldProps & { known: Known };

function GroupField({ field, value, onChange, known }: NestedProps) {
  const help = helpOf(field);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{field.label}</legend>
      {help === undefined ? null : <p className={classes.help}>{help}</p>}
      <FieldList
        schema={field.schema}
        under={field.path}
        value={objectOf(value)}
        // An optional group of which nothing is left is not sent: its required parts would be asked for.
        onChange={(next) => onChange(Object.keys(next).length === 0 ? undefined : next)}
        known={known}
      />
    </fieldset>
  );
}

/** A list of objects, each with its fields. */
function GroupsField({ field, id, value, problem, disabled, onChange, known }: NestedProps) {
  const items = (Array.isArray(value) ? value : []).map(objectOf);
  const schema = objectOf(field.schema.items);
  const { maxItems } = field.schema;
  const help = helpOf(field);
  return (
    <fieldset className={classes.group}>
      <legend className={classes.label}>{field.label}</legend>
      {help === undefined ? null : <p className={classes.help}>{help}</p>}
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries have no identity of their own
        <div key={index} className={classes.entry}>
          <FieldList
            schema={schema}
            under={`${field.path}.${index}`}
            value={item}
            onChange={(next) => onChange(items.with(index, next))}
            known={known}
          />
          <ActionIcon
            className={classes.remove ?? ''}
            disabled={disabled}
            aria-label={t('Remove {label} {value}', { label: field.label.toLowerCase(), value: index + 1 })}
            onClick={() => {
              onChange(items.toSpliced(index, 1));
              // The button that had the focus goes.
              document.getElementById(id)?.focus();
            }}
          >
            <IconTrash size={14} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      {problem === undefined ? null : <p className={classes.problem}>{problem}</p>}
      <Button
        id={id}
        className={classes.add ?? ''}
        variant="default"
        size="xs"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={disabled || (typeof maxItems === 'number' && items.length >= maxItems)}
        onClick={() => onChange([...items, defaultValues(schema)])}
      >
        {t('Add')}
      </Button>
    </fieldset>
  );
}
