import { isCollection, isScalar, LineCounter, type Node, parseDocument, Scalar, stringify } from 'yaml';
import { t } from '../../../../language/translate.ts';
import { ACTIONS_MAX, actionKinds, type BuilderDefinition } from './builder-action.ts';
import { isObject } from './json.ts';
import { type PlacedProblem, partsOf } from './problem-places.ts';

/** Something wrong with the text itself; `line` counts from 1. */
export type TextProblem = { readonly line: number; readonly message: string };

export type ReadText =
  | { readonly definition: BuilderDefinition; readonly hasComments: boolean }
  | { readonly problems: readonly TextProblem[] };

/** Longer than anything a person writes; the server's own limit is in the contract. */
const TEXT_MAX = 1_000_000;

/** The definition as text. Parts stand in the order of the grammar; nothing is left out. */
export function writeYaml({ metadata, inputs, actions, outputs, exec_options }: BuilderDefinition): string {
  const ordered = { metadata, inputs, actions, outputs, exec_options };
  return stringify(ordered, blanksQuoted, {
    lineWidth: 100,
    aliasDuplicateObjects: false,
    blockQuote: 'literal',
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

/**
 * Reads a definition from text. Only what the graph could not hold is refused: text that is not YAML, another outer shape,
 * actions without an id or kind of their own. What is wrong inside is for the checks of the document.
 */
export function readYaml(text: string): ReadText {
  if (text.length > TEXT_MAX) return { problems: [{ line: 1, message: t('This text is longer than 1 MB.') }] };
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', merge: false, uniqueKeys: true });
  const lineAt = (offset: number) => lines.linePos(offset).line;
  const broken = [...document.errors].map(({ message, pos }) => ({
    line: lineAt(pos[0]),
    message: firstLine(message),
  }));
  if (broken.length > 0) return { problems: broken };
  let value: unknown;
  try {
    // Texts that repeat themselves by reference could grow beyond all bounds.
    value = document.toJS({ maxAliasCount: 20 });
  } catch (error) {
    return {
      problems: [{ line: 1, message: error instanceof Error ? error.message : t('It refers to itself too often.') }],
    };
  }
  const lineOf = (path: readonly (string | number)[]) => lineAt(offsetOf(document.getIn(path, true)) ?? 0);
  const shape = shapeProblems(value);
  if (shape.length > 0) {
    return {
      problems: shape.map(({ path, message }) => ({ line: lineOf(nearest(document, path)), message })),
    };
  }
  const definition = filledUp(value as BuilderDefinition);
  const problems = actionProblems(definition.actions, lineOf);
  return problems.length > 0 ? { problems } : { definition, hasComments: hasComments(text) };
}

/** Whether comments stand in the text, which the document does not keep. */
function hasComments(text: string): boolean {
  return /^\s*#/m.test(text);
}

const parts = ['metadata', 'inputs', 'actions', 'outputs', 'exec_options'] as const;
const metadataParts = ['name', 'description', 'author', 'updated_by'] as const;

type ShapeProblem = { path: string[]; message: string };

/** The outer shape of the contract: which parts there are, and what kind each is. */
function shapeProblems(value: unknown): ShapeProblem[] {
  if (!isObject(value))
    return [{ path: [], message: t('A playbook has the parts metadata, inputs, actions and outputs.') }];
  const problems = unknownParts(value, parts, []);
  for (const part of parts) {
    const given = value[part];
    if (part === 'actions') continue;
    if (given !== undefined && !isObject(given))
      problems.push({ path: [part], message: t('{part} must be an object.', { part }) });
  }
  if (!Array.isArray(value.actions) || !value.actions.every(isObject)) {
    problems.push({ path: ['actions'], message: t('actions must be a list of actions.') });
  }
  const metadata = isObject(value.metadata) ? value.metadata : {};
  problems.push(...unknownParts(metadata, metadataParts, ['metadata']));
  if (typeof metadata.name !== 'string') problems.push({ path: ['metadata', 'name'], message: t('It needs a name.') });
  for (const name of metadataParts.slice(1)) {
    if (metadata[name] === undefined || typeof metadata[name] === 'string') continue;
    problems.push({ path: ['metadata', name], message: t('{name} must be text.', { name }) });
  }
  return problems;
}

function unknownParts(value: object, known: readonly string[], path: string[]): ShapeProblem[] {
  return Object.keys(value)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [...path, name], message: t('There is no part called “{name}” here.', { name }) }));
}

function filledUp({ metadata, inputs, actions, outputs, exec_options }: BuilderDefinition): BuilderDefinition {
  return {
    metadata: {
      name: metadata.name,
      description: metadata.description ?? '',
      author: metadata.author ?? '',
      updated_by: metadata.updated_by ?? '',
    },
    inputs: inputs ?? {},
    actions,
    outputs: outputs ?? {},
    exec_options: exec_options ?? {},
  };
}

function actionProblems(
  actions: readonly Record<string, unknown>[],
  lineOf: (path: readonly (string | number)[]) => number,
): TextProblem[] {
  if (actions.length > ACTIONS_MAX)
    return [{ line: lineOf(['actions']), message: t('At most {max} actions.', { max: ACTIONS_MAX }) }];
  const taken = new Set<unknown>();
  return actions.flatMap(({ id, kind }, index): TextProblem[] => {
    const line = lineOf(['actions', index]);
    if (typeof id !== 'string' || id === '') return [{ line, message: t('This action needs an id.') }];
    if (taken.has(id)) return [{ line, message: t('Another action is called “{id}” too.', { id }) }];
    taken.add(id);
    const isKnown = actionKinds.some((each) => each === kind);
    return isKnown ? [] : [{ line, message: t('The kind is one of {kinds}.', { kinds: actionKinds.join(', ') }) }];
  });
}

/** Where in the text each problem of the document stands; those of no place stand at the top. */
export function linesOfProblems(
  text: string,
  definition: BuilderDefinition,
  problems: readonly PlacedProblem[],
): TextProblem[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'core' });
  return problems.map(({ actionId, field, message }) => {
    const at = definition.actions.findIndex(({ id }) => id === actionId);
    const path = [...(at < 0 ? [] : ['actions', at]), ...partsOf(field)];
    return { line: lines.linePos(offsetOf(document.getIn(nearest(document, path), true)) ?? 0).line, message };
  });
}

type Parsed = ReturnType<typeof parseDocument>;

/** The path, shortened until something stands there. */
function nearest(document: Parsed, path: readonly PropertyKey[]): (string | number)[] {
  const keys = path.map((key) => (typeof key === 'number' || /^\d+$/.test(String(key)) ? Number(key) : String(key)));
  for (let length = keys.length; length > 0; length -= 1) {
    if (document.getIn(keys.slice(0, length), true) !== undefined) return keys.slice(0, length);
  }
  return [];
}

function offsetOf(node: unknown): number | undefined {
  if (!isNode(node)) return undefined;
  return node.range?.[0];
}

function isNode(value: unknown): value is Node {
  return isScalar(value) || isCollection(value);
}

/** The library adds the text around the place, which the editor shows anyway. */
function firstLine(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/ at line \d+, column \d+:?$/, '');
}

/** A name for a file of the playbook: `block-a-guessing-address.yaml`. */
export function fileNameOf({ metadata }: Pick<BuilderDefinition, 'metadata'>): string {
  const plain = metadata.name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain === '' ? 'playbook' : plain}.yaml`;
}
