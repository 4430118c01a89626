/**
 * Ajv makes a function of a schema. Schemas are written by people, so the source of that function is read once more before
 * it becomes one, without trusting the library: outside of string literals it may hold nothing but the words Ajv has itself,
 * and names of properties where they are read. What is anything else is refused, and with it the schema. That Ajv puts texts
 * into literals is its own escaping; this finds it when that fails, as in the comment it would make of an `$id`.
 */

/** Keywords, the few globals, parameters and keys of the objects that are made. None is taken from a schema. */
const words: ReadonlySet<string> = new Set([
  ...[
    'break',
    'const',
    'continue',
    'else',
    'false',
    'for',
    'function',
    'if',
    'in',
    'let',
    'null',
    'of',
    'return',
    'true',
    'typeof',
  ],
  ...['undefined', 'var', 'Array', 'Object', 'isNaN', 'isFinite', 'parseInt', 'Set', 'new'],
  ...['instancePath', 'parentData', 'parentDataProperty', 'rootData', 'dynamicAnchors', 'scope', 'vErrors', 'errors'],
  ...['schemaPath', 'keyword', 'params', 'message', 'allowedValue', 'allowedValues', 'comparison', 'depsCount', 'deps'],
  ...['failingKeyword', 'limit', 'maxContains', 'minContains', 'missingProperty', 'additionalProperty', 'multipleOf'],
  ...['passingSchemas', 'pattern', 'property', 'propertyName', 'type', 'unevaluatedProperty', 'i', 'j', 'e', 'format'],
]);
/** The same with the number Ajv counts its variables by. */
const numbered =
  /^_?(?:count|data|dataType|coerced|err|errs|evaluated|func|i|ifClause|indices|item|items|j|key|len|missing|outer|passing|pattern|prop|props|res|schema|v|valid|validate|vSchema|wrapper|tuple|root|property|deps)\d*$/;
/** What may be called on something. */
const methods: ReadonlySet<string> = new Set([
  'assign',
  'call',
  'concat',
  'isArray',
  'keys',
  'push',
  'replace',
  'test',
]);

const STRING = /"[^"\\\n\r\u2028\u2029]*(?:\\[^\n\r\u2028\u2029][^"\\\n\r\u2028\u2029]*)*"/y;
const NUMBER = /\d+(?:\.\d+)?(?:e[+-]?\d+)?(?![\w$])/y;
const MEMBER = /\.([A-Za-z_$][\w$]*)/y;
const WORD = /[A-Za-z_$][\w$]*/y;
/** The two expressions that escape the pointer to a value; every other slash is a division. */
const POINTER = /\/(?:~|\\\/)\/g(?![\w$])/y;
const MARK = /[\s{}()[\];,=<>!&|?:+\-%*/]/y;
/** A comment would hide what follows it. */
const COMMENT = /\/[/*]/y;

/** The code itself where it is Ajv's own. Throws otherwise, without saying what was found. */
export function requireOwnWords(code: string): string {
  let at = 0;
  const take = (form: RegExp): RegExpExecArray | undefined => {
    form.lastIndex = at;
    const found = form.exec(code) ?? undefined;
    if (found !== undefined) at = form.lastIndex;
    return found;
  };
  while (at < code.length) {
    if (take(STRING) || take(NUMBER) || take(POINTER)) continue;
    const [, member] = take(MEMBER) ?? [];
    if (member !== undefined) {
      if (code[at] === '(' && !methods.has(member)) throw foreign();
      continue;
    }
    const [word] = take(WORD) ?? [];
    if (word !== undefined) {
      if (!words.has(word) && !numbered.test(word)) throw foreign();
      continue;
    }
    if (take(COMMENT) || !take(MARK)) throw foreign();
  }
  return code;
}

function foreign(): Error {
  return new Error('the schema would become code that is not the checker’s own');
}
