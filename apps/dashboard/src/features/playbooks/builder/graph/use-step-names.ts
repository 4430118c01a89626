import { useReader } from '../../../../ui/reader.ts';
import { useBuilder } from '../builder-context.ts';
import { wordsOf } from '../document/builder-action.ts';
import { stepLook } from './step-look.ts';

/** What a step is called, as the graph calls it. */
export function useStepNames(): (id: string) => string {
  const { document: doc, known } = useBuilder();
  const { locale } = useReader();
  return (id) => {
    const action = doc.definition.actions.find((each) => each.id === id);
    return action === undefined ? wordsOf(id) : stepLook(action, known, locale).name;
  };
}
