import { t } from '../../language/translate.ts';

const connector = t('Check the connector of this tenant, or ask a System Manager to.');
const later = t('This often passes by itself. Run it again later.');
const smaller = t('Ask for less: a shorter time, or fewer results.');
const done = t('It was carried out. If it changes something, look at the product before running it again.');

/**
 * What to do about a failed action, by code of the engine, of connectors and of connections. Where a call that must not be
 * made twice may have got through, the engine says OUTCOME_UNKNOWN: what is left of TIMEOUT, STEP_TIMED_OUT and ABORTED had
 * no effect yet, or may be repeated.
 */
const advice: Readonly<Record<string, string>> = {
  VENDOR_CREDENTIALS_REFUSED: t('The stored credentials were refused. {connector}', { connector }),
  VENDOR_PERMISSION_MISSING: t('The stored credentials lack a permission. Grant it in the product, then run it again.'),
  VENDOR_NOT_FOUND: t('The product does not know what was asked for. Check the input.'),
  VENDOR_CONFLICT: t('It is already so, or somebody changed it at the same time. Look at the product first.'),
  VENDOR_REJECTED: t('The product refused the request. Check the input.'),
  VENDOR_RATE_LIMITED: t('The product takes no more requests for now. Run it again later.'),
  VENDOR_UNAVAILABLE: later,
  VENDOR_ANSWER_UNREADABLE: t('The answer was not what the product publishes; a proxy may be in between. {connector}', {
    connector,
  }),
  BODY_TOO_LARGE: smaller,
  BODY_UNREADABLE: t('The answer could not be decoded; a proxy may be in between. {connector}', { connector }),
  REDIRECT_REFUSED: t('The product sends calls on to another address, which is not followed. {connector}', {
    connector,
  }),
  CONNECTOR_CONFIG_INVALID: t("The connector's configuration is not complete. {connector}", { connector }),
  CONNECTOR_UNAVAILABLE: t('Set up or enable a connector for this product, then run it again.'),
  CIRCUIT_OPEN: t(
    'Nothing was sent, as the product had not answered. Calls go through again as soon as it does. {connector}',
    { connector },
  ),
  CONNECTOR_FAILED: t('The connector stumbled over the answer. Check the input; if it fails again, report it.'),
  ACTION_UNKNOWN: t('This action no longer exists. Replace it in the playbook.'),
  ACTION_INPUT_INVALID: t('Correct the input; when it comes from a playbook, correct it there.'),
  INPUT_TOO_LARGE: t('The input is more than can be kept. Hand over single fields instead of a whole result.'),
  OUTPUT_TOO_LARGE: t('The result is too large to keep. {done}', { done }),
  OUTPUT_NOT_JSON: t('The result cannot be kept as it is. {done}', { done }),
  FOR_EACH_NOT_A_LIST: t('Correct what the step repeats over in the playbook: it has to give a list.'),
  FOR_EACH_TOO_LONG: t('The list has more than 1,000 entries. Let the playbook take fewer of them.'),
  EXPRESSION_FAILED: t('Correct the expression in the playbook; it may read a result that was not there.'),
  STARTER_NOT_AUTHORISED: t('Whoever the run acts for may no longer run actions here. Somebody who may must start it.'),
  TIMEOUT: t('The product did not answer in time. It does no harm to run it again.'),
  ABORTED: t('It was stopped while it ran. It does no harm to run it again.'),
  OUTCOME_UNKNOWN: t(
    'It is not known whether the change happened. Look at the product itself before running it again.',
  ),
  STEP_TIMED_OUT: t(
    'It took longer than its time limit. It does no harm to run it again; in a playbook, give it longer.',
  ),
  WORKER_LOST: t(
    'The server stopped again and again while it ran. Whoever runs the server should look; then run it again.',
  ),
  STORE_UNAVAILABLE: later,
  CONNECT_FAILED: t('The product cannot be reached. {connector}', { connector }),
  DNS_FAILED: t("The product's address cannot be found. {connector}", { connector }),
  TLS_FAILED: t("The product's certificate is not trusted. {connector}", { connector }),
  EGRESS_DENIED: t('Calls to this address are not allowed. {connector}', { connector }),
  PROMPT_EXPIRED: t('Nobody answered in time. Start the playbook again if an answer is still wanted.'),
  PLAYBOOK_UNKNOWN: t('The playbook it starts is gone, or not published. Choose another, or publish it.'),
  PLAYBOOK_INVALID: t('The playbook it starts has problems. Correct and publish that one first.'),
  PLAYBOOK_TOO_DEEP: t('Playbooks start each other over too many levels, or in a circle. Let fewer start others.'),
  PLAYBOOK_TOO_MANY_RUNS: t('One run started more others than it may. Let it start fewer.'),
  PLAYBOOK_CANCELLED: t('Somebody cancelled the run it had started. Start it again if it is still wanted.'),
  RUN_TIMED_OUT: t('The run took longer than its playbook allows. See which action held it up below.'),
  RUN_FAULT: t('See below what was done already. What is left needs a new run: this one cannot be carried on.'),
};

/** One sentence on what to do next. */
export function failureAdvice({ code, retryable }: { code: string; retryable: boolean }): string {
  return advice[code] ?? (retryable ? later : t('Look at the input and the message, then run it again.'));
}
