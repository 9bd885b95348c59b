import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import { limits } from '#shared/limits.ts'
import { renameMyself } from '#web/data/people/change-members.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toastRefusal } from './member-refusal.ts'

/** Asks for the person's name in this brand. */
export function OwnNameDialog({ open, name, onClose }: { open: boolean; name: string; onClose: () => void }) {
  const device = useDevice()
  const [typed, setTyped] = useState(name)
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const save = async () => {
    if (!typed.trim()) {
      setError('Name is required')
      input.current?.focus()
      return
    }
    if (typed.trim() === name) return onClose()
    setPending(true)
    const outcome = await renameMyself(device, typed)
    setPending(false)
    if (!toastRefusal('Error changing name', outcome)) onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={() => void save()}
      pending={pending}
      width="small"
      title="Change your name"
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" size="form" pending={pending}>
            Save
          </Button>
        </>
      }
    >
      <Field label="Name" hint="How your colleagues in this brand see you." error={error}>
        <Input
          ref={input}
          data-autofocus
          autoComplete="name"
          enterKeyHint="done"
          maxLength={limits.memberships.display_name}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setError(null)
          }}
        />
      </Field>
    </Dialog>
  )
}
