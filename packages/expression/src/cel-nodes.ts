/**
 * The parts of the library's syntax tree that are not in its published types: macros (`has`, `all`, `map`, `cel.bind` …)
 * hide what they expand to in a node's meta data. Tied to the exact version in package.json; the tests of cost and of
 * matching fail when an upgrade moves these parts.
 */
export type CelNode = {
  op: string;
  args: unknown;
  readonly start: number;
  readonly meta: {
    readonly evaluate: Evaluate;
    readonly alternate?: CelNode;
    readonly macro?: { readonly evaluate: Evaluate };
  };
  evaluate: Evaluate;
};

type Evaluate = (evaluator: unknown, node: unknown, context: unknown) => unknown;

/** Every node below and including `root`, expansions of macros included. */
export function allNodes(root: unknown): CelNode[] {
  const seen = new Set<object>();
  const nodes: CelNode[] = [];
  const open: unknown[] = [root];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null || seen.has(next)) continue;
    seen.add(next);
    if (isNode(next)) {
      nodes.push(next);
      open.push(next.args, next.meta.alternate, next.meta.macro);
    } else if (Array.isArray(next) || Object.getPrototypeOf(next) === Object.prototype) {
      open.push(...Object.values(next));
    }
  }
  return nodes;
}

/** What evaluating a node does, without the library's own memo of it. */
export function evaluateNode(node: CelNode, evaluator: unknown, context: unknown): unknown {
  const { alternate, macro, evaluate } = node.meta;
  if (alternate !== undefined) return alternate.evaluate(evaluator, alternate, context);
  if (macro !== undefined) return macro.evaluate(evaluator, macro, context);
  return evaluate(evaluator, node, context);
}

function isNode(value: object): value is CelNode {
  const node = value as Partial<CelNode>;
  return typeof node.op === 'string' && typeof node.evaluate === 'function' && typeof node.meta === 'object';
}
