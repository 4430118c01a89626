import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseLine } from '@airdeck/event-parsers/parse-record';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { starterPolicies } from '../policies/starter-policies.ts';
import { createDetectionFixture, type DetectionFixture } from './detection-fixture.ts';

const sharedData = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../../shared/data');
const logPath = resolve(sharedData, 'events/linux/sshd_bruteforce.log');
const present = existsSync(logPath);

describe.skipIf(!present)(
  `a recorded password-guessing run${present ? '' : ' (AIRDECK_SHARED_DATA not found)'}`,
  () => {
    let fixture: DetectionFixture;
    beforeAll(async () => {
      fixture = await createDetectionFixture();
    });
    afterAll(() => fixture.close());

    test.each([1, 7, 1000])(
      'in batches of %i gives one case, with the 13 failures of the guessing address',
      async (size) => {
        const tenant = await fixture.newTenant();
        for (const rule of starterPolicies) await fixture.createPolicy(tenant, rule);
        const receivedAt = Date.parse('2026-03-01T12:00:00Z');
        const owner = { tenant: tenant.tenantId, source: v7(), batch: v7(), connector_id: '', received_at: receivedAt };
        const lines = readFileSync(logPath, 'utf8')
          .split('\n')
          .filter((line) => line !== '');
        const events = lines.map((line) => ({ ...parseLine(line, { receivedAt }), ...owner, id: v7() }));
        for (let from = 0; from < events.length; from += size) await fixture.ingest(events.slice(from, from + size));

        const cases = await fixture.casesOf(tenant);
        expect(cases.map((one) => [one.alert_name, one.meta_data_fields, one.event_count])).toEqual([
          ['SSH password guessing', { src_ip: '202.109.143.106' }, 13],
        ]);
        const detail = await fixture.detailOf(tenant, cases[0]?.id ?? '');
        expect(detail.events).toHaveLength(13);
        expect(
          detail.events.every((event) => event.raw.includes('Failed password for root from 202.109.143.106')),
        ).toBe(true);
      },
    );
  },
);
