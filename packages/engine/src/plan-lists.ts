/**
 * Planning of actions with `for_each`.
 *
 * When such an action is ready its list is evaluated once and the input of every item rendered, so that nothing later can
 * change what an item is given. The items then take turns: as many at once as the run may have actions under way, in order.
 * With on_error "fail" the first failed item dooms the run, so that no further one begins; with "continue" all are carried
 * out and the output holds null where one failed. The list is settled when its items are.
 */
import { isDeepStrictEqual } from 'node:util';
import { type CallNode, continuesOnError, forEachTemplate, MAX_ITEMS } from './definition.ts';
import { engineFailureCodes, type Failure, failure, messageOf } from './errors.ts';
import type { ExpressionContext, Rendered } from './interfaces.ts';
import { toJsonValue } from './json-value.ts';
import {
  type Draft,
  freeCalls,
  type NewItem,
  OutputsUnread,
  type PlannedItem,
  type PlannedList,
  record,
} from './plan-draft.ts';
import { isStepSettled, type SkipReason } from './statuses.ts';

/**
 * Throws `StepRejected` when there can be no list, `OutputsUnread` when it may take over items that were not loaded, and when
 * it ends at once and its outputs are needed.
 */
export function openList(draft: Draft, node: CallNode & { for_each: string }, context: ExpressionContext): void {
  const list = draft.evaluator.render(forEachTemplate(node.for_each), context);
  if (!Array.isArray(list))
    throw new StepRejected(engineFailureCodes.forEachNotAList, `for_each of "${node.id}" does not give a list.`);
  if (list.length > MAX_ITEMS) {
    const message = `for_each of "${node.id}" gives ${list.length} items; at most ${MAX_ITEMS}.`;
    throw new StepRejected(engineFailureCodes.forEachTooLong, message);
  }
  if (draft.unreadItems.has(node.id)) throw new OutputsUnread([node.id]);
  const rendered = draft.evaluator.renderEach(node.input ?? {}, context, list);
  const items = rendered.map((each, index) => newItem(draft, node, each, index));
  const { error } = items.find((item) => item.error) ?? { error: null };
  // Nothing has been called yet, so nothing has to be.
  if (error && !continuesOnError(node)) throw new StepRejected(error);
  const opened = { items: items.map(plannedItem), outputs: reusedOutputs(draft, node, items) };
  if (opened.outputs === 'unknown' && opened.items.every(({ status }) => isStepSettled(status)))
    throw new OutputsUnread([node.id]);
  record(
    draft,
    { type: 'list', node, items, outputs: opened.outputs },
    { status: 'pending', output: null, error: null },
  );
  draft.lists.set(node.id, opened);
}

/**
 * What is known of the outputs of items that are taken over: they are read only when the list ends as it begins, and only
 * when they fit. Those of all that could be are counted, because they would be read together.
 */
function reusedOutputs(
  { reusableItems, maxOutputBytes }: Draft,
  { id }: CallNode,
  items: readonly NewItem[],
): PlannedList['outputs'] {
  if (!items.some(({ reused }) => reused)) return 'known';
  let unreadBytes = 0;
  for (const item of reusableItems.get(id)?.values() ?? []) unreadBytes += item.unreadBytes ?? 0;
  if (unreadBytes === 0) return 'known';
  return unreadBytes <= maxOutputBytes ? 'unknown' : 'too_large';
}

/** The action fails before it has begun. */
export class StepRejected extends Error {
  readonly failure: Failure;

  constructor(...how: [Failure] | [code: string, message: string]) {
    const reason = how.length === 1 ? how[0] : failure(...how);
    super(reason.message);
    this.failure = reason;
  }
}

function newItem(draft: Draft, node: CallNode, rendered: Rendered, index: number): NewItem {
  if (!rendered.ok) return failedItem(engineFailureCodes.expressionFailed, messageOf(rendered.error), index);
  const check = toJsonValue(rendered.value, draft.maxInputBytes);
  if (!check.ok)
    return failedItem(engineFailureCodes.inputTooLarge, `The input of item ${index} has ${check.message}.`, index);
  const earlier = draft.reusableItems.get(node.id)?.get(index);
  const same = earlier !== undefined && isDeepStrictEqual(earlier.input, check.value);
  return { input: check.value, error: null, reused: same ? earlier : null };
}

