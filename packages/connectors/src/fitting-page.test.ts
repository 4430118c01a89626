import type { FetchContext } from '@airdeck/connector-kit/definition';
import type { EgressRequest } from '@airdeck/connector-kit/egress';
import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { describe, expect, it } from 'vitest';
import { fittingPage } from './fitting-page.ts';
import { actionContext, failureOf } from './sandbox-fixture.ts';

describe('a page that fits into an answer', () => {
  /** A vendor whose answers fit up to so many records, and have `given` of them where they were asked for one. */
  const vendorOf = (fits: number, given = 1) => {
    const asked: string[] = [];
    const request = async ({ url, outline }: EgressRequest) => {
      asked.push(outline === true ? `outline of ${url}` : url);
      if (outline !== true && Number(url) > fits) throw new EgressError('BODY_TOO_LARGE', 'too large');
      const told = fits > 0 ? {} : { isOutline: true };
      return { status: 200, headers: {}, text: '', retryAfterS: undefined, ...told };
    };
    const context: FetchContext = { ...actionContext({ request }, { config: {} }), options: {}, cursor: null };
    const fitted = (pageSize: number) =>
      fittingPage(context, {
        pageSize,
        async ask({ egress, tenant }, size) {
          await egress.request({ tenant, method: 'GET', url: String(size) });
          return { ok: true };
        },
        count: () => given,
      });
    return { asked, context, fitted };
  };

  it.each<[number, string[]]>([
    [500, ['500']],
    [499, ['500', '125']],
    [40, ['500', '125', '31']],
    [1, ['500', '125', '31', '7', '1']],
  ])('where %s records do is found in quarters', async (fits, sizes) => {
    const { asked, fitted } = vendorOf(fits);
    expect(await fitted(500)).toEqual({ page: { ok: true }, size: Number(sizes.at(-1)), isOutline: false });
    expect(asked).toEqual(sizes);
  });

  it('is an outline where a single record is too large', async () => {
    const { asked, fitted } = vendorOf(0);
    expect(await fitted(10)).toEqual({ page: { ok: true }, size: 1, isOutline: true });
    expect(asked).toEqual(['10', '2', '1', 'outline of 1']);
  });

  it('is not there where a vendor gives more than the one record it was asked for, nor after any other failure', async () => {
    expect(await failureOf(vendorOf(0, 2).fitted(10))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    let calls = 0;
    const refused = fittingPage(vendorOf(1).context, {
      pageSize: 10,
      async ask() {
        calls += 1;
        throw new VendorError('VENDOR_RATE_LIMITED', 'not now');
      },
      count: () => 0,
    });
    expect(await failureOf(refused)).toMatchObject({ code: 'VENDOR_RATE_LIMITED' });
    expect(calls).toBe(1);
  });
});
