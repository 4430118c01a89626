import type { Expressions } from '@airdeck/expression';
import { createCompiler } from '@airdeck/expression/cel-program';
import { createCostMeter } from '@airdeck/expression/cost-meter';
import { defaultLimits } from '@airdeck/expression/limits';
import { splitTemplate } from '@airdeck/expression/template';
import type { HttpActionSpec } from './http-action.ts';
import { pathSegments } from './http-action-request.ts';
import { isHeaderName, isSettableHeader } from './settable-header.ts';

/** What of the path is literal: unreserved characters, sub-delimiters and escapes of RFC 3986, no dot segment. */
const PATH_TEXT = /^(?:[\w.~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+$/;

const requestNames = ['input', 'config', 'idempotency_key', 'now'];
const answerNames = [...requestNames, 'status', 'headers', 'body', 'text'];

/** Everything that is wrong with an action made of data, as `where: what`. Empty when it is good. */
export function httpActionProblems(spec: HttpActionSpec, expressions: Expressions): string[] {
  const { request, paging, failure } = spec;
  const outputNames = paging === undefined ? answerNames : [...answerNames, 'items', 'is_cut'];
  const templates: [string, unknown, readonly string[]][] = [
    ['request.path', request.path, requestNames],
    ['request.query', request.query, requestNames],
    ['request.headers', request.headers, requestNames],
    ['request.json', request.json, requestNames],
    ['request.form', request.form, requestNames],
    ['request.text', request.text, requestNames],
    ['failure.detail', failure?.detail, outputNames],
    ['failure.status', failure?.status, outputNames],
    ['paging.items', paging?.items, answerNames],
    ['paging.next', paging?.next, answerNames],
    ['output', spec.output, outputNames],
  ];
  const conditions: [string, string, readonly string[]][] = [
    ...(spec.requires ?? []).map(({ condition }, index): [string, string, readonly string[]] => [
      `requires.${index}`,
      condition,
      requestNames,
    ]),
    ...(failure === undefined ? [] : [['failure.when', failure.when, outputNames] as [string, string, string[]]]),
  ];
  return [
    ...requestProblems(spec),
    ...templates.flatMap(([where, value, names]) => templateProblems(expressions, { where, value, names })),
    ...conditions.flatMap(([where, text, names]) => conditionProblems(expressions, { where, text, names })),
  ];
}

function requestProblems({ request, effect, success, input_schema }: HttpActionSpec): string[] {
  const problems: string[] = [];
  if (!request.path.startsWith('/')) problems.push('request.path: must begin with /');
  const segments = pathSegments(request.path);
  const texts = segments.map((parts) => parts.filter(({ kind }) => kind === 'text').map(({ text }) => text));
  if (texts.flat().some((text) => !PATH_TEXT.test(text))) problems.push('request.path: holds what must be encoded');
  const literal = segments.filter((parts) => parts.every(({ kind }) => kind === 'text'));
  if (literal.some((parts) => /^(?:\.|%2e){1,2}$/i.test(parts.map(({ text }) => text).join('')))) {
    problems.push('request.path: has a dot segment');
  }
  for (const name of Object.keys(request.headers ?? {})) {
    if (!isHeaderName(name)) problems.push(`request.headers: "${name}" is not a name of a header`);
    else if (!isSettableHeader(name)) problems.push(`request.headers: "${name}" is not an action's to set`);
  }
  const bodies = [request.json_inputs ?? request.json, request.form, request.text].filter((body) => body !== undefined);
  if (bodies.length > 1) problems.push('request: at most one of json, json_inputs, form and text');
  for (const name of [request.json_inputs ?? []].flat()) {
    if (!Object.hasOwn(input_schema.properties ?? {}, name)) {
      problems.push(`request.json_inputs: there is no input "${name}"`);
    }
  }
  const method = request.method ?? 'GET';
  if (bodies.length > 0 && method === 'GET') problems.push('request: a GET has no body');
  if (method !== 'GET' && method !== 'POST' && effect === 'reads')
    problems.push(`request: ${method} does not only read`);
  if (success?.length === 0) problems.push('success: names no status');
  return problems;
}

function templateProblems(
  expressions: Expressions,
  { where, value, names }: { where: string; value: unknown; names: readonly string[] },
): string[] {
  if (value === undefined) return [];
  const problems = expressions
    .checkTemplates(value)
    .map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`);
  if (problems.length > 0) return problems;
  return textsOf(value).flatMap((text) =>
    splitTemplate(text).flatMap((part) => (part.kind === 'text' ? [] : unknownNames(where, part.text, names))),
  );
}

function conditionProblems(
  expressions: Expressions,
  { where, text, names }: { where: string; text: string; names: readonly string[] },
): string[] {
  const problem = expressions.check(text);
  return problem === null ? unknownNames(where, text, names) : [`${where}: ${problem.message}`];
}

const compile = createCompiler(defaultLimits, createCostMeter(defaultLimits));

/** A misspelt variable compiles well and fails at three in the morning. Names bound by a macro are its own. */
function unknownNames(where: string, text: string, names: readonly string[]): string[] {
  const bound = [...text.matchAll(/\.(?:all|exists|exists_one|map|filter)\(\s*([A-Za-z_]\w*)\s*,/g)].map(
    ([, name]) => name,
  );
  return [...compile(text).names]
    .filter((name) => !names.includes(name) && !bound.includes(name))
    .map((name) => `${where}: there is no "${name}" here`);
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
