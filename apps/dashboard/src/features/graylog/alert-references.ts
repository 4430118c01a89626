import type { Reference, ReferenceGroup } from '../../components/expression/references.ts';
import { t } from '../../language/translate.ts';
import type { GraylogAlert } from '../../queries/graylog-answers.ts';

const SAMPLE_MAX = 80;
const FIELDS_MAX = 60;

const alertParts = [
  ['title', t('What the event definition is called')],
  ['message', t('The alert in one line')],
  ['source', t('The Graylog server that raised it')],
  ['key', t('What the alert is about, as its definition names it')],
  ['priority', t('1 high, 2 medium, 3 low')],
  ['timestamp', t('When it was raised')],
  ['id', t('Its id in Graylog')],
  ['description', t('What the event definition says about itself')],
  ['definition_id', t('Id of the event definition')],
] as const;

const eventParts = [
  ['src_ip', t('Address it came from')],
  ['dst_ip', t('Address it went to')],
  ['user', t('Whose account it was')],
  ['host', t('Where it happened')],
  ['message', t('The event in one line')],
  ['action', t('What was done')],
  ['outcome', t('success or failure')],
  ['severity', t('As its sender rates it')],
] as const;

/** What inputs of an automation can read. With an alert of the past, each tells the value it would have had there. */
export function alertReferences(sample: GraylogAlert | undefined): ReferenceGroup[] {
  const values: Readonly<Record<string, unknown>> = { ...sample };
  const groups: ReferenceGroup[] = [
    {
      title: t('Fields of the alert'),
      references: Object.entries(sample?.fields ?? {})
        .slice(0, FIELDS_MAX)
        .map(([name, value]) => text(memberOf('alert.fields', name), sampleText(value) ?? '')),
    },
    {
      title: t('The alert'),
      references: alertParts.map(([name, about]) => text(`alert.${name}`, sampleText(values[name]) ?? about)),
    },
    {
      title: t('The alert, read as an event'),
      references: eventParts.map(([name, about]) => text(`event.${name}`, about)),
    },
    {
      title: t('This automation'),
      references: [text('rule.name', t('Its name')), text('rule.id', t('Its id'))],
    },
  ];
  return groups.filter(({ references }) => references.length > 0);
}

function text(expression: string, about: string): Reference {
  return { expression, about, type: t('text') };
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
