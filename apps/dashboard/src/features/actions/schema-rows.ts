import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf, typeOf } from '../../components/schema-form/form-schema.ts';
import { t } from '../../language/translate.ts';

/** A field of a schema, as a line of a table. */
export type SchemaRow = {
  /** `hits[].source` */
  readonly path: string;
  readonly type: string;
  readonly required: boolean;
  readonly text: string;
};

const DEPTH_MAX = 4;
/** More than anybody reads; an imported definition may hold thousands. */
export const SCHEMA_ROWS_MAX = 150;

const typeWords: Readonly<Record<string, string>> = {
  string: t('text'),
  integer: t('whole number'),
  number: t('number'),
  boolean: t('yes or no'),
  object: t('object'),
  array: t('list'),
};

/** The fields of an object schema, those of nested objects below theirs; no more than `SCHEMA_ROWS_MAX`. */
export function schemaRows(schema: JsonObject): SchemaRow[] {
  const rows: SchemaRow[] = [];
  visit(schema, '', 0);
  return rows;

  function visit(object: JsonObject, under: string, depth: number): void {
    const required = Array.isArray(object.required) ? object.required : [];
    for (const [name, property] of Object.entries(objectOf(object.properties))) {
      if (rows.length >= SCHEMA_ROWS_MAX) return;
      const own = objectOf(property);
      const path = under === '' ? name : `${under}.${name}`;
      rows.push({ path, type: typeText(own), required: required.includes(name), text: describe(own) });
      if (depth + 1 >= DEPTH_MAX) continue;
      if (typeOf(own) === 'array') visit(objectOf(own.items), `${path}[]`, depth + 1);
      else visit(own, path, depth + 1);
    }
  }
}

function typeText(schema: JsonObject): string {
  if (Array.isArray(schema.enum))
    return t('one of {value}', { value: schema.enum.map((value) => String(value)).join(', ') });
  const type = typeOf(schema);
  if (type === 'array') {
    const items = objectOf(schema.items);
    return Object.keys(items).length === 0 ? t('list') : t('list of {typeText}', { typeText: typeText(items) });
  }
  return typeWords[type ?? ''] ?? t('anything');
}

/** What a title says beyond the name is said too. */
function describe({ title, description }: JsonObject): string {
  return [title, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
}
