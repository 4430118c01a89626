import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject, objectOf } from '@airdeck/contracts/json-object';

/** Reading vendors' JSON, where any field may be missing or of another type than published. */
export function textOf(data: JsonObject, field: string): string | null {
  const value = data[field];
  return typeof value === 'string' ? value : null;
}

export function numberOf(data: JsonObject, field: string): number | null {
  const value = data[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

/** The objects of a list; what is not an object is left out. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** A path of fields: `textAt(issue, 'user', 'login')`. */
export function textAt(data: JsonObject, ...path: readonly string[]): string | null {
  const last = path.at(-1);
  if (last === undefined) return null;
  const owner = path.slice(0, -1).reduce<JsonObject>((at, field) => objectOf(at[field]), data);
  return textOf(owner, last);
}
