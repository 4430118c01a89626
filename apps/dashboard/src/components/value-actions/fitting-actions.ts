import type { ActionDefinition } from '@airdeck/contracts/actions/schema';
import { type FormField, formFields } from '../schema-form/form-schema.ts';
import { schemaProblems } from '../schema-form/schema-problems.ts';
import { kindsOfValue, type ValueKind } from './value-kind.ts';

/** An action that takes a value, and the name of the input it goes into. */
export type FittingAction = { readonly action: ActionDefinition; readonly input: string };

/** Inputs by their names, whatever vendor they belong to; those of no kind take no value of an event. */
const inputNames: Readonly<Record<ValueKind, RegExp>> = {
  ip: /^(?:ip|ip_?address|address|src_?ip|dst_?ip)$/,
  host: /^(?:host|host_?name|computer|device|machine|endpoint)$/,
  user: /^(?:user|user_?name|user_principal_name|account|login)$/,
  email: /^(?:email|e_?mail|email_address|mail)$/,
  hash: /^(?:hash|md5|sha1|sha256|file_hash)$/,
  url: /^(?:url|uri|link)$/,
  domain: /^(?:domain|domain_?name|fqdn)$/,
};
/** What an input that takes several kinds calls itself in its title; under `…_id` it is the vendor's number of one. */
const INDICATOR = 'indicator';
const indicatorKinds: ReadonlySet<ValueKind> = new Set(['ip', 'hash', 'domain']);
const textKinds: ReadonlySet<FormField['kind']> = new Set(['text', 'long-text', 'ip']);

/**
 * Actions the value of a field can be the object of, in the order they were given. Only what an action is about counts,
 * which is what its schema asks for first: a ticket that also takes an address of its reporter is not for it.
 */
export function fittingActions(
  actions: readonly ActionDefinition[],
  { field, value }: { field: string; value: string },
): FittingAction[] {
  const kinds = kindsOfValue(field, value);
  if (kinds.length === 0) return [];
  return actions.flatMap((action) => {
    const object = objectOf(action);
    if (object === undefined || !kinds.some((kind) => takes(object, kind))) return [];
    // A form that would refuse the value is not offered: an IPv6 address where only IPv4 is taken.
    const refused = schemaProblems(action.input_schema, { [object.name]: value }).some(
      ({ path }) => path === object.name,
    );
    return refused ? [] : [{ action, input: object.name }];
  });
}

function objectOf({ input_schema }: ActionDefinition): FormField | undefined {
  const fields = formFields(input_schema);
  const object = fields.find(({ required }) => required) ?? fields[0];
  return object !== undefined && textKinds.has(object.kind) ? object : undefined;
}

function takes({ name, label }: FormField, kind: ValueKind): boolean {
  const isIndicator = label.toLowerCase() === INDICATOR && !name.endsWith('_id');
  return inputNames[kind].test(name) || (isIndicator && indicatorKinds.has(kind));
}
