import {
  type CaseBulk,
  type CaseBulkAnswer,
  caseBulkAnswerSchema,
  caseDetailSchema,
} from '@airdeck/contracts/cases/schema';
import { expect } from 'vitest';
import type { ActivityFixture, Workspace } from '../activity/activity-fixture.ts';

/** What tests of cases ask for as an Analyst of the workspace of the moment. */
export function caseCalls(present: () => { fixture: ActivityFixture; workspace: Workspace }) {
  const post = (path: string, body: object, headers = {}) => {
    const { fixture, workspace } = present();
    return fixture.call(workspace.analyst, 'POST', `/api/tenants/${workspace.tenant}/case${path}`, body, headers);
  };
  return {
    async open(alert_name: string, more: object = {}) {
      const { status, body } = await post('', { alert_name, ...more });
      expect(status).toBe(201);
      return caseDetailSchema.parse(body);
    },
    async bulk(body: CaseBulk, headers = {}): Promise<CaseBulkAnswer> {
      const answer = await post('/bulk', body, headers);
      expect(answer).toMatchObject({ status: 200 });
      return caseBulkAnswerSchema.parse(answer.body);
    },
    change: (id: string, body: object) => post(`/${id}`, body),
    /** How many records of the action the audit log of the tenant has. */
    async audited(action: string): Promise<number> {
      const { fixture, workspace } = present();
      const records = await fixture.db.system((tx) =>
        tx
          .selectFrom('audit_record')
          .select('action')
          .where('tenant_id', '=', workspace.tenant)
          .where('action', '=', action)
          .execute(),
      );
      return records.length;
    },
  };
}

export function outcomes({ results }: CaseBulkAnswer): string[] {
  return results.map(
    ({ reference, outcome, message }) => `${reference} ${outcome}${message === null ? '' : `: ${message}`}`,
  );
}
