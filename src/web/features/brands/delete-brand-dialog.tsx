import { useDevice } from '#web/data/browser/device.ts'
import { useRef, useState } from 'react'
import type { ActiveBrand } from '#web/data/people/active-brand.ts'
import { deleteBrand } from '#web/data/people/change-brand.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { toastBrandRefusal } from './brand-refusal.ts'

interface DeleteBrandDialogProps {
  brand: ActiveBrand
  onClose: () => void
  onDeleted: () => void
}

/** Replaces each run of white space by one space. A page shows several spaces as one, so the person types only one. */
function withSingleSpaces(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/** Deletes the brand after the person has typed its name. */
export function DeleteBrandDialog({ brand, onClose, onDeleted }: DeleteBrandDialogProps) {
  const device = useDevice()
  // The name at the time the dialog opened: a colleague may rename the brand meanwhile, and a deleted brand has no name.
  const [name] = useState(brand.name)
  const [typedName, setTypedName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const deleteIfConfirmed = async () => {
    if (withSingleSpaces(typedName) !== withSingleSpaces(name)) {
      setError('This is not the name of the brand')
      input.current?.focus()
      return
    }
    setPending(true)
    const outcome = await deleteBrand(device)
    setPending(false)
    if (outcome.status === 'refused') {
      toastBrandRefusal('Error deleting brand', outcome.code, outcome.message)
      return
    }
    onClose()
    toast.success(`${name} was deleted`)
    onDeleted()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      onSubmit={() => void deleteIfConfirmed()}
      pending={pending}
      width="small"
      title={`Delete ${name}?`}
      description="Everything in it is deleted, for every member. This cannot be undone."
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" size="form" pending={pending} disabled={typedName.trim() === ''}>
            Delete brand
          </Button>
        </>
      }
    >
      <Field label={`Type “${name}” to confirm`} error={error}>
        <Input
          ref={input}
          data-autofocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          value={typedName}
          onChange={(event) => {
            setTypedName(event.target.value)
            setError(null)
          }}
        />
      </Field>
    </Dialog>
  )
}
