/**
 * Verbs end the ids of actions, which playbooks and automations name. An operation keeps the verb it was given, however often
 * the integration is imported, and no other operation gets it: what runs under an id must not become something else because
 * an operation beside it is new, or was left out.
 */
import { textAt } from './openapi-document.ts';
import type { Operation } from './openapi-operations.ts';

export type GivenVerb = { readonly operation: string; readonly verb: string };

const VERB_MAX = 56;

/**
 * Verbs of the chosen operations, by their keys.
 *
 * @param all the operations of the document
 * @param given by the imports before, the newest first
 */
export function verbsOf(
  chosen: readonly Operation[],
  all: readonly Operation[],
  given: readonly GivenVerb[],
): ReadonlyMap<string, string> {
  const owners = new Map<string, string>();
  const kept = new Map<string, string>();
  for (const { operation, verb } of given) {
    if (owners.has(verb)) continue;
    owners.set(verb, operation);
    if (!kept.has(operation)) kept.set(operation, verb);
  }
  const present = new Set(all.map(({ key }) => key));
  const verbs = new Map<string, string>();
  for (const operation of chosen) {
    const verb = kept.get(operation.key) ?? newVerb(operation, { owners, present });
    owners.set(verb, operation.key);
    verbs.set(operation.key, verb);
  }
  return verbs;
}

type Taken = { owners: ReadonlyMap<string, string>; present: ReadonlySet<string> };

function newVerb({ node, key, method }: Operation, { owners, present }: Taken): string {
  const id = textAt(node, 'operationId', 200);
  const whole = slugOf(id || key);
  const former = owners.get(whole);
  // The standard makes the id of an operation its name: with it, it may have moved to another path.
  const hasMoved = id !== '' && former?.startsWith(`${method} `) === true && !present.has(former);
  if (hasMoved && whole.length <= VERB_MAX) return whole;
  const trimmed = whole.slice(0, VERB_MAX).replace(/_+$/, '') || 'call';
  let verb = trimmed;
  for (let count = 2; owners.has(verb); count += 1) verb = `${trimmed}_${count}`;
  return verb;
}

function slugOf(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '');
}
