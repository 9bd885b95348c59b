import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { cx } from '#web/lib/class-names.ts'
import { Button } from './button.tsx'
import { CopyIcon } from './icons.tsx'
import { Input } from './input.tsx'
import { toast } from './toast.ts'

interface NewUrlProps {
  /** The name of the field, and of the URL in the message after copying: 'Invitation link'. */
  name: string
  address: string
  /** The text of the button that copies. */
  copy: string
  /**
   * True if the URL is also copied as soon as it is shown. If the browser refuses that, no message is shown, because nobody pressed the
   * button.
   */
  copiesAtOnce?: boolean
  className: string
  /** More buttons, beside the one that copies. */
  children?: ReactNode
}

/** A URL that is shown only once. The button that copies it has the focus. If the button is pressed and copying fails, the URL is selected. */
export function NewUrl({ name, address, copy, copiesAtOnce = false, className, children }: NewUrlProps) {
  const field = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const copyUrl = async (isPressed: boolean) => {
    try {
      await navigator.clipboard.writeText(address)
      toast.success(`${name} copied`)
    } catch {
      // Copying fails without a secure context, or without the permission.
      if (!isPressed) return toast.dismiss()
      field.current?.focus()
      field.current?.select()
      toast.error(`${name} not copied`, { description: 'It is selected: copy it by hand.' })
    }
  }
  const onShown = useEffectEvent(() => {
    button.current?.focus()
    if (copiesAtOnce) void copyUrl(false)
  })
  useEffect(() => onShown(), [])
  return (
    <div className={cx('flex flex-wrap gap-2', className)}>
      <Input
        ref={field}
        aria-label={name}
        size="control"
        readOnly
        value={address}
        className="min-w-0 flex-1 basis-56"
        onFocus={(event) => event.target.select()}
      />
      <div className="flex gap-2">
        <Button ref={button} icon={<CopyIcon />} onClick={() => void copyUrl(true)}>
          {copy}
        </Button>
        {children}
      </div>
    </div>
  )
}
