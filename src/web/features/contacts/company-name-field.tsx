import { useState } from 'react'
import { limits } from '#shared/limits.ts'
import { useCompanyChoices } from '#web/data/company-picker.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'

/** A field for a company's name. Known companies are suggested; another name creates a company. */
export function CompanyNameField({ value, onChange, ref }: TextField) {
  const { choices } = useCompanyChoices(value)
  const [id] = useState(() => `companies-${Math.random().toString(36).slice(2)}`)
  return (
    <Field label="Company" className="col-span-full max-sm:order-1" hint="A new name creates a company">
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
