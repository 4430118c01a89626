import { useCallback } from 'react';
import { useBuilder } from '../builder-context.ts';
import { availableReferences } from '../document/available-references.ts';

/** What an expression of a step can read; undefined for the outputs of the playbook. */
export function useReferences(actionId: string | undefined) {
  const { document: doc, known } = useBuilder();
  return useCallback(() => availableReferences(doc.definition, actionId, known), [doc.definition, actionId, known]);
}
