import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { childrenOf, type Node } from './source-texts.ts';

const server = new URL('../../../server/src/', import.meta.url);

/** What is told to machines, to whoever runs the server, or by a playbook. */
const notShown =
  /\.test\.|fixture|stand-in|\/library\/|^modules\/(ingestion|marketplace\/marketplace-client|operations)/;
/** A whole sentence: what is put together with others is not looked up. */
const sentence = /^\p{Lu}[^{]*[.?]$/u;

/** Fixed sentences with which the server refuses, as people read them: `message: 'This case does not exist.'`. */
export function serverTexts(): string[] {
  const paths = ['http', 'modules'].flatMap((part) =>
    readdirSync(new URL(`${part}/`, server), { recursive: true, encoding: 'utf8' }).map((path) => `${part}/${path}`),
  );
  const found = paths
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !notShown.test(path))
    .map((path) => ({ path, source: readFileSync(new URL(path, server), 'utf8') }))
    .filter(({ source }) => source.includes('new AppError('))
    .flatMap(({ path, source }) => textsIn(parseSync(path, source).program as unknown as Node));
  return [...new Set(found)].sort();
}

function textsIn(node: Node): string[] {
  const named = node.type === 'Property' ? node.key : node.type === 'VariableDeclarator' ? node.id : undefined;
  const value = (node.type === 'Property' ? node.value : node.init) as Node | undefined;
  const isMessage = (named as Node | undefined)?.name === 'message' && value?.type === 'Literal';
  const said = isMessage && sentence.test(String(value.value)) ? [String(value.value)] : [];
  return [...said, ...childrenOf(node).flatMap(textsIn)];
}
