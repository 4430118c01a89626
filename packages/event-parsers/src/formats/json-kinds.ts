import type { JsonObject, ObjectFormat, Reception, Recognised } from '../format.ts';
import { awsFormat } from './aws.ts';
import { azureFormat } from './azure.ts';
import { crowdstrikeFormat } from './crowdstrike.ts';
import { entraIdFormat } from './entra-id.ts';
import { genericJsonFormat } from './generic-json.ts';
import { githubFormat } from './github.ts';
import { githubAlertFormat } from './github-alert.ts';
import { graphAlertFormat } from './graph-alert.ts';
import { readJsonTexts } from './json-texts.ts';
import { journaldFormat, syslogTableFormat } from './log-tables.ts';
import { m365Format } from './m365.ts';
import { normalisedFormat } from './normalised.ts';
import { oktaFormat } from './okta.ts';
import { windowsFormat } from './windows.ts';
import { zeekJsonFormat } from './zeek-json.ts';

/** Kinds of JSON records, in the order asked. A new vendor is one file and one line here. */
const objectFormats: readonly ObjectFormat[] = [
  normalisedFormat,
  oktaFormat,
  windowsFormat,
  awsFormat,
  zeekJsonFormat,
  entraIdFormat,
  m365Format,
  graphAlertFormat,
  crowdstrikeFormat,
  githubFormat,
  githubAlertFormat,
  azureFormat,
  syslogTableFormat,
  journaldFormat,
];

export const objectFormatNames: readonly string[] = [...objectFormats.map(({ name }) => name), genericJsonFormat.name];

/** Always succeeds: what no vendor's format claims is mapped by the names of its fields. */
export function parseObject(object: JsonObject, reception: Reception, hint?: string): Recognised {
  const recognised = firstKind(object, reception, hint);
  readJsonTexts(recognised.event);
  return recognised;
}

function firstKind(object: JsonObject, reception: Reception, hint: string | undefined): Recognised {
  const hinted = hint === undefined ? undefined : objectFormats.find(({ name }) => name === hint);
  const expected = hinted?.parse(object, reception);
  if (hinted !== undefined && expected !== undefined) return { format: hinted.name, event: expected };
  for (const format of objectFormats) {
    const event = format.parse(object, reception);
    if (event !== undefined) return { format: format.name, event };
  }
  return { format: genericJsonFormat.name, event: genericJsonFormat.parse(object, reception) };
}
