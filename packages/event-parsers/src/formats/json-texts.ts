import type { ParsedEvent } from '@airdeck/contracts/events/event';
import { isJsonObject } from '@airdeck/contracts/json-object';
import { serverLimits } from '@airdeck/contracts/server-limits';
import { cleanJson } from '../clean-record.ts';
import type { JsonObject } from '../format.ts';

/** Behind the name of the text, for the record read from it. */
const READ_SUFFIX = '_json';

/** A field that holds a record as JSON text, and how records with it are told. */
type JsonTextField = {
  readonly path: readonly [string, ...string[]];
  told(fields: JsonObject): boolean;
};

const kubernetesAudits: ReadonlySet<unknown> = new Set(['kube-audit', 'kube-audit-admin']);

const jsonTextFields: readonly JsonTextField[] = [
  // Azure AKS: the audit record of Kubernetes, of diagnostic settings and of the table AzureDiagnostics.
  { path: ['properties', 'log'], told: ({ category }) => kubernetesAudits.has(category) },
  { path: ['log_s'], told: ({ Category }) => kubernetesAudits.has(Category) },
  // Box: what each kind of event adds, alerts of Shield among them.
  { path: ['additional_details'], told: ({ type, event_type: kind }) => type === 'event' && typeof kind === 'string' },
];

/**
 * Puts what stands in a field as JSON text beside it, as fields: the record in `log` becomes `log_json`. The text stays, and
 * so does everything that is no JSON object, or beyond the size and depth a record may have by itself. There is no limit of
 * fields beside those, as there is none for records: whoever pads a record past it would be seen by no rule.
 */
export function readJsonTexts(event: ParsedEvent): void {
  for (const { path, told } of jsonTextFields) {
    if (told(event.fields)) event.fields = withRecord(event.fields, path, path.length);
  }
}

/** A copy with the record; the very object when there is none, as it is the sender's. */
function withRecord<Fields extends JsonObject>(fields: Fields, path: readonly string[], depth: number): Fields {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(fields, key)) return fields;
  const value = fields[key];
  if (rest.length > 0) {
    const inner = isJsonObject(value) ? withRecord(value, rest, depth) : value;
    return inner === value ? fields : { ...fields, [key]: inner };
  }
  const name = `${key}${READ_SUFFIX}`;
  // A field of that name in the original is the source's own.
  const record = Object.hasOwn(fields, name) ? undefined : recordIn(value, depth);
  return record === undefined ? fields : { ...fields, [name]: record };
}

function recordIn(text: unknown, depth: number): JsonObject | undefined {
  if (typeof text !== 'string' || text.length > serverLimits.eventLineMaxBytes) return undefined;
  const trimmed = text.trim();
  if (!trimmed.startsWith('{') || !trimmed.endsWith('}')) return undefined;
  const record = cleanJson(trimmed, depth);
  return isJsonObject(record) ? record : undefined;
}
