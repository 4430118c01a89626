import type { JsonObject } from '@airdeck/contracts/fields';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../language/translate.ts';
import { demoConnectionQueries } from '../../queries/demo-connections.ts';
import { useApp } from '../../session/app-context.ts';
import { Panel } from '../../ui/panel.tsx';
import classes from './integrations.module.css';

type Props = {
  /** The integration that is connected. */
  definitionId: string;
  name: string;
  /** Gets address and credentials of the sandbox; other fields are not in it. */
  onFill: (config: JsonObject) => void;
};

/**
 * Fills in what connects the local sandbox instead of the vendor. Nothing where there is none (any stage but `local`), or
 * where it does not speak for this vendor; a list that does not load leaves the form as it is.
 */
export function SandboxFill({ definitionId, name, onFill }: Props) {
  const { api, config } = useApp();
  const isDemo = config.target_stage === 'local' && config.mock_data;
  const { data } = useQuery({ ...demoConnectionQueries.list(api), enabled: isDemo });
  const connection = data?.find((each) => each.definition_id === definitionId);
  if (connection === undefined) return null;
  return (
    <Panel>
      <div className={classes.sandbox}>
        <span>{t('This demo has a sandbox that answers like {name}.', { name })}</span>
        <Button variant="default" size="xs" onClick={() => onFill(connection.config)}>
          {t('Fill in the sandbox')}
        </Button>
      </div>
    </Panel>
  );
}
