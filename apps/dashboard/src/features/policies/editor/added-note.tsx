import { IconTargetArrow } from '@tabler/icons-react';
import { t } from '../../../language/translate.ts';
import { looksAt, withCriterion } from '../draft/added-criterion.ts';
import type { FirstCriterion } from '../draft/policy-draft.ts';
import { PolicyNote } from '../policy-note.tsx';
import type { PolicyEditor } from './use-policy-editor.ts';

type Props = { seen: FirstCriterion; editor: Pick<PolicyEditor, 'draft' | 'dirty'> };

/** Of a value that came from the search: whether the form has it now, so that nobody takes it for saved. */
export function AddedNote({ seen, editor: { draft, dirty } }: Props) {
  // Taken out again, or discarded.
  if (withCriterion(draft, seen) !== draft) return null;
  const { connector_definition_id: integration } = seen.source;
  const { field, value } = seen;
  return (
    <PolicyNote
      icon={IconTargetArrow}
      title={
        dirty
          ? t('Added from the search: {field} is {value}', { field, value })
          : t('This policy already asks for {field} is {value}', { field, value })
      }
    >
      {dirty ? t('Nothing is saved yet. Look through the conditions, then save.') : t('Nothing was changed.')}
      {integration === '' || looksAt(draft, seen.source)
        ? null
        : ` ${t('It was seen in events of {integration} this policy does not look at.', { integration })}`}
    </PolicyNote>
  );
}
