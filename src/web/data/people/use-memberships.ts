import { useEffect } from 'react'
import { type Device, useDevice } from '#web/data/browser/device.ts'
import { wait } from '#web/data/browser/wait.ts'
import { askServer } from '#web/data/server/ask-server.ts'
import { useObservable } from '#web/lib/observable.ts'
import { loadMemberships, membershipsOf, readMemberships } from './brands.ts'
import type { Membership } from './membership.ts'

/**
 * Accepts the user's invitations, and returns the user's memberships: first the stored ones (so that /select-brand works offline), then the
 * server's answer. `ready`: the stored or the server's memberships are known, or the request failed. `fresh`: they are the server's answer.
 * `error`: the message of a failed request.
 */
export function useMemberships(): {
  ready: boolean
  fresh: boolean
  memberships: readonly Membership[]
  error: string | null
  reload: () => void
} {
  const device = useDevice()
  useEffect(() => void acceptInvitations(device).then(() => loadMemberships(device)), [device])
  return { ...useObservable(membershipsOf(device)), reload: () => void loadMemberships(device) }
}

/** Turns invitations to the user's confirmed email address into memberships. A backend without invitations does not have this RPC. */
async function acceptInvitations(device: Device): Promise<void> {
  await readMemberships(device)
  // An unreachable server must not delay the memberships by more than this time.
  const acceptance = askServer(device, (server) => server.rpc('accept_invitations'))
  await Promise.race([acceptance, wait(device, 1500)])
}
