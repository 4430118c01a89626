import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../../language/translate.ts';
import { showDone } from '../../../lib/toasts.ts';
import { blankDraft, copyOf, draftOf } from '../draft/policy-draft.ts';
import { editorPlace } from './editor-place.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { seenIn } from './seen-value.ts';
import { usePolicyEditor } from './use-policy-editor.ts';

const route = getRouteApi('/_dashboard/air/policy-management/new');

/** The editor of a policy that is not stored yet: blank, about a value that was seen in an event, or a copy. */
export function NewPolicyPage() {
  const copied = route.useLoaderData();
  const first = seenIn(route.useSearch());
  // Another copy, or another value, begins anew.
  return <Writing key={copied?.id ?? JSON.stringify(first) ?? 'blank'} />;
}

function Writing() {
  const copied = route.useLoaderData();
  const search = route.useSearch();
  const place = editorPlace(search, route.useNavigate());
  const navigate = useNavigate();
  const [draft] = useState(() => (copied === undefined ? blankDraft(seenIn(search)) : draftOf(copyOf(copied.rule))));
  const editor = usePolicyEditor({
    policy: undefined,
    draft,
    onSaved: (policy) => {
      showDone(policy.enabled ? t('Created, and on') : t('Created; switch it on when it does what it should'));
      void navigate({
        to: '/air/policy-management/$id/edit',
        params: { id: policy.id },
        search: { panel: place.panel === 'events' ? undefined : place.panel },
        replace: true,
        // Nothing is unsaved any more, which the guard has not been told yet.
        ignoreBlocker: true,
      });
    },
  });
  return <PolicyEditor editor={editor} {...place} />;
}
