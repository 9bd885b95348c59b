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
  member_added: ({ name, role }) => `added ${text(name, 'somebody')} as ${text(role)}`,
  member_joined: ({ role }) => `joined as ${text(role)}`,
  member_left: () => 'left the brand',
  member_removed: ({ name }) => `removed ${text(name, 'somebody')}`,
  role_changed: ({ name, from, to }) =>
    `changed the role of ${text(name, 'somebody')} from ${text(from)} to ${text(to)}`,
  brand_renamed: ({ from, to }) => `renamed the brand from ${text(from)} to ${text(to)}`,
  second_factor_required: () => 'demanded a second factor',
  second_factor_optional: () => 'no longer demands a second factor',
  invitation_sent: ({ email, role }) => `invited ${text(email, 'somebody')} as ${text(role)}`,
  invitation_sent_again: ({ email, role }) =>
    `sent the invitation of ${text(email, 'somebody')} as ${text(role)} again`,
  invitation_role_changed: ({ email, from, to }) =>
    `changed the role in the invitation of ${text(email, 'somebody')} from ${text(from)} to ${text(to)}`,
  invitation_link_made: ({ email, role }) => `made an invitation link for ${text(email, 'somebody')} as ${text(role)}`,
  invitation_withdrawn: ({ email, reason }) =>
    reason === 'inviter_gone'
      ? `ended the invitation of ${text(email, 'somebody')}: whoever sent it may no longer invite`
      : `withdrew the invitation of ${text(email, 'somebody')}`,
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
function text(value: unknown, missing = '?'): string {
  return typeof value === 'string' && value !== '' ? value : missing
}
