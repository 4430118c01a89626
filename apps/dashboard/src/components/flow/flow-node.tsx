import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { UnstyledButton } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { RunStatusBadge } from '../status-badge.tsx';
import type { StepState } from './edge-looks.ts';
import classes from './flow.module.css';
import { StepIcon } from './step-icon.tsx';

export type FlowStep = {
  id: string;
  kind: PlaybookAction['kind'];
  name: string;
  what: string;
  vendor: string | undefined;
  /** How far it is with its list. */
  progress?: string | undefined;
  /** Undefined where nothing runs: in a definition. */
  state: StepState | undefined;
};

export type FlowNodeType = Node<FlowStep & { onOpen: (id: string) => void; onFocus: (id: string) => void }, 'step'>;

/** One action: kind, name, product and, in a run, its state. Opens the action in the list. */
export function FlowNode({ data }: NodeProps<FlowNodeType>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle} />
      <UnstyledButton
        className={`nopan ${classes.node}`}
        data-state={data.state}
        title={[data.name, data.what, data.vendor].filter((word) => word !== undefined).join(' · ')}
        onClick={() => data.onOpen(data.id)}
        onFocus={({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) data.onFocus(data.id);
        }}
      >
        <span className={classes.icon}>
          <StepIcon kind={data.kind} />
        </span>
        <span className={classes.text}>
          <span className={classes.name}>{data.name}</span>
          <span className={classes.foot}>
            <span className={classes.note}>{data.progress ?? data.vendor ?? data.what}</span>
            {data.state === undefined ? null : <RunStatusBadge status={data.state} variant="plain" />}
          </span>
        </span>
      </UnstyledButton>
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle} />
    </>
  );
}
