import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '#web/lib/class-names.ts'
import { isComposing } from '#web/lib/is-composing.ts'
import { addBackLayer } from './back-layers.ts'
import { CountBadge } from './badge.tsx'
import { IconButton } from './icon-button.tsx'
import { CloseIcon } from './icons.tsx'
import { Kbd } from './kbd.tsx'
import { useBackCloses } from './use-back-closes.ts'
import { keepTabInside, useModal } from './use-modal.ts'
import { useSheetDrag } from './use-sheet-drag.ts'

export interface DialogProps {
  open: boolean
  /**
   * Called when the person closes the dialog: by Escape, the cross, the browser's Back, a click beside the dialog, or by dragging the sheet
   * down. Never called while `pending`.
   */
  onClose: () => void
  title: string
  /** A red number beside the title: how many items need attention. 0 shows nothing. */
  count?: number
  description?: ReactNode
  children?: ReactNode
  /** The buttons at the bottom; the primary one is the last. In a form, the last one has type="submit". */
  footer?: ReactNode
  /**
   * Called when the form is submitted. If it is set, the body and the footer are one form. Ctrl or Cmd with Enter submits it from any
   * field.
   */
  onSubmit?: () => void
  /** True if the typed text is kept when the dialog is closed without submitting. The dialog says so. */
  keepsDraft?: boolean
  /** True while the dialog waits for a response of the server. Then the person cannot close it. */
  pending?: boolean
  /** The width of the dialog: 400, 520 or 640 px. */
  width?: 'small' | 'medium' | 'large'
}

const widths = { small: 'sm:w-100', medium: 'sm:w-130', large: 'sm:w-160' }
/** Duration of the animation that closes a dialog (ms). */
const closingMs = 120

/**
 * A modal dialog; a bottom sheet in windows narrower than 40rem (640 px at the usual font size). The page behind is inert, but toasts and live
 * regions are not; `aria-modal` would hide them from some screen readers and is therefore not set. The focus moves to the element with
 * `data-autofocus`, otherwise to the first field, or to the dialog if it has no field. Tab stays inside. When the dialog closes, the focus returns
 * to where it was.
 */
export function Dialog(props: DialogProps) {
  const closing = useIsClosing(props.open)
  if (!props.open && !closing) return null
  return createPortal(<DialogWindow {...props} closing={closing} />, document.body)
}

function DialogWindow(props: DialogProps & { closing: boolean }) {
  const {
    onClose,
    title,
    count = 0,
    description,
    children,
    footer,
    onSubmit,
    keepsDraft = false,
    pending = false,
    width = 'medium',
    closing,
  } = props
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const close = () => {
    if (!pending && !closing) onClose()
  }
  useModal(panel, !closing)
  useBackCloses(!closing, close, addBackLayer)
  const drag = useSheetDrag(panel, close)
  const content = (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6 max-sm:px-5">{children}</div>
      {footer && (
        <footer className="flex flex-wrap items-center gap-2 border-t border-line px-6 py-3.5 max-sm:px-5 max-sm:pb-[max(14px,env(safe-area-inset-bottom))]">
          <span aria-hidden="true" className="mr-auto flex items-center gap-1.5 text-xs text-ink3 key-hint">
            <Kbd>Esc</Kbd> cancel
          </span>
          {keepsDraft && (
            <span className="mr-2 text-xs text-ink2 max-sm:mr-0 max-sm:basis-full max-sm:text-center max-sm:text-13">
              Your draft is kept
            </span>
          )}
          <div className="flex flex-wrap gap-2 max-sm:flex-1 max-sm:*:flex-1">{footer}</div>
        </footer>
      )}
    </>
  )
  return (
    <div
      className={cx(
        'fixed inset-0 z-40 flex items-center justify-center bg-scrim p-6 max-sm:items-end max-sm:p-0',
        closing ? 'pointer-events-none opacity-0 transition-opacity duration-[120ms]' : 'appear',
      )}
      data-modal-layer=""
      inert={closing}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) close()
      }}
    >
      <div
        ref={panel}
        role="dialog"
        tabIndex={-1}
        aria-labelledby={`${id}-title`}
        aria-describedby={description ? `${id}-description` : undefined}
        className={cx(
          'flex max-h-full w-full flex-col rounded-dialog bg-surface shadow-dialog outline-none max-sm:max-h-[92dvh] max-sm:rounded-b-none max-sm:rounded-t-sheet',
          'rise max-sm:[animation:sheet_240ms_var(--out)] motion-reduce:[animation:appear_120ms]',
          widths[width],
        )}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented && !isComposing(event)) {
            event.stopPropagation()
            close()
          }
          keepTabInside(event)
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            panel.current?.querySelector('form')?.requestSubmit()
        }}
      >
        <header
          {...drag}
          className="relative flex items-start justify-between gap-4 px-6 pt-5 pb-3 max-sm:touch-none max-sm:px-5 max-sm:pt-7"
        >
          <span className="absolute inset-x-0 top-2.5 mx-auto h-1 w-9 rounded-full bg-line2 sm:hidden" />
          <div className="min-w-0">
            <div className="flex items-center gap-2.5">
              <h2 id={`${id}-title`} className="text-lg wrap-anywhere max-sm:text-18">
                {title}
              </h2>
              {count > 0 && <CountBadge count={count} tone="danger" />}
            </div>
            {description && (
              <div id={`${id}-description`} className="mt-0.5 text-sm text-ink2">
                {description}
              </div>
            )}
          </div>
          <IconButton
            label="Close"
            tooltip={false}
            icon={<CloseIcon />}
            size={28}
            onClick={close}
            disabled={pending}
            className="-mt-0.5 -mr-1.5 max-sm:-mt-2.5 max-sm:-mr-3"
          />
        </header>
        {onSubmit ? (
          <form
            noValidate
            className="flex min-h-0 flex-1 flex-col"
            onSubmit={(event) => submit(event, pending, onSubmit)}
          >
            {content}
          </form>
        ) : (
          content
        )}
      </div>
    </div>
  )
}

function submit(event: FormEvent, pending: boolean, onSubmit: () => void): void {
  event.preventDefault()
  event.stopPropagation()
  if (!pending) onSubmit()
}

function useIsClosing(open: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(open)
  const [isClosing, setClosing] = useState(false)
  if (wasOpen !== open) {
    setWasOpen(open)
    setClosing(!open)
  }
  useEffect(() => {
    if (!isClosing) return
    const timer = setTimeout(() => setClosing(false), closingMs)
    return () => clearTimeout(timer)
  }, [isClosing])
  return isClosing
}
