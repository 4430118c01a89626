import type { ConnectorContext, ConnectorDefinition, FetchPage } from '@airdeck/connector-kit/definition';
import type { Egress } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { createJsonOutline } from '@airdeck/connector-kit/json-outline';
import type { JsonObject } from '@airdeck/contracts/fields';

const MAX_PAGES = 50;

type Fetched = { records: JsonObject[]; cursor: JsonObject; pages: number; failures: Error[]; leftOut: number };

/**
 * One poll: pages until the source says that there is no more. Between two pages only what JSON keeps of the cursor is
 * left, as if the process had ended there. For tests of event sources.
 */
export async function poll(
  definition: ConnectorDefinition,
  context: ConnectorContext,
  { cursor = null, options = {} }: { cursor?: JsonObject | null; options?: JsonObject } = {},
): Promise<Fetched> {
  const records: JsonObject[] = [];
  const failures: Error[] = [];
  let leftOut = 0;
  let at = cursor;
  for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
    const page: FetchPage = await fetchPage(definition, context, { cursor: at, options });
    records.push(...page.records);
    leftOut += page.leftOut ?? 0;
    if (page.failure !== undefined) failures.push(page.failure);
    const stored = JSON.parse(JSON.stringify(page.cursor)) as JsonObject;
    if (!page.hasMore) return { records, cursor: stored, pages, failures, leftOut };
    at = stored;
  }
  throw new Error(`${definition.name} did not come to an end.`);
}

/** Takes answers of no more than `maxBytes`, or their outline, as the egress module does with those of ten megabytes. */
export function smallAnswers(egress: Egress, maxBytes: number): Egress {
  return {
    async request(request) {
      const answer = await egress.request(request);
      if (Buffer.byteLength(answer.text) <= maxBytes) return answer;
      if (request.outline !== true) throw new EgressError('BODY_TOO_LARGE', 'The answer is too large.');
      const outline = createJsonOutline(maxBytes);
      outline.write(Buffer.from(answer.text));
      return { ...answer, text: outline.text(), isOutline: true };
    },
  };
}

export async function fetchPage(
  definition: ConnectorDefinition,
  context: ConnectorContext,
  { cursor = null, options = {} }: { cursor?: JsonObject | null; options?: JsonObject } = {},
): Promise<FetchPage> {
  if (definition.fetchEvents === undefined) throw new Error(`${definition.name} has no event source.`);
  return definition.fetchEvents({ ...context, options, cursor });
}
