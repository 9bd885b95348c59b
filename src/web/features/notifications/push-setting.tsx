import { useEffect, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { type PushState, readPushState, turnPushOff, turnPushOn } from '#web/data/push.ts'
import { SettingRow } from '#web/ui/setting-row.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { toast } from '#web/ui/toast.ts'

const hints: Record<PushState, string> = {
  on: 'They also come to this device while Banyan CRM is closed.',
  off: 'Let them come to this device while Banyan CRM is closed.',
  insecure: 'This needs https or localhost: ask who runs this server to give it an https address.',
  unoffered: 'The server of this app does not send notifications to devices. The bell works without it.',
  unsupported:
    'This browser cannot receive them here. On an iPhone or iPad, add Banyan CRM to the Home Screen and open it there; elsewhere reload the page once, or use another browser.',
  denied:
    'This browser was told not to show notifications of this site. Allow them in its settings for this site (the icon left of the address), then reload the page.',
}

/** The setting that turns pushes to this browser on and off. If pushes are not possible, it says why. */
export function PushSetting() {
  const device = useDevice()
  const [state, setState] = useState<PushState | null>(null)
  const [isPending, setPending] = useState(false)
  useEffect(() => {
    void readPushState(device).then(setState)
  }, [device])
  const change = async (on: boolean) => {
    setPending(true)
    if (on) {
      const outcome = await turnPushOn(device)
      if (outcome.status === 'refused') toast.error('Not turned on', { description: outcome.message })
    } else await turnPushOff(device)
    setState(await readPushState(device))
    setPending(false)
  }
  const isOffered = state === 'on' || state === 'off'
  return (
    <SettingRow
      title="Notifications on this device"
      hint={state ? hints[state] : ' '}
      action={
        isOffered && (
          <Switch
            label="Notifications on this device"
            checked={state === 'on'}
            pending={isPending}
            onChange={(on) => void change(on)}
          />
        )
      }
    />
  )
}
