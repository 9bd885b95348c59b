import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { cx } from '#web/lib/class-names.ts'
import { AlertIcon, CheckIcon, CloseIcon } from './icons.tsx'
import { announce } from './live-region.ts'
import { type Toast, toast, toastStore } from './toast.ts'

/**
 * Shows the toast (its place: `toaster` and `toaster-brief` in app.css), outside of the app's root element, so that an open dialog neither covers
 * nor disables it. (Not sonner: it writes a <style> element at run time, which a CSP without 'unsafe-inline' refuses, and it is 9 kB.)
 */
export function Toaster() {
  const shown = useSyncExternalStore(toastStore.subscribe, toastStore.get)
  return createPortal(
    <section
      aria-label="Notifications"
      className={cx(
        'pointer-events-none fixed inset-x-0 z-50 flex justify-center px-4',
        shown?.brief ? 'toaster-brief' : 'toaster',
      )}
    >
      {shown && <ToastCard key={shown.id} shown={shown} />}
    </section>,
    document.body,
  )
}

function ToastCard({ shown }: { shown: Toast }) {
  const remainingMs = useRef(shown.duration)
  const timer = useRef<{ id: number; since: number } | null>(null)
  /** Whether the pointer or the focus is in the toast. The timer stays stopped meanwhile: the person may be typing there why a deal was lost. */
  const isHeld = useRef(false)
  const pause = () => {
    if (!timer.current) return
    clearTimeout(timer.current.id)
    remainingMs.current -= performance.now() - timer.current.since
    timer.current = null
  }
  const updateTimer = (held: boolean) => {
    isHeld.current = held
    pause()
    if (held || (shown.below && document.querySelector('#root[inert]'))) return
    timer.current = { id: window.setTimeout(toast.dismiss, remainingMs.current), since: performance.now() }
  }
  const begin = useEffectEvent(() => {
    const { title, description } = shown
    const joint = /[.!?…]$/.test(title) ? ' ' : '. '
    announce(description ? title + joint + description : title, shown.kind === 'error' ? 'assertive' : 'polite')
  })
  const end = useEffectEvent(pause)
  const restart = useEffectEvent(() => updateTimer(isHeld.current))
  useEffect(() => {
    begin()
    restart()
    // An open dialog makes the root inert. A toast with choices then waits, hidden by `toast-waits`.
    const dialogs = new MutationObserver(() => restart())
    const root = document.getElementById('root')
    if (root) dialogs.observe(root, { attributeFilter: ['inert'] })
    return () => {
      dialogs.disconnect()
      end()
    }
  }, [])
  return (
    <div
      data-toast={shown.kind}
      className={cx('toast-card rise', shown.below ? 'toast-waits' : null)}
      onPointerEnter={() => updateTimer(true)}
      onPointerLeave={({ currentTarget }) => updateTimer(currentTarget.contains(document.activeElement))}
      onFocus={() => updateTimer(true)}
      onBlur={() => updateTimer(false)}
    >
      {shown.leading ??
        (shown.kind === 'success' ? (
          <CheckIcon className="shrink-0 text-toast-act" />
        ) : (
          <AlertIcon className="shrink-0 text-toast-error" />
        ))}
      <div className="min-w-0 flex-1 py-0.5">
        <p className="font-medium wrap-anywhere">{shown.title}</p>
        {shown.description && <p className="text-toast-ink/75 wrap-anywhere">{shown.description}</p>}
      </div>
      {shown.action && (
        <button
          type="button"
          className="h-7 shrink-0 rounded-badge bg-white/12 px-3 font-medium text-toast-act hover:bg-white/20 max-sm:h-11"
          onClick={() => {
            const runAction = shown.action?.run
            toast.dismiss()
            runAction?.()
          }}
        >
          {shown.action.label}
        </button>
      )}
      <button
        type="button"
        aria-label="Dismiss"
        className="grid size-7 shrink-0 place-items-center rounded-badge text-toast-ink/60 hover:bg-white/12 hover:text-toast-ink max-sm:size-11"
        onClick={toast.dismiss}
      >
        <CloseIcon className="size-3.5" />
      </button>
      {shown.below}
    </div>
  )
}