function failedItem(code: string, message: string, index: number): NewItem {
  return { input: null, error: { ...failure(code, message), details: { iteration: index } }, reused: null };
}

function plannedItem({ error, reused }: NewItem): PlannedItem {
  if (reused) return { status: 'success', output: reused.output, error: null, queued: false };
  return { status: error ? 'error' : 'pending', output: null, error, queued: error === null };
}

/** Gives their turn to as many items as there is room for. */
export function takeTurns(draft: Draft, node: CallNode, list: PlannedList): void {
  const iterations = indexesOf(list, ({ queued }) => queued).slice(0, freeCalls(draft));
  if (iterations.length === 0) return;
  draft.decisions.push({ type: 'take', node, iterations });
  draft.active += iterations.length;
  changeItems(draft, node, iterations, (item) => ({ ...item, queued: false }));
}

/** Settles the list when the last of its items is. */
export function collectList(draft: Draft, node: CallNode, closing: SkipReason | null): void {
  const list = draft.lists.get(node.id);
  if (!list?.items.every(({ status }) => isStepSettled(status))) return;
  const result = resultOf(draft, node, list, closing);
  draft.lists.delete(node.id);
  record(draft, { type: 'collect', node, ...result }, result);
}

type ListResult = {
  readonly status: 'success' | 'error' | 'cancelled';
  readonly output: unknown;
  readonly error: Failure | null;
  readonly reason: SkipReason | null;
};

function resultOf(draft: Draft, node: CallNode, list: PlannedList, closing: SkipReason | null): ListResult {
  const failed = list.items.find(({ status }) => status === 'error');
  if (failed && !continuesOnError(node)) return { status: 'error', output: null, error: failed.error, reason: null };
  if (list.items.some(({ status }) => status === 'cancelled'))
    return { status: 'cancelled', output: null, error: null, reason: closing ?? 'run_cancelled' };
  if (list.outputs === 'unknown') throw new Error(`The outputs of "${node.id}" were not loaded.`);
  const outputs = list.items.map(({ status, output }) => (status === 'success' ? output : null));
  const check = list.outputs === 'known' ? toJsonValue(outputs, draft.maxOutputBytes) : tooLarge(draft);
  if (check.ok) return { status: 'success', output: check.value, error: null, reason: null };
  const message = `The outputs of all items together cannot be stored: ${check.message}.`;
  return { status: 'error', output: null, error: failure(engineFailureCodes.outputTooLarge, message), reason: null };
}

function tooLarge({ maxOutputBytes }: Draft): { readonly ok: false; readonly message: string } {
  return { ok: false, message: `more than ${maxOutputBytes} bytes` };
}

/** Gives up the items that have not begun. */
export function dropItems(draft: Draft, node: CallNode, list: PlannedList, reason: SkipReason): void {
  const iterations = indexesOf(list, ({ status }) => status === 'pending');
  if (iterations.length === 0) return;
  draft.decisions.push({ type: 'drop', node, iterations, reason });
  changeItems(draft, node, iterations, (item) => ({ ...item, status: 'cancelled', queued: false }));
}

function indexesOf({ items }: PlannedList, fits: (item: PlannedItem) => boolean): number[] {
  return items.flatMap((item, index) => (fits(item) ? [index] : []));
}

function changeItems(
  draft: Draft,
  node: CallNode,
  iterations: readonly number[],
  change: (item: PlannedItem) => PlannedItem,
): void {
  const list = draft.lists.get(node.id);
  if (!list) return;
  const chosen = new Set(iterations);
  const items = list.items.map((item, index) => (chosen.has(index) ? change(item) : item));
  draft.lists.set(node.id, { ...list, items });
}
