import type { JsonObject } from '@airdeck/contracts/fields';
import { defaultValues, formFields } from '../../../../components/schema-form/form-schema.ts';

/** What a trial starts with: what was tried last as far as it still fits, then examples and defaults of the schema. */
export function sampleInputs(schema: JsonObject, tried: JsonObject): JsonObject {
  const names = formFields(schema).map(({ name, schema: own }): [string, unknown] => {
    const [example] = Array.isArray(own.examples) ? own.examples : [];
    return [name, tried[name] ?? example];
  });
  const known = names.filter(([, value]) => value !== undefined);
  return { ...defaultValues(schema), ...Object.fromEntries(known) };
}
