import { useEffect, useState } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { dismissPushHint, type PushHint, readPushHint } from '#web/data/push-hint.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import { Link } from '#web/ui/link.tsx'

const hintTexts: Record<PushHint, string> = {
  off: 'They can also come to this device while Banyan CRM is closed.',
  insecure: 'They cannot come to this device while Banyan CRM is closed: that needs an https address.',
  unsupported: 'They cannot come to this browser while Banyan CRM is closed.',
  denied: 'This browser was told not to show notifications of Banyan CRM.',
}

/**
 * Shown below the list of notifications until the user dismisses it: why pushes do not come to this device. `onFollow`: called when the link to
 * Settings is pressed.
 */
export function PushHintLine({ onFollow }: { onFollow: () => void }) {
  const device = useDevice()
  const [hint, setHint] = useState<PushHint | null>(null)
  useEffect(() => {
    void readPushHint(device).then(setHint, () => {})
  }, [device])
  if (!hint) return null
  const dismiss = () => {
    setHint(null)
    void dismissPushHint(device).catch(() => {})
  }
  return (
    <div className="flex items-center gap-2 border-t border-line py-2 pr-2 pl-4 text-13/5 text-ink2">
      <p className="min-w-0 flex-1 text-pretty">
        {hintTexts[hint]}{' '}
        <Link
          to="/crm/settings"
          search={{ tab: 'notifications' }}
          className="font-medium text-ink underline"
          onClick={onFollow}
        >
          {hint === 'off' ? 'Turn on' : 'What to do'}
        </Link>
      </p>
      <IconButton label="Do not show this again" icon={<CloseIcon />} onClick={dismiss} />
    </div>
  )
}
