import type { PlaybookAction } from '@airdeck/contracts/playbooks/schema';
import { UnstyledButton } from '@mantine/core';
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { RunStatusBadge } from '../../../../components/status-badge.tsx';
import { StepIcon } from '../step-icon.tsx';
import type { StepState } from './edge-looks.ts';
import classes from './flow.module.css';

export type FlowStep = {
  id: string;
  kind: PlaybookAction['kind'];
  name: string;
  what: string;
  vendor: string | undefined;
  state: StepState;
};

export type FlowNodeType = Node<FlowStep & { onOpen: (id: string) => void }, 'step'>;

/** One action: kind, name, product and state. Opens the action in the list. */
export function FlowNode({ data }: NodeProps<FlowNodeType>) {
  return (
    <>
      <Handle type="target" position={Position.Left} isConnectable={false} className={classes.handle} />
      <UnstyledButton
        className={`nopan ${classes.node}`}
        data-state={data.state}
        title={[data.name, data.what, data.vendor].filter((word) => word !== undefined).join(' · ')}
        onClick={() => data.onOpen(data.id)}
      >
        <span className={classes.icon}>
          <StepIcon kind={data.kind} />
        </span>
        <span className={classes.text}>
          <span className={classes.name}>{data.name}</span>
          <span className={classes.foot}>
            <span className={classes.note}>{data.vendor ?? data.what}</span>
            <RunStatusBadge status={data.state} variant="plain" />
          </span>
        </span>
      </UnstyledButton>
      <Handle type="source" position={Position.Right} isConnectable={false} className={classes.handle} />
    </>
  );
}
