import { type Device, useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { useCompanyChoices } from '#web/data/companies.ts'
import { addContact } from '#web/data/contacts.ts'
import type { Correction } from '#web/data/changes/correction.ts'
import { updateRecord } from '#web/data/changes/update-record.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'
import { type CheckedContact, contactSchema, emptyContact, type TypedContact } from './contact-schema.ts'

export interface AddContactProps {
  open: boolean
  onClose: () => void
  /**
   * A refused contact to correct: the form starts with its values, and the new contact replaces it. Title and phone are a separate
   * operation that waits after it.
   */
  correction?: Correction<'contacts'> | null
}

/**
 * The dialog with its form. After adding (also on this device only) it closes and is empty the next time; after a refusal it keeps its
 * input.
 */
export function AddContactForm({ open, onClose, correction = null }: AddContactProps) {
  const device = useDevice()
  const form = useForm<TypedContact, unknown, CheckedContact>({
    resolver: standardSchemaResolver(contactSchema),
    defaultValues: typedContact(correction),
  })
  const { control, register, formState, handleSubmit } = form
  const pending = formState.isSubmitting

  async function add(contact: CheckedContact) {
    const outcome = await addContact(device, contact, correction?.rowId)
    if (outcome.status === 'refused') {
      toast.error('Error adding contact', { description: outcome.message })
      return
    }
    const failure = await addDetails(device, outcome.id, contact)
    if (failure) toast.error('Error updating contact', { description: failure })
    else toast.success(outcome.status === 'saved' ? 'Contact added' : 'Saved on this device')
    onClose()
    form.reset()
  }
  const submit = useOnce(handleSubmit(add))

  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      pending={pending}
      title="Add Contact"
      footer={
        <>
          <Button size="form" onClick={onClose} disabled={pending}>
            Cancel
          </Button>
          <Button size="form" variant="primary" type="submit" pending={pending}>
            Add Contact
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-2 gap-x-4 gap-y-5 max-sm:grid-cols-1">
        <Field label="Email" error={formState.errors.email?.message} className="col-span-full">
          <Input
            {...register('email')}
            data-autofocus
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.contacts.email}
            placeholder="name@company.example"
          />
        </Field>
        <Field label="First name">
          <Input {...register('first_name')} autoComplete="off" maxLength={limits.contacts.first_name} />
        </Field>
        <Field label="Last name">
          <Input {...register('last_name')} autoComplete="off" maxLength={limits.contacts.last_name} />
        </Field>
        {!correction && (
          <>
            <Field label="Title">
              <Input {...register('title')} autoComplete="off" maxLength={limits.contacts.title} />
            </Field>
            <Field label="Phone">
              <Input {...register('phone')} type="tel" autoComplete="off" maxLength={limits.contacts.phone} />
            </Field>
          </>
        )}
        <Controller control={control} name="company" render={({ field }) => <CompanyNameField {...field} />} />
      </div>
    </Dialog>
  )
}

function typedContact(correction: Correction<'contacts'> | null): TypedContact {
  const { email, first_name, last_name } = correction?.row ?? {}
  const names = { first_name: first_name ?? '', last_name: last_name ?? '' }
  return { ...emptyContact, email: email ?? '', ...names, company: correction?.companyName ?? '' }
}

/** Writes the fields that are no parameters of `upsert_contact`; empty fields keep their values. */
async function addDetails(device: Device, id: string, { title, phone }: CheckedContact): Promise<string | null> {
  if (!title && !phone) return null
  const outcome = await updateRecord(device, 'contacts', id, { ...(title && { title }), ...(phone && { phone }) })
  return outcome.status === 'refused' ? outcome.message : null
}

/** A field for a company's name: known companies are suggested, another name creates a company. */
function CompanyNameField({ value, onChange, ref }: TextField) {
  const { choices } = useCompanyChoices(value)
  const [id] = useState(() => `companies-${Math.random().toString(36).slice(2)}`)
  return (
    <Field label="Company" className="col-span-full" hint="A new name creates a company">
      <Input
        ref={ref}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        autoComplete="off"
        maxLength={limits.companies.name}
        list={id}
      />
      <datalist id={id}>
        {choices.slice(0, 8).map((choice) => (
          <option key={choice.id} value={choice.label} />
        ))}
      </datalist>
    </Field>
  )
}

interface TextField {
  value: string
  onChange: (value: string) => void
  ref: (element: HTMLInputElement | null) => void
}
