import { readdirSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { childrenOf, type Node } from './source-texts.ts';

const contracts = new URL('../../../../packages/contracts/src/', import.meta.url);

/** Sentences the schemas of the contract give to rules of their own, as they reach whoever fills a form in. */
export function schemaTexts(): string[] {
  const paths = readdirSync(contracts, { recursive: true, encoding: 'utf8' });
  const found = paths
    .filter((path) => path.endsWith('.ts') && !path.includes('.test.') && !path.endsWith('.gen.ts'))
    .flatMap((path) =>
      textsIn(parseSync(path, readFileSync(new URL(path, contracts), 'utf8')).program as unknown as Node),
    );
  return [...new Set(found)].sort();
}

const ruleNames: ReadonlySet<unknown> = new Set(['regex', 'refine']);

function textsIn(node: Node): string[] {
  const callee = node.callee as Node | undefined;
  const isRule = node.type === 'CallExpression' && ruleNames.has((callee?.property as Node | undefined)?.name);
  const said = isRule ? messageOf((node.arguments as Node[])[1]) : undefined;
  return [...(said === undefined ? [] : [said]), ...childrenOf(node).flatMap(textsIn)];
}

/** `'Not an id.'`, or the message of `{ path: […], message: 'Say what to change.' }`. */
function messageOf(given: Node | undefined): string | undefined {
  if (given?.type === 'Literal') return String(given.value);
  if (given?.type !== 'ObjectExpression') return undefined;
  const properties = given.properties as Node[];
  const message = properties.find(({ key }) => (key as Node | undefined)?.name === 'message')?.value as
    | Node
    | undefined;
  return message?.type === 'Literal' ? String(message.value) : undefined;
}
