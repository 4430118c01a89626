import type { JsonObject } from '@airdeck/contracts/fields';
import type { Expressions } from '@airdeck/expression';
import { ExpressionError } from '@airdeck/expression/expression-error';
import type { ActionContext } from './definition.ts';
import type { HttpActionSpec } from './http-action.ts';
import { collectPages, nextLinkOf, nextOffset } from './paging.ts';
import type { VendorAnswer, VendorCall, VendorClient } from './vendor-client.ts';
import { VendorError } from './vendor-error.ts';

/** Where a page's successor is found. `value` and `total` are templates over the answer. */
export type NextRule =
  /** A mark of the answer goes into a query field; null or empty text ends. */
  | { readonly kind: 'cursor'; readonly parameter: string; readonly value: string }
  | {
      readonly kind: 'offset';
      readonly parameter: string;
      readonly limit_parameter: string;
      readonly limit: number;
      readonly total?: string;
    }
  | {
      readonly kind: 'page';
      readonly parameter: string;
      readonly size_parameter: string;
      readonly size: number;
      /** Default 1. */
      readonly first?: number;
    }
  /** `Link: <…>; rel="next"` */
  | { readonly kind: 'link' }
  /** An address in the answer; null or empty text ends. Followed below the base address only. */
  | { readonly kind: 'url'; readonly value: string };

export type PagingRule = {
  /** Template that gives the items of one page. */
  readonly items: string;
  readonly next: NextRule;
  /** Default 10. */
  readonly max_pages?: number;
  /** Default 1000. */
  readonly max_items?: number;
};

/** What the output template sees; `body` and `headers` are those of the last page. */
export type AnswerVariables = JsonObject & { readonly status: number };

type Gathering = {
  readonly vendor: string;
  readonly client: VendorClient;
  readonly context: ActionContext;
  readonly spec: HttpActionSpec;
  readonly expressions: Expressions;
  readonly first: VendorCall;
  readonly before: JsonObject;
};

/** How one page differs from the first call. */
type Step = Pick<VendorCall, 'query' | 'rawQuery'> & { readonly path?: string };

/** Calls once, or page by page to the rule's bounds. Throws `VendorError` or `EgressError`. */
export async function gather(gathering: Gathering): Promise<AnswerVariables> {
  const { spec, client, context, first, before, vendor } = gathering;
  const { paging } = spec;
  if (paging === undefined) return variablesOf(await client.call(context, first), before);
  let last: AnswerVariables | undefined;
  const all = await collectPages<unknown, Step>({
    vendor,
    first: firstStep(paging.next),
    maxPages: paging.max_pages ?? 10,
    maxItems: paging.max_items ?? 1000,
    fetch: async (step) => {
      const answer = await client.call(context, pageCall(first, step));
      last = variablesOf(answer, before);
      const items = valueFor(gathering, paging.items, last);
      if (!Array.isArray(items)) throw notAsExpected(vendor);
      return { items, next: nextStep(gathering, paging.next, { step, answer, variables: last, count: items.length }) };
    },
  });
  return { ...before, status: 200, ...last, items: all.items, is_cut: all.isCut };
}

function variablesOf({ status, headers, body, text }: VendorAnswer, before: JsonObject): AnswerVariables {
  return { ...before, status, headers, body: body ?? null, text };
}

function firstStep(next: NextRule): Step {
  if (next.kind === 'offset') return { query: { [next.parameter]: 0, [next.limit_parameter]: next.limit } };
  if (next.kind === 'page') return { query: { [next.parameter]: next.first ?? 1, [next.size_parameter]: next.size } };
  return {};
}

/** A followed address carries its own query; any other step is added to that of the first call. */
function pageCall(first: VendorCall, { path, rawQuery, query }: Step): VendorCall {
  if (path === undefined) return { ...first, query: { ...first.query, ...query } };
  const { query: _first, ...rest } = first;
  return { ...rest, path, ...(rawQuery === undefined ? {} : { rawQuery }) };
}

type SeenPage = { step: Step; answer: VendorAnswer; variables: AnswerVariables; count: number };

function nextStep(
  gathering: Gathering,
  next: NextRule,
  { step, answer, variables, count }: SeenPage,
): Step | undefined {
  switch (next.kind) {
    case 'cursor': {
      const mark = valueFor(gathering, next.value, variables);
      return isEnd(mark) ? undefined : { query: { [next.parameter]: String(mark) } };
    }
    case 'offset': {
      const total = next.total === undefined ? undefined : valueFor(gathering, next.total, variables);
      const offset = nextOffset({
        offset: Number(step.query?.[next.parameter] ?? 0),
        limit: next.limit,
        count,
        ...(typeof total === 'number' ? { total } : {}),
      });
      return offset === undefined ? undefined : { query: { ...step.query, [next.parameter]: offset } };
    }
    case 'page': {
      const page = Number(step.query?.[next.parameter] ?? 1);
      return count < next.size ? undefined : { query: { ...step.query, [next.parameter]: page + 1 } };
    }
    case 'link':
      return linkedStep(gathering, nextLinkOf(answer.headers));
    case 'url': {
      const target = valueFor(gathering, next.value, variables);
      return linkedStep(gathering, isEnd(target) ? undefined : String(target));
    }
  }
}

function linkedStep({ client, context }: Gathering, target: string | undefined): Step | undefined {
  return target === undefined ? undefined : client.linked(context, target);
}

function isEnd(value: unknown): boolean {
  return value === null || value === undefined || value === '';
}

function valueFor({ expressions, vendor }: Gathering, template: string, variables: JsonObject): unknown {
  try {
    return expressions.render(template, variables);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw notAsExpected(vendor, error);
  }
}

function notAsExpected(vendor: string, cause?: unknown): VendorError {
  return new VendorError('VENDOR_ANSWER_UNREADABLE', `A page of ${vendor} has not the expected form.`, { cause });
}
