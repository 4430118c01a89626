import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createRegistry } from '@airdeck/connector-kit/registry';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../actions/schema-check.ts';
import { compileIntegration } from './openapi-connector.ts';
import { readDocument } from './openapi-document.ts';
import { makeIntegration } from './openapi-integration.ts';
import { listOperations } from './openapi-operations.ts';
import { createOpenapiReader } from './openapi-reader.ts';

const small = Buffer.from('openapi: 3.1.0\npaths:\n  /x:\n    get: { responses: {} }\n');

/** From the sources a thread begins with compiling them, which a busy machine takes its time for. */
const patient = { timeoutMs: 120_000 };

describe('reading in a thread of its own', () => {
  it('lists, makes and passes refusals on, and leaves the bytes to its caller', async () => {
    const reader = createOpenapiReader(patient);
    const bytes = Buffer.from(small);
    expect(await reader.list(bytes)).toMatchObject({ operations: [{ key: 'GET /x', unsupported: null }] });
    expect(await reader.make(bytes, ['GET /x'])).toMatchObject({ actions: [{ verb: 'get_x' }] });
    await expect(reader.make(bytes, ['GET /y'])).rejects.toMatchObject({ code: 'OPERATION_UNKNOWN' });
    expect(bytes.equals(small)).toBe(true);
  });

  it('stops a document that wants more memory or time than there is', async () => {
    const huge = Buffer.from(`openapi: 3.0.0\nx:\n${'  - {a: 1, b: [1, 2, 3]}\n'.repeat(150_000)}`);
    await expect(createOpenapiReader({ ...patient, heapMb: 24 }).list(huge)).rejects.toMatchObject({
      code: 'READING_STOPPED',
    });
    await expect(createOpenapiReader({ timeoutMs: 1 }).list(small)).rejects.toMatchObject({ code: 'READING_STOPPED' });
  });

  it('refuses what would only pile up', async () => {
    const reader = createOpenapiReader({ ...patient, maxWaiting: 1 });
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => reader.list(small)));
    const refused = all.filter((one) => one.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual([
      'READING_STOPPED',
      'READING_STOPPED',
    ]);
    expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(3);
  });
});

const shared = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../../shared/data');
const folder = resolve(shared, 'specs');
const present = existsSync(folder);
const documents = present
  ? readdirSync(folder).filter(
      (name) =>
        name.endsWith('.json') &&
        /"(?:openapi|swagger)"/.test(readFileSync(resolve(folder, name), 'utf8').slice(0, 400_000)),
    )
  : [];

describe.skipIf(!present)(`public descriptions${present ? '' : ' (AIRDECK_SHARED_DATA not found)'}`, () => {
  it('are there', () => {
    expect(documents.length).toBeGreaterThan(0);
  });

  it.each(documents)('%s becomes an integration that passes the check at boot', (name) => {
    const document = readDocument(readFileSync(resolve(folder, name)));
    const listed = listOperations(document);
    const chosen = listed.filter(({ unsupported }) => unsupported === null).slice(0, 100);
    expect(chosen.length).toBeGreaterThanOrEqual(listed.length * 0.8);
    const keys = chosen.map(({ key }) => key);
    const integration = makeIntegration(document, keys);
    for (const { input_schema } of integration.actions) expect(() => compileSchema(input_schema)).not.toThrow();
    const definition = compileIntegration('imported', integration);
    expect(createRegistry([definition]).listActions()).toHaveLength(chosen.length);
    expect(definition.config_schema.properties).toHaveProperty('base_url');
  });
});
