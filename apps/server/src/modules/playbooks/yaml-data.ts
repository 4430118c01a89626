/**
 * Plain data as YAML text. Reading blocks while it works, as long as the author of a hostile text likes: what is long goes
 * to the thread, see playbook-yaml.ts.
 */
import type { Told } from '@airdeck/contracts/filled-text';
import { playbookTold } from '@airdeck/contracts/playbooks/problem-texts';
import { storableJson } from '@airdeck/domain/storable-json';
import { isCollection, isMap, isPair, isScalar, parseDocument, Scalar, stringify } from 'yaml';
import { firstYamlProblem, type YamlProblem } from './yaml-scan.ts';

/** Plain data, or what is wrong with the text and in which line. */
export type YamlData = { readonly value: unknown } | { readonly problems: readonly Told[] };

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
      .map(({ offset, reason, values }) => playbookTold(reason, { ...values, line: String(lineAt(text, offset)) })),
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
    if (mistakes.length > 0) return told(mistakes.map(libraryProblem));
    const problems = treeProblems(document.contents);
    if (problems.length > 0) return told(problems);
    const value: unknown = document.toJS({ maxAliasCount: 0 });
    // An empty document is no JSON.
    return { value: value === undefined ? value : JSON.parse(storableJson(value)) };
  } catch (error) {
    // The library recurses: a nesting without end is a RangeError.
    if (error instanceof RangeError) return told([{ offset: 0, reason: 'YAML_NESTED' }]);
    throw error;
  }
}

/** What the library says is there in English only. */
function libraryProblem({ pos, message }: { pos: readonly [number, number]; message: string }): YamlProblem {
  return { offset: pos[0], reason: 'YAML_PROBLEM', values: { problem: message.slice(0, 300) } };
}

/** Long lines stay whole, so that two texts that are compared line by line say what changed. */
export function writeYaml(value: unknown): string {
  return stringify(value, blanksQuoted, {
    version: '1.2',
    schema: 'core',
    lineWidth: 0,
    aliasDuplicateObjects: false,
    // Quoted text over several lines gets backslashes that are read as part of it, where one of the lines is blank.
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
  });
}

/** Blanks alone lose some where the library writes them as a block. */
function blanksQuoted(_key: unknown, value: unknown): unknown {
  if (typeof value !== 'string' || value.trim() !== '') return value;
  const quoted = new Scalar(value);
  quoted.type = Scalar.QUOTE_DOUBLE;
  return quoted;
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
    if (nodes > MAX_NODES) return [{ offset: 0, reason: 'YAML_TOO_MANY_VALUES', values: { maximum: MAX_NODES } }];
    if (depth > MAX_DEPTH) {
      return [{ offset: offsetOf(node), reason: 'YAML_TOO_DEEP', values: { maximum: MAX_DEPTH } }];
    }
    problems.push(...nodeProblems(node));
    if (!isCollection(node)) continue;
    for (const item of node.items) open.push({ node: isPair(item) ? item.value : item, depth: depth + 1 });
  }
  return problems.sort((a, b) => a.offset - b.offset);
}

function nodeProblems(node: unknown): YamlProblem[] {
  if (isMap(node)) return keyProblems(node.items.map(({ key }) => key));
  if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value)) {
    return [{ offset: offsetOf(node), reason: 'YAML_NUMBER' }];
  }
  return [];
}

function keyProblems(keys: readonly unknown[]): YamlProblem[] {
  const seen = new Set<string>();
  return keys.flatMap((key): YamlProblem[] => {
    const offset = offsetOf(key);
    const value = isScalar(key) ? key.value : undefined;
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
      return [{ offset, reason: 'YAML_FIELD_NAME' }];
    }
    const name = String(value);
    if (forbiddenKeys.has(name)) return [{ offset, reason: 'YAML_FIELD_FORBIDDEN', values: { name } }];
    if (seen.has(name)) return [{ offset, reason: 'YAML_FIELD_TWICE', values: { name: name.slice(0, 100) } }];
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
