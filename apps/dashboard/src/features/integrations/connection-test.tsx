import type { ConnectionTestResult } from '@airdeck/contracts/connectors/schema';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { Button, Loader } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { ProblemNote } from '../../components/problem-note.tsx';
import { StatusBadge } from '../../components/status-badge.tsx';
import { connectionTestLooks } from '../../components/status-table.ts';
import { t, told } from '../../language/translate.ts';
import type { ConnectorDraft } from './connector-draft.ts';
import classes from './integrations.module.css';
import { Took } from './took.tsx';
import type { useConnectorForm } from './use-connector-form.ts';

type Props = {
  integration: Integration;
  draft: ConnectorDraft;
  form: ReturnType<typeof useConnectorForm>;
};

/** Tests a connection before it is saved, and says what came of it. */
export function ConnectionTest({ integration, draft, form: { test, runTest } }: Props) {
  const pending = test.isPending;
  const tested = test.resultFor(draft.config);
  return (
    <div className={classes.tryOut}>
      <div className={classes.tryOutBar}>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          // Stays reachable: a button that is disabled under the finger takes the focus with it.
          {...(pending ? { 'data-disabled': true, 'aria-disabled': true } : { onClick: () => runTest(draft) })}
        >
          {t('Test connection')}
        </Button>
        {pending ? (
          <Button variant="subtle" onClick={test.cancel}>
            {t('Cancel test')}
          </Button>
        ) : null}
      </div>
      <ProblemNote error={pending ? undefined : test.error} />
      <div role="status" className={classes.outcome}>
        {pending ? (
          <span className={classes.progress}>
            <Loader size={14} aria-hidden />
            {t('Asking {name} … this takes 30 s at most.', { name: integration.name })}
          </span>
        ) : null}
        {!pending && tested !== undefined ? <Outcome of={tested.answer.test} old={tested.old} /> : null}
      </div>
    </div>
  );
}

function Outcome({ of, old }: { of: ConnectionTestResult; old: boolean }) {
  const { status, duration_ms } = of;
  return (
    <>
      <span className={classes.testHead}>
        <StatusBadge look={connectionTestLooks[status]} />
        <span className={classes.faint}>
          <Took ms={duration_ms} />
        </span>
      </span>
      <span className={classes.outcomeText}>{told(of)}</span>
      {old ? <span className={classes.faint}>{t('The configuration was changed after this test.')}</span> : null}
    </>
  );
}
