import type { Told } from './filled-text.ts';

/**
 * Every code an answer can carry, with its HTTP status and the sentence a person reads when the thrower has nothing
 * better. Categories and severities of spec §8 follow from the status.
 */
export const errorCodes = {
  VALIDATION_FAILED: { status: 400, message: 'The request is not valid.' },
  TENANT_MISMATCH: { status: 400, message: 'The tenant in the body is not the tenant of the address.' },
  BODY_NOT_DECODABLE: { status: 400, message: 'The body could not be decoded.' },
  TOKEN_MISSING: { status: 401, message: 'No auth token found' },
  TOKEN_INVALID: { status: 401, message: 'The token is not valid or has expired. Sign in again.' },
  TENANT_FORBIDDEN: { status: 403, message: 'You have no access to this tenant.' },
  ROLE_TOO_LOW: { status: 403, message: 'Your role does not allow this.' },
  PLAN_NOT_ENABLED: { status: 403, message: 'The plan of this tenant does not include this.' },
  ACCOUNT_NOT_FOUND: { status: 403, message: 'There is no account for this sign-in yet.' },
  REAUTHENTICATION_REQUIRED: { status: 403, message: 'Confirm that it is you first.' },
  CONFIRMATION_WRONG: { status: 403, message: 'The text does not match. Nothing was changed.' },
  NOT_A_PROVIDER: { status: 403, message: 'This tenant does not manage other tenants.' },
  MFA_REQUIRED: { status: 403, message: 'Set up an authenticator app first.' },
  USER_DISABLED: { status: 403, message: 'This account is disabled.' },
  ORIGIN_NOT_ALLOWED: { status: 403, message: 'This request did not come from the dashboard.' },
  NOT_FOUND: { status: 404, message: 'Not found.' },
  ROUTE_NOT_FOUND: { status: 404, message: 'There is no such address.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This method is not allowed here.' },
  CONFLICT: { status: 409, message: 'This was changed in the meantime.' },
  LAST_ADMIN: { status: 409, message: 'A tenant keeps at least one Admin. Make somebody else Admin first.' },
  EMAIL_TAKEN: { status: 409, message: 'Somebody with this e-mail address is already a member.' },
  TICKET_INVALID: { status: 400, message: 'This invitation is not valid any more. Ask for a new one.' },
  TICKET_FOR_ANOTHER: { status: 403, message: 'This invitation is for another account.' },
  MARKETPLACE_TOKEN_INVALID: {
    status: 400,
    message: 'This purchase link is not valid or has expired. Open it again from the Azure portal.',
  },
  MARKETPLACE_FOR_ANOTHER: { status: 403, message: 'This purchase belongs to another account.' },
  MARKETPLACE_ALREADY_LINKED: { status: 409, message: 'This subscription is already linked to a tenant.' },
  MARKETPLACE_UNAVAILABLE: {
    status: 503,
    message: 'The Azure Marketplace does not answer right now. Nothing was changed; try again shortly.',
  },
  PROMPT_ALREADY_ANSWERED: { status: 409, message: 'This question has already been answered.' },
  PROMPT_OPTION_UNKNOWN: { status: 400, message: 'This is not one of the options.' },
  PROMPT_NOT_APPROVER: { status: 403, message: 'You are not one of the approvers of this question.' },
  PROMPT_CLOSED: { status: 409, message: 'This question is no longer open.' },
  PROMPT_OTHER_OPTION: {
    status: 409,
    message: 'Somebody has chosen another option; a second person can only confirm it.',
  },
  PROMPT_LINK_INVALID: {
    status: 403,
    message: 'This link does not answer the question any more. Answer it on the page of the run.',
  },
  PLAYBOOK_INVALID: { status: 409, message: 'This playbook still has problems. Mend them first.' },
  PLAYBOOK_IN_USE: { status: 409, message: 'Something still starts this playbook.' },
  PLAYBOOK_NOT_PUBLISHED: { status: 409, message: 'This playbook is a draft. Publish it first.' },
  RUN_NOT_FINISHED: { status: 409, message: 'This run is still going on.' },
  RUN_FINISHED: { status: 409, message: 'This run has already finished.' },
  CASE_TRANSITION_REFUSED: { status: 409, message: 'The case cannot go from its present status to this one.' },
  ACTION_INPUT_INVALID: { status: 400, message: "The input does not fit the action's schema." },
  QUERY_INVALID: { status: 400, message: 'This query cannot be searched.' },
  SEARCH_TOO_EXPENSIVE: {
    status: 400,
    message:
      'This search needs more time or memory than one search may use. Choose a shorter time range or ask for less.',
  },
  CONNECTOR_UNAVAILABLE: { status: 409, message: 'No working connector is configured for this action.' },
  ACTION_FAILED: { status: 502, message: 'The action failed at the vendor.' },
  ACTION_TIMED_OUT: { status: 504, message: 'The action did not end in time.' },
  BODY_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  MEDIA_TYPE_UNSUPPORTED: { status: 415, message: 'This content type is not supported here.' },
  FILE_INFECTED: { status: 422, message: 'The malware scanner found something in this file. It was not kept.' },
  IDEMPOTENCY_KEY_REUSED: { status: 422, message: 'This Idempotency-Key was used with another request.' },
  TOO_MANY_OPEN_RUNS: {
    status: 429,
    message: 'Too many runs of this tenant have not ended yet. Cancel some, or start it again when some have ended.',
  },
  RATE_LIMITED: { status: 429, message: 'Too many requests. Try again shortly.' },
  CONFIRMATION_REQUIRED: { status: 449, message: 'Please confirm.' },
  INTERNAL: { status: 500, message: 'Something went wrong on our side. Nothing was changed.' },
  OVERLOADED: { status: 503, message: 'The server is busy. Try again shortly.' },
  DRAINING: { status: 503, message: 'The server is restarting. Try again shortly.' },
  RESTORE_FENCE_UP: {
    status: 503,
    message:
      'This installation was restored from a backup. Nothing is started or called until its operator lifts the restore fence (airdeck restore --lift-fence).',
  },
  SCANNER_UNAVAILABLE: {
    status: 503,
    message:
      'The file could not be scanned for malware and was not kept. Try again shortly, or tell who runs this installation.',
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'A store is not reachable right now. Nothing was lost; try again shortly.',
  },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCodes;

/**
 * What is wrong with one part of a request. Problems of a query also say where in its text they are (UTF-16 units; `end` is
 * the first one behind it), what to do about them, and the whole query put right where there is only one way to mean it.
 */
export type ErrorDetailBody = Told & {
  path: string;
  start?: number;
  end?: number;
  suggestion?: string;
  fix?: string;
};

/** What a person is asked (status 449), in English and, under `told`, as what other languages are made of. */
export type ConfirmBody = {
  title: string;
  text: string;
  action_label: string;
  passphrase_hint?: string;
  told: { title: Told; text: readonly Told[]; action_label: Told; passphrase_hint?: Told };
};

/** Shape of every error answer. */
export type ErrorBody = Told & {
  code: ErrorCode;
  request_id: string;
  details?: ErrorDetailBody[];
  confirm?: ConfirmBody;
};
