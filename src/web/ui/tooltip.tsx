import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Kbd } from './kbd.tsx'
import { usePopup } from './use-popup.ts'

interface TooltipProps {
  text: ReactNode
  shortcut?: string
  children: ReactNode
}

const DELAY_MS = 500

/** A word or two about what is under the pointer, or has the keyboard's focus. It repeats what the control is called, so readers skip it. */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  const wrap = useRef<HTMLSpanElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const timer = useRef(0)
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  usePopup(open, wrap, popup, { align: 'center', gap: 6 })
  return (
    <span
      ref={wrap}
      className="inline-flex"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'mouse') return
        clearTimeout(timer.current)
        timer.current = window.setTimeout(() => setOpen(true), DELAY_MS)
      }}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) setOpen(true)
      }}
      onBlur={hide}
      onKeyDown={hide}
    >
      {children}
      {open && (
        <div
          ref={popup}
          popover="manual"
          aria-hidden="true"
          className="appear pointer-events-none flex items-center gap-2 rounded-control bg-toast px-2.5 py-1.5 text-xs font-medium text-toast-ink shadow-pop"
        >
          {text}
          {shortcut && <Kbd on="toast">{shortcut}</Kbd>}
        </div>
      )}
    </span>
  )
}
