import type { Egress } from '@airdeck/connector-kit/egress';
import { createSecretVault, type KeyProvider } from '@airdeck/connector-kit/secrets';
import { createConnectorRegistry } from '@airdeck/connectors/registry';
import type { ToldPart } from '@airdeck/contracts/filled-text';
import type { Logger } from 'pino';
import type { ClockedJob } from './clocked-job.ts';
import type { RefusalLog } from './http/refusal-log.ts';
import { createActionCatalogue } from './modules/actions/action-catalogue.ts';
import { createActionRunner } from './modules/actions/action-runner.ts';
import { createActionsModule } from './modules/actions/actions-module.ts';
import { createCircuitBreakers } from './modules/actions/circuit-breaker.ts';
import type { Enqueue } from './modules/activity/enqueue-port.ts';
import type { AuditLog } from './modules/audit/audit-log.ts';
import { ruleUses } from './modules/automation-rules/rule-uses.ts';
import { createConnectionTester } from './modules/connectors/connection-tester.ts';
import { createOutagesJob, OUTAGES_JOB } from './modules/connectors/connector-outages.ts';
import { createConnectorSecrets } from './modules/connectors/connector-secrets.ts';
import { createConnectorSettings } from './modules/connectors/connector-settings.ts';
import { createConnectorWork, DUE_JOB, jobKindOf } from './modules/connectors/connector-work.ts';
import { createConnectorsModule } from './modules/connectors/connectors-module.ts';
import { connectorsOf } from './modules/connectors/connectors-of-integration.ts';
import { createConnectorsService } from './modules/connectors/connectors-service.ts';
import { createPolling } from './modules/connectors/event-polling.ts';
import { createKeyRenewal } from './modules/connectors/key-renewal.ts';
import { createSearchableConnectors } from './modules/connectors/searchable-connectors.ts';
import type { IngestionModule } from './modules/ingestion/ingestion-module.ts';
import { withOwnIntegrations } from './modules/integrations/definitions-port.ts';
import { createIntegrationsModule } from './modules/integrations/integrations-module.ts';
import type { UsesOf } from './modules/integrations/uses-port.ts';
import type { KeyedAnswers } from './modules/keyed-answers/keyed-answers.ts';
import type { QuestionNotices } from './modules/notifications/notifications-port.ts';
import { createOpenapiImportModule } from './modules/openapi-import/openapi-import-module.ts';
import { createOpenapiReader } from './modules/openapi-import/openapi-reader.ts';
import { createOwnIntegrations } from './modules/openapi-import/own-integrations.ts';
import { playbookUses } from './modules/playbooks/playbook-uses.ts';
import { responseUses } from './modules/rule-responses/response-uses.ts';
import { createConnectorSources } from './modules/sources/connector-sources.ts';
import type { Changes } from './modules/stream/changes.ts';
import type { Database } from './storage/database.ts';

type Dependencies = {
  db: Database;
  log: Logger;
  ids: () => string;
  now: () => Date;
  randomBytes: (size: number) => Buffer;
  /** From 0 up to 1. */
  random: () => number;
  audit: AuditLog;
  changes: Changes;
  notices: QuestionNotices;
  keyedAnswers: KeyedAnswers;
  refusals: Pick<RefusalLog, 'note'>;
  keys: KeyProvider;
  /** The one way to the outside. */
  egress: Egress;
  enqueue: Enqueue;
  /** Where polled events go. */
  ingest: IngestionModule['accept'];
};

/** What is connected: integrations shipped and made here, their connectors and secrets, what can be done through them. */
export function composeConnectors(deps: Dependencies) {
  const { db, egress, now } = deps;
  const builtIn = createConnectorRegistry();
  const own = createOwnIntegrations();
  const registry = withOwnIntegrations(builtIn, own);
  const catalogue = createActionCatalogue(builtIn, own);
  const vault = createSecretVault({ keys: deps.keys, now });
  const secrets = createConnectorSecrets({ ...deps, vault });
  const connectors = createConnectorsService({ ...deps, registry, secrets });
  const tester = createConnectionTester({ egress, now });
  const work = createConnectorWork({ ...deps, registry, secrets, tester });
  const polling = createPolling({ ...deps, work, sources: createConnectorSources(deps) });
  const settings = createConnectorSettings({ ...deps, registry, secrets, work });
  const openapiImport = createOpenapiImportModule({ ...deps, reader: createOpenapiReader(), connectorsOf, usesOf });
  const circuits = createCircuitBreakers({ now });
  const byTheClock: readonly ClockedJob[] = [
    { ...DUE_JOB, handler: work.sweep },
    { ...OUTAGES_JOB, handler: createOutagesJob(deps) },
  ];
  return {
    connectors,
    catalogue,
    runner: createActionRunner({ db, catalogue, connectors, egress, circuits, now }),
    circuits: circuits.counts,
    searchable: createSearchableConnectors(registry),
    handlers: {
      ...createActionsModule({ db, catalogue }).handlers,
      ...createIntegrationsModule({ db, registry: builtIn, definitions: registry, own }).handlers,
      ...openapiImport.handlers,
      ...createConnectorsModule({ ...deps, registry, tester, settings, work, usesOf }).handlers,
    },
    byTheClock,
    jobHandlers: {
      [jobKindOf.test]: work.testJob,
      [jobKindOf.events]: polling.eventsJob,
      [jobKindOf.metrics]: polling.metricsJob,
    },
    purges: {
      connectorWork: work.prune,
      openapiImports: openapiImport.purge,
      connectorKeys: createKeyRenewal({ ...deps, vault, registry }),
    },
  };
}

/** Of every kind of user there is. */
async function usesOf(...asked: Parameters<UsesOf>): Promise<ToldPart[]> {
  const told: ToldPart[] = [];
  for (const usesOfKind of [playbookUses, responseUses, ruleUses]) told.push(...(await usesOfKind(...asked)));
  return told;
}
