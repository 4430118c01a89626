import { EgressError } from '@airdeck/connector-kit/egress-error';

/**
 * Asks for a page, and where its answer has more bytes than the egress module takes, again for a quarter as many records,
 * down to one: the same page would be too large each time it is asked for, and the source would stand there for good.
 * `size` is what was asked for at last; by it a page is full or not. Throws what `ask` throws, for a single record too.
 */
export async function fittingPage<Page>(
  pageSize: number,
  ask: (size: number) => Promise<Page>,
): Promise<{ page: Page; size: number }> {
  for (let size = pageSize; ; size = Math.max(Math.floor(size / 4), 1)) {
    try {
      return { page: await ask(size), size };
    } catch (error) {
      if (size === 1 || !(error instanceof EgressError) || error.code !== 'BODY_TOO_LARGE') throw error;
    }
  }
}
