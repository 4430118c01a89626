/** Conditions as people say them. What is more than a row of comparisons stays an expression. */

const path = String.raw`(?:case|group|event)(?:\.[A-Za-z_]\w*|\["[^"\\]*"\])+`;
const literal = String.raw`(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?|true|false)`;

const comparison = new RegExp(`^(${path})\\s*(==|!=|>=|<=|>|<)\\s*(${literal})$`);
const membership = new RegExp(`^(!?)\\(?(${path})\\s+in\\s+\\[\\s*(${literal}(?:\\s*,\\s*${literal})*)\\s*\\]\\)?$`);
const call = new RegExp(`^(!?)(${path})\\.(contains|startsWith|endsWith)\\(\\s*(${literal})\\s*\\)$`);
const presence = new RegExp(`^(!?)has\\(\\s*(${path})\\s*\\)$`);

const operators: Readonly<Record<string, string>> = {
  '==': 'is',
  '!=': 'is not',
  '>': 'is more than',
  '>=': 'is at least',
  '<': 'is less than',
  '<=': 'is at most',
};

const calls: Readonly<Record<string, readonly [string, string]>> = {
  contains: ['contains', 'does not contain'],
  startsWith: ['starts with', 'does not start with'],
  endsWith: ['ends with', 'does not end with'],
};

/** `case.severity == 'high' && has(event.user)` as "severity is high, and user is there"; undefined where it is more. */
export function conditionWords(expression: string): string | undefined {
  const parts = splitAnd(expression).map((part) => wordsOf(part.trim()));
  return parts.every((part) => part !== undefined) ? parts.join(', and ') : undefined;
}

function wordsOf(part: string): string | undefined {
  const compared = comparison.exec(part);
  if (compared) return `${nameOf(compared[1])} ${operators[compared[2] ?? '']} ${literalWords(compared[3])}`;
  const member = membership.exec(part);
  if (member) {
    const values = [...(member[3] ?? '').matchAll(new RegExp(literal, 'g'))].map(([value]) => literalWords(value));
    return `${nameOf(member[2])} is ${member[1] === '!' ? 'none of' : 'one of'} ${values.join(', ')}`;
  }
  const called = call.exec(part);
  if (called)
    return `${nameOf(called[2])} ${calls[called[3] ?? '']?.[called[1] === '!' ? 1 : 0]} ${literalWords(called[4])}`;
  const present = presence.exec(part);
  if (present) return `${nameOf(present[2])} is ${present[1] === '!' ? 'missing' : 'there'}`;
  return undefined;
}

const ofRoot: Readonly<Record<string, string>> = { case: 'the case', group: 'the group', event: 'the first event' };

/** `event.fields.port` → "port of the first event". */
function nameOf(text = ''): string {
  const [root = '', ...rest] = text.replaceAll(/\["([^"]*)"\]/g, '.$1').split('.');
  const names = rest[0] === 'fields' && rest.length > 1 ? rest.slice(1) : rest;
  return `${names.join('.')} of ${ofRoot[root] ?? root}`;
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
