import { useState } from 'react'
import { useCompanyChoices } from '#web/data/companies.ts'
import { useContactChoices } from '#web/data/contacts.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Combobox, type ComboboxOption } from '#web/ui/combobox.tsx'
import { Field } from '#web/ui/field.tsx'
import { CompanyIcon, PersonIcon } from '#web/ui/icons.tsx'

interface RelatedProps {
  value: ComboboxOption | null
  onChange: (value: ComboboxOption | null) => void
}

/** The contact of a deal, found by typing. */
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
        leading={face}
      />
    </Field>
  )
}

function face({ label }: ComboboxOption) {
  return <Avatar name={label} size={20} />
}

/** The company of a deal, found by typing. */
export function CompanyField({ value, onChange }: RelatedProps) {
  const [text, setText] = useState('')
  const { ready, choices } = useCompanyChoices(text)
  return (
    <Field label="Company">
      <Combobox
        value={value}
        onChange={onChange}
        onSearch={setText}
        options={choices}
        loading={!ready}
        placeholder="Search companies…"
        icon={<CompanyIcon />}
      />
    </Field>
  )
}
