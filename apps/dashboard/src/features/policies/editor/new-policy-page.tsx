import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { showDone } from '../../../lib/toasts.ts';
import { blankDraft, copyOf, draftOf } from '../draft/policy-draft.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { usePolicyEditor } from './use-policy-editor.ts';

const route = getRouteApi('/_dashboard/air/policy-management/new');

/** The editor of a policy that is not stored yet: blank, or a copy. */
export function NewPolicyPage() {
  const copied = route.useLoaderData();
  // Another copy begins anew.
  return <Writing key={copied?.id ?? 'blank'} />;
}

function Writing() {
  const copied = route.useLoaderData();
  const { view = 'form', panel = 'events' } = route.useSearch();
  const navigateHere = route.useNavigate();
  const navigate = useNavigate();
  const [draft] = useState(() => (copied === undefined ? blankDraft() : draftOf(copyOf(copied.rule))));
  const editor = usePolicyEditor({
    policy: undefined,
    draft,
    onSaved: (policy) => {
      showDone(policy.enabled ? 'Created, and on' : 'Created; switch it on when it does what it should');
      void navigate({
        to: '/air/policy-management/$id/edit',
        params: { id: policy.id },
        search: { panel: panel === 'events' ? undefined : panel },
        replace: true,
        // Nothing is unsaved any more, which the guard has not been told yet.
        ignoreBlocker: true,
      });
    },
  });
  return (
    <PolicyEditor
      editor={editor}
      view={view}
      panel={panel}
      onView={(next) =>
        void navigateHere({
          search: (before) => ({ ...before, view: next === 'form' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
      onPanel={(next) =>
        void navigateHere({
          search: (before) => ({ ...before, panel: next === 'events' ? undefined : next }),
          replace: true,
          resetScroll: false,
        })
      }
    />
  );
}
