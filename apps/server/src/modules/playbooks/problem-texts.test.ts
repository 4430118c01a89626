import { definitionTexts } from '@airdeck/contracts/playbooks/problem-texts';
import { definitionTexts as saidByEngine } from '@airdeck/engine/definition-texts';
import { expect, it } from 'vitest';

it('the contract has every sentence of the engine word for word, or it could not be shown in other languages', () => {
  expect(definitionTexts).toEqual(saidByEngine);
});
