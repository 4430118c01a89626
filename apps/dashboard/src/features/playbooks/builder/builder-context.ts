import { createContext, use } from 'react';
import { t } from '../../../language/translate.ts';
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
  /** The text on the screen cannot be read, so the document is older than what stands there. */
  readonly unread: boolean;
  readonly setUnread: (unread: boolean) => void;
  readonly side: Side;
  readonly show: (side: Side) => void;
  /** Says something to readers, and shows it for a moment where nothing else on the screen would tell. */
  readonly announce: (words: string) => void;
};

const Context = createContext<Builder | undefined>(undefined);

export const BuilderProvider = Context;

/** Why nothing is done with the document while the text says something else; undefined otherwise. */
export function unreadReason({ unread }: Pick<Builder, 'unread'>): string | undefined {
  return unread ? t('The YAML cannot be read. Mend it first.') : undefined;
}

export function useBuilder(): Builder {
  const builder = use(Context);
  if (builder === undefined) throw new Error('useBuilder outside of the builder');
  return builder;
}
