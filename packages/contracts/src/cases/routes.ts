import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import { caseDocumentQuerySchema } from './case-document.ts';
import { eventCaseSchema, eventCasesQuerySchema } from './event-cases.ts';
import {
  caseBulkAnswerSchema,
  caseBulkSchema,
  caseCreateSchema,
  caseDetailSchema,
  caseExportSchema,
  caseListQuerySchema,
  caseListSchema,
  caseSuppressionListQuerySchema,
  caseSuppressionListSchema,
  caseUpdateSchema,
} from './schema.ts';
import { slaSettingsInputSchema, slaSettingsSchema } from './sla-settings.ts';

const path = '/api/tenants/{tenant}/case';

export const caseRoutes = defineRoutes({
  'cases.list': {
    method: 'GET',
    path,
    summary: 'Cases with total and facet counts',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: caseListQuerySchema,
    response: caseListSchema,
  },
  'cases.create': {
    method: 'POST',
    path,
    summary: 'Open a case by hand',
    access: { kind: 'tenant', ...requirements.airWork },
    params: tenantParamsSchema,
    body: caseCreateSchema,
    status: 201,
    response: caseDetailSchema,
    errors: ['IDEMPOTENCY_KEY_REUSED'],
  },
  'cases.bulk': {
    method: 'POST',
    path: `${path}/bulk`,
    summary:
      'Do the same to many cases: acknowledge, close, assign, tag, comment, run a playbook; answers case by case',
    access: { kind: 'tenant', ...requirements.airWork },
    params: tenantParamsSchema,
    body: caseBulkSchema,
    response: caseBulkAnswerSchema,
    // Not `acts`: behind the restore fence cases are changed as always, and a playbook alone is refused.
    errors: [
      'NOT_FOUND',
      'CONFLICT',
      'PLAYBOOK_NOT_PUBLISHED',
      'RATE_LIMITED',
      'IDEMPOTENCY_KEY_REUSED',
      'RESTORE_FENCE_UP',
    ],
  },
  'cases.of-event': {
    method: 'GET',
    path: `${path}/of_event`,
    summary: 'Cases an event belongs to, newest first; none for an event nobody knows',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: eventCasesQuerySchema,
    response: z.array(eventCaseSchema),
  },
  'cases.get': {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'A case with its story, matched events, entities and related cases',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantIdParamsSchema,
    response: caseDetailSchema,
    errors: ['NOT_FOUND'],
  },
  'cases.update': {
    method: 'POST',
    path: `${path}/{id}`,
    summary: 'Acknowledge, close, reopen, assign, tag, comment; every change becomes an entry of the story',
    access: { kind: 'tenant', ...requirements.airWork },
    params: tenantIdParamsSchema,
    body: caseUpdateSchema,
    response: caseDetailSchema,
    errors: ['NOT_FOUND', 'CASE_TRANSITION_REFUSED', 'CONFLICT', 'IDEMPOTENCY_KEY_REUSED'],
  },
  'cases.export': {
    method: 'GET',
    path: `${path}/{id}/export`,
    summary: 'Everything of a case as one document',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantIdParamsSchema,
    response: caseExportSchema,
    errors: ['NOT_FOUND'],
  },
  'cases.pdf': {
    method: 'GET',
    path: `${path}/{id}/pdf`,
    summary: 'A case as a PDF: its facts, its story, and its first 500 events',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantIdParamsSchema,
    query: caseDocumentQuerySchema,
    response: 'stream',
    sends: ['application/pdf'],
    errors: ['NOT_FOUND', 'RATE_LIMITED', 'OVERLOADED'],
  },
  'case-suppressions.list': {
    method: 'GET',
    path: '/api/tenants/{tenant}/case_suppressions',
    summary: 'Groups of policies that open no case for now, the next to end first',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    query: caseSuppressionListQuerySchema,
    response: caseSuppressionListSchema,
  },
  'case-suppressions.end': {
    method: 'DELETE',
    path: '/api/tenants/{tenant}/case_suppressions/{id}',
    summary: 'End a suppression: events from now on open cases again',
    access: { kind: 'tenant', ...requirements.airWork },
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
  'case-sla.get': {
    method: 'GET',
    path: '/api/tenants/{tenant}/case_sla',
    summary: 'Times to respond and to resolve, by severity',
    access: { kind: 'tenant', ...requirements.signedIn },
    params: tenantParamsSchema,
    response: slaSettingsSchema,
  },
  'case-sla.update': {
    method: 'PUT',
    path: '/api/tenants/{tenant}/case_sla',
    summary: 'Set the times to respond and to resolve; cases that are open keep theirs',
    access: { kind: 'tenant', ...requirements.tenantSettings },
    params: tenantParamsSchema,
    body: slaSettingsInputSchema,
    response: slaSettingsSchema,
    errors: ['CONFLICT'],
  },
});
