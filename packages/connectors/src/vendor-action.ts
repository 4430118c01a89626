import type { ActionContext, ActionDefinition, ConnectorDefinition } from '@airdeck/connector-kit/definition';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import type { JsonObject } from '@airdeck/contracts/fields';

export type ActionParts = Pick<
  ActionDefinition,
  'friendly_name' | 'description' | 'effect' | 'idempotent' | 'inputProblems' | 'run'
> & {
  /** The part of the action's id after the dot. */
  readonly verb: string;
  /** Properties of the input; nothing else is taken. */
  readonly input: JsonObject;
  readonly required?: readonly string[];
  /** Properties of the output. All of them are always there; what a vendor may leave out is nullable. */
  readonly output: JsonObject;
  /** Default 30. */
  readonly timeout_s?: number;
};

type Owner = Pick<ConnectorDefinition, 'definition_id' | 'vendor' | 'product'>;

/** The actions of one vendor differ in what `ActionParts` says; the rest follows from the definition they belong to. */
export function actionFactory(owner: Owner): (parts: ActionParts) => ActionDefinition {
  return ({ verb, input, required = [], output, timeout_s = 30, ...parts }) => ({
    action_id: `${owner.definition_id}.${verb}`,
    definition_id: owner.definition_id,
    vendor: owner.vendor,
    product: owner.product,
    input_schema: { type: 'object', required: [...required], additionalProperties: false, properties: input },
    output_schema: { type: 'object', required: Object.keys(output), properties: output },
    requires_connector: true,
    timeout_s,
    ...parts,
  });
}

export type TextRule = {
  readonly max: number;
  readonly pattern?: RegExp;
  /** Said when the pattern does not fit: `such as SEC-24`. */
  readonly like?: string;
};

/**
 * A text of an action's input, checked where it is used: schemas are checked by the caller, but a value that reaches an
 * address, a query or a header is never taken on trust. Throws `VENDOR_REJECTED`; nothing has been sent then.
 */
export function inputText({ input }: Pick<ActionContext, 'input'>, field: string, rule: TextRule): string {
  const value = optionalText({ input }, field, rule);
  if (value !== undefined) return value;
  throw new VendorError('VENDOR_REJECTED', `"${field}" is missing.`);
}

/** Undefined when it is not given or empty. */
export function optionalText(
  { input }: Pick<ActionContext, 'input'>,
  field: string,
  { max, pattern, like }: TextRule,
): string | undefined {
  const value = input[field];
  if (value === undefined || value === null || value === '') return undefined;
  const hint = like === undefined ? '' : `, ${like}`;
  const fits =
    typeof value === 'string' && value.length <= max && !/\p{Surrogate}/u.test(value) && pattern?.test(value) !== false;
  if (fits) return value;
  throw new VendorError('VENDOR_REJECTED', `"${field}" is not usable${hint} (at most ${max} characters).`);
}

/** A whole number of the input within its bounds, or the fallback. */
export function inputCount(
  { input }: Pick<ActionContext, 'input'>,
  field: string,
  { fallback, max, min = 1 }: { fallback: number; max: number; min?: number },
): number {
  const value = input[field];
  if (typeof value !== 'number' || !Number.isFinite(value)) return fallback;
  return Math.min(Math.max(Math.trunc(value), min), max);
}

/** The schema of how many entries a list should bring. */
export function limitSchema(fallback: number, max: number): JsonObject {
  return { type: 'integer', title: 'At most', minimum: 1, maximum: max, default: fallback };
}
