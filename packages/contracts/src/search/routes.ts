import { z } from 'zod';
import { requirements } from '../access/requirements.ts';
import { tenantIdParamsSchema, tenantParamsSchema, timeInputSchema } from '../fields.ts';
import { defineRoutes } from '../route.ts';
import {
  foundEventSchema,
  savedSearchInputSchema,
  savedSearchSchema,
  savedSearchUpdateSchema,
  searchAnswerSchema,
  searchBodySchema,
  searchFieldsSchema,
  searchScopeSchema,
  searchSelectionSchema,
  searchTailQuerySchema,
  searchValuesQuerySchema,
  searchValuesSchema,
} from './schema.ts';

const access = { kind: 'tenant', ...requirements.search } as const;
const path = '/api/tenants/{tenant}/search';
/** What every question to the store can come to. */
const refusals = ['QUERY_INVALID', 'SEARCH_TOO_EXPENSIVE', 'RATE_LIMITED', 'OVERLOADED', 'STORE_UNAVAILABLE'] as const;

export const searchRoutes = defineRoutes({
  'search.run': {
    method: 'POST',
    path,
    summary: 'Search events, newest or oldest first, with their total and how they spread over time',
    access,
    params: tenantParamsSchema,
    body: searchBodySchema,
    response: searchAnswerSchema,
    errors: [...refusals],
  },
  'search.fields': {
    method: 'POST',
    path: `${path}/fields`,
    summary: 'Fields of what a search finds with their most frequent values, from a sample of the newest events',
    access,
    params: tenantParamsSchema,
    body: searchSelectionSchema,
    response: searchFieldsSchema,
    errors: [...refusals],
  },
  'search.values': {
    method: 'GET',
    path: `${path}/values`,
    summary: 'Values of a field that begin with what was typed',
    access,
    params: tenantParamsSchema,
    query: searchValuesQuerySchema,
    response: searchValuesSchema,
    errors: [...refusals],
  },
  'search.scopes': {
    method: 'GET',
    path: `${path}/integrations`,
    summary: 'Integrations and event types that events have come from',
    access,
    params: tenantParamsSchema,
    response: z.array(searchScopeSchema),
    errors: [...refusals],
  },
  'search.event': {
    method: 'GET',
    path: `${path}/events/{id}`,
    summary: 'One event; faster when its time is known',
    access,
    params: tenantIdParamsSchema,
    query: z.strictObject({ time: timeInputSchema.optional() }),
    response: foundEventSchema,
    errors: ['NOT_FOUND', ...refusals],
  },
  'search.tail': {
    method: 'GET',
    path: `${path}/tail`,
    summary: 'Server-sent events: what matches as it arrives',
    access,
    params: tenantParamsSchema,
    query: searchTailQuerySchema,
    response: 'stream',
    errors: [...refusals],
  },
  'search.saved-list': {
    method: 'GET',
    path: `${path}/saved`,
    summary: "Saved searches: the caller's own and those shared in the tenant, by name",
    access,
    params: tenantParamsSchema,
    response: z.array(savedSearchSchema),
  },
  'search.saved-create': {
    method: 'POST',
    path: `${path}/saved`,
    summary: 'Save a search',
    access,
    params: tenantParamsSchema,
    body: savedSearchInputSchema,
    status: 201,
    response: savedSearchSchema,
    errors: ['CONFLICT', 'QUERY_INVALID'],
  },
  'search.saved-update': {
    method: 'PUT',
    path: `${path}/saved/{id}`,
    summary: 'Change a saved search',
    access,
    params: tenantIdParamsSchema,
    body: savedSearchUpdateSchema,
    response: savedSearchSchema,
    errors: ['NOT_FOUND', 'CONFLICT', 'QUERY_INVALID'],
  },
  'search.saved-delete': {
    method: 'DELETE',
    path: `${path}/saved/{id}`,
    summary: 'Delete a saved search',
    access,
    params: tenantIdParamsSchema,
    status: 204,
    response: 'empty',
    errors: ['NOT_FOUND'],
  },
});
