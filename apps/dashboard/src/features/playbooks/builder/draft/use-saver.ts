import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { t } from '../../../../language/translate.ts';
import { showError, toasts } from '../../../../lib/toasts.ts';
import { draftCalls } from '../../../../queries/playbook-drafts.ts';
import { useTenantApi } from '../../../../session/app-context.ts';
import { useCurrentUser } from '../../../../session/use-current-user.ts';
import type { BuilderDefinition } from '../document/builder-action.ts';
import { createDraftSaver, type DraftSaver, type SaveState } from './draft-saver.ts';
import { meanwhile } from './save-words.tsx';

/** Keeps the draft saved while it changes, and says how that stands. */
export function useSaver(
  draft: PlaybookDraft,
  { shown, kept, basedOn }: { shown: BuilderDefinition; kept: BuilderDefinition; basedOn: number },
): { saver: DraftSaver; state: SaveState } {
  const tenantApi = useTenantApi();
  const queryClient = useQueryClient();
  const { user } = useCurrentUser();
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
  const me = useRef(user);
  const lastShown = useRef(shown);
  useEffect(() => {
    lastShown.current = shown;
    saver.change(shown);
  }, [saver, shown]);
  useEffect(() => {
    me.current = user;
  }, [user]);
  useEffect(
    () => () => {
      const { status } = saver.state();
      // Then it is asked before the builder is left, and leaving it all the same was a choice.
      const wasAsked = status === 'failed' || status === 'conflict';
      void saver.saveNow().then((isSaved) => {
        if (!isSaved && !wasAsked) tellNotSaved(saver.state(), lastShown.current, me.current);
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

/** The builder is left, and what was changed last could not be saved on the way out. */
function tellNotSaved(state: SaveState, { metadata }: BuilderDefinition, me: Parameters<typeof meanwhile>[1]): void {
  if (state.status === 'failed') showError(state.error);
  if (state.status !== 'conflict') return;
  const name = metadata.name.trim() === '' ? t('Playbook without a name') : metadata.name;
  toasts.add({
    title: t('The last changes to “{name}” were not saved', { name }),
    message: meanwhile(state.theirs, me),
    danger: true,
  });
}
