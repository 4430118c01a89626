import type { JsonObject } from '@airdeck/contracts/fields';
import fc from 'fast-check';
import {
  type FormField,
  formFields,
  isNothing,
  objectOf,
  typeOf,
  withValue,
} from '../../apps/dashboard/src/components/schema-form/form-schema.ts';

/** `required` stops as soon as the form can be sent; `all` leaves no field empty. */
export type Filling = 'required' | 'all';

/** A form as somebody leaves it who starts with `value`: what is filled in already stays. */
export function filledForm(schema: JsonObject, value: JsonObject, filling: Filling): JsonObject {
  return formFields(schema).reduce((filled, field) => {
    const isWanted = filling === 'all' || field.required;
    if (field.kind === 'group' && (isWanted || !isNothing(filled[field.name]))) {
      return withValue(filled, field.name, filledForm(field.schema, objectOf(filled[field.name]), filling));
    }
    return isWanted && isNothing(filled[field.name]) ? withValue(filled, field.name, valueFor(field, filling)) : filled;
  }, value);
}

function valueFor({ kind, schema, label }: Pick<FormField, 'kind' | 'schema' | 'label'>, filling: Filling): unknown {
  switch (kind) {
    case 'boolean':
      return true;
    case 'choice':
      return listOf(schema.enum)[0];
    case 'choices':
      return listOf(objectOf(schema.items).enum).slice(0, Number(schema.maxItems ?? Number.POSITIVE_INFINITY));
    case 'ip':
      return schema.format === 'ipv6' ? '2001:db8::10' : '192.0.2.10';
    case 'number':
      return numberFor(schema);
    case 'lines':
      return linesFor(schema);
    case 'groups':
      return [filledForm(objectOf(schema.items), {}, filling)];
    case 'pairs':
      return { name: textFor(objectOf(schema.additionalProperties), 'Value') };
    case 'json':
      return typeOf(schema) === 'array' ? ['value'] : { name: 'value' };
    default:
      return textFor(schema, label);
  }
}

/** As many as a list takes, up to two: whether they have to differ shows with the second. */
function linesFor({ items, maxItems, minItems }: JsonObject): unknown[] {
  const own = objectOf(items);
  const count = Math.min(Number(maxItems ?? 2), Math.max(2, Number(minItems ?? 0)));
  const one = (index: number) => (typeOf(own) === 'string' ? textFor(own, `value-${index}`) : numberFor(own) + index);
  // Texts made for a pattern are the same each time.
  return [...new Set(Array.from({ length: count }, (_, index) => one(index)))];
}

function numberFor({ minimum, maximum }: JsonObject): number {
  return Math.min(Math.max(1, Number(minimum ?? 1)), Number(maximum ?? Number.POSITIVE_INFINITY));
}

const plausible = [
  'https://vendor.example.net',
  'smtps://mail.example.net',
  'somebody@example.com',
  '2026-11-28T12:00:00Z',
];

function textFor({ pattern, minLength, maxLength, format, destination }: JsonObject, label: string): string {
  if (format === 'date-time') return '2026-11-28T12:00:00Z';
  const least = Number(minLength ?? 1);
  const most = Number(maxLength ?? 1000);
  if (typeof pattern === 'string') {
    const form = new RegExp(pattern, 'u');
    const known = plausible.find((text) => form.test(text) && text.length <= most);
    const made = fc.stringMatching(form).filter((text) => text.length >= least && text.length <= most);
    return known ?? fc.sample(made, { numRuns: 1, seed: 1 })[0] ?? '';
  }
  if (destination === true) return 'https://vendor.example.net';
  return label.padEnd(least, 'x').slice(0, most);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
