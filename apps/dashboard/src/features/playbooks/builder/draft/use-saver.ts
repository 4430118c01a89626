import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { showError } from '../../../../lib/toasts.ts';
import { draftCalls } from '../../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import type { BuilderDefinition } from '../document/builder-action.ts';
import { createDraftSaver, type DraftSaver, type SaveState } from './draft-saver.ts';

/** Keeps the draft saved while it changes, and says how that stands. */
export function useSaver(
  draft: PlaybookDraft,
  { shown, kept, basedOn }: { shown: BuilderDefinition; kept: BuilderDefinition; basedOn: number },
): { saver: DraftSaver; state: SaveState } {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const [saver] = useState(() => {
    const calls = draftCalls(tenantApi, queryClient, draft.playbook_id);
    return createDraftSaver(
      {
        save: ({ definition, at: { revision, version } }) =>
          calls.save({
            definition: { ...definition, actions: [...definition.actions] },
            revision,
            based_on: version,
          }),
        load: calls.load,
        after: (milliseconds, callback) => {
          const timer = setTimeout(callback, milliseconds);
          return () => clearTimeout(timer);
        },
        now: () => new Date(),
      },
      { definition: kept, at: { revision: draft.revision, version: basedOn } },
    );
  });
  const state = useSyncExternalStore(saver.subscribe, saver.state);
  useEffect(() => saver.change(shown), [saver, shown]);
  useEffect(
    () => () => {
      void saver.saveNow().then((isSaved) => {
        const last = saver.state();
        if (!isSaved) showError(last.status === 'failed' ? last.error : undefined);
      });
    },
    [saver],
  );
  const isUnderWay = state.status === 'waiting' || state.status === 'saving';
  useEffect(() => {
    if (!isUnderWay) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isUnderWay]);
  useEffect(() => {
    // Back online, what could not be saved is tried again without being asked.
    const again = () => void saver.saveNow();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, [saver]);
  return { saver, state };
}
