import { useEffect, useSyncExternalStore } from 'react'
import { useDevice } from '#web/data/browser/device.ts'
import { showInstallDialog, installOffer } from '#web/lib/install-prompt.ts'
import { isInstalledApp } from '#web/lib/is-installed-app.ts'
import { safariKind } from '#web/lib/safari-kind.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { CloseIcon } from '#web/ui/icons.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { toast } from '#web/ui/toast.ts'
import { dismissInstall, useInstallDismissed } from './dismiss-install.ts'

const installSteps = {
  phone: 'Tap Share, then “Add to Home Screen”.',
  desk: 'Choose File, then “Add to Dock”.',
}

/**
 * The install prompt (spec section 1). Shown if the browser offers to install the app; in Safari it explains how to install the app by hand.
 * After the person has closed the card, or declined in the browser's dialog, the card is hidden for 30 days.
 */
export function InstallCard() {
  const canPrompt = useSyncExternalStore(installOffer.subscribe, installOffer.canPrompt)
  const isInstalled = useSyncExternalStore(installOffer.subscribe, installOffer.isInstalled)
  const device = useDevice()
  const isDismissed = useInstallDismissed()
  useEffect(() => {
    if (isInstalled && installOffer.announce()) toast.success('App installed successfully!')
  }, [isInstalled])
  const safariDevice = safariKind(navigator.userAgent, navigator.maxTouchPoints > 1)
  if (isDismissed || isInstalled || isInstalledApp() || (!canPrompt && safariDevice === null)) return null
  const install = async () => {
    if (!(await showInstallDialog())) dismissInstall(device)
  }
  return (
    <section aria-label="Install the app" className="rounded-card bg-surface p-2.5 shadow-card">
      <div className="flex items-center justify-between">
        <Mark size={20} />
        <IconButton
          label="Not now"
          icon={<CloseIcon />}
          onClick={() => dismissInstall(device)}
          size={24}
          tooltip={false}
        />
      </div>
      <p className="mt-1 text-sm text-ink2">Add to your home screen for quick access and offline support</p>
      {canPrompt ? (
        <Button onClick={() => void install()} className="mt-2.5 w-full">
          Install
        </Button>
      ) : (
        <p className="mt-2 text-sm text-ink">{safariDevice && installSteps[safariDevice]}</p>
      )}
    </section>
  )
}
