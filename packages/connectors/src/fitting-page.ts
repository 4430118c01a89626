import type { FetchContext } from '@airdeck/connector-kit/definition';
import { EgressError } from '@airdeck/connector-kit/egress-error';

type FittingPage<Page> = {
  readonly page: Page;
  /** What was asked for at last; by it a page is full or not. */
  readonly size: number;
  /** The one record of the page is too large to be taken: what is here is its outline. */
  readonly isOutline: boolean;
};

/**
 * Asks for a page, and where its answer has more bytes than the egress module takes, again for a quarter as many records,
 * down to one: the same page would be too large each time it is asked for, and the source would stand there for good. Of a
 * single record that is too large, the outline is asked for: by it the source goes on behind the record. Throws what `ask`
 * throws.
 */
export async function fittingPage<Page>(
  context: FetchContext,
  {
    pageSize,
    ask,
    count,
  }: {
    pageSize: number;
    /** Every call goes through the context that is given here. */
    ask: (context: FetchContext, size: number) => Promise<Page>;
    count: (page: Page) => number;
  },
): Promise<FittingPage<Page>> {
  for (let size = pageSize; ; size = Math.max(Math.floor(size / 4), 1)) {
    try {
      return { page: await ask(context, size), size, isOutline: false };
    } catch (error) {
      if (!(error instanceof EgressError) || error.code !== 'BODY_TOO_LARGE') throw error;
      if (size > 1) continue;
      const { page, isOutline } = await outlined(context, (own) => ask(own, 1));
      // More than was asked for: none of them may be too large alone.
      if (isOutline && count(page) > 1) throw error;
      return { page, size, isOutline };
    }
  }
}

async function outlined<Page>(
  context: FetchContext,
  ask: (context: FetchContext) => Promise<Page>,
): Promise<{ page: Page; isOutline: boolean }> {
  let isOutline = false;
  const page = await ask({
    ...context,
    egress: {
      async request(request) {
        const answer = await context.egress.request({ ...request, outline: true });
        isOutline ||= answer.isOutline === true;
        return answer;
      },
    },
  });
  return { page, isOutline };
}
