import { useRef, useState } from 'react'
import { enrolPasskey } from '#web/data/enrol-factor.ts'
import { useOnce } from '#web/lib/use-once.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { Input } from '#web/ui/input.tsx'
import { freeName } from './free-name.ts'

/** A passkey or security key: its name, then the browser asks for it. */
export function AddPasskey({ taken, onDone }: { taken: readonly string[]; onDone: () => void }) {
  const [name, setName] = useState(() => freeName('This device', taken))
  const [error, setError] = useState<string | null>(null)
  const [pending, setPending] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const add = useOnce(async () => {
    if (!name.trim()) return setError('Name is required')
    setPending(true)
    const outcome = await enrolPasskey(name.trim())
    setPending(false)
    if (outcome.ok) return onDone()
    setError(outcome.message)
    field.current?.focus()
  })
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field label="Name" error={error} hint="Your browser asks next: for this device, your phone, or a security key.">
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
      <Button type="submit" variant="primary" size="form" pending={pending}>
        Continue
      </Button>
    </form>
  )
}
