/**
 * What a schema of inputs may be. People write it and everybody's inputs are checked by it, so it must compile, and checking
 * must not cost more than what is checked: no references (they nest without end), no comparing of every item with every
 * other, and patterns only for the linear engine. Nothing else is done while one is compiled, and a megabyte took many
 * seconds: the largest that may be takes well below one.
 */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlainValues } from '@airdeck/contracts/filled-text';
import { type PlaybookReason, playbookTold } from '@airdeck/contracts/playbooks/problem-texts';
import type { PlaybookProblem } from '@airdeck/contracts/playbooks/schema';
import { compileUserSchema } from '../actions/schema-check.ts';

const refused: ReadonlySet<string> = new Set([
  '$ref',
  '$dynamicRef',
  '$recursiveRef',
  '$id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$async',
]);
const MAX_DEPTH = 30;
/** Keywords, and members of their lists and objects. Far beyond what a form can ask. */
const MAX_VALUES = 2_000;
const MAX_TEXT = 50_000;

type Problem = Omit<PlaybookProblem, 'action_id'>;
type Place = { readonly value: unknown; readonly path: string; readonly depth: number; readonly isSchema: boolean };

/** Keywords that hold schemas by names somebody chose; these names are no keywords. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);
/** Keywords that hold plain values, whatever they look like. */
const plain: ReadonlySet<string> = new Set(['default', 'const', 'enum', 'examples']);

export function inputsSchemaProblems(schema: JsonObject): Problem[] {
  if (Object.keys(schema).length === 0) return [];
  const problems = schema.type === 'object' ? keywordProblems(schema) : [notAnObject()];
  return problems.length > 0 ? problems : compileProblems(schema);
}

function notAnObject(): Problem {
  return problemAt('inputs.type', 'PLAYBOOK_INPUTS_NOT_OBJECT');
}

function keywordProblems(schema: JsonObject): Problem[] {
  if (JSON.stringify(schema).length > MAX_TEXT) return [tooLarge()];
  const problems: Problem[] = [];
  let left = MAX_VALUES;
  const open: Place[] = [{ value: schema, path: 'inputs', depth: 0, isSchema: true }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, path, depth, isSchema } = place;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) return [problemAt(path, 'PLAYBOOK_INPUTS_TOO_DEEP')];
    for (const [key, inner] of Object.entries(value)) {
      if (--left < 0) return [tooLarge()];
      const at = `${path}.${key}`;
      const isKeyword = isSchema && !Array.isArray(value);
      if (isKeyword) problems.push(...keywordProblem(key, at, value as JsonObject));
      if (isKeyword && plain.has(key)) continue;
      open.push({ value: inner, path: at, depth: depth + 1, isSchema: !(isKeyword && named.has(key)) });
    }
  }
  return problems;
}

function tooLarge(): Problem {
  return problemAt('inputs', 'PLAYBOOK_INPUTS_TOO_LARGE', { values: MAX_VALUES, characters: MAX_TEXT });
}

function keywordProblem(keyword: string, path: string, schema: JsonObject): Problem[] {
  if (refused.has(keyword)) return [problemAt(path, 'PLAYBOOK_INPUTS_REFERENCE')];
  if (keyword !== 'uniqueItems' || schema.uniqueItems !== true) return [];
  return [problemAt(path, 'PLAYBOOK_INPUTS_UNIQUE_ITEMS')];
}

function compileProblems(schema: JsonObject): Problem[] {
  try {
    compileUserSchema(schema);
    return [];
  } catch (error) {
    const problem = error instanceof Error ? error.message.slice(0, 300) : 'unknown';
    return [problemAt('inputs', 'PLAYBOOK_INPUTS_NO_SCHEMA', { problem })];
  }
}

function problemAt(path: string, reason: PlaybookReason, values?: PlainValues): Problem {
  return { path, code: 'INPUTS_SCHEMA_INVALID', ...playbookTold(reason, values) };
}
