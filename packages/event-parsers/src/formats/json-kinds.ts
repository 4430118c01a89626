import type { ParsedEvent } from '@airdeck/contracts/events/event';
import type { JsonObject, ObjectFormat, Reception } from '../format.ts';
import { genericJsonFormat } from './generic-json.ts';
import { normalisedFormat } from './normalised.ts';
import { oktaFormat } from './okta.ts';
import { windowsFormat } from './windows.ts';

/** Kinds of JSON records, in the order asked. A new vendor is one file and one line here. */
const objectFormats: readonly ObjectFormat[] = [normalisedFormat, oktaFormat, windowsFormat];

/** Always succeeds: what no vendor's format claims is mapped by the names of its fields. */
export function parseObject(object: JsonObject, reception: Reception): { format: string; event: ParsedEvent } {
  for (const format of objectFormats) {
    const event = format.parse(object, reception);
    if (event !== undefined) return { format: format.name, event };
  }
  return { format: genericJsonFormat.name, event: genericJsonFormat.parse(object, reception) };
}
