import type { ReactNode } from 'react'
import { newId } from '#web/lib/new-id.ts'
import { tabStorage } from '#web/lib/tab-storage.ts'

export interface ToastOptions {
  description?: string
  /** A button in the toast: 'Undo', 'Show'. A toast with a button stays for 10 s instead of 5 s. */
  action?: { label: string; run: () => void }
  /** Shown instead of the tick or the alert icon: for example a colleague's avatar. */
  leading?: ReactNode
  /** Choices below the text. A toast with choices stays for 15 s. While a dialog is open it is hidden, and the time does not count. */
  below?: ReactNode
  /** True for a greeting. The toast is then shown for 2.5 s at the top of the window, where it covers no content. */
  brief?: boolean
}

export interface Toast extends ToastOptions {
  /** Unique for each toast. */
  id: string
  /** The order in which actions began: a later action has a higher number. 0 means that the toast is not about an action of this person. */
  order: number
  kind: 'success' | 'error'
  title: string
  /** How long the toast is shown (ms). The time under the pointer, or with the focus, does not count. */
  duration: number
}

let shownToast: Toast | null = null
let lastOrder = 0
/** Toasts of actions up to this order are not shown. Infinity: the page was left, and the person has pressed no key and no pointer since. */
let mutedUpToOrder = 0
/** The order of the toasts about changes by colleagues. */
const newsOrder = 0
const listeners = new Set<() => void>()

/** The functions that show and remove toasts. Only one toast is shown at a time: a new toast replaces the old one. */
export const toast = {
  success: (title: string, options?: ToastOptions) => show('success', title, options),
  error: (title: string, options?: ToastOptions) => show('error', title, options),
  dismiss: () => set(null),
  begin,
  news,
  leave,
  /** Shows the reason why the page was left, as an error toast, also after `leave`. With a description it stays for 15 s. */
  farewell: (title: string, options?: Pick<ToastOptions, 'description'>) =>
    show('error', title, options, ++lastOrder, true),
}

/**
 * Begins an action whose outcome comes later. Show the outcome with the returned functions. A success does not replace the toast of a
 * later action, whose 'Undo' would be lost. An error replaces any toast. After `leave`, neither is shown.
 */
function begin(): Pick<typeof toast, 'success' | 'error'> {
  lastOrder += 1
  const order = lastOrder
  return {
    success: (title, options) => {
      if (!shownToast || shownToast.order <= order) show('success', title, options, order)
    },
    error: (title, options) => show('error', title, options, order),
  }
}

/**
 * Call it when the page is left for a reason that is shown elsewhere or by `farewell`. Later outcomes of actions on that page are not
 * shown: they would repeat the reason, or offer an 'Undo' that is impossible. Until the person presses a key or the pointer, every
 * outcome counts as one of that page.
 */
function leave(): void {
  set(null)
  mutedUpToOrder = Number.POSITIVE_INFINITY
  const pressController = new AbortController()
  for (const input of ['keydown', 'pointerdown'])
    document.addEventListener(
      input,
      () => {
        mutedUpToOrder = lastOrder
        pressController.abort()
      },
      { capture: true, signal: pressController.signal },
    )
}

/**
 * Shows what colleagues have changed. Such a toast replaces only toasts of the same kind and never delays other toasts. Returns false if it
 * was not shown.
 */
function news(title: string, options?: ToastOptions): boolean {
  if (shownToast && shownToast.order !== newsOrder) return false
  show('success', title, options, newsOrder)
  return true
}

/** The toast that is shown now, for the Toaster. */
export const toastStore = {
  get: () => shownToast,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function show(
  kind: Toast['kind'],
  title: string,
  options: ToastOptions = {},
  order = ++lastOrder,
  isFarewell = false,
): void {
  const isMuted = order === newsOrder ? mutedUpToOrder === Number.POSITIVE_INFINITY : order <= mutedUpToOrder
  if (isMuted && !isFarewell) return
  const isLong = options.below || (isFarewell && options.description)
  set({
    ...options,
    id: newId(),
    order,
    kind,
    title,
    duration: isLong ? 15_000 : options.action ? 10_000 : options.brief ? 2_500 : 5_000,
  })
}

function set(to: Toast | null): void {
  shownToast = to
  for (const listener of listeners) listener()
}

const toastStorageKey = 'banyan-toast'

/** Reloads the page, or opens another URL of the app, and shows the title there as a toast. */
export function reloadWithToast(title: string, url?: string): void {
  tabStorage()?.setItem(toastStorageKey, title)
  if (url) location.assign(url)
  else location.reload()
}

/** Shows the title that `reloadWithToast` stored. Called once at start. */
export function showStoredToast(): void {
  const title = tabStorage()?.getItem(toastStorageKey)
  tabStorage()?.removeItem(toastStorageKey)
  if (title) toast.success(title)
}
