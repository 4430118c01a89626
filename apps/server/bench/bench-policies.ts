import { importSigma } from '@airdeck/detection/sigma/sigma-import';

/** Somebody of a tenant who may change its policies. */
export type PolicyTarget = { url: string; tenant: string; apiKey: string };

const AT_ONCE = 8;

/** Creates policies from Sigma rules over the API, switched on; the answer is how many there are now. */
export async function createPolicies({ url, tenant, apiKey }: PolicyTarget, rules: readonly string[]): Promise<number> {
  const outcomes = importSigma(rules.map((text, at) => ({ name: `${at}.yml`, text })));
  const policies = outcomes.flatMap((one) => (one.status === 'imported' ? [one.policy] : []));
  const path = `${url}/api/tenants/${tenant}/soar/rules`;
  // Whatever would match a lot is wanted here.
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'X-AIR-confirm': 'true' };
  let next = 0;
  const create = async () => {
    for (let rule = policies[next++]; rule !== undefined; rule = policies[next++]) {
      const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify({ rule, enabled: true }) });
      if (!answer.ok) throw new Error(`A policy was answered with ${answer.status}: ${await answer.text()}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, create));
  const list = await fetch(`${path}?enabled=true&page_size=1`, { headers });
  return ((await list.json()) as { total: number }).total;
}
