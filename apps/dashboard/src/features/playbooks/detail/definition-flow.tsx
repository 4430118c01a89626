import type { Playbook } from '@airdeck/contracts/playbooks/schema';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo } from 'react';
import { useActionNames } from '../../../components/action-names.ts';
import { flowHeight, layoutFlow } from '../../../components/flow/flow-layout.ts';
import { stepWords } from '../../../components/flow/step-words.ts';
import { t } from '../../../language/translate.ts';
import { Panel } from '../../../ui/panel.tsx';
import { useReader } from '../../../ui/reader.ts';

const FlowGraph = lazy(() =>
  import('../../../components/flow/flow-graph.tsx').then((module) => ({ default: module.FlowGraph })),
);

/** The steps of a playbook as a graph, left to right; each leads to its words in the definition. */
export function DefinitionFlow({ playbook: { id, actions } }: { playbook: Playbook }) {
  const nameOf = useActionNames();
  const { locale } = useReader();
  const navigate = useNavigate();
  const layout = useMemo(
    () => layoutFlow(actions.map((action) => ({ id: action.id, dependsOn: action.depends_on ?? [] }))),
    [actions],
  );
  const nodes = useMemo(
    () =>
      actions.map((action) => ({
        id: action.id,
        kind: action.kind,
        ...stepWords(action, { nameOf, locale }),
        state: undefined,
      })),
    [actions, nameOf, locale],
  );
  return (
    <Panel flush>
      <div style={{ height: flowHeight(layout) }}>
        <Suspense fallback={null}>
          <FlowGraph
            label={t('Steps of this playbook')}
            layout={layout}
            nodes={nodes}
            onOpen={(step) =>
              void navigate({ to: '/playbooks/$id', params: { id }, search: { panel: 'definition', step } })
            }
          />
        </Suspense>
      </div>
    </Panel>
  );
}
