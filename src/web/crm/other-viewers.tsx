import { useDevice } from '#web/data/browser/device.ts'
import { useEffect } from 'react'
import { announceOpenRecord } from '#web/data/sync/presence.ts'
import { usePresentPeople } from '#web/data/people/present-people.ts'
import { Avatar } from '#web/ui/avatar.tsx'

/** Shows the other people who have this record open, and tells them that this tab has it open. `address`: the path '/crm/deals/ID'. */
export function OtherViewers({ address }: { address: string }) {
  const device = useDevice()
  useEffect(() => {
    announceOpenRecord(device, address)
    return () => announceOpenRecord(device, null)
  }, [device, address])
  const others = usePresentPeople().filter(({ open }) => open.includes(address))
  const [first] = others
  if (!first) return null
  const text = others.length === 1 ? `${first.name} is here` : `${first.name} and ${others.length - 1} more are here`
  return (
    <p className="mr-1 flex min-w-0 items-center gap-1.5 text-xs text-ink2">
      <Avatar name={first.name} size={20} />
      <span className="truncate">{text}</span>
    </p>
  )
}
