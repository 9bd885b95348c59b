import type { AuditEvent } from '#web/data/people/audit-log.ts'

type DescribeEvent = (detail: Record<string, unknown>) => string

const wordsByEvent: Record<string, DescribeEvent> = {
  sign_in: () => 'signed in',
  sign_in_failed: () => 'failed to sign in',
  sign_out: () => 'signed out',
  signed_up: () => 'signed up',
  second_factor_failed: () => 'failed at the second factor',
  password_changed: () => 'changed their password',
  email_changed: () => 'changed their email',
  factor_added: () => 'added a second factor',
  factor_removed: () => 'removed a second factor',
  recovery_codes_made: () => 'made recovery codes',
  recovery_code_used: () => 'used a recovery code',
  member_added: ({ name, role }) => `added ${shownText(name, 'somebody')} as ${shownText(role)}`,
  member_joined: ({ role }) => `joined as ${shownText(role)}`,
  member_left: () => 'left the brand',
  member_removed: ({ name }) => `removed ${shownText(name, 'somebody')}`,
  role_changed: ({ name, from, to }) =>
    `changed the role of ${shownText(name, 'somebody')} from ${shownText(from)} to ${shownText(to)}`,
  brand_renamed: ({ from, to }) => `renamed the brand from ${shownText(from)} to ${shownText(to)}`,
  second_factor_required: () => 'demanded a second factor',
  second_factor_optional: () => 'no longer demands a second factor',
  invitation_sent: ({ email, role }) => `invited ${shownText(email, 'somebody')} as ${shownText(role)}`,
  invitation_sent_again: ({ email, role }) =>
    `sent the invitation of ${shownText(email, 'somebody')} as ${shownText(role)} again`,
  invitation_role_changed: ({ email, from, to }) =>
    `changed the role in the invitation of ${shownText(email, 'somebody')} from ${shownText(from)} to ${shownText(to)}`,
  invitation_link_made: ({ email, role }) =>
    `made an invitation link for ${shownText(email, 'somebody')} as ${shownText(role)}`,
  invitation_withdrawn: ({ email, reason }) =>
    reason === 'inviter_gone'
      ? `ended the invitation of ${shownText(email, 'somebody')}: whoever sent it may no longer invite`
      : `withdrew the invitation of ${shownText(email, 'somebody')}`,
  data_exported: () => 'exported their data',
}

/** Returns the words that follow the person's name: 'signed in'. For an unknown event, returns the event's name with spaces: 'key rotated'. */
export function auditWords({ event, detail }: Pick<AuditEvent, 'event' | 'detail'>): string {
  const wordsOfEvent = Object.hasOwn(wordsByEvent, event) ? wordsByEvent[event] : undefined
  return wordsOfEvent ? wordsOfEvent(detail ?? {}) : event.replaceAll('_', ' ')
}

/**
 * Returns the value if it is a text that is not empty, otherwise `missing`: '?', or 'somebody' in place of a person's name or email address.
 */
function shownText(value: unknown, missing = '?'): string {
  return typeof value === 'string' && value !== '' ? value : missing
}
