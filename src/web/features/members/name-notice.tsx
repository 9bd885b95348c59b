import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { renameMyself } from '#web/data/people/change-members.ts'
import { endFirstEntry } from '#web/data/people/first-entry.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Input } from '#web/ui/input.tsx'
import { announce } from '#web/ui/live-region.ts'
import { toastRefusal } from './member-refusal.ts'

/**
 * Asks a person who has just joined or created a brand for their name among colleagues. If they skip it, the first part of their email
 * address stays their name.
 */
export function NameNotice() {
  const device = useDevice()
  const input = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const closeNotice = () => {
    endFirstEntry(device)
    document.getElementById('main')?.focus()
  }
  const save = useOnce(async () => {
    const name = input.current?.value.trim()
    if (!name) return input.current?.focus()
    setPending(true)
    const outcome = await renameMyself(device, name)
    setPending(false)
    if (toastRefusal('Error changing name', outcome)) return
    announce(`Colleagues see you as ${name}`)
    closeNotice()
  })
  return (
    <form
      aria-labelledby="name-notice"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      className="flex min-h-14 items-center gap-x-6 gap-y-3 rounded-card bg-surface py-3 pr-3 pl-4 shadow-card max-sm:flex-col max-sm:items-stretch max-sm:p-4"
    >
      <label id="name-notice" htmlFor="name-notice-field" className="min-w-0 flex-1 text-pretty">
        What do your colleagues call you? You can change it later in Settings.
      </label>
      <div className="flex shrink-0 gap-2 max-sm:flex-wrap">
        <Input
          ref={input}
          id="name-notice-field"
          size="control"
          autoComplete="name"
          enterKeyHint="done"
          maxLength={limits.memberships.display_name}
          placeholder="Your name"
          className="w-52 max-sm:w-full"
        />
        <Button type="submit" pending={pending} className="max-sm:flex-1">
          Save
        </Button>
        <Button variant="quiet" disabled={pending} onClick={closeNotice} className="max-sm:flex-1">
          Skip
        </Button>
      </div>
    </form>
  )
}
