import { parseInstant } from '@airdeck/query-language/instant';
import type { Bound, Match, QueryNode, Term, TextPart } from '@airdeck/query-language/query-tree';
import { writeField, writeValue } from '@airdeck/query-language/write-term';

/** Why a search cannot be asked of a vendor; a sentence for the person who searched. */
export class NotAskable extends Error {
  override readonly name = 'NotAskable';
}

export type VendorDialect = {
  /** What the vendor calls columns of ours. */
  readonly names: Readonly<Record<string, string>>;
  /** What every event of the vendor has as its `integration`. */
  readonly integration: string;
  /** What `now` means, in milliseconds since the epoch. */
  readonly now: number;
};

/** Facts of our own store, of which a vendor knows nothing. */
const oursAlone = new Set(['_id', '_source_id', '_connector_id', '_received_at']);

/**
 * A query's tree in Lucene syntax, for a vendor's own search. Whether case counts, and what words are, is up to the vendor.
 * Throws `NotAskable` for what its language has no way to say.
 */
export function vendorQuery(node: QueryNode, dialect: VendorDialect): string {
  return write(node, dialect, true);
}

function write(node: QueryNode, dialect: VendorDialect, outermost: boolean): string {
  switch (node.kind) {
    case 'all':
      return '*';
    case 'and':
    case 'or': {
      const parts = node.parts.filter((part) => node.kind === 'or' || part.kind !== 'all');
      if (parts.length === 0) return '*';
      const [only] = parts;
      if (parts.length === 1 && only !== undefined) return write(only, dialect, outermost);
      const written = parts.map((part) => write(part, dialect, false)).join(node.kind === 'and' ? ' AND ' : ' OR ');
      return outermost ? written : `(${written})`;
    }
    case 'not':
      // Lucene finds nothing for a NOT on its own.
      return `(* AND NOT ${write(node.part, dialect, false)})`;
    case 'term':
      return writeTermOf(node, dialect);
  }
}

function writeTermOf({ field, match }: Term, dialect: VendorDialect): string {
  if (field === undefined) return valueText(match);
  if (oursAlone.has(field)) throw new NotAskable(`${field} is a field of our own store.`);
  if (field === 'integration') return isIntegration(match, dialect) ? '*' : '(* AND NOT *)';
  const plain = field.startsWith('fields.') ? field.slice('fields.'.length) : (dialect.names[field] ?? field);
  if (match.kind === 'exists') return `_exists_:${writeField(plain)}`;
  return `${writeField(plain)}:${field === 'time' ? timeOf(match, dialect) : valueText(match)}`;
}

function isIntegration(match: Match, { integration }: VendorDialect): boolean {
  if (match.kind === 'exists') return true;
  if (match.kind === 'text') return match.text.toLowerCase() === integration;
  throw new NotAskable('Only the whole name of an integration can be compared with it.');
}

function valueText(match: Match): string {
  switch (match.kind) {
    case 'text':
      return writeValue(match.text);
    case 'wildcard':
      return match.parts.map(partOf).join('');
    case 'regex':
      return `/${match.pattern.replaceAll('/', '\\/')}/`;
    case 'range':
      return range(match.from, match.to, writeValue);
    case 'exists':
      return '*';
  }
}

/** Everything but letters and digits may have a meaning. */
function partOf(part: TextPart): string {
  if (part === 'any') return '*';
  return part === 'one' ? '?' : part.literal.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&');
}

function timeOf(match: Match, { now }: VendorDialect): string {
  const read = (text: string) => {
    const instant = parseInstant(text, now);
    if (instant === undefined) throw new NotAskable('A time of this query is none.');
    return instant;
  };
  if (match.kind === 'text') {
    const { start, end } = read(match.text);
    return `[${indexTime(start)} TO ${indexTime(end)}}`;
  }
  if (match.kind !== 'range') throw new NotAskable('Times can only be compared with times.');
  const from = match.from && indexTime(match.from.inclusive ? read(match.from.text).start : read(match.from.text).end);
  const to = match.to && indexTime(match.to.inclusive ? read(match.to.text).end : read(match.to.text).start);
  return `[${from ?? '*'} TO ${to ?? '*'}}`;
}

/** In UTC as Graylog's index stores times; it refuses a query with ISO's T and Z. */
function indexTime(ms: number): string {
  return `"${new Date(ms).toISOString().replace('T', ' ').replace('Z', '')}"`;
}

function range(from: Bound | undefined, to: Bound | undefined, write: (text: string) => string): string {
  const open = from === undefined || from.inclusive ? '[' : '{';
  const close = to === undefined || to.inclusive ? ']' : '}';
  return `${open}${from === undefined ? '*' : write(from.text)} TO ${to === undefined ? '*' : write(to.text)}${close}`;
}
