import { useState } from 'react'
import { StageDot } from '#web/crm/stage-badge.tsx'
import { isPartOfLabel } from '#web/data/query/search-text.ts'
import { Combobox } from '#web/ui/combobox.tsx'
import type { Choice } from '#web/lib/choice.ts'
import { DateInput } from '#web/ui/date-input.tsx'
import { Field } from '#web/ui/field.tsx'
import { PersonIcon } from '#web/ui/icons.tsx'
import { fieldHeightClasses, Input } from '#web/ui/input.tsx'
import { PasswordInput } from '#web/ui/password-input.tsx'
import { SearchInput } from '#web/ui/search-input.tsx'
import { Select } from '#web/ui/select.tsx'
import { Textarea } from '#web/ui/textarea.tsx'
import { StateRow } from './state-row.tsx'

const stages = ['Incoming', 'Qualified', 'Proposal', 'Verbal Yes', 'Won', 'Lost'].map((name) => ({
  value: name,
  label: name,
  leading: <StageDot stage={{ name }} />,
}))
const people: readonly Choice[] = [
  { id: '1', label: 'Siân Prosser', detail: 'Tidewater Group' },
  { id: '2', label: 'Kenji Watanabe', detail: 'Hoshino Trading KK' },
]

/** Fields: at rest, with a hint, with an error, disabled. */
export function Fields() {
  const [stage, setStage] = useState('Proposal')
  const [person, setPerson] = useState<Choice | null>(people[0] ?? null)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  const [day, setDay] = useState('7 Dec 2026')
  const [moment, setMoment] = useState('7 Dec 2026 15:00')
  const matching = people.filter(({ label }) => isPartOfLabel(label, typed))
  return (
    <StateRow title="Fields: rest, leading, error, hint, disabled" className="grid! grid-cols-2 items-start! gap-4!">
      <Field label="Company name">
        <Input defaultValue="Halcyon Labs" />
      </Field>
      <Field label="Amount">
        <Input defaultValue="62,700.00" leading="£" inputMode="decimal" />
      </Field>
      <Field label="Email" error="Email is required">
        <Input placeholder="name@company.example" inputMode="email" />
      </Field>
      <Field label="Phone" hint="With its country: +44 …">
        <Input inputMode="tel" />
      </Field>
      <Field label="Website">
        <Input defaultValue="halcyon.example" disabled />
      </Field>
      <Field label="Password">
        <PasswordInput defaultValue="correct horse" />
      </Field>
      <Field label="Stage">
        <Select value={stage} onChange={setStage} options={stages} />
      </Field>
      <Field label="Contact">
        <Combobox
          value={person}
          onChange={setPerson}
          onSearch={setTyped}
          options={matching}
          placeholder="Search contacts…"
          icon={<PersonIcon />}
        />
      </Field>
      <Field label="Expected close date">
        <DateInput text={day} onText={setDay} className={fieldHeightClasses.form} inputClass="pl-3 pr-2 text-base" />
      </Field>
      <Field label="Due date">
        <DateInput
          text={moment}
          onText={setMoment}
          withTime
          className={fieldHeightClasses.form}
          inputClass="pl-3 pr-2 text-base"
        />
      </Field>
      <Field label="Notes" className="col-span-full">
        <Textarea defaultValue="Prefers a call in the morning." />
      </Field>
      <SearchInput value={search} onChange={setSearch} label="Search contacts..." shortcut={false} />
      <SearchInput value="tide" onChange={() => {}} label="Search companies..." shortcut={false} pending />
    </StateRow>
  )
}
