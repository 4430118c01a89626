import { engineMigrations, engineSystemTables, engineTables } from '@airdeck/engine/schema';
import { activityMigrations } from '../modules/activity/activity-migrations.ts';
import { auditMigrations } from '../modules/audit/audit-migrations.ts';
import { automationRulesMigrations } from '../modules/automation-rules/automation-rules-migrations.ts';
import { casesMigrations, caseWorkMigrations } from '../modules/cases/cases-migrations.ts';
import { clerkMigrations } from '../modules/clerk/clerk-migrations.ts';
import { confirmationsMigrations } from '../modules/confirmations/confirmations-migrations.ts';
import { connectorWorkMigrations } from '../modules/connectors/connector-work-migrations.ts';
import { connectorsMigrations } from '../modules/connectors/connectors-migrations.ts';
import { contactsMigrations } from '../modules/contacts/contacts-migrations.ts';
import { contractMigrations } from '../modules/contract/contract-migrations.ts';
import { customersMigrations } from '../modules/customers/customers-migrations.ts';
import { detectionMigrations } from '../modules/detection/detection-migrations.ts';
import { executiveReportsMigrations } from '../modules/executive-reports/executive-reports-migrations.ts';
import { identityMigrations } from '../modules/identity/identity-migrations.ts';
import { ingestionMigrations } from '../modules/ingestion/ingestion-migrations.ts';
import { invitationsMigrations } from '../modules/invitations/invitations-migrations.ts';
import { keyedAnswersMigrations } from '../modules/keyed-answers/keyed-answers-migrations.ts';
import { mailMigrations } from '../modules/mail/mail-migrations.ts';
import { marketplaceMigrations } from '../modules/marketplace/marketplace-migrations.ts';
import { meMigrations } from '../modules/me/me-migrations.ts';
import { notificationsMigrations } from '../modules/notifications/notifications-migrations.ts';
import { onboardingMigrations } from '../modules/onboarding/onboarding-migrations.ts';
import { openapiImportMigrations } from '../modules/openapi-import/openapi-import-migrations.ts';
import { operationsMigrations } from '../modules/operations/operations-migrations.ts';
import { ownNetworksMigrations } from '../modules/own-networks/own-networks-migrations.ts';
import { playbooksMigrations } from '../modules/playbooks/playbooks-migrations.ts';
import { policiesMigrations } from '../modules/policies/policies-migrations.ts';
import { reportsMigrations } from '../modules/reports/reports-migrations.ts';
import { restoreFenceMigrations } from '../modules/restore-fence/restore-fence-migrations.ts';
import {
  automationMigrations,
  automationStopMigrations,
  ruleResponsesMigrations,
} from '../modules/rule-responses/rule-responses-migrations.ts';
import { searchMigrations } from '../modules/search/search-migrations.ts';
import { settingsMigrations } from '../modules/settings/settings-migrations.ts';
import { sourcesMigrations } from '../modules/sources/sources-migrations.ts';
import { domainReviewMigrations } from '../modules/sso/domain-review-migrations.ts';
import { telemetryMigrations } from '../modules/telemetry/telemetry-migrations.ts';
import { accessMigrations } from '../modules/tenants/access-migrations.ts';
import { tenantsMigrations } from '../modules/tenants/tenants-migrations.ts';
import { usersMigrations } from '../modules/users/users-migrations.ts';
import { externalMigration, type Migration } from './migrations.ts';

/** In the order they run; every module adds one line. */
export const migrationList: readonly Migration[] = [
  ...tenantsMigrations,
  ...auditMigrations,
  ...identityMigrations,
  ...meMigrations,
  ...accessMigrations,
  ...confirmationsMigrations,
  ...mailMigrations,
  ...invitationsMigrations,
  ...clerkMigrations,
  ...usersMigrations,
  ...contactsMigrations,
  ...contractMigrations,
  ...onboardingMigrations,
  ...notificationsMigrations,
  ...engineMigrations.map((migration) => {
    const isMade = (name: string) => migration.sql.includes(`create table ${name} `);
    return externalMigration({
      ...migration,
      tenantTables: engineTables.filter(isMade),
      systemTables: engineSystemTables.filter(isMade),
    });
  }),
  ...playbooksMigrations,
  ...activityMigrations,
  ...connectorsMigrations,
  ...policiesMigrations,
  ...ruleResponsesMigrations,
  ...casesMigrations,
  ...detectionMigrations,
  ...settingsMigrations,
  ...marketplaceMigrations,
  ...customersMigrations,
  ...sourcesMigrations,
  ...ingestionMigrations,
  ...connectorWorkMigrations,
  ...ownNetworksMigrations,
  ...openapiImportMigrations,
  ...reportsMigrations,
  ...executiveReportsMigrations,
  ...searchMigrations,
  ...automationMigrations,
  ...caseWorkMigrations,
  ...domainReviewMigrations,
  ...telemetryMigrations,
  ...automationRulesMigrations,
  ...restoreFenceMigrations,
  ...automationStopMigrations,
  ...operationsMigrations,
  ...keyedAnswersMigrations,
];
