import { actionRoutes } from './actions/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { airOverviewRoutes } from './air-overview/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { automationRuleRoutes } from './automation-rules/routes.ts';
import { caseRoutes } from './cases/routes.ts';
import { clerkRoutes } from './clerk/routes.ts';
import { connectorRoutes } from './connectors/routes.ts';
import { contactRoutes } from './contacts/routes.ts';
import { contractRoutes } from './contract/routes.ts';
import { customerRoutes } from './customers/routes.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { marketplaceRoutes } from './marketplace/routes.ts';
import { meRoutes } from './me/routes.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { onboardingRoutes } from './onboarding/routes.ts';
import { openapiRoutes } from './openapi/routes.ts';
import { operationsRoutes } from './operations/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { ownNetworkRoutes } from './own-networks/routes.ts';
import { playbookRoutes } from './playbooks/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { executiveReportRoutes } from './reports/executive-routes.ts';
import { figureReportRoutes } from './reports/figure-routes.ts';
import { reportRoutes } from './reports/routes.ts';
import { ruleResponseRoutes } from './rule-responses/routes.ts';
import { searchRoutes } from './search/routes.ts';
import { settingsRoutes } from './settings/routes.ts';
import { signupRoutes } from './signup/routes.ts';
import { sourceRoutes } from './sources/routes.ts';
import { systemRoutes } from './system/routes.ts';
import { telemetryRoutes } from './telemetry/routes.ts';
import { tenantRoutes } from './tenants/routes.ts';
import { userRoutes } from './users/routes.ts';

/**
 * Every route of the API. The server binds exactly these, the client calls only these, the OpenAPI document and the
 * authorization sweep are made from them.
 */
export const routeTable = {
  ...systemRoutes,
  ...meRoutes,
  ...tenantRoutes,
  ...userRoutes,
  ...settingsRoutes,
  ...ownNetworkRoutes,
  ...customerRoutes,
  ...overviewRoutes,
  ...contactRoutes,
  ...contractRoutes,
  ...onboardingRoutes,
  ...notificationRoutes,
  ...auditRoutes,
  ...signupRoutes,
  ...marketplaceRoutes,
  ...clerkRoutes,
  ...dashboardRoutes,
  ...caseRoutes,
  ...airOverviewRoutes,
  ...policyRoutes,
  ...ruleResponseRoutes,
  ...automationRuleRoutes,
  ...playbookRoutes,
  ...activityRoutes,
  ...actionRoutes,
  ...integrationRoutes,
  ...openapiRoutes,
  ...connectorRoutes,
  ...sourceRoutes,
  ...searchRoutes,
  ...reportRoutes,
  ...figureReportRoutes,
  ...executiveReportRoutes,
  ...telemetryRoutes,
  ...operationsRoutes,
};

export type RouteTable = typeof routeTable;
export type RouteId = keyof RouteTable;
