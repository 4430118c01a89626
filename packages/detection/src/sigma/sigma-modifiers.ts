import { failed, skipped } from './sigma-problem.ts';

const comparisons = ['contains', 'startswith', 'endswith', 're', 'cidr', 'exists', 'gt', 'gte', 'lt', 'lte'] as const;
export type Comparison = (typeof comparisons)[number] | 'equals';

/** In the order they are written, which is the order they are applied. */
export const encodingNames = ['wide', 'utf16le', 'utf16be', 'utf16', 'base64', 'base64offset'] as const;
export type EncodingName = (typeof encodingNames)[number];

const flagNames: Readonly<Record<string, 'i' | 'm' | 's'>> = {
  i: 'i',
  ignorecase: 'i',
  m: 'm',
  multiline: 'm',
  s: 's',
  dotall: 's',
};

/** Sound Sigma that nothing here can run. */
const notRun: ReadonlySet<string> = new Set(['minute', 'hour', 'day', 'week', 'month', 'year']);

export type Modifiers = {
  readonly comparison: Comparison;
  readonly encodings: readonly EncodingName[];
  readonly flags: readonly ('i' | 'm' | 's')[];
  readonly all: boolean;
  readonly cased: boolean;
  readonly windash: boolean;
  readonly expand: boolean;
  readonly fieldRef: boolean;
  readonly negated: boolean;
};

const plainModifiers = ['all', 'cased', 'windash', 'expand', 'fieldref', 'neq'];

/** Throws `SigmaProblem` for a modifier nobody knows, or two that cannot both hold. */
export function readModifiers(words: readonly string[]): Modifiers {
  const chosen: Comparison[] = [];
  const encodings: EncodingName[] = [];
  const flags: ('i' | 'm' | 's')[] = [];
  const plain = new Set<string>();
  for (const written of words) {
    const word = written.trim().toLowerCase();
    const flag = Object.hasOwn(flagNames, word) ? flagNames[word] : undefined;
    if (isOneOf(comparisons, word)) chosen.push(word);
    else if (isOneOf(encodingNames, word)) encodings.push(word);
    else if (plainModifiers.includes(word)) plain.add(word);
    else if (flag !== undefined) flags.push(flag);
    else if (notRun.has(word)) throw skipped(`The modifier "${written}" is not run.`);
    else throw failed(`There is no modifier "${written}".`);
  }
  const [comparison = 'equals', second] = chosen;
  if (second !== undefined) throw failed(`"${comparison}" and "${second}" cannot both hold.`);
  if (flags.length > 0 && comparison !== 're') throw failed('Flags go with "re" only.');
  return {
    comparison,
    encodings,
    flags: [...new Set(flags)],
    all: plain.has('all'),
    cased: plain.has('cased'),
    windash: plain.has('windash'),
    expand: plain.has('expand'),
    fieldRef: plain.has('fieldref'),
    negated: plain.has('neq'),
  };
}

function isOneOf<Name extends string>(names: readonly Name[], word: string): word is Name {
  return (names as readonly string[]).includes(word);
}
