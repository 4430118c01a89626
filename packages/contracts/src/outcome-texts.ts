/**
 * Fixed sentences with which the server tells how something stands, or why nothing came of it. They are stored and sent as they
 * are here; the dashboard looks them up in the reader's language.
 */
export const outcomeTexts = {
  AUTOMATION_OFF: 'Automation is switched off for this tenant.',
  /** Minutes of `serverLimits.automationWindowS`. */
  AUTOMATION_LOOP: 'automation loop stopped. Too much was started within 10 minutes, perhaps by what it does itself.',
  NOTIFICATION_CONFLICT:
    'Somebody keeps changing the event definition in Graylog at the same time. Repair it when they are done.',
  DEFINITION_UNKNOWN: 'Graylog has no such event definition any more.',
  DEFINITION_DELETED: 'The event definition was deleted in Graylog.',
  NOTIFICATION_DELETED: 'The notification was deleted in Graylog.',
  NOTIFICATION_SOURCE_GONE: 'Its event source was deleted here, or got another token.',
  NOTIFICATION_CHANGED: 'Somebody changed the notification in Graylog.',
  NOTIFICATION_UNUSED: 'The event definition does not use the notification any more.',
  NOTIFICATION_CONNECTOR_GONE: 'Its Graylog connector was deleted.',
  SEARCH_REPORT_LOST: 'The program stopped each time it wrote this file. Narrow the search down and try again.',
  SEARCH_REPORT_NO_ROOM: 'There is no room for another report. Delete some you do not need.',
  SEARCH_REPORT_UNWRITTEN: 'The file could not be written.',
  SEARCH_REPORT_TOO_COSTLY: 'The search needs too much time or memory. Narrow it down and try again.',
  SEARCH_REPORT_UNREADABLE: 'The event store could not read this search.',
  EXECUTIVE_REPORT_LOST:
    'The program stopped each time it made this report. Make it again; if it fails again, tell who runs this installation.',
  EXECUTIVE_REPORT_FAILED: 'The report could not be made.',
  REPORT_UNFINISHED: 'Making it was never finished.',
  ADDRESSES_LOOPBACK: 'This machine has no address besides the loopback one, so calls reach nothing outside it.',
  ADDRESSES_GUESSED:
    'Read from the network interfaces of the server. Behind a router that translates addresses, others see its address instead; the operator can set EGRESS_ADDRESSES.',
} as const;
