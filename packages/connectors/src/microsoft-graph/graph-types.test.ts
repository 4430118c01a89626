import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startVendorFixture } from '../sandbox-fixture.ts';
import { alertClassifications, alertDeterminations, alertStatuses } from './update-alert.ts';

const shared = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../shared/data');
const file = resolve(shared, 'specs/graph_security_alerts.csdl.xml');
const isThere = existsSync(file);

describe.skipIf(!isThere)(
  `Microsoft Graph connector and stand-in against the published types${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`,
  () => {
    let types: string;
    beforeAll(() => {
      types = readFileSync(file, 'utf8');
    });

    const block = (tag: string, name: string) =>
      new RegExp(`<${tag} Name="${name}"[^>]*>([\\s\\S]*?)</${tag}>`).exec(types)?.[1] ?? '';
    const namesIn = (text: string, tag: string) =>
      [...text.matchAll(new RegExp(`<${tag} Name="(\\w+)"`, 'g'))].map((match) => match[1]);
    const members = (name: string) =>
      namesIn(block('EnumType', name), 'Member').filter((member) => member !== 'unknownFutureValue');

    it('offers exactly the published values', () => {
      expect(alertStatuses.toSorted()).toEqual(
        members('alertStatus')
          .filter((member) => member !== 'unknown')
          .toSorted(),
      );
      expect(alertClassifications.toSorted()).toEqual(members('alertClassification').toSorted());
      expect(alertDeterminations.toSorted()).toEqual(members('alertDetermination').toSorted());
    });

    it('has alerts of the published form', async () => {
      const properties = [...namesIn(block('EntityType', 'alert'), 'Property'), 'id', '@odata.type'];
      const fixture = await startVendorFixture();
      try {
        await fetch(`${fixture.sandbox.url}/microsoft_graph/sandbox/expire-tokens`, { method: 'POST' });
        const { alerts } = fixture.sandbox.state().microsoft_graph as { alerts: Record<string, unknown>[] };
        expect(alerts.length).toBeGreaterThan(0);
        for (const alert of alerts) {
          for (const field of Object.keys(alert)) expect(properties).toContain(field);
          expect(members('alertSeverity')).toContain(alert.severity);
          expect(members('serviceSource')).toContain(alert.serviceSource);
          expect(members('detectionSource')).toContain(alert.detectionSource);
        }
      } finally {
        await fixture.close();
      }
    });
  },
);
