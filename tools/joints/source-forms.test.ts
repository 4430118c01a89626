/** An event source of every kind: made, sent to as its set-up says, renamed. */
import { sourceKinds } from '@airdeck/contracts/sources/schema';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstEventCommand, sourceKindWords } from '../../apps/dashboard/src/components/source-command.ts';
import { guidesFor } from '../../apps/dashboard/src/components/source-connect/source-guides.ts';
import { sourceMutations, sourceQueries } from '../../apps/dashboard/src/queries/sources.ts';
import { type JoinedProduct, joinProduct } from './joined-product.ts';

let product: JoinedProduct;

beforeAll(async () => {
  product = await joinProduct();
});
afterAll(() => product?.close());

async function read(id: string) {
  const { queryClient, tenantApi } = product;
  const list = await queryClient.fetchQuery({ ...sourceQueries.list(tenantApi), staleTime: 0 });
  return list.find((each) => each.id === id);
}

/** What curl sends: address, headers and body, each in single quotes. */
function sentBy(command: string) {
  const [url = '', ...rest] = [...command.matchAll(/'([^']*)'/g)].map(([, text = '']) => text);
  const body = rest.pop() ?? '';
  const headers = rest.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  return { url, body, headers: Object.fromEntries(headers) as Record<string, string> };
}

test('every kind is offered', () => {
  expect(Object.keys(sourceKindWords).toSorted()).toEqual(sourceKinds.toSorted());
});

describe.each(sourceKinds)('a source of kind %s', (kind) => {
  test('is made, takes the event its command sends, and is renamed', async () => {
    const { queryClient, tenantApi, intent, server } = product;
    const creating = sourceMutations.create(tenantApi, queryClient, intent);
    const body = { name: `Source of ${kind}`, kind };
    const { token, ...made } = await queryClient.getMutationCache().build(queryClient, creating).execute(body);
    expect(made).toMatchObject(body);
    expect(await read(made.id)).toEqual(made);

    const { url, ...sent } = sentBy(firstEventCommand(made, token));
    const answer = await server.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: sent.headers,
      payload: sent.body,
    });
    expect([answer.statusCode, answer.json()]).toMatchObject([202, { accepted: 1, rejected: 0 }]);
    for (const guide of guidesFor(made, token)) {
      const told = guide.pieces.map(({ text }) => text).join('\n');
      expect([guide.id, told.includes(token)]).toEqual([guide.id, true]);
    }

    const renaming = sourceMutations.rename(tenantApi, queryClient, made.id);
    const name = 'n'.repeat(100);
    await queryClient.getMutationCache().build(queryClient, renaming).execute(name);
    expect(await read(made.id)).toMatchObject({ id: made.id, kind, name });
  });
});
