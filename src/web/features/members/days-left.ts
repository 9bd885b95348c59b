const dayMs = 86_400_000

/** Returns how long an invitation is still valid: '5 days left', '1 day left' on the last day, 'expired'. */
export function daysLeft(expiresAt: string, now: Date): string {
  const left = Math.ceil((Date.parse(expiresAt) - now.getTime()) / dayMs)
  if (left <= 0) return 'expired'
  return left === 1 ? '1 day left' : `${left} days left`
}
