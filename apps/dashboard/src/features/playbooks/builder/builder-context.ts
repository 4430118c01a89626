import { createContext, use } from 'react';
import type { Known } from './document/available-references.ts';
import type { BuilderDocument, Change } from './document/builder-document.ts';
import type { PlacedProblem } from './document/problem-places.ts';

/** Where a new step goes. */
export type Place = { readonly after: readonly string[]; readonly before: readonly string[] };

/** What stands beside the graph: the form of what is selected, or one of these. */
export type Side =
  | { readonly show: 'form' }
  | { readonly show: 'palette'; readonly place: Place }
  | { readonly show: 'problems' }
  | { readonly show: 'trial' };

export type Builder = {
  /** Id of the playbook. */
  readonly id: string;
  readonly document: BuilderDocument;
  readonly change: (change: Change) => void;
  readonly problems: readonly PlacedProblem[];
  readonly known: Known;
  readonly side: Side;
  readonly show: (side: Side) => void;
  /** Says something to readers, and shows it for a moment where nothing else on the screen would tell. */
  readonly announce: (words: string) => void;
};

const Context = createContext<Builder | undefined>(undefined);

export const BuilderProvider = Context;

export function useBuilder(): Builder {
  const builder = use(Context);
  if (builder === undefined) throw new Error('useBuilder outside of the builder');
  return builder;
}
