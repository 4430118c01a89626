import type { Policy } from '@airdeck/contracts/policies/schema';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { draftOf } from '../draft/policy-draft.ts';
import { editorPlace } from './editor-place.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { usePolicyEditor } from './use-policy-editor.ts';

const route = getRouteApi('/_dashboard/air/policy-management/$id/edit');

/** The editor of one policy, with what is stored now. */
export function EditPolicyPage() {
  const policy = route.useLoaderData();
  return <Editing key={policy.id} policy={policy} />;
}

function Editing({ policy }: { policy: Policy }) {
  const place = editorPlace(route.useSearch(), route.useNavigate());
  const [draft] = useState(() => draftOf(policy.rule));
  const editor = usePolicyEditor({
    policy,
    draft,
    onSaved: ({ version }) => showDone(t('Saved as version {version}', { version })),
  });
  return <PolicyEditor editor={editor} {...place} />;
}
