import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { childrenOf, type Node } from './source-texts.ts';

const server = new URL('../../../server/src/', import.meta.url);

/** What is told to machines, to whoever runs the server, or by a playbook. */
const notShown =
  /\.test\.|fixture|stand-in|\/library\/|^modules\/(ingestion|marketplace\/marketplace-client|operations)/;
/** A whole sentence: what is put together with others is not looked up. */
const sentence = /^\p{Lu}[^{]*[.?]$/u;

type Source = { path: string; program: Node };

/** Fixed sentences with which the server refuses, as people read them: `message: 'This case does not exist.'`. */
export function serverTexts(): string[] {
  return [...new Set(refusingSources().flatMap(({ program }) => textsIn(program)))].sort();
}

/** Refusals with something filled in that have no reason, and so no other language: ``message: `${n} at most.` ``. */
export function filledRefusals(): string[] {
  return refusingSources().flatMap(({ path, program }) => filledIn(program).map((text) => `${path} ${text}`));
}

function refusingSources(): Source[] {
  return ['http', 'modules']
    .flatMap((part) =>
      readdirSync(new URL(`${part}/`, server), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
    )
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !notShown.test(path))
    .map((path) => ({ path, source: readFileSync(new URL(path, server), 'utf8') }))
    .filter(({ source }) => /new AppError\(|overtaken\(/.test(source))
    .map(({ path, source }) => ({ path, program: parseSync(path, source).program as unknown as Node }));
}

function textsIn(node: Node): string[] {
  const named = node.type === 'Property' ? node.key : node.type === 'VariableDeclarator' ? node.id : undefined;
  const value = (node.type === 'Property' ? node.value : node.init) as Node | undefined;
  const isMessage = (named as Node | undefined)?.name === 'message' && value?.type === 'Literal';
  const said = isMessage && sentence.test(String(value.value)) ? [String(value.value)] : [];
  return [...said, ...childrenOf(node).flatMap(textsIn)];
}

function filledIn(node: Node): string[] {
  const isRefusal = node.type === 'NewExpression' && (node.callee as Node).name === 'AppError';
  const options = isRefusal ? (node.arguments as Node[])[1] : undefined;
  const properties = options?.type === 'ObjectExpression' ? (options.properties as Node[]) : [];
  // Beside the spread of a reason the English sentence may say more than others do.
  const hasReason = properties.some(({ type }) => type === 'SpreadElement');
  const filled = hasReason ? [] : properties.filter(({ key, value }) => isFilledMessage(key, value));
  const told = filled.map(({ value }) => textOf(value as Node));
  return [...told, ...childrenOf(node).flatMap(filledIn)];
}

function isFilledMessage(key: unknown, value: unknown): boolean {
  const { type, expressions } = (value ?? {}) as { type?: string; expressions?: unknown[] };
  return (key as Node | undefined)?.name === 'message' && type === 'TemplateLiteral' && (expressions?.length ?? 0) > 0;
}

function textOf({ quasis }: Node): string {
  return (quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}
