import { useState } from 'react'
import { useContactChoices } from '#web/data/contacts.ts'
import { useDealChoices } from '#web/data/deals.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Combobox, type ComboboxOption } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import { DealIcon, PersonIcon } from '#web/ui/icons.tsx'

interface RelatedProps {
  value: ComboboxOption | null
  onChange: (value: ComboboxOption | null) => void
}

/** The contact that a task is about, found by typing. */
export function ContactField({ value, onChange }: RelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useContactChoices(text)
  return (
    <Field label="Contact">
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setText}
        options={choices}
        loading={!ready}
        placeholder="Search contacts…"
        icon={<PersonIcon />}
        leading={avatarOf}
      />
    </Field>
  )
}

function avatarOf({ label }: ComboboxOption) {
  return <Avatar name={label} size={20} />
}

/** The deal that a task is about, found by typing. */
export function DealField({ value, onChange }: RelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useDealChoices(text)
  return (
    <Field label="Deal">
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setText}
        options={choices}
        loading={!ready}
        placeholder="Search deals…"
        icon={<DealIcon />}
      />
    </Field>
  )
}
