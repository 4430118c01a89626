import { t } from '../../../language/translate.ts';
import type { Builder } from './builder-context.ts';
import { ACTIONS_MAX } from './document/builder-action.ts';
import { type Adding, hasRoomFor } from './document/builder-document.ts';

/** Adds or copies steps and says so in the given words, or why not. Answers whether it was done. */
export function addSteps(
  { document, change, announce }: Pick<Builder, 'document' | 'change' | 'announce'>,
  adding: Adding,
  words?: string,
): boolean {
  const fits = hasRoomFor(document.definition, adding);
  if (fits) change(adding);
  const said = fits ? words : t('A playbook has at most {max} steps.', { max: ACTIONS_MAX });
  if (said !== undefined) announce(said);
  return fits;
}
