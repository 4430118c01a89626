/** What no part of a definition may hold, wherever it stands: keys that reach a prototype, and endless nesting. */
import { type DefinitionProblem, problemAt } from './definition-fields.ts';

export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const MAX_DEPTH = 40;

type Place = {
  readonly value: unknown;
  readonly path: string;
  /** The part of the document it belongs to, an action for itself; where too deep a value is reported. */
  readonly top: string;
  readonly depth: number;
};

/** Walks without recursion: the depth is the sender's choice. */
export function treeProblems(definition: unknown): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  const tooDeep = new Set<string>();
  const open: Place[] = [{ value: definition, path: '', top: '', depth: 0 }];
  for (let place = open.pop(); place; place = open.pop()) {
    if (place.depth > MAX_DEPTH) {
      tooDeep.add(place.top);
      continue;
    }
    for (const inner of within(place)) {
      const { key } = inner;
      if (typeof key === 'string' && forbiddenKeys.has(key))
        problems.push(problemAt(inner.path, 'KEY_FORBIDDEN', 'PLAYBOOK_KEY_FORBIDDEN', { key }));
      else open.push(inner);
    }
  }
  for (const path of tooDeep) problems.push(problemAt(path, 'TOO_DEEP', 'PLAYBOOK_TOO_DEEP'));
  return problems;
}

function within({ value, path, top, depth }: Place): (Place & { readonly key: string | number })[] {
  if (value === null || typeof value !== 'object') return [];
  if (Array.isArray(value)) {
    return value.map((item, key) => {
      const at = `${path}[${key}]`;
      return { key, value: item, path: at, top: path === 'actions' ? at : top, depth: depth + 1 };
    });
  }
  return Object.entries(value).map(([key, item]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return { key, value: item, path: at, top: top === '' ? key : top, depth: depth + 1 };
  });
}
