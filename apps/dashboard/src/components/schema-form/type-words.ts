import type { JsonObject } from '@airdeck/contracts/fields';
import { t } from '../../language/translate.ts';
import { objectOf, typeOf } from './form-schema.ts';

const words: ReadonlyMap<string, string> = new Map([
  ['string', t('text')],
  ['integer', t('whole number')],
  ['number', t('number')],
  ['boolean', t('yes or no')],
  ['object', t('object')],
  ['array', t('list')],
]);

type Options = {
  /** Names what can be chosen instead of the type; there may be many. */
  choices?: boolean;
};

/** The kind of value a schema describes, such as `list of text`; undefined where it does not say. */
export function typeWords(schema: JsonObject, { choices = false }: Options = {}): string | undefined {
  if (choices && Array.isArray(schema.enum)) {
    return t('one of {value}', { value: schema.enum.map((value) => String(value)).join(', ') });
  }
  const type = typeOf(schema) ?? '';
  const items = type === 'array' ? typeWords(objectOf(schema.items), { choices }) : undefined;
  return items === undefined ? words.get(type) : t('list of {items}', { items });
}
