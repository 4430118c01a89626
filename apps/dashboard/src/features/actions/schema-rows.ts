import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf, typeOf } from '../../components/schema-form/form-schema.ts';
import { typeWords } from '../../components/schema-form/type-words.ts';
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
      rows.push({
        path,
        type: typeWords(own, { choices: true }) ?? t('anything'),
        required: required.includes(name),
        text: describe(own),
      });
      if (depth + 1 >= DEPTH_MAX) continue;
      if (typeOf(own) === 'array') visit(objectOf(own.items), `${path}[]`, depth + 1);
      else visit(own, path, depth + 1);
    }
  }
}

/** What a title says beyond the name is said too. */
function describe({ title, description }: JsonObject): string {
  return [title, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
}
