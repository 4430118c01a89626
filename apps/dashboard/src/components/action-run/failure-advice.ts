import { t } from '../../language/translate.ts';

const connector = t('Check the connector of this tenant, or ask a System Manager to.');
const later = t('This often passes by itself. Run it again later.');
const outside = t('It is not known whether the change happened. Look at the product itself before running it again.');

/** What to do about a failed action, by code of the engine, of connectors and of connections. */
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
  CONNECTOR_CONFIG_INVALID: t("The connector's configuration is not complete. {connector}", { connector }),
  CONNECTOR_UNAVAILABLE: t('Set up or enable a connector for this product, then run it again.'),
  CONNECTOR_FAILED: later,
  ACTION_UNKNOWN: t('This action no longer exists. Replace it in the playbook.'),
  ACTION_INPUT_INVALID: t('Correct the input; when it comes from a playbook, correct it there.'),
  EXPRESSION_FAILED: t('Correct the expression in the playbook; it may read a result that was not there.'),
  STARTER_NOT_AUTHORISED: t('Whoever the run acts for may no longer run actions here. Somebody who may must start it.'),
  TIMEOUT: outside,
  ABORTED: outside,
  OUTCOME_UNKNOWN: outside,
  STEP_TIMED_OUT: outside,
  WORKER_LOST: later,
  CONNECT_FAILED: t('The product cannot be reached. {connector}', { connector }),
  DNS_FAILED: t("The product's address cannot be found. {connector}", { connector }),
  TLS_FAILED: t("The product's certificate is not trusted. {connector}", { connector }),
  EGRESS_DENIED: t('Calls to this address are not allowed. {connector}', { connector }),
  PROMPT_EXPIRED: t('Nobody answered in time. Start the playbook again if an answer is still wanted.'),
  RUN_TIMED_OUT: t('The run took longer than its playbook allows. See which action held it up below.'),
};

/** One sentence on what to do next. */
export function failureAdvice({ code, retryable }: { code: string; retryable: boolean }): string {
  return advice[code] ?? (retryable ? later : t('Look at the input and the message, then run it again.'));
}
