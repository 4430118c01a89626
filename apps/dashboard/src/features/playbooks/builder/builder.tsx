import type { JsonObject } from '@airdeck/contracts/fields';
import type { PlaybookDraft } from '@airdeck/contracts/playbooks/schema';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, lazy, Suspense, useMemo, useReducer, useRef, useState } from 'react';
import { LeaveGuard } from '../../../components/leave-guard.tsx';
import { t } from '../../../language/translate.ts';
import { runQueries } from '../../../queries/activity.ts';
import { useTenantApi } from '../../../session/app-context.ts';
import { useIsPhone } from '../../../ui/use-is-phone.ts';
import classes from './builder.module.css';
import { type Builder as BuilderContext, BuilderProvider, type Side } from './builder-context.ts';
import { BuilderHeader } from './builder-header.tsx';
import type { BuilderView } from './builder-search.ts';
import { BuilderToolbar } from './builder-toolbar.tsx';
import type { Known } from './document/available-references.ts';
import { type ReadDefinition, readDefinition } from './document/builder-action.ts';
import { changeDocument, openDocument } from './document/builder-document.ts';
import { ConflictDialog } from './draft/conflict-dialog.tsx';
import { useSaver } from './draft/use-saver.ts';
import { STEP_TITLE_ID } from './form/step-form.tsx';
import { SidePane } from './side-pane.tsx';
import { StepsList } from './steps-list.tsx';
import { trialStates } from './trial/trial-states.ts';
import { useNotice } from './use-notice.ts';
import { useProblems } from './use-problems.ts';

const BuilderGraph = lazy(() =>
  import('./graph/builder-graph.tsx').then((module) => ({ default: module.BuilderGraph })),
);
const CodeView = lazy(() => import('./code/code-view.tsx').then((module) => ({ default: module.CodeView })));

type Props = {
  draft: PlaybookDraft;
  opened: ReadDefinition;
  /** The published version the draft was opened on; 0 without one. */
  basedOn: number;
  /** The published version now. */
  version: number;
  known: Known;
  view: BuilderView;
  onView: (view: BuilderView) => void;
};

/** One document, shown as graph, form and text. */
export function Builder({ draft, opened, basedOn, version, known, view, onView }: Props) {
  const [doc, change] = useReducer(changeDocument, opened.definition, openDocument);
  const [side, setSide] = useState<Side>({ show: 'form' });
  const [choosing, setChoosing] = useState(false);
  const [unread, setUnread] = useState(false);
  const [trial, setTrial] = useState<{ runId?: string | undefined; tried: JsonObject }>({ tried: {} });
  const { notice, announce } = useNotice();
  const narrow = useIsPhone();
  // What had to be put right in what is stored is a change like any other.
  const { saver, state } = useSaver(draft, {
    basedOn,
    shown: doc.definition,
    kept: opened.repairs.length === 0 ? opened.definition : { ...opened.definition, actions: [] },
  });
  const { problems } = useProblems({ id: draft.playbook_id, definition: doc.definition, known, first: draft.problems });
  const states = useTrialStates(side.show === 'trial' ? trial.runId : undefined);
  const sidePane = useRef<HTMLElement>(null);

  const show = (next: Side) => {
    setSide(next);
    if (narrow) requestAnimationFrame(() => sidePane.current?.scrollIntoView({ block: 'start' }));
  };
  const builder: BuilderContext = {
    id: draft.playbook_id,
    document: doc,
    change,
    problems,
    known,
    unread,
    setUnread,
    side,
    show,
    announce,
  };
  const openForm = () => {
    if (side.show !== 'trial') show({ show: 'form' });
    requestAnimationFrame(() => (document.getElementById(STEP_TITLE_ID) ?? sidePane.current)?.focus());
  };
  const press = (event: KeyboardEvent) => {
    const step = commandOf(event);
    if (step === undefined) return;
    event.preventDefault();
    if (step === 'save') return void saver.saveNow();
    change({ type: step });
    announce(step === 'undo' ? t('Undone') : t('Done again'));
  };

  return (
    <BuilderProvider value={builder}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys that hold for everything inside */}
      <div className={classes.root} onKeyDown={press}>
        <BuilderHeader
          version={version}
          saver={saver}
          state={state}
          onTried={() => show({ show: 'trial' })}
          onResolve={() => setChoosing(true)}
        />
        <BuilderToolbar
          view={view}
          onView={onView}
          state={state}
          onRetry={() => void saver.saveNow()}
          onResolve={() => setChoosing(true)}
        />
        {opened.repairs.length === 0 ? null : <Repairs repairs={opened.repairs} />}
        <div className={classes.body}>
          <div className={classes.main} data-view={view}>
            <Suspense fallback={null}>
              {view === 'yaml' ? (
                <CodeView />
              ) : narrow ? (
                <StepsList states={states} />
              ) : (
                <BuilderGraph states={states} onOpen={openForm} />
              )}
            </Suspense>
            {/* One place for what is said, so that readers hear it and everybody sees it. */}
            <div role="status" className={notice === undefined ? undefined : classes.notice}>
              {notice}
            </div>
          </div>
          <SidePane ref={sidePane} trial={trial} onTrial={setTrial} />
        </div>
        {choosing && state.status === 'conflict' ? (
          <ConflictDialog
            theirs={state.theirs}
            onClose={() => setChoosing(false)}
            onMine={() => {
              saver.resolve(state.theirs, 'mine');
              setChoosing(false);
              void saver.saveNow();
            }}
            onTheirs={() => {
              const { definition } = readDefinition(state.theirs.definition);
              saver.resolve(state.theirs, { theirs: definition });
              change({ type: 'replace', definition });
              setChoosing(false);
            }}
          />
        ) : null}
        {/* What is only waiting for its turn is saved on the way out. Text that cannot be read is gone with its view. */}
        <LeaveGuard
          dirty={unread || state.status === 'failed' || state.status === 'conflict'}
          {...(unread ? { param: 'view' } : {})}
        />
      </div>
    </BuilderProvider>
  );
}

/** States of a trial by step; undefined while none shows. */
function useTrialStates(runId: string | undefined) {
  const { data } = useQuery({ ...runQueries.detail(useTenantApi(), runId ?? ''), enabled: runId !== undefined });
  return useMemo(() => (runId === undefined || data === undefined ? undefined : trialStates(data)), [runId, data]);
}

/** Undo, redo and save by keys; in a field, undo is the field's own. */
function commandOf(event: KeyboardEvent): 'undo' | 'redo' | 'save' | undefined {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return undefined;
  const key = event.key.toLowerCase();
  if (key === 's') return 'save';
  const typing = 'input:not([type=radio], [type=checkbox]), textarea, [contenteditable]';
  const isTyping = event.target instanceof Element && event.target.closest(typing) !== null;
  if (isTyping) return undefined;
  if (key === 'z') return event.shiftKey ? 'redo' : 'undo';
  return key === 'y' ? 'redo' : undefined;
}

function Repairs({ repairs }: { repairs: readonly string[] }) {
  return (
    <div className={classes.note} role="note">
      <p>{repairs.join(' ')}</p>
    </div>
  );
}
