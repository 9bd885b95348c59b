import { type OnlineState, useOnlineValue } from '#web/data/session/online-value.ts'
import { useDevice } from '#web/data/browser/device.ts'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { limits } from '#shared/limits.ts'
import { capabilities } from '#web/data/session/capabilities.ts'
import type { Invitation } from '#web/data/people/invitations.ts'
import { addMember, type Member } from '#web/data/people/members.ts'
import { isRefusal } from '#web/data/server/is-refusal.ts'
import { emailIn } from '#web/lib/read-person.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { Select } from '#web/ui/select.tsx'
import { toast } from '#web/ui/toast.ts'
import { InviteOffer } from './invite-offer.tsx'
import { checkAddress, type CheckedInvite, emptyInvite, inviteSchema, type TypedInvite } from './invite-schema.ts'
import { pendingRole } from './pending-role.ts'
import { refusalWords, emailFieldError } from './refusal-words.ts'

const roles = [
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
] as const

interface InviteFormProps {
  members: readonly Member[]
  /** The pending invitations. */
  invited: OnlineState<Invitation[]>
  onAdded: () => void
}

/**
 * Adds a person by email address as member or admin. For an email address without an account, the form offers an invitation, if the backend
 * supports invitations. The server decides whether the signed-in person may add or invite people (spec section 6).
 */
export function InviteForm({ members, invited, onAdded }: InviteFormProps) {
  const device = useDevice()
  const form = useForm<TypedInvite, unknown, CheckedInvite>({
    resolver: standardSchemaResolver(inviteSchema),
    defaultValues: emptyInvite,
  })
  const { control, reset, formState, setError } = form
  const [inviteToOffer, setInviteToOffer] = useState<CheckedInvite | null>(null)
  const [pendingAs, setPendingAs] = useState<CheckedInvite['role'] | null>(null)
  // False while the role select has not been used. Then the form offers the role of a pending invitation, if there is one, instead of 'Member'.
  const [isRoleChosen, setIsRoleChosen] = useState(false)
  const clear = () => {
    reset()
    setIsRoleChosen(false)
  }
  const { value: backend } = useOnlineValue(capabilities)
  async function add({ email, role }: CheckedInvite) {
    setInviteToOffer(null)
    const outcome = await addMember(device, email, role)
    if (outcome.status === 'refused') {
      const { title, description } = refusalWords(outcome)
      if (isRefusal(outcome, 'USER_NOT_FOUND')) {
        setError('email', { message: title }, { shouldFocus: true })
        if (!backend?.invitations && !backend?.invitation_links) return
        const earlierRole = pendingRole(invited.value ?? [], email)
        const offeredRole = isRoleChosen ? role : (earlierRole ?? role)
        // The select then shows the offered role, and the other one can be chosen.
        form.setValue('role', offeredRole)
        setPendingAs(earlierRole)
        setInviteToOffer({ email, role: offeredRole })
        return
      }
      toast.error(title, { description })
      const problem = emailFieldError(outcome)
      if (problem) setError('email', { message: problem }, { shouldFocus: true })
      return
    }
    toast.success('Member added successfully!')
    clear()
    onAdded()
  }
  const submit = useOnce(form.handleSubmit(add))
  /** Reduces 'Tom Hale <tom@muster.example>' to the email address. */
  const keepAddressOnly = () => {
    const typed = form.getValues('email')
    form.setValue('email', emailIn(typed) ?? typed)
  }
  const email = form.register('email', {
    onBlur: () => {
      keepAddressOnly()
      const problem = checkAddress(form.getValues('email'))
      if (problem) setError('email', { message: problem })
    },
    onChange: () => {
      if (formState.errors.email) form.clearErrors('email')
      // The role of a pending invitation is offered only for its own email address, so another address starts with the default role.
      if (!isRoleChosen) form.setValue('role', emptyInvite.role)
    },
  })
  return (
    <>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          keepAddressOnly()
          submit()
        }}
        className="grid grid-cols-[minmax(0,1fr)_8rem_auto] items-start gap-2 max-md:grid-cols-1 max-md:gap-4"
      >
        <Field label="Email" error={formState.errors.email?.message}>
          <Input
            {...email}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={limits.contacts.email}
            onPaste={() => setTimeout(keepAddressOnly)}
          />
        </Field>
        <Field label="Role">
          <Controller
            control={control}
            name="role"
            render={({ field }) => (
              <Select
                value={field.value}
                onChange={(role) => {
                  setIsRoleChosen(true)
                  field.onChange(role)
                }}
                options={roles}
              />
            )}
          />
        </Field>
        <Button type="submit" variant="primary" size="form" pending={formState.isSubmitting} className="md:mt-6.5">
          Add member
        </Button>
      </form>
      {inviteToOffer && (
        <InviteOffer
          key={inviteToOffer.email}
          invite={inviteToOffer}
          pendingAs={pendingAs}
          members={members}
          invited={invited}
          onInvited={clear}
          onWrongAddress={(problem) => {
            setInviteToOffer(null)
            setError('email', { message: problem }, { shouldFocus: true })
          }}
          onClose={() => setInviteToOffer(null)}
        />
      )}
    </>
  )
}
