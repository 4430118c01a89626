import { clientFailures } from '@airdeck/api-client/client-failures';
import { passwordProblems } from '@airdeck/contracts/access/password-problems';
import { roleLabels } from '@airdeck/contracts/access/roles';
import { errorCodes } from '@airdeck/contracts/error-codes';
import { outcomeTexts } from '@airdeck/contracts/outcome-texts';
import { tacticNames } from '@airdeck/domain/attack-tactics';
import { failureTitles, UNEXPECTED_TEXT } from '../lib/error-presentation.ts';
import { loadFailures } from '../lib/load-failures.ts';
import { identityMessages } from '../session/identity-provider.ts';
import { addressWords } from './address-words.ts';
import { reasonTexts } from './reason-texts.ts';
import { schemaTexts } from './schema-texts.ts';
import { serverTexts } from './server-texts.ts';

/** Tables whose texts are looked up in the catalogue where they are shown, by the catalogue that has them. */
export const knownTexts: Readonly<Record<string, readonly string[]>> = {
  entry: [
    ...Object.values(errorCodes).map(({ message }) => message),
    ...Object.values(clientFailures),
    ...Object.values(failureTitles),
    ...Object.values(identityMessages),
    ...Object.values(passwordProblems),
    ...Object.values(roleLabels),
    UNEXPECTED_TEXT,
  ],
  // What the server says of what was sent, by its reason where it has one.
  server: [...Object.keys(reasonTexts), ...schemaTexts(), ...serverTexts(), ...Object.values(outcomeTexts)],
  shell: addressWords(),
  cases: [...tacticNames, 'Other'],
  failures: Object.values(loadFailures).flatMap(({ what, advice }) => [what, advice]),
};
