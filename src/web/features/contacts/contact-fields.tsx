import type { ReactNode } from 'react'
import { Controller, useWatch } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { emailIn, notAnEmailMessage } from '#web/lib/read-person.ts'
import { Field, FieldNeed } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { CompanyNameField } from './company-name-field.tsx'
import { type ContactForm, splitNameAndEmail } from './split-name-and-email.ts'

interface ContactFieldsProps {
  form: ContactForm
  /** Whether job title and phone are shown, too. */
  hasDetails: boolean
  /** Shown below the email address: the hint about a known contact. */
  children?: ReactNode
  /** Shown below the phone number: the contacts that already have it. */
  numberHint?: ReactNode
  /** Further fields after the others. */
  more?: ReactNode
}

/** The fields of a new contact. An email address or a phone number is required; the error is shown at the email address. */
export function ContactFields({ form, hasDetails, children, numberHint, more }: ContactFieldsProps) {
  const { control, register, formState } = form
  const hasPhone = useWatch({ control, name: 'phone' }).trim() !== ''
  const checkAddress = () => {
    splitNameAndEmail(form)
    const email = form.getValues('email').trim()
    if (email && !emailIn(email)) form.setError('email', { message: notAnEmailMessage })
  }
  const emailField = register('email', {
    onBlur: checkAddress,
    onChange: () => formState.errors.email && form.clearErrors('email'),
  })
  const phoneField = register('phone', {
    // With a phone number, 'Email is required' no longer applies. An invalid email address stays an error.
    onChange: () => {
      const [address, number] = form.getValues(['email', 'phone'])
      if (number.trim() && !address.trim()) form.clearErrors('email')
    },
  })
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-5 max-sm:grid-cols-1">
      <div className="col-span-full flex flex-col gap-2.5">
        <Field label="Email" aside={<FieldNeed required={!hasPhone} />} error={formState.errors.email?.message}>
          <Input
            {...emailField}
            data-autofocus
            type="email"
            aria-required={!hasPhone}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.contacts.email}
            placeholder="name@company.example"
            onPaste={() => setTimeout(() => splitNameAndEmail(form))}
          />
        </Field>
        {children}
      </div>
      <Field label="First name">
        <Input {...register('first_name')} autoComplete="off" maxLength={limits.contacts.first_name} />
      </Field>
      <Field label="Last name">
        <Input {...register('last_name')} autoComplete="off" maxLength={limits.contacts.last_name} />
      </Field>
      {hasDetails && (
        <>
          <Field label="Phone" hint="With it, the email is optional">
            <Input {...phoneField} type="tel" autoComplete="off" maxLength={limits.contacts.phone} />
          </Field>
          {/* On a narrow screen job title and company come later, so that the hint is right below the phone number. */}
          <Field label="Job title" className="max-sm:order-1">
            <Input {...register('title')} autoComplete="off" maxLength={limits.contacts.title} />
          </Field>
          {numberHint}
        </>
      )}
      <Controller control={control} name="company" render={({ field }) => <CompanyNameField {...field} />} />
      {more}
    </div>
  )
}
