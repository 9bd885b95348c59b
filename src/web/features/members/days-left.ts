const dayMs = 86_400_000

/** Returns how long an invitation is still valid: '5 days left', '1 day left' on the last day, 'expired'. */
export function daysLeft(expiresAt: string, now: Date): string {
  const days = Math.ceil((Date.parse(expiresAt) - now.getTime()) / dayMs)
  if (days <= 0) return 'expired'
  return days === 1 ? '1 day left' : `${days} days left`
}
