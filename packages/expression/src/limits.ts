/** Bounds of one call. Work is counted in evaluated nodes, plus the size of what operators have to walk through. */
export type ExpressionLimits = {
  /** Characters of one expression. */
  readonly maxLength: number;
  readonly maxNodes: number;
  readonly maxDepth: number;
  /** Work of one `condition` or `render` call, all its expressions together. */
  readonly maxCost: number;
  /** Characters of any intermediate text. */
  readonly maxTextLength: number;
  /** Elements of any intermediate list. */
  readonly maxListLength: number;
  /** Values read from the context, counted over the variables an expression names. */
  readonly maxContextNodes: number;
  /** Characters of the different expressions of one call, each counted as 64 at least: all of them may have to be compiled. */
  readonly maxCompiledLength: number;
  readonly maxOutputNodes: number;
  /** Characters of all text of one rendered value. */
  readonly maxOutputLength: number;
};

export const defaultLimits: ExpressionLimits = {
  maxLength: 4096,
  maxNodes: 2000,
  maxDepth: 64,
  maxCost: 250_000,
  maxTextLength: 1_048_576,
  maxListLength: 100_000,
  maxContextNodes: 500_000,
  maxCompiledLength: 32_768,
  maxOutputNodes: 50_000,
  maxOutputLength: 2_097_152,
};

/** Nesting of data, in and out. */
export const MAX_DATA_DEPTH = 100;
