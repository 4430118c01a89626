import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { texts as entry } from '../language/pt-BR/entry.ts';
import { texts as screens } from '../language/pt-BR/screens.ts';
import { addTexts } from '../language/translate.ts';
import { ownTenant, userWith } from '../session/fixtures.ts';
import { showApp } from '../test-app.tsx';

vi.setConfig({ testTimeout: 60_000 });
const admin = { me: userWith({ own: 'Admin' }) };
const id = '01920000-0000-7000-8000-000000000301';

addTexts('pt-BR', { ...entry, ...screens });

const crumbs = async () => within(await screen.findByRole('navigation', { name: 'Trilha de navegação' }));

test('the words of an address are those of the interface', async () => {
  showApp('/settings/contact-directory', admin);
  expect((await crumbs()).getByText('Lista de contatos')).toBeTruthy();
});

test('a name somebody gave stays as it is, also where it is a word of the interface', async () => {
  const none = { responses: [], total: 0 };
  showApp(`/air/automation-settings/${id}/settings`, {
    ...admin,
    answers: { [`GET /api/tenants/${ownTenant}/soar/rule_responses`]: () => Response.json(none) },
  });
  expect(await (await crumbs()).findByText('Configurações de automação')).toBeTruthy();
  expect((await crumbs()).getByText('Settings')).toBeTruthy();
});
