export type OpenapiErrorCode =
  | 'DOCUMENT_TOO_LARGE'
  /** Neither JSON nor plain YAML. */
  | 'DOCUMENT_UNREADABLE'
  /** Nested or repeated beyond what any description of an API needs. */
  | 'DOCUMENT_TOO_COMPLEX'
  /** Well formed, but not OpenAPI 3.0, 3.1 or Swagger 2.0. */
  | 'DOCUMENT_NOT_OPENAPI'
  | 'OPERATION_UNKNOWN'
  | 'OPERATION_UNSUPPORTED'
  /** Reading took too long or too much memory. */
  | 'READING_STOPPED';

/** What stands in the way of an import; the message is for the person who uploaded the document. */
export class OpenapiError extends Error {
  override readonly name = 'OpenapiError';
  readonly code: OpenapiErrorCode;

  constructor(code: OpenapiErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
