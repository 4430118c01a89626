/** What one query may be. Everything beyond is refused with a sentence, before it costs anything. */
export const queryLimits = {
  /** Characters of the whole query. */
  maxLength: 8_192,
  /** Brackets and negations inside each other. */
  maxDepth: 50,
  /** Terms, each of which is looked up on its own. */
  maxClauses: 500,
  /** Characters of a regular expression. */
  maxPatternLength: 256,
  /** Parts of all regular expressions together, with what is repeated written out: the engine does that to compile them. */
  maxPatternParts: 4_000,
  /** Wildcards in one term. */
  maxWildcardsPerTerm: 16,
  /** Terms that begin with a wildcard, and so cannot use an index. */
  maxLeadingWildcards: 20,
  /** Characters of a field name. */
  maxFieldLength: 256,
  /** Parts of a dotted field name. */
  maxFieldParts: 8,
} as const;
