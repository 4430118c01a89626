import { createContext, useContext } from 'react';
import type { GroupNode } from './criteria-tree.ts';

/** What every part of the tree builder shares. */
export type CriteriaEditing = {
  readonly root: GroupNode;
  readonly change: (root: GroupNode) => void;
  /** By the id of the node. */
  readonly problems: ReadonlyMap<string, string>;
  /** Names to choose from. */
  readonly fieldNames: readonly string[];
  /** Puts the focus on a part of a node once it is drawn. */
  readonly focus: (id: string, part: NodePart) => void;
  /** For readers: what a key or a button has done. */
  readonly say: (words: string) => void;
};

/** Parts of a node that can have the focus, as `data-part` names them. */
export type NodePart = 'field' | 'value' | 'menu' | 'kind';

const Context = createContext<CriteriaEditing | undefined>(undefined);

export const CriteriaProvider = Context.Provider;

/** @throws Error outside the tree builder */
export function useCriteria(): CriteriaEditing {
  const editing = useContext(Context);
  if (editing === undefined) throw new Error('useCriteria outside of the tree builder');
  return editing;
}
