import type { VendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import { failureOf, startVendorServer } from '@airdeck/connector-kit/vendor-server-fixture';
import type { JsonObject } from '@airdeck/contracts/fields';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileIntegration } from './openapi-connector.ts';
import { readDocument } from './openapi-document.ts';
import { makeIntegration } from './openapi-integration.ts';

let server: VendorServer;
let text = '';
beforeAll(async () => {
  server = await startVendorServer(() => ({ text }));
});
afterAll(() => server.close());

const answered = async (document: JsonObject, words: string) => {
  text = words;
  const integration = makeIntegration(readDocument(Buffer.from(JSON.stringify(document))), ['POST /block']);
  const [action] = compileIntegration('own', integration).actions;
  const output = await action?.run(server.context({ config: { base_url: server.url } }));
  // What is not described cannot be found when a playbook is built.
  const described = Object.keys(action?.output_schema.properties as JsonObject);
  expect(described).toEqual(Object.keys(output ?? {}));
  return output;
};

const object = { type: 'object', properties: { id: { type: 'string' } } };
const swagger = (operation: JsonObject, answer: JsonObject = {}, root: JsonObject = {}): JsonObject => ({
  swagger: '2.0',
  ...root,
  paths: { '/block': { post: { responses: { 200: { description: 'ok', ...answer } }, ...operation } } },
});
const openapi = (answer: JsonObject): JsonObject => ({
  openapi: '3.0.3',
  paths: { '/block': { post: { responses: { 200: { description: 'ok', ...answer } } } } },
});
const plain = { produces: ['text/plain'] };
const json = { produces: ['application/json'] };

describe('the answer of an imported operation', () => {
  it.each<[string, JsonObject]>([
    ['the operation produces text', swagger(plain)],
    ['the operation produces text with a schema', swagger(plain, { schema: { type: 'string' } }, json)],
    ['the root produces text', swagger({}, { schema: { type: 'string' } }, plain)],
    ['the answer has content of text', openapi({ content: { 'text/plain': { schema: { type: 'string' } } } })],
  ])('is text where %s', async (_what, document) => {
    expect(await answered(document, 'OK')).toEqual({ status: 200, text: 'OK' });
    // Text that happens to be JSON is what was described all the same.
    expect(await answered(document, '12')).toEqual({ status: 200, text: '12' });
  });

  it.each<[string, JsonObject]>([
    ['it has a description only', openapi({})],
    ['it has a description only, in Swagger 2.0', swagger({})],
    ['it has a description only, in Swagger 2.0 that produces JSON', swagger({}, {}, json)],
    ['it may be anything', openapi({ content: { '*/*': { schema: { type: 'string' } } } })],
    ['it may be anything, in Swagger 2.0', swagger({ produces: ['*/*'] }, { schema: { type: 'string' } })],
    ['no type is named, in Swagger 2.0', swagger({}, { schema: { type: 'string' } })],
  ])('is what the service gives where %s: a change that was made must not look failed', async (_what, document) => {
    expect(await answered(document, 'OK')).toEqual({ status: 200, body: null, text: 'OK' });
    expect(await answered(document, '{"id":"7"}')).toEqual({ status: 200, body: { id: '7' }, text: null });
    expect(await answered(document, '')).toEqual({ status: 200, body: null, text: '' });
  });

  it.each<[string, JsonObject]>([
    ['the operation produces JSON', swagger(json, { schema: { type: 'string' } }, plain)],
    [
      'the operation produces JSON among others',
      swagger({ produces: ['text/plain', 'text/json'] }, { schema: object }),
    ],
    ['an object may come as anything', swagger({ produces: ['*/*'] }, { schema: object })],
    ['an object comes without a word on its type', swagger({}, { schema: object })],
    ['the answer has content of JSON', openapi({ content: { 'application/problem+json': {} } })],
    ['an object may come as anything, since OpenAPI 3', openapi({ content: { '*/*': { schema: object } } })],
  ])('is JSON and nothing else where %s: a page of a proxy is not an answer', async (_what, document) => {
    expect(await answered(document, '{"id":"7"}')).toEqual({ status: 200, body: { id: '7' } });
    expect(await failureOf(answered(document, '<html>Sign in</html>'))).toMatchObject({
      code: 'VENDOR_ANSWER_UNREADABLE',
    });
  });
});
