import { useEffect, useRef } from 'react'
import { downloadText } from '#web/lib/download.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyIcon, DownloadIcon } from '#web/ui/icons.tsx'
import { toast } from '#web/ui/toast.ts'

interface RecoveryCodesProps {
  codes: readonly string[]
  /** Whether the list gets the focus, because the codes were just made. */
  isFocused: boolean
  /** Called when the person says that the codes are saved. */
  onSaved: () => void
}

/** Shows new recovery codes, with buttons to copy and download them. */
export function RecoveryCodes({ codes, isFocused, onSaved }: RecoveryCodesProps) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (isFocused) list.current?.focus()
  }, [isFocused])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      toast.success('Codes copied')
    } catch {
      toast.error('The codes were not copied', { description: 'Select them and copy them by hand.' })
    }
  }
  return (
    <>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label="Your recovery codes"
        className="num mt-4 grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4 gap-y-2.5 rounded-control bg-sunken p-4 text-13/5 font-medium tracking-[0.02em] outline-none select-text"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button icon={<CopyIcon />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button
          icon={<DownloadIcon />}
          onClick={() => downloadText('banyan-crm-recovery-codes.txt', `${codes.join('\n')}\n`, 'text/plain')}
        >
          Download
        </Button>
        <Button variant="primary" className="ml-auto" onClick={onSaved}>
          I have saved them
        </Button>
      </div>
    </>
  )
}
