import type { ConnectorValidation } from '@airdeck/contracts/connectors/schema';
import type { JsonObject } from '@airdeck/contracts/fields';
import type { Integration } from '@airdeck/contracts/integrations/schema';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { connectorMutations } from '../../queries/connectors.ts';
import { useTenantApi } from '../../session/app-context.ts';

/**
 * Tries a configuration before it is saved. A result belongs to the configuration it was made with: after an edit it is
 * old. Leaving the screen or cancelling gives the call up.
 *
 * @param connectorId the connector whose saved secrets stand behind masks
 */
export function useConnectionTest(integration: Integration, connectorId: string | undefined) {
  const validate = useMutation(connectorMutations.validate(useTenantApi()));
  const [tested, setTested] = useState<{ config: JsonObject; answer: ConnectorValidation }>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  return {
    isPending: validate.isPending,
    error: validate.error,
    /** The last result, and whether the configuration is still the one that was tested. */
    resultFor: (config: JsonObject) =>
      tested === undefined ? undefined : { ...tested, old: tested.config !== config },
    cancel: () => {
      running.current?.abort();
      validate.reset();
    },
    run(config: JsonObject, onInvalid: (errors: ConnectorValidation['errors']) => void) {
      if (validate.isPending) return;
      const controller = new AbortController();
      running.current = controller;
      setTested(undefined);
      const body = {
        definition_id: integration.id,
        config,
        test: true,
        ...(connectorId === undefined ? {} : { connector_id: connectorId }),
      };
      validate.mutate(
        { body, signal: controller.signal },
        {
          onSuccess: (answer) => {
            if (controller.signal.aborted) return;
            if (answer.valid) setTested({ config, answer });
            else onInvalid(answer.errors);
          },
        },
      );
    },
  };
}
