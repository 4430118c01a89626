/** An event source of every kind: made, sent to as its set-up says, renamed. */
import { execFileSync } from 'node:child_process';
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

/** What a shell hands to curl: address, headers and body. */
function sentBy(command: string) {
  const shell = ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`];
  const given = execFileSync('sh', shell, { encoding: 'utf8' }).split('\0').slice(0, -1);
  const [url = ''] = given;
  const after = (option: string) => given.flatMap((_, at) => (given[at - 1] === option ? [given[at] ?? ''] : []));
  const headers = after('-H').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
  const [body = ''] = after('--data-binary');
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
