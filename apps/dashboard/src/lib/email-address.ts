const MAX_LENGTH = 254;

/** Whether a text can be an e-mail address; what it really is, only a mail to it tells. */
export function isEmailAddress(text: string): boolean {
  return text.length <= MAX_LENGTH && /^[^\s@"<>(),;:\\]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
}
