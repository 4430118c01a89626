import type { FastifyInstance } from 'fastify';
import { graphError, sendList } from './microsoft-graph-answers.ts';
import type { GraphDeps } from './microsoft-graph-data.ts';
import { objectOf } from './request-values.ts';

/** No links to next pages here: one moves the filter on, or skips a little. */
const rules = { topMax: 1000, skipMax: 500, defaultTop: 1000 };

const enums: Readonly<Record<string, readonly string[]>> = {
  status: ['unknown', 'new', 'inProgress', 'resolved'],
  classification: ['unknown', 'falsePositive', 'truePositive', 'informationalExpectedActivity'],
  determination: [
    'unknown',
    'apt',
    'malware',
    'securityPersonnel',
    'securityTesting',
    'unwantedSoftware',
    'other',
    'multiStagedAttack',
    'compromisedAccount',
    'phishing',
    'maliciousUserActivity',
    'notMalicious',
    'notEnoughDataToValidate',
    'confirmedActivity',
    'lineOfBusinessApplication',
  ],
};

type AlertRoute = { Params: { id: string }; Body: unknown };

export function registerAlerts(app: FastifyInstance, { current, now, url }: GraphDeps): void {
  app.get('/v1.0/security/alerts_v2', async (request, reply) =>
    sendList({ records: [...current().alerts.values()], rules, url: url() }, request, reply),
  );
  app.get<AlertRoute>('/v1.0/security/alerts_v2/:id', async (request, reply) => {
    const alert = current().alerts.get(request.params.id);
    return alert ?? graphError(reply, 404, 'ResourceNotFound', 'Alert was not found.');
  });
  app.patch<AlertRoute>('/v1.0/security/alerts_v2/:id', async (request, reply) => {
    const alert = current().alerts.get(request.params.id);
    if (alert === undefined) return graphError(reply, 404, 'ResourceNotFound', 'Alert was not found.');
    const changes = objectOf(request.body);
    for (const [field, value] of Object.entries(changes)) {
      const allowed = Object.hasOwn(enums, field) ? enums[field] : undefined;
      const isKnown = field === 'assignedTo' || allowed?.includes(String(value)) === true;
      if (!isKnown) return graphError(reply, 400, 'BadRequest', `Invalid value for property '${field}'.`);
    }
    Object.assign(alert, changes, { lastUpdateDateTime: now().toISOString() });
    return alert;
  });
}
