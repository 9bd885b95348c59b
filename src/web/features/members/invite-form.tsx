import { useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import { addMember } from '#web/data/people/members.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import { InviteOffer } from './invite-offer.tsx'
import { type CheckedInvite, emptyInvite, inviteSchema, type TypedInvite } from './invite-schema.ts'
import { refusalWords } from './refusal-words.ts'

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const

/**
 * Adds a person by e-mail address as member or admin; offers to invite an unknown address, where the backend can. The server decides who may
 * do that (spec section 6).
 */
export function InviteForm({ onAdded }: { onAdded: () => void }) {
  const device = useDevice()
  const { control, register, reset, formState, handleSubmit } = useForm<TypedInvite, unknown, CheckedInvite>({
    resolver: standardSchemaResolver(inviteSchema),
    defaultValues: emptyInvite,
  })
  const [unknown, setUnknown] = useState<CheckedInvite | null>(null)
  const { value: can } = useOnlineValue(capabilities)
  async function add({ email, role }: CheckedInvite) {
    setUnknown(null)
    const outcome = await addMember(device, email, role)
    if (outcome.status === 'refused') {
      const { title, description } = refusalWords(outcome)
      toast.error(title, { description })
      if (isRefusal(outcome, 'USER_NOT_FOUND') && (can?.invitations || can?.invitation_links))
        setUnknown({ email, role })
      return
    }
    toast.success('Member added successfully!')
    reset()
    onAdded()
  }
  const submit = useOnce(handleSubmit(add))
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        className="grid grid-cols-[minmax(0,1fr)_8rem_auto] items-start gap-2 max-sm:grid-cols-1 max-sm:gap-4"
      >
        <Field label="Email" error={formState.errors.email?.message}>
          <Input
            {...register('email')}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={limits.contacts.email}
          />
        </Field>
        <Field label="Role">
          <Controller
            control={control}
            name="role"
            render={({ field }) => <Select value={field.value} onChange={field.onChange} options={roles} />}
          />
        </Field>
        <Button type="submit" variant="primary" size="form" pending={formState.isSubmitting} className="sm:mt-[26px]">
          Add member
        </Button>
      </form>
      {unknown && (
        <InviteOffer key={unknown.email} invite={unknown} onInvited={() => reset()} onClose={() => setUnknown(null)} />
      )}
    </>
  )
}
