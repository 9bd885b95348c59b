import { useRef } from 'react'

/**
 * Returns a function that starts the action, unless it is still running. A second click may come before the button shows that it is busy.
 */
export function useOnce(action: () => Promise<unknown>): () => void {
  const running = useRef(false)
  return () => {
    if (running.current) return
    running.current = true
    void action().finally(() => {
      running.current = false
    })
  }
}
