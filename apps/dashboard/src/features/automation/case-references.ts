import type { CaseDetail } from '@airdeck/contracts/cases/schema';
import type { Reference, ReferenceGroup } from '../../components/expression/references.ts';
import { t } from '../../language/translate.ts';

type Sample = Pick<CaseDetail, 'reference' | 'alert_severity' | 'alert_name' | 'meta_data_fields' | 'events'>;

/** Of one event; nobody looks through more, and vendors send hundreds. */
const FIELDS_MAX = 120;
const SAMPLE_MAX = 80;

const columns = [
  ['message', t('The event in one line')],
  ['host', t('Where it happened')],
  ['user', t('Whose account it was')],
  ['src_ip', t('Address it came from')],
  ['dst_ip', t('Address it went to')],
  ['action', t('What was done')],
  ['outcome', t('success or failure')],
  ['integration', t('What sent it')],
  ['event_type', t('Kind of event')],
  ['severity', t('As its sender rates it')],
] as const;

/**
 * What expressions of an automation can read. With a case of the past, each tells the value it would have had there.
 */
export function caseReferences(groupBy: readonly string[], sample: Sample | undefined): ReferenceGroup[] {
  const groupNames = [...new Set([...groupBy, ...Object.keys(sample?.meta_data_fields ?? {})])];
  const event = sample?.events[0];
  const groups: ReferenceGroup[] = [
    {
      title: t('The values the policy groups by'),
      references: groupNames.map((name) => ({
        expression: memberOf('group', name),
        about: sampleText(sample?.meta_data_fields[name]) ?? t('What all events of the case have in common'),
        type: t('text'),
      })),
    },
    {
      title: t('The case'),
      references: [
        text('case.reference', sample?.reference ?? t('CASE-42, as people say it')),
        text('case.severity', sample?.alert_severity ?? t('low, medium, high or critical')),
        text('case.policy', sample?.alert_name ?? t('Name of the policy that opened it')),
        text('case.id', t('Its id')),
      ],
    },
    {
      title: t('Its first event'),
      references: columns.map(([name, about]) =>
        text(`event.${name}`, sampleText((event as Record<string, unknown> | undefined)?.[name]) ?? about),
      ),
    },
    { title: t('Every field of its first event'), references: fieldsOf(event?.fields ?? {}, 'event.fields') },
  ];
  return groups.filter(({ references }) => references.length > 0);
}

function text(expression: string, about: string): Reference {
  return { expression, about, type: t('text') };
}

function fieldsOf(fields: Readonly<Record<string, unknown>>, base: string): Reference[] {
  return Object.entries(fields)
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => ({
      expression: memberOf(base, name),
      about: sampleText(value) ?? '',
      type: Array.isArray(value)
        ? t('list')
        : ({ number: t('number'), boolean: t('yes or no'), object: t('object') }[typeof value as string] ?? t('text')),
    }));
}

/** A name that is no word of the language stands in brackets. */
function memberOf(base: string, name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `${base}.${name}` : `${base}[${JSON.stringify(name)}]`;
}

/** “203.0.113.7”; undefined where there is nothing to show. */
function sampleText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return `“${shown.length > SAMPLE_MAX ? `${shown.slice(0, SAMPLE_MAX - 1)}…` : shown}”`;
}
