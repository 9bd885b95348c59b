import { useRef, useState } from 'react'
import { useOnce } from '#web/lib/use-once.ts'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import { freeName } from './free-name.ts'

interface FactorNameFormProps {
  /** The suggested name; a number is added if another factor has this name. */
  suggested: string
  /** The names of the person's other factors. */
  taken: readonly string[]
  hint: string
  /** Called with the name. Resolves to the error message, or to null. */
  onName: (name: string) => Promise<string | null>
}

/** The first step of a new factor: its name. An error is shown below the field; after an error of `onName` the field has the focus. */
export function FactorNameForm({ suggested, taken, hint, onName }: FactorNameFormProps) {
  const [name, setName] = useState(() => freeName(suggested, taken))
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const submitName = useOnce(async () => {
    if (!name.trim()) return setError('Name is required')
    setPending(true)
    const problem = await onName(name.trim())
    setPending(false)
    if (problem === null) return
    setError(problem)
    field.current?.focus()
  })
  return (
    <StepForm button="Continue" pending={pending} onSubmit={submitName}>
      <Field label="Name" error={error} hint={hint}>
        <Input
          ref={field}
          autoFocus
          autoComplete="off"
          maxLength={60}
          value={name}
          onChange={(event) => {
            setName(event.target.value)
            setError(null)
          }}
        />
      </Field>
    </StepForm>
  )
}
