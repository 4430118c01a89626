import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';

const DEPTH_MAX = 8;

/** Under this name the output says that it is none. */
const NOTE = 'dry_run';

/**
 * What stands for the answer of an action that a dry run does not call, so that what comes after it can be tried too. It says
 * of itself what it is; every field its schema promises is there with an empty value of its type, and nothing is made up.
 */
export function untriedOutput(schema: JsonObject | undefined): JsonObject {
  const empty = emptyOf(schema, 0);
  const fields = isJsonObject(empty) ? empty : {};
  return { ...fields, [NOTE]: 'Not called in a dry run.' };
}

function emptyOf(schema: unknown, depth: number): unknown {
  if (typeof schema !== 'object' || schema === null || depth > DEPTH_MAX) return null;
  const { type, properties } = schema as JsonObject;
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return null;
  if (types.includes('object')) {
    const fields = typeof properties === 'object' && properties !== null ? Object.entries(properties) : [];
    return Object.fromEntries(fields.map(([name, field]) => [name, emptyOf(field, depth + 1)]));
  }
  if (types.includes('array')) return [];
  if (types.includes('string')) return '';
  if (types.includes('boolean')) return false;
  return types.includes('number') || types.includes('integer') ? 0 : null;
}
