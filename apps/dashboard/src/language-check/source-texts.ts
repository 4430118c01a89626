import { parseSync } from 'vite';

/** A text the source shows through the catalogue; `atLoad` where it does so as soon as its file is loaded. */
export type UsedText = { readonly text: string; readonly by: 't' | 'tx' | 'plural'; readonly atLoad: boolean };

export type SourceTexts = {
  readonly used: readonly UsedText[];
  /** Shown without the catalogue. */
  readonly bare: readonly { readonly text: string; readonly line: number; readonly start: number }[];
  /** Calls whose text is not written out. */
  readonly notLiteral: readonly { readonly line: number }[];
};

/** A node of a parsed source. */
export type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** What takes texts to show, as an attribute of an element or a property of an object. */
const textNames = new Set(
  (
    'label title placeholder description alt message text purpose section advice what hint heading caption subtitle ' +
    'header back actionLabel closeLabel emptyText nothingFoundMessage reason help summary confirmLabel words word empty ' +
    'aria-label aria-description aria-roledescription ariaLabel'
  ).split(' '),
);
/** Functions that show their first argument. */
const showing = new Set(['showDone', 'useDocumentTitle']);
const translating = new Set(['t', 'tx', 'plural']);
/** Names whose values are never read by people. */
const codeNames =
  /^(className|classNames|style|styles|key|id|to|href|from|type|autoComplete|rel|d|viewBox|transform|data-.*|aria-(controls|labelledby|describedby|live|current|haspopup)|accept|pattern|sizes|rootMargin|gridTemplate.*|transition|font.*|background|border.*|boxShadow|inset|padding|margin|cols|spec|template.*|points|mask|fields|queryKey|params|pathname|role|verb)$/;
