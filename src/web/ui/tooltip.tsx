import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Kbd } from './kbd.tsx'
import { usePopup } from './use-popup.ts'

interface TooltipProps {
  text: ReactNode
  shortcut?: string
  children: ReactNode
}

const showDelayMs = 500

/**
 * A short text about the control under the pointer or with the keyboard focus. The pointer may move onto the tooltip. Escape closes only
 * the tooltip. The tooltip is hidden from screen readers, because its text equals the control's accessible name.
 */
export function Tooltip({ text, shortcut, children }: TooltipProps) {
  const [open, setOpen] = useState(false)
  const wrapper = useRef<HTMLSpanElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  const timer = useRef(0)
  const hide = () => {
    clearTimeout(timer.current)
    setOpen(false)
  }
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      // This listener runs before the others and stops the event, so that a surrounding dialog or panel stays open. It is on the document,
      // because the focus may be anywhere.
      event.preventDefault()
      event.stopPropagation()
      setOpen(false)
    }
    document.addEventListener('keydown', onKeyDown, true)
    return () => document.removeEventListener('keydown', onKeyDown, true)
  }, [open])
  usePopup(open, wrapper, popup, { align: 'center', gap: 6 })
  return (
    <span
      ref={wrapper}
      className="inline-flex"
      onPointerEnter={(event) => {
        if (event.pointerType !== 'mouse') return
        clearTimeout(timer.current)
        timer.current = window.setTimeout(() => setOpen(true), showDelayMs)
      }}
      onPointerLeave={(event) => {
        if (event.currentTarget.querySelector(':focus-visible')) clearTimeout(timer.current)
        else hide()
      }}
      onClick={hide}
      onFocus={({ target, relatedTarget }) => {
        // When the focus comes back from the control's menu, the tooltip has been read already.
        if (target.matches(':focus-visible') && !relatedTarget?.closest('[role=menu]')) setOpen(true)
      }}
      onBlur={hide}
    >
      {children}
      {open && (
        <div
          ref={popup}
          popover="manual"
          aria-hidden="true"
          // `before:-inset-1.5` covers the gap to the control. Otherwise the tooltip would close while the pointer moves onto it.
          className="appear flex items-center gap-2 overflow-visible rounded-control bg-toast px-2.5 py-1.5 text-xs font-medium text-toast-ink shadow-pop before:absolute before:-inset-1.5"
        >
          {text}
          {shortcut && <Kbd on="toast">{shortcut}</Kbd>}
        </div>
      )}
    </span>
  )
}
