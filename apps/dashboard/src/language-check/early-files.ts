import { posix } from 'node:path';
import { parseSync } from 'vite';
import { isNeededEverywhere, routeChunks } from '../../chunk-groups.ts';
import { childrenOf, type Node } from './source-texts.ts';

const laterParts: ReadonlySet<string> = new Set(routeChunks.flat());

/**
 * What runs as soon as a page is opened, and so before its language is settled: what `main.tsx` imports, what route files
 * import for more than the parts the router loads when a screen is entered, and what the build adds to the first chunk.
 * Of each file, the chain of imports that leads to it. The sources are texts by their path.
 */
export function earlyFiles(sources: ReadonlyMap<string, string>): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  const visit = (path: string, chain: readonly string[]) => {
    const source = sources.get(path);
    if (source === undefined || found.has(path)) return;
    const through = [...chain, path];
    found.set(path, through);
    for (const target of importsAtLoad(path, source)) visit(target, through);
  };
  for (const path of sources.keys()) if (isFirst(path)) visit(path, []);
  return found;
}

function isFirst(path: string): boolean {
  return path === 'main.tsx' || path.startsWith('routes/') || isNeededEverywhere(`/src/${path}`);
}

/** Files a file needs before it runs itself: no types, nothing imported when asked for. */
function importsAtLoad(path: string, source: string): string[] {
  const body = parseSync(path, source).program.body as unknown as readonly Node[];
  const specifiers = path.startsWith('routes/') ? specifiersOfRoute(body) : body.flatMap(specifierOf);
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier));
}

/** Where an import or a re-export of values leads to. */
function specifierOf(statement: Node): string[] {
  if (!/^(Import|ExportNamed|ExportAll)Declaration$/.test(statement.type)) return [];
  if (statement.importKind === 'type' || statement.exportKind === 'type') return [];
  const source = statement.source as { value: string } | null;
  return source === null ? [] : [source.value];
}

/**
 * Imports of a route file without those that only what the router splits off names. They move to the file of that part,
 * with the declarations of the route file that nothing else names.
 */
function specifiersOfRoute(body: readonly Node[]): string[] {
  const declared = new Map<string, Node>();
  for (const statement of body) for (const name of namesDeclared(statement)) declared.set(name, statement);
  const reached = new Set<Node>();
  const reach = (statement: Node) => {
    if (reached.has(statement)) return;
    reached.add(statement);
    if (statement.type === 'ImportDeclaration') return;
    for (const name of namesUsed(statement)) {
      const target = declared.get(name);
      if (target !== undefined) reach(target);
    }
  };
  for (const statement of body) if (namesDeclared(statement).length === 0) reach(statement);
  return [...reached].flatMap(specifierOf);
}

/** Names a statement makes known to its file. What it also exports has users elsewhere and is reached anyway. */
function namesDeclared(statement: Node): string[] {
  if (statement.type === 'ImportDeclaration')
    return (statement.specifiers as Node[]).map(({ local }) => String((local as Node).name));
  if (/^(Function|Class)Declaration$/.test(statement.type)) return [String((statement.id as Node).name)];
  if (statement.type !== 'VariableDeclaration') return [];
  return (statement.declarations as Node[]).flatMap(({ id }) => namesUsed(id as Node));
}

/** Every name in a piece of source, except in what the router splits off. */
function namesUsed(node: Node): string[] {
  if (/^(JSX)?Identifier$/.test(node.type)) return [String(node.name)];
  return keptParts(node).flatMap(namesUsed);
}

/** Of the options of a route those that stay in its file; of anything else every part. */
function keptParts(node: Node): Node[] {
  const [options] = isFileRoute(node) ? (node.arguments as Node[]) : [];
  if (options?.type !== 'ObjectExpression') return childrenOf(node);
  return (options.properties as Node[]).filter((option) => !isSplitOff(option));
}

/** `createFileRoute('…')(…)`; of the root route nothing is split off. */
function isFileRoute(node: Node): boolean {
  const made = node.type === 'CallExpression' ? (node.callee as Node) : undefined;
  return made?.type === 'CallExpression' && (made.callee as Node).name === 'createFileRoute';
}

function isSplitOff(option: Node): boolean {
  return option.type === 'Property' && option.method !== true && laterParts.has(String((option.key as Node).name));
}
