export type ExpressionErrorCode =
  /** Longer than allowed. */
  | 'EXPRESSION_TOO_LONG'
  | 'EXPRESSION_SYNTAX'
  /** Types that can never fit: `1 + 'a'`. */
  | 'EXPRESSION_TYPE'
  /** Too deep or too many parts; found before anything is evaluated. */
  | 'EXPRESSION_TOO_COMPLEX'
  /** `{{` without its `}}`, or nothing between them. */
  | 'TEMPLATE_UNCLOSED'
  | 'TEMPLATE_EMPTY'
  /** Evaluation failed: missing key, unknown variable, wrong type of a value, division by zero. */
  | 'EXPRESSION_FAILED'
  /** Evaluation would take too much work or memory. */
  | 'EXPRESSION_TOO_COSTLY'
  | 'EXPRESSION_CONTEXT_TOO_LARGE'
  | 'EXPRESSION_OUTPUT_TOO_LARGE'
  /** The result has no JSON form (a type, infinity), or a condition is not a boolean. */
  | 'EXPRESSION_RESULT_UNSUPPORTED';

/** The only error this package throws. `position` counts characters from 0 in the text that was given. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  readonly code: ExpressionErrorCode;
  readonly position: number | undefined;

  constructor(code: ExpressionErrorCode, message: string, position?: number) {
    super(message);
    this.code = code;
    this.position = position;
  }
}
