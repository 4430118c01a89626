import { IconTargetArrow } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { looksAt, withCriterion } from '../draft/added-criterion.ts';
import type { FirstCriterion, PolicyDraft } from '../draft/policy-draft.ts';
import { PolicyNote } from '../policy-note.tsx';
import type { PolicyEditor } from './use-policy-editor.ts';

type Props = { seen: FirstCriterion; editor: Pick<PolicyEditor, 'draft' | 'dirty'> };

/** Of a value that came from the search: whether the form has it now, so that nobody takes it for saved. */
export function AddedNote({ seen, editor: { draft, dirty } }: Props) {
  // A form that begins without a change had the value already, whatever is changed in it later.
  const [added] = useState(dirty);
  // Taken out again, or discarded.
  if (withCriterion(draft, seen) !== draft) return null;
  const { connector_definition_id: integration } = seen.source;
  const { field, value } = seen;
  return (
    <PolicyNote
      icon={IconTargetArrow}
      title={
        added
          ? t('Added from the search: {field} is {value}', { field, value })
          : t('This policy already asks for {field} is {value}', { field, value })
      }
    >
      {added ? t('Nothing is saved yet. Look through the conditions, then save.') : t('Nothing was changed.')}
      {added ? meaningIn(draft) : null}
      {integration === '' || looksAt(draft, seen.source)
        ? null
        : ` ${t('It was seen in events of {integration} this policy does not look at.', { integration })}`}
    </PolicyNote>
  );
}

/** Where one more condition does not narrow a policy, as most would expect. */
function meaningIn({ criteria }: Pick<PolicyDraft, 'criteria'>): string {
  if (criteria.of === 'any') return ` ${t('One of its conditions is enough, so this one opens cases by itself.')}`;
  if (criteria.of === 'none') return ` ${t('What meets its conditions opens no case.')}`;
  return '';
}
