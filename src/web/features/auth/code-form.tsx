import { useEffect, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CodeInput } from '#web/ui/code-input.tsx'
import type { CodeEntry } from './use-code-entry.ts'

/** The six digits and 'Verify'. After a refusal the field is empty and has the focus again. */
export function CodeForm({ entry, label }: { entry: CodeEntry; label: string }) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (entry.error) input.current?.focus()
  }, [entry.error])
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        entry.submit()
      }}
    >
      <CodeInput
        ref={input}
        label={label}
        value={entry.code}
        error={entry.error}
        onChange={entry.setCode}
        onComplete={entry.submit}
        autoFocus
      />
      <Button type="submit" variant="primary" size="sign-in" pending={entry.pending} className="w-full">
        Verify
      </Button>
    </form>
  )
}
