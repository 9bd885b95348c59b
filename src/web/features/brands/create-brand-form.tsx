import { useDevice } from '#web/data/browser/device.ts'
import { type ReactNode, useRef, useState } from 'react'
import { createBrand } from '#web/data/people/create-brand.ts'
import { recordFirstEntryAfterReload } from '#web/data/people/first-entry.ts'
import { useIsOffline } from '#web/data/sync/sync-status.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { NeedsConnection } from '#web/ui/needs-connection.tsx'
import { toastBrandRefusal } from './brand-refusal.ts'

interface BrandForm {
  pending: boolean
  submit: () => void
  clear: () => void
  /** The field 'Brand name' with its error, and the remark that a connection is needed. */
  field: ReactNode
}

/**
 * The state of a form that creates a brand: validation, and the toasts of spec section 8. `onCreated` gets the new brand's id and must
 * reload the page: until then the form stays pending.
 */
export function useBrandForm(onCreated: (brandId: string) => void): BrandForm {
  const device = useDevice()
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const offline = useIsOffline()

  const submit = async () => {
    if (pending) return
    if (!name.trim()) {
      setError('Brand name required')
      input.current?.focus()
      return
    }
    setPending(true)
    const outcome = await createBrand(device, name.trim())
    if (outcome.status === 'saved') {
      recordFirstEntryAfterReload(device, outcome.id)
      return onCreated(outcome.id)
    }
    setPending(false)
    input.current?.focus()
    if (outcome.status === 'refused') toastBrandRefusal('Error creating brand', outcome.code, outcome.message)
  }

  const field = (
    <>
      <Field
        label="Brand name"
        error={error}
        hint="The company that you sell for. Colleagues and customers belong to a brand."
      >
        <Input
          ref={input}
          size="sign-in"
          name="brand"
          autoComplete="organization"
          maxLength={120}
          required
          autoFocus
          data-autofocus
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
      </Field>
      <NeedsConnection offline={offline}>A new brand needs a connection.</NeedsConnection>
    </>
  )
  const clear = () => {
    setName('')
    setError(null)
  }
  return { pending, submit: () => void submit(), clear, field }
}
