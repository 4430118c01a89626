import type { JsonObject } from '@airdeck/contracts/fields';
import { isJsonObject } from '@airdeck/contracts/json-object';
import type { Expressions } from '@airdeck/expression';
import { splitTemplate } from '@airdeck/expression/template';
import type { HttpActionSpec } from './http-action.ts';
import { segment } from './vendor-address.ts';
import type { VendorCall } from './vendor-client.ts';
import { VendorError } from './vendor-error.ts';

/** Values are templates; names and everything outside `{{ … }}` go out as they stand. Null leaves its field out. */
export type HttpRequestTemplate = {
  readonly method?: NonNullable<VendorCall['method']>;
  /** `/users/{{ input.user }}/groups`: an expression gives text or a number inside one segment. */
  readonly path: string;
  /** A list gives the field once for each of its values. */
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** At most one of the four. Members of `json` whose template gives null are left out. */
  readonly json?: unknown;
  /**
   * JSON of inputs just as they were given: a null stays, and what was not given is left out whatever its default. A list
   * makes an object of those inputs, a name sends that input alone. For services to which null and nothing differ. A `json`
   * beside it is not looked at.
   */
  readonly json_inputs?: readonly string[] | string;
  readonly form?: Readonly<Record<string, string>>;
  readonly text?: string;
  /** What a good answer is; `text` makes it the variable `text` of the output. Default `json`. */
  readonly answers?: 'json' | 'text';
};

type PathPart = { readonly kind: 'text' | 'expression'; readonly text: string };

/** A function from variables and the input as it was given to the call; throws `ExpressionError` or `VENDOR_REJECTED`. */
export function createRequestBuilder(
  spec: HttpActionSpec,
  expressions: Expressions,
): (variables: JsonObject, given: JsonObject) => VendorCall {
  const { request } = spec;
  const segments = pathSegments(request.path);

  return (variables, given) => {
    const valueFor = (template: string) => expressions.render(template, variables);
    const json =
      request.json_inputs !== undefined || request.json === undefined
        ? givenJson(request.json_inputs, given)
        : withoutNulls(request.json, expressions.render(request.json, variables));
    return {
      method: request.method ?? 'GET',
      path: `/${segments.map((parts) => pathSegment(parts, valueFor)).join('/')}`,
      ...(request.query === undefined ? {} : { query: mapped(request.query, valueFor, queryValue) }),
      ...(request.headers === undefined ? {} : { headers: mapped(request.headers, valueFor, textOf) }),
      ...(json === undefined ? {} : { json }),
      ...(request.form === undefined ? {} : { form: mapped(request.form, valueFor, textOf) }),
      ...(request.text === undefined ? {} : { text: textOf(valueFor(request.text)) ?? '' }),
      ...(request.answers === undefined ? {} : { answers: request.answers }),
      reads: spec.effect === 'reads',
      idempotent: spec.idempotent,
      accept: (spec.success ?? []).filter((status) => status >= 400),
    };
  };
}

/** The template's path, taken apart at the slashes outside expressions. A path that does not split has no segments. */
export function pathSegments(path: string): PathPart[][] {
  const segments: PathPart[][] = [[]];
  for (const part of partsOf(path.replace(/^\//, ''))) {
    if (part.kind === 'expression') {
      segments.at(-1)?.push({ kind: 'expression', text: `{{${part.text}}}` });
      continue;
    }
    for (const [index, text] of part.text.split('/').entries()) {
      if (index > 0) segments.push([]);
      if (text !== '') segments.at(-1)?.push({ kind: 'text', text });
    }
  }
  return segments;
}

function partsOf(path: string): readonly PathPart[] {
  try {
    return splitTemplate(path);
  } catch {
    // Reported by the check of the whole action, in better words.
    return [];
  }
}

function pathSegment(parts: readonly PathPart[], valueFor: (template: string) => unknown): string {
  const written = parts.map(({ kind, text }) => {
    if (kind === 'text') return text;
    const value = textOf(valueFor(text));
    if (value === undefined || value === '')
      throw new VendorError('VENDOR_REJECTED', 'A part of the address is empty.');
    // Beside literal text dots are harmless, alone they are not: `segment` refuses them then.
    return parts.length === 1 ? segment(value) : segment(`x${value}`).slice(1);
  });
  const whole = written.join('');
  if (whole === '.' || whole === '..')
    throw new VendorError('VENDOR_REJECTED', 'A part of the address cannot be used.');
  return whole;
}

function mapped<T>(
  templates: Readonly<Record<string, string>>,
  valueFor: (template: string) => unknown,
  convert: (value: unknown) => T | undefined,
): Record<string, T> {
  const entries = Object.entries(templates).flatMap(([name, template]): [string, T][] => {
    const value = convert(valueFor(template));
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function queryValue(value: unknown): string | readonly string[] | undefined {
  return Array.isArray(value) ? value.map((one) => textOf(one) ?? '') : textOf(value);
}

function textOf(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'object')
    throw new VendorError('VENDOR_REJECTED', 'A list or object cannot stand in this place.');
  return String(value);
}

function givenJson(inputs: HttpRequestTemplate['json_inputs'], given: JsonObject): unknown {
  if (inputs === undefined) return undefined;
  if (typeof inputs === 'string') return Object.hasOwn(given, inputs) ? given[inputs] : undefined;
  return Object.fromEntries(inputs.filter((name) => Object.hasOwn(given, name)).map((name) => [name, given[name]]));
}

/** Leaves out what a template made null; a null inside data that an expression gave is data and stays. */
function withoutNulls(template: unknown, value: unknown): unknown {
  if (Array.isArray(template) && Array.isArray(value)) {
    return value.map((item, index) => withoutNulls(template[index], item));
  }
  if (!isJsonObject(template) || !isJsonObject(value)) return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    if (item === null && typeof template[name] === 'string') return [];
    return [[name, withoutNulls(template[name], item)]];
  });
  return Object.fromEntries(entries);
}
