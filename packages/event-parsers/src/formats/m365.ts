import { blankEvent, setTime } from '../blank-event.ts';
import { addressWithPort, outcomeOf, severityOf, snakeCase, textOf } from '../column-values.ts';
import { readTime } from '../event-time.ts';
import type { ObjectFormat } from '../format.ts';

/** Names of the unified audit log for what our policies call by one word; others are kept, in snake case. */
const actions: ReadonlyMap<string, string> = new Map([
  ['UserLoggedIn', 'login'],
  ['UserLoginFailed', 'login'],
  ['MailboxLogin', 'login'],
  ['New-InboxRule', 'create_inbox_rule'],
  ['Set-InboxRule', 'change_inbox_rule'],
  ['Add user.', 'create_user'],
  ['Delete user.', 'delete_user'],
]);

/** Microsoft 365 unified audit log, from the Management Activity API or Log Analytics (`OfficeActivity`). */
export const m365Format: ObjectFormat = {
  name: 'm365',
  parse(object, reception) {
    const { Operation: operation, Workload, OfficeWorkload } = object;
    const workload = textOf(Workload) || textOf(OfficeWorkload);
    if (typeof operation !== 'string' || object.RecordType === undefined || workload === '') return undefined;
    const event = blankEvent(reception);
    const client = object.ClientIP ?? object.ClientIPAddress ?? object.Client_IPAddress ?? object.ActorIpAddress;
    setTime(event, readTime(object.CreationTime ?? object.Start_Time ?? object.TimeGenerated), reception);
    event.integration = 'm365';
    event.event_type = snakeCase(workload);
    event.action = actions.get(operation) ?? snakeCase(operation);
    event.outcome =
      operation === 'UserLoginFailed' ? 'failure' : outcomeOf(object.ResultStatus) || partlyOf(object.ResultStatus);
    event.severity = severityOf(object.Severity);
    event.message = `${operation} ${textOf(object.ObjectId)}`.trim();
    event.user = textOf(object.UserId);
    event.src_ip = addressWithPort(client).address;
    event.host = workload;
    event.fields = object as Record<string, unknown>;
    return event;
  },
};

/** `PartiallySucceeded` changed something. */
function partlyOf(value: unknown): string {
  return value === 'PartiallySucceeded' ? 'success' : '';
}
