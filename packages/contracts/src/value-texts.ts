/**
 * What is wrong with a value somebody sent, by its reason. Other languages are made of reasons, so one that exists keeps its
 * meaning and its places.
 */
export const valueTexts = {
  VALUE_MISSING: 'This is missing.',
  VALUE_EMPTY: 'This must not be empty.',
  VALUE_UNKNOWN: 'This is not known here.',
  VALUE_INVALID: 'This is not valid.',
  VALUE_UNCHECKABLE: 'Its schema cannot be used, so nothing fits it.',
  VALUE_TYPE: 'This must be of another type: {type}.',
  VALUE_NOT_TEXT: 'This must be a text.',
  VALUE_NOT_NUMBER: 'This must be a number.',
  VALUE_NOT_INTEGER: 'This must be a whole number.',
  VALUE_NOT_BOOLEAN: 'This must be true or false.',
  VALUE_NOT_LIST: 'This must be a list.',
  VALUE_NOT_OBJECT: 'This must be an object.',
  VALUE_NOT_EXACTLY: 'This must be {allowed}.',
  VALUE_NOT_AMONG: 'This must be one of {allowed}.',
  FIELDS_UNKNOWN: 'There is no field {names} here.',
  FIELDS_UNKNOWN_MANY: 'There are no fields {names} and {more} more here.',
  FIELDS_TOO_FEW: 'At least {minimum} fields.',
  FIELDS_TOO_MANY: 'At most {maximum} fields.',
  TEXT_TOO_SHORT: 'At least {minimum} characters.',
  TEXT_TOO_LONG: 'At most {maximum} characters.',
  TEXT_FORM: 'This does not have the form that is asked for.',
  TEXT_NOT_EMAIL: 'This is not an e-mail address.',
  TEXT_NOT_URL: 'This is not a web address.',
  TEXT_NOT_TIME: 'Invalid UTC date format. Expected ISO date string.',
  TEXT_NOT_DATE: 'Invalid date format. Expected ISO date string.',
  TIME_AFTER_END: 'This must not be after the end.',
  NUMBER_TOO_SMALL: 'At least {minimum}.',
  NUMBER_TOO_LARGE: 'At most {maximum}.',
  NUMBER_NOT_ABOVE: 'More than {minimum}.',
  NUMBER_NOT_BELOW: 'Less than {maximum}.',
  NUMBER_NOT_MULTIPLE: 'A multiple of {step}.',
  LIST_TOO_SHORT: 'At least {minimum} entries.',
  LIST_TOO_LONG: 'At most {maximum} entries.',
  LIST_NOT_UNIQUE: 'Each entry only once.',
} as const satisfies Readonly<Record<string, string>>;

export type ValueReason = keyof typeof valueTexts;
