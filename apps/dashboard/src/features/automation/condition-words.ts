import { t } from '../../language/translate.ts';

/** Conditions as people say them. What is more than a row of comparisons stays an expression. */

const path = String.raw`(?:case|group|event)(?:\.[A-Za-z_]\w*|\["[^"\\]*"\])+`;
const literal = String.raw`(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?|true|false)`;

const comparison = new RegExp(`^(${path})\\s*(==|!=|>=|<=|>|<)\\s*(${literal})$`);
const membership = new RegExp(`^(!?)\\(?(${path})\\s+in\\s+\\[\\s*(${literal}(?:\\s*,\\s*${literal})*)\\s*\\]\\)?$`);
const call = new RegExp(`^(!?)(${path})\\.(contains|startsWith|endsWith)\\(\\s*(${literal})\\s*\\)$`);
const presence = new RegExp(`^(!?)has\\(\\s*(${path})\\s*\\)$`);

type Compared = { name: string; value: string };

const operators: Readonly<Record<string, (of: Compared) => string>> = {
  '==': (of) => t('{name} is {value}', of),
  '!=': (of) => t('{name} is not {value}', of),
  '>': (of) => t('{name} is more than {value}', of),
  '>=': (of) => t('{name} is at least {value}', of),
  '<': (of) => t('{name} is less than {value}', of),
  '<=': (of) => t('{name} is at most {value}', of),
  contains: (of) => t('{name} contains {value}', of),
  '!contains': (of) => t('{name} does not contain {value}', of),
  startsWith: (of) => t('{name} starts with {value}', of),
  '!startsWith': (of) => t('{name} does not start with {value}', of),
  endsWith: (of) => t('{name} ends with {value}', of),
  '!endsWith': (of) => t('{name} does not end with {value}', of),
};

/** `case.severity == 'high' && has(event.user)` as "severity is high, and user is there"; undefined where it is more. */
export function conditionWords(expression: string): string | undefined {
  const parts = splitAnd(expression).map((part) => wordsOf(part.trim()));
  if (!parts.every((part) => part !== undefined)) return undefined;
  return parts.reduce((first, next) => t('{first}, and {next}', { first, next }));
}

function wordsOf(part: string): string | undefined {
  const compared = comparison.exec(part);
  if (compared) return operators[compared[2] ?? '']?.({ name: nameOf(compared[1]), value: literalWords(compared[3]) });
  const member = membership.exec(part);
  if (member) {
    const values = [...(member[3] ?? '').matchAll(new RegExp(literal, 'g'))].map(([value]) => literalWords(value));
    const named = { name: nameOf(member[2]), values: values.join(', ') };
    return member[1] === '!' ? t('{name} is none of {values}', named) : t('{name} is one of {values}', named);
  }
  const called = call.exec(part);
  if (called)
    return operators[`${called[1]}${called[3]}`]?.({ name: nameOf(called[2]), value: literalWords(called[4]) });
  const present = presence.exec(part);
  if (!present) return undefined;
  const name = nameOf(present[2]);
  return present[1] === '!' ? t('{name} is missing', { name }) : t('{name} is there', { name });
}

const ofRoot: Readonly<Record<string, (name: string) => string>> = {
  case: (name) => t('{name} of the case', { name }),
  group: (name) => t('{name} of the group', { name }),
  event: (name) => t('{name} of the first event', { name }),
};

/** `event.fields.port` → "port of the first event". */
function nameOf(text = ''): string {
  const [root = '', ...rest] = text.replaceAll(/\["([^"]*)"\]/g, '.$1').split('.');
  const names = rest[0] === 'fields' && rest.length > 1 ? rest.slice(1) : rest;
  return ofRoot[root]?.(names.join('.')) ?? text;
}

function literalWords(text = ''): string {
  return /^["']/.test(text) ? `“${text.slice(1, -1)}”` : text;
}

/** At every `&&` outside strings and brackets. */
function splitAnd(expression: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < expression.length; at += 1) {
    const char = expression[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at += 1;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (depth === 0 && expression.startsWith('&&', at)) {
      parts.push(expression.slice(from, at));
      from = at + 2;
      at += 1;
    }
  }
  return [...parts, expression.slice(from)];
}
