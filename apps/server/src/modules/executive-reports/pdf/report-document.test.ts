import { describe, expect, it } from 'vitest';
import { textOfPdf } from '../../../pdf/pdf-text-fixture.ts';
import type { ExecutiveFacts } from '../executive-facts.ts';
import { emptyFacts, octoberFacts } from './facts-fixture.ts';
import { layOutReport } from './report-document.ts';

async function textOf(facts: ExecutiveFacts): Promise<string> {
  const { bytes, pages } = await layOutReport({ facts, compress: false });
  const text = textOfPdf(bytes);
  expect(text).toHaveLength(pages);
  return text.join('\n');
}

/** Whatever fits a line. */
async function sentencesOf(facts: ExecutiveFacts): Promise<string> {
  return (await textOf(facts)).replaceAll('\n', ' ');
}

describe('an executive report', () => {
  it('says its figures as text that can be selected and searched for', async () => {
    const text = await textOf(octoberFacts());
    for (const said of [
      'Example Manufacturing',
      'October 2026',
      '114 cases were opened, 7 fewer than in September.',
      '+15% vs. September',
      'Cases by week and severity',
      'CASE-1204',
      'FortiGate São Paulo',
      'Block a password-guessing address',
      'not covered',
      'Repair 1 connector',
      'Page 2 of',
    ]) {
      expect(text).toContain(said);
    }
  });

  it('is Portuguese in words, numbers and months', async () => {
    const text = await textOf(octoberFacts({ locale: 'pt-BR' }));
    for (const said of [
      'Outubro de 2026',
      'Resumo',
      'a menos que em setembro',
      '5.201.442',
      'Movimento lateral',
      'Recomendações',
    ]) {
      expect(text).toContain(said);
    }
    expect(text).not.toContain('undefined');
  });

  it('says of a month in which nothing happened that nothing happened, not zeros in charts', async () => {
    const text = await textOf(emptyFacts());
    expect(text).toContain('No case was opened.');
    expect(text).toContain('No events in this month.');
    expect(text).toContain('Enable policies');
    expect(text).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it('does not say of runs that were deleted that nothing ran', async () => {
    const facts = emptyFacts();
    const gone = { ...facts.automation, kept_from: '2026-11-04T12:00:00.000Z' };
    const text = await sentencesOf({
      ...facts,
      automation: gone,
      automation_before: { ...facts.automation_before, ...gone },
    });
    expect(text).not.toContain('Nothing ran');
    expect(text).toContain('Runs from before November 4, 2026 are no longer kept');
  });

  it('neither reckons nor compares the work saved where runs of a month were deleted', async () => {
    const { automation, automation_before: before } = octoberFacts();
    const cut = { kept_from: '2026-10-12T12:00:00.000Z' };
    const text = await sentencesOf(octoberFacts({ automation: { ...automation, ...cut } }));
    expect(text).toContain('had a successful automated response.');
    expect(text).toContain('Runs from before October 12, 2026 are no longer kept and not counted here.');
    expect(text).not.toContain('of work');
    const compared = await textOf(octoberFacts());
    const uncompared = await textOf(octoberFacts({ automation_before: { ...before, ...cut } }));
    const comparisons = (of: string) => of.split('vs. September').length - 1;
    expect(comparisons(uncompared)).toBe(comparisons(compared) - 1);
  });

  it('does not compare a month that is not over with a whole one', async () => {
    const text = await textOf(octoberFacts({ partial: true }));
    expect(text).toContain('Month so far');
    expect(text).not.toContain('vs. September');
  });

  it('writes names in every script, and tells what no font here can write instead of swallowing it', async () => {
    const names: readonly (readonly [name: string, said: string])[] = [
      ['Łódź Γενική Привет Đặng', 'Łódź Γενική Привет Đặng'],
      ['株式会社サンプル Tokyo', '株式会社サンプル Tokyo'],
      ['서울 보안', '서울 보안'],
      ['Shop \u{1F512}', 'U+1F512'],
      ['אב', 'U+05D0 U+05D1'],
      ['turned \u202eb\u0000c', 'turned b c'],
    ];
    const { automation } = octoberFacts();
    const playbooks = names.map(([name]) => ({ name, count: 1, success: 1, error: 0 }));
    const text = await textOf(octoberFacts({ automation: { ...automation, top_playbooks: playbooks } }));
    for (const [, said] of names) expect(text).toContain(said);
  });

  it('cuts a name that is too long instead of writing over its neighbours, and stands a logo that is none', async () => {
    const name = 'Verylongword'.repeat(30);
    const logo = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\nno picture', 'latin1').toString('base64')}`;
    const text = await textOf(octoberFacts({ tenant: { name, colour: '#ffffff', logo } }));
    expect(text).toContain('…');
    expect(text).not.toContain(name);
  });
});
