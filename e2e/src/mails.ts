import { setTimeout as delay } from 'node:timers/promises';
import type { OutboxMail } from '@airdeck/contracts/system/schema';
import type { DemoFile } from './airdeck-process.ts';

const WAIT_MS = 90_000;

/** The newest mail to this address whose text has what is looked for; waits for it. */
export async function mailTo(demo: DemoFile, address: string, contains: RegExp): Promise<OutboxMail> {
  const giveUpAt = Date.now() + WAIT_MS;
  while (Date.now() < giveUpAt) {
    const mails = (await (await fetch(new URL('/demo/outbox', demo.url))).json()) as OutboxMail[];
    const found = mails
      .filter(({ to, text }) => to === address && contains.test(text))
      .toSorted((a, b) => b.created_at.localeCompare(a.created_at));
    if (found[0] !== undefined) return found[0];
    await delay(100);
  }
  throw new Error(`No mail to ${address} has ${contains}.`);
}

/** The code of the newest mail with one. */
export async function codeMailedTo(demo: DemoFile, address: string): Promise<string> {
  const { text } = await mailTo(demo, address, /code is \d{8}\b/);
  return /code is (\d{8})/.exec(text)?.[1] ?? '';
}

/** Path and search of an invitation's link, as its receiver would open it. */
export async function invitationOf(demo: DemoFile, address: string): Promise<{ path: string; ticket: string }> {
  const { text } = await mailTo(demo, address, /__clerk_ticket=/);
  const url = new URL(/https?:\/\/\S+__clerk_ticket=\S+/.exec(text)?.[0] ?? '');
  return { path: `${url.pathname}${url.search}`, ticket: url.searchParams.get('__clerk_ticket') ?? '' };
}
