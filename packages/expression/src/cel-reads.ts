import type { CelNode } from './cel-nodes.ts';

/** A variable an expression takes from its context, and the fields behind it as far as they are written out. */
export type ExpressionRead = { readonly name: string; readonly fields: readonly string[] };

/**
 * What the tree reads from its context, in the order it stands there: not the variables macros bind inside it, nor the
 * names of types. Goes through what was written, not through what macros expand to. Of a tree that has been checked.
 */
export function readsOf(root: unknown): ExpressionRead[] {
  const found: ExpressionRead[] = [];
  visit(root, new Set());
  return found;

  function visit(value: unknown, bound: ReadonlySet<string>): void {
    if (Array.isArray(value)) for (const each of value) visit(each, bound);
    if (!isNode(value)) return;
    const read = readOf(value);
    if (read !== undefined && !bound.has(read.name)) found.push(read);
    const variable = boundBy(value);
    if (variable !== undefined) {
      const [, receiver, [, ...inner]] = value.args as [string, CelNode, CelNode[]];
      // That of `cel.bind` is no variable.
      if (value.meta.macro === undefined) visit(receiver, bound);
      visit(inner, new Set([...bound, variable]));
    } else if (read === undefined) visit(value.args, bound);
    else visitKeys(value, bound);
  }

  /** `actions[inputs.which].output` reads `inputs` too. */
  function visitKeys(node: CelNode, bound: ReadonlySet<string>): void {
    if (node.op === 'id') return;
    const [object, key] = node.args as [CelNode, unknown];
    visit(key, bound);
    visitKeys(object, bound);
  }
}

/** The variable at the beginning of `a.b['c']`; undefined for what is no such chain, or begins with the name of a type. */
function readOf(node: CelNode): ExpressionRead | undefined {
  if (node.op === 'id') return node.meta.alternate === undefined ? { name: String(node.args), fields: [] } : undefined;
  if (node.op !== '.' && node.op !== '[]') return undefined;
  const [object, key] = node.args as [CelNode, unknown];
  const read = isNode(object) ? readOf(object) : undefined;
  if (read === undefined) return undefined;
  const field = isNode(key) && key.op === 'value' ? key.args : key;
  // Behind a field that is only known when it is evaluated, nothing is known of the others.
  const isNext = typeof field === 'string' && depthOf(object) === read.fields.length;
  return isNext ? { ...read, fields: [...read.fields, field] } : read;
}

function depthOf(node: CelNode): number {
  if (node.op === 'id') return 0;
  return 1 + depthOf((node.args as [CelNode])[0]);
}

/** What `map`, `filter`, `exists` and the like, and `cel.bind`, give a meaning of its own. */
function boundBy({ op, args, meta }: CelNode): string | undefined {
  const binds = op === 'rcall' && (meta.alternate?.op === 'comprehension' || meta.macro !== undefined);
  if (!binds) return undefined;
  const [, , [variable]] = args as [string, CelNode, CelNode[]];
  return variable?.op === 'id' ? String(variable.args) : undefined;
}

function isNode(value: unknown): value is CelNode {
  return typeof value === 'object' && value !== null && typeof (value as Partial<CelNode>).op === 'string';
}
