import type { PlaybookRun } from '@airdeck/contracts/activity/schema';
import { lazy, Suspense, useMemo } from 'react';
import { useActionNames } from '../../../components/action-names.ts';
import { flowHeight, layoutFlow } from '../../../components/flow/flow-layout.ts';
import { stepState } from '../../../components/flow/step-state.ts';
import { stepWords } from '../../../components/flow/step-words.ts';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';
import { itemsWords } from './items-words.ts';
import { runStepsOf } from './run-steps-of.ts';

const FlowGraph = lazy(() =>
  import('../../../components/flow/flow-graph.tsx').then((module) => ({ default: module.FlowGraph })),
);

type Props = {
  run: PlaybookRun;
  /** Leads to an action in the list. */
  onReveal: (actionId: string) => void;
};

/** The actions of a run as a graph, left to right. Its place is kept while it loads. */
export function RunFlow({ run, onReveal }: Props) {
  const nameOf = useActionNames();
  const { locale } = useReader();
  const { actions } = run.playbook.definition;
  const layout = useMemo(
    () => layoutFlow(actions.map(({ id, depends_on }) => ({ id, dependsOn: depends_on ?? [] }))),
    [actions],
  );
  const nodes = useMemo(
    () =>
      runStepsOf(run).map(({ action, summary }) => ({
        id: action.id,
        kind: action.kind,
        ...stepWords(action, { nameOf, locale }),
        progress: itemsWords(summary.items),
        state: stepState(summary),
      })),
    [run, nameOf, locale],
  );
  return (
    <Panel flush>
      <div style={{ height: flowHeight(layout) }}>
        <Suspense fallback={null}>
          <FlowGraph label={t('Actions of this run')} layout={layout} nodes={nodes} onOpen={onReveal} />
        </Suspense>
      </div>
    </Panel>
  );
}
