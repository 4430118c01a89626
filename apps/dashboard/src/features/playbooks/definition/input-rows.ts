import type { JsonObject } from '@airdeck/contracts/fields';
import { type FormField, formFields, objectOf, typeOf } from '../../../components/schema-form/form-schema.ts';
import { t } from '../../../language/translate.ts';

export type InputRow = {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly required: boolean;
  readonly help: string | undefined;
  /** As JSON; undefined without one. */
  readonly byDefault: string | undefined;
};

const typeWords: Readonly<Record<string, string>> = {
  string: t('text'),
  integer: t('whole number'),
  number: t('number'),
  boolean: t('yes or no'),
  object: t('object'),
  array: t('list'),
};

/** What a playbook takes, input by input. */
export function inputRows(schema: JsonObject): InputRow[] {
  return formFields(schema).map(({ name, label, required, help, schema: own }: FormField) => ({
    name,
    label,
    required,
    help,
    type: typeText(own),
    byDefault: own.default === undefined ? undefined : JSON.stringify(own.default),
  }));
}

function typeText(schema: JsonObject): string {
  if (Array.isArray(schema.enum))
    return t('one of {value}', { value: schema.enum.map((value) => String(value)).join(', ') });
  const type = typeOf(schema);
  if (type !== 'array') return typeWords[type ?? ''] ?? t('anything');
  const items = objectOf(schema.items);
  return Object.keys(items).length === 0 ? t('list') : t('list of {typeText}', { typeText: typeText(items) });
}
