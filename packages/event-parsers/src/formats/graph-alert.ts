import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { blankEvent, setTime } from '../blank-event.ts';
import { addressOf, severityOf, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { ObjectFormat } from '../format.ts';

/** Alerts of Microsoft Graph security (`alerts_v2`): Defender, Sentinel, Entra ID Protection, Purview. */
export const graphAlertFormat: ObjectFormat = {
  name: 'microsoft_graph',
  parse(object, reception) {
    const { evidence, serviceSource, detectionSource, providerAlertId } = object;
    const isAlert = object['@odata.type'] === '#microsoft.graph.security.alert';
    if (!isAlert && (serviceSource === undefined || providerAlertId === undefined || detectionSource === undefined)) {
      return undefined;
    }
    const event = blankEvent(reception);
    setTime(event, readTime(object.lastUpdateDateTime ?? object.createdDateTime), reception);
    event.integration = 'microsoft_graph';
    event.event_type = 'alert';
    event.action = 'alert';
    event.severity = severityOf(object.severity);
    event.message = textOf(object.title) || textOf(object.description);
    if (Array.isArray(evidence)) for (const item of evidence) takeEvidence(event, item);
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

/** The first of each kind counts: the vendor lists the most important first. */
function takeEvidence(event: ParsedEvent, item: unknown): void {
  if (!isJsonObject(item)) return;
  event.src_ip ||= addressOf(item.ipAddress);
  event.host ||= textOf(item.deviceDnsName) || textOf(item.hostName);
  const account = isJsonObject(item.userAccount) ? item.userAccount : undefined;
  if (account !== undefined) event.user ||= textOf(account.userPrincipalName) || textOf(account.accountName);
}
