import { EgressError } from '@airdeck/connector-kit/egress-error';
import { VendorError } from '@airdeck/connector-kit/vendor-error';
import { describe, expect, it } from 'vitest';
import { fittingPage } from './fitting-page.ts';
import { failureOf } from './sandbox-fixture.ts';

describe('a page that fits into an answer', () => {
  /** A vendor whose answers fit up to so many records. */
  const vendorOf = (fits: number) => {
    const asked: number[] = [];
    const ask = async (size: number) => {
      asked.push(size);
      if (size > fits) throw new EgressError('BODY_TOO_LARGE', 'too large');
      return { ok: true };
    };
    return { asked, ask };
  };

  it.each<[number, number[]]>([
    [500, [500]],
    [499, [500, 125]],
    [40, [500, 125, 31]],
    [1, [500, 125, 31, 7, 1]],
  ])('where %s records do is found in quarters', async (fits, sizes) => {
    const { asked, ask } = vendorOf(fits);
    expect(await fittingPage(500, ask)).toEqual({ page: { ok: true }, size: sizes.at(-1) });
    expect(asked).toEqual(sizes);
  });

  it('is not there where a single record is too large, nor after any other failure', async () => {
    const { asked, ask } = vendorOf(0);
    expect(await failureOf(fittingPage(10, ask))).toMatchObject({ code: 'BODY_TOO_LARGE' });
    expect(asked).toEqual([10, 2, 1]);
    let calls = 0;
    const refused = fittingPage(10, async () => {
      calls += 1;
      throw new VendorError('VENDOR_RATE_LIMITED', 'not now');
    });
    expect(await failureOf(refused)).toMatchObject({ code: 'VENDOR_RATE_LIMITED' });
    expect(calls).toBe(1);
  });
});
