/**
 * Plain data as YAML text. Reading blocks while it works, as long as the author of a hostile text likes: what is long goes
 * to the thread, see playbook-yaml.ts.
 */
import { isCollection, isMap, isPair, isScalar, parseDocument, stringify } from 'yaml';
import { firstYamlProblem, type YamlProblem } from './yaml-scan.ts';

/** Plain data, or what is wrong with the text and in which line. */
export type YamlData = { readonly value: unknown } | { readonly problems: readonly string[] };

const MAX_DEPTH = 40;
const MAX_NODES = 100_000;
const MAX_PROBLEMS = 20;
/** As in a definition: they reach prototypes where somebody is careless. */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Plain data only: no tags, no anchors, no field twice. Says what is wrong with the line it is on. */
export function readYaml(text: string): YamlData {
  const told = (problems: readonly YamlProblem[]): YamlData => ({
    problems: problems
      .slice(0, MAX_PROBLEMS)
      .map(({ offset, message }) => `Line ${lineAt(text, offset)}: ${message.slice(0, 300)}`),
  });
  const first = firstYamlProblem(text);
  if (first !== undefined) return told([first]);
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      // The library compares every key with every other; `treeProblems` finds them in one go.
      uniqueKeys: false,
      prettyErrors: false,
    });
    const mistakes = [...document.errors, ...document.warnings];
    if (mistakes.length > 0) return told(mistakes.map(({ pos, message }) => ({ offset: pos[0], message })));
    const problems = treeProblems(document.contents);
    if (problems.length > 0) return told(problems);
    return { value: document.toJS({ maxAliasCount: 0 }) as unknown };
  } catch (error) {
    // The library recurses: a nesting without end is a RangeError.
    if (error instanceof RangeError) return told([{ offset: 0, message: 'The text is nested too deeply.' }]);
    throw error;
  }
}

/** Long lines stay whole, so that two texts that are compared line by line say what changed. */
export function writeYaml(value: unknown): string {
  return stringify(value, { version: '1.2', schema: 'core', lineWidth: 0, aliasDuplicateObjects: false });
}

type Place = { readonly node: unknown; readonly depth: number };

/** Walks without recursion, so that depth is counted instead of felt. */
function treeProblems(root: unknown): YamlProblem[] {
  const problems: YamlProblem[] = [];
  const open: Place[] = [{ node: root, depth: 0 }];
  let nodes = 0;
  for (let place = open.pop(); place !== undefined && problems.length < MAX_PROBLEMS; place = open.pop()) {
    const { node, depth } = place;
    nodes += 1;
    if (nodes > MAX_NODES) return [{ offset: 0, message: `More than ${MAX_NODES} values.` }];
    if (depth > MAX_DEPTH) return [{ offset: offsetOf(node), message: `Nested deeper than ${MAX_DEPTH} levels.` }];
    problems.push(...nodeProblems(node));
    if (!isCollection(node)) continue;
    for (const item of node.items) open.push({ node: isPair(item) ? item.value : item, depth: depth + 1 });
  }
  return problems.sort((a, b) => a.offset - b.offset);
}

function nodeProblems(node: unknown): YamlProblem[] {
  if (isMap(node)) return keyProblems(node.items.map(({ key }) => key));
  if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
    return [{ offset: offsetOf(node), message: 'This number is not finite.' }];
  }
  return [];
}

function keyProblems(keys: readonly unknown[]): YamlProblem[] {
  const seen = new Set<string>();
  return keys.flatMap((key): YamlProblem[] => {
    const offset = offsetOf(key);
    const value = isScalar(key) ? key.value : undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return [{ offset, message: 'The name of a field must be a plain text.' }];
    }
    const name = String(value);
    if (forbiddenKeys.has(name)) return [{ offset, message: `"${name}" cannot be the name of a field.` }];
    if (seen.has(name)) return [{ offset, message: `"${name.slice(0, 100)}" is given twice.` }];
    seen.add(name);
    return [];
  });
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function offsetOf(node: unknown): number {
  return (isScalar(node) || isCollection(node)) && node.range ? node.range[0] : 0;
}
