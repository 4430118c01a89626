import { plainLetters } from '../../lib/plain-letters.ts';

/** Something an expression may read at one place. */
export type Reference = {
  /** `actions.lookup.output.score` */
  readonly expression: string;
  /** What it is, in words, where the schema says. */
  readonly about: string;
  /** `text`, `number`, `list of text`; empty where nobody says. */
  readonly type: string;
};

export type ReferenceGroup = { readonly title: string; readonly references: readonly Reference[] };

/** Groups in which every word typed stands somewhere in the reference, its words or its group. */
export function matchingReferences(groups: readonly ReferenceGroup[], typed: string): ReferenceGroup[] {
  const wanted = plainLetters(typed).split(/\s+/).filter(Boolean);
  return groups.flatMap((group) => {
    const references = group.references.filter(({ expression, about }) => {
      const text = plainLetters(`${group.title} ${expression} ${about}`);
      return wanted.every((word) => text.includes(word));
    });
    return references.length === 0 ? [] : [{ ...group, references }];
  });
}
