import { useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { notificationSettings, type PushedKind, setPushedKind } from '#web/data/notification-settings.ts'
import { useOnlineValue } from '#web/data/session/online-value.ts'
import { CheckIcon } from '#web/ui/icons.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.ts'

const kindLabels: { kind: PushedKind; label: string }[] = [
  { kind: 'mentioned', label: 'Somebody mentions you' },
  { kind: 'assigned', label: 'Somebody gives you a task or a record' },
  { kind: 'task_due', label: 'A task is due' },
  { kind: 'deal_moved', label: 'Somebody moves your deal' },
  { kind: 'import_ended', label: 'Your import ended' },
  { kind: 'member_joined', label: 'Your invitation was accepted' },
]

/** Chooses which kinds of notifications are pushed to the user's devices. The bell has all of them. */
export function PushedKinds() {
  const { value } = useOnlineValue(notificationSettings)
  if (!value?.muted_kinds) return null
  return (
    <table className="mt-4 w-full border-b border-line text-sm">
      <thead className="text-left text-ink2">
        <tr>
          <th scope="col" className="py-2 font-medium">
            What happens
          </th>
          <th scope="col" className="w-24 py-2 text-center font-medium max-sm:w-16">
            In the app
          </th>
          <th scope="col" className="w-32 py-2 text-right font-medium max-sm:w-20">
            On my devices
          </th>
        </tr>
      </thead>
      <tbody>
        {kindLabels.map(({ kind, label }) => (
          <Row key={kind} kind={kind} label={label} isOn={!value.muted_kinds?.includes(kind)} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ kind, label, isOn }: { kind: PushedKind; label: string; isOn: boolean }) {
  const device = useDevice()
  const [isPending, setPending] = useState(false)
  const change = async (on: boolean) => {
    setPending(true)
    const outcome = await setPushedKind(device, kind, on)
    if (outcome.status === 'refused') toast.error('Not changed', { description: outcome.message })
    setPending(false)
  }
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1.5 pr-3 text-left font-normal">
        {label}
      </th>
      <td className="text-center">
        <CheckIcon role="img" aria-label="Always" className="inline size-4 text-ink3" />
      </td>
      <td className="text-right">
        <Switch
          label={`${label}: on my devices`}
          checked={isOn}
          pending={isPending}
          onChange={(on) => void change(on)}
        />
      </td>
    </tr>
  )
}
