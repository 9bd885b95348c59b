const dayMs = 86_400_000

/** How many days a new invitation is valid. */
const validDays = 7

/**
 * Returns how long an invitation is still valid: '5 days left', '1 day left' on the last day, 'expired'. At most '7 days left', also if `now` is
 * older than the invitation: the shown time is updated once a minute, and the device's clock may be slow.
 */
export function daysLeft(expiresAt: string, now: Date): string {
  const days = Math.ceil((Date.parse(expiresAt) - now.getTime()) / dayMs)
  if (days <= 0) return 'expired'
  return days === 1 ? '1 day left' : `${Math.min(days, validDays)} days left`
}
