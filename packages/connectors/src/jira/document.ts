import type { JsonObject } from '@airdeck/contracts/fields';
import { objectOf } from '@airdeck/contracts/json-object';
import { objectsOf, textOf } from '../answer-fields.ts';

/** Text as the document format of Jira Cloud: empty lines part paragraphs, other line ends are kept. Nothing is markup. */
export function documentOf(text: string): JsonObject {
  const paragraphs = text.replace(/\r\n?/g, '\n').split(/\n{2,}/);
  return { version: 1, type: 'doc', content: paragraphs.map(paragraphOf) };
}

function paragraphOf(text: string): JsonObject {
  const lines = text.split('\n');
  const content = lines.flatMap((line, index): JsonObject[] => [
    ...(index === 0 ? [] : [{ type: 'hardBreak' }]),
    // An empty text node is refused.
    ...(line === '' ? [] : [{ type: 'text', text: line }]),
  ]);
  return { type: 'paragraph', content };
}

/** Deeper documents are not written by people. */
const MAX_DEPTH = 20;

/** The words of a document, for outputs; marks, tables and media are left out. */
export function textOfDocument(document: unknown, max: number): string | null {
  if (typeof document === 'string') return document.slice(0, max);
  const { content } = objectOf(document);
  if (!Array.isArray(content)) return null;
  const blocks = objectsOf(content).map((block) => wordsOf(block, 0));
  return blocks.join('\n\n').slice(0, max);
}

function wordsOf(node: JsonObject, depth: number): string {
  if (node.type === 'hardBreak') return '\n';
  const own = textOf(node, 'text') ?? '';
  if (depth >= MAX_DEPTH) return own;
  return (
    own +
    objectsOf(node.content)
      .map((child) => wordsOf(child, depth + 1))
      .join('')
  );
}
