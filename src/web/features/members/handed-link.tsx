import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { formatDay } from '#web/lib/dates.ts'
import { Button } from '#web/ui/button.tsx'
import { CopyIcon } from '#web/ui/icons.tsx'
import { Input } from '#web/ui/input.tsx'
import { toast } from '#web/ui/toast.ts'

const lifeMs = 7 * 86_400_000

interface HandedLinkProps {
  email: string
  /** The link. */
  address: string
  onClose: () => void
}

/** A new invitation link, shown this once and copied: what it does, and a button that copies it again. */
export function HandedLink({ email, address, onClose }: HandedLinkProps) {
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const copy = async (isAsked: boolean) => {
    try {
      await navigator.clipboard.writeText(address)
      toast.success('Invitation link copied')
    } catch {
      // Without a secure context, or without the permission.
      if (!isAsked) return toast.dismiss()
      field.current?.focus()
      field.current?.select()
      toast.error('The link could not be copied', { description: 'It is selected: copy it by hand.' })
    }
  }
  const onMade = useEffectEvent(() => {
    button.current?.focus()
    void copy(false)
  })
  useEffect(() => onMade(), [])
  const [until] = useState(() => new Date(Date.now() + lifeMs).toISOString())
  return (
    <section
      aria-label={`Invitation link for ${email}`}
      className="mt-3 rounded-control bg-sunken px-3 pt-2.5 pb-3 first:mt-0"
    >
      <p role="status" className="text-sm wrap-anywhere">
        Send this link to <span className="font-medium">{email}</span>. It works for them alone, once, until{' '}
        {formatDay(until)}. It is not shown again.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Input
          ref={field}
          aria-label="Invitation link"
          size="control"
          readOnly
          value={address}
          className="min-w-0 flex-1 basis-56"
          onFocus={(event) => event.target.select()}
        />
        <div className="flex gap-2">
          <Button ref={button} icon={<CopyIcon />} onClick={() => void copy(true)}>
            Copy link
          </Button>
          <Button variant="quiet" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </section>
  )
}
