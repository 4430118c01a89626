/**
 * Rules as plain data. A rule is small and plain; whatever makes YAML dangerous (references that multiply, tags, the same
 * key twice, endless nesting) is refused rather than resolved.
 */

import { documentSteps, SIGMA_DOCUMENTS_MAX } from '@airdeck/domain/sigma-documents';
import { atOnce } from '@airdeck/domain/steps';
import { storableText } from '@airdeck/domain/storable-json';
import { isAlias, isMap, isScalar, isSeq, parseDocument, type Scalar } from 'yaml';
import { failed, type SigmaProblem } from './sigma-problem.ts';

export type PlainValue = string | number | boolean | null | readonly PlainValue[] | PlainRecord;
export type PlainRecord = { readonly [key: string]: PlainValue };

/** The longest rules published have some 60,000 characters. */
const MAX_RULE_CHARS = 256_000;
const MAX_DEPTH = 20;
const MAX_VALUES = 20_000;

/** The documents of one file as texts. Throws `SigmaProblem`. */
export function splitDocuments(text: string): string[] {
  const documents = atOnce(documentSteps(text));
  if (documents === undefined) throw failed(`More than ${SIGMA_DOCUMENTS_MAX} documents in one file.`);
  return documents;
}

/** Throws `SigmaProblem`. */
export function readRule(text: string): PlainRecord {
  if (text.length > MAX_RULE_CHARS) throw failed(`A rule has at most ${MAX_RULE_CHARS} characters.`);
  const value = plainOf(text);
  if (!isRecord(value)) throw failed('Not a rule: the document is no map of fields.');
  return value;
}

export function isRecord(value: PlainValue | undefined): value is PlainRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An array by a test that keeps the type of its elements. */
export function isList(value: PlainValue | undefined): value is readonly PlainValue[] {
  return Array.isArray(value);
}

function plainOf(text: string): PlainValue {
  try {
    const document = parseDocument(text, {
      version: '1.2',
      schema: 'core',
      merge: false,
      // The library compares every key with every other; here a set does it.
      uniqueKeys: false,
      prettyErrors: false,
      strict: true,
    });
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw unreadable(lineAt(text, problem.pos[0]), problem.message);
    return createConversion(text)(document.contents, 0);
  } catch (error) {
    // The library recurses: a nesting without end is a RangeError.
    if (error instanceof RangeError) throw failed('Not readable: nested too deeply.');
    throw error;
  }
}

function createConversion(text: string): (node: unknown, depth: number) => PlainValue {
  let values = 0;
  return function convert(node, depth): PlainValue {
    values += 1;
    if (values > MAX_VALUES) throw failed(`A rule has at most ${MAX_VALUES} values.`);
    if (depth > MAX_DEPTH) throw failed(`Nested deeper than ${MAX_DEPTH} levels.`);
    if (node === null) return null;
    if (isAlias(node)) throw unreadable(lineAt(text, node.range?.[0] ?? 0), 'references (*name) are not taken');
    if (isScalar(node)) return scalarOf(node);
    if (isSeq(node)) return node.items.map((item) => convert(item, depth + 1));
    if (!isMap(node)) throw failed('Not readable: neither a value, nor a list, nor a map.');
    const entries = new Map<string, PlainValue>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(scalarOf(key)) : undefined;
      if (name === undefined) throw failed('Not readable: a key must be a text.');
      if (entries.has(name)) {
        const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        throw unreadable(lineAt(text, offset), `"${name}" is there twice`);
      }
      entries.set(name, convert(value, depth + 1));
    }
    return Object.fromEntries(entries);
  };
}

/** Numbers keep the digits they were written with where a number would lose some: values are compared as text. */
function scalarOf({ value, source }: Scalar): string | number | boolean | null {
  if (typeof value === 'number') {
    const asWritten = source !== undefined && /^[-+]?\d+(\.\d+)?$/.test(source) && String(value) !== source;
    return asWritten ? source : Number.isFinite(value) ? value : String(source ?? value);
  }
  if (typeof value === 'boolean' || value === null) return value;
  return storableText(String(value));
}

function unreadable(line: number, message: string): SigmaProblem {
  return failed(`Line ${line}: ${message.slice(0, 200)}`);
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
