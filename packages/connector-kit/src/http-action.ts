/**
 * Actions as data: one HTTP call with values in CEL between `{{` and `}}`, compiled when the process starts.
 *
 * What an action may touch is fixed by the data: method, the literal parts of the path, names of query fields and headers.
 * Values of an input become one path segment, one query value, one header value or a piece of the body, always encoded for
 * that place. Expressions see the input, the settings that are not secret and the answer; never a credential.
 */
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Expressions } from '@airdeck/expression';
import { createExpressions } from '@airdeck/expression';
import { ExpressionError } from '@airdeck/expression/expression-error';
import { completeInput } from './action-input.ts';
import { secretFields } from './connector-config.ts';
import type { ActionContext, ActionDefinition, ConnectorDefinition } from './definition.ts';
import { httpActionProblems } from './http-action-check.ts';
import type { AnswerVariables, PagingRule } from './http-action-paging.ts';
import { gather } from './http-action-paging.ts';
import type { HttpRequestTemplate } from './http-action-request.ts';
import { createRequestBuilder } from './http-action-request.ts';
import type { VendorClient } from './vendor-client.ts';
import { codeForStatus, VendorError } from './vendor-error.ts';

/** Tells a failure that the vendor client does not know from a success. Conditions are bare CEL, values templates. */
export type FailureRule = {
  readonly when: string;
  /** The vendor's own sentence. */
  readonly detail?: string;
  /** The HTTP status the failure amounts to; by default the request was rejected. */
  readonly status?: string;
};

export type HttpActionSpec = Pick<
  ActionDefinition,
  'friendly_name' | 'description' | 'input_schema' | 'output_schema' | 'effect' | 'idempotent'
> & {
  /** The part of the action's id after the dot. */
  readonly verb: string;
  /** Default 30. */
  readonly timeout_s?: number;
  /** Bare CEL over `input` that must hold before anything is sent, and what is said otherwise. */
  readonly requires?: readonly { readonly condition: string; readonly message: string }[];
  readonly request: HttpRequestTemplate;
  /** HTTP statuses that are an answer. Default: all below 400. */
  readonly success?: readonly number[];
  readonly failure?: FailureRule;
  readonly paging?: PagingRule;
  /** Template of the output over `status`, `headers`, `body`, `input`; with paging also `items` and `is_cut`. */
  readonly output: JsonObject;
};

export type HttpActionOwner = Pick<ConnectorDefinition, 'definition_id' | 'vendor' | 'product' | 'config_schema'>;

export type HttpActionHome = {
  readonly owner: HttpActionOwner;
  readonly client: VendorClient;
  /** The data was checked by `httpActionProblems` before it was stored; expressions are then compiled at their first use. */
  readonly isChecked?: boolean;
};

/** Actions of one connector. What does not compile is in their `problems`, which the registry refuses. */
export function compileHttpActions(home: HttpActionHome, specs: readonly HttpActionSpec[]): ActionDefinition[] {
  const { owner, client } = home;
  const expressions = createExpressions();
  return specs.map((spec) => {
    const problems = home.isChecked === true ? [] : httpActionProblems(spec, expressions);
    return {
      action_id: `${owner.definition_id}.${spec.verb}`,
      definition_id: owner.definition_id,
      friendly_name: spec.friendly_name,
      description: spec.description,
      vendor: owner.vendor,
      product: owner.product,
      input_schema: spec.input_schema,
      output_schema: spec.output_schema,
      effect: spec.effect,
      requires_connector: true,
      timeout_s: spec.timeout_s ?? 30,
      idempotent: spec.idempotent,
      ...(problems.length === 0 ? {} : { problems }),
      run: createRun({ owner, client, spec, expressions }),
    };
  });
}

type Parts = {
  readonly owner: HttpActionOwner;
  readonly client: VendorClient;
  readonly spec: HttpActionSpec;
  readonly expressions: Expressions;
};

function createRun({ owner, client, spec, expressions }: Parts): ActionDefinition['run'] {
  const { vendor } = owner;
  const buildRequest = createRequestBuilder(spec, expressions);
  const secrets = new Set(secretFields(owner.config_schema));

  return async (context) => {
    const before = requestVariables(spec, context, secrets);
    checkRequirements(spec, expressions, before);
    const first = asVendorError('VENDOR_REJECTED', `The input cannot be made into a request to ${vendor}`, () =>
      buildRequest(before, context.input),
    );
    const answer = await gather({ vendor, client, context, spec, expressions, first, before });
    return asVendorError('VENDOR_ANSWER_UNREADABLE', `The answer of ${vendor} has not the expected form`, () => {
      checkAnswer(vendor, spec, expressions, answer);
      return expressions.render(spec.output, answer) as JsonObject;
    });
  };
}

function requestVariables(spec: HttpActionSpec, context: ActionContext, secrets: ReadonlySet<string>): JsonObject {
  return {
    input: completeInput(spec.input_schema, context.input),
    config: Object.fromEntries(Object.entries(context.config).filter(([field]) => !secrets.has(field))),
    idempotency_key: context.idempotencyKey,
    now: context.now().toISOString(),
  };
}

function checkRequirements(spec: HttpActionSpec, expressions: Expressions, variables: JsonObject): void {
  for (const { condition, message } of spec.requires ?? []) {
    const holds = asVendorError('VENDOR_REJECTED', message, () => expressions.condition(condition, variables));
    if (!holds) throw new VendorError('VENDOR_REJECTED', message);
  }
}

function checkAnswer(vendor: string, spec: HttpActionSpec, expressions: Expressions, answer: AnswerVariables): void {
  if (spec.success !== undefined && !spec.success.includes(answer.status)) {
    throw new VendorError(
      'VENDOR_ANSWER_UNREADABLE',
      `${vendor} answered HTTP ${answer.status}, which is not expected.`,
    );
  }
  const { failure } = spec;
  if (failure === undefined || !expressions.condition(failure.when, answer)) return;
  const status = failure.status === undefined ? undefined : expressions.render(failure.status, answer);
  const detail = failure.detail === undefined ? '' : `: ${String(expressions.render(failure.detail, answer))}`;
  const code = (typeof status === 'number' ? codeForStatus(status) : undefined) ?? 'VENDOR_REJECTED';
  throw new VendorError(code, `${vendor} rejected the request${detail}`);
}

/** Expressions fail on data that is not as expected; their messages name keys and types, never values. */
function asVendorError<T>(code: 'VENDOR_REJECTED' | 'VENDOR_ANSWER_UNREADABLE', words: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new VendorError(code, `${words.replace(/\.$/, '')} (${error.message.replace(/\.$/, '')}).`, { cause: error });
  }
}
