import { requirements } from '../access/requirements.ts';
import { tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { activityReportCsvQuerySchema, activityReportQuerySchema, activityReportSchema } from './activity-report.ts';
import { eventUsageSchema, logReportCsvQuerySchema, logReportQuerySchema, logReportSchema } from './log-report.ts';

const access = { kind: 'tenant', ...requirements.signedIn } as const;
const path = '/api/tenants/{tenant}/reports';

export const figureReportRoutes = defineRoutes({
  'activity-report.get': {
    method: 'GET',
    path: `${path}/soar`,
    summary: 'SOAR report: actions and playbooks of a time, their results, and the time they saved',
    access,
    params: tenantParamsSchema,
    query: activityReportQuerySchema,
    response: activityReportSchema,
  },
  'activity-report.csv': {
    method: 'GET',
    path: `${path}/soar/csv`,
    summary: 'One table of the SOAR report as a CSV file',
    access,
    params: tenantParamsSchema,
    query: activityReportCsvQuerySchema,
    response: 'stream',
    sends: ['text/csv'],
  },
  'log-report.get': {
    method: 'GET',
    path: `${path}/log_collection`,
    summary: 'Log-collection report: volume by source and day, top talkers, silent sources, retention',
    access,
    params: tenantParamsSchema,
    query: logReportQuerySchema,
    response: logReportSchema,
  },
  'log-report.usage': {
    method: 'GET',
    path: `${path}/log_collection/usage`,
    summary: 'Events and bytes that a tenant sends, by day',
    access,
    params: tenantParamsSchema,
    query: logReportQuerySchema,
    response: eventUsageSchema,
  },
  'log-report.csv': {
    method: 'GET',
    path: `${path}/log_collection/csv`,
    summary: 'One table of the log-collection report as a CSV file',
    access,
    params: tenantParamsSchema,
    query: logReportCsvQuerySchema,
    response: 'stream',
    sends: ['text/csv'],
  },
});
