import type { Transaction } from 'kysely';
import type { ActivityTables } from '../modules/activity/activity-tables.ts';
import type { AuditTables } from '../modules/audit/audit-tables.ts';
import type { AutomationRulesTables } from '../modules/automation-rules/automation-rules-tables.ts';
import type { CasesTables } from '../modules/cases/cases-tables.ts';
import type { ClerkTables } from '../modules/clerk/clerk-tables.ts';
import type { ConfirmationsTables } from '../modules/confirmations/confirmations-tables.ts';
import type { ConnectorsTables } from '../modules/connectors/connectors-tables.ts';
import type { ContactsTables } from '../modules/contacts/contacts-tables.ts';
import type { ContractTables } from '../modules/contract/contract-tables.ts';
import type { CustomersTables } from '../modules/customers/customers-tables.ts';
import type { DetectionTables } from '../modules/detection/detection-tables.ts';
import type { ExecutiveReportsTables } from '../modules/executive-reports/executive-reports-tables.ts';
import type { IngestionTables } from '../modules/ingestion/ingestion-tables.ts';
import type { InvitationsTables } from '../modules/invitations/invitations-tables.ts';
import type { KeyedAnswersTables } from '../modules/keyed-answers/keyed-answers-tables.ts';
import type { MailTables } from '../modules/mail/mail-tables.ts';
import type { MarketplaceTables } from '../modules/marketplace/marketplace-tables.ts';
import type { MeTables } from '../modules/me/me-tables.ts';
import type { NotificationsTables } from '../modules/notifications/notifications-tables.ts';
import type { OnboardingTables } from '../modules/onboarding/onboarding-tables.ts';
import type { OpenapiImportTables } from '../modules/openapi-import/openapi-import-tables.ts';
import type { OperationsTables } from '../modules/operations/operations-tables.ts';
import type { OwnNetworksTables } from '../modules/own-networks/own-networks-tables.ts';
import type { PlaybooksTables } from '../modules/playbooks/playbooks-tables.ts';
import type { PoliciesTables } from '../modules/policies/policies-tables.ts';
import type { ReportsTables } from '../modules/reports/reports-tables.ts';
import type { RestoreFenceTables } from '../modules/restore-fence/restore-fence-tables.ts';
import type { RuleResponsesTables } from '../modules/rule-responses/rule-responses-tables.ts';
import type { SearchTables } from '../modules/search/search-tables.ts';
import type { SettingsTables } from '../modules/settings/settings-tables.ts';
import type { SourcesTables } from '../modules/sources/sources-tables.ts';
import type { SsoTables } from '../modules/sso/sso-tables.ts';
import type { TelemetryTables } from '../modules/telemetry/telemetry-tables.ts';
import type { TenantsTables } from '../modules/tenants/tenants-tables.ts';
import type { UsersTables } from '../modules/users/users-tables.ts';

/** Every module adds its tables here, one line each. */
export type Tables = TenantsTables &
  MeTables &
  AuditTables &
  ConfirmationsTables &
  MailTables &
  InvitationsTables &
  UsersTables &
  ContactsTables &
  ContractTables &
  OnboardingTables &
  NotificationsTables &
  PlaybooksTables &
  ActivityTables &
  ConnectorsTables &
  RuleResponsesTables &
  AutomationRulesTables &
  PoliciesTables &
  CasesTables &
  DetectionTables &
  SettingsTables &
  SearchTables &
  OwnNetworksTables &
  OpenapiImportTables &
  MarketplaceTables &
  CustomersTables &
  SourcesTables &
  ReportsTables &
  ExecutiveReportsTables &
  SsoTables &
  ClerkTables &
  IngestionTables &
  TelemetryTables &
  RestoreFenceTables &
  OperationsTables &
  KeyedAnswersTables;

export type Tx = Transaction<Tables>;
