import { actionRoutes } from './actions/routes.ts';
import { activityRoutes } from './activity/routes.ts';
import { caseRoutes } from './cases/routes.ts';
import { dashboardRoutes } from './dashboards/routes.ts';
import { meRoutes } from './me/routes.ts';
import { playbookRoutes } from './playbooks/routes.ts';
import { policyRoutes } from './policies/routes.ts';
import { ruleResponseRoutes } from './rule-responses/routes.ts';
import { sourceRoutes } from './sources/routes.ts';
import { systemRoutes } from './system/routes.ts';
import { tenantRoutes } from './tenants/routes.ts';

/**
 * Every route of the API. The server binds exactly these, the client calls only these, the OpenAPI document and the
 * authorization sweep are made from them.
 */
export const routeTable = {
  ...systemRoutes,
  ...meRoutes,
  ...tenantRoutes,
  ...dashboardRoutes,
  ...caseRoutes,
  ...policyRoutes,
  ...ruleResponseRoutes,
  ...playbookRoutes,
  ...activityRoutes,
  ...actionRoutes,
  ...sourceRoutes,
};

export type RouteTable = typeof routeTable;
export type RouteId = keyof RouteTable;
