import type { ConnectionTestResult } from '@airdeck/contracts/connectors/schema';
import { formatDuration } from '@airdeck/domain/duration';
import { Button, Loader } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks } from '../../components/status-table.ts';
import { useReader } from '../../ui/reader.ts';
import classes from './integrations.module.css';

type Props = {
  /** What is asked. */
  name: string;
  pending: boolean;
  /** The test itself did not happen. */
  problem: unknown;
  result: ConnectionTestResult | undefined;
  /** The result is of another configuration than the one in the form. */
  old: boolean;
  onTest: () => void;
  onCancel: () => void;
};

/** Tests a connection on the spot and says what came of it. */
export function ConnectionTest({ name, pending, problem, result, old, onTest, onCancel }: Props) {
  return (
    <div className={classes.tryOut}>
      <div className={classes.tryOutBar}>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          // Stays reachable: a button that is disabled under the finger takes the focus with it.
          {...(pending ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: onTest })}
        >
          Test connection
        </Button>
        {pending ? (
          <Button variant="subtle" onClick={onCancel}>
            Cancel test
          </Button>
        ) : null}
      </div>
      <ProblemNote error={pending ? undefined : problem} />
      <div role="status" className={classes.outcome}>
        {pending ? (
          <span className={classes.progress}>
            <Loader size={14} aria-hidden />
            Asking {name} … this takes 30 s at most.
          </span>
        ) : null}
        {!pending && result !== undefined ? <Outcome of={result} old={old} /> : null}
      </div>
    </div>
  );
}

function Outcome({ of: { status, message, duration_ms }, old }: { of: ConnectionTestResult; old: boolean }) {
  const { locale } = useReader();
  return (
    <>
      <span className={classes.testHead}>
        <StatusBadge look={connectionTestLooks[status]} />
        <span className={classes.faint}>{formatDuration(duration_ms / 1000, locale)}</span>
      </span>
      <span className={classes.outcomeText}>{message}</span>
      {old ? <span className={classes.faint}>The configuration was changed after this test.</span> : null}
    </>
  );
}
