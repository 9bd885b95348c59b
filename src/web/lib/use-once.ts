import { useRef } from 'react'

/**
 * Returns a function that starts the action, unless it is still running. A second click may come before the button shows that it is busy.
 */
export function useOnce(action: () => Promise<unknown>): () => void {
  const isRunning = useRef(false)
  return () => {
    if (isRunning.current) return
    isRunning.current = true
    void action().finally(() => {
      isRunning.current = false
    })
  }
}
