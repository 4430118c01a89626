import type { Integration } from '@airdeck/contracts/integrations/schema';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { problemsUnder } from '../../components/schema-form/schema-problems.ts';
import {
  type ConnectorDraft,
  type DraftProblems,
  draftProblems,
  focusFirst,
  hasProblems,
  noProblems,
  refusedProblems,
} from './connector-draft.ts';
import { useConnectionTest } from './use-connection-test.ts';

type Options = {
  integration: Integration;
  /** The connector that is changed; left out for a new one. */
  connectorId?: string;
  idPrefix: string;
};

/** What saving a new connector and changing one have in common: problems at their fields, and the test before saving. */
export function useConnectorForm({ integration, connectorId, idPrefix }: Options) {
  const [problems, setProblems] = useState<DraftProblems>(noProblems);
  const test = useConnectionTest(integration, connectorId);
  const show = (found: DraftProblems) => {
    // Drawn at once: fields that were disabled while it was sent take no focus before.
    flushSync(() => setProblems(found));
    focusFirst(found, integration, idPrefix);
  };
  return {
    problems,
    test,
    clearProblems: () => setProblems(noProblems),
    /** Whether the draft may be sent; otherwise says why not and goes to the first field. */
    isReady(draft: ConnectorDraft): boolean {
      const found = draftProblems(draft, integration);
      show(found);
      return !hasProblems(found);
    },
    /** Problems of a refused save, at their fields. */
    refuse: (error: unknown) => show(refusedProblems(error, integration)),
    /** Whether the refusal named fields, so that it needs no note of its own. */
    isShownAtFields: (error: unknown) => hasProblems(refusedProblems(error, integration)),
    runTest({ config }: ConnectorDraft) {
      const found = { ...noProblems, config: draftProblems({ ...emptyDraft, config }, integration).config };
      show(found);
      if (hasProblems(found)) return;
      test.run(config, (errors) =>
        show({ ...noProblems, config: problemsUnder('config', integration.config_schema, errors) }),
      );
    },
  };
}

const emptyDraft: ConnectorDraft = {
  name: 'any',
  config: {},
  events: { enabled: false, options: {} },
  metrics: { enabled: false, options: {} },
};
