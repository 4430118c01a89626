import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  executiveReportCsvQuerySchema,
  executiveReportInputSchema,
  executiveReportListQuerySchema,
  executiveReportListSchema,
  executiveReportRecipientsSchema,
  executiveReportSchema,
  executiveReportSettingsInputSchema,
  executiveReportSettingsSchema,
} from './executive-report.ts';
import { downloadLinkSchema } from './schema.ts';

const reads = { kind: 'tenant', ...requirements.managedDetection } as const;
const makes = { kind: 'tenant', ...requirements.executiveReports } as const;
const settles = { kind: 'tenant', ...requirements.executiveReportSettings } as const;
const path = '/api/tenants/{tenant}/reports';

export const executiveReportRoutes = defineRoutes({
  'executive-reports.list': {
    method: 'GET',
    path,
    summary: 'Executive reports, newest first',
    access: reads,
    params: tenantParamsSchema,
    query: executiveReportListQuerySchema,
    response: executiveReportListSchema,
  },
  'executive-reports.create': {
    method: 'POST',
    path,
    summary: 'Make the executive report of a month; one that is there is made anew',
    access: makes,
    params: tenantParamsSchema,
    body: executiveReportInputSchema,
    status: 202,
    response: executiveReportSchema,
    errors: ['RATE_LIMITED', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'executive-reports.settings': {
    method: 'GET',
    path: `${path}/executive/settings`,
    summary: 'Whether reports are made each month, in which language, and who gets a mail',
    access: settles,
    params: tenantParamsSchema,
    response: executiveReportSettingsSchema,
  },
  'executive-reports.set-settings': {
    method: 'PUT',
    path: `${path}/executive/settings`,
    summary: 'Change when reports are made and who gets a mail',
    access: settles,
    params: tenantParamsSchema,
    body: executiveReportSettingsInputSchema,
    response: executiveReportSettingsSchema,
    errors: ['CONFLICT'],
  },
  'executive-reports.recipients': {
    method: 'GET',
    path: `${path}/executive/recipients`,
    summary: 'Contacts and members the mail can go to, by name',
    access: settles,
    params: tenantParamsSchema,
    response: executiveReportRecipientsSchema,
  },
  'executive-reports.link': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'A link to the file of an executive report, good for 35 minutes',
    access: reads,
    params: tenantIdParamsSchema,
    response: downloadLinkSchema,
    errors: ['NOT_FOUND'],
  },
  'executive-reports.csv': {
    method: 'GET',
    path: `${path}/{id}/csv`,
    summary: 'One table of an executive report as a CSV file',
    access: reads,
    params: tenantIdParamsSchema,
    query: executiveReportCsvQuerySchema,
    response: 'stream',
    sends: ['text/csv'],
    errors: ['NOT_FOUND'],
  },
  'executive-reports.delete': {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an executive report and its file; links in mails open nothing any more',
    access: settles,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
  'executive-reports.download': {
    method: 'GET',
    path: '/files/executive_reports/{link}',
    summary: 'The file behind a link of an executive report',
    access: { kind: 'public' },
    params: z.strictObject({ link: z.string().max(1000) }),
    response: 'stream',
    sends: ['application/pdf'],
    errors: ['NOT_FOUND'],
  },
});
