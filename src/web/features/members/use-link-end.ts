import { useState } from 'react'
import type { OnlineState } from '#web/data/session/online-value.ts'

type People = readonly { email: string }[]

/**
 * Returns why a new invitation link no longer works, or null while it may work. `isMade`: the link exists. The list of invitations may be older than
 * the link. So the invitation counts as over only after a list has had it and a later list, loaded without an error, lacks it. The result never
 * becomes null again: otherwise the URL would be shown, copied and focused again.
 */
export function useLinkEnd(
  isMade: boolean,
  email: string,
  members: People,
  invited: OnlineState<{ email: string }[]>,
): 'joined' | 'over' | null {
  const [wasPending, setWasPending] = useState(false)
  const [ended, setEnded] = useState<'joined' | 'over' | null>(null)
  const address = email.trim().toLowerCase()
  const includesAddress = (people: People) => people.some((person) => person.email.toLowerCase() === address)
  const pending = invited.value && invited.error === null ? includesAddress(invited.value) : null
  if (isMade && pending && !wasPending) setWasPending(true)
  if (isMade && !ended) {
    if (includesAddress(members)) setEnded('joined')
    else if (wasPending && pending === false) setEnded('over')
  }
  return ended
}
