import { UnstyledButton } from '@mantine/core';
import { IconAlertTriangle, IconPlus } from '@tabler/icons-react';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { EffectBadge } from '../../../../components/effect-badge.tsx';
import type { StepState } from '../../../../components/flow/edge-looks.ts';
import flow from '../../../../components/flow/flow.module.css';
import { StepIcon } from '../../../../components/flow/step-icon.tsx';
import { RunStatusBadge } from '../../../../components/status-badge.tsx';
import { t } from '../../../../language/translate.ts';
import classes from './builder-graph.module.css';
import { kindWords, problemWords, type StepLook, stepLabel } from './step-look.ts';

export type BuilderStep = {
  look: StepLook;
  selected: boolean;
  /** The one step of the graph that Tab leads to. */
  inTabOrder: boolean;
  problems: number;
  /** Names of the steps it runs after. */
  after: readonly string[];
  /** How it went in the trial. */
  state: StepState | undefined;
  /** Nothing can be changed while a trial shows. */
  locked: boolean;
};

export type BuilderNodeType = Node<
  BuilderStep & { onSelect: (id: string, adding: boolean) => void; onAddAfter: (id: string) => void },
  'step'
>;

/** Id of a step's element, where the focus goes. */
export function nodeElementId(id: string): string {
  return `step-${id}`;
}

/** One step: what kind, what it does, what is wrong with it. Lines are drawn from and to its sides. */
export function BuilderNode({ data }: NodeProps<BuilderNodeType>) {
  const { look, selected, inTabOrder, problems, state, locked, onSelect, onAddAfter } = data;
  return (
    <div className={classes.place} data-selected={selected || undefined}>
      <Handle
        type="target"
        position={Position.Left}
        isConnectable={!locked}
        className={classes.handle ?? ''}
        aria-hidden
      />
      <UnstyledButton
        id={nodeElementId(look.id)}
        className={`nopan ${flow.node} ${classes.node}`}
        data-step-id={look.id}
        data-state={state}
        data-wrong={(problems > 0 && state === undefined) || undefined}
        tabIndex={inTabOrder ? 0 : -1}
        aria-pressed={selected}
        aria-label={stepLabel(data)}
        title={`${look.name} · ${look.note}`}
        onClick={(event) => onSelect(look.id, event.shiftKey || event.ctrlKey || event.metaKey)}
      >
        <span className={flow.icon}>
          <StepIcon kind={look.kind} />
        </span>
        <span className={`${flow.text} ${classes.text}`}>
          <span className={flow.name}>{look.name}</span>
          <span className={flow.note}>{look.note}</span>
          <Mark data={data} />
        </span>
      </UnstyledButton>
      {locked ? null : (
        <button
          type="button"
          className={`nopan ${classes.add}`}
          tabIndex={-1}
          aria-label={t('Add a step after {name}', { name: look.name })}
          onClick={() => onAddAfter(look.id)}
        >
          <IconPlus size={14} aria-hidden />
        </button>
      )}
      <Handle
        type="source"
        position={Position.Right}
        isConnectable={!locked}
        className={classes.handle ?? ''}
        aria-hidden
      />
    </div>
  );
}

function Mark({ data: { state, problems, look } }: { data: BuilderStep }) {
  if (state !== undefined) return <RunStatusBadge status={state} variant="plain" />;
  if (problems > 0) {
    return (
      <span className={classes.wrong}>
        <IconAlertTriangle size={14} aria-hidden />
        {problemWords(problems)}
      </span>
    );
  }
  if (look.effect !== undefined) return <EffectBadge effect={look.effect} variant="plain" />;
  return <span className={classes.kind}>{kindWords[look.kind]}</span>;
}