const letters = /\p{L}{2}/u;
/** At least two words of which the first could begin a sentence or a label. */
const sentence = /^[\p{L}“‘(][\p{L}’'-]*[,:.]?\s+\S*\p{L}/u;

/** A template that begins with what is filled in: `{} days`, `“{}” is taken`. */
const gapFirst = /^\W*\{\}[^{}"]*[\s,]\p{L}{2}[^"]*$|\s\{\}$|^\p{Lu}\p{Ll}+\s\{\}/u;
/** A word as labels begin, alone or before others. */
const label = /^\p{Lu}[\p{Ll}-]+[….:]?(\s\S+)*$/u;
/** A word between others, or in place of one: `and`, ` or `, `(none)`. */
const joining = /^\s*(and|or)\s*$|^\(\p{L}[\p{L} ]*\)$/u;
/** Names that are the same in every language, and values that only look like labels. */
const names = new Set(
  'Admin Analyst ReadOnly SystemManager IdentityError AuthenticatorMissing Authorization'.split(' '),
);
/** Selectors, media queries, commands and headers read like a list of words. */
const selector = /\[\w+[=\]]|^\(\w+-|(^|\s)--?\w|^[a-z-]+: /;

/** Finds the texts of a source file of the dashboard. */
export function textsOf(path: string, source: string): SourceTexts {
  const used: UsedText[] = [];
  const bare: { text: string; line: number; start: number }[] = [];
  const notLiteral: { line: number }[] = [];
  const lineOf = (node: Node) => source.slice(0, node.start).split('\n').length;
  const note = (node: Node, text: string) => bare.push({ text, line: lineOf(node), start: node.start });

  const visit = (node: Node, parents: readonly Node[]): void => {
    const called = calledName(node);
    if (called !== undefined && translating.has(called)) {
      const [first, second, third] = argumentsOf(node);
      const texts = called === 'plural' ? [second, third] : [first];
      for (const each of texts) {
        const text = each === undefined ? undefined : literalText(each);
        if (text === undefined) notLiteral.push({ line: lineOf(node) });
        else used.push({ text, by: called as UsedText['by'], atLoad: !parents.some(isFunction) });
      }
      for (const each of argumentsOf(node)) if (!texts.includes(each)) visit(each, [...parents, node]);
      return;
    }
    const shown = shownText(node);
    if (shown !== undefined && isText(shown, node, parents)) note(node, shown);
    for (const child of childrenOf(node)) visit(child, [...parents, node]);
  };
  visit(parseSync(path, source).program as unknown as Node, []);
  return { used, bare, notLiteral };
}

/** The text of a piece of source, if it is one: written between elements, a literal, or a template with its gaps as `{}`. */
function shownText(node: Node): string | undefined {
  if (node.type === 'JSXText') return String(node.value).replace(/\s+/g, ' ').trim();
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}');
}

function isText(text: string, node: Node, parents: readonly Node[]): boolean {
  if (!letters.test(text.replace(/\{\w*\}/g, ''))) return false;
  if (node.type === 'JSXText') return true;
  const place = placeOf(node, parents);
  if (place === 'code') return false;
  if (place === 'text') return true;
  if (selector.test(text)) return false;
  if (sentence.test(text) || joining.test(text)) return true;
  if (node.type === 'TemplateLiteral') return gapFirst.test(text);
  return label.test(text) && !names.has(text) && isGiven(parents);
}

/** Whether what stands here is read by people: certainly, certainly not, or as its words say. */
function placeOf(node: Node, parents: readonly Node[]): 'text' | 'code' | 'open' {
  let child = node;
  for (const parent of parents.toReversed()) {
    const name = givenName(parent, child);
    if (name !== undefined) return textNames.has(name) ? 'text' : codeNames.test(name) ? 'code' : 'open';
    if (isCode(parent, child)) return 'code';
    if (parent.type === 'JSXExpressionContainer') {
      child = parent;
      const holder = parents[parents.indexOf(parent) - 1];
      if (holder?.type === 'JSXElement' || holder?.type === 'JSXFragment') return 'text';
      continue;
    }
    const called = calledName(parent);
    if (called !== undefined && showing.has(called)) return 'text';
    if (!passesOn(parent, child)) return 'open';
    child = parent;
  }
  return 'open';
}

/** Whether the text is what is answered, or what a name or a property stands for. */
function isGiven(parents: readonly Node[]): boolean {
  const outer = parents.findLast(({ type }) => type !== 'ConditionalExpression' && type !== 'LogicalExpression');
  return ['Property', 'ReturnStatement', 'ArrowFunctionExpression', 'VariableDeclarator', 'AssignmentPattern'].includes(
    outer?.type ?? '',
  );
}

/** The name a value is given to: an attribute, or a property written out. */
function givenName(parent: Node, child: Node): string | undefined {
  if (parent.type === 'JSXAttribute') return nameOf(parent.name as Node);
  if (parent.type === 'Property' && parent.value === child && parent.computed !== true)
    return nameOf(parent.key as Node);
  return undefined;
}

function nameOf(node: Node): string {
  return String(node.name ?? node.value ?? '');
}

function isCode(parent: Node, child: Node): boolean {
  if (parent.type.startsWith('TS') && parent.type !== 'TSAsExpression' && parent.type !== 'TSSatisfiesExpression')
    return true;
  if (parent.type === 'BinaryExpression') return parent.operator !== '+';
  if (parent.type === 'SwitchCase') return parent.test === child;
  if (parent.type === 'MemberExpression') return parent.property === child;
  if (parent.type === 'Property') return parent.key === child;
  if (parent.type === 'NewExpression') return true;
  if (parent.type === 'ConditionalExpression') return parent.test === child;
  return (
    /^(Import|Export.*From|ExportAll)/.test(parent.type) ||
    (parent.type === 'ExportNamedDeclaration' && parent.source === child)
  );
}

/** Whether the value of the child is the value of the parent. */
function passesOn(parent: Node, child: Node): boolean {
  if (parent.type === 'ConditionalExpression') return parent.test !== child;
  return [
    'LogicalExpression',
    'TSAsExpression',
    'TSSatisfiesExpression',
    'ParenthesizedExpression',
    'BinaryExpression',
  ].includes(parent.type);
}

function calledName(node: Node): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  const callee = node.callee as Node;
  return callee.type === 'Identifier' ? String(callee.name) : undefined;
}

function argumentsOf(node: Node): Node[] {
  return node.arguments as Node[];
}

function isFunction({ type }: Node): boolean {
  return /Function/.test(type);
}

function literalText(node: Node): string | undefined {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, 'type') === 'string';
}
