import type { ReactNode } from 'react'

export interface ToastOptions {
  description?: string
  /** A button at its end: 'Undo', 'Show'. It stays 10 s then instead of 5. */
  action?: { label: string; run: () => void }
  /** Instead of the tick or the alert: a colleague's avatar. */
  leading?: ReactNode
}

export interface Toast extends ToastOptions {
  id: number
  /** When its action was begun, among the others: the later the higher; 0: no action of one's own. */
  order: number
  kind: 'success' | 'error'
  title: string
  /** Milliseconds it is shown, not counting the time under the pointer. */
  duration: number
}

let current: Toast | null = null
let count = 0
let begun = 0
const newsOrder = 0
const listeners = new Set<() => void>()

/** The one way to say that something happened. One toast at a time: a new one takes the place of the last. */
export const toast = {
  success: (title: string, options?: ToastOptions) => show('success', title, options),
  error: (title: string, options?: ToastOptions) => show('error', title, options),
  dismiss: () => set(null),
  begin,
  news,
}

/**
 * For an action whose outcome comes later; call it as the action begins. Its success is left out while the toast of an action begun
 * after it is shown (whose 'Undo' would be gone); its error is always said.
 */
function begin(): Pick<typeof toast, 'success' | 'error'> {
  begun += 1
  const order = begun
  return {
    success: (title, options) => {
      if (!current || current.order <= order) show('success', title, options, order)
    },
    error: (title, options) => show('error', title, options, order),
  }
}

/** For what others did: it takes the place of nothing but other news, and keeps nothing from being said. False: it is not shown. */
function news(title: string, options?: ToastOptions): boolean {
  if (current && current.order !== newsOrder) return false
  show('success', title, options, newsOrder)
  return true
}

/** For the Toaster: the toast to show now. */
export const toastStore = {
  get: () => current,
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
}

function show(kind: Toast['kind'], title: string, options: ToastOptions = {}, order = ++begun): void {
  count += 1
  set({ ...options, id: count, order, kind, title, duration: options.action ? 10_000 : 5_000 })
}

function set(to: Toast | null): void {
  current = to
  for (const listener of listeners) listener()
}

const KEPT = 'banyan-toast'

/** Reloads the page, or loads another of ours, and says the title there. */
export function reloadWithToast(title: string, address?: string): void {
  sessionStorage.setItem(KEPT, title)
  if (address) location.assign(address)
  else location.reload()
}

/** Says what `reloadWithToast` kept; called once at start. */
export function showKeptToast(): void {
  const title = sessionStorage.getItem(KEPT)
  sessionStorage.removeItem(KEPT)
  if (title) toast.success(title)
}
