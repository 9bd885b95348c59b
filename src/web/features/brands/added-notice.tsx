import { useDevice } from '#web/data/browser/device.ts'
import { useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { openAddedBrand } from '#web/data/people/brand-opening.ts'
import { recordFirstEntry } from '#web/data/people/first-entry.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

interface AddedNoticeProps {
  brand: ActiveBrand
  onLeave: () => void
}

/**
 * Shown to a person who was added to this brand and has not opened it: who added them, and what opening it changes. Otherwise renders
 * nothing.
 */
export function AddedNotice({ brand, onLeave }: AddedNoticeProps) {
  const device = useDevice()
  const [pending, setPending] = useState(false)
  const open = useOnce(async () => {
    setPending(true)
    const outcome = await openAddedBrand(device, brand.id)
    setPending(false)
    if (outcome.status === 'refused') return toast.error('Error opening brand', { description: outcome.message })
    recordFirstEntry(device, brand.id)
    document.getElementById('main')?.focus()
  })
  if (!brand.added) return null
  return (
    <section
      aria-label={`Added to ${brand.name}`}
      className="flex items-center gap-x-6 gap-y-3 rounded-card bg-surface py-3 pr-3 pl-4 shadow-card max-sm:flex-col max-sm:items-stretch max-sm:p-4"
    >
      <p className="min-w-0 flex-1 text-pretty wrap-anywhere">
        {brand.added.by ?? 'A former member'} added you to {brand.name}. Its owners see nothing of your account until
        you open it.
      </p>
      <div className="flex shrink-0 gap-2 max-sm:*:flex-1">
        <Button pending={pending} onClick={open}>
          Open
        </Button>
        <Button onClick={onLeave}>Leave</Button>
      </div>
    </section>
  )
}
