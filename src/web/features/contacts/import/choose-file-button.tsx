import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** 'Choose File': opens the system's dialog for .csv files. */
export function ChooseFileButton({
  onFile,
  variant = 'primary',
}: {
  onFile: (file: File) => void
  variant?: 'primary' | 'default'
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv"
        aria-label="CSV file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Without this, choosing the same file again would fire no event.
          event.target.value = ''
          if (file) acceptCsv(file, onFile)
        }}
      />
      <Button variant={variant} size="form" onClick={() => input.current?.click()}>
        Choose File
      </Button>
    </>
  )
}

/** Passes a file on if its name ends in .csv, the only accepted type (spec section 2); otherwise shows an error. */
export function acceptCsv(file: File, onFile: (file: File) => void): void {
  if (file.name.toLowerCase().endsWith('.csv')) onFile(file)
  else toast.error('Error', { description: `${file.name} is not a .csv file` })
}
