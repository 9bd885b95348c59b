import { Suspense } from 'react'
import type { Device } from '#web/data/browser/device.ts'
import { stageById } from '#web/data/deal-stages.ts'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import type { ToastOptions } from '#web/ui/toast.ts'

const LostReasons = lazyComponent(async () => (await import('./lost-reasons.tsx')).LostReasons)

/** Returns toast options that offer lost reasons after a move to a lost stage, and none for other stages. Giving a reason is optional. */
export function lostReasonOffer(device: Device, dealIds: readonly string[], stageId: string): ToastOptions {
  if (stageById(device, stageId)?.kind !== 'lost') return {}
  return {
    description: dealIds.length === 1 ? 'Why was it lost?' : 'Why were they lost?',
    below: (
      <Suspense fallback={<div className="h-8 basis-full max-sm:h-12" />}>
        <LostReasons device={device} dealIds={dealIds} stageId={stageId} />
      </Suspense>
    ),
  }
}
