import type { Policy } from '@airdeck/contracts/policies/schema';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { withCriterion } from '../draft/added-criterion.ts';
import { draftOf } from '../draft/policy-draft.ts';
import { AddedNote } from './added-note.tsx';
import { editorPlace } from './editor-place.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { seenIn } from './seen-value.ts';
import { usePolicyEditor } from './use-policy-editor.ts';

const route = getRouteApi('/_dashboard/air/policy-management/$id/edit');

/** The editor of one policy, with what is stored now; a value that came from the search is in the form, unsaved. */
export function EditPolicyPage() {
  const policy = route.useLoaderData();
  return <Editing key={policy.id} policy={policy} />;
}

function Editing({ policy }: { policy: Policy }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const place = editorPlace(search, navigate);
  const seen = seenIn(search);
  const [draft] = useState(() => {
    const stored = draftOf(policy.rule);
    return seen === undefined ? stored : withCriterion(stored, seen);
  });
  const editor = usePolicyEditor({
    policy,
    draft,
    onSaved: ({ version }) => {
      showDone(t('Saved as version {version}', { version }));
      if (seen === undefined) return;
      // Loaded again, the page would add it to what was made of it since.
      void navigate({
        search: (before) => ({ ...before, criterion: undefined, source: undefined }),
        ...{ replace: true, resetScroll: false },
      });
    },
  });
  return (
    <PolicyEditor
      editor={editor}
      {...place}
      note={seen === undefined ? undefined : <AddedNote seen={seen} editor={editor} />}
    />
  );
}
