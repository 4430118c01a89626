import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { JsonObject } from '@airdeck/contracts/fields';
import { AWS_ACCESS_KEY_ID } from '@airdeck/simulator/sandbox/aws-data';
import { describe, expect, it } from 'vitest';
import { useConnector } from '../connector-fixture.ts';
import { sandboxKeys } from '../sandbox-fixture.ts';
import { aws } from './aws.ts';

const shared = process.env.AIRDECK_SHARED_DATA ?? resolve(import.meta.dirname, '../../../../../shared/data');
const fileOf = (service: string) => resolve(shared, `specs/aws_${service}.smithy.json`);
const isThere = existsSync(fileOf('guardduty'));

type Member = { readonly target: string; readonly traits?: JsonObject };
type Shape = {
  readonly members?: Record<string, Member>;
  readonly input?: { target: string };
  readonly traits?: JsonObject;
};

describe.skipIf(!isThere)(
  `AWS connector and stand-in against the published models${isThere ? '' : ' (AIRDECK_SHARED_DATA not found)'}`,
  () => {
    const { run, calls, bodies } = useConnector(aws, (url) => ({
      region: 'eu-central-1',
      access_key_id: AWS_ACCESS_KEY_ID,
      secret_access_key: sandboxKeys.aws,
      endpoint_url: url,
    }));
    const shapes = (service: string) =>
      (JSON.parse(readFileSync(fileOf(service), 'utf8')) as { shapes: Record<string, Shape> }).shapes;
    const jsonNames = (shape: Shape | undefined) =>
      Object.entries(shape?.members ?? {}).map(([name, member]) => member.traits?.['smithy.api#jsonName'] ?? name);

    it('calls GuardDuty by its published addresses and fields', async () => {
      const model = shapes('guardduty');
      await run('archive_findings', { finding_ids: ['f0000000000000000000000000000000'] });
      await run('list_findings', { min_severity: 4 });
      const published = Object.values(model).flatMap(({ traits }) => {
        const http = traits?.['smithy.api#http'] as { method: string; uri: string } | undefined;
        return http === undefined ? [] : [`${http.method} ${http.uri}`];
      });
      for (const call of calls()) {
        expect(published).toContain(call.replace(/\/detector\/[^/]+/, '/detector/{DetectorId}').replace(/\?.*/, ''));
      }
      const request = JSON.parse(String(bodies().at(-2))) as JsonObject;
      expect(Object.keys(request)).toEqual(['findingCriteria', 'sortCriteria', 'maxResults']);
      const fields = jsonNames(model['com.amazonaws.guardduty#ListFindingsRequest']);
      for (const field of Object.keys(request)) expect(fields).toContain(field);
      const { criterion } = request.findingCriteria as { criterion: Record<string, JsonObject> };
      const conditions = jsonNames(model['com.amazonaws.guardduty#Condition']);
      for (const rule of Object.values(criterion))
        expect(conditions).toEqual(expect.arrayContaining(Object.keys(rule)));
    });

    it('has findings of the published form', async () => {
      const finding = shapes('guardduty')['com.amazonaws.guardduty#Finding'];
      const { raw } = await run('get_finding', { finding_id: 'f0000000000000000000000000000000' });
      for (const field of Object.keys(raw as JsonObject)) expect(jsonNames(finding)).toContain(field);
      const needed = Object.values(finding?.members ?? {}).filter(({ traits }) => traits?.['smithy.api#required']);
      for (const { traits } of needed)
        expect(Object.keys(raw as JsonObject)).toContain(traits?.['smithy.api#jsonName']);
    });

    it('calls IAM by published operations and parameters', async () => {
      const model = shapes('iam');
      await run('get_user', { user: 'ada.abend' });
      await run('deactivate_access_key', { user: 'deploy-bot', access_key_id: 'AKIAI44QH8DHBEXAMPLE' });
      await run('disable_user', { user: 'ada.abend' });
      await run('delete_login_profile', { user: 'ada.abend' });
      for (const body of bodies()) {
        const { Action, Version, ...parameters } = Object.fromEntries(new URLSearchParams(String(body)));
        const operation = model[`com.amazonaws.iam#${Action}`];
        expect(operation?.input, Action).toBeDefined();
        const members = Object.keys(model[operation?.input?.target ?? '']?.members ?? {});
        expect(members).toEqual(expect.arrayContaining(Object.keys(parameters)));
        expect(Version).toBe('2010-05-08');
      }
    });
  },
);
