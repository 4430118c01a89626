import { definitionTexts, playbookTexts } from '@airdeck/contracts/playbooks/problem-texts';
import { refusalTexts } from '@airdeck/contracts/refusal-texts';
import { valueTexts } from '@airdeck/contracts/value-texts';
import { hintTexts, queryTexts, SUGGESTION } from '@airdeck/query-language/query-texts';

/** English texts of what the server and the query language tell, by the reasons that are looked up in the catalogue. */
export const reasonTexts: Readonly<Record<string, string>> = {
  ...valueTexts,
  ...refusalTexts,
  ...playbookTexts,
  ...definitionTexts,
  ...hintTexts,
  ...Object.fromEntries(Object.entries(queryTexts).flatMap(([reason, texts]) => textsOfQuery(reason, texts))),
};

function textsOfQuery(reason: string, texts: { message: string; suggestion?: string }): [string, string][] {
  const { message, suggestion } = texts;
  return [
    [reason, message],
    ...(suggestion === undefined ? [] : [[`${reason}${SUGGESTION}`, suggestion] as [string, string]]),
  ];
}
