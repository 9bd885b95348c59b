import { useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.ts'

/** 'Choose File': the system's dialog for .csv files. */
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
          // Choosing the same file again is a choice too.
          event.target.value = ''
          if (file) takeCsv(file, onFile)
        }}
      />
      <Button variant={variant} size="form" onClick={() => input.current?.click()}>
        Choose File
      </Button>
    </>
  )
}

/** Hands the file on when its name ends in .csv, the one kind that is taken (spec section 2); says so otherwise. */
export function takeCsv(file: File, onFile: (file: File) => void): void {
  if (file.name.toLowerCase().endsWith('.csv')) onFile(file)
  else toast.error('Error', { description: `${file.name} is not a .csv file` })
}
