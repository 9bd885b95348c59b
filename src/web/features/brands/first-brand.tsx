import { useEffect, useState } from 'react'
import { usePresentEmail } from '#web/data/session/present-email.ts'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { PlusIcon } from '#web/ui/icons.tsx'
import { Mark } from '#web/ui/mark.tsx'
import { reloadWithToast } from '#web/ui/toast.ts'
import { useBrandForm } from './create-brand-form.tsx'

/**
 * Shown to a person without a brand: 'Welcome to Banyan CRM' and the form for a brand, which 'Cancel' closes and clears (spec section 2). A
 * text below says how a colleague can add the person to an existing brand. `onPending` gets true while the brand is created, also until the
 * page reloads, and false after a refusal. `onPending` must be the same function in every render.
 */
export function FirstBrand({ email, onPending }: { email: string; onPending: (isPending: boolean) => void }) {
  const [open, setOpen] = useState(true)
  usePresentEmail()
  const form = useBrandForm(() => reloadWithToast('Brand created successfully!'))
  useEffect(() => {
    onPending(form.pending)
    return () => onPending(false)
  }, [form.pending, onPending])
  return (
    <div className="flex w-full max-w-110 flex-col items-center">
      <Mark size={72} />
      <h1 className="mt-6 text-center text-3xl">Welcome to Banyan CRM</h1>
      {open ? (
        <Card className="mt-8 w-full rounded-dialog p-6 shadow-pop">
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              form.submit()
            }}
          >
            <h2 className="mb-4 text-lg">Create Your First Brand</h2>
            {form.field}
            <div className="mt-5 flex justify-end gap-2">
              <Button
                size="form"
                onClick={() => {
                  form.clear()
                  setOpen(false)
                }}
              >
                Cancel
              </Button>
              <Button type="submit" variant="primary" size="form" pending={form.pending}>
                Create Brand
              </Button>
            </div>
          </form>
        </Card>
      ) : (
        <Button variant="primary" size="sign-in" className="mt-8" icon={<PlusIcon />} onClick={() => setOpen(true)}>
          Create Your First Brand
        </Button>
      )}
      <p className="mt-6 max-w-95 text-center text-sm text-pretty wrap-anywhere text-ink2">
        Does your team work here already? Ask a colleague to invite{' '}
        <strong className="font-medium text-ink">{email}</strong>. Their brand then opens here by itself.
      </p>
    </div>
  )
}
