import { useEffect, useRef } from 'react'
import { CodeInput } from '#web/ui/code-input.tsx'
import { StepForm } from '#web/ui/step-form.tsx'
import type { CodeEntry } from './use-code-entry.ts'

/** A field for six digits, and 'Verify'. After a refusal the field is empty and has the focus. */
export function CodeForm({ entry, label }: { entry: CodeEntry; label: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (entry.error) input.current?.focus()
  }, [entry.error])
  return (
    <StepForm button="Verify" size="sign-in" pending={entry.pending} onSubmit={entry.submit}>
      <CodeInput
        ref={input}
        label={label}
        value={entry.code}
        error={entry.error}
        onChange={entry.setCode}
        onComplete={entry.submit}
        autoFocus
      />
    </StepForm>
  )
}
